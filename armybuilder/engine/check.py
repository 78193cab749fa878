"""The one way in for legality by the rulebook."""

from armybuilder.engine.findings import Report
from armybuilder.engine.systems import PACKS
from armybuilder.engine.systems.rulepack import SHIPPED, Document, RuleSettings


def check(document: Document, *, settings: RuleSettings = SHIPPED) -> Report:
    """Apply every rule of the document's game to it.

    Args:
        document: an army document, as `documents.parse_army` reads it.
        settings: what the document cannot hold; the command line uses the shipped ones.
    """
    pack = PACKS[document.system]
    findings = [finding for rule in pack.prepared_checks for finding in rule(document, settings)]
    findings.sort(key=lambda finding: finding.rule)  # stable: findings of one rule stay in the order of the document
    found = tuple(findings)
    return Report(
        system=document.system,
        legal=pack.legality(document, found),
        points=pack.points(document),
        findings=found,
        id=document.id,
    )
