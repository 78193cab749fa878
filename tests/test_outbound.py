"""A name whose owner is slow to say where it is holds nobody longer than it may."""

import time
from collections.abc import Iterator
from threading import Event, active_count
from typing import Any

import pytest
from django.test import Client

from armybuilder import outbound
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.outbound import AddressRefused, Policy, connection, permitted
from armybuilder.webhooks import delivering, services
from armybuilder.webhooks.models import Delivery, DeliveryState, Webhook

ADDRESS = "https://slow.example.org/hook"
PUBLIC = [(2, 1, 6, "", ("93.184.216.34", 443))]


@pytest.fixture
def slow_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Nobody says where a host is before this is set, or for a minute."""
    answered = Event()

    def look_up(*_: object, **__: object) -> list[Any]:
        answered.wait(60)
        return PUBLIC

    monkeypatch.setattr(outbound, "getaddrinfo", look_up)
    monkeypatch.setattr(outbound, "LOOKUP_SECONDS", 0.2)
    yield answered
    answered.set()
    for _ in range(outbound.LOOKUPS_AT_ONCE):  # all have come back
        assert outbound._lookups.acquire(timeout=10)
    outbound._lookups.release(outbound.LOOKUPS_AT_ONCE)


def opened() -> outbound.Pinned:
    allowed = Policy([], "WEBHOOK_ALLOWED_HOSTS")
    return connection(permitted(ADDRESS, allowed=allowed), ADDRESS, allowed=allowed, wait_seconds=10)


def test_slow_names_hold_so_many_threads_and_no_more(slow_names: Event) -> None:
    before = active_count()
    for _ in range(outbound.LOOKUPS_AT_ONCE + 3):
        began = time.monotonic()
        with pytest.raises(AddressRefused) as refused:
            opened()
        assert time.monotonic() - began < 2
    assert (
        refused.value.text.en
        == f"{ADDRESS} is at a host that was not found in 0.2 seconds (slow.example.org); try again later."
    )
    assert "повторите позже" in refused.value.text.ru
    assert active_count() - before == outbound.LOOKUPS_AT_ONCE
    slow_names.set()
    assert opened().host == "slow.example.org"


@pytest.mark.django_db
def test_a_webhook_at_a_slow_name_is_refused_in_words(client: Client, owner: User, slow_names: Event) -> None:
    began = time.monotonic()
    document = {"url": ADDRESS, "happenings": ["list.changed"]}
    client.force_login(owner)
    answer = client.post("/api/v1/webhooks/", document, content_type="application/json")
    assert time.monotonic() - began < 5
    assert answer.status_code == 422, answer.content
    assert "try again later" in str(answer.json()) and not Webhook.objects.exists()


@pytest.mark.django_db
def test_what_is_sent_to_a_slow_name_is_sent_again_later(
    owner: User, slow_names: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = Viewer(user=owner)
    with monkeypatch.context() as quick:
        quick.setattr(outbound, "getaddrinfo", lambda *_, **__: PUBLIC)
        hook = services.create_webhook(viewer, url=ADDRESS, happenings=["list.changed"]).webhook
    row = services.test_webhook(viewer, hook.pk)
    assert not delivering.deliver(row.pk)
    kept = Delivery.objects.get()
    assert (kept.state, kept.attempts, "try again later" in kept.said) == (DeliveryState.WAITING, 1, True)


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("3ffe:ffff::1", True),
        ("3fff::", False),
        ("3fff:fff:ffff::1", False),
        ("3fff:1000::", True),
        ("2001:1ff::1", False),
        ("2001:200::1", True),
        ("191.255.255.255", True),
        ("192.0.0.9", False),
        ("192.0.1.0", True),
        ("192.88.98.255", True),
        ("192.88.99.1", False),
        ("2002:c058:6301::1", False),
        ("2002:5db8:d822::1", True),
        ("168.63.129.15", True),
        ("168.63.129.16", False),
        ("::ffff:168.63.129.16", False),
    ],
)
def test_what_is_nobodys_on_the_open_internet(address: str, is_public: bool) -> None:
    assert outbound._is_public(address) is is_public
