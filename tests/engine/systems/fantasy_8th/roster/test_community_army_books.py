"""Units of the community's Fantasy data fight with the rules of their army books that the data only names."""

from pathlib import Path

import pytest

from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force
from armybuilder.engine.systems.fantasy_8th.roster.fighters import sides_from_roster
from tests.engine.systems.roster_reading.community_units import library_in, units

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("book", "name", "rule", "ward", "unknown"),
    [
        ("Lizardmen - 8thBRB", "Saurus Warriors", "cold_blooded", None, {"Predatory Fighter"}),
        ("Lizardmen - 8thBRB", "Skink Cohort", "cold_blooded", None, {"Spawn-kin", "Aquatic"}),
        ("Skaven - 8thBRB", "Clanrats", "strength_in_numbers", None, {"Scurry Away!"}),
        ("Skaven - 8thBRB", "Lord Skreech - Verminking (The End Times)", "terror", "5+", None),
        ("Dwarfs - 8thBRB", "Slayers", "slayer", None, None),
        ("Beastmen - 8thBRB", "Gor Herd", "primal_fury", None, {"Beastmen Ambush"}),
    ],
)
def test_rules_that_the_data_names_are_in_force(
    shared: Path, book: str, name: str, rule: str, ward: str | None, unknown: set[str] | None
) -> None:
    """What is left unknown is none of these."""
    data = shared / "battlescribe" / "data" / "whfb"
    found = next(units(library_in(data, "Warhammer Fantasy 8th", book), named=name))
    (fighter,) = sides_from_roster(found.state)
    assert rule in rules_in_force.unit_rules(fighter.side)
    assert fighter.side.main.profile.Ward == ward
    told = {"Cold-Blooded", "Strength in Numbers", "Slayer", "Primal Fury", "Protection of the Horned Rat"}
    assert told.isdisjoint(fighter.unknown)
    assert unknown is None or set(fighter.unknown) == unknown
