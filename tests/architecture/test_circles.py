"""No modules import each other in a circle, neither inside functions nor for types alone.

A circle means that none of its modules can be read, tested or moved without the others.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("armybuilder", "api")


def _modules() -> dict[str, Path]:
    """Every module of the product by its dotted name; a package bears the name of its folder."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imported(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules a file imports, wherever in it the statement stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in modules else node.module


def circles_of(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules of which each can be reached from each other, by Tarjan's way of finding them."""
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(imports[module]):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = stack.index(module)
            group, stack[at:] = stack[at:], []
            if len(group) > 1 or module in imports[module]:
                found.append(sorted(group))

    for module in imports:
        if module not in number:
            visit(module)
    return found


def test_a_circle_is_found() -> None:
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": {"e"}, "e": set(), "f": {"f"}}
    assert sorted(circles_of(imports)) == [["b", "c"], ["f"]]


def test_no_modules_import_each_other() -> None:
    modules = _modules()
    imports = {name: set(_imported(path, modules)) for name, path in modules.items()}
    assert sum(map(len, imports.values())) > 1000, "the imports are read"
    assert circles_of(imports) == []
