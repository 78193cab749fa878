"""For each rule an army document that breaks it: `fixtures/<system>/rule_cases.jsonl`, shown with the rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from django.conf import settings

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Finding

FILE_NAME = "rule_cases.jsonl"


@dataclass(frozen=True, slots=True)
class RuleCase:
    """A document that fires a rule.

    Attributes:
        document: the army document; its id is that of the rule.
        findings: all that a check finds in it.
    """

    rule: str
    document: Mapping[str, Any]
    findings: tuple[Finding, ...]

    @property
    def fired(self) -> tuple[Finding, ...]:
        """What the rule itself says about it."""
        return tuple(finding for finding in self.findings if finding.rule == self.rule)


def rule_case(system: str, rule: str) -> RuleCase | None:
    """The case of a rule; None for a rule whose facts no document holds (it needs a stored list).

    Args:
        system: the rule pack's id.
    """
    line = _lines(system).get(rule)
    if line is None:
        return None
    document = msgspec.json.decode(line)
    return RuleCase(rule, document, check(parse_army(document)).findings)


@cache
def _lines(system: str) -> Mapping[str, bytes]:
    """The documents of a game as they stand in its file, by rule."""
    path = settings.BASE_DIR / "fixtures" / system / FILE_NAME
    lines = path.read_bytes().splitlines() if path.exists() else []
    return {msgspec.json.decode(line)["id"]: line for line in lines}
