"""Pages of webhooks: made, tested, stopped, given a new secret, what was sent; in both languages."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.webhooks import delivering
from armybuilder.webhooks.models import Delivery, Webhook
from tests.receivers import Receiver

pytestmark = pytest.mark.django_db

FORM = {"happenings": ["list.changed", "run.finished"]}


def secret_in(page: str) -> str | None:
    found = re.search(r'id="secret"[^>]*value="(whsec_[^"]+)"', page)
    return found[1] if found else None


def test_a_hook_from_making_to_deleting(as_owner: Client, receiver: Receiver) -> None:
    index = reverse("web:webhooks")
    page = as_owner.post(index, FORM | {"url": receiver.url}).content.decode()
    secret = secret_in(page)
    assert secret and secret not in as_owner.get(index).content.decode()
    hook = Webhook.objects.get()
    address = reverse("web:webhook", args=[hook.pk])
    do = reverse("web:webhook-do", args=[hook.pk])
    assert as_owner.post(do, {"do": "test"}).status_code == 302
    delivering.deliver(Delivery.objects.get().pk)
    sent = as_owner.get(address).content.decode()
    assert "ping" in sent and "200 thank you" in sent
    again = reverse("web:webhook-again", args=[hook.pk, Delivery.objects.get().pk])
    assert as_owner.post(again).status_code == 302 and Delivery.objects.get().state == "waiting"
    renewed = secret_in(as_owner.post(do, {"do": "secret"}).content.decode())
    assert renewed and renewed != secret
    as_owner.post(do, {"do": "pause"})
    as_owner.cookies["django_language"] = "ru"
    assert "Его остановил владелец." in as_owner.get(address).content.decode()
    as_owner.post(do, {"do": "go-on"})
    changed = as_owner.post(address, {"url": receiver.url, "happenings": ["event.locked"]})
    hook.refresh_from_db()
    assert (changed.status_code, hook.paused, hook.happenings) == (302, "", "event.locked")
    as_owner.post(do, {"do": "delete"})
    assert not Webhook.objects.exists()


def test_an_address_that_leads_inwards_is_refused_beside_its_field(as_owner: Client) -> None:
    answer = as_owner.post(reverse("web:webhooks"), FORM | {"url": "https://127.0.0.1/hook"})
    assert answer.status_code == 422 and "private address" in answer.content.decode()
    assert not Webhook.objects.exists()


def test_hooks_of_others_are_nowhere(as_owner: Client, as_stranger: Client, receiver: Receiver) -> None:
    as_owner.post(reverse("web:webhooks"), FORM | {"url": receiver.url})
    hook = Webhook.objects.get()
    assert as_stranger.get(reverse("web:webhook", args=[hook.pk])).status_code == 404
    for what in ("test", "secret", "pause", "delete"):
        assert as_stranger.post(reverse("web:webhook-do", args=[hook.pk]), {"do": what}).status_code == 404
    hook.refresh_from_db()
    assert hook.paused == "" and not Delivery.objects.exists()
