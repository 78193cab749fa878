"""The account behind a token: what its scopes allow, tokens made and revoked by programs, a copy of everything."""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import yaml
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from api.permissions import part_of
from armybuilder.accounts.models import ApiToken, RepeatedRequest, User
from armybuilder.accounts.scopes import PARTS, READING, WRITING, Scope, sufficient
from armybuilder.datafiles.models import PublishedSystem
from tests.api.conftest import Caller, caller_of
from tests.api.test_description import GOLDEN
from tests.armylists.conftest import SONS

pytestmark = pytest.mark.both_databases

TOKENS = "/api/v1/account/tokens/"
NEW_LIST = {"system": "horus-heresy", "name": "Muster", "catalogue_id": SONS, "points_limit": 2000}
ARMY = {"system": "horus-heresy", "detachments": []}


@pytest.fixture
def keeper(owner: User) -> Caller:
    """A program of the owner's with every scope."""
    return caller_of(owner, Scope.values)


def test_every_part_of_the_api_says_which_scope_it_asks_for() -> None:
    (api,) = (one for one in get_resolver().url_patterns if str(one.pattern) == "api/")
    (version,) = (one for one in api.url_patterns if isinstance(one, URLResolver))
    parts = {
        part_of(f"/api/v1/{one.pattern}") for one in version.url_patterns if isinstance(one, URLPattern | URLResolver)
    }
    assert parts == set(PARTS)
    assert {scope for part in PARTS for scope in sufficient(part, reads=False)} == set(Scope) - {Scope.LISTS_READ}


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("lists:read", {"read lists", "read simulations"}),
        ("lists:write", {"read lists", "make a list"}),
        ("check", {"check"}),
        ("simulate", {"read simulations", "save a target"}),
        ("events", set()),
        ("data", set()),
        ("admin", {"read tokens"}),
    ],
)
def test_each_scope_allows_its_part_and_no_other(
    owner: User, game: PublishedSystem, scope: str, allowed: set[str]
) -> None:
    target = {"system": "horus-heresy", "name": "Wall", "points": 10, "side": {}}
    requests: dict[str, tuple[str, str, object]] = {
        "read lists": ("GET", "/api/v1/lists/", None),
        "read simulations": ("GET", "/api/v1/simulations/", None),
        "make a list": ("POST", "/api/v1/lists/", NEW_LIST),
        "check": ("POST", "/api/v1/check/", ARMY),
        "save a target": ("POST", "/api/v1/targets/", target),
        "read tokens": ("GET", TOKENS, None),
    }
    caller = caller_of(owner, [scope])
    for name, request in requests.items():
        answer = caller(*request)
        refused = (answer.status_code, answer.json().get("code")) == (403, "insufficient-scope")
        assert refused == (name not in allowed), (name, answer.content)
        if refused:
            assert 'error="insufficient_scope"' in answer["WWW-Authenticate"], name
    assert caller("GET", "/api/v1/systems/").status_code == 200


