"""How the factions of one army get on, and what allied characters and transports may do."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedDetachment
from armybuilder.engine.systems.horus_heresy.list_rules.rules import composition, finding
from armybuilder.engine.systems.horus_heresy.vocabulary import AllianceLevel
from armybuilder.engine.systems.list_rules import RuleSettings

NEVER_SCORING = frozenset({AllianceLevel.DISTRUSTED_ALLIES, AllianceLevel.BY_COMMAND})


def _allies(army: Army) -> Iterator[tuple[PlacedDetachment, PlacedDetachment, AllianceLevel | None]]:
    """Primary Detachment, detachment of another faction, recorded level."""
    if army.primary is not None:
        for detachment in army.placed_detachments:
            if not detachment.is_primary and detachment.faction != army.primary.faction:
                level = army.level_between(army.primary.faction, detachment.faction)
                yield army.primary, detachment, level


def level_of(army: Army, index: int, settings: RuleSettings) -> str | None:
    """The recorded level between the Primary Detachment's faction and that of the detachment in this place."""
    return (army.alliances or {}).get(army.detachments[index].faction)


@composition
def level_recorded(army: Army) -> Iterator[Finding]:
    """HH-23: the level between the Primary's faction and another is looked up; the printed table is lost."""
    for primary, detachment, level in _allies(army):
        if level is None:
            yield finding("HH-23", at=f"{detachment.at}/faction", a=primary.faction_words, b=detachment.faction_words)


@composition
def allies_never_scoring(army: Army) -> Iterator[Finding]:
    """HH-24: Distrusted Allies and armies by command hold no objectives."""
    for _, detachment, level in _allies(army):
        if level in NEVER_SCORING:
            yield finding(
                "HH-24",
                at=detachment.at,
                detachment=words.DETACHMENTS[detachment.type],
                faction=detachment.faction_words,
            )


@composition
def allies_by_command(army: Army) -> Iterator[Finding]:
    """HH-25: armies by command lower each other's Leadership."""
    for primary, detachment, level in _allies(army):
        if level is AllianceLevel.BY_COMMAND:
            yield finding("HH-25", at=detachment.at, a=primary.faction_words, b=detachment.faction_words)


@composition
def characters_join_sworn_brothers(army: Army) -> Iterator[Finding]:
    """HH-26: a character joins units of another faction only if the two are Sworn Brothers.

    Where no level is recorded HH-23 says so, and nothing is held against the character.
    """
    for host, character in army.attachments:
        if character.faction is None or host.faction is None:
            continue
        level = army.level_between(character.faction, host.faction)
        if level not in (None, AllianceLevel.SWORN_BROTHERS):
            yield finding("HH-26", at=f"{character.at}/joined_to", character=character.name, unit=host.name)


@composition
def no_allied_transports(army: Army) -> Iterator[Finding]:
    """HH-27: no unit embarks in a transport of another faction, not even of Sworn Brothers."""
    for placed in army.units:
        transport = army.carrier_of(placed)
        if transport is None or placed.faction is None or transport.faction is None:
            continue
        if placed.faction == transport.faction:
            continue
        yield finding("HH-27", at=f"{placed.at}/embarked_in", unit=placed.name, transport=transport.name)
