"""Simulations over the API: 202 and a Location to follow, waiting, results, cancelling, refusals, and who sees what."""

import json
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from api.simulation_results import MatchupResult, MatrixResult, PairResult
from armybuilder.accounts.models import User
from armybuilder.held_threads import HeldThreads
from armybuilder.simulations import dispatch, runs
from armybuilder.simulations.models import Computation, SimulationRun
from tests.api.conftest import Caller
from tests.simulations.conftest import quick, slow, worker  # noqa: F401 - a fixture

RUNS = "/api/v1/simulations/"
SQUAD = "hh-la-tactical-squad"

pytestmark = pytest.mark.django_db(transaction=True)

SHOOTING = {
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


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Nobody performs what is queued; what was handed over."""
    sent: list[object] = []
    monkeypatch.setattr(dispatch, "send", sent.append)
    return sent


def stored() -> tuple[int, int]:
    return SimulationRun.objects.count(), Computation.objects.count()


def test_asking_answers_202_and_the_location_leads_to_the_result(as_owner: Caller, worker: None) -> None:  # noqa: F811
    response = as_owner("POST", RUNS, quick() | {"name": "Three dice", "id": "mine"})
    body = response.json()
    assert (response.status_code, response.headers["Location"]) == (202, body["address"])
    assert (body["kind"], body["title"]) == ("matchup", "Three dice")
    deadline = time.monotonic() + 30
    while (body := as_owner("GET", response.headers["Location"]).json())["state"] != "done":
        assert body["result"] is None
        assert body["state"] in ("queued", "running")
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert (body["progress"], body["attempts"], body["error"]) == (1.0, 1, None)
    assert body["result"]["metrics"]["total"] == pytest.approx(12.6)
    assert as_owner("GET", f"{body['address']}result/").json() == body["result"]
    assert [row["id"] for row in as_owner("GET", RUNS).json()["results"]] == [body["id"]]


def test_waiting_answers_200_with_the_result(as_owner: Caller, worker: None) -> None:  # noqa: F811
    response = as_owner("POST", RUNS, quick() | {"id": "mine"}, Prefer="wait=15")
    assert (response.status_code, response.headers["Preference-Applied"]) == (200, "wait=15")
    body = response.json()
    assert (body["id"], body["system"], body["kind"], body["method"]) == ("mine", "relic", "dice_roll", "exact")
    assert response.headers["Location"].startswith(RUNS)
    again = as_owner("POST", RUNS, quick() | {"id": "another"}, Prefer="respond-async, wait=5").json()
    assert again == body | {"id": "another"}  # the same question, answered from what is stored
    assert Computation.objects.count() == 1


def test_a_result_has_the_shape_that_is_described(as_owner: Caller, worker: None) -> None:  # noqa: F811
    answer = as_owner("POST", RUNS, SHOOTING, Prefer="wait=15")
    assert answer.status_code == 200, answer.content
    result = msgspec.json.decode(answer.content, type=MatchupResult)
    assert set(answer.json()) <= set(MatchupResult.__struct_encode_fields__)
    assert result.metrics["hits"] == pytest.approx(20 * 4 / 6)
    assert sum(result.distributions["models_slain"].values()) == pytest.approx(1.0)


def test_what_is_not_ready_in_time_is_answered_202(as_owner: Caller, idle: list[object]) -> None:
    started = time.monotonic()
    response = as_owner("POST", RUNS, quick(), Prefer="wait=1")
    assert (response.status_code, response.json()["state"]) == (202, "queued")
    assert 0.9 < time.monotonic() - started < 5
    result = as_owner("GET", f"{response.headers['Location']}result/")
    assert (result.status_code, result.headers["Retry-After"]) == (202, "1")


def test_half_of_the_threads_may_wait_and_no_more(
    as_owner: Caller, idle: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = HeldThreads(1)
    assert taken.take()
    monkeypatch.setattr("api.simulations._WAITING", taken)
    started = time.monotonic()
    assert as_owner("POST", RUNS, quick(), Prefer="wait=15").status_code == 202
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("case", "document", "status", "at"),
    [
        ("no object", [], 400, None),
        ("an unknown system", {"system": "chess", "kind": "x"}, 400, "/system"),
        ("an unknown kind", {"system": "relic", "kind": "chess"}, 400, "/kind"),
        ("an unknown field", quick() | {"mood": 1}, 400, "/mood"),
        ("text for a number", quick() | {"dice": "three"}, 400, "/dice"),
        ("too many trials", slow(trials=10**9), 422, "/trials"),
        (
            "a thousand million models",
            {**SHOOTING, "defender": {"models": [{"name": "Horde", "count": 10**5, "profile": {"T": 4}}]}},
            422,
            "/defender/models/0/count",
        ),
        ("a list that is none", {"kind": "matrix", "attacker": {"list": "x"}, "defender": {}}, 400, "/attacker/list"),
        ("no list at all", {"kind": "matrix", "attacker": {}, "defender": {}}, 400, "/attacker"),
        ("a missing part", {"kind": "matrix", "attacker": {"list": str(uuid4())}}, 400, "/defender"),
    ],
)
def test_what_cannot_be_simulated_is_refused_and_nothing_is_stored(
    as_owner: Caller, idle: list[object], case: str, document: object, status: int, at: str | None
) -> None:
    response = as_owner("POST", RUNS, document)
    body = response.json()
    assert (response.status_code, body["error"]["at"]) == (status, at), case
    assert body["code"] == ("limit-exceeded" if status == 422 else "bad-document")
    assert (stored(), idle) == ((0, 0), [])


def test_a_strangers_list_is_not_found(as_stranger: Caller, idle: list[object], owner: User, request: Any) -> None:
    mine = request.getfixturevalue("stored")(owner)
    matrix = {"kind": "matrix", "attacker": {"list": str(mine.pk)}, "defender": {"list": str(mine.pk)}}
    response = as_stranger("POST", RUNS, matrix)
    assert (response.status_code, response.json()["code"], stored()) == (404, "not-found", (0, 0))


def test_a_run_is_seen_by_who_asked(
    as_owner: Caller, as_reader: Caller, as_stranger: Caller, as_nobody: Caller, idle: list[object]
) -> None:
    address = as_owner("POST", RUNS, quick()).headers["Location"]
    assert [caller("GET", address).status_code for caller in (as_owner, as_reader)] == [200, 200]
    for caller in (as_stranger, as_nobody):
        for method, part in (("GET", ""), ("GET", "result/"), ("POST", "cancel/"), ("DELETE", "")):
            response = caller(method, f"{address}{part}")
            assert (response.status_code, response.json()["code"]) == (404, "not-found"), (method, part)
    assert as_reader("POST", f"{address}cancel/").status_code == 403
    assert as_reader("DELETE", address).status_code == 403
    assert as_reader("POST", RUNS, quick(2)).status_code == 403
    assert as_owner("GET", address).json()["state"] == "queued"
    assert stored() == (1, 1)


def test_nobody_may_ask_and_follow_by_the_secret_address(as_nobody: Caller, as_stranger: Caller, worker: None) -> None:  # noqa: F811
    response = as_nobody("POST", RUNS, quick(), Prefer="wait=15")
    assert response.status_code == 200
    assert as_nobody("GET", response.headers["Location"]).json()["state"] == "done"
    assert as_nobody("GET", f"{RUNS}{uuid4()}/").status_code == 404
    assert as_nobody("GET", RUNS).status_code == 401


@pytest.mark.parametrize(("method", "part", "status"), [("POST", "cancel/", 200), ("DELETE", "", 204)])
def test_cancelling(as_owner: Caller, idle: list[object], method: str, part: str, status: int) -> None:
    address = as_owner("POST", RUNS, slow()).headers["Location"]
    assert as_owner(method, f"{address}{part}").status_code == status
    assert as_owner("GET", address).json()["state"] == "cancelled"
    response = as_owner("GET", f"{address}result/")
    assert (response.status_code, response.json()["code"]) == (409, "run-cancelled")
    assert as_owner(method, f"{address}{part}").status_code == status  # doing so twice changes nothing


def test_a_finished_run_is_removed(as_owner: Caller, idle: list[object]) -> None:
    address = as_owner("POST", RUNS, slow()).headers["Location"]
    as_owner("POST", f"{address}cancel/")
    assert as_owner("DELETE", address).status_code == 204
    assert as_owner("GET", address).status_code == 404
    assert as_owner("GET", RUNS).json()["count"] == 0


def test_a_failed_run_says_why(as_owner: Caller, idle: list[object]) -> None:
    address = as_owner("POST", RUNS, quick()).headers["Location"]
    chunk = runs.claim_chunk(str(Computation.objects.get().pk), worker=uuid4())
    assert chunk is not None
    runs.fail(chunk, reason="the dice fell off the table", code="bad-document")
    body = as_owner("GET", address).json()
    assert (body["state"], body["error"], body["result"]) == ("failed", "the dice fell off the table", None)
    response = as_owner("GET", f"{address}result/")
    assert (response.status_code, response.json()["code"]) == (409, "run-failed")


def test_too_many_questions_a_minute(as_owner: Caller, idle: list[object], settings: Any) -> None:
    rates = {"anon": "100/min", "user": "100/min", "simulate": "2/hour"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    assert [as_owner("POST", RUNS, quick(dice)).status_code for dice in (1, 2, 3)] == [202, 202, 429]
    assert as_owner("GET", RUNS).status_code == 200


@pytest.mark.shared
def test_example_cases_over_http(as_owner: Caller, worker: None, shared: Path) -> None:  # noqa: F811
    """The first exact cases of the contract give the contract's numbers; the command line is held to all of them."""
    lines = (
        (shared / "contracts" / "cases" / "simulate" / "horus-heresy.jsonl").read_text(encoding="utf-8").splitlines()
    )
    for line in lines[:6]:
        case = json.loads(line)
        response = as_owner("POST", RUNS, case["document"], Prefer="wait=20")
        assert response.status_code == 200, (case["id"], response.content)
        metrics = response.json()["metrics"]
        for name, (value, tolerance) in case["expect"].get("metrics", {}).items():
            assert metrics[name] == pytest.approx(value, abs=max(tolerance, 1e-9)), (case["id"], name)


def test_two_lists_against_each_other(as_owner: Caller, worker: None, request: Any) -> None:  # noqa: F811
    muster = request.getfixturevalue("muster")
    force = muster["document"]["roster"]["forces"][0]["id"]
    units = [{"edit": "add_unit", "force_id": force, "entry_id": entry} for entry in ("hh-la-praetor", SQUAD, SQUAD)]
    edited = as_owner("POST", f"{muster['address']}edits/", units, If_Match='"1"').json()["list"]
    ids = [unit["id"] for unit in edited["document"]["roster"]["forces"][0]["selections"]]
    link = as_owner("POST", f"{muster['address']}share-links/", {}).json()
    sides = {"attacker": {"list": muster["id"]}, "defender": {"share": link["url"]}}

    answer = as_owner("POST", RUNS, {"kind": "matrix", **sides}, Prefer="wait=20")
    assert answer.status_code == 200, answer.content
    matrix = msgspec.json.decode(answer.content, type=MatrixResult)
    assert set(answer.json()) <= set(MatrixResult.__struct_encode_fields__)
    assert [unit.id for unit in matrix.attacker.units] == [unit.id for unit in matrix.defender.units] == ids
    assert [len(row) for row in matrix.forth] == [len(row) for row in matrix.back] == [3, 3, 3]
    assert matrix.forth[1][1].models_slain > 0

    pair = {"kind": "pair", **sides, "attacker_unit": ids[1], "defender_unit": ids[2]}
    answer = as_owner("POST", RUNS, pair, Prefer="wait=20")
    assert answer.status_code == 200, answer.content
    result = msgspec.json.decode(answer.content, type=PairResult)
    shooting = msgspec.convert(result.forth["shooting"], MatchupResult)
    assert shooting.metrics["models_slain"] == pytest.approx(matrix.forth[1][2].models_slain)
    assert sum(shooting.distributions["models_slain"].values()) == pytest.approx(1.0)

    for wrong, at in ((pair | {"attacker_unit": "none"}, "/attacker_unit"), (pair | {"mood": 1}, "/mood")):
        response = as_owner("POST", RUNS, wrong)
        assert (response.status_code, response.json()["error"]["at"]) in ((400, at), (404, None)), at


def test_charts_are_fetched_by_their_addresses(
    as_owner: Caller,
    as_nobody: Caller,
    as_stranger: Caller,
    worker: None,  # noqa: F811
    muster: dict[str, Any],
) -> None:
    force = muster["document"]["roster"]["forces"][0]["id"]
    unit = {"edit": "add_unit", "force_id": force, "entry_id": SQUAD}
    assert as_owner("POST", f"{muster['address']}edits/", unit, If_Match="*").status_code == 200
    sides = {"attacker": {"list": muster["id"]}, "defender": {"list": muster["id"]}}
    matrix = {f"{way}-{one}" for way in ("forth", "back") for one in ("slain", "points", "return", "chance")}
    bars = {f"{way}-shooting{end}" for way in ("forth", "back") for end in ("", "-at-least")}
    for question, charts in (
        ({"kind": "matrix", **sides}, matrix),
        ({"kind": "pair", **sides}, bars),
        (SHOOTING, {"answer", "answer-at-least"}),
        (quick(), set()),
    ):
        made = as_owner("POST", RUNS, question, Prefer="wait=20")
        assert made.status_code == 200, made.content
        pictures = f"{made['Location']}pictures/"
        assert as_stranger("GET", pictures).status_code == 404
        rows = as_owner("GET", pictures, Accept_Language="ru").json()
        names = {row["name"] for row in rows}
        assert charts <= names if question.get("kind") == "pair" else charts == names
        for row in rows:
            svg, png = as_nobody("GET", row["svg"]), as_nobody("GET", row["png"])
            assert (svg.status_code, svg["Content-Type"]) == (200, "image/svg+xml"), row
            assert (png["Content-Type"], png.content[:4]) == ("image/png", b"\x89PNG"), row
            assert "/ru/" in row["svg"]


def test_before_it_is_done_a_simulation_has_no_charts(as_owner: Caller, idle: list[object]) -> None:
    made = as_owner("POST", RUNS, SHOOTING)
    assert as_owner("GET", f"{made['Location']}pictures/").json() == []
