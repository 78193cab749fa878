"""A small published game as rows, tokens of the cast, and clients that send JSON with them."""

import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from armybuilder.accounts import services as accounts
from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING, WRITING
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.reference.models import (
    Alliance,
    AllianceLevel,
    BattlefieldRole,
    Detachment,
    Faction,
    ForceOrganisation,
    Fortification,
    Slot,
    UnitEntry,
)
from tests.armylists.conftest import AUXILIA, PRIMARY, RELEASE, SONS, fixture_library


class Caller:
    """Sends JSON as a program does: with a token, and answers parsed."""

    def __init__(self, secret: str | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.headers = {"Authorization": f"Bearer {secret}"} if secret else {}

    def __call__(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send one request; header names are written with underscores."""
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        data = b"" if body is None else json.dumps(body)
        return self.client.generic(method, path, data, content_type="application/json", headers=sent)


def caller_of(user: User, scopes: Iterable[str] = WRITING, **facts: Any) -> Caller:
    """A program of that user's."""
    return Caller(accounts.issue_token(user, name="a tool", scopes=scopes, **facts).secret)


@pytest.fixture
def as_owner(owner: User) -> Caller:
    return caller_of(owner)


@pytest.fixture
def as_reader(owner: User) -> Caller:
    """A program of the owner's that may only read."""
    return caller_of(owner, READING)


@pytest.fixture
def as_friend(friend: User) -> Caller:
    return caller_of(friend)


@pytest.fixture
def as_stranger(stranger: User) -> Caller:
    return caller_of(stranger)


@pytest.fixture
def as_nobody(db: None) -> Caller:
    return Caller()


@pytest.fixture
def game(db: None) -> PublishedSystem:
    """Our own game data as a release, and a few rows of it: two factions, one unit each, a chart, a known alliance."""
    system = PublishedSystem.objects.create(
        id="horus-heresy", name="The Horus Heresy", name_ru="Ересь Хоруса", rule_pack="horus-heresy"
    )
    release = DataRelease.objects.create(id=RELEASE, system=system, number=1, content_hash="0" * 64, name="Sample")
    keep_library(RELEASE, fixture_library())
    system.current_release = release
    system.save()
    roles = {
        key: BattlefieldRole.objects.create(system=system, key=key, name=name, position=position)
        for position, (key, name) in enumerate([("hq", "HQ"), ("troops", "Troops")])
    }
    sons, army = (
        Faction.objects.create(
            system=system, key=key, name=name, matrix_position=position, catalogue_id=catalogue, release=release
        )
        for position, (key, name, catalogue) in enumerate(
            [("sons-of-horus", "Sons of Horus", SONS), ("imperial-army", "Imperial Army", AUXILIA)]
        )
    )
    for faction, role, name, points, words in [
        (sons, "hq", "Praetor", "150", "praetor hq paragon blade"),
        (army, "troops", "Rifle Section", "82.5", "rifle section troops lasrifle"),
    ]:
        UnitEntry.objects.create(
            faction=faction,
            release=release,
            role=roles[role],
            entry_id=f"entry-{name.lower()}",
            name=name,
            points=Decimal(points),
            profiles=[{"type": "Unit", "name": name, "characteristics": [["WS", "5"]]}],
            rules=["Independent Character"],
            search_text=words,
        )
    chart = ForceOrganisation.objects.create(system=system, release=release, key="crusade", name="Crusade")
    primary = Detachment.objects.create(chart=chart, type="primary", name="Primary Detachment", entry_id=PRIMARY)
    Slot.objects.create(detachment=primary, role=roles["hq"], minimum=1, maximum=3)
    Slot.objects.create(detachment=primary, role=roles["troops"], minimum=2, maximum=None)
    level = AllianceLevel.objects.create(system=system, key="fellow_warriors", name="Fellow Warriors")
    Alliance.objects.create(system=system, from_faction=sons, to_faction=army, level=level, source="p. 7")
    Fortification.objects.create(
        system=system,
        release=release,
        entry_id="wall",
        name="Fortified Wall",
        points=Decimal(100),
        options=[{"name": "Icarus lascannon", "points": "25", "maximum": 1}],
    )
    return system


@pytest.fixture
def stored(game: PublishedSystem) -> Callable[..., ArmyList]:
    """Makes a stored list as a row, for tests that only read the row."""

    def make(owner: User | None = None, *, guest_key: UUID | None = None, **facts: Any) -> ArmyList:
        assert game.current_release is not None
        return ArmyList.objects.create(
            owner=owner,
            guest_key=guest_key,
            system=game,
            release=game.current_release,
            **{"name": "First draft", "points_limit": 2500, "document": '{"roster":{"id":"r"},"facts":{}}', **facts},
        )

    return make


@pytest.fixture
def muster(as_owner: Caller, game: PublishedSystem) -> dict[str, Any]:
    """A new list of the owner's, made over the API."""
    new = {"system": game.pk, "name": "Muster", "catalogue_id": SONS, "points_limit": 2000, "allegiance": "traitor"}
    response = as_owner("POST", "/api/v1/lists/", new)
    assert response.status_code == 201, response.content
    created: dict[str, Any] = response.json()
    return created
