"""Pages and the API ask `queries.py`: no ORM call stands in an interface."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "api").rglob("*.py"), *(ROOT / "armybuilder" / "web").rglob("*.py")])
MANAGERS = ("objects", "_default_manager", "_base_manager")


def orm_calls(source: str) -> list[str]:
    """Managers of models that a text reaches for, with their lines."""
    return [
        f"line {node.lineno}: .{node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr in MANAGERS
    ]


def test_a_call_is_seen() -> None:
    assert orm_calls("rows = ArmyList.objects.all()\n") == ["line 1: .objects"]
    assert orm_calls("rows = queries.lists()\n") == []


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_an_interface_makes_no_orm_call(path: Path) -> None:
    assert orm_calls(path.read_text(encoding="utf-8")) == []
