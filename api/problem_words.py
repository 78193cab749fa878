"""Kinds of problems in words of both languages, and details that are made in English said in Russian."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from armybuilder.engine.findings import Text

_TABLE: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class ProblemWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of problem.

    Attributes:
        title: the same for every occurrence, as RFC 9457 asks.
        when: it occurs.
    """

    title: Text
    when: Text


WORDS = msgspec.convert(_TABLE["problems"], dict[str, ProblemWords])
"""By the public code of the problem."""


class _Sentence(NamedTuple):
    """A detail in English as a pattern, and in Russian; `reason` is the group that a parser wrote."""

    pattern: re.Pattern[str]
    russian: str
    reason: int | None


def _rows(name: str) -> list[_Sentence]:
    return [_Sentence(re.compile(row["en"], re.DOTALL), row["ru"], row.get("reason")) for row in _TABLE[name]]


_SENTENCES, _REASONS = _rows("sentences"), _rows("reasons")


def in_russian(sentence: str) -> str:
    """A detail that was made in English; one that is not known stays as it is."""
    for row in _SENTENCES:
        if match := row.pattern.fullmatch(sentence):
            parts = list(match.groups())
            if row.reason is not None:
                parts[row.reason] = _because(parts[row.reason])
            return row.russian.format(*parts)
    return sentence


def _because(said: str) -> str:
    """What a parser says, after a colon; nothing where its words are not known: none are better than English ones."""
    for row in _REASONS:
        if match := row.pattern.fullmatch(said):
            return ": " + row.russian.format(*match.groups())
    return ""
