"""One faction a detachment: Legions, other factions and army lists."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.horus_heresy import factions, words
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import composition, finding
from armybuilder.engine.systems.horus_heresy.vocabulary import DetachmentType, word


@composition
def one_faction(army: Army) -> Iterator[Finding]:
    """HH-18: the units of a detachment are of its faction; a unit of another Legion counts as another faction.

    With several Legion rules a unit is of no one Legion: HH-21 alone speaks.
    """
    for detachment in army.placed_detachments:
        for placed in detachment.units:
            if placed.is_fortification or len(placed.legions) > 1:
                continue
            if placed.legions and placed.legions[0] != detachment.legion:
                yield _stranger(placed, at=_legion_rule_at(placed), faction=_legion_words(placed)[0])
            elif placed.unit.faction is not None and placed.faction != detachment.faction:
                yield _stranger(placed, at=f"{placed.at}/faction", faction=factions.words(placed.unit.faction))


def _stranger(placed: PlacedUnit, *, at: str, faction: Text) -> Finding:
    return finding(
        "HH-18", at=at, unit=placed.name, faction=faction, detachment_faction=placed.detachment.faction_words
    )


@composition
def allied_faction_differs(army: Army) -> Iterator[Finding]:
    """HH-19: an Allied Detachment is of another faction than the Primary."""
    if army.primary is None:
        return
    for detachment in army.placed_detachments:
        if detachment.type is DetachmentType.ALLIED and detachment.faction == army.primary.faction:
            yield finding("HH-19", at=f"{detachment.at}/faction", faction=detachment.faction_words)


@composition
def other_legions_only_as_allies(army: Army) -> Iterator[Finding]:
    """HH-20: units of another Legion than the Primary's come only in an Allied Detachment."""
    if army.primary is None or army.primary.legion is None:
        return
    for detachment in army.placed_detachments:
        if detachment.is_primary or detachment.type is DetachmentType.ALLIED:
            continue
        for placed in detachment.units:
            if len(placed.legions) == 1 and placed.legions[0] != army.primary.legion:
                yield finding("HH-20", at=_legion_rule_at(placed), unit=placed.name)


@composition
def one_legion_rule(army: Army) -> Iterator[Finding]:
    """HH-21: a unit has one named Legiones Astartes (X) rule."""
    for placed in army.units:
        if len(placed.legions) > 1:
            named = _legion_words(placed)
            legions = Text(", ".join(text.en for text in named), ", ".join(text.ru for text in named))
            yield finding("HH-21", at=_legion_rule_at(placed, number=1), unit=placed.name, legions=legions)


@composition
def one_army_list(army: Army) -> Iterator[Finding]:
    """HH-22: units of one faction in a detachment come from one army list."""
    for detachment in army.placed_detachments:
        lists: dict[str, dict[str, PlacedUnit]] = {}
        for placed in detachment.units:
            if placed.unit.army_list is not None and placed.faction is not None:
                lists.setdefault(placed.faction, {}).setdefault(word(placed.unit.army_list), placed)
        for first, *others in (list(by_list.values()) for by_list in lists.values()):
            for other in others:
                yield finding(
                    "HH-22",
                    at=f"{other.at}/army_list",
                    detachment=words.DETACHMENTS[detachment.type],
                    a=first.unit.army_list or "",
                    b=other.unit.army_list or "",
                )


def _legion_words(placed: PlacedUnit) -> list[Text]:
    named: dict[str, Text] = {}
    for _, rule in placed.legion_rules:
        named.setdefault(factions.canonical(rule), factions.words(rule))
    return list(named.values())


def _legion_rule_at(placed: PlacedUnit, *, number: int = 0) -> str:
    """Pointer to the rule that names the unit's first (second...) Legion."""
    legion = placed.legions[number]
    return next(at for at, x in placed.legion_rules if factions.canonical(x) == legion)
