"""What an army list allows: EPL-01 to EPL-09."""

# ruff: noqa: E501 - a row of a table is a line

from typing import Any

import pytest

from armybuilder.engine.systems.epic.list_rules import army_list


def assert_fires(rule: str, found: Any, fires: bool) -> None:
    assert [finding.rule for finding in found] == ([rule] if fires else [])


@pytest.mark.parametrize(("n", "fires"), [(4, False), (3, True), (6, False), (7, True)])
def test_epl_01(n: int, fires: bool) -> None:
    assert_fires("EPL-01", army_list.unit_number("Squad", n, least=4, most=6), fires)


@pytest.mark.parametrize(
    ("n", "least", "most", "en", "ru"),
    [
        (0, 6, 6, "Aspects: choose 6; none is chosen yet.", "Выбор «Aspects»: выберите 6; пока не выбрано ничего."),
        (0, 1, 2, "Aspects: choose 1 to 2; none is chosen yet.", "Выбор «Aspects»: выберите от 1 до 2; пока не выбрано ничего."),
        (0, 2, None, "Aspects: choose at least 2; none is chosen yet.", "Выбор «Aspects»: выберите не меньше 2; пока не выбрано ничего."),
        (3, 6, 6, "Aspects: 3 taken, allowed: exactly 6.", "Выбор «Aspects»: взято 3, допустимо: ровно 6."),
        (3, 0, 2, "Aspects: 3 taken, allowed: at most 2.", "Выбор «Aspects»: взято 3, допустимо: не больше 2."),
        (3, 1, 2, "Aspects: 3 taken, allowed: 1 to 2.", "Выбор «Aspects»: взято 3, допустимо: от 1 до 2."),
        (1, 2, None, "Aspects: 1 taken, allowed: at least 2.", "Выбор «Aspects»: взято 1, допустимо: не меньше 2."),
    ],
)  # fmt: skip
def test_a_choice_is_asked_for_in_words(n: int, least: int, most: int | None, en: str, ru: str) -> None:
    [found] = army_list.unit_number("Aspects", n, least=least, most=most)
    assert (found.message.en, found.message.ru) == (en, ru)


@pytest.mark.parametrize(("name", "fires"), [("Captain", False), ("Titan", True)])
def test_epl_02(name: str, fires: bool) -> None:
    assert_fires("EPL-02", army_list.upgrades([name], offered={"Captain": None}), fires)


@pytest.mark.parametrize(("n", "fires"), [(1, False), (2, True)])
def test_epl_03(n: int, fires: bool) -> None:
    assert_fires("EPL-03", army_list.upgrades(["Captain"] * n, offered={"Captain": 1}), fires)


@pytest.mark.parametrize(("n", "fires"), [(1, False), (0, True), (2, False), (3, True)])
def test_epl_04(n: int, fires: bool) -> None:
    assert_fires("EPL-04", army_list.formation_number("Company", n, least=1, most=2), fires)


@pytest.mark.parametrize(("points", "fires"), [(1000, False), (1001, True)])
def test_epl_05(points: int, fires: bool) -> None:
    assert_fires("EPL-05", army_list.section_share("Allies", points, limit=1000), fires)


@pytest.mark.parametrize(("n", "fires"), [(4, False), (5, True)])
def test_epl_06(n: int, fires: bool) -> None:
    assert_fires("EPL-06", army_list.section_per_core("Support", n, core=2, per_core=2), fires)


@pytest.mark.parametrize(("n", "fires"), [(1, False), (2, True)])
def test_epl_07(n: int, fires: bool) -> None:
    assert_fires("EPL-07", army_list.unique_choices(["Warlord"] * n, unique=frozenset({"Warlord"})), fires)


@pytest.mark.parametrize(("n", "fires"), [(2, False), (3, True)])
def test_epl_08(n: int, fires: bool) -> None:
    assert_fires("EPL-08", army_list.replaced_units(n, have=2), fires)


@pytest.mark.parametrize(("name", "fires"), [("Company", False), ("Coven", True)])
def test_epl_09(name: str, fires: bool) -> None:
    found = army_list.listed_formations([name], offered=frozenset({"Company"}), army_list="Guard")
    assert_fires("EPL-09", found, fires)


def test_a_formation_that_nothing_allows_is_said_to_be_none() -> None:
    """It stood on the page as “1, allowed 0–0”."""
    [found] = army_list.formation_number("Forlorn Hope", 1, least=0, most=0)
    assert found.message.en == "“Forlorn Hope”: 1 taken, allowed: none."
    assert found.message.ru == "Формация «Forlorn Hope»: взято 1, допустимо: ни одной."
