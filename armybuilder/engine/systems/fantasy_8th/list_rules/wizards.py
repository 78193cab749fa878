"""Wizards: lore of magic and recorded spells (WF-16 to WF-21)."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Army, Unit
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import finding
from armybuilder.engine.systems.fantasy_8th.reference import any_spell, folded, lore_key, lores, spell_of

WIZARDING_HAT = "Wizarding Hat"


def lore_chosen(army: Army) -> Iterator[Finding]:
    """WF-16: every wizard has a lore; the lore of the Wizarding Hat is random."""
    for at, unit in _wizards(army):
        if unit.lore is None and not unit.carries(WIZARDING_HAT):
            yield finding("WF-16", at=f"{at}/lore", name=unit.name)


def lore_known(army: Army) -> Iterator[Finding]:
    """WF-17: a lore of the rulebook or one that the army book adds."""
    added = {lore_key(lore) for lore in army.army_book_lores}
    for at, unit in army.places:
        if unit.lore is not None and lore_key(unit.lore) not in lores().keys() | added:
            yield finding("WF-17", at=f"{at}/lore", name=unit.name, lore=unit.lore)


def number_of_spells(army: Army) -> Iterator[Finding]:
    """WF-18 and WF-21: as many spells as the wizard's level; a Loremaster has them all."""
    for at, unit in army.places:
        n = len(unit.spells)
        if unit.loremaster:
            continue
        if n > unit.wizard_level:
            yield finding("WF-18", at=f"{at}/spells", name=unit.name, n=n, lv=unit.wizard_level)
        elif n < unit.wizard_level:
            yield finding("WF-21", at=f"{at}/spells", name=unit.name, n=n, lv=unit.wizard_level)


def spells_once(army: Army) -> Iterator[Finding]:
    """WF-19: a numbered spell is known once in an army; signature spells repeat, Loremasters are exempt.

    Spells of army books are not judged: which of them are signature spells is army book data.
    """
    seen: set[tuple[int, str]] = set()
    for at, unit in army.places:
        if unit.loremaster:
            continue
        for index, name in enumerate(unit.spells):
            spell = any_spell(name)
            if spell is None or spell.number == 0:
                continue
            key = (unit.army, folded(spell.en))
            if key in seen:
                yield finding("WF-19", at=f"{at}/spells/{index}", spell=name)
            seen.add(key)


def spells_of_the_lore(army: Army) -> Iterator[Finding]:
    """WF-20: a spell belongs to the wizard's own lore, as far as the rulebook prints it."""
    for at, unit in army.places:
        lore = lore_key(unit.lore) if unit.lore is not None else None
        if lore not in lores():
            continue
        for index, name in enumerate(unit.spells):
            if lore is not None and spell_of(lore, name) is None:
                yield finding("WF-20", at=f"{at}/spells/{index}", spell=name, name=unit.name)


def _wizards(army: Army) -> Iterator[tuple[str, Unit]]:
    return ((at, unit) for at, unit in army.places if unit.wizard_level > 0)


CHECKS = (lore_chosen, lore_known, number_of_spells, spells_once, spells_of_the_lore)
