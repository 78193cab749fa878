"""Who may do what, for every address of the site: the table of docs/security/access.md, tried on somebody's things.

Addresses come from the URL map. One that no row speaks of fails; one under a row is tried like all of it, with every
method and by everybody who may not; and the things must be as they were.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import WRITING
from armybuilder.accounts.services import issue_token
from armybuilder.accounts.viewers import GUEST_COOKIE, Viewer, new_guest_key, signed_guest_key
from armybuilder.armylists.models import ArmyList, Revision, ShareLink
from armybuilder.datafiles.models import DataRelease
from armybuilder.events.models import Event
from armybuilder.simulations import dispatch, services
from armybuilder.simulations.models import SavedTarget, SimulationRun
from tests.armylists.conftest import Muster
from tests.simulations.conftest import quick

pytestmark = pytest.mark.django_db

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "security" / "access.md"

ROW = re.compile(r"^\| `(?P<prefix>/[^`]*)` \| (?P<kind>\w+) \|", re.MULTILINE)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
REFUSED = {302, 400, 401, 403, 404, 405, 406, 415, 422, 428, 429}
"""302 leads to the sign-in page; 400, 406, 415, 422 and 428 are answered before anybody looks for the thing."""
TRIED_AT_LEAST = {"own": 1_000, "account": 30, "staff": 500}


@cache
def rows() -> dict[str, str]:
    """Beginning of an address -> whose it is, as the document says."""
    return {row["prefix"]: row["kind"] for row in ROW.finditer(DOCUMENT.read_text(encoding="utf-8"))}


def routes(resolver: Any = None, before: str = "/") -> Iterator[str]:
    """Every address of the URL map, with its placeholders."""
    for pattern in (resolver or get_resolver()).url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, here)
        elif isinstance(pattern, URLPattern):
            yield here


def row_of(route: str) -> str:
    """The kind of the longest row an address begins with; empty where there is none."""
    found = [prefix for prefix in rows() if route == prefix or (prefix != "/" and route.startswith(prefix))]
    return rows()[max(found, key=len)] if found else ""


def test_every_address_has_a_row() -> None:
    assert [route for route in routes() if not row_of(route)] == []
    assert set(rows().values()) == {"public", "shared", "own", "account", "staff"}


@pytest.fixture
def things(built: Muster, owner: User, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """One of everything that can be somebody's own."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    viewer = Viewer(user=owner)
    run = services.request_simulation(viewer, quick())
    token = issue_token(owner, name="mine", scopes=WRITING).token
    target = SavedTarget.objects.create(owner=owner, rule_pack="horus-heresy", name="Wall", side="{}")
    event = Event.objects.create(organiser=owner, system=built.row.system, name="Cup", token="B" * 22, pack="{}")
    return {
        "event_id": event.pk,
        "list_id": built.row.pk,
        "run_id": run.pk,
        "token_id": token.pk,
        "target_id": target.pk,
    }


def address(route: str, things: dict[str, Any]) -> str:
    """A route with the owner's things in its placeholders."""
    filler = {"number": "1", "token": "A" * 22, "attacker": "a", "defender": "b", "kind": "ros", "format_id": "plain"}
    filler |= {"export_format": "plain", "slug": "x"}

    def put(match: re.Match[str]) -> str:
        converter, _, name = match[1].rpartition(":")
        unknown = "00000000-0000-4000-8000-000000000000" if converter == "uuid" else "x"
        return str(things.get(name) or filler.get(name) or unknown)

    return re.sub(r"<([^>]+)>", put, route)


def snapshot() -> list[object]:
    """Everything that must not change."""
    return [
        list(ArmyList.objects.order_by("pk").values_list("pk", "revision", "document", "name", "deleted", "folder")),
        Revision.objects.count(),
        ShareLink.objects.count(),
        list(SimulationRun.objects.order_by("pk").values_list("pk", "cancelled")),
        list(SavedTarget.objects.order_by("pk").values_list("pk", "name")),
        list(User.objects.order_by("pk").values_list("pk", "is_staff", "is_superuser", "password")),
        list(Event.objects.order_by("pk").values_list("pk", "name", "pack")),
        DataRelease.objects.count(),
    ]


def strangers(stranger: User) -> dict[str, tuple[Client, dict[str, str]]]:
    """Everybody who was given nothing, with the headers they send."""
    guest, signed_in, staff = Client(), Client(), Client()
    guest.cookies[GUEST_COOKIE] = signed_guest_key(new_guest_key())
    signed_in.force_login(stranger)
    staff.force_login(User.objects.create_user("clerk", "", "a password of some length", is_staff=True))
    token = issue_token(stranger, name="theirs", scopes=WRITING).secret
    return {
        "nobody": (Client(), {}),
        "guest": (guest, {}),
        "stranger": (signed_in, {}),
        "token of a stranger": (Client(), {"Authorization": f"Bearer {token}"}),
        "staff without rights": (staff, {}),
    }


def tried(client: Client, method: str, path: str, headers: dict[str, str]) -> HttpResponseBase:
    """What an attempt is answered with; API bodies are JSON, pages get forms."""
    send = headers | {"If-Match": "*"}
    if path.startswith("/api/"):
        return client.generic(method, path, b"{}", content_type="application/json", headers=send)
    return client.generic(
        method, path, b"revision=1&name=x", content_type="application/x-www-form-urlencoded", headers=send
    )


@pytest.mark.long
@pytest.mark.parametrize("kind", ["own", "account", "staff"])
def test_nobody_reaches_what_is_somebody_elses(
    kind: str, things: dict[str, Any], stranger: User, settings: Any
) -> None:
    settings.PAGE_CHANGES_PER_MINUTE = 10**9
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {
        "DEFAULT_THROTTLE_RATES": dict.fromkeys(("anon", "user", "simulate"), "1000000/min")
    }
    who = strangers(stranger)
    if kind == "account":
        who = {"nobody": who["nobody"], "guest": who["guest"]}
    if kind == "staff":
        del who["staff without rights"]
    before, reached, number = snapshot(), [], 0
    for route in routes():
        if row_of(route) != kind or "(?P<" in route:
            continue
        path = address(route, things)
        for name, (client, headers) in who.items():
            for method in METHODS:
                number += 1
                answer = tried(client, method, path, headers)
                if answer.status_code not in REFUSED:
                    reached.append((name, method, path, answer.status_code))
    assert reached == []
    assert snapshot() == before
    assert number >= TRIED_AT_LEAST[kind]
