"""Whole battles of stored lists: the answer, its pieces, its limits, and nobody else's lists."""

import signal
from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import NotFound
from armybuilder.engine.combat.battles import play
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.simulations import battles, dispatch, queries, runs, services
from armybuilder.simulations.models import Chunk, Computation, RunState, SimulationRun
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import Muster, heresy, muster, viewer
from tests.simulations.conftest import kill, wait_for, wait_until, worker_process

__all__ = ["heresy", "muster", "viewer"]


@pytest.fixture
def armies(muster: Callable[..., Muster]) -> tuple[Muster, Muster]:
    mine, theirs = muster(name="Mine"), muster(name="Theirs")
    mine.units("hh-la-tactical-squad", "hh-la-predator-squadron", "hh-la-praetor", "hh-la-heavy-support-squad")
    theirs.units("hh-la-tactical-squad", "hh-la-tactical-squad", "hh-la-predator-squadron")
    return mine, theirs


def asked(mine: Muster, theirs: Muster, **facts: Any) -> dict[str, Any]:
    return {
        "kind": "battle",
        "attacker": {"list": str(mine.list_id)},
        "defender": {"list": str(theirs.list_id)},
        "trials": 2_000,
    } | facts


def answer(viewer: Viewer, request: dict[str, Any]) -> Any:
    """The result of a request, computed here and now."""
    run = services.request_simulation(viewer, request)
    if not run.is_finished:
        perform_computation(str(run.computation_id))
    run = queries.visible_run(run.pk, viewer)
    assert run.state == RunState.DONE, run.error
    return queries.result_of(run)


@pytest.mark.long
def test_the_answer_says_who_wins_what_is_left_and_who_killed_whom(
    armies: tuple[Muster, Muster], viewer: Viewer
) -> None:
    result = answer(viewer, asked(*armies))
    metrics, errors = result["metrics"], result["standard_errors"]
    assert (result["method"], result["trials"], result["seed"]) == ("montecarlo", 2_000, 0)
    assert metrics["p_win"] + metrics["p_draw"] + metrics["p_lose"] == pytest.approx(1)
    assert set(errors) == set(metrics)
    assert errors["p_win"] == pytest.approx((metrics["p_win"] * (1 - metrics["p_win"]) / 2_000) ** 0.5)
    assert [turn["turn"] for turn in result["turns"]] == list(range(7))
    for name in ("attacker", "defender"):
        side = result[name]
        start, end = result["turns"][0][name], result["turns"][-1][name]
        assert start["points_left"] == pytest.approx(side["points"])
        assert end["points_left"] == pytest.approx(metrics[f"{name}_points_left"], abs=1)
        assert sum(result["distributions"][f"{name}_points_left"].values()) == pytest.approx(1)
        enemy = "defender" if name == "attacker" else "attacker"
        killed = sum(kill["points"] for kill in result["kills"] if kill["side"] == enemy)
        assert killed == pytest.approx(start["points_left"] - end["points_left"], rel=0.01)
        lost = sum(sum(t[name][f"lost_by_{way}"] for way in ("shooting", "close_combat", "flight"))
                   for t in result["turns"][1:])  # fmt: skip
        assert lost == pytest.approx(start["points_left"] - end["points_left"])
    assert len(result["assumptions"]) == len(result["x-ru"]["assumptions"]) > 2
    assert {item["rule"] for item in result["approximated"]} >= {"movement", "casualties", "terrain"}
    assert "objectives" in result["not_simulated"]


@pytest.mark.long
def test_pieces_do_not_change_the_answer(
    armies: tuple[Muster, Muster], viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "BLOCK", 500)
    results = []
    for blocks in (1, 4):
        monkeypatch.setattr(battles, "BLOCKS_OF_A_CHUNK", blocks)
        results.append(answer(viewer, asked(*armies, trials=1_900, seed=3)))
        assert Computation.objects.latest("created").chunk_count == 4 // blocks
        Computation.objects.exclude(request_hash__startswith="asked").update(request_hash=f"asked before {blocks}")
    assert results[0] == results[1]


