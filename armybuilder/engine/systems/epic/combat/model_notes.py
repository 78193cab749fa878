"""Which special rules of a document made from lists are in the numbers, which roughly, and which not at all."""

from collections.abc import Iterator

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
            notes.approximate(rule, how.en, how.ru)
        elif how is not None or is_exact(rule):
            notes.modelled.append(rule)
        else:
            notes.not_simulated.append(rule)
    if matchup.kind == "assault":
        notes.assume(
            "Those that charge fight each in the way that it hits more with, in base contact two for each enemy unit "
            "at most; those that are charged as most of their chargers do.",
            "Нападающие сражаются каждый тем способом, которым попадает чаще, в контакте – не больше двух на юнит "
            "противника; обороняющиеся – как большинство нападающих.",
        )
    if matchup.kind == "barrage":
        notes.assume("The template covers the first units of the target.", "Шаблон накрывает первые юниты цели.")
    notes.assume(
        "A character fights as a part of the unit he is shown on.",
        "Персонаж сражается вместе со своим юнитом.",
    )


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
