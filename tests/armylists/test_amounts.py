"""So many of something, where the name may count too."""

import pytest

from armybuilder.armylists.amounts import TIMES, changed, counted, counted_words, kinds_in


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


@pytest.mark.parametrize(
    ("number", "name", "in_texts", "on_pages"),
    [
        (1, "Rhino", "Rhino", "Rhino"),
        (3, "Rhino", "3x Rhino", "3\u00a0× Rhino"),
        (1, "7x Chimera", "7x Chimera", "7\u00a0× Chimera"),
        (2, "7x Chimera", "2x (7x Chimera)", "14\u00a0× Chimera"),
    ],
)
def test_words_with_a_sign(number: int, name: str, in_texts: str, on_pages: str) -> None:
    assert counted_words(number, name, "x") == in_texts
    assert counted_words(number, name, TIMES) == on_pages


@pytest.mark.parametrize(
    ("number", "name", "kinds"),
    [
        (3, "Rhino", ((3, "Rhino"),)),
        (2, "7x Chimera", ((14, "Chimera"),)),
        (1, "4x Thunderers, 2x Warriors", ((4, "Thunderers"), (2, "Warriors"))),
        (9, "Grey Slayer w/Combat Shield, Fenrisian Axe", ((9, "Grey Slayer w/Combat Shield, Fenrisian Axe"),)),
    ],
)
def test_what_a_name_counts(number: int, name: str, kinds: tuple[tuple[int, str], ...]) -> None:
    assert kinds_in(number, name) == kinds
