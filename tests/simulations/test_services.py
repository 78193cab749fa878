"""Asking, following and giving up simulations: by whoever asks, never by a stranger, and computed once."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from pytest_django import Settings

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import ANYBODY, Viewer, new_guest_key
from armybuilder.armylists.errors import NotFound
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.simulations import dispatch, queries, runs, services
from armybuilder.simulations.models import Chunk, Computation, RunState, SimulationRun
from tests.simulations.conftest import quick, slow

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was handed to the queue, which performs nothing here."""
    handed: list[object] = []
    monkeypatch.setattr(dispatch, "send", handed.append)
    return handed


@pytest.fixture
def viewer(owner: User) -> Viewer:
    return Viewer(user=owner)


def test_a_request_is_queued_and_sent_after_its_commit(viewer: Viewer, sent: list[object]) -> None:
    run = services.request_simulation(viewer, quick() | {"name": "Three dice"})
    assert sent == [run.computation_id]
    assert (run.title, run.state, run.kind, queries.progress_of(run)) == ("Three dice", RunState.QUEUED, "matchup", 0.0)
    assert run.computation.chunks.count() == 1


def test_ten_million_trials_are_shared_in_pieces(viewer: Viewer, sent: list[object]) -> None:
    run = services.request_simulation(viewer, slow(trials=10_000_000))
    assert run.computation.chunks.count() == 40
    with pytest.raises(LimitExceeded, match="10000001 trials"):
        services.request_simulation(viewer, slow(trials=10_000_001))


@pytest.mark.parametrize(
    ("case", "request_", "at"),
    [
        ("no object", [], None),
        ("unknown system", {"system": "chess", "kind": "dice_roll"}, "/system"),
        ("unknown kind", {"system": "relic", "kind": "chess"}, "/kind"),
        ("text for a number", {"system": "relic", "kind": "dice_roll", "dice": "three"}, "/dice"),
        ("unknown field", quick() | {"mood": 1}, "/mood"),
        ("too many trials", slow(trials=10**9), "/trials"),
        ("too many dice", quick(10**5), "/dice"),
    ],
)
def test_what_cannot_be_computed_is_refused_at_once(
    case: str, request_: object, at: str | None, viewer: Viewer, sent: list[object]
) -> None:
    with pytest.raises(BadDocument) as refused:
        services.request_simulation(viewer, request_)
    assert refused.value.at == at, case
    assert isinstance(refused.value, LimitExceeded) == ("too many" in case)
    assert (SimulationRun.objects.count(), Computation.objects.count(), sent) == (0, 0, [])


def test_the_same_question_is_computed_once(viewer: Viewer, friend: User, sent: list[object]) -> None:
    first = services.request_simulation(viewer, quick())
    other = services.request_simulation(Viewer(user=friend), quick() | {"id": "x", "name": "y", "x-mine": 1})
    assert first.pk != other.pk
    assert first.computation_id == other.computation_id
    assert sent == [first.computation_id]
    assert services.request_simulation(viewer, quick(4)).computation_id != first.computation_id
    assert Chunk.objects.count() == 2


