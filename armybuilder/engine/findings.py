"""What a check reports: findings with a reason, and the verdict they add up to."""

import re
from collections.abc import Iterable
from enum import StrEnum

import msgspec

from armybuilder.engine.points import Exact, Number, written

_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")


class Severity(StrEnum):
    """How bad a finding is; only an error makes a list illegal."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Origin(StrEnum):
    """Who objects: the rulebook (ids such as HH-30) or the game data (ids beginning with BS)."""

    RULEBOOK = "rulebook"
    DATA = "data"


class Verdict(StrEnum):
    """What a player is told about a list."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    NOT_CHECKED = "not_checked"


class Text(msgspec.Struct, frozen=True):
    """The same words in both languages of the site."""

    en: str
    ru: str


def in_figures(number: str) -> Text:
    """A number that is written plainly, as each language writes it: 1555.5 is "1,555.5" and "1 555,5"."""
    whole, _, part = number.partition(".")
    grouped = _THOUSANDS.sub(",", whole)
    return Text(f"{grouped}.{part}" if part else grouped, " ".join(grouped.split(",")) + (f",{part}" if part else ""))


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One objection or remark.

    Attributes:
        rule: printed id of the rule, e.g. HH-30.
        at: JSON pointer into the checked document; None speaks of the whole document.
        source: lines of the rules text, e.g. "L3515-L3526, L182".
    """

    rule: str
    severity: Severity
    message: Text
    at: str | None
    source: str
    origin: Origin = Origin.RULEBOOK


class Points(msgspec.Struct, frozen=True):
    """Price of the army and the agreed limit, in points; None where the game or list has none."""

    total: Number | None
    limit: Number | None

    @classmethod
    def of(cls, total: Exact | None, *, limit: Number | None) -> "Points":
        """From an exact sum (`points.total`) and the limit as it is written in the document."""
        return cls(total=None if total is None else written(total), limit=limit)


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer of a check; `msgspec.json.encode` makes the public JSON of it.

    Attributes:
        legal: None when legality cannot be established (contracts 2.2).
        findings: in the order of the rules.
    """

    system: str
    legal: bool | None
    points: Points
    findings: tuple[Finding, ...]
    id: str | None = None

    @property
    def verdict(self) -> Verdict:
        """The three-valued verdict of this report."""
        if self.legal is None:
            return Verdict.NOT_CHECKED
        return Verdict.LEGAL if self.legal else Verdict.ILLEGAL


def has_error(findings: Iterable[Finding]) -> bool:
    """Whether any finding makes the list illegal."""
    return any(finding.severity is Severity.ERROR for finding in findings)
