"""Addresses of the pages. Every view is wrapped once: refusals become pages, and a new guest gets his secret."""

from typing import cast

from django.urls import URLPattern, path

from armybuilder.web.problems import answers_problems
from armybuilder.web.viewers import View, keeps_guest
from armybuilder.web.views import (
    accounts,
    builder,
    files,
    heroes,
    impact,
    lists,
    magic,
    matchups,
    pictures,
    repairs,
    sharing,
    site,
    systems,
    targets,
    units,
    upgrades,
    why,
)

app_name = "web"


def page(route: str, view: View, name: str) -> URLPattern:
    """A path whose view answers refusals as pages and keeps guests."""
    return path(route, keeps_guest(answers_problems(view)), name=name)


urlpatterns = [
    page("", site.home, "home"),
    page("about/", site.about, "about"),
    page("language/", site.language, "language"),
    page("theme/", site.theme, "theme"),
    page("lists/", lists.index, "lists"),
    page("lists/new/", lists.new, "list-new"),
    page("lists/open/", files.open_file, "list-open-file"),
    page("lists/<uuid:list_id>/", builder.show, "list"),
    page("lists/<uuid:list_id>/edit/", builder.edit, "list-edit"),
    page("lists/<uuid:list_id>/hero/", heroes.edit, "hero-edit"),
    page("lists/<uuid:list_id>/hero/fight/", heroes.fight, "hero-fight"),
    page("lists/<uuid:list_id>/undo/", builder.undo, "list-undo"),
    page("lists/<uuid:list_id>/redo/", builder.redo, "list-redo"),
    page("lists/<uuid:list_id>/history/", builder.history, "list-history"),
    page("lists/<uuid:list_id>/history/<int:number>/restore/", builder.restore_revision, "list-restore-revision"),
    page("lists/<uuid:list_id>/share/", sharing.share, "list-share"),
    page("lists/<uuid:list_id>/share/new/", sharing.publish, "list-share-publish"),
    page("lists/<uuid:list_id>/share/<str:token>/revoke/", sharing.revoke, "list-share-revoke"),
    page("lists/<uuid:list_id>/impact/", impact.show, "list-impact"),
    page("lists/<uuid:list_id>/impact/decide/", impact.decide, "list-impact-decide"),
    page("lists/<uuid:list_id>/upgrade/", upgrades.new, "list-upgrade"),
    page("lists/<uuid:list_id>/why/", why.show, "list-why"),
    page("lists/<uuid:list_id>/repair/", repairs.repair, "list-repair"),
    page("lists/<uuid:list_id>/exports/", files.exports_of_own, "list-exports"),
    page("lists/<uuid:list_id>/exports/<slug:format_id>/", files.export_own, "list-export"),
    page("lists/<uuid:list_id>/files/<slug:kind>/", files.save_own, "list-file"),
    page("lists/<uuid:list_id>/print/", sharing.print_own, "list-print"),
    page("lists/<uuid:list_id>/duplicate/", lists.duplicate, "list-duplicate"),
    page("lists/<uuid:list_id>/delete/", lists.delete, "list-delete"),
    page("lists/<uuid:list_id>/restore/", lists.restore, "list-restore"),
    page("s/<str:token>/", sharing.shared, "shared"),
    page("s/<str:token>/exports/", files.exports_of_shared, "shared-exports"),
    page("s/<str:token>/exports/<slug:format_id>/", files.export_shared, "shared-export"),
    page("s/<str:token>/files/<slug:kind>/", files.save_shared, "shared-file"),
    page("s/<str:token>/copy/", sharing.copy_shared, "shared-copy"),
    page("s/<str:token>/print/", sharing.print_shared, "shared-print"),
    page("units/", units.index, "units"),
    page("units/<uuid:unit_id>/", units.unit, "unit"),
    page("systems/", systems.index, "systems"),
    page("systems/<slug:system_id>/", systems.system, "system"),
    page("systems/<slug:system_id>/magic-items/", magic.items, "magic_items"),
    page("systems/<slug:system_id>/lores/", magic.lores, "lores"),
    page("systems/<slug:system_id>/rules/", systems.rules, "rules"),
    page("systems/<slug:system_id>/rules/<str:rule_id>/", systems.rule, "rule"),
    page("alliances/<slug:system_id>/", systems.alliances, "alliances"),
    page("matchups/", matchups.index, "matchups"),
    page("matchups/new/", matchups.new, "matchup-new"),
    page("matchups/<uuid:run_id>/", matchups.run, "matchup"),
    page("matchups/<uuid:run_id>/cancel/", matchups.cancel, "matchup-cancel"),
    page("matchups/<uuid:run_id>/again/", matchups.again, "matchup-again"),
    page("matchups/<uuid:run_id>/pair/", matchups.pairs, "matchup-pairs"),
    page("matchups/<uuid:run_id>/pair/<str:attacker>/<str:defender>/", matchups.pair, "matchup-pair"),
    page("targets/", targets.index, "targets"),
    page("targets/new/", targets.new, "target-new"),
    page("targets/<uuid:target_id>/", targets.change, "target"),
    page("targets/<uuid:target_id>/delete/", targets.delete, "target-delete"),
    page("accounts/", accounts.account, "account"),
    page("accounts/sign-up/", accounts.sign_up, "sign-up"),
    page("accounts/sign-in/", accounts.sign_in, "sign-in"),
    page("accounts/sign-out/", accounts.sign_out, "sign-out"),
    page("accounts/tokens/", accounts.tokens, "tokens"),
    page("accounts/tokens/<uuid:token_id>/revoke/", accounts.revoke_token, "token-revoke"),
    page("pictures/<uuid:run_id>/<str:signature>/<slug:language>/<str:file>", cast(View, pictures.picture), "picture"),
]
