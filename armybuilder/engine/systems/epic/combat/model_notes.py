"""Which special rules of a document made from lists are in the numbers, which roughly, and which not at all."""

from collections.abc import Iterator

from armybuilder.engine.systems.epic.combat.note_words import NOTES
from armybuilder.engine.systems.epic.combat.passengers import TRANSPORT
from armybuilder.engine.systems.epic.combat.special_rules import find, how_roughly, is_exact
from armybuilder.engine.systems.epic.matchup import EpicMatchup, FormationSide
from armybuilder.engine.systems.epic.special_rule_rows import ASSAULTS_OF_LISTS
from armybuilder.engine.systems.matchups import ModelNotes


def note_rules(matchup: EpicMatchup, notes: ModelNotes) -> None:
    """Enter the rules of both sides, and how the document was made of lists, into the notes."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # documents of pairs have both
    for rule in dict.fromkeys((*_written(attacker, matchup.kind), *_written(defender, matchup.kind, suffers=True))):
        how = how_roughly(rule)
        if how is not None and _is_in_play(rule, matchup):
            notes.approximate(rule, how)
        elif how is not None or is_exact(rule):
            notes.modelled.append(rule)
        else:
            notes.not_simulated.append(rule)
    if matchup.kind == "assault":
        notes.assume(NOTES["those_charge_fight"])
    if matchup.kind == "barrage":
        notes.assume(NOTES["template_covers_first"])
    notes.assume(NOTES["character_fights_part"])


def _is_in_play(text: str, matchup: EpicMatchup) -> bool:
    """Whether a rule that is only roughly known does anything here; where it does nothing that is exact."""
    rule = find(text)
    if rule is not None and rule.counts_in(ASSAULTS_OF_LISTS):
        return matchup.kind == "assault"
    if rule is not None and rule.id == TRANSPORT:
        sides = (matchup.attacker, matchup.defender)
        return any(unit.is_embarked for side in sides if side is not None for unit in side.groups)
    return True


def _written(formation: FormationSide, kind: str, *, suffers: bool = False) -> Iterator[str]:
    """Rules of the units, and of the weapons that take part."""
    yield from formation.rules
    for unit in formation.groups:
        for weapon in unit.weapons:
            if isinstance(weapon.range, str) if kind == "assault" else not suffers:
                yield from weapon.rules