@pytest.mark.both_databases
def test_the_same_question_is_fought_once(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    first = answer(viewer, asked(*armies))
    assert answer(viewer, asked(*armies)) == first
    assert answer(viewer, asked(*armies, seed=1))["metrics"] != first["metrics"]
    assert Computation.objects.count() == 2


@pytest.mark.parametrize(
    ("facts", "error", "at"),
    [
        ({"trials": battles.MOST_TRIALS + 1}, LimitExceeded, "/trials"),
        ({"trials": 0}, BadDocument, "/trials"),
        ({"seed": -1}, BadDocument, "/seed"),
        ({"conditions": {}}, BadDocument, ""),
    ],
)
def test_what_is_too_much_is_refused_and_not_stored(
    armies: tuple[Muster, Muster], viewer: Viewer, facts: dict[str, Any], error: type[Exception], at: str
) -> None:
    with pytest.raises(error) as refusal:
        services.request_simulation(viewer, asked(*armies, **facts))
    assert at in str(getattr(refusal.value, "at", ""))
    assert not SimulationRun.objects.exists()


def test_too_many_models_are_refused(
    armies: tuple[Muster, Muster], viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(battles, "MOST_MODELS", 10)
    with pytest.raises(LimitExceeded, match="models of one army"):
        services.request_simulation(viewer, asked(*armies))
    assert not SimulationRun.objects.exists()


def test_nobody_fights_with_a_strangers_list(armies: tuple[Muster, Muster], stranger: User) -> None:
    with pytest.raises(NotFound):
        services.request_simulation(Viewer(user=stranger), asked(*armies))
    assert not SimulationRun.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
@pytest.mark.long
def test_a_battle_left_by_a_dead_process_is_finished_by_another(
    armies: tuple[Muster, Muster], viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL to a real worker process in the middle of a battle: one result, and every battle is counted once."""
    monkeypatch.setattr(dispatch, "send", runs.unsent)  # only the processes work
    trials = 3 * play.BLOCK * battles.BLOCKS_OF_A_CHUNK
    run = services.request_simulation(viewer, asked(*armies, trials=trials, seed=11))
    chunks = Chunk.objects.filter(computation=run.computation_id)
    assert chunks.count() == 3
    with worker_process() as first:
        wait_until(lambda: chunks.filter(state=RunState.RUNNING).exists())
        kill(first, signal.SIGKILL)
        first.wait(10)
    held = chunks.filter(state=RunState.RUNNING).values_list("index", flat=True)
    assert list(held), "a chunk was in its hands"
    with worker_process():
        wait_for(run.computation)
    assert Computation.objects.count() == 1
    assert max(chunks.values_list("attempts", flat=True)) == 2
    result = queries.result_of(queries.visible_run(run.pk, viewer))
    assert result["trials"] == trials
    assert sum(result["metrics"][name] for name in ("p_win", "p_draw", "p_lose")) == pytest.approx(1)
    assert result["turns"][0]["attacker"]["points_left"] == pytest.approx(result["attacker"]["points"])


@pytest.mark.long
def test_another_mission_has_another_winner(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    usual, feud, lies = (
        answer(viewer, asked(*armies, **given)) for given in ({}, {"mission": "blood_feud"}, {"mission": "war_of_lies"})
    )
    assert "mission" not in usual
    assert feud["metrics"] == usual["metrics"]
    assert (lies["mission"], lies["x-ru"]["mission"]) == ("War of Lies", "Война лжи")
    assert lies["victory"] != usual["victory"]
    assert lies["metrics"]["attacker_victory_points"] != usual["metrics"]["attacker_victory_points"]
    assert "objectives" not in lies["not_simulated"]
    with pytest.raises(BadDocument) as refused:
        services.request_simulation(viewer, asked(*armies, mission="tea party"))
    assert refused.value.at == "/mission"
