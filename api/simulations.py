"""Simulations over the API: asking answers 202 with a Location to follow; progress, result, cancelling."""

import re
from time import monotonic, sleep
from typing import Annotated, Any, Literal, cast
from uuid import UUID

import msgspec
from django.conf import settings
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from msgspec import Meta
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import known_viewer_of, viewer_of
from api.battle_results import BattleResult
from api.idempotency import IDEMPOTENCY_KEY, once
from api.pages import Collection, page_schema
from api.problems import RunCancelled, RunFailed
from api.progress_events import EVENTS, LAST_EVENT_ID, EventsRenderer, progress_events
from api.renderers import JSONRenderer, json_bytes
from api.schema import PUBLIC, Alternative, Moment, body, problem, ref, ref_any_of
from api.simulation_results import MatchupResult, MatrixResult, PairResult, UpgradeResult
from api.throttles import RequestThrottle, SimulationThrottle
from armybuilder.accounts.viewers import Viewer
from armybuilder.engine.systems.game import GAMES, has_matchups, matchup_rules_of
from armybuilder.held_threads import ALL, HeldThreads
from armybuilder.simulations import queries, services
from armybuilder.simulations.battles import BattleRequest
from armybuilder.simulations.list_requests import MatrixRequest, PairRequest, UpgradeRequest
from armybuilder.simulations.models import RunState, SimulationRun

LONGEST_WAIT = 20.0
"""Seconds a request may wait for its result, whatever it prefers: a waiting request keeps a thread of the server."""

