"""Addresses of the JSON door; all end with a slash."""

from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter
from django.urls.converters import IntConverter

from api import (
    armylists,
    checks,
    datafiles,
    entrance,
    explanations,
    heroes,
    impacts,
    offers,
    problem_types,
    reference,
    repairs,
    revisions,
    roster_files,
    rules,
    schema,
    share_links,
    simulations,
    targets,
)


class RevisionConverter(IntConverter):
    """A revision number, as far as a database column goes."""

    regex = "[0-9]{1,9}"


register_converter(RevisionConverter, "revision")

systems: list[URLPattern | URLResolver] = [
    path("", reference.Systems.as_view(), name="systems"),
    path("<slug:system>/", reference.System.as_view()),
    path("<slug:system>/roles/", reference.Roles.as_view()),
    path("<slug:system>/factions/", reference.Factions.as_view()),
    path("<slug:system>/factions/<slug:faction>/", reference.OneFaction.as_view()),
    path("<slug:system>/units/", reference.Units.as_view()),
    path("<slug:system>/units/<uuid:unit>/", reference.Unit.as_view()),
    path("<slug:system>/force-organisations/", reference.ForceOrganisations.as_view()),
    path("<slug:system>/alliances/", reference.Alliances.as_view()),
    path("<slug:system>/cards/", heroes.Cards.as_view()),
    path("<slug:system>/fortifications/", reference.Fortifications.as_view()),
    path("<slug:system>/magic-items/", reference.MagicItems.as_view()),
    path("<slug:system>/lores/", reference.Lores.as_view()),
    path("<slug:system>/rules/", rules.Rules.as_view()),
    path("<slug:system>/rules/<slug:rule>/", rules.OneRule.as_view()),
]

lists: list[URLPattern | URLResolver] = [
    path("", armylists.Lists.as_view(), name="lists"),
    path("imports/", roster_files.Imports.as_view()),
    path("deleted/", armylists.DeletedLists.as_view()),
    path("<uuid:list_id>/", armylists.OneList.as_view(), name="list"),
    path("<uuid:list_id>/restore/", armylists.Restoration.as_view()),
    path("<uuid:list_id>/edits/", armylists.Edits.as_view()),
    path("<uuid:list_id>/offers/", offers.Offers.as_view()),
    path("<uuid:list_id>/explanations/", explanations.Explanations.as_view()),
    path("<uuid:list_id>/repairs/", repairs.Repairs.as_view()),
    path("<uuid:list_id>/undo/", revisions.Undo.as_view()),
    path("<uuid:list_id>/redo/", revisions.Redo.as_view()),
    path("<uuid:list_id>/revisions/", revisions.Revisions.as_view()),
    path("<uuid:list_id>/revisions/<revision:number>/", revisions.OneRevision.as_view()),
    path("<uuid:list_id>/revisions/<revision:number>/restore/", revisions.RevisionRestoration.as_view()),
    path("<uuid:list_id>/check/", armylists.ListCheck.as_view()),
    path("<uuid:list_id>/impact/", impacts.ImpactOfData.as_view()),
    path("<uuid:list_id>/impact/move/", impacts.Move.as_view()),
    path("<uuid:list_id>/impact/stay/", impacts.Stay.as_view()),
    path("<uuid:list_id>/exports/", roster_files.Exports.as_view()),
    path("<uuid:list_id>/exports/<slug:export_format>/", roster_files.Export.as_view()),
    path("<uuid:list_id>/file/", roster_files.ListFile.as_view()),
    path("<uuid:list_id>/copies/", armylists.Copies.as_view()),
    path("<uuid:list_id>/share-links/", share_links.ShareLinks.as_view()),
    path("<uuid:list_id>/share-links/<slug:token>/", share_links.OneShareLink.as_view()),
]

shared: list[URLPattern | URLResolver] = [
    path("<slug:token>/", share_links.SharedList.as_view()),
    path("<slug:token>/check/", share_links.SharedCheck.as_view()),
    path("<slug:token>/exports/", roster_files.SharedExports.as_view()),
    path("<slug:token>/exports/<slug:export_format>/", roster_files.SharedExport.as_view()),
    path("<slug:token>/file/", roster_files.SharedFile.as_view()),
    path("<slug:token>/copies/", share_links.SharedCopies.as_view()),
]

runs: list[URLPattern | URLResolver] = [
    path("", simulations.Simulations.as_view(), name="simulations"),
    path("<uuid:run_id>/", simulations.Simulation.as_view(), name="simulation"),
    path("<uuid:run_id>/cancel/", simulations.Cancelling.as_view()),
    path("<uuid:run_id>/result/", simulations.Result.as_view()),
]

own_targets: list[URLPattern | URLResolver] = [
    path("", targets.Targets.as_view()),
    path("standard/<slug:system>/", targets.StandardTargets.as_view()),
    path("<uuid:target_id>/", targets.OneTarget.as_view()),
]

releases: list[URLPattern | URLResolver] = [
    path("", datafiles.Releases.as_view()),
    path("progress/<uuid:key>/", datafiles.ImportProgress.as_view()),
    path("<uuid:release_id>/", datafiles.OneRelease.as_view()),
    path("<uuid:release_id>/publish/", datafiles.Publication.as_view()),
]

version_1: list[URLPattern | URLResolver] = [
    path("", entrance.Entrance.as_view()),
    path("check/", checks.Check.as_view(), name="check"),
    path("systems/", include(systems)),
    path("lists/", include(lists)),
    path("shared/", include(shared)),
    path("simulations/", include(runs)),
    path("targets/", include(own_targets)),
    path("releases/", include(releases)),
    path("problems/", problem_types.ProblemTypes.as_view(), name="problems"),
    path("problems/<slug:code>/", problem_types.OneProblemType.as_view()),
    path("schema/", schema.DescriptionView.as_view(), name="schema"),
    path("docs/", schema.DocumentationView.as_view(), name="docs"),
]

urlpatterns = [
    path("v1/", include((version_1, "api"), namespace="api")),
    re_path(r"", entrance.Nowhere.as_view()),
]