def test_two_who_ask_the_same_at_the_same_moment_share_the_work(
    viewer: Viewer, friend: User, sent: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = services.request_simulation(viewer, quick())
    monkeypatch.setattr(services._ASKED_BEFORE, "one", lambda *values: None)  # the other's row came just after the look
    other = services.request_simulation(Viewer(user=friend), quick())
    assert other.computation_id == first.computation_id
    assert (Computation.objects.count(), Chunk.objects.count(), sent) == (1, 1, [first.computation_id])


def test_an_answered_question_is_answered_at_once(viewer: Viewer, friend: User, sent: list[object]) -> None:
    first = services.request_simulation(viewer, quick())
    Computation.objects.filter(pk=first.computation_id).update(state=RunState.DONE, result='{"metrics":{"total":1}}')
    sent.clear()
    again = services.request_simulation(Viewer(user=friend), quick())
    assert (again.state, queries.result_of(again), sent) == (RunState.DONE, {"metrics": {"total": 1}}, [])
    with_id = services.request_simulation(viewer, quick() | {"id": "seven"})
    assert queries.result_of(with_id) == {"id": "seven", "metrics": {"total": 1}}


def test_a_failed_question_is_tried_again(viewer: Viewer, sent: list[object]) -> None:
    first = services.request_simulation(viewer, quick())
    chunk = runs.claim_chunk(first.computation_id, worker=uuid4())
    assert chunk is not None
    runs.fail(chunk, reason="once")
    sent.clear()
    again = services.request_simulation(viewer, quick())
    assert (again.computation_id, again.state, sent) == (first.computation_id, RunState.QUEUED, [first.computation_id])


def test_work_stops_when_nobody_waits_for_it(viewer: Viewer, friend: User, sent: list[object]) -> None:
    mine = services.request_simulation(viewer, quick())
    his = services.request_simulation(Viewer(user=friend), quick())
    assert services.cancel(viewer, mine.pk).state == RunState.CANCELLED
    assert queries.visible_run(his.pk, Viewer(user=friend)).state == RunState.QUEUED
    assert services.cancel(Viewer(user=friend), his.pk).state == RunState.CANCELLED
    assert Computation.objects.get().state == RunState.CANCELLED
    sent.clear()
    assert services.request_simulation(viewer, quick()).state == RunState.QUEUED
    assert sent == [mine.computation_id]


def test_a_finished_run_cannot_be_given_up(viewer: Viewer, sent: list[object]) -> None:
    run = services.request_simulation(viewer, quick())
    Computation.objects.update(state=RunState.DONE, result="{}")
    assert services.cancel(viewer, run.pk).state == RunState.DONE


def test_a_stranger_sees_and_stops_nothing(viewer: Viewer, stranger: User, guest: Viewer, sent: list[object]) -> None:
    run = services.request_simulation(viewer, quick())
    for other in (Viewer(user=stranger), guest, ANYBODY):
        with pytest.raises(NotFound):
            queries.visible_run(run.pk, other)
        with pytest.raises(NotFound):
            services.cancel(other, run.pk)
        assert not queries.runs_of(other).exists()
    assert Computation.objects.get().state == RunState.QUEUED
    assert SimulationRun.objects.get().cancelled is None


def test_an_administrator_sees_every_run(viewer: Viewer, administrator: User, sent: list[object]) -> None:
    run = services.request_simulation(viewer, quick())
    assert queries.visible_run(run.pk, Viewer(user=administrator)) == run


def test_staff_see_and_cancel_runs_of_others_only_with_the_permission(
    viewer: Viewer, stranger: User, sent: list[object]
) -> None:
    run = services.request_simulation(viewer, quick())
    stranger.is_staff = True
    stranger.save()
    with pytest.raises(NotFound):
        queries.visible_run(run.pk, Viewer(user=stranger))
    stranger.user_permissions.add(Permission.objects.get(codename="view_simulationrun"))
    reader = Viewer(user=User.objects.get(pk=stranger.pk))
    assert queries.visible_run(run.pk, reader) == run
    with pytest.raises(NotFound):
        services.cancel(reader, run.pk)
    assert SimulationRun.objects.get().cancelled is None
    stranger.user_permissions.add(Permission.objects.get(codename="change_simulationrun"))
    assert services.cancel(Viewer(user=User.objects.get(pk=stranger.pk)), run.pk).state == RunState.CANCELLED


def test_a_run_of_nobody_is_seen_by_whoever_has_its_address(stranger: User, sent: list[object]) -> None:
    run = services.request_simulation(ANYBODY, quick())
    assert queries.visible_run(run.pk, Viewer(user=stranger)) == run
    assert queries.visible_run(run.pk, ANYBODY) == run


def test_a_guest_takes_his_runs_along(guest: Viewer, owner: User, sent: list[object]) -> None:
    run = services.request_simulation(guest, quick())
    services.request_simulation(Viewer(guest_key=new_guest_key()), quick())
    assert guest.guest_key is not None
    assert services.claim_guest_runs(owner, guest.guest_key) == 1
    assert list(queries.runs_of(Viewer(user=owner))) == [run]
    with pytest.raises(NotFound):
        queries.visible_run(run.pk, guest)


def test_unfinished_runs_are_limited(viewer: Viewer, friend: User, sent: list[object], settings: Settings) -> None:
    settings.SIMULATIONS_AT_ONCE = 2
    first = services.request_simulation(viewer, quick(1))
    services.request_simulation(viewer, quick(2))
    with pytest.raises(LimitExceeded, match="2 of your simulations"):
        services.request_simulation(viewer, quick(3))
    assert SimulationRun.objects.count() == 2
    assert Computation.objects.count() == 2
    services.request_simulation(Viewer(user=friend), quick(3))
    services.cancel(viewer, first.pk)
    services.request_simulation(viewer, quick(3))


def test_those_without_an_account_share_a_limit(
    guest: Viewer, viewer: Viewer, sent: list[object], settings: Settings
) -> None:
    settings.GUEST_SIMULATIONS_AT_ONCE = 2
    services.request_simulation(guest, quick(1))
    services.request_simulation(ANYBODY, quick(2))
    for other in (ANYBODY, guest, Viewer(guest_key=new_guest_key())):
        with pytest.raises(LimitExceeded, match="sign in"):
            services.request_simulation(other, quick(3))
    assert SimulationRun.objects.count() == 2
    services.request_simulation(viewer, quick(3))


def test_an_address_has_places_of_its_own(guest: Viewer, sent: list[object], settings: Settings) -> None:
    settings.SIMULATIONS_AT_ONCE = 2
    for number, address in enumerate(("2001:db8::1", "2001:db8::2")):
        services.request_simulation(Viewer(guest_key=new_guest_key(), address=address), quick(number + 1))
    with pytest.raises(LimitExceeded, match="2 of your simulations"):
        services.request_simulation(Viewer(guest_key=new_guest_key(), address="2001:db8::3"), quick(3))
    services.request_simulation(Viewer(guest_key=new_guest_key(), address="2001:db8:0:1::3"), quick(3))
    stored = SimulationRun.objects.values_list("asked_from", flat=True)
    assert len(set(stored)) == 2
    assert not any("2001" in mark for mark in stored), "the address itself is not kept"


def test_a_page_of_runs_costs_one_query(viewer: Viewer, sent: list[object], django_assert_num_queries: object) -> None:
    for dice in range(1, 6):
        services.request_simulation(viewer, quick(dice))
    with django_assert_num_queries(1):  # type: ignore[operator]
        rows = [(run.title, run.kind, run.state, run.created) for run in queries.runs_of(viewer)]
    assert len(rows) == 5
