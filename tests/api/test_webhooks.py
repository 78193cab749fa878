"""Webhooks over the API: made, tested, changed, given a new secret; deliveries seen and repeated; refusals named."""

from typing import Any

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import Scope
from armybuilder.webhooks import delivering
from armybuilder.webhooks.models import Delivery, Webhook
from tests.api.conftest import Caller, caller_of
from tests.receivers import Receiver

HOOKS = "/api/v1/webhooks/"


@pytest.fixture
def keeper(owner: User) -> Caller:
    return caller_of(owner, Scope.values)


def test_the_life_of_a_hook(keeper: Caller, receiver: Receiver) -> None:
    made = keeper("POST", HOOKS, {"url": receiver.url, "happenings": ["run.finished", "list.changed"]})
    assert made.status_code == 201, made.content
    body: dict[str, Any] = made.json()
    assert body["secret"].startswith("whsec_")
    assert body["webhook"]["happenings"] == ["list.changed", "run.finished"]
    address = made["Location"]
    assert keeper("GET", HOOKS).json()["results"] == [body["webhook"]] == [keeper("GET", address).json()]
    assert body["secret"] not in keeper("GET", address).content.decode()

    test = keeper("POST", f"{address}test/")
    assert (test.status_code, test.json()["happening"], test.json()["state"]) == (202, "ping", "waiting")
    delivering.deliver(Delivery.objects.get().pk)
    delivery = keeper("GET", test["Location"]).json()
    assert (delivery["state"], delivery["status"], delivery["next_at"]) == ("delivered", 200, None)
    assert keeper("GET", f"{address}deliveries/").json()["results"] == [delivery]
    again = keeper("POST", f"{test['Location']}again/")
    assert (again.status_code, again.json()["state"]) == (202, "waiting")

    assert keeper("POST", f"{address}secret/").json()["secret"] != body["secret"]
    assert keeper("PATCH", address, {"paused": True}).json()["paused"]
    going_on = keeper("PATCH", address, {"paused": False, "happenings": ["list.shared"]}).json()
    assert (going_on["paused"], going_on["happenings"]) == (None, ["list.shared"])
    assert keeper("DELETE", address).status_code == 204
    assert keeper("GET", address).status_code == 404


@pytest.mark.parametrize(
    ("sent", "status", "code", "at"),
    [
        ({"url": "https://127.0.0.1/", "happenings": ["list.changed"]}, 422, "webhook-refused", "/url"),
        ({"url": "http://example.org/", "happenings": ["list.changed"]}, 422, "webhook-refused", "/url"),
        ({"url": "https://example.org/", "happenings": ["list.deleted"]}, 400, "bad-document", "/happenings/0"),
        ({"url": "https://example.org/", "happenings": []}, 400, "bad-document", "/happenings"),
        ({"happenings": ["list.changed"]}, 400, "bad-document", "/url"),
    ],
)
def test_a_hook_that_cannot_be(keeper: Caller, sent: object, status: int, code: str, at: str | None) -> None:
    answer = keeper("POST", HOOKS, sent)
    assert (answer.status_code, answer.json()["code"], answer.json()["error"]["at"]) == (status, code, at)
    assert not Webhook.objects.exists()


def test_only_so_many_hooks(keeper: Caller, owner: User) -> None:
    Webhook.objects.bulk_create(Webhook(owner=owner, url="https://example.org/", sealed="") for _ in range(20))
    answer = keeper("POST", HOOKS, {"url": "https://198.51.100.7/", "happenings": ["list.changed"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "webhook-refused")


def test_strangers_and_small_tokens_reach_no_hook(
    keeper: Caller, as_owner: Caller, as_nobody: Caller, stranger: User, receiver: Receiver
) -> None:
    address = keeper("POST", HOOKS, {"url": receiver.url, "happenings": ["list.changed"]})["Location"]
    for caller, status in ((as_owner, 403), (as_nobody, 401), (caller_of(stranger, Scope.values), 404)):
        for way in ("GET ", "DELETE ", "POST test/", "POST secret/", "GET deliveries/"):
            method, _, path = way.partition(" ")
            assert caller(method, f"{address}{path}").status_code == status, way
    assert Webhook.objects.count() == 1 and not Delivery.objects.exists()
