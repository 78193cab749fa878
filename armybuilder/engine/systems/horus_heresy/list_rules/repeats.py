"""Rules that object to the same thing for two reasons: which of them a list tells."""

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.list_rules.force_org import CRUSADE, NO_SLOT
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole, word


def without_repeats(army: Army, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings, each cause once.

    A unit of another Legion that may only come in an Allied Detachment (HH-20) is a stranger to its own (HH-18) for the
    same reason. A Primarch too many for the chart (HH-15) is a warlord too many (HH-38) just by being there. Where a
    detachment serves the other side with every unit, HH-02 is told of the detachment.
    """
    findings = _of_whole_detachments(army, findings)
    outsiders = {one.at for one in findings if one.rule == "HH-20"}
    crowded = _primarchs_too_many(army) if any(one.rule == "HH-15" for one in findings) else ()
    return tuple(
        one
        for one in findings
        if not (one.rule == "HH-18" and one.at in outsiders)
        and not (one.rule == "HH-38" and (one.at or "").startswith(crowded))
    )


def _of_whole_detachments(army: Army, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """HH-02 of each unit of a detachment as one of the detachment: it is its side that is wrong, not every unit."""
    told = {one.at for one in findings if one.rule == "HH-02"}
    once: dict[str | None, Finding | None] = {}
    for detachment in army.placed_detachments:
        places = [f"{placed.at}/allegiance" for placed in detachment.units]
        sides = {word(placed.unit.allegiance or "") for placed in detachment.units}
        if len(places) > 1 and told.issuperset(places) and len(sides) == 1:
            side = words.OF_SIDES[sides.pop()]
            once.update(dict.fromkeys(places))
            once[places[0]] = finding(
                "HH-02", at=f"{detachment.at}/faction", unit=detachment.faction_words, allegiance=side
            )
    replaced = (once.get(one.at, one) if one.rule == "HH-02" else one for one in findings)
    return tuple(one for one in replaced if one is not None)


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
