"""Warhammer Fantasy Battles, 8th edition.

| concern | module |
|---|---|
| the army document | `army.py` |
| magic items, lores, weapons of the rulebook | `reference.py`, `magic_items.toml`, `lores.toml` |
| General, units, percentages, duplicates, army standard | `composition.py` |
| lores and spells | `wizards.py` |
| who may carry which magic item | `magic_items.py` |
| characters in units, front rank | `joining.py` |
| ordinary weapons and armour | `equipment.py` |
| camps and levels of allied armies | `alliances.py` |
| fortitude, watchtower, ambushers | `scenarios.py` |
| conventions outside the text (WFX) | `conventions.py` |
| the matchup document, kinds of simulation | `matchup.py`, `simulations.py` |
| special rules, items and spells in effect; weapons in use | `traits.py`, `weapons.py` |
| one attack: rolls to hit and to wound, saves | `attacks.py`, `saves.py`, `fighters.py`, `special_hits.py` |
| who fights, casualties, blows in their order | `formation.py`, `casualties.py`, `duel.py` |
| melee and attack counts; whole rounds, buildings, war machines | `close_combat.py`, `combat_round.py` |
| combat result, ranks, break tests; leadership; fear | `combat_result.py`, `leadership.py`, `psychology.py` |
| shooting; spells; dice of the magic phase | `shooting.py`, `spells.py`, `magic_phase.py` |
| charges, pursuit, terrain; misfires and shares of hits | `movement.py`, `hazards.py` |
| tests of a few dice, enumerated or rolled | `experiments.py` |
"""

from armybuilder.engine.findings import Points
from armybuilder.engine.points import written
from armybuilder.engine.systems.fantasy_8th import (
    alliances,
    composition,
    conventions,
    equipment,
    joining,
    magic_items,
    scenarios,
    wizards,
)
from armybuilder.engine.systems.fantasy_8th.army import Army
from armybuilder.engine.systems.fantasy_8th.rules import TABLE
from armybuilder.engine.systems.rulepack import Check, RulePack

CHECKS: tuple[Check, ...] = (
    *composition.CHECKS,
    *wizards.CHECKS,
    *magic_items.CHECKS,
    *joining.CHECKS,
    *equipment.CHECKS,
    *alliances.CHECKS,
    *scenarios.CHECKS,
    conventions.conventions,
)


def _points(army: Army) -> Points:
    return Points(total=written(army.total), limit=army.points_limit)


PACK = RulePack(
    system="fantasy-8th",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=_points,
    simulations="armybuilder.engine.systems.fantasy_8th.simulations",
)
