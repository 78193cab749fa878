"""Units are found by the words players say."""

import pytest

from armybuilder.reference.unit_search import Searched, scores

UNITS = {
    "tactical": Searched("Tactical Squad Тактическое отделение", "Troops Bolter Power Fist Heart of the Legion"),
    "terminator": Searched("Cataphractii Terminator Squad Терминаторы-катафракты", "Elites Power Fist Combi-bolter"),
    "dreadnought": Searched("Contemptor Dreadnought Talon Коготь дредноутов", "Elites Gravis Autocannon"),
    "raiders": Searched("Land Raiders Лэнд Рейдеры", "Heavy Support Lascannon"),
    "boyz": Searched("Ork Boyz Орки-бойзы", "Mob Shoota Choppa"),
    "rhino": Searched("Rhino Transport Рино", "Dedicated Transport"),
}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tacs", ["tactical"]),
        ("терминатор", ["terminator"]),
        ("terminater", ["terminator"]),
        ("термосы", ["terminator"]),
        ("power fist", ["tactical", "terminator"]),
        ("pf", ["tactical", "terminator"]),
        ("powr fsit", ["tactical", "terminator"]),
        ("elites", ["dreadnought", "terminator"]),
        ("дред", ["dreadnought"]),
        ("elites autocannon", ["dreadnought"]),
        ("heart legion", ["tactical"]),
        ("landraider", ["raiders"]),
        ("лэндрейдеры", ["raiders"]),
        ("пацаны", ["boyz"]),
        ("rhino squad", []),
        ("zzzz", []),
        ("", ["boyz", "dreadnought", "raiders", "rhino", "tactical", "terminator"]),
    ],
)
def test_what_is_found(words: str, found: list[str]) -> None:
    assert sorted(scores(UNITS, words)) == found


def test_the_name_counts_more_than_what_it_may_carry() -> None:
    found = scores({"a": Searched("Predator", "Lascannon"), "b": Searched("Rhino", "Predator turret")}, "predator")
    assert found["a"] == 200
    assert found["b"] == 100


def test_the_nearest_word_is_the_best() -> None:
    found = scores(
        {"whole": Searched("Scout", ""), "begun": Searched("Scouts", ""), "like": Searched("Shout", "")}, "scout"
    )
    assert found["whole"] > found["begun"] > found["like"]
