"""What does it buy: one option of a list against targets, asked from the builder or on a page of its own."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries as lists
from armybuilder.armylists import what_if
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.errors import BadDocument, GameError
from armybuilder.reference.names import Names
from armybuilder.simulations import list_requests, queries, services, targets
from armybuilder.simulations.models import RunKind
from armybuilder.web.forms.upgrades import UpgradeForm, list_reference
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of


@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The targets and circumstances of one option; the answer is a run, in the dialog or on a page of its own."""
    viewer = viewer_of(request)
    army_list = lists.visible_army_list(list_id, viewer)
    names = Names(russian_names(army_list.release_id))
    given = request.POST if request.method == "POST" else request.GET
    option = {"parent_id": given.get("node", ""), "entry_id": given.get("entry", "")}
    if not all(option.values()):
        raise NotFound("Nothing is asked about.")
    builds = what_if.builds_by_option(army_list, **option)
    opponent, units, refusal = _opponent(viewer, given.get("opponent", "").strip(), names)
    system = army_list.system.rule_pack
    form = UpgradeForm(
        system,
        targets.saved_targets_of(viewer, system=system),
        units,
        request.POST if request.method == "POST" else None,
        initial=UpgradeForm.initial_of(_asked_last(viewer, system), system) | {"opponent": opponent},
    )
    if request.method == "POST" and form.is_valid():
        question = {
            "kind": "upgrade",
            "army": {"list": str(army_list.pk)},
            "option": option,
            "targets": form.targets(),
            "conditions": form.conditions(),
        }
        try:
            run = services.request_simulation(storing_viewer(request), question)
        except GameError as error:
            form.add_error(None, refusal_text(error))
        else:
            inside = "?inside=1" if wants_fragment(request) else ""
            response = redirect("web:matchup", run.id)
            response["Location"] += inside
            return response
    context = {
        "army_list": army_list,
        "option": option,
        "option_name": names(builds.name.en),
        "is_taken": builds.is_taken,
        "form": form,
        "refusal": refusal,
        "others": _others(viewer, army_list),
        "opponent": opponent,
        "here": urlencode({"node": option["parent_id"], "entry": option["entry_id"]}),
    }
    template = "matchups/_upgrade_new.html" if wants_fragment(request) else "matchups/upgrade_new.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _opponent(viewer: Viewer, text: str, names: Names) -> tuple[str, list[tuple[str, str]], str]:
    """The list that was named with ids and names of its units, or why there is none."""
    if not text:
        return "", [], ""
    try:
        reference = msgspec.convert(list_reference(text), list_requests.ListReference)
        army = list_requests.army_of(viewer, reference, at="/opponent")
    except (GameError, msgspec.ValidationError) as refusal:
        error = refusal if isinstance(refusal, GameError) else BadDocument("This is no address of a shared list.")
        return "", [], refusal_text(error)
    return text, [(fighter.unit, names(fighter.name)) for fighter in army.fighters], ""


def _others(viewer: Viewer, army_list: ArmyList) -> list[tuple[str, str]]:
    """The viewer's lists of the same game."""
    rows = lists.army_lists_of(viewer).filter(system=army_list.system_id)
    return [(str(row.pk), row.name) for row in rows]


def _asked_last(viewer: Viewer, system: str) -> Mapping[str, Any] | None:
    """The viewer's last question of this kind and game, to begin with the same targets."""
    runs = queries.runs_of(viewer).filter(computation__kind=RunKind.UPGRADE)
    run = runs.filter(computation__request__contains=f'"system":"{system}"').first()
    asked: Mapping[str, Any] | None = json.loads(run.asked) if run is not None else None
    return asked
