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
from armybuilder.engine.systems.outcome_models import simulation_type

BOTH = ("attacker", "defender")

KINDS: Mapping[str, SimulationType] = {
    "melee": simulation_type(FantasyMatchup, BOTH, close_combat.melee, within_limits),
    "combat_round": simulation_type(FantasyMatchup, BOTH, combat_round.combat_round, within_limits),
    "shooting": simulation_type(FantasyMatchup, BOTH, shooting.shooting, within_limits),
    "impact_hits": simulation_type(FantasyMatchup, BOTH, close_combat.only_impact_hits, within_limits),
    "stomp": simulation_type(FantasyMatchup, BOTH, close_combat.only_stomps, within_limits),
    "breath_weapon": simulation_type(FantasyMatchup, BOTH, close_combat.only_breath, within_limits),
    "attack_count": simulation_type(FantasyMatchup, ("unit",), close_combat.attack_count, within_limits),
    "combat_result": kind(combat_result, BOTH),
    "break_test": kind(break_test, ("unit", "conditions.lost_combat_by")),
    "leadership_test": kind(leadership_test, ("unit",)),
    "pursuit": kind(movement.pursuit, ("winner", "loser")),
    "charge": kind(movement.charge, ("unit", "conditions.distance")),
    "ambush": kind(movement.ambush, ("unit", "conditions.by_end_of_turn")),
    "building_assault": simulation_type(FantasyMatchup, BOTH, combat_round.building_assault, within_limits),
    "war_machine_melee": simulation_type(FantasyMatchup, BOTH, combat_round.war_machine_melee, within_limits),
    "look_out_sir": kind(hazards.look_out_sir, ("unit",)),
    "ridden_monster": kind(hazards.ridden_monster, ("unit", "hits")),
    "monster_and_handlers": kind(hazards.monster_and_handlers, ("unit", "unsaved_wounds")),
    "misfire": kind(hazards.misfire, ("machine",)),
    "dangerous_terrain": kind(movement.dangerous_terrain, ("unit", "conditions.terrain")),
    "spell": simulation_type(FantasyMatchup, ("spell", "defender"), spells.spell, within_limits),
    "cast_spell": kind(magic_phase.cast_spell, ("caster", "dice", "casting_value")),
    "dispel": kind(magic_phase.dispel, ("dispeller", "dice", "casting_total")),
    "winds_of_magic": kind(magic_phase.winds_of_magic, ()),
    "miscast": kind(magic_phase.miscast, (), {"miscast_result": magic_phase.MISCASTS}),
}
