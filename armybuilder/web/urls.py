"""Addresses of the pages. Every view is wrapped once: refusals become pages, and a new guest gets his secret."""

from django.urls import URLPattern, path

from armybuilder.web.problems import answers_problems
from armybuilder.web.viewers import View, keeps_guest
from armybuilder.web.views import accounts, lists, site, systems, units

app_name = "web"


def page(route: str, view: View, name: str) -> URLPattern:
    """A path whose view answers refusals as pages and keeps guests."""
    return path(route, keeps_guest(answers_problems(view)), name=name)


urlpatterns = [
    page("about/", site.about, "about"),
    page("language/", site.language, "language"),
    page("theme/", site.theme, "theme"),
    page("healthz/", site.healthz, "healthz"),
    page("lists/", lists.index, "lists"),
    page("lists/<uuid:list_id>/duplicate/", lists.duplicate, "list-duplicate"),
    page("lists/<uuid:list_id>/delete/", lists.delete, "list-delete"),
    page("lists/<uuid:list_id>/restore/", lists.restore, "list-restore"),
    page("units/", units.index, "units"),
    page("units/<uuid:unit_id>/", units.unit, "unit"),
    page("systems/", systems.index, "systems"),
    page("systems/<slug:system_id>/", systems.system, "system"),
    page("systems/<slug:system_id>/rules/", systems.rules, "rules"),
    page("systems/<slug:system_id>/rules/<str:rule_id>/", systems.rule, "rule"),
    page("alliances/<slug:system_id>/", systems.alliances, "alliances"),
    page("accounts/", accounts.account, "account"),
    page("accounts/sign-up/", accounts.sign_up, "sign-up"),
    page("accounts/sign-in/", accounts.sign_in, "sign-in"),
    page("accounts/sign-out/", accounts.sign_out, "sign-out"),
    page("accounts/tokens/", accounts.tokens, "tokens"),
    page("accounts/tokens/<uuid:token_id>/revoke/", accounts.revoke_token, "token-revoke"),
]
