"""A rules.toml becomes findings in both languages."""

import re
from pathlib import Path

import msgspec
import pytest

from armybuilder.engine.findings import Finding, Severity, Text
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.rule_table import LONGEST_VALUE, RuleTable

ROW = """
[XX-01]
name_en = "Size"
name_ru = "Размер"
severity = "error"
source = "L1-L2, L7"
en = "{unit}: {n} {role} too many."
ru = "«{unit}»: лишних {role} – {n}."

[XX-02]
name_en = "Remark"
name_ru = "Замечание"
severity = "info"
source = "L9"
en = "Always said."
ru = "Говорится всегда."
states_en = "What the rule asks."
states_ru = "Чего требует правило."
"""


NAMED = '[XX-01]\nname_en = "Size"\nname_ru = "Размер"\n'


RANGES = re.compile(r"[\d}]-[\d{]")
"""A hyphen between two numbers, which are joined by a dash."""

CLOSE_PERCENT = re.compile(r"[\d}]%")


@pytest.mark.parametrize("game", LIST_RULES)
def test_messages_are_set_alike(game: str) -> None:
    """One kind of dash in both languages; Russian sets a space before the per cent sign and within thousands."""
    for name, rule in LIST_RULES[game].rules.rules.items():
        assert not RANGES.search(f"{rule.en} {rule.ru}"), name
        assert not CLOSE_PERCENT.search(rule.ru), name
        assert not re.search(r"(?<!\d)\d{4}", rule.ru), name


@pytest.mark.parametrize("game", LIST_RULES)
def test_what_a_list_lacks_is_an_error_until_it_is_chosen(game: str) -> None:
    """The rest of a list is never called wrong for it, so that it is no remark either."""
    lacking = {name: rule for name, rule in LIST_RULES[game].rules.rules.items() if rule.lacks != "never"}
    assert all(rule.severity is Severity.ERROR and rule.told_only is None for rule in lacking.values())
    assert bool(lacking) == (game != "relic"), "a hero has his own measure of what he still draws"


@pytest.fixture
def table(tmp_path: Path) -> RuleTable:
    path = tmp_path / "rules.toml"
    path.write_text(ROW, encoding="utf-8")
    return RuleTable(path)


def test_values_are_filled_in_by_language(table: RuleTable) -> None:
    found = table.finding("XX-01", at="/units/3", unit="Veterans", n=2, role=Text("squads", "отделений"))
    assert found == Finding(
        rule="XX-01",
        severity=Severity.ERROR,
        message=Text("Veterans: 2 squads too many.", "«Veterans»: лишних отделений – 2."),
        at="/units/3",
        source="L1-L2, L7",
    )


def test_the_severity_may_be_lowered(table: RuleTable) -> None:
    found = table.finding("XX-01", severity=Severity.INFO, unit="a", n=1, role="b")
    assert (found.severity, found.at) == (Severity.INFO, None)


def test_texts_without_end_are_cut(table: RuleTable) -> None:
    found = table.finding("XX-01", unit="x" * 10_000, n=1, role=Text("q" * 10_000, "z"))
    assert found.message.en.count("x") == found.message.en.count("q") == LONGEST_VALUE - 1
    assert found.message.en.count("…") == 2


def test_a_rule_describes_itself(table: RuleTable) -> None:
    assert table.rules["XX-01"].described() == Text("…: … … too many.", "«…»: лишних … – ….")
    assert table.rules["XX-02"].described() == Text("What the rule asks.", "Чего требует правило.")
    assert table.rules["XX-01"].placeholders == (frozenset({"unit", "n", "role"}),) * 2


@pytest.mark.parametrize(
    ("case", "row"),
    [
        ("no Russian", NAMED + 'severity = "error"\nsource = "L1"\nen = "a."'),
        ("no name", '[XX-01]\nseverity = "error"\nsource = "L1"\nen = "a."\nru = "б."'),
        ("unknown severity", NAMED + 'severity = "bad"\nsource = "L1"\nen = "a."\nru = "б."'),
        ("one part too many", NAMED + 'severity = "error"\nsource = "L1"\nen = "a."\nru = "б."\nde = "c."'),
    ],
)
def test_an_incomplete_table_is_refused(case: str, row: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(row, encoding="utf-8")
    with pytest.raises(msgspec.ValidationError):
        RuleTable(path)
