"""A small invented game for the tests of the reference."""

import pytest

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import AllianceLevel, Faction

FACTIONS = (
    ("red", "Red Host", "Красное войско"),
    ("blue", "Blue Host", "Синее войско"),
    ("old", "Old Guard", "Гвардия"),
)
LEVELS = (("sworn_brothers", "Sworn Brothers", "Побратимы"), ("by_command", "By Command", "По приказу"))


@pytest.fixture
def game(db: None) -> PublishedSystem:
    """Three factions in the matrix, one outside of it, two levels, and every cell unknown."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game", name_ru="Выдуманная игра")
    for place, (key, name, name_ru) in enumerate(FACTIONS, start=1):
        Faction.objects.create(system=system, key=key, name=name, name_ru=name_ru, matrix_position=place)
    Faction.objects.create(system=system, key="agents", name="Agents", fixed_allegiance="loyalist")
    for position, (key, name, name_ru) in enumerate(LEVELS):
        AllianceLevel.objects.create(system=system, key=key, name=name, name_ru=name_ru, position=position)
    return system


@pytest.fixture
def factions(game: PublishedSystem) -> dict[str, Faction]:
    """The factions by key."""
    return {faction.key: faction for faction in Faction.objects.filter(system=game)}
