"""The verdict on a stored hero, each finding led to the card it speaks of."""

from typing import Any

from armybuilder.armylists.checking import NO_RULE_PACK, Levels
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.check import check
from armybuilder.engine.findings import Points, Verdict
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.list_rules import RuleSettings
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes.documents import plain


def report_on_hero(document: Loadout, *, system: PublishedSystem, revision: int, levels: Levels) -> ListReport:
    """Check a hero by the rulebook of the system he belongs to."""
    pack = LIST_RULES.get(system.rule_pack)
    knows_rules = pack is not None and pack.system == document.system
    legal: bool | None = None
    findings: tuple[ListFinding, ...] = ()
    if knows_rules:
        answer = check(document, settings=RuleSettings(alliance_levels={system.pk: levels}))
        legal = answer.legal
        members = plain(document)
        findings = tuple(
            ListFinding(
                rule=finding.rule,
                severity=finding.severity,
                message=finding.message,
                at=finding.at,
                source=finding.source,
                origin=finding.origin,
                node_name=_card_name(members, finding.at),
            )
            for finding in answer.findings
        )
    return ListReport(
        system=system.pk,
        rule_pack=document.system if knows_rules else None,
        revision=revision,
        verdict=Verdict.NOT_CHECKED if legal is None else Verdict.LEGAL if legal else Verdict.ILLEGAL,
        legal=legal,
        unchecked=() if knows_rules else (NO_RULE_PACK,),
        points=Points(total=None, limit=None),
        findings=findings,
        state=None,
        library=None,
        army=document,
        places={},
        facts={},
    )


def _card_name(members: Any, at: str | None) -> str | None:
    """The name of the card a pointer leads to or into; None where it leads to no card with a name."""
    found, value = None, members
    for step in (at or "").split("/")[1:]:
        if isinstance(value, list):
            value = value[int(step)]
            found = value.get("name") if isinstance(value, dict) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return found
