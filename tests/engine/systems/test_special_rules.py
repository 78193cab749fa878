"""Printed special rules in one normal form, and tables whose rows are refused when they contradict themselves."""

import time
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.systems.special_rules import (
    LONGEST_PRINTED,
    BadSpecialRules,
    SpecialRuleTable,
    normal_name,
    parse_rule,
)

PLACES = frozenset({"shooting", "blows"})
RENDING = {"name": "Rending", "status": "modelled", "source": "L3253 [text]", "counts": ["shooting"]}
SCOUT = {"name": "Scout", "status": "no_part", "source": "L3271 [text]"}


def table(**rows: dict[str, Any]) -> SpecialRuleTable:
    return SpecialRuleTable(rows, PLACES, at="special_rules.toml")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Rending (6+)", "rending", "6+"),
        ("  RENDING  ( 6+ ) ", "rending", "6+"),
        ("Armourbane (Melee)", "armourbane", "Melee"),
        ("Deadly Cargo", "deadly cargo", None),
        ("Invulnerable Save 4+", "invulnerable save", "4+"),
        ("Poisoned Attacks (4+)", "poisoned attacks", "4+"),
        ("Feel No Pain 5+", "feel no pain", "5+"),
        ("Hammer of Wrath D3", "hammer of wrath", "D3"),
        ("Multiple Shots x2", "multiple shots", "2"),
        ("Multiple Shots x 2", "multiple shots", "2"),
        ("Random Attacks D6+1", "random attacks", "D6+1"),
        ("Ядовитые атаки (4+)", "ядовитые атаки", "4+"),
        ("Таранные удары К6", "таранные удары", "К6"),
        ("Counter-Attack (X) (1)", "counter attack", "1"),
        ("Hatred (X)", "hatred", "X"),
        ("Hammer of Wrath (1) [(2) if Infernal Tempest Dominion]", "hammer of wrath", "1"),
        ("Legiones Astartes (Dark Angels (The Lion))", "legiones astartes", "Dark Angels (The Lion)"),
        ("Duellist’s Edge* (2)", "duellists edge", "2"),
        ("Gets Hot!", "gets hot", None),
        ("Rending ()", "rending", None),
        ("Rending (6+", "rending 6+", None),
        ("Rending 6+)", "rending 6+", None),
        ("6+", "6+", None),
        ("", "", None),
    ],
)
def test_how_a_printed_rule_is_read(text: str, name: str, value: str | None) -> None:
    assert parse_rule(text) == (name, value)


@pytest.mark.parametrize("text", ["Two-handed", "two – handed", "TWO‑HANDED", "Two handed."])
def test_a_name_has_one_normal_form(text: str) -> None:
    assert normal_name(text) == "two handed"


