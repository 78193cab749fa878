"""What a newcomer is told is true: the paths and links of recipes, decisions and glossary lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

GUIDES = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "glossary.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))]
PATH = re.compile(
    r"`((?:armybuilder|api|tests|templates|docs|fixtures|bench|\.ci)/[\w./<>-]*|[A-Z]+\.md|[\w.-]+\.(?:toml|yaml))`"
)
GAMES = [folder.parent.name for folder in (ROOT / "armybuilder/engine/systems").glob("*/game.py")]
NAME = re.compile(r"`(_?[A-Z][A-Za-z_]{2,}|test_\w+)`")
"""What recipes call in code: tables, classes, tests."""
IN_EVERY_GAME = {"rules.toml", "special_rules.toml", "target_profiles.toml", "words.toml"}
"""Files that stand in the folders of games and are named without them."""


def paths_of(text: str) -> list[str]:
    return [path for path in PATH.findall(text) if path not in IN_EVERY_GAME]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_path_of_a_guide_exists(guide: Path) -> None:
    missing = []
    for path in paths_of(guide.read_text(encoding="utf-8")):
        meant = [path.replace("<game>", game) for game in GAMES] if "<game>" in path else [path]
        if not any((ROOT / one).exists() for one in meant):
            missing.append(path)
    assert missing == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_link_of_a_guide_leads_to_a_file(guide: Path) -> None:
    links = [
        link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", guide.read_text(encoding="utf-8")) if "://" not in link
    ]
    assert [link for link in links if not (guide.parent / link).exists()] == []


def test_every_recipe_names_its_files() -> None:
    recipes = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n### ")[1:]
    assert len(recipes) >= 5
    for recipe in recipes:
        assert len(paths_of(recipe)) >= 4, recipe.splitlines()[0]


def rows_of_recipes() -> list[str]:
    recipes = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Recipes")[2]
    return [line for line in recipes.splitlines() if line.startswith("| `")]


def texts_of(row: str) -> str:
    """Everything in the files that a row names, of every game that has them."""
    meant = [ROOT / path.replace("<game>", game) for path in paths_of(row) for game in GAMES]
    return "".join(path.read_text(encoding="utf-8") for path in set(meant) if path.is_file())


def names_not_found(row: str) -> list[str]:
    """What a row says of its files and they do not have."""
    text = texts_of(row)
    return [name for name in NAME.findall(row) if name not in text]


def test_a_name_that_is_gone_is_seen() -> None:
    row = "| `armybuilder/accounts/scopes.py` | in `PARTS` its first word, in `NOWHERE` too, as `test_of_none` says |"
    assert names_not_found(row) == ["NOWHERE", "test_of_none"]


def test_a_row_names_what_stands_in_its_files() -> None:
    assert len(rows_of_recipes()) > 50
    assert {row.split("|")[1]: found for row in rows_of_recipes() if (found := names_not_found(row))} == {}


def test_every_command_exists() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    named = set(re.findall(r"(?:`|^|= )make ([a-z-]+)", guide, re.MULTILINE))
    assert {"check", "golden", "examples"} <= named <= targets


def test_every_decision_is_listed_and_has_its_parts() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs/decisions").glob("*.md"):
        if page.name != "README.md":
            assert f"({page.name})" in index
            headings = re.findall(r"(?m)^## (.*)$", page.read_text(encoding="utf-8"))
            assert headings == ["Context", "Decision", "Consequences"], page.name
