"""Matchups: two lists against each other, worked out in the queue, read as a matrix and pair by pair."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries as lists
from armybuilder.armylists import services as services_of_lists
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.limits import BACKUP_BYTES
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import called, samples
from armybuilder.engine.errors import GameError
from armybuilder.engine.systems.game import GAMES, battle_rules_of, has_matchups, words_of
from armybuilder.reference import queries as reference
from armybuilder.reference.names import names_of
from armybuilder.simulations import list_requests, queries, services
from armybuilder.simulations.hero_requests import ASKED_OF
from armybuilder.simulations.models import RunKind, RunState, SimulationRun
from armybuilder.site_address import site_address
from armybuilder.web.formatting import localized
from armybuilder.web.forms.matchups import AgainForm, MatchupForm, missions_of_game
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.pages.battle_answers import battle_view
from armybuilder.web.pages.games import game_tiles
from armybuilder.web.pages.hero_answers import hero_answer, hero_title
from armybuilder.web.pages.matchup_answers import (
    DIRECTIONS,
    MEASURES,
    PairView,
    matrix_view,
    pair_view,
    part_of_document,
)
from armybuilder.web.pages.upgrade_answers import upgrade_view
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

NEWEST_RUNS = 30
OPPONENTS = gettext_lazy("Opponents")
"""The folder of lists that came as files of opponents."""
MATRIX_OF = "x-matrix"
"""In the question of a pair: the run of the matrix it was picked from."""


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The viewer's newest matchups."""
    runs = queries.runs_of(viewer_of(request))[:NEWEST_RUNS]
    return render(request, "matchups/index.html", {"runs": [(run, *_called(run)) for run in runs]})


@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Two lists and the conditions; the answer is a run with a page of its own."""
    viewer = viewer_of(request)
    games = [game for game in reference.games() if has_matchups(game.usual.rule_pack)]
    packs = [game.usual.rule_pack for game in games]
    system = _game(request, packs, lists.games_of(viewer))
    form = MatchupForm(
        lists.army_lists_of_game(viewer, system),
        system,
        request.POST if request.method == "POST" else None,
        request.FILES or None,
        initial=MatchupForm.initial_of(request.GET),
        samples=[sample for sample in samples() if sample.army_list.system.rule_pack == system],
    )
    if request.method == "POST" and form.is_valid():
        try:
            _read_files(request, form)
            run = services.request_simulation(storing_viewer(request), form.question())
        except GameError as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return redirect("web:matchup", run.id)
    context = {"form": form, "games": list(zip(packs, game_tiles(games), strict=True))}
    return render(request, "matchups/new.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def run(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Progress, refusal or answer; HTMX polls the fragment until the run is finished."""
    found = queries.visible_run(run_id, viewer_of(request))
    context = _page_of_run(request, found)
    template = "matchups/run.html"
    if wants_fragment(request) and (context["inside"] or not found.is_finished):
        template = "matchups/_run.html"
    response = render(request, template, context)
    if wants_fragment(request) and found.is_finished and not context["inside"]:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = request.path  # the finished page as a whole: its title and address are right then
    return response


@never_cache
@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """A finished run by its link: to be read, by anybody."""
    found = queries.shared_run(token)
    context: dict[str, Any] = {"run": found, "title": _called(found)[0], "read_only": True, "inside": False}
    response = render(request, "matchups/shared.html", context | _answer(request, found, queries.result_of(found)))
    response["X-Robots-Tag"] = "noindex"
    return response


