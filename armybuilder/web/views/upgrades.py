"""What does it buy: one option of a list against targets, asked from the builder or on a page of its own."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries as lists
from armybuilder.armylists import what_if
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.errors import BadDocument, GameError
from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.names import Names, names_for
from armybuilder.simulations import list_requests, queries, services, targets
from armybuilder.web.formatting import signed_points
from armybuilder.web.forms.upgrades import UpgradeForm, list_reference
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.pages.available_options import options_of
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

AT_A_COUNTER = (1, 5)
"""So many more are priced where an option is counted."""


@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The targets and conditions of one option; the answer is a run, in the dialog or on a page of its own."""
    viewer = viewer_of(request)
    army_list = lists.visible_army_list(list_id, viewer)
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    given = request.POST if request.method == "POST" else request.GET
    option = {"parent_id": given.get("node", ""), "entry_id": given.get("entry", "")}
    if option["parent_id"] and not option["entry_id"] and request.method == "GET":
        return _options(request, army_list, names, option["parent_id"])
    if not any(option.values()) and request.method == "GET" and not wants_fragment(request):
        return redirect("web:list", list_id)  # where the address alone was opened again, as after a form refused
    if not all(option.values()):
        raise NotFound("Nothing is asked about.")
    builds = what_if.builds_by_option(army_list, parent_id=option["parent_id"], entry_id=option["entry_id"])
    numbers = _numbers(army_list, option) if builds.is_counted else ()
    more = chosen if (chosen := given.get("more", "1" if numbers else "")) in {key for key, _label in numbers} else ""
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
            "option": option | ({"more": int(more)} if more else {}),
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
        "numbers": numbers,
        "more": more,
        "form": form,
        "refusal": refusal,
        "others": _others(viewer, army_list),
        "opponent": opponent,
        "here": urlencode({"node": option["parent_id"], "entry": option["entry_id"]}),
    }
    template = "matchups/_upgrade_new.html" if wants_fragment(request) else "matchups/upgrade_new.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _numbers(army_list: ArmyList, option: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """One more and five more of a counted option with what they cost, and all of them."""
    cost_type = points_type(library_of(army_list.release_id).cost_types) or ""
    found = []
    for number in AT_A_COUNTER:
        builds = what_if.builds_by_option(
            army_list, parent_id=option["parent_id"], entry_id=option["entry_id"], more=number
        )
        price = _points(builds.having, cost_type) - _points(builds.without, cost_type)
        words = _("%(n)s more: %(price)s pts") % {"n": number, "price": signed_points(price)}
        found.append((str(number), words))
    return (*found, ("", _("all of them against none")))


def _points(state: RosterState, cost_type: str) -> Decimal:
    return sum((force.total(cost_type) for force in state.all_forces()), Decimal(0))


def _options(request: HttpRequest, army_list: ArmyList, names: Names, node_id: str) -> HttpResponse:
    """Every option of a unit that can be measured."""
    report = check_army_list(army_list)
    node = report.state.node(node_id) if report.state is not None else None
    if not isinstance(node, SelectionState):
        raise NotFound("The list has no such unit.")
    measured: dict[str, str] = {}
    for item in options_of(report, names, node_id).all_controls:
        if item.kind != "fixed":
            measured.setdefault(item.name, item.place)
    context = {"army_list": army_list, "unit_name": names(node.name), "options": measured.items()}
    template = "matchups/_options.html" if wants_fragment(request) else "matchups/options.html"
    return render(request, template, context)


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
    rows = lists.army_lists_of_system(viewer, army_list.system_id)
    return [(str(row.pk), row.name) for row in rows]


def _asked_last(viewer: Viewer, system: str) -> Mapping[str, Any] | None:
    """The viewer's last question of this kind and game, to begin with the same targets."""
    run = queries.last_upgrade_of(viewer, system)
    asked: Mapping[str, Any] | None = json.loads(run.asked) if run is not None else None
    return asked
