"""Requests made up from the API's own description: none breaks the server, every answer is as described."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest.mock import patch

import hypothesis
import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api import progress_events
from armybuilder.accounts import services as accounts
from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import WRITING, Scope
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.services import create_army_list, publish_share_link
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import UnitEntry
from armybuilder.simulations import dispatch, services
from armybuilder.whole_bodies import WholeBodies
from tests.api.test_description import GOLDEN
from tests.armylists.conftest import SONS
from tests.breadth import in_turn
from tests.examples import examples

CHECKS = [not_a_server_error, content_type_conformance, status_code_conformance, response_schema_conformance]

EXAMPLES = 20
"""Requests made up for each operation."""

NOBODY, OWNER, ADMINISTRATOR = ROLES = ("nobody", "owner", "administrator")
"""Who asks: without a token; with one of a user who has something; with one of who looks after the site."""

STORELESS = ("POST /api/v1/check/", "POST /api/v1/checks/")
"""Operations that answer from what is sent, and store nothing."""

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def labels() -> list[Any]:
    """Every operation of the golden description, as `GET /api/v1/lists/`; to describe the API takes long to collect.

    Those that bring a text or number of their own to the database are tried on both.
    """
    found: dict[str, bool] = {}
    for line in GOLDEN.read_text(encoding="utf-8").split("\npaths:\n")[1].splitlines():
        if match := re.fullmatch(r"  (/\S+):", line):
            path = match[1]
        elif match := re.fullmatch(r"    (get|put|post|delete|patch|head|options):", line):
            found[f"{match[1].upper()} {path}"] = False
        elif found and re.fullmatch(r"      requestBody:|      (- |  )in: query", line):
            label = next(reversed(found))
            found[label] = label not in STORELESS
    return [
        pytest.param(label, marks=[pytest.mark.both_databases] if is_stored else [])
        for label, is_stored in found.items()
    ]


@cache
def operations() -> dict[str, Any]:
    """Every operation of the description by its label, ready to be called."""
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    # as `armybuilder.wsgi`, without what that does to the whole process
    schema.app = WholeBodies(get_wsgi_application(), most_bytes=settings.GAMEDATA_MAX_FILE_BYTES)
    found = [result.ok() for result in schema.get_all_operations()]
    return {operation.label: operation for operation in found}


def test_every_operation_is_tried() -> None:
    assert sorted(label.values[0] for label in labels()) == sorted(operations())


@pytest.fixture
def kept_connection() -> Iterator[None]:
    """A request leaves the connection, and with it the transaction, to the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def known(
    owner: User, administrator: User, game: PublishedSystem, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Any]]:
    """What addresses may lead to something, by the name of the path parameter; and the token of each role."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: True)
    monkeypatch.setattr(progress_events, "LONGEST_SECONDS", 0.0)  # nothing comes after the present state
    viewer = Viewer(user=owner)
    mine = create_army_list(viewer, system_id=game.pk, name="Muster", catalogue_id=SONS, points_limit=2000)
    link = publish_share_link(viewer, mine.pk)
    run = services.request_simulation(viewer, {"system": "relic", "kind": "dice_roll", "dice": 2})
    with patch("api.throttles.RequestThrottle.allow_request", return_value=True):
        yield {
            OWNER: accounts.issue_token(owner, name="a fuzzer", scopes=WRITING).secret,
            ADMINISTRATOR: accounts.issue_token(administrator, name="a fuzzer", scopes=list(Scope)).secret,
            "system": "horus-heresy",
            "faction": "sons-of-horus",
            "unit": str(UnitEntry.objects.all()[0].pk),
            "rule": "HH-30",
            "list_id": str(mine.pk),
            "number": 1,
            "token": link.token,
            "run_id": str(run.pk),
            "code": "not-found",
        }


@pytest.mark.parametrize("label", labels())
def test_every_operation_keeps_what_it_describes(label: str, known: dict[str, Any], kept_connection: None) -> None:
    """In a share of the cases each operation is asked by one role, and the next operation by the next one."""
    number = list(operations()).index(label)
    for role in in_turn(number, ROLES, of=len(ROLES)):
        keeps_what_it_describes(operations()[label], known, role)


def keeps_what_it_describes(operation: Any, known: dict[str, Any], role: str) -> None:

    @hypothesis.given(case=operation.as_strategy())
    @hypothesis.settings(
        max_examples=examples(EXAMPLES),
        deadline=None,
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    def ask(case: Case) -> None:
        case.path_parameters = {name: known.get(name, value) for name, value in (case.path_parameters or {}).items()}
        case.headers.pop("Authorization", None)
        if role in known:
            case.headers["Authorization"] = f"Bearer {known[role]}"
        case.headers["Accept-Encoding"] = "identity"  # the caller does not unpack
        case.headers.pop("Prefer", None)  # nobody performs what is queued
        response = case.call()
        try:
            case.validate_response(response, checks=CHECKS)
        except BaseException as fault:
            fault.add_note(f"asked by: {role}")
            raise

    ask()
