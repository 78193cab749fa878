"""Webhooks: what happens is told once, signed, to public addresses, again and again until it has arrived."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from armybuilder import outbound
from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services as lists
from armybuilder.armylists.edits import SetName
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.events.models import Event
from armybuilder.events.packs import EventPack
from armybuilder.events.services import create_event, submit
from armybuilder.simulations.list_requests import ListReference
from armybuilder.simulations.models import Computation, RunState, SimulationRun
from armybuilder.simulations.services import request_simulation
from armybuilder.webhooks import collecting, delivering, queries, services
from armybuilder.webhooks.errors import WebhookRefused
from armybuilder.webhooks.models import Delivery, DeliveryState, Happening, Pause, Webhook
from armybuilder.webhooks.services import WithSecret
from tests.armylists.conftest import Muster
from tests.receivers import Receiver
from tests.simulations.conftest import quick

pytestmark = pytest.mark.django_db


@pytest.fixture
def hook(owner: User, built: Muster, receiver: Receiver) -> WithSecret:
    """A hook of the owner's, told of everything, after the owner's list was built."""
    made = services.create_webhook(Viewer(user=owner), url=receiver.url, happenings=Happening.values)
    Delivery.objects.all().delete()
    return made


def told(hook: WithSecret) -> dict[str, dict[str, Any]]:
    """What was collected, by kind."""
    collecting.collect()
    return {row.happening: json.loads(row.body) for row in queries.deliveries_of(hook.webhook)}


def deliver_all() -> None:
    for pk, _ in delivering.due():
        delivering.deliver(pk)


def later(seconds: float) -> None:
    """As if so much time had passed for what waits."""
    for row in Delivery.objects.all():
        Delivery.objects.filter(pk=row.pk).update(due=row.due - timedelta(seconds=seconds))


def test_what_happened_is_told_in_its_order(hook: WithSecret, built: Muster, receiver: Receiver) -> None:
    """Of five edits in a moment the first came last: who keeps what he heard last kept an old state."""
    for _ in range(5):
        built.units("hh-la-tactical-squad")
    collecting.collect()
    deliver_all()
    messages = [json.loads(body) for _, _, body in receiver.taken]
    revisions = [one["data"]["revision"] for one in messages if one["type"] == "list.changed"]
    assert revisions == sorted(revisions) and len(revisions) == 5


def test_an_edit_is_told_once_and_signed(hook: WithSecret, built: Muster, owner: User, receiver: Receiver) -> None:
    lists.apply_edit(Viewer(user=owner), built.row.pk, SetName(name="Autumn"), expected_revision=built.row.revision)
    assert collecting.collect() == 1
    assert collecting.collect() == 0, "told once, though the same minute is looked at again"
    deliver_all()
    ((path, headers, body),) = receiver.taken
    message = json.loads(body)
    assert (path, message["type"], message["data"]["name"]) == ("/hook", "list.changed", "Autumn")
    assert message["data"]["list"] == str(built.row.pk)
    signed = b".".join((headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body))
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.status, row.said) == ("delivered", 1, 200, "thank you")


def test_everything_that_happens_is_told(
    hook: WithSecret, built: Muster, owner: User, friend: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Viewer(user=owner)
    link = lists.publish_share_link(mine, built.row.pk)
    event = create_event(mine, system_id=built.row.system_id, name="Cup", pack=EventPack())
    submit(Viewer(user=friend), event.token, ListReference(share=link.token), player="Mara", fields={})
    Event.objects.update(deadline=timezone.now())
    run = request_simulation(mine, quick())
    Computation.objects.filter(pk=run.computation_id).update(state=RunState.DONE, result="{}", finished=timezone.now())
    release = DataRelease.objects.create(system=built.row.system, number=77, content_hash="7" * 64, name="Next")
    PublishedSystem.objects.update(current_release=release)
    found = told(hook)
    assert set(found) == {"list.shared", "submission.received", "event.locked", "run.finished", "release.published"}
    assert found["list.shared"]["data"]["share"] == link.token
    assert found["submission.received"]["data"]["player"] == "Mara"
    assert found["event.locked"]["data"]["submissions"] == 1
    assert found["run.finished"]["data"]["state"] == "done"
    assert found["release.published"]["data"]["number"] == 77
    assert collecting.collect() == 0
    assert SimulationRun.objects.count() == 1


def judged(built: Muster, number: int, verdict: str) -> None:
    """As if an edit had come to that verdict."""
    last = built.row.revisions.order_by("-number")[0]
    last.pk, last.number, last.verdict, last.created = None, number, verdict, timezone.now()
    last.save(force_insert=True)
    ArmyList.objects.filter(pk=built.row.pk).update(revision=number, verdict=verdict, updated=timezone.now())


def test_a_list_that_becomes_illegal_is_told_when_it_does(hook: WithSecret, built: Muster) -> None:
    assert built.row.revisions.order_by("-number")[0].verdict == built.row.verdict
    assert "list.illegal" not in told(hook), "how it was at the beginning is no news"
    first = built.row.revision + 1
    judged(built, first, "legal")
    assert "list.illegal" not in told(hook)
    judged(built, first + 1, "illegal")
    data = told(hook)["list.illegal"]["data"]
    assert (data["revision"], data["verdict"]) == (first + 1, "illegal")
    judged(built, first + 2, "illegal")
    assert collecting.collect() == 1, "the edit alone"


def test_a_list_that_was_illegal_for_a_moment_was_illegal(hook: WithSecret, built: Muster) -> None:
    first = built.row.revision + 1
    for number, verdict in enumerate(("legal", "illegal", "legal", "illegal", "legal"), start=first):
        judged(built, number, verdict)
    collecting.collect()
    rows = queries.deliveries_of(hook.webhook).filter(happening="list.illegal")
    assert sorted(json.loads(row.body)["data"]["revision"] for row in rows) == [first + 1, first + 3]


def test_what_happens_to_others_and_what_is_not_wanted_is_not_told(
    hook: WithSecret, built: Muster, owner: User, stranger: User, receiver: Receiver
) -> None:
    theirs = services.create_webhook(Viewer(user=stranger), url=receiver.url, happenings=Happening.values)
    services.change_webhook(
        Viewer(user=owner), hook.webhook.pk, url=receiver.url, happenings=["run.finished"], is_paused=False
    )
    lists.publish_share_link(Viewer(user=owner), built.row.pk)
    assert told(hook) == told(theirs) == {}


def test_it_is_tried_again_with_growing_pauses_and_given_up(hook: WithSecret, receiver: Receiver, owner: User) -> None:
    receiver.status = 503
    services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    pauses = []
    for _ in range(len(delivering.PAUSES)):
        deliver_all()
        row = Delivery.objects.get()
        pauses.append(round((row.due - timezone.now()).total_seconds()))
        deliver_all()
        assert Delivery.objects.get().attempts == row.attempts, "not before its time"
        later(90_000)
    assert pauses == [5, 30, 120, 600, 3_600, 21_600, 86_400]
    deliver_all()
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.status) == (DeliveryState.GIVEN_UP, 8, 503)
    assert len({headers["webhook-id"] for _, headers, _ in receiver.taken}) == 1
    receiver.status = 204
    services.send_again(Viewer(user=owner), hook.webhook.pk, row.pk)
    deliver_all()
    assert Delivery.objects.get().state == DeliveryState.DELIVERED


def test_a_hook_that_takes_nothing_is_paused_and_may_go_on(
    hook: WithSecret, receiver: Receiver, owner: User, built: Muster
) -> None:
    receiver.status = 500
    mine = Viewer(user=owner)
    for _ in range(delivering.GIVEN_UP_IN_A_ROW):
        services.test_webhook(mine, hook.webhook.pk)
    Delivery.objects.update(attempts=len(delivering.PAUSES))
    deliver_all()
    paused = queries.own_webhook(hook.webhook.pk, mine)
    assert paused.paused == Pause.GIVEN_UP
    lists.publish_share_link(mine, built.row.pk)
    assert collecting.collect() == 0 and delivering.due() == []
    going_on = services.change_webhook(mine, paused.pk, url=paused.url, happenings=paused.wanted, is_paused=False)
    assert (going_on.paused, going_on.failures) == ("", 0)


def test_an_address_that_is_gone_is_asked_no_more(hook: WithSecret, receiver: Receiver, owner: User) -> None:
    receiver.status = 410
    services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    deliver_all()
    assert Delivery.objects.get().state == DeliveryState.GIVEN_UP
    assert Webhook.objects.get().paused == Pause.GONE


def test_a_new_secret_signs_beside_the_former_one_for_a_day(hook: WithSecret, receiver: Receiver, owner: User) -> None:
    mine = Viewer(user=owner)
    new = services.rotate_secret(mine, hook.webhook.pk)
    assert new.secret != hook.secret
    assert new.secret not in str(Webhook.objects.values_list()[0])
    services.test_webhook(mine, hook.webhook.pk)
    deliver_all()
    assert len(receiver.taken[0][1]["webhook-signature"].split()) == 2
    Webhook.objects.update(rotates_until=timezone.now())
    services.test_webhook(mine, hook.webhook.pk)
    deliver_all()
    assert len(receiver.taken[1][1]["webhook-signature"].split()) == 1


def test_a_redirect_is_not_followed(hook: WithSecret, receiver: Receiver, owner: User) -> None:
    receiver.status, receiver.location = 307, "http://127.0.0.1:1/elsewhere"
    services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    deliver_all()
    row = Delivery.objects.get()
    assert (row.state, row.status, len(receiver.taken)) == (DeliveryState.WAITING, 307, 1)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/hook",
        "https://127.0.0.1/hook",
        "https://localhost/hook",
        "https://[::1]/hook",
        "https://[::ffff:10.0.0.1]/hook",
        "https://169.254.169.254/latest/meta-data/",
        "https://10.1.2.3/hook",
        "https://user:secret@example.org/hook",
        "https://example.org:22/hook",
        "file:///etc/passwd",
        "no address",
    ],
)
def test_no_hook_leads_inwards(owner: User, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(outbound, "create_connection", refuse)
    with pytest.raises(WebhookRefused):
        services.create_webhook(Viewer(user=owner), url=url, happenings=["list.changed"])
    assert not Webhook.objects.exists()


def test_a_name_that_leads_inwards_later_is_refused_when_something_is_sent(
    hook: WithSecret, owner: User, receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = []
    Webhook.objects.update(url="https://hooks.example.org/")
    rows = [(2, 1, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(outbound, "getaddrinfo", lambda *args, **options: rows)
    services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    deliver_all()
    row = Delivery.objects.get()
    assert (row.status, "private" in row.said, receiver.taken) == (None, True, [])


def test_a_second_worker_sends_nothing_twice(hook: WithSecret, owner: User, receiver: Receiver) -> None:
    row = services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    Delivery.objects.update(leased_until=timezone.now() + timedelta(seconds=30))
    assert delivering.due() == [] and not delivering.deliver(row.pk)
    Delivery.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert delivering.deliver(row.pk) and not delivering.deliver(row.pk)
    assert len(receiver.taken) == 1


def test_hooks_of_others_are_nowhere(hook: WithSecret, stranger: User) -> None:
    viewer = Viewer(user=stranger)
    for refused in (
        lambda: services.delete_webhook(viewer, hook.webhook.pk),
        lambda: services.rotate_secret(viewer, hook.webhook.pk),
        lambda: services.test_webhook(viewer, hook.webhook.pk),
    ):
        with pytest.raises(NotFound):
            refused()
    assert Webhook.objects.count() == 1 and not Delivery.objects.exists()


def test_deliveries_of_long_ago_are_forgotten(hook: WithSecret, owner: User) -> None:
    services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    assert delivering.forget() == 0
    Delivery.objects.update(created=timezone.now() - delivering.KEPT - timedelta(days=1))
    assert delivering.forget() == 1
