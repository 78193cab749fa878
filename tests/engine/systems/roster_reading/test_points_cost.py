"""Which cost is points: by its name, among the types that players are shown."""

import pytest

from armybuilder.engine.gamedata.library_facts import CostType
from armybuilder.engine.systems.roster_reading.points_cost import points_type


@pytest.mark.parametrize(
    ("case", "names", "points"),
    [
        ("the only one", ["pts"], "pts"),
        ("a name with its limit", ["PL", "Points (2000)"], "Points (2000)"),
        ("the singular", ["PL", "Point"], "Point"),
        ("a blank in front and a full stop behind", [" PL", " Pts."], " Pts."),
        ("in Russian", ["Сила", "Очки"], "Очки"),
        ("a plain name before one with more behind it", ["Points of glory", "pts"], "pts"),
        ("a word that only begins alike", ["Pointless", "pts"], "pts"),
        ("no name says it", ["Fuel", "Crew"], "Fuel"),
        ("a hidden one while others are shown", ["-pts", "PL"], "PL"),
        ("a hidden one while nothing is shown", ["-XP", "-pts"], "-pts"),
        ("no types at all", [], None),
    ],
)
def test_points_type(case: str, names: list[str], points: str | None) -> None:
    """A name that begins with a dash is hidden by its data."""
    types = [CostType(name, name.removeprefix("-"), None, name.startswith("-")) for name in names]
    assert points_type(types) == points, case