_WAITING = HeldThreads(settings.WEB_THREADS // 2, within=ALL)
"""Half of a process's threads may wait at once; the others go on answering."""

POLL_FIRST, POLL_LAST = 0.005, 0.2
"""Seconds between two looks at a run, growing from the first to the last."""


State = Literal["queued", "running", "done", "failed", "cancelled"]


class RunOut(msgspec.Struct, frozen=True, kw_only=True):
    """Where a simulation stands.

    Attributes:
        address: where this is read again.
        progress: share of the work done, 0 to 1.
        waiting_for_queue: whether it is kept because no worker can be reached at the moment.
        attempts: how often a worker began a piece of it.
        error: why it failed.
        result: the answer once `state` is done; null before.
    """

    id: UUID
    address: str
    kind: str
    title: str
    state: State
    progress: Annotated[float, Meta(ge=0, le=1)]
    waiting_for_queue: bool
    attempts: int
    model_version: str
    seed: int
    created_at: Moment
    finished_at: Moment | None
    error: str | None
    result: Any

    @classmethod
    def of(cls, run: SimulationRun, *, with_result: bool = True) -> "RunOut":
        """A stored run; the result is passed on as it is stored."""
        done = run.state == RunState.DONE
        return cls(
            id=run.pk,
            address=_address(run),
            kind=run.kind,
            title=run.title,
            state=_state(run),
            progress=queries.progress_of(run),
            waiting_for_queue=queries.is_waiting_for_queue(run),
            attempts=queries.attempts_of(run),
            model_version=run.model_version,
            seed=run.seed,
            created_at=run.created,
            finished_at=run.computation.finished,
            error=run.error or None,
            result=_result(run) if done and with_result else None,
        )


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation one has asked for."""

    id: UUID
    address: str
    kind: str
    title: str
    state: State
    created_at: Moment

    @classmethod
    def of(cls, run: SimulationRun) -> "RunRow":
        """A stored run."""
        return cls(
            id=run.pk,
            address=_address(run),
            kind=run.kind,
            title=run.title,
            state=_state(run),
            created_at=run.created,
        )


LIST_REQUESTS: tuple[type[msgspec.Struct], ...] = (MatrixRequest, PairRequest, UpgradeRequest)
"""Questions about stored lists; their conditions are those of the game."""


def _requests() -> list[Alternative]:
    """What can be asked: two stored lists, or a matchup document of any kind of any game."""
    alternatives = [Alternative(BattleRequest, "lists")]
    for system, game in GAMES.items():
        if has_matchups(system):
            alternatives += [Alternative(_of_game(request, system), system) for request in LIST_REQUESTS]
        names: dict[type, list[str]] = {}
        for name, kind in game.simulations.items():
            names.setdefault(kind.request, []).append(name)
        alternatives += [
            Alternative(request, f"{system}.matchup", {"system": [system], "kind": kinds})
            for request, kinds in names.items()
        ]
    return alternatives


def _of_game(request: type[msgspec.Struct], system: str) -> type[msgspec.Struct]:
    """The request with the circumstances that a game knows, for the description."""
    field = matchup_rules_of(system)
    members: list[Any] = [("conditions", field.conditions, field.conditions())]
    if "system" in request.__struct_fields__:
        members.append(("system", Literal[system] | None, None))
    if "attack" in request.__struct_fields__:
        members.append(("attack", Literal[field.matrix] | None, None))
    return msgspec.defstruct(
        request.__name__, members, bases=(request,), namespace={"__doc__": request.__doc__}, frozen=True, kw_only=True
    )


PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: wait up to N seconds (20 at most) and answer 200 with the result if it is ready.",
)

RESULT = {"anyOf": [ref(MatchupResult), ref(MatrixResult), ref(PairResult), ref(UpgradeResult), ref(BattleResult)]}

LOCATION = OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[202], description="Where the run is.")


BOLTERS = {
    "system": "horus-heresy",
    "kind": "shooting",
    "attacker": {
        "models": [
            {
                "name": "Legionary",
                "count": 10,
                "profile": {"BS": 4},
                "weapons": [{"name": "Bolter", "range": 24, "S": 4, "AP": 5, "type": "Rapid Fire"}],
            }
        ]
    },
    "defender": {"models": [{"name": "Legionary", "count": 10, "profile": {"T": 4, "W": 1, "Sv": "3+"}}]},
    "conditions": {"distance": 12},
}


RUNS = Collection(RunRow, "created_at=created", "title", "kind=computation__kind")


class Simulations(APIView):
    """Questions to the simulator."""

    throttle_classes = (RequestThrottle, SimulationThrottle)

    @extend_schema(
        operation_id="list_simulations",
        tags=["simulations"],
        parameters=RUNS.parameters,
        responses={200: page_schema(ref(RunRow))},
    )
    def get(self, request: Request) -> Response:
        """The simulations you have asked for, newest first."""
        return RUNS.page(request, self, queries.runs_of(known_viewer_of(request)), RunRow.of)

    @extend_schema(
        operation_id="request_simulation",
        tags=["simulations"],
        parameters=[IDEMPOTENCY_KEY, PREFER, LOCATION],
        request=body(ref_any_of("SimulationRequest", _requests)),
        responses={200: RESULT, 202: ref(RunOut), **problem(404)},
        examples=[
            OpenApiExample("Ten bolters at ten marines", BOLTERS, request_only=True),
            OpenApiExample(
                "A whole battle",
                {
                    "kind": "battle",
                    "attacker": {"list": "adef6eaa-ef00-4b11-b05c-907ab11b58a4"},
                    "defender": {"share": "eCPeINccPCADuNiedfiSXQ"},
                    "trials": 10_000,
                },
                request_only=True,
            ),
            OpenApiExample(
                "What an option buys",
                {
                    "kind": "upgrade",
                    "army": {"list": "adef6eaa-ef00-4b11-b05c-907ab11b58a4"},
                    "unit": "5d1f0c9a7e22",
                    "option": {"parent_id": "9b1d77ab0c31", "entry_id": "sergeant-melee-weapon::power-fist"},
                    "targets": [{"standard": "horus-heresy/power-armour"}],
                },
                request_only=True,
            ),
            OpenApiExample(
                "Two lists",
                {
                    "kind": "matrix",
                    "attacker": {"list": "adef6eaa-ef00-4b11-b05c-907ab11b58a4"},
                    "defender": {"share": "eCPeINccPCADuNiedfiSXQ"},
                    "conditions": {"distance": 12},
                },
                request_only=True,
            ),
        ],
        auth=PUBLIC,
    )
    @once
    def post(self, request: Request) -> Response:
        """Ask for a simulation: a matchup document, two armies against each other, or what an option buys."""
        viewer = viewer_of(request)
        run = services.request_simulation(viewer, request.data)
        if seconds := _seconds_to_wait(request):
            run = _waited(run, viewer, seconds)
            if run.state == RunState.DONE:
                return Response(
                    _result(run), headers={"Location": _address(run), "Preference-Applied": f"wait={int(seconds)}"}
                )
        headers = {"Location": _address(run), "Retry-After": "1"}
        return Response(RunOut.of(run), status=status.HTTP_202_ACCEPTED, headers=headers)


class Simulation(APIView):
    """One simulation."""

    @extend_schema(operation_id="read_simulation", tags=["simulations"], responses={200: ref(RunOut)}, auth=PUBLIC)
    def get(self, request: Request, run_id: UUID) -> Response:
        """State, progress and, once done, the result."""
        return Response(RunOut.of(queries.visible_run(run_id, viewer_of(request))))

    @extend_schema(operation_id="delete_simulation", tags=["simulations"], responses={204: None}, auth=PUBLIC)
    def delete(self, request: Request, run_id: UUID) -> Response:
        """Remove a finished simulation; one that is not is given up, and the work stops when nobody else waits."""
        services.discard(viewer_of(request), run_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SimulationEvents(APIView):
    """Progress of a simulation."""

    renderer_classes = [EventsRenderer, JSONRenderer]

    @extend_schema(
        operation_id="follow_simulation",
        tags=["simulations"],
        parameters=[LAST_EVENT_ID],
        responses=EVENTS,
        auth=PUBLIC,
    )
    def get(self, request: Request, run_id: UUID) -> HttpResponseBase:
        """Follow a simulation as server-sent events: `progress` at every change, `end` with the result."""
        viewer = viewer_of(request)

        def look() -> tuple[RunOut, bool]:
            run = queries.visible_run(run_id, viewer)
            return RunOut.of(run), run.is_finished

        return progress_events(request, look)


class Cancelling(APIView):
    """Giving up a simulation."""

    @extend_schema(
        operation_id="cancel_simulation", tags=["simulations"], request=None, responses={200: ref(RunOut)}, auth=PUBLIC
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        """Give up a simulation; a finished one stays as it is."""
        return Response(RunOut.of(services.cancel(viewer_of(request), run_id)))


class Result(APIView):
    """The result alone."""

    @extend_schema(
        operation_id="read_simulation_result",
        tags=["simulations"],
        responses={200: RESULT, 202: ref(RunOut), **problem(409)},
        auth=PUBLIC,
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """The result as the simulator gave it; 202 with the state while there is none, 409 if there will be none."""
        run = queries.visible_run(run_id, viewer_of(request))
        match run.state:
            case RunState.DONE:
                return Response(_result(run))
            case RunState.FAILED:
                raise RunFailed(f"The simulation failed: {run.error}.")
            case RunState.CANCELLED:
                raise RunCancelled("The simulation was cancelled.")
            case _:
                return Response(RunOut.of(run), status=status.HTTP_202_ACCEPTED, headers={"Retry-After": "1"})


def _waited(run: SimulationRun, viewer: Viewer, seconds: float) -> SimulationRun:
    """The run when it is finished, or as it is when the time is up or too many wait already."""
    if run.is_finished or not _WAITING.take():
        return run
    try:
        until, pause = monotonic() + seconds, POLL_FIRST
        while not run.is_finished and monotonic() < until:
            sleep(min(pause, max(0.0, until - monotonic())))
            pause = min(POLL_LAST, pause * 1.5)
            run = queries.visible_run(run.pk, viewer)
        return run
    finally:
        _WAITING.give_back()


_WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*(\d{1,6})(?:$|[,;\s])", re.IGNORECASE)


def _seconds_to_wait(request: Request) -> float:
    """What `Prefer: wait=N` asks for, within bounds; 0 without it."""
    match = _WAIT.search(request.headers.get("Prefer", ""))
    return min(float(match.group(1)), LONGEST_WAIT) if match else 0.0


def _state(run: SimulationRun) -> State:
    return cast(State, run.state.value)


class _Asked(msgspec.Struct):
    """The part of a question that the answer repeats: it is not computed with, so equal questions share an answer."""

    id: str | None = None


def _result(run: SimulationRun) -> msgspec.Raw:
    """The result as it is stored, with the id of the document that asked for it."""
    result = run.computation.result.encode()
    asked = msgspec.json.decode(run.asked, type=_Asked)
    if asked.id is None:
        return msgspec.Raw(result)
    return msgspec.Raw(b'{"id":' + json_bytes(asked.id) + b"," + result[1:])


def _address(run: SimulationRun) -> str:
    return reverse("api:simulation", args=[run.pk])
