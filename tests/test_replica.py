"""Which database a request reads: the router, and who may read what is some seconds old."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError, router, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from armybuilder import replica
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import GUEST_COOKIE
from armybuilder.operations.safety import unsafe_settings
from armybuilder.replica import REPLICA, WROTE_COOKIE, Recency, ReplicaReads

Ask = Callable[..., tuple[HttpResponse, list[str]]]


@pytest.fixture
def has_replica(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The router at work, with a replica that keeps up and is never asked."""
    monkeypatch.setitem(settings.DATABASES, REPLICA, settings.DATABASES["default"])
    monkeypatch.setattr(router, "routers", [replica.ReplicaRouter()])
    monkeypatch.setattr(replica.RECENCY, "is_good", lambda: True)


@pytest.fixture
def ask(has_replica: None) -> Ask:
    """Send a request; its answer, and which database each of its tries would have read at its end."""

    def ask(method: str, path: str, *, statuses: tuple[int, ...] = (200,), writes: bool = False, **meta: str) -> Any:
        answers, read = iter(statuses), []

        def view(request: HttpRequest) -> HttpResponse:
            if writes:
                router.db_for_write(User)
            read.append(router.db_for_read(User))
            return HttpResponse(status=next(answers))

        return ReplicaReads(view)(RequestFactory().generic(method, path, **meta)), read

    return ask


@pytest.mark.parametrize(
    ("case", "method", "path", "meta", "database"),
    [
        ("a stranger's page", "GET", "/s/abc/", {}, REPLICA),
        ("its head", "HEAD", "/units/", {}, REPLICA),
        ("a stranger's answer", "GET", "/api/v1/shared/abc/", {}, REPLICA),
        ("cookies of taste", "GET", "/s/abc/", {"HTTP_COOKIE": "theme=dark; csrftoken=x"}, REPLICA),
        ("signed in", "GET", "/s/abc/", {"HTTP_COOKIE": "sessionid=x"}, "default"),
        ("a guest", "GET", "/s/abc/", {"HTTP_COOKIE": f"{GUEST_COOKIE}=x"}, "default"),
        ("has just sent something", "GET", "/s/abc/", {"HTTP_COOKIE": f"{WROTE_COOKIE}=1"}, "default"),
        ("a token", "GET", "/api/v1/systems/", {"HTTP_AUTHORIZATION": "Bearer x"}, "default"),
        ("a form", "POST", "/s/abc/copy/", {}, "default"),
        ("what may belong to somebody", "GET", "/e/abc/secret/", {}, "default"),
        ("what only begins alike", "GET", "/api/v1/simulations/", {}, "default"),
    ],
)
def test_who_reads_where(case: str, method: str, path: str, meta: dict[str, str], database: str, ask: Ask) -> None:
    assert ask(method, path, **meta)[1] == [database], case


@pytest.mark.django_db(transaction=True)
def test_a_request_that_writes_or_opens_a_transaction_reads_the_primary(ask: Ask) -> None:
    assert ask("GET", "/s/abc/")[1] == [REPLICA]
    assert ask("GET", "/s/abc/", writes=True)[1] == ["default"]
    with transaction.atomic():
        assert ask("GET", "/s/abc/")[1] == ["default"]
    assert router.db_for_read(User) == "default", "nothing is left for the next request"


@pytest.mark.parametrize("status", [404, 503])
def test_what_fails_on_the_replica_is_asked_of_the_primary(status: int, ask: Ask) -> None:
    answer, read = ask("GET", "/s/abc/", statuses=(status, 200))
    assert (answer.status_code, read) == (200, [REPLICA, "default"])
    assert ask("GET", "/s/abc/", statuses=(status, status))[0].status_code == status


def test_a_browser_that_sent_something_is_known_for_as_long_as_the_replica_may_be_old(ask: Ask, settings: Any) -> None:
    settings.REPLICA_SECONDS = 5
    cookie = ask("POST", "/accounts/sign-out/")[0].cookies[WROTE_COOKIE]
    assert (cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (6, True, "Lax")
    assert not ask("GET", "/s/abc/")[0].cookies
    assert not ask("POST", "/api/v1/check/")[0].cookies


def test_without_a_replica_there_is_no_step_for_it() -> None:
    with pytest.raises(MiddlewareNotUsed):
        ReplicaReads(lambda request: HttpResponse())


def test_a_replica_counts_from_the_moment_whose_state_it_is_known_to_hold(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REPLICA_SECONDS = 5
    now, holds = [100.0], [False]
    monkeypatch.setattr(replica, "monotonic", lambda: now[0])
    monkeypatch.setattr(replica, "_position", lambda: "0/1")
    monkeypatch.setattr(replica, "_holds", lambda position: holds[0])
    recency = Recency()
    assert not recency.is_good(), "nothing is known yet"
    now[0], holds[0] = 101.0, True
    assert recency.is_good()
    now[0], holds[0] = 104.9, False
    assert recency.is_good(), "at 101 it held what there was at 100"
    now[0] = 106.1
    assert not recency.is_good()
    now[0], holds[0] = 107.2, True
    assert not recency.is_good(), "what it now holds was noted at 101"
    now[0] = 108.3
    assert recency.is_good()

    def away() -> str:
        raise DatabaseError

    monkeypatch.setattr(replica, "_position", away)
    now[0] = 109.4
    assert not recency.is_good()


@pytest.mark.parametrize(
    ("kind", "other", "is_refused"),
    [("postgresql", "postgresql", False), ("sqlite3", "postgresql", True), ("postgresql", "sqlite3", True)],
)
def test_a_replica_is_one_of_postgresql(
    kind: str, other: str, is_refused: bool, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for alias, engine in (("default", kind), (REPLICA, other)):
        monkeypatch.setitem(settings.DATABASES, alias, {"ENGINE": f"django.db.backends.{engine}"})
    assert any("REPLICA_DATABASE_URL" in sentence for sentence in unsafe_settings()) == is_refused
