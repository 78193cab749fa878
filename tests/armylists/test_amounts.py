"""So many of something, where the name may count too."""

import pytest

from armybuilder.armylists.amounts import changed, counted


@pytest.mark.parametrize(
    ("number", "name", "words"),
    [
        (3, "Rhino", "3 × Rhino"),
        (1, "7x Chimera", "7 × Chimera"),
        (2, "4× «Химера»", "8 × «Химера»"),
        (1, "1x Sniper Squad, 3x Scout Squads", "1x Sniper Squad, 3x Scout Squads"),
        (2, "1x Sniper Squad, 3x Scout Squads", "2 × (1x Sniper Squad, 3x Scout Squads)"),
    ],
)
def test_so_many(number: int, name: str, words: str) -> None:
    assert counted(number, name) == words


@pytest.mark.parametrize(
    ("before", "after", "name", "words"),
    [
        (5, 10, "Legionary", "5 → 10 × Legionary"),
        (0, 1, "7x Chimera", "0 → 7 × Chimera"),
        (1, 2, "1x Sniper Squad, 3x Scout Squads", "1 → 2 × 1x Sniper Squad, 3x Scout Squads"),
    ],
)
def test_changed(before: int, after: int, name: str, words: str) -> None:
    assert changed(before, after, name) == words
