"""Findings as pages show them: a line each, grouped by what they are about, and what is left to choose."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode
from zlib import crc32

from armybuilder.armylists.reports import ListFinding
from armybuilder.engine.findings import Severity


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding as the panel shows it.

    Attributes:
        href: query that opens the pane of the culprit; empty when it concerns the whole list.
        anchor: id of the culprit's row.
        name: the unit, the detachment or the whole list.
        text: what follows the name, with the punctuation or space before it.
        origin: rulebook or data.
        repair: query of the page that proposes edits; empty for a remark.
        is_unchecked: it says what the verdict does not cover.
        place: what it is about, as the report points at it.
        rule_name: what players call the rule.
        adds: roles that have to be filled first, with the queries of their add screens.
    """

    severity: str
    name: str
    text: str
    rule: str
    source: str
    href: str
    anchor: str
    origin: str = "rulebook"
    repair: str = ""
    is_unchecked: bool = False
    place: str = ""
    rule_name: str = ""
    adds: tuple[tuple[str, str], ...] = ()

    @property
    def html_id(self) -> str:
        """Of its element: the same while the same is said of the same place."""
        return f"f{crc32(f'{self.rule} {self.place} {self.text}'.encode()):08x}"

    @property
    def sentence(self) -> str:
        """What is said, for a place where the name stands above."""
        words = self.text.lstrip(" :,.–—")
        return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All that is said of one unit, of a detachment or of the whole list; the worst first."""

    findings: tuple[FindingLine, ...]

    @property
    def first(self) -> FindingLine:
        """The worst; all of them have its name and lead where it leads."""
        return self.findings[0]


def grouped(findings: Iterable[FindingLine]) -> tuple[FindingGroup, ...]:
    """Findings by what they are about, in the order in which each is first spoken of."""
    groups: dict[tuple[str, str, str], list[FindingLine]] = {}
    for finding in findings:
        groups.setdefault((finding.name, finding.anchor, finding.href), []).append(finding)
    return tuple(FindingGroup(tuple(found)) for found in groups.values())


@dataclass(frozen=True, slots=True)
class ChoiceLeft:
    """So many more of something are to be chosen in a unit.

    Attributes:
        href: query that opens the unit.
        repair: query of the page that proposes what to choose.
    """

    unit: str
    href: str
    number: int
    name: str
    repair: str = field(default="", compare=False)

    @property
    def html_id(self) -> str:
        """Of its line: the same while the same is to be chosen there, so that what is offered is for nothing else."""
        return f"c{crc32(f'{self.href} {self.number} {self.name}'.encode()):08x}"


def repair_query(finding: ListFinding) -> str:
    """The query that asks what would settle a finding; nothing has to settle a remark."""
    if finding.severity is Severity.INFO:
        return ""
    at = {"at": finding.at} if finding.at is not None else {}
    return urlencode({"rule": finding.rule, **at, "says": finding.message.en})
