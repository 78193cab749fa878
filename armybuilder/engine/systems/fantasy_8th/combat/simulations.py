"""Every kind of Fantasy 8th edition simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.fantasy_8th.combat import (
    close_combat,
    combat_round,
    hazards,
    magic_phase,
    movement,
    shooting,
    spells,
)
from armybuilder.engine.systems.fantasy_8th.combat.combat_result import break_test, combat_result
from armybuilder.engine.systems.fantasy_8th.combat.experiments import kind
from armybuilder.engine.systems.fantasy_8th.combat.leadership import leadership_test
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, within_limits
from armybuilder.engine.systems.matchups import SimulationType

BOTH = ("attacker", "defender")

KINDS: Mapping[str, SimulationType] = {
    "melee": SimulationType(FantasyMatchup, BOTH, close_combat.melee, close_combat.roll_melee, within_limits),
    "combat_round": SimulationType(
        FantasyMatchup, BOTH, combat_round.combat_round, combat_round.roll_combat_round, within_limits
    ),
    "shooting": SimulationType(FantasyMatchup, BOTH, shooting.shooting, shooting.roll_shooting, within_limits),
    "impact_hits": SimulationType(
        FantasyMatchup, BOTH, close_combat.only_impact_hits, close_combat.roll_impact_hits, within_limits
    ),
    "stomp": SimulationType(FantasyMatchup, BOTH, close_combat.only_stomps, close_combat.roll_stomps, within_limits),
    "breath_weapon": SimulationType(
        FantasyMatchup, BOTH, close_combat.only_breath, close_combat.roll_breath, within_limits
    ),
    "attack_count": SimulationType(
        FantasyMatchup, ("unit",), close_combat.attack_count, close_combat.roll_attack_count, within_limits
    ),
    "combat_result": kind(combat_result, BOTH, within_limits),
    "break_test": kind(break_test, ("unit", "conditions.lost_combat_by"), within_limits),
    "leadership_test": kind(leadership_test, ("unit",), within_limits),
    "pursuit": kind(movement.pursuit, ("winner", "loser"), within_limits),
    "charge": kind(movement.charge, ("unit", "conditions.distance"), within_limits),
    "ambush": kind(movement.ambush, ("unit", "conditions.by_end_of_turn"), within_limits),
    "building_assault": SimulationType(
        FantasyMatchup, BOTH, combat_round.building_assault, combat_round.roll_building_assault, within_limits
    ),
    "war_machine_melee": SimulationType(
        FantasyMatchup, BOTH, combat_round.war_machine_melee, combat_round.roll_war_machine_melee, within_limits
    ),
    "look_out_sir": kind(hazards.look_out_sir, ("unit",), within_limits),
    "ridden_monster": kind(hazards.ridden_monster, ("unit", "hits"), within_limits),
    "monster_and_handlers": kind(hazards.monster_and_handlers, ("unit", "unsaved_wounds"), within_limits),
    "misfire": kind(hazards.misfire, ("machine",), within_limits),
    "dangerous_terrain": kind(movement.dangerous_terrain, ("unit", "conditions.terrain"), within_limits),
    "spell": SimulationType(FantasyMatchup, ("spell", "defender"), spells.spell, spells.roll_spell, within_limits),
    "cast_spell": kind(magic_phase.cast_spell, ("caster", "dice", "casting_value"), within_limits),
    "dispel": kind(magic_phase.dispel, ("dispeller", "dice", "casting_total"), within_limits),
    "winds_of_magic": kind(magic_phase.winds_of_magic, (), within_limits),
    "miscast": kind(magic_phase.miscast, (), within_limits, {"miscast_result": magic_phase.MISCASTS}),
}
