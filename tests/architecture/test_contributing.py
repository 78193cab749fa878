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


def test_every_decision_is_listed_and_has_its_parts() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs/decisions").glob("*.md"):
        if page.name != "README.md":
            assert f"({page.name})" in index
            headings = re.findall(r"(?m)^## (.*)$", page.read_text(encoding="utf-8"))
            assert headings == ["Context", "Decision", "Consequences"], page.name