@require_POST
def share(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Make the link of a finished run, or take it back."""
    if request.POST.get("do") == "revoke":
        services.unshare(viewer_of(request), run_id)
    else:
        services.share(viewer_of(request), run_id)
    return redirect(f"{reverse('web:matchup', args=[run_id])}#share-run")


@require_POST
def pairs(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """A pair picked from a matrix: on to its own page."""
    picked = request.POST.get("pair", "").split(" ")
    if len(picked) != 2:
        picked = [request.POST.get("attacker", ""), request.POST.get("defender", "")]
    if not all(picked):
        raise Http404
    return pair(request, run_id, *picked)


@never_cache
@require_http_methods(["GET", "POST"])
def pair(request: HttpRequest, run_id: UUID, attacker: str, defender: str) -> HttpResponse:
    """One unit of each list: a question of its own, asked by POST; its address alone only offers to ask it."""
    viewer = viewer_of(request)
    matrix = queries.visible_run(run_id, viewer)
    asked = json.loads(matrix.asked)
    if matrix.kind != RunKind.MATRIX:
        raise Http404
    if request.method == "GET":
        return render(request, "matchups/pair.html", {"run": matrix, "attacker": attacker, "defender": defender})
    question = {
        "kind": "pair",
        "attacker": asked["attacker"],
        "defender": asked["defender"],
        "attacker_unit": attacker,
        "defender_unit": defender,
        **({"system": asked["system"]} if "system" in asked else {}),
        "conditions": asked.get("conditions") or {},
        MATRIX_OF: str(run_id),
    }
    return redirect("web:matchup", services.request_simulation(storing_viewer(request), question).id)


@never_cache
@require_POST
def again(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The sides of a run asked another question: under other conditions, every pair, or whole battles."""
    found = queries.visible_run(run_id, viewer_of(request))
    asked = json.loads(found.asked)
    kind = request.POST.get("kind", "")
    if kind not in (RunKind.MATRIX, RunKind.PAIR, RunKind.BATTLE) or not asked.keys() >= {"attacker", "defender"}:
        raise Http404
    if kind == found.kind and "stated" in request.POST:
        form = _conditions_form(found, request.POST)
        if form is None or not form.is_valid():
            return render(request, "matchups/run.html", _page_of_run(request, found) | {"again": form}, status=422)
        question = form.question()
    elif kind == RunKind.PAIR:
        raise Http404
    else:
        question = {"kind": kind, "attacker": asked["attacker"], "defender": asked["defender"]}
        if kind == RunKind.BATTLE and (mission := request.POST.get("mission")):
            question["mission"] = mission
    return redirect("web:matchup", services.request_simulation(storing_viewer(request), question).id)


@require_POST
def cancel(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Give up a run."""
    services.cancel(viewer_of(request), run_id)
    return redirect("web:matchup", run_id)


def _page_of_run(request: HttpRequest, found: SimulationRun) -> dict[str, Any]:
    """What the page of a run shows to its player, finished or not."""
    viewer = viewer_of(request)
    context: dict[str, Any] = {
        "run": found,
        "title": _called(found)[0],
        "hero_list": _hero_list(found, viewer),
        "matrix_of": _matrix_of(found, viewer),
        "inside": "inside" in request.GET,  # a dialog keeps its place, so the answer comes as a fragment
    }
    result = queries.result_of(found)
    if result is None:
        context |= {"progress": queries.progress_of(found), "waiting": queries.is_waiting_for_queue(found)}
    else:
        context |= _answer(request, found, result) | {"again": _conditions_form(found)}
        if found.share_token:
            context["address"] = f"{site_address(request)}{reverse('web:matchup-shared', args=[found.share_token])}"
    return context


def _conditions_form(found: SimulationRun, data: QueryDict | None = None) -> AgainForm | None:
    """The conditions of a matrix or a pair, to be changed; None for any other run."""
    if found.kind not in (RunKind.MATRIX, RunKind.PAIR) or found.state != RunState.DONE:
        return None
    return AgainForm(json.loads(found.asked), str(queries.result_of(found)["system"]), data)


def _matrix_of(found: SimulationRun, viewer: Viewer) -> SimulationRun | None:
    """The matrix a pair was picked from, while its player has it."""
    run_id = json.loads(found.asked).get(MATRIX_OF)
    try:
        return queries.visible_run(UUID(run_id), viewer) if isinstance(run_id, str) else None
    except (NotFound, ValueError):
        return None


def _read_files(request: HttpRequest, form: MatchupForm) -> None:
    """Make lists of the viewer's of the files that a form holds. Raises GameError where one cannot be read."""
    for side, file in form.uploads():
        viewer = storing_viewer(request)
        made = import_file(viewer, file.read(BACKUP_BYTES + 1), file_name=file.name or "").army_list
        services_of_lists.file_army_list(viewer, made.pk, folder=str(OPPONENTS))
        form.from_files[side] = str(made.pk)


def _called(run: SimulationRun) -> tuple[str, str]:
    """The title of a run and what it asks, in the language of the page."""
    asked = json.loads(run.asked)
    what = str(RunKind(run.kind).label)
    if attack := asked.get("attack"):
        what = f"{what}: {localized(words_of(str(asked['system'])).attacks[attack].name).lower()}"
    if run.kind == RunKind.MATCHUP and asked.get(ASKED_OF) and "hero" in asked:
        return hero_title(asked, names_of(str(asked["system"]))), what
    if run.kind not in (RunKind.MATRIX, RunKind.BATTLE, RunKind.PAIR) or asked.get("name"):
        return run.title, what
    named = names_of(str(asked.get("system"))) if run.kind == RunKind.PAIR else called
    return "\u00a0– ".join(named(part) for part in run.title.split(" – ")), what


def _hero_list(run: SimulationRun, viewer: Viewer) -> ArmyList | None:
    """The hero a question was made of, while his player has him."""
    list_id = json.loads(run.asked).get(ASKED_OF)
    try:
        return lists.own_army_list(UUID(list_id), viewer) if isinstance(list_id, str) else None
    except (NotFound, ValueError):
        return None


def _between_lists(run: SimulationRun) -> bool:
    """Whether both sides of a run are lists, not single targets."""
    asked = json.loads(run.asked)
    return all(asked[side].keys() & {"list", "share"} for side in ("attacker", "defender"))


def _game(request: HttpRequest, known: list[str], mine: Iterable[str]) -> str:
    """The game a matchup is about: the one that is named, else that of the lists, of one's newest list, the first."""
    asked = request.POST or request.GET
    if (named := asked.get("game", "")) in known:
        return named
    for reference_ in MatchupForm.proposed_lists(asked):
        try:
            found = list_requests.game_of(viewer_of(request), msgspec.convert(reference_, list_requests.ListReference))
        except GameError:  # the form will say so
            continue
        if found in known:
            return found
    return next((game for game in mine if game in known), next(iter(known or filter(has_matchups, GAMES))))


def _answer(request: HttpRequest, found: SimulationRun, result: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of a finished run shows, by its kind."""
    names = names_of(str(result["system"]))
    if found.kind == RunKind.MATRIX:
        measure, way = request.GET.get("show", ""), request.GET.get("way", "")
        view = matrix_view(
            result,
            names,
            measure=measure if measure in MEASURES else "slain",
            way=way if way in DIRECTIONS else "forth",
        )
        return {
            "matrix": view,
            "one": view.row_of(request.GET.get("unit", "")),
            "is_one_chosen": "unit" in request.GET,
            "knows_battles": _between_lists(found) and battle_rules_of(str(result["system"])) is not None,
            "battle_course": localized(words_of(str(result["system"])).battle),
            "missions": missions_of_game(str(result["system"])),
        }
    if found.kind == RunKind.PAIR:
        pair: PairView = pair_view(result, names)
        return {"pair": pair, "title": f"{pair.attacker.name}\u00a0– {pair.defender.name}"}
    if found.kind == RunKind.BATTLE:
        missions = missions_of_game(str(result["system"])) if _between_lists(found) else []
        return {"battle": battle_view(result, names), "missions": missions}
    if found.kind == RunKind.UPGRADE:
        upgrade = upgrade_view(result, names)
        return {"upgrade": upgrade, "title": f"{upgrade.unit}: {upgrade.option}"}
    if hero := hero_answer(json.loads(found.asked), result, names):
        return {"hero": hero, "title": hero.title}
    return {"document": part_of_document("answer", found.title, result, names)}
