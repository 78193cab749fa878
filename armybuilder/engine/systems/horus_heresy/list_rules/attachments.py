"""Which units a character may join."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment

JOIN_INFANTRY = frozenset({"infantry", "primarch"})
"""Source: HH L1556 [text]."""

JOINED_BY_THEIR_OWN = ("cavalry", "automata", "dreadnought", "daemon", "vehicle")
"""Types that only models of the same type may join. Source: HH L1567, L1578, L1590, L1602, L3101 [text]."""


def joins_its_own_kind(army: Army) -> Iterator[Finding]:
    """HH-49: a character joins only units that his unit type and sub-types may join."""
    for host, character in army.attachments:
        barred = _barred_by(host, character)
        if barred is not None:
            yield finding(
                "HH-49",
                at=f"{character.at}/joined_to",
                character=character.name,
                unit=host.name,
                type=words.UNIT_TYPES[barred],
            )


def _barred_by(host: PlacedUnit, character: PlacedUnit) -> str | None:
    """The unit type or sub-type of the host that keeps the character out."""
    types = {model.type for model in host.models}
    for kind in JOINED_BY_THEIR_OWN:
        if kind in types and any(model.type != kind for model in character.models):
            return kind
    if any("monstrous" in model.subtypes for model in host.models) and any(
        "monstrous" not in model.subtypes for model in character.models
    ):
        return "monstrous"
    if host.type == "infantry" and any(model.type not in JOIN_INFANTRY for model in character.models):
        return "infantry"
    return None


def infiltrators_keep_apart(army: Army) -> Iterator[Finding]:
    """HH-50: nobody without Infiltrate joins a unit that deploys by Infiltrate."""
    for host, character in army.attachments:
        if host.unit.deployment is Deployment.INFILTRATE and not all(
            model.has("infiltrate") for model in character.models
        ):
            yield finding("HH-50", at=f"{character.at}/joined_to", character=character.name, unit=host.name)


def crew(army: Army) -> Iterator[Finding]:
    """HH-51: a unit of nothing but Artillery models has no crew; a character who joins it is one."""
    for placed in army.units:
        if not placed.models or "artillery" not in placed.models[0].subtypes or not _all_artillery(placed):
            continue
        if all(_all_artillery(character) for character in army.joined_to.get(placed.unit.id or "", [])):
            yield finding("HH-51", at=placed.at, unit=placed.name)


def _all_artillery(placed: PlacedUnit) -> bool:
    return all("artillery" in model.subtypes for model in placed.models)
