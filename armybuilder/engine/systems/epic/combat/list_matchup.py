"""Two lists of Epic meet: what players state about it, every pair of formations, and one pair in depth."""

from collections.abc import Iterator, Sequence

from armybuilder.engine.systems.epic.combat import matrix
from armybuilder.engine.systems.epic.combat.conditions import EpicConditions
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.matrix import ATTACKS
from armybuilder.engine.systems.epic.combat.model_notes import note_rules
from armybuilder.engine.systems.epic.matchup import EpicMatchup
from armybuilder.engine.systems.list_matchups import Effect

__all__ = ["ATTACKS", "CONDITIONS", "MATRIX", "OCCASIONS", "Fighter", "effects", "matchup", "note_rules"]

MATRIX = ATTACKS
OCCASIONS = ()
CONDITIONS = EpicConditions


def effects(
    attack: str,
    attackers: Sequence[Fighter],
    defenders: Sequence[Fighter],
    *,
    conditions: EpicConditions,
    outgoing: bool = True,
) -> Iterator[list[Effect | None]]:
    """Every pair, exactly wherever the outcomes can be followed; None where there is no such attack."""
    seen = conditions if outgoing else conditions.seen_by_second()
    for attacker in attackers:
        yield [matrix.effect(attack, attacker, defender, seen) for defender in defenders]


def matchup(
    attack: str, attacker: Fighter, defender: Fighter, *, conditions: EpicConditions, outgoing: bool = True
) -> EpicMatchup:
    """The matchup document behind one pair. Raises BadDocument where there is no such attack."""
    return matrix.request(attack, attacker, defender, conditions if outgoing else conditions.seen_by_second())