@pytest.mark.parametrize("sign", ["-", "(", ")", "[", "]", "3", "3 ", " ", "x ", "()", "(x)", "3+", "’", "ẞ", "\ud800"])
@pytest.mark.parametrize("tail", ["", "a", ")", "]"])
def test_no_text_takes_long(sign: str, tail: str) -> None:
    rules = table(rending=RENDING)
    for length in (LONGEST_PRINTED, 100_000):
        begun = time.process_time()
        rules.read("Rending " + sign * (length // len(sign)) + tail)
        assert time.process_time() - begun < 0.1


def test_a_text_too_long_for_a_rule_is_none() -> None:
    rules = table(rending=RENDING)
    text = "Rending" + " " * LONGEST_PRINTED
    assert parse_rule(text) == ("", None) and rules.read(text) == ("", None)
    assert rules.find(text) is None and rules.is_gap(text)


def test_rules_are_found_by_every_name() -> None:
    rules = table(rending={**RENDING, "aliases": ["Rends", "Разрывание", 'Large (5") Rending']}, scout=SCOUT)
    for text in ("rending", "Rending (5+)", "rends 5+", "разрывание", 'Large (5") rending'):
        assert rules.find(text) is rules.rules["rending"]
    assert rules.read("Rends (5+)") == ("rending", "5+")
    assert rules.read("Whispering Death (3)") == ("whispering death", "3")


def test_what_rows_answer() -> None:
    how = {"en": "roughly", "ru": "примерно"}
    roughly = {"name": "Blast", "status": "approximated", "source": "L1", "counts": ["shooting", "blows"], "how": how}
    rules = table(
        rending=RENDING,
        blast={**roughly, "battle": "left_out"},
        scout=SCOUT,
        lance={"name": "Lance", "status": "not_simulated", "source": "[carried]"},
    )
    assert rules.counting_in("shooting") == {"rending", "blast"} and rules.counting_in("blows") == {"blast"}
    assert rules.in_figures == {"rending", "blast"} and rules.with_status("no_part") == {"scout"}
    assert [rules.is_gap(text) for text in ("Rending (6+)", "Blast", "Scout", "Lance", "Unheard Of")] == [
        False, False, False, True, True,
    ]  # fmt: skip
    assert rules.rules["lance"].is_carried and not rules.rules["rending"].is_carried
    assert not rules.rules["scout"].affects_combat and rules.rules["lance"].affects_combat


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ({"rending": {**RENDING, "counts": ["shoting"]}}, "'shoting', which is none of blows, shooting"),
        ({"rending": {**RENDING, "counts": []}}, "counts nowhere"),
        ({"rending": {**RENDING, "status": "sometimes"}}, "Invalid enum value 'sometimes'"),
        ({"rending": {**RENDING, "status": "approximated"}}, "not said how"),
        ({"rending": {**RENDING, "how": {"en": "roughly", "ru": ""}}}, "lacks words in one language"),
        ({"rending": {**RENDING, "how": {"en": "roughly"}}}, "missing required field `ru`"),
        ({"rending": {**RENDING, "battle": "approximated"}}, "battle_how"),
        ({"rending": {**RENDING, "battle_how": {"en": "a", "ru": "б"}}}, "battle_how"),
        ({"rending": {**RENDING, "colour": "red"}}, "unknown field `colour`"),
        ({"rending": {**RENDING, "aliases": ["*" * 3]}}, "a name that nobody can print"),
        ({"rending": {**RENDING, "aliases": ["a" * 201]}}, "a name that nobody can print"),
        ({"rending": {"name": "Rending"}}, "missing required field `status`"),
        ({"rending": "modelled"}, "rending"),
        ({"scout": {**SCOUT, "counts": ["blows"]}}, "counts somewhere"),
        ({"rending": RENDING, "rends": {**RENDING, "name": "Rends", "aliases": ["RENDING"]}}, "both called 'rending'"),
    ],
)
def test_rows_that_cannot_be_used_are_refused(rows: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadSpecialRules, match=r"special_rules\.toml: ") as refused:
        table(**rows)
    assert fault in str(refused.value)


def test_a_table_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "special_rules.toml"
    path.write_text('[rending]\nname = "Rending"\nstatus = "modelled"\nsource = "L1"\ncounts = ["blows"]\n')
    assert SpecialRuleTable.load(path, PLACES).rules["rending"].counts == ("blows",)
    path.write_text("[rending\n")
    with pytest.raises(BadSpecialRules, match=r"special_rules\.toml: "):
        SpecialRuleTable.load(path, PLACES)


def test_a_rule_of_an_army_book_is_read_as_the_one_it_stands_for() -> None:
    book = {"name": "Eviscerating", "status": "modelled", "source": "[carried]"}
    found = table(rending=RENDING, eviscerating=book | {"stands_for": "rending", "value": "5+"})
    assert found.read("Eviscerating") == found.read("Rending (5+)") == ("rending", "5+")
    row = found.find("eviscerating")
    assert row is not None
    assert row.is_carried
    with pytest.raises(BadSpecialRules, match="stands for 'scout', which has no row of its own"):
        table(rending=RENDING, eviscerating=book | {"stands_for": "scout"})


def test_brackets_without_a_word_are_no_part_of_a_name() -> None:
    assert table(rending=RENDING).read("Rending (*)") == ("rending", "*")


def test_the_number_of_a_name_does_not_matter() -> None:
    rows = {
        "leader": {"name": "Leader", "status": "no_part", "source": "L1 [text]"},
        "jump packs": {"name": "Jump Packs", "status": "no_part", "source": "L2 [text]"},
        "fury": {"name": "Fury", "status": "no_part", "source": "L3 [text]"},
        "furies": {"name": "Furies", "status": "no_part", "source": "L4 [text]"},
    }
    table = SpecialRuleTable(rows, {"attacks"}, at="rows")
    printed = ("Leaders", "Jump Pack", "jump-packs (2)", "Fury", "Furies", "Fearless")
    assert [table.read(text).name for text in printed] == [
        "leader", "jump packs", "jump packs", "fury", "furies", "fearless",
    ]  # fmt: skip
