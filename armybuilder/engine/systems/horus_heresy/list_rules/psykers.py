"""Psykers and their disciplines."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding


def powers_for_psykers(army: Army) -> Iterator[Finding]:
    """HH-57: psychic disciplines, powers and weapons are for Psykers; owning one is reported too [decision]."""
    for placed in army.units:
        unit = placed.unit
        if not (unit.psychic_disciplines or unit.psychic_powers):
            continue
        if any("psyker" in model.subtypes for model in placed.models):
            continue
        for member, powers in (
            ("psychic_disciplines", unit.psychic_disciplines),
            ("psychic_powers", unit.psychic_powers),
        ):
            for index, power in enumerate(powers):
                yield finding("HH-57", at=f"{placed.at}/{member}/{index}", unit=placed.name, power=power)


def discipline_chosen(army: Army) -> Iterator[Finding]:
    """HH-58: a Psyker has a discipline."""
    for placed in army.units:
        if placed.unit.psychic_disciplines:
            continue
        psyker = next((model for model in placed.models if "psyker" in model.subtypes), None)
        if psyker is not None:
            yield finding("HH-58", at=f"{placed.at}/psychic_disciplines", model=words.model_name(placed, psyker))
