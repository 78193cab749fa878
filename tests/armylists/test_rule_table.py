"""The table in docs/rules_from_lists.md: what fires from a list of the data that ships, what of the community data."""

import os
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

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
ships, **community** with the community's. A dash says that no test does; what a list of the shipped data cannot hold
says why. `tests/armylists/test_rule_table.py` compares the table with the tests; `REWRITE_GOLDEN=1` rewrites it.
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
    "fantasy-8th": test_verdicts_fantasy.NOT_HELD,
    "epic": test_verdicts_epic.NOT_HELD,
    "relic": relic.NOT_HELD,
}
ELSEWHERE = {
    "horus-heresy": {"HH-03", "HH-39", "HH-43", "HH-58"},  # test_community_horus_heresy.py
    "wh40k-6th": {"W6-05"},  # test_units_alone_wh40k_6th.py
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
        lines += ["| rule | shipped | community | why not |", "|---|---|---|---|"]
        for one in ids:
            marks = ("fires" if one in shipped else "–", "fires" if one in seen else "–")
            lines.append(f"| {one} | {marks[0]} | {marks[1]} | {WHY_NOT[game].get(one, '')} |")
        lines.append("")
    return "\n".join(lines)


def test_the_table_has_every_game() -> None:
    assert set(SHIPPED) == set(WHY_NOT) == set(LIST_RULES)


def test_the_table_is_what_the_tests_see() -> None:
    if "REWRITE_GOLDEN" in os.environ:
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()
