"""Every kind of Relic simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.matchups import SimulationType
from armybuilder.engine.systems.outcome_models import simulation_type
from armybuilder.engine.systems.relic.combat import battle, bookkeeping, skill_test
from armybuilder.engine.systems.relic.matchup import Encounter, within_limits

KINDS: Mapping[str, SimulationType] = {
    "battle": simulation_type(Encounter, ("hero", "enemies"), battle.battle, within_limits),
    "battle_sequence": simulation_type(Encounter, ("hero", "battles"), battle.battle_sequence, within_limits),
    "skill_test": simulation_type(Encounter, ("hero", "attribute", "target"), skill_test.skill_test, within_limits),
    "dice_roll": simulation_type(Encounter, (), bookkeeping.dice_roll, within_limits),
    "movement_roll": simulation_type(Encounter, (), bookkeeping.movement_roll, within_limits),
    "spend_trophies": SimulationType(Encounter, ("hero",), bookkeeping.spend_trophies, None),
    "draw_corruption": SimulationType(Encounter, ("hero", "draw"), bookkeeping.draw_corruption, None),
    "vanquished": SimulationType(Encounter, ("hero",), bookkeeping.vanquished, None),
    "corrupted": SimulationType(Encounter, ("hero", "new_character"), bookkeeping.corrupted, None),
    "warp_rift": SimulationType(Encounter, ("conditions_met",), bookkeeping.warp_rift, None),
    "exploration": SimulationType(Encounter, ("threat_icons",), bookkeeping.exploration, None),
}