def asked_for() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Method, address and scopes of every operation of the description; the scopes of which a token needs one."""
    description = yaml.load(GOLDEN.read_text(encoding="utf-8"), yaml.CSafeLoader)
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            values = {
                one["name"]: "00000000-0000-4000-8000-00000000000a" if one["schema"].get("format") == "uuid" else "1"
                for one in operation.get("parameters", ())
                if one["in"] == "path"
            }
            yield method.upper(), path.format(**values), frozenset(operation.get("x-scopes", ()))


@pytest.mark.long
def test_every_operation_is_closed_without_its_scope_and_open_with_it(
    owner: User, game: PublishedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.throttles.RequestThrottle.allow_request", lambda *_: True)
    with_one = {scope: caller_of(owner, [scope]) for scope in Scope.values}
    operations = list(asked_for())
    assert len(operations) > 110
    with_all_others = {
        enough: caller_of(owner, [scope for scope in Scope.values if scope not in enough])
        for enough in {enough for _, _, enough in operations}
    }
    for method, address, enough in operations:
        refused = {scope for scope, caller in with_one.items() if _lacks_scope(caller(method, address, {}))}
        assert refused == (set(Scope.values) - enough if enough else set()), (method, address)
        assert _lacks_scope(with_all_others[enough](method, address, {})) == bool(enough), (method, address)


def _lacks_scope(answer: Any) -> bool:
    if answer.status_code != 403 or "json" not in answer["Content-Type"]:
        return False
    return bool(answer.json()["code"] == "insufficient-scope")


def test_a_token_for_one_list_opens_no_other(owner: User, as_owner: Caller, muster: dict[str, Any]) -> None:
    other = as_owner("POST", "/api/v1/lists/", NEW_LIST).json()
    caller = caller_of(owner, WRITING, list_id=muster["id"])
    assert caller("GET", muster["address"]).status_code == 200
    assert caller("PATCH", muster["address"], {"name": "Mine"}, If_Match="*").status_code == 200
    assert caller("POST", "/api/v1/check/", ARMY).status_code == 200
    before = [row["name"] for row in as_owner("GET", "/api/v1/lists/").json()["results"]]
    for method, path, sent in (
        ("GET", other["address"], None),
        ("PATCH", other["address"], {"name": "Taken over"}),
        ("GET", "/api/v1/lists/", None),
        ("POST", "/api/v1/lists/", NEW_LIST),
        ("POST", f"{muster['address']}copies/", {}),
        ("GET", "/api/v1/simulations/", None),
        ("GET", "/api/v1/events/", None),
    ):
        answer = caller(method, path, sent, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (403, "token-for-one-list"), (method, path)
    assert [row["name"] for row in as_owner("GET", "/api/v1/lists/").json()["results"]] == before


def test_a_program_makes_a_token_uses_and_revokes_it(keeper: Caller) -> None:
    end = (timezone.now() + timedelta(days=1)).isoformat()
    made = keeper("POST", TOKENS, {"name": "bot", "scopes": ["check", "lists:read"], "expires_at": end})
    assert made.status_code == 201, made.content
    token = made.json()["token"]
    assert (token["name"], token["scopes"], token["last_used_at"]) == ("bot", ["lists:read", "check"], None)
    bot = Caller(made.json()["secret"])
    assert bot("GET", "/api/v1/lists/").status_code == 200
    assert keeper("GET", made["Location"]).json()["last_used_at"] is not None
    assert [one["name"] for one in keeper("GET", TOKENS).json()["results"]] == ["bot", "a tool"]
    assert keeper("DELETE", made["Location"]).status_code == 204
    assert bot("GET", "/api/v1/lists/").status_code == 401
    assert not RepeatedRequest.objects.filter(body__contains=made.json()["secret"]).exists()


def test_no_token_makes_one_that_may_more(owner: User, as_owner: Caller) -> None:
    limited = caller_of(owner, ["admin", "lists:read"])
    answer = limited("POST", TOKENS, {"name": "more", "scopes": ["lists:write", "lists:read"]})
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient-scope")
    assert "lists:write" in answer.json()["detail"]
    assert as_owner("POST", TOKENS, {"name": "x", "scopes": ["check"]}).status_code == 403
    assert not ApiToken.objects.filter(name__in=["more", "x"]).exists()


@pytest.mark.parametrize(
    ("change", "status", "at"),
    [
        ({"scopes": ["everything"]}, 400, "/scopes/0"),
        ({"scopes": []}, 400, "/scopes"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, 400, "/expires_at"),
        ({"list": "00000000-0000-4000-8000-000000000000"}, 404, None),
    ],
)
def test_a_token_that_cannot_be(keeper: Caller, change: dict[str, Any], status: int, at: str | None) -> None:
    answer = keeper("POST", TOKENS, {"name": "x", "scopes": ["check"]} | change)
    assert (answer.status_code, answer.json()["error"]["at"]) == (status, at)
    assert ApiToken.objects.count() == 1


def test_tokens_of_others_are_nowhere(keeper: Caller, stranger: User) -> None:
    theirs = caller_of(stranger, Scope.values)
    address = f"{TOKENS}{ApiToken.objects.get(user=stranger).pk}/"
    assert keeper("GET", address).status_code == keeper("DELETE", address).status_code == 404
    assert theirs("GET", address).status_code == 200


def test_whose_token_it_is(keeper: Caller, as_nobody: Caller) -> None:
    account = keeper("GET", "/api/v1/account/").json()
    assert (account["name"], account["scopes"]) == ("owner", Scope.values)
    for path in ("/api/v1/account/", "/api/v1/account/data/", TOKENS):
        assert as_nobody("GET", path).status_code == 401, path


def test_everything_in_one_file(keeper: Caller, as_owner: Caller, muster: dict[str, Any]) -> None:
    gone = as_owner("POST", "/api/v1/lists/", NEW_LIST | {"name": "Gone"}).json()
    assert as_owner("DELETE", gone["address"], If_Match="*").status_code == 204
    assert as_owner("POST", "/api/v1/events/", {"system": "horus-heresy", "name": "Cup"}).status_code == 201
    answer = keeper("GET", "/api/v1/account/data/")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert json.loads(parts["account.json"])["name"] == "owner"
    assert json.loads(parts["events.json"])[0]["name"] == "Cup"
    assert {token["scopes"] for token in json.loads(parts["tokens.json"])} == {
        " ".join(WRITING),
        " ".join(Scope.values),
    }
    assert b"digest" not in parts["tokens.json"]
    assert b"Gone" in parts["bin/0001.json"]
    with zipfile.ZipFile(io.BytesIO(parts["lists.zip"])) as lists:
        assert sorted(lists.namelist()) == ["0001 Muster.json", "shelf.json"]
    assert READING == ("lists:read", "check")
