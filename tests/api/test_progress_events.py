"""Progress as server-sent events: every state once, the end with the result, and nothing for whoever has seen it."""

import itertools
import json
from typing import Any

import pytest
from django.utils import timezone

from api import progress_events
from armybuilder.accounts.models import User
from armybuilder.datafiles.models import DataImport
from armybuilder.simulations import dispatch
from armybuilder.simulations.models import Computation, RunState, SimulationRun
from tests.api.conftest import Caller, caller_of
from tests.simulations.conftest import quick


def told(body: bytes) -> list[tuple[str, str, Any]]:
    """Id, name and data of each event."""
    events = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in lines:
            events.append((lines["id"], lines["event"], json.loads(lines["data"])))
    return events


def stream(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.fixture
def run(as_owner: Caller, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a simulation that nobody works on."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    address: str = as_owner("POST", "/api/v1/simulations/", quick())["Location"]
    return address


def test_states_are_told_until_the_end(as_owner: Caller, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = {"state": RunState.DONE, "result": "{}", "finished": timezone.now()}
    steps = iter([{"state": RunState.RUNNING}, {}, done])

    def work(seconds: float) -> None:
        if change := next(steps):
            Computation.objects.update(**change)

    monkeypatch.setattr(progress_events, "sleep", work)
    answer = as_owner("GET", f"{run}events/", Accept="text/event-stream")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/event-stream")
    body = stream(answer)
    assert body.startswith(b"retry: 1000\n\n")
    events = told(body)
    assert [(name, data["state"]) for _, name, data in events] == [
        ("progress", "queued"),
        ("progress", "running"),
        ("end", "done"),
    ]
    assert events[-1][2]["result"] == {}
    seen = as_owner("GET", f"{run}events/", Last_Event_ID=events[-1][0])
    assert (seen.status_code, seen.content) == (204, b"")


def test_a_full_house_tells_the_state_and_lets_go(as_owner: Caller, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0
    while progress_events._places.take():
        taken += 1
    try:
        ((first, _, data),) = told(stream(as_owner("GET", f"{run}events/")))
        assert data["state"] == "queued"
        assert told(stream(as_owner("GET", f"{run}events/", Last_Event_ID=first))) == []
    finally:
        for _ in range(taken):
            progress_events._places.give_back()


def test_a_listener_who_leaves_gives_the_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = itertools.count()
    monkeypatch.setattr(progress_events, "sleep", lambda seconds: None)
    for _ in range(20):
        events = progress_events._events(lambda: (next(counter), False), "first", False, "")
        assert [name for part in itertools.islice(events, 4) for _, name, _ in told(part)] == ["progress"] * 3
        events.close()


def test_strangers_hear_nothing(as_stranger: Caller, as_nobody: Caller, run: str) -> None:
    for caller in (as_stranger, as_nobody):
        answer = caller("GET", f"{run}events/", Accept="text/event-stream")
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert SimulationRun.objects.count() == 1


def test_an_import_is_followed_by_whoever_looks_after_data(
    administrator: User, as_owner: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = DataImport.objects.create(origin="x.zip", publish=False)
    address = f"/api/v1/releases/imports/{row.pk}/events/"
    assert as_owner("GET", address).status_code == 403

    def work(seconds: float) -> None:
        DataImport.objects.update(state=DataImport.State.FAILED, problems=["torn"], finished_at=timezone.now())

    monkeypatch.setattr(progress_events, "sleep", work)
    events = told(stream(caller_of(administrator)("GET", address)))
    assert [(name, data["state"]) for _, name, data in events] == [("progress", "queued"), ("end", "failed")]
    assert events[-1][2]["problems"] == ["torn"]
