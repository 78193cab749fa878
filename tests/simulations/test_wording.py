"""Every circumstance and attack of every game that can be fought has words in both languages."""

import re
from typing import Literal, get_args, get_origin

import msgspec
import pytest

from armybuilder.engine.systems.game import LIST_RULES, has_matchups, matchup_rules_of, words_of
from armybuilder.simulations import wording

GAMES = [system for system in LIST_RULES if has_matchups(system)]
LATIN, CYRILLIC = re.compile("[A-Za-z]"), re.compile("[А-Яа-я]")


def test_a_game_can_be_fought() -> None:
    assert "horus-heresy" in GAMES


@pytest.mark.parametrize("system", GAMES)
def test_words_of_circumstances(system: str) -> None:
    stated = {}
    for member in msgspec.structs.fields(matchup_rules_of(system).conditions):
        words = words_of(system).conditions[member.name]
        for text in filter(None, (words.label, words.described, words.negated)):
            assert CYRILLIC.search(text.ru), f"{member.name}: {text.ru}"
            assert not LATIN.search(text.ru.replace("{value}", "")), f"{member.name}: {text.ru}"
            assert not CYRILLIC.search(text.en), f"{member.name}: {text.en}"
        stated[member.name] = True if member.type is bool else 3
        for kind in (member.type, *get_args(member.type)):
            for value in get_args(kind) if get_origin(kind) is Literal else ():
                assert not LATIN.search(words_of(system).value(value).ru), f"{member.name}: {value}"
    assert len(list(wording.described_conditions(system, stated))) == len(stated)


@pytest.mark.parametrize("system", GAMES)
def test_words_of_attacks(system: str) -> None:
    field = matchup_rules_of(system)
    assert set(field.matrix) <= set(field.attacks)
    for attack in (*field.attacks, *field.occasions):
        words = words_of(system).attacks[attack]
        for text in (words.name, words.pair, words.mine, words.theirs):
            assert CYRILLIC.search(text.ru), attack
            assert not LATIN.search(text.ru.format(a="", b="")), attack


def test_what_does_not_hold_is_said_only_where_it_matters() -> None:
    texts = [
        text.en
        for text in wording.described_conditions("horus-heresy", {"distance": 12.0, "moved": False, "charge": False})
    ]
    assert texts == ["distance 12 inches", "my units stood still"]


@pytest.mark.parametrize("system", GAMES)
def test_every_special_case_has_a_heading(system: str) -> None:
    words = words_of(system)
    assert {one.special for one in words.conditions.values() if one.special} <= set(words.special_cases)
    stated = [words.conditions[name].special for name in matchup_rules_of(system).conditions.__struct_fields__]
    assert None in stated and len(set(stated)) > 1
