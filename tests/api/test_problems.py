"""Every error of the JSON door has one shape: a problem document with the `error` object of the document formats."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.core import exceptions as django_errors
from django.db import OperationalError
from django.http import Http404, UnreadablePostError
from django.test import Client
from django.utils.translation import override
from rest_framework import exceptions as drf_errors
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

import armybuilder
from api import problems
from api.permissions import AnotherList, InsufficientScope
from api.preconditions import PreconditionRequired
from api.renderers import json_bytes
from armybuilder.accounts import errors as accounts
from armybuilder.accounts.scopes import Scope
from armybuilder.armylists.errors import PressBusy, RepairsBusy, RevisionConflict
from armybuilder.engine.errors import BadDocument, GameError, LimitExceeded
from armybuilder.engine.findings import Text

MEMBERS = {"type", "title", "status", "detail", "code", "error"}


def refusals() -> list[type[GameError]]:
    """Every class of refusal in the project, found by importing all modules and walking the subclasses."""
    for module in pkgutil.walk_packages(armybuilder.__path__, "armybuilder."):
        if not module.name.endswith((".celery", ".wsgi")) and ".migrations" not in module.name:
            importlib.import_module(module.name)

    def descendants(kind: type[GameError]) -> Iterator[type[GameError]]:
        yield kind
        for child in kind.__subclasses__():
            yield from descendants(child)

    return list(dict.fromkeys(descendants(GameError)))


def an_example_of(kind: type[GameError]) -> GameError:
    """An instance, whatever its constructor asks for."""
    text = Text(en="Words.", ru="Слова.")
    for arguments in ((text,), ("Words.",), ("Words.", "/a/b"), (7,), ({"name": ["Words."]},), ([text],), ()):
        try:
            error = kind(*arguments)
            str(error), problems.problem_of(error)
        except (TypeError, AttributeError, ValueError):
            continue
        return error
    raise AssertionError(f"no example of {kind.__name__}")


def answer_to(error: Exception) -> tuple[Any, dict[str, Any]]:
    """The response to an exception, and its body as a client reads it."""
    request = Request(APIRequestFactory().get("/api/v1/somewhere/"))
    with patch("api.problems.logger"):
        response = problems.exception_handler(error, {"request": request})
    return response, json.loads(json_bytes(response.data))


def assert_shape(body: dict[str, Any], status: int) -> None:
    assert set(body) - {"errors", "current_revision"} == MEMBERS
    assert body["type"] == f"/api/v1/problems/{body['code']}/"
    assert body["status"] == status
    assert all(isinstance(body[member], str) and body[member] for member in ("title", "detail", "code"))
    assert set(body["error"]) == {"message", "at"}
    assert body["error"]["message"] == body["detail"]
    assert body["error"]["at"] is None or body["error"]["at"] == "" or body["error"]["at"].startswith("/")


def test_every_refusal_of_the_project_has_the_shape() -> None:
    kinds = refusals()
    assert {BadDocument, LimitExceeded, RevisionConflict, accounts.TooManyTokens} <= set(kinds)
    for kind in kinds:
        error = an_example_of(kind)
        response, body = answer_to(error)
        assert response.content_type == "application/problem+json", kind
        if kind in (PressBusy, RepairsBusy):
            assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
        else:
            assert 400 <= response.status_code < 500, kind
        assert_shape(body, response.status_code)
        assert body["code"] == kind.code != "", kind


def test_a_code_has_one_status() -> None:
    by_code: dict[str, set[int]] = {}
    for kind in refusals():
        by_code.setdefault(kind.code, set()).add(answer_to(an_example_of(kind))[0].status_code)
    assert {code: statuses for code, statuses in by_code.items() if len(statuses) > 1} == {}
    assert by_code["not-found"] == {404}
    assert by_code["revision-conflict"] == {409}


@pytest.mark.parametrize(
    ("error", "status", "code", "at"),
    [
        (BadDocument("Unknown field.", "/units/0/x"), 400, "bad-document", "/units/0/x"),
        (
            LimitExceeded("Too many models.", "/attacker/models/0/count"),
            422,
            "limit-exceeded",
            "/attacker/models/0/count",
        ),
        (RevisionConflict(9), 409, "revision-conflict", None),
        (GameError("Cannot be."), 422, "game-error", None),
        (PreconditionRequired(), 428, "precondition-required", None),
        (InsufficientScope((Scope.CHECK,)), 403, "insufficient-scope", None),
        (AnotherList(), 403, "token-for-one-list", None),
        (drf_errors.ParseError(), 400, "bad-body", None),
        (drf_errors.ValidationError({"points": ["No number."]}), 400, "bad-value", "/points"),
        (drf_errors.ValidationError({"a": {"b": [{}, {"c": ["No."]}]}}), 400, "bad-value", "/a/b/1/c"),
        (drf_errors.ValidationError({}), 400, "bad-value", None),
        (drf_errors.ValidationError("No."), 400, "bad-value", None),
        (drf_errors.AuthenticationFailed(), 401, "bad-credentials", None),
        (drf_errors.NotAuthenticated(), 401, "not-signed-in", None),
        (drf_errors.PermissionDenied(), 403, "forbidden", None),
        (drf_errors.NotFound(), 404, "not-found", None),
        (drf_errors.MethodNotAllowed("PUT"), 405, "method-not-allowed", None),
        (drf_errors.NotAcceptable(), 406, "not-acceptable", None),
        (drf_errors.UnsupportedMediaType("text/plain"), 415, "unsupported-media-type", None),
        (drf_errors.Throttled(wait=7.2), 429, "too-many-requests", None),
        (Http404("secret"), 404, "not-found", None),
        (django_errors.PermissionDenied("secret"), 403, "forbidden", None),
        (django_errors.RequestDataTooBig("The body is larger than 9 bytes."), 413, "too-large", None),
        (django_errors.BadRequest("What?"), 400, "bad-request", None),
        (django_errors.SuspiciousOperation("secret"), 400, "bad-request", None),
        (UnreadablePostError("secret"), 400, "bad-body", None),
        (OperationalError("secret"), 503, "busy", None),
        (ZeroDivisionError("secret"), 500, "internal-error", None),
    ],
)
def test_status_code_and_pointer(error: Exception, status: int, code: str, at: str | None) -> None:
    response, body = answer_to(error)
    assert (response.status_code, body["code"], body["error"]["at"]) == (status, code, at)
    assert_shape(body, status)
    assert "secret" not in json.dumps(body)


def test_every_row_of_the_table_is_tried_above() -> None:
    tried = {type(argument[0]) for argument in test_status_code_and_pointer.pytestmark[0].args[1]}  # type: ignore[attr-defined]
    rows = {kind for kind in problems.TABLE if not issubclass(kind, GameError) and kind is not Exception}
    assert rows - tried == set()


def test_several_refused_values_are_all_named() -> None:
    _, body = answer_to(drf_errors.ValidationError({"a": ["No."], "b": ["Neither."]}))
    assert body["errors"] == [{"message": "No.", "at": "/a"}, {"message": "Neither.", "at": "/b"}]


def test_words_are_those_of_the_readers_language() -> None:
    assert answer_to(RevisionConflict(12))[1]["detail"].startswith("The list was changed")
    with override("ru"):
        assert answer_to(RevisionConflict(12))[1]["detail"].startswith("Ростер изменён")


def test_a_stale_revision_is_told_the_current_one() -> None:
    response, body = answer_to(RevisionConflict(12))
    assert (body["current_revision"], response.headers["ETag"]) == (12, '"12"')


def test_headers_that_a_status_asks_for() -> None:
    assert answer_to(drf_errors.Throttled(wait=7.2))[0].headers["Retry-After"] == "8"
    assert answer_to(OperationalError())[0].headers["Retry-After"] == "1"
    refused = drf_errors.NotAuthenticated()
    refused.auth_header = "Bearer"  # type: ignore[attr-defined]  # as REST framework sets it
    assert answer_to(refused)[0].headers["WWW-Authenticate"] == "Bearer"


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("case", "method", "path", "options", "status", "code"),
    [
        ("no such address", "get", "/api/v1/nowhere/", {}, 404, "not-found"),
        ("no such version", "post", "/api/v9/check/", {}, 404, "not-found"),
        ("wrong method", "get", "/api/v1/check/", {}, 405, "method-not-allowed"),
        ("wrong format wanted", "get", "/api/v1/", {"headers": {"Accept": "application/xml"}}, 406, "not-acceptable"),
        ("a form", "post", "/api/v1/check/", {"data": {"a": 1}}, 415, "unsupported-media-type"),
        (
            "text",
            "post",
            "/api/v1/check/",
            {"data": "{}", "content_type": "text/plain"},
            415,
            "unsupported-media-type",
        ),
        (
            "no JSON",
            "post",
            "/api/v1/check/",
            {"data": "{", "content_type": "application/json"},
            400,
            "bad-document",
        ),
        ("nothing sent", "post", "/api/v1/check/", {"content_type": "application/json"}, 400, "bad-document"),
        ("a bad token", "get", "/api/v1/", {"headers": {"Authorization": "Bearer x"}}, 401, "bad-credentials"),
        ("lists of nobody", "get", "/api/v1/lists/", {}, 401, "not-signed-in"),
    ],
)
def test_answers_of_the_site(
    client: Client, case: str, method: str, path: str, options: dict[str, Any], status: int, code: str
) -> None:
    response = getattr(client, method)(path, **options)
    assert response.headers["Content-Type"] == "application/problem+json", case
    body = response.json()
    assert (response.status_code, body["code"]) == (status, code), case
    assert_shape(body, status)


def test_a_body_that_is_too_large(client: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    response = client.post("/api/v1/check/", data="[" + "1," * 60 + "1]", content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (413, "too-large")


@patch("api.throttles.time", return_value=1_000_000.0)
def test_too_many_requests(_: object, client: Client, settings: Any) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "2/min", "user": "2/min"}}
    assert [client.get("/api/v1/").status_code for _ in range(2)] == [200, 200]
    response = client.get("/api/v1/")
    assert (response.status_code, response.json()["code"]) == (429, "too-many-requests")
    assert response.headers["Retry-After"] == "20"  # the minute that began at 999,960 ends at 1,000,020


def test_a_mistake_of_ours_says_nothing_of_its_cause(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.raise_request_exception = False
    with patch("api.checks.check", side_effect=ZeroDivisionError("a secret of the code")):
        response = client.post(
            "/api/v1/check/",
            data=json.dumps({"system": "horus-heresy", "detachments": []}),
            content_type="application/json",
        )
    assert (response.status_code, response.json()["code"]) == (500, "internal-error")
    assert "secret" not in response.content.decode()
    assert_shape(response.json(), 500)


def test_a_missing_slash_is_answered_with_the_way(client: Client) -> None:
    response = client.post("/api/v1/check?x=1", data="{}", content_type="application/json")
    assert (response.status_code, response.headers["Location"]) == (308, "/api/v1/check/?x=1")


def test_every_type_of_problem_leads_to_its_description(client: Client) -> None:
    rows = client.get("/api/v1/problems/").json()
    codes = {row["code"] for row in rows}
    met = {kind.code for kind in refusals() if kind.__module__ != problems.LINE_PROTOCOL}
    assert met | {row.code for row in problems.TABLE.values() if row.code} <= codes
    for row in rows:
        assert client.get(row["type"]).json() == row
    assert client.get("/api/v1/problems/no-such/").status_code == 404
