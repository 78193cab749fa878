"""Addresses of the JSON door; all end with a slash."""

from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter
from django.urls.converters import IntConverter

from api import (
    account,
    api_root,
    armylists,
    bulk_checks,
    checks,
    data_sources,
    datafiles,
    events,
    explanations,
    facts,
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
    simulation_pictures,
    simulations,
    takers,
    targets,
    unit_dump,
    verdicts,
    webhooks,
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
    path("<slug:system>/units/all/", unit_dump.AllUnits.as_view()),
    path("<slug:system>/units/<uuid:unit>/", reference.Unit.as_view()),
    path("<slug:system>/units/<uuid:unit>/takers/", takers.Takers.as_view()),
    path("<slug:system>/force-organisations/", reference.ForceOrganisations.as_view()),
    path("<slug:system>/alliances/", reference.Alliances.as_view()),
    path("<slug:system>/facts/", facts.Facts.as_view()),
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
    path("imports/reviews/", roster_files.Reviews.as_view()),
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
    path("<uuid:list_id>/verdict/", verdicts.ListVerdict.as_view()),
    path("<uuid:list_id>/check/", armylists.ListCheck.as_view()),
    path("<uuid:list_id>/impact/", impacts.ImpactOfData.as_view()),
    path("<uuid:list_id>/impact/move/", impacts.Move.as_view()),
    path("<uuid:list_id>/impact/stay/", impacts.Stay.as_view()),
    path("<uuid:list_id>/exports/", roster_files.Exports.as_view()),
    path("<uuid:list_id>/exports/<slug:export_format>/", roster_files.Export.as_view()),
    path("<uuid:list_id>/file/", roster_files.ListFile.as_view()),
    path("<uuid:list_id>/copies/", armylists.Copies.as_view()),
    path("<uuid:list_id>/units/<str:node_id>/copies/", armylists.UnitCopies.as_view()),
    path("<uuid:list_id>/share-links/", share_links.ShareLinks.as_view()),
    path("<uuid:list_id>/share-links/<slug:token>/", share_links.OneShareLink.as_view()),
]

shared: list[URLPattern | URLResolver] = [
    path("<slug:token>/", share_links.SharedList.as_view()),
    path("<slug:token>/check/", share_links.SharedCheck.as_view()),
    path("<slug:token>/exports/", roster_files.SharedExports.as_view()),
    path("<slug:token>/exports/<slug:export_format>/", roster_files.SharedExport.as_view()),
    path("<slug:token>/file/", roster_files.SharedFile.as_view()),
    path("<slug:token>/code/", share_links.SharedCode.as_view()),
    path("<slug:token>/copies/", share_links.SharedCopies.as_view()),
]

runs: list[URLPattern | URLResolver] = [
    path("", simulations.Simulations.as_view(), name="simulations"),
    path("<uuid:run_id>/", simulations.Simulation.as_view(), name="simulation"),
    path("<uuid:run_id>/cancel/", simulations.Cancelling.as_view()),
    path("<uuid:run_id>/result/", simulations.Result.as_view()),
    path("<uuid:run_id>/pictures/", simulation_pictures.SimulationPictures.as_view()),
    path("<uuid:run_id>/events/", simulations.SimulationEvents.as_view()),
]

own_targets: list[URLPattern | URLResolver] = [
    path("", targets.Targets.as_view(), name="targets"),
    path("standard/<slug:system>/", targets.StandardTargets.as_view()),
    path("<uuid:target_id>/", targets.OneTarget.as_view()),
]

releases: list[URLPattern | URLResolver] = [
    path("", datafiles.Releases.as_view(), name="releases"),
    path("imports/<uuid:import_id>/", datafiles.OneImport.as_view()),
    path("imports/<uuid:import_id>/events/", datafiles.ImportEvents.as_view()),
    path("<uuid:release_id>/", datafiles.OneRelease.as_view()),
    path("sources/", data_sources.DataSources.as_view()),
    path("sources/<uuid:source_id>/", data_sources.OneSource.as_view()),
    path("sources/<uuid:source_id>/imports/", data_sources.SourceImports.as_view()),
    path("<uuid:release_id>/changes/", data_sources.Changes.as_view()),
    path("<uuid:release_id>/publish/", datafiles.Publication.as_view()),
]

happenings: list[URLPattern | URLResolver] = [
    path("", events.Events.as_view(), name="events"),
    path("packs/", events.Packs.as_view()),
    path("<uuid:event_id>/", events.OneEvent.as_view()),
    path("<uuid:event_id>/table/", events.EventTable.as_view()),
    path("<uuid:event_id>/archive/", events.Archive.as_view()),
    path("<uuid:event_id>/messages/", events.Messages.as_view()),
    path("<uuid:event_id>/pairings/", events.Pairings.as_view()),
    path("at/<slug:token>/", events.EventAt.as_view()),
    path("at/<slug:token>/commitments/", events.Commitments.as_view()),
    path("at/<slug:token>/submissions/", events.Submissions.as_view()),
    path("at/<slug:token>/submissions/<slug:secret>/", events.OwnSubmission.as_view()),
]

own_account: list[URLPattern | URLResolver] = [
    path("", account.Account.as_view(), name="account"),
    path("data/", account.AccountData.as_view()),
    path("tokens/", account.Tokens.as_view()),
    path("tokens/<uuid:token_id>/", account.OneToken.as_view()),
]

hooks: list[URLPattern | URLResolver] = [
    path("", webhooks.Webhooks.as_view(), name="webhooks"),
    path("<uuid:webhook_id>/", webhooks.OneWebhook.as_view()),
    path("<uuid:webhook_id>/secret/", webhooks.Secret.as_view()),
    path("<uuid:webhook_id>/test/", webhooks.Test.as_view()),
    path("<uuid:webhook_id>/deliveries/", webhooks.Deliveries.as_view()),
    path("<uuid:webhook_id>/deliveries/<uuid:delivery_id>/", webhooks.OneDelivery.as_view()),
    path("<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again/", webhooks.Again.as_view()),
]

version_1: list[URLPattern | URLResolver] = [
    path("", api_root.ApiRoot.as_view()),
    path("check/", checks.Check.as_view(), name="check"),
    path("checks/", bulk_checks.Checks.as_view(), name="checks"),
    path("systems/", include(systems)),
    path("lists/", include(lists)),
    path("shared/", include(shared)),
    path("simulations/", include(runs)),
    path("targets/", include(own_targets)),
    path("events/", include(happenings)),
    path("releases/", include(releases)),
    path("account/", include(own_account)),
    path("webhooks/", include(hooks)),
    path("verdicts/<str:code>/", verdicts.OneVerdict.as_view()),
    path("verdicts/<str:code>/code/", verdicts.VerdictCode.as_view()),
    path("verdict-keys/", verdicts.VerdictKeys.as_view(), name="verdict-keys"),
    path("problems/", problem_types.ProblemTypes.as_view(), name="problems"),
    path("problems/<slug:code>/", problem_types.OneProblemType.as_view()),
    path("schema/", schema.DescriptionView.as_view(), name="schema"),
    path("docs/", schema.DocumentationView.as_view(), name="docs"),
    path("reference/", schema.ReferenceView.as_view(), name="reference"),
]

urlpatterns = [
    path("v1/", include((version_1, "api"), namespace="api")),
    re_path(r"", api_root.Nowhere.as_view()),
]
