"""Names that people wrote, compared with names of the data; what is kept of them in memory."""

from uuid import uuid4

import pytest

from armybuilder.armylists.imports import name_matching
from armybuilder.armylists.imports.name_matching import LIKELY, Directory, normal


def test_of_what_somebody_pasted_a_process_keeps_little() -> None:
    directory: Directory[str] = Directory()
    directory.add("squad", ["Tactical Squad"])
    directory.guesses("tactical squads", key=str)
    kept = name_matching._pieces_of_data.cache_info().currsize, name_matching._kept_normal.cache_info().currsize
    long = [f"{uuid4()} " * 500 for _ in range(20)]
    assert [directory.guesses(text, key=str) for text in long] == [[]] * 20
    assert directory.guesses(f"tactical squad {uuid4()}", key=str)
    assert len(normal(long[0])) > 10_000
    now = name_matching._pieces_of_data.cache_info().currsize, name_matching._kept_normal.cache_info().currsize
    assert now == (kept[0], kept[1] + 1)


def test_numbers_tell_names_apart_and_the_order_of_words_does_not() -> None:
    """ "Level 4 Wizard" was taken for "Wizard Level 1", which begins alike."""
    levels: Directory[str] = Directory()
    for number in (1, 2, 3, 4):
        levels.add(f"level {number}", [f"Wizard Level {number}"])
    best, *others = levels.guesses("Level 4 Wizard", key=str)
    assert (best.meant, best.confidence) == ("level 4", 99)
    assert all(one.confidence < LIKELY for one in others)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("KFF", ["Kustom Force Field"]),
        ("klaw", ["Power Klaw"]),
        ("power klaw", ["Power Klaw", "Power Fist"]),
        ("fist", ["Power Fist", "Chain Fist"]),
        ("PF", ["Power Fist"]),
        ("x", []),
    ],
)
def test_initials_and_single_words_stand_for_a_name(words: str, found: list[str]) -> None:
    """The only one meant is taken with doubt, several are offered; they had no suggestion at all."""
    options: Directory[str] = Directory()
    for name in ("Kustom Force Field", "Power Klaw", "Power Fist", "Chain Fist"):
        options.add(name, [name])
    guesses = options.guesses(words, key=str, takes_short=True)
    assert [guess.meant for guess in guesses][: len(found)] == found
    if words in ("KFF", "klaw"):
        assert all(guess.confidence < LIKELY for guess in options.guesses(words, key=str))  # as units are looked up
    assert sum(guess.confidence >= LIKELY for guess in guesses) == (words in ("KFF", "klaw", "power klaw", "PF"))
