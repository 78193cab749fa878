"""Every kind of Relic simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.matchups import SimulationType
from armybuilder.engine.systems.relic.combat import battle, bookkeeping, skill_test
from armybuilder.engine.systems.relic.matchup import Encounter, within_limits

KINDS: Mapping[str, SimulationType] = {
    "battle": SimulationType(Encounter, ("hero", "enemies"), battle.battle, battle.roll_battle, within_limits),
    "battle_sequence": SimulationType(
        Encounter, ("hero", "battles"), battle.battle_sequence, battle.roll_sequence, within_limits
    ),
    "skill_test": SimulationType(
        Encounter, ("hero", "attribute", "target"), skill_test.skill_test, skill_test.roll_skill_test, within_limits
    ),
    "dice_roll": SimulationType(Encounter, (), bookkeeping.dice_roll, bookkeeping.roll_dice, within_limits),
    "movement_roll": SimulationType(Encounter, (), bookkeeping.movement_roll, bookkeeping.roll_movement, within_limits),
    "spend_trophies": SimulationType(Encounter, ("hero",), bookkeeping.spend_trophies, None),
    "draw_corruption": SimulationType(Encounter, ("hero", "draw"), bookkeeping.draw_corruption, None),
    "vanquished": SimulationType(Encounter, ("hero",), bookkeeping.vanquished, None),
    "corrupted": SimulationType(Encounter, ("hero", "new_character"), bookkeeping.corrupted, None),
    "warp_rift": SimulationType(Encounter, ("conditions_met",), bookkeeping.warp_rift, None),
    "exploration": SimulationType(Encounter, ("threat_icons",), bookkeeping.exploration, None),
}
