"""Every rule of every pack has two messages, a source, and a test of its boundary.

The boundary pair is found by its name: rule `HH-30` is tested by a function whose name begins with `test_hh_30`, and
whose `pytest.mark.parametrize` has a column `fires` with both True and False: the last legal value and the first
illegal one. A rule that always speaks has a column `speaks` with at least two different values instead.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.rule_table import Rule

ROOT = Path(__file__).parents[2]
SYSTEMS = ROOT / "armybuilder" / "engine" / "systems"
TESTS = ROOT / "tests" / "engine" / "systems"
PACK_FOLDERS = sorted(path.parts[-3] for path in SYSTEMS.glob("*/list_rules/rules.toml"))


def written(folder: str) -> list[str]:
    """The ids in a pack's file of rules."""
    file = SYSTEMS / folder / "list_rules" / "rules.toml"
    return [rule for rule in tomllib.loads(file.read_text(encoding="utf-8")) if rule != "settings"]


def table(folder: str) -> dict[str, Rule]:
    """A pack's rules as the engine reads them."""
    system = next(system for system in LIST_RULES if LIST_RULES[system].army_type.__module__.split(".")[3] == folder)
    return LIST_RULES[system].rules.rules


@pytest.mark.parametrize("folder", PACK_FOLDERS)
def test_the_numbers_of_each_kind_of_rule_have_no_gap(folder: str) -> None:
    by_prefix: dict[str, list[int]] = {}
    for rule in table(folder):
        prefix, _, number = rule.partition("-")
        by_prefix.setdefault(prefix, []).append(int(re.match(r"\d+", number)[0]))  # type: ignore[index]
    for prefix, numbers in by_prefix.items():
        assert sorted(set(numbers)) == list(range(1, max(numbers) + 1)), prefix


@pytest.mark.parametrize("folder", PACK_FOLDERS)
def test_a_rule_speaks_both_languages_and_names_its_source(folder: str) -> None:
    for rule, row in table(folder).items():
        english, russian = row.placeholders
        assert english == russian, rule
        assert re.search("[A-Za-z]", row.en) and not re.search("[А-Яа-яЁё]", row.en), rule
        assert re.search("[А-Яа-яЁё]", row.ru), rule
        assert (row.states_en is None) == (row.states_ru is None), rule
        described = row.described()
        assert "{" not in described.en + described.ru, rule
        assert re.search("[А-Яа-яЁё]", described.ru) and not re.search("[А-Яа-яЁё]", described.en), rule
        assert row.source.strip(), rule
        assert row.en.rstrip()[-1] in ".!?" and row.ru.rstrip()[-1] in ".!?", rule


@pytest.mark.parametrize("folder", PACK_FOLDERS)
def test_a_rule_has_a_boundary_pair(folder: str) -> None:
    prefixes = {rule: "test_" + rule.lower().replace("-", "_") for rule in written(folder)}
    paired = {function for function, (name, values) in parametrised_of(folder) if is_pair(name, values)}
    without = [
        rule
        for rule, prefix in prefixes.items()
        if not any(function == prefix or function.startswith(f"{prefix}_") for function in paired)
    ]
    assert without == [], "no test_… of their id with a boundary pair"


@pytest.mark.parametrize("folder", PACK_FOLDERS)
def test_the_engine_reads_every_rule_that_is_written(folder: str) -> None:
    assert written(folder) and list(table(folder)) == written(folder)


@cache
def parametrised_of(folder: str) -> list[tuple[str, tuple[str, list[str]]]]:
    """What the tests of a game are called and given, read once for all its rules."""
    return [found for path in sorted((TESTS / folder).rglob("test_*.py")) for found in parametrised(path)]


def is_pair(name: str, values: list[str]) -> bool:
    """Whether a column shows both sides of a boundary."""
    if name == "fires":
        return {"True", "False"} <= set(values)
    return name == "speaks" and len(set(values)) > 1


def parametrised(path: Path) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """Test function, and each column of its parametrize decorators: name and values as source text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for decorator in function.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.parametrize":
                names, rows = decorator.args[0], decorator.args[1]
                rows = constants.get(rows.id, rows) if isinstance(rows, ast.Name) else rows
                for column in columns_of(names, rows):
                    yield function.name, column


def columns_of(names: ast.expr, rows: ast.expr) -> Iterator[tuple[str, list[str]]]:
    """The columns of one parametrize table, where it is written out."""
    literal = ast.literal_eval(names)
    columns = [name.strip() for name in literal.split(",")] if isinstance(literal, str) else list(literal)
    if not isinstance(rows, ast.List | ast.Tuple):
        return
    for index, name in enumerate(columns):
        if len(columns) == 1:
            yield name, [ast.unparse(row) for row in rows.elts]
        else:
            cells = [row.elts[index] for row in rows.elts if isinstance(row, ast.Tuple) and len(row.elts) > index]
            yield name, [ast.unparse(cell) for cell in cells]
