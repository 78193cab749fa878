"""The administration of lists and runs: pages that open, actions that act, nothing to type into."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries, services
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.simulations import dispatch, runs, targets
from armybuilder.simulations import services as simulations
from armybuilder.simulations.models import Computation, RunState
from tests.armylists.conftest import Muster
from tests.simulations.test_upgrades import OGRE

LISTS = reverse("admin:armylists_armylist_changelist")
COMPUTATIONS = reverse("admin:simulations_computation_changelist")


def act(client: Client, address: str, action: str, *keys: object) -> None:
    answer = client.post(address, {"action": action, "_selected_action": [str(key) for key in keys]}, follow=True)
    assert answer.status_code == 200


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    handed: list[object] = []
    monkeypatch.setattr(dispatch, "send", handed.append)
    return handed


def test_lists_are_shown_with_a_way_into_the_builder(legal: Muster, as_administrator: Client) -> None:
    link = services.publish_share_link(legal.viewer, legal.list_id)
    page = as_administrator.get(LISTS, {"q": "First", "bin": "no", "verdict__exact": "legal"}).content.decode()
    assert f"/lists/{legal.list_id}/" in page
    assert "First draft" in page
    answer = as_administrator.get(reverse("admin:armylists_armylist_change", args=[legal.list_id]))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "Added Praetor" in page
    assert link.token not in page
    assert 'name="document"' not in page
    assert as_administrator.get(reverse("admin:armylists_sharelink_changelist")).status_code == 200


def test_the_page_of_lists_loads_no_documents(
    legal: Muster, as_administrator: Client, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(12) as captured:  # type: ignore[operator]
        as_administrator.get(LISTS)
    assert not any('"armylists_armylist"."document"' in query["sql"] for query in captured.captured_queries)


def test_links_are_revoked_and_lists_are_taken_out_of_the_bin(legal: Muster, as_administrator: Client) -> None:
    link = services.publish_share_link(legal.viewer, legal.list_id)
    act(as_administrator, LISTS, "revoke_links", legal.list_id)
    assert not ShareLink.objects.get().is_open
    with pytest.raises(NotFound):
        queries.shared_army_list(link.token)
    services.delete_army_list(legal.viewer, legal.list_id)
    act(as_administrator, LISTS, "take_out_of_the_bin", legal.list_id)
    assert ArmyList.objects.get().deleted is None


def test_nothing_can_be_typed_over(legal: Muster, as_administrator: Client) -> None:
    before = legal.row.document
    address = reverse("admin:armylists_armylist_change", args=[legal.list_id])
    assert as_administrator.post(address, {"name": "Mine", "document": "{}"}).status_code == 403
    assert (legal.row.document, legal.row.name) == (before, "First draft")


def test_runs_are_cancelled_and_computed_again(
    owner: User, as_administrator: Client, sent: list[object], django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        run = simulations.request_simulation(Viewer(user=owner), {"system": "relic", "kind": "dice_roll", "dice": 2})
    page = as_administrator.get(COMPUTATIONS).content.decode()
    assert run.computation.request_hash[:12] in page
    act(as_administrator, COMPUTATIONS, "cancel", run.computation_id)
    assert Computation.objects.get().state == RunState.CANCELLED
    sent.clear()
    act(as_administrator, COMPUTATIONS, "compute_again", run.computation_id)
    assert (Computation.objects.get().state, sent) == (RunState.QUEUED, [run.computation_id])
    assert runs.claim_sending() == []
    for address in (
        reverse("admin:simulations_computation_change", args=[run.computation_id]),
        reverse("admin:simulations_simulationrun_changelist"),
        reverse("admin:simulations_simulationrun_change", args=[run.pk]),
    ):
        assert as_administrator.get(address).status_code == 200


def test_saved_targets_are_read_and_not_changed(owner: User, as_administrator: Client) -> None:
    target = targets.save_target(
        Viewer(user=owner), system="horus-heresy", name="My ogre", points=Decimal(50), side=OGRE
    )
    assert "My ogre" in as_administrator.get(reverse("admin:simulations_savedtarget_changelist")).content.decode()
    address = reverse("admin:simulations_savedtarget_change", args=[target.pk])
    assert as_administrator.get(address).status_code == 200
    assert as_administrator.post(address, {"name": "Taken over"}).status_code == 403
    assert targets.saved_target(Viewer(user=owner), target.pk).name == "My ogre"


def test_players_have_no_administration(client: Client, stranger: User, legal: Muster) -> None:
    client.force_login(stranger)
    for address in (LISTS, COMPUTATIONS):
        assert client.get(address).status_code == 302
    client.post(LISTS, {"action": "revoke_links", "_selected_action": [str(legal.list_id)]})
    assert legal.row.deleted is None
