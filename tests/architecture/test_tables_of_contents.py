"""The docstring of a game's folder is its table of contents, and names files that are there."""

import ast
import re
from pathlib import Path

import pytest

from armybuilder.engine.systems import game

SYSTEMS = Path(__file__).parents[2] / "armybuilder" / "engine" / "systems"
GAMES = sorted(path.parent for path in SYSTEMS.glob("*/game.py"))


def test_games_are_found() -> None:
    assert len(GAMES) == len(game.GAMES)


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_what_a_table_names_is_there(folder: Path) -> None:
    named = named_in(folder)
    assert folder / "game.py" in named and folder / "list_rules" / "rules.toml" in named
    assert not [path for path in named if not path.is_file()]


def named_in(folder: Path) -> set[Path]:
    """The files of a table; a row with nothing but `combat/` says where those below it stand."""
    found: set[Path] = set()
    room = folder
    for line in (ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or "").splitlines():
        if header := re.fullmatch(r"\| `(\w+)/` \| \|", line):
            room = folder / header[1]
        found.update((room / name).resolve() for name in re.findall(r"`([\w/.]+\.(?:py|toml))`", line))
    return found
