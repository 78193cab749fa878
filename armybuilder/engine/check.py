"""The one way in for legality by the rulebook."""

from itertools import chain, islice

from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.findings import Report
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.list_rules import SHIPPED, Document, RuleSettings

MAX_FINDINGS = 10_000
"""No army has so many faults: a document that gives more is refused."""


def check(document: Document, *, settings: RuleSettings = SHIPPED) -> Report:
    """Apply every rule of the document's game to it.

    Args:
        document: an army document, as `documents.parse_army` reads it.
        settings: what the document cannot hold; the command line uses the shipped ones.

    Raises:
        LimitExceeded: more findings than `MAX_FINDINGS`.
    """
    rules = LIST_RULES[document.system]
    everything = chain.from_iterable(
        rule(document, settings=settings) if wants_settings else rule(document)
        for rule, wants_settings in rules.prepared_checks
    )
    findings = list(islice(everything, MAX_FINDINGS + 1))
    if len(findings) > MAX_FINDINGS:
        raise LimitExceeded(f"The document gives more than {MAX_FINDINGS} findings.")
    findings.sort(key=lambda finding: finding.rule)  # stable: findings of one rule stay in the order of the document
    found = tuple(findings)
    return Report(
        system=document.system,
        legal=rules.legality(document, found),
        points=rules.points(document),
        findings=found,
        id=document.id,
    )
