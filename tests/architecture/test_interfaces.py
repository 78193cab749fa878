"""Pages and the API ask `queries.py`: no ORM call stands in an interface."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("api", "armybuilder/web", "armybuilder/management")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
MANAGERS = ("objects", "_default_manager", "_base_manager")
LOOKUPS = (
    "filter",
    "exclude",
    "order_by",
    "annotate",
    "aggregate",
    "values_list",
    "select_related",
    "prefetch_related",
)
OF_TEMPLATES = "register"
"""`register.filter` makes a filter of templates."""


def orm_calls(source: str) -> list[str]:
    """Managers of models that a text reaches for and rows it chooses or sorts, with their lines."""
    return [
        f"line {node.lineno}: .{node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and (node.attr in MANAGERS or node.attr in LOOKUPS)
        and not (isinstance(node.value, ast.Name) and node.value.id == OF_TEMPLATES)
    ]


def test_a_call_is_seen() -> None:
    assert orm_calls("rows = ArmyList.objects.all()\n") == ["line 1: .objects"]
    assert orm_calls("rows = lists.filter(system=1)\n") == ["line 1: .filter"]
    assert orm_calls("register.filter(written)\n") == []
    assert orm_calls("rows = queries.lists()\n") == []


def test_an_interface_makes_no_orm_call() -> None:
    assert len(FILES) > 100
    calls = {str(path.relative_to(ROOT)): orm_calls(path.read_text(encoding="utf-8")) for path in FILES}
    assert {path: found for path, found in calls.items() if found} == {}
