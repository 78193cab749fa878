"""One word for one thing: no two public classes of a package share a name."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERATED = {"migrations", "commands"}
"""Folders whose classes Django names: every migration is a Migration, every command a Command."""

FOLDERS = sorted(
    {
        path.parent
        for part in ("armybuilder", "api")
        for path in (ROOT / part).rglob("*.py")
        if not GENERATED & set(path.parts)
    }
)


def homonyms(folder: Path) -> dict[str, list[str]]:
    """Public classes that more than one module of this folder defines, with these modules."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.name)
    return {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_a_package_uses_a_class_name_once() -> None:
    assert len(FOLDERS) > 40
    shared = {str(folder.relative_to(ROOT)): homonyms(folder) for folder in FOLDERS}
    assert {folder: names for folder, names in shared.items() if names} == {}


def test_homonyms_are_found(tmp_path: Path) -> None:
    (tmp_path / "army.py").write_text("class Unit: ...\nclass _Row: ...\nclass Side: ...\n", encoding="utf-8")
    (tmp_path / "matchup.py").write_text("class Unit: ...\nclass _Row: ...\n", encoding="utf-8")
    assert homonyms(tmp_path) == {"Unit": ["army.py", "matchup.py"]}
