"""Rules that object to the same thing for two reasons: which of them a list tells."""

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.list_rules.force_org import CRUSADE, NO_SLOT
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole


def without_repeats(army: Army, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings, each cause once.

    A unit of another Legion that may only come in an Allied Detachment (HH-20) is a stranger to its own (HH-18) for the
    same reason. A Primarch too many for the chart (HH-15) is a warlord too many (HH-38) just by being there.
    """
    outsiders = {finding.at for finding in findings if finding.rule == "HH-20"}
    crowded = _primarchs_too_many(army) if any(finding.rule == "HH-15" for finding in findings) else ()
    return tuple(
        finding
        for finding in findings
        if not (finding.rule == "HH-18" and finding.at in outsiders)
        and not (finding.rule == "HH-38" and (finding.at or "").startswith(crowded))
    )


def _primarchs_too_many(army: Army) -> tuple[str, ...]:
    """Where the Primarchs stand for whom HH-15 says that there are too many."""
    return tuple(
        placed.at
        for detachment in army.placed_detachments
        if detachment.slots_used(BattlefieldRole.PRIMARCH)
        > CRUSADE[detachment.type].get(BattlefieldRole.PRIMARCH, NO_SLOT).maximum
        > 0
        for placed in detachment.in_slots(BattlefieldRole.PRIMARCH)
    )
