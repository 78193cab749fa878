"""Old answers are forgotten some at a time; what is young, waits or is shared with a younger run stays."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.simulations import dispatch, retention, services
from armybuilder.simulations.models import Chunk, Computation, SimulationRun
from armybuilder.simulations.tasks import perform_computation
from tests.simulations.conftest import quick

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def asked(user: User, dice: int, *, days: float, done: bool = True) -> SimulationRun:
    """A run of so many days ago."""
    run = services.request_simulation(Viewer(user=user), quick(dice))
    if done:
        perform_computation(str(run.computation_id))
    then = timezone.now() - timedelta(days=days)
    SimulationRun.objects.filter(pk=run.pk).update(created=then)
    Computation.objects.filter(pk=run.computation_id).update(created=then)
    return run


@pytest.fixture(autouse=True)
def kept(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SIMULATIONS_KEPT_DAYS = 30
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)


def test_old_runs_go_with_their_computation(owner: User) -> None:
    asked(owner, 3, days=31)
    young = asked(owner, 4, days=29)
    assert retention.forget_old() == 2
    assert list(SimulationRun.objects.all()) == [young]
    assert list(Computation.objects.all()) == [young.computation]
    assert Chunk.objects.count() == 1
    assert retention.forget_old() == 0


def test_an_answer_stays_while_somebody_has_it(owner: User, friend: User) -> None:
    asked(owner, 3, days=31)
    young = asked(friend, 3, days=1)
    Computation.objects.update(created=timezone.now() - timedelta(days=31))
    assert retention.forget_old() == 1
    assert list(SimulationRun.objects.all()) == [young]
    assert Computation.objects.count() == 1


def test_what_waits_stays(owner: User) -> None:
    asked(owner, 3, days=400, done=False)
    assert retention.forget_old() == 0
    assert SimulationRun.objects.count() == Computation.objects.count() == 1


def test_some_at_a_time(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for dice in range(1, 6):
        asked(owner, dice, days=40 + dice)
    left = []
    for _ in range(3):
        retention.forget_old()
        left.append(SimulationRun.objects.count())
    assert left == [3, 1, 0]


def test_nothing_is_forgotten_where_all_is_kept(owner: User, settings: Settings) -> None:
    settings.SIMULATIONS_KEPT_DAYS = 0
    asked(owner, 3, days=4_000)
    assert retention.forget_old() == 0


def test_a_process_looks_once_an_hour(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_next_look", 0.0)
    asked(owner, 3, days=31)
    assert retention.forget_now_and_then() == 2
    asked(owner, 4, days=31)
    assert retention.forget_now_and_then() == 0
