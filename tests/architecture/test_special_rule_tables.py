"""The tables of special rules in the docs are those of the rows."""

from pathlib import Path

import pytest

from docs import special_rule_tables

ROOT = Path(__file__).parents[2]
EDITIONS = ROOT / "armybuilder" / "engine" / "systems"


def test_every_game_with_rows_is_in_the_tables() -> None:
    folders = {path.parents[1].name for path in EDITIONS.glob("*/combat/special_rules.toml")}
    assert folders == set(special_rule_tables.GAMES.values())


@pytest.mark.parametrize("name", special_rule_tables.TABLES)
def test_a_page_is_fresh(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page.count(special_rule_tables.BEGIN) == page.count(special_rule_tables.END) == 1
    assert special_rule_tables.pages()[name] == page, "make docs-tables"


def test_each_rule_stands_once_with_what_is_known_of_it() -> None:
    rows = special_rule_tables.pages()["matchups.md"].partition(special_rule_tables.BEGIN)[2].splitlines()
    cells = next(row for row in rows if row.startswith("| Horus Heresy")).split(" | ")
    assert "Rending, " in cells[1] and "Breaching [carried], " in cells[1] and "Sniper" in cells[2]
    assert "Outflank" in cells[4] and "Rending" not in "".join(cells[2:])
