"""Every kind of Relic simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.matchups import Kind
from armybuilder.engine.systems.relic import battle, bookkeeping, skill_test
from armybuilder.engine.systems.relic.matchup import Encounter, within_limits

KINDS: Mapping[str, Kind] = {
    "battle": Kind(Encounter, ("hero", "enemies"), battle.battle, battle.roll_battle, within_limits),
    "battle_sequence": Kind(
        Encounter, ("hero", "battles"), battle.battle_sequence, battle.roll_sequence, within_limits
    ),
    "skill_test": Kind(
        Encounter, ("hero", "attribute", "target"), skill_test.skill_test, skill_test.roll_skill_test, within_limits
    ),
    "dice_roll": Kind(Encounter, (), bookkeeping.dice_roll, bookkeeping.roll_dice, within_limits),
    "movement_roll": Kind(Encounter, (), bookkeeping.movement_roll, bookkeeping.roll_movement, within_limits),
    "spend_trophies": Kind(Encounter, ("hero",), bookkeeping.spend_trophies, None),
    "draw_corruption": Kind(Encounter, ("hero", "draw"), bookkeeping.draw_corruption, None),
    "vanquished": Kind(Encounter, ("hero",), bookkeeping.vanquished, None),
    "corrupted": Kind(Encounter, ("hero", "new_character"), bookkeeping.corrupted, None),
    "warp_rift": Kind(Encounter, ("conditions_met",), bookkeeping.warp_rift, None),
    "exploration": Kind(Encounter, ("threat_icons",), bookkeeping.exploration, None),
}
