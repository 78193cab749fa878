"""Reads a game's rules.toml and turns a rule id with values into a bilingual finding."""

import tomllib
from decimal import Decimal
from pathlib import Path
from string import Formatter
from typing import Literal

import msgspec

from armybuilder.engine.findings import Finding, Severity, Text, in_figures

Value = str | int | float | Decimal | Text
"""A placeholder's value; a Text is filled in by language, a number as each language writes it."""

LONGEST_VALUE = 200
"""Characters of a text value that a message repeats."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a rules.toml.

    Attributes:
        name_en, name_ru: what a player calls it, in a few words.
        source: lines of the rules text.
        en, ru: the message with the same placeholders in both languages.
        states_en, states_ru: what the rule asks for, for a page about the rule; None where the message says it.
        settings: ids of doubtful readings (document options) this rule depends on.
        told_only: why no list is checked against it, as no document and no game data holds what it speaks of; None
            for a rule that is checked.
        lacks: whether it only says what an army that is being chosen still lacks: always; while it names no place, as
            it then says of a leader that there is none, and not that there are two; or where it repeats a minimum of
            the game data.
    """

    name_en: str
    name_ru: str
    severity: Severity
    source: str
    en: str
    ru: str
    states_en: str | None = None
    states_ru: str | None = None
    settings: tuple[str, ...] = ()
    told_only: Text | None = None
    lacks: Literal["never", "always", "unplaced", "minimum"] = "never"

    @property
    def placeholders(self) -> tuple[frozenset[str], frozenset[str]]:
        """Names in the English and in the Russian message."""
        return _names(self.en), _names(self.ru)

    @property
    def name(self) -> Text:
        """What a player calls it."""
        return Text(en=self.name_en, ru=self.name_ru)

    def described(self) -> Text:
        """What a page about the rule says: its statement, or the message with an ellipsis for each value."""
        if self.states_en and self.states_ru:
            return Text(en=self.states_en, ru=self.states_ru)
        return Text(en=self.en.format_map(_Ellipses()), ru=self.ru.format_map(_Ellipses()))


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A doubtful reading that somebody may choose: a member of the document's `options`, or a switch of the site.

    Attributes:
        asks: what it decides.
        values: what may be chosen, the default first.
        of_the_site: whether an administrator keeps it; otherwise it stands in the document.
    """

    asks: Text
    values: tuple[str | bool, ...]
    of_the_site: bool = False


class RuleTable:
    """All rules of one game, by printed id, and the doubtful readings they depend on."""

    def __init__(self, path: Path) -> None:
        """Read the table.

        Raises:
            msgspec.ValidationError: a row lacks a part or has one too many.
        """
        with path.open("rb") as file:
            rows = tomllib.load(file)
        self.settings = msgspec.convert(rows.pop("settings", {}), dict[str, Setting])
        self.rules = msgspec.convert(rows, dict[str, Rule])

    def finding(
        self, rule: str, *, at: str | None = None, severity: Severity | None = None, **values: Value
    ) -> Finding:
        """A finding of this rule with all placeholders filled in.

        Args:
            at: JSON pointer to the culprit; None for the whole document.
            severity: replaces the rule's own, e.g. information in open play.
        """
        row = self.rules[rule]
        shown = {name: _shown(value) for name, value in values.items()}
        return Finding(
            rule=rule,
            severity=severity or row.severity,
            message=Text(
                en=row.en.format_map({name: words.en for name, words in shown.items()}),
                ru=row.ru.format_map({name: words.ru for name, words in shown.items()}),
            ),
            at=at,
            source=row.source,
        )


def _shown(value: Value) -> Text:
    """A value as it stands in a message: a number as each language writes it, a text without end, from outside, cut."""
    if isinstance(value, Text):
        return Text(_cut(value.en), _cut(value.ru))
    if isinstance(value, str):
        return Text(_cut(value), _cut(value))
    return in_figures(f"{value:f}" if isinstance(value, Decimal) else str(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


class _Ellipses(dict[str, str]):
    """Any placeholder as an ellipsis."""

    def __missing__(self, name: str) -> str:
        return "…"


def _names(message: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(message) if name)
