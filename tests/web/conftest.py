"""The published game, a list of the owner's, and browsers of the cast."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import AllianceLevel, BattlefieldRole, Faction, UnitEntry
from tests.armylists.conftest import AUXILIA, SONS, Muster, heresy, muster, viewer

__all__ = ["heresy", "muster", "viewer"]

HTMX = {"HX-Request": "true", "HX-Target": "detail"}


@pytest.fixture
def game(heresy: PublishedSystem) -> PublishedSystem:
    """The published game with two factions, a role, a unit and a level of alliance as rows."""
    release = heresy.current_release
    assert release is not None
    hq = BattlefieldRole.objects.create(system=heresy, key="hq", name="HQ", name_ru="Командные войска")
    for position, (key, name, name_ru, catalogue) in enumerate(
        [
            ("sons-of-horus", "Sons of Horus", "Сыны Хоруса", SONS),
            ("imperial-army", "Imperial Army", "Имперская армия", AUXILIA),
        ]
    ):
        faction = Faction.objects.create(
            system=heresy,
            key=key,
            name=name,
            name_ru=name_ru,
            matrix_position=position,
            catalogue_id=catalogue,
            release=release,
        )
        UnitEntry.objects.create(
            faction=faction,
            release=release,
            role=hq,
            entry_id=f"leader-{key}",
            name=f"Leader of {name}",
            points=100 + position,
            profiles=[{"type": "Unit", "name": "Leader", "characteristics": [["WS", "5"], ["Unit Type", "Infantry"]]}],
            rules=["Independent Character"],
            search_text=f"leader {name.lower()} hq",
        )
    AllianceLevel.objects.create(system=heresy, key="sworn_brothers", name="Sworn Brothers", effects="Friends.")
    return heresy


@pytest.fixture
def built(game: PublishedSystem, muster: Callable[..., Muster]) -> Muster:
    """The owner's list with a Praetor and a Tactical Squad."""
    built = muster()
    built.units("hh-la-praetor", "hh-la-tactical-squad")
    return built


@pytest.fixture
def as_owner(owner: User) -> Client:
    """A browser in which the owner is signed in."""
    return browser_of(owner)


@pytest.fixture
def as_stranger(stranger: User) -> Client:
    """A browser in which the stranger is signed in."""
    return browser_of(stranger)


def browser_of(user: User) -> Client:
    """A browser in which somebody is signed in."""
    client = Client()
    client.force_login(user)
    return client


def edit_form(army_list: ArmyList, edit: str, **members: Any) -> dict[str, Any]:
    """The fields of an edit's form on the page of a list."""
    return {"edit": edit, "revision": army_list.revision, **members}
