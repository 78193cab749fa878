"""Kinds of problems in words of both languages, and details that are made in English said in Russian."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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

_SENTENCES = [(re.compile(row["en"], re.DOTALL), str(row["ru"])) for row in _TABLE["sentences"]]


def in_russian(sentence: str) -> str:
    """A detail that was made in English; one that is not known stays as it is."""
    for pattern, russian in _SENTENCES:
        if match := pattern.fullmatch(sentence):
            return russian.format(*match.groups())
    return sentence
