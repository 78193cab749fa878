"""The table in docs/rules_from_lists.md: what fires from a list of the data that ships, what of the community data."""

import os
from collections.abc import Container, Iterator, Mapping
from itertools import chain
from pathlib import Path

import pytest

from armybuilder.engine.systems.game import LIST_RULES
from tests.armylists import (
    test_community_fantasy,
    test_rules_of_community_epic,
    test_rules_of_community_lists,
    test_verdicts,
    test_verdicts_epic,
    test_verdicts_fantasy,
    test_verdicts_wh40k_6th,
)
from tests.armylists.named_lists import lists_of
from tests.armylists.test_named_lists import DATA
from tests.heroes import test_verdicts as relic

PAGE = Path(__file__).parents[2] / "docs" / "rules_from_lists.md"
INTRODUCTION = """# Rules that a list can break

Each rule id, and whether a list breaks it that is built by the edits of a page: **shipped** with the game data that
ships, **community** with the community's. A dash says that no test does, and the column beside it why no list of that
data can. `tests/armylists/test_rule_table.py` compares the table with the tests; `REWRITE_GOLDEN=1` rewrites it.
"""

SHIPPED: Mapping[str, Mapping[str, object]] = {
    "horus-heresy": test_verdicts.FIRED,
    "wh40k-6th": test_verdicts_wh40k_6th.FIRED,
    "fantasy-8th": test_verdicts_fantasy.FIRED,
    "epic": test_verdicts_epic.FIRED,
    "relic": relic.FIRED,
}
WHY_NOT: Mapping[str, Mapping[str, str]] = {
    "horus-heresy": {**test_verdicts.COMMUNITY, **test_verdicts.NOT_HELD},
    "wh40k-6th": test_verdicts_wh40k_6th.NOT_HELD,
    "fantasy-8th": {**test_verdicts_fantasy.COMMUNITY, **test_verdicts_fantasy.NOT_HELD},
    "epic": test_verdicts_epic.NOT_HELD,
    "relic": relic.NOT_HELD,
}
WHY_NOT_COMMUNITY: Mapping[str, Mapping[str, str]] = {
    "horus-heresy": {
        **{rule: test_verdicts.NOT_HELD[rule] for rule in ("HH-18", "HH-22", "HH-33")},
        "HH-51": "every battery of the data has its crew",
        "HH-59": "no row of the data is out of bounds; other text than a number is left out as BS-05",
        "HH-60": "every vehicle of the data has its armour; other text than a number is left out as BS-05",
    },
    "wh40k-6th": test_verdicts_wh40k_6th.NOT_HELD,
    "fantasy-8th": {
        "WF-59": "of the units tried each takes one such weapon in place of the other",
        **test_verdicts_fantasy.NOT_HELD,
        "WF-28": "the data offers a magic banner below the standard bearer alone; without him it is gone",
        "WF-60": "a spear of the data has a row on foot and one mounted, and is read as who carries it fights",
    },
    "epic": {
        "EP-03": test_verdicts_epic.NOT_HELD["EP-03"],
        "EP-07": "the cost of a formation is what its selections cost, never missing or negative in the data",
        "EP-08": "every type of the data is one of the rulebook's",
        "EP-09": test_verdicts_epic.NOT_HELD["EP-09"],
        "EP-11": "every aircraft of the data has its class",
        "EP-12": "what the data prints is a falling track; of an engine that prints none it is said as BS-05",
        "EP-35": "a value that a datasheet leaves out is read from the text of the rule",
        "EP-36": "firepower of both kinds is read as two ways to fire one weapon",
    },
}
"""Why no list of the community's data breaks a rule, where that is known."""

ELSEWHERE = {
    "horus-heresy": {"HH-03", "HH-39", "HH-43", "HH-58"},  # test_community_horus_heresy.py
    "wh40k-6th": {"W6L-15"},  # test_community_wh40k_6th.py
    "fantasy-8th": {*test_community_fantasy.RECIPES, "WF-75", "WFX-06"},
    "epic": {"EPL-05", *test_rules_of_community_epic.FIRED},  # test_community_epic.py
}


def community(game: str) -> set[str]:
    """Rules that fire from lists of the community's data."""
    found = set(test_rules_of_community_lists.FIRED.get(game, ())) | ELSEWHERE.get(game, set())
    found |= test_rules_of_community_lists.REMINDERS.get(game, set())
    if game in DATA:
        found.update(chain.from_iterable(spoil.rules for wanted in lists_of(game) for spoil in wanted.spoils))
    return found


def page() -> str:
    """The page as it has to be."""
    lines = [INTRODUCTION]
    for game, shipped in SHIPPED.items():
        seen = community(game)
        ids = list(LIST_RULES[game].rules.rules)
        told = f"{sum(one in shipped for one in ids)} shipped"
        if game in DATA:
            told += f", {len(seen & set(ids))} community"
        lines += [f"## {game}", "", f"{len(ids)} rules: {told}.", ""]
        lines += _table(game, ids, shipped, seen) if game in DATA else _shipped_only(game, ids, shipped)
        lines.append("")
    return "\n".join(lines)


def _table(game: str, ids: list[str], shipped: Container[str], seen: Container[str]) -> Iterator[str]:
    """A row a rule, a mark and a reason for either data."""
    yield "| rule | shipped | why not | community | why not |"
    yield "|---|---|---|---|---|"
    for one in ids:
        ours, theirs = WHY_NOT[game].get(one, ""), WHY_NOT_COMMUNITY.get(game, {}).get(one, "")
        yield f"| {one} | {_mark(one, shipped)} | {ours} | {_mark(one, seen)} | {theirs} |"


def _shipped_only(game: str, ids: list[str], shipped: Container[str]) -> Iterator[str]:
    """Of a game for which there is no data of the community's."""
    yield "| rule | shipped | why not |"
    yield "|---|---|---|"
    for one in ids:
        yield f"| {one} | {_mark(one, shipped)} | {WHY_NOT[game].get(one, '')} |"


def _mark(rule: str, fired: Container[str]) -> str:
    return "fires" if rule in fired else "–"


def test_the_table_has_every_game() -> None:
    assert set(SHIPPED) == set(WHY_NOT) == set(LIST_RULES)


@pytest.mark.parametrize("game", WHY_NOT_COMMUNITY)
def test_what_no_list_of_the_communitys_data_breaks_says_why(game: str) -> None:
    """A rule fires or has a reason, never both."""
    told = WHY_NOT_COMMUNITY[game]
    assert all(told.values())
    assert set(told) == set(LIST_RULES[game].rules.rules) - community(game)


def test_the_table_is_what_the_tests_see() -> None:
    if "REWRITE_GOLDEN" in os.environ:
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()
