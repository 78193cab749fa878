"""Reads a pack's rules.toml and turns a rule id with values into a bilingual finding."""

import tomllib
from pathlib import Path

import msgspec

from armybuilder.engine.findings import Finding, Severity, Text

Value = str | int | float | Text
"""A placeholder's value; a Text is filled in by language, everything else as it is."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a rules.toml.

    Attributes:
        source: lines of the rules text.
        en, ru: the message with the same placeholders in both languages.
        settings: ids of doubtful readings (document options) this rule depends on.
    """

    severity: Severity
    source: str
    en: str
    ru: str
    settings: tuple[str, ...] = ()


class RuleTable:
    """All rules of one game, by printed id."""

    def __init__(self, path: Path) -> None:
        """Read the table.

        Raises:
            msgspec.ValidationError: a row lacks a part or has one too many.
        """
        with path.open("rb") as file:
            self.rules = msgspec.convert(tomllib.load(file), dict[str, Rule])

    def finding(self, rule: str, *, at: str | None = None, severity: Severity | None = None, **values: Value) -> Finding:
        """A finding of this rule with all placeholders filled in.

        Args:
            at: JSON pointer to the culprit; None for the whole document.
            severity: replaces the rule's own, e.g. information in open play.
        """
        row = self.rules[rule]
        return Finding(
            rule=rule,
            severity=severity or row.severity,
            message=Text(
                en=row.en.format_map({k: v.en if isinstance(v, Text) else v for k, v in values.items()}),
                ru=row.ru.format_map({k: v.ru if isinstance(v, Text) else v for k, v in values.items()}),
            ),
            at=at,
            source=row.source,
        )
