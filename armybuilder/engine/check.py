"""The one way in for legality by the rulebook."""

import inspect

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
    findings = tuple(
        finding
        for rule in pack.checks
        for finding in (rule(document, settings=settings) if _asks_for_settings(rule) else rule(document))
    )
    return Report(
        system=document.system,
        legal=pack.legality(document, findings),
        points=pack.points(document),
        findings=findings,
        id=document.id,
    )


def _asks_for_settings(rule: object) -> bool:
    return "settings" in inspect.signature(rule).parameters  # type: ignore[arg-type]
