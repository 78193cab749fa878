"""Every kind of Epic simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.epic.combat import assault, barrage, nerve, shooting
from armybuilder.engine.systems.epic.matchup import EpicMatchup, within_limits
from armybuilder.engine.systems.matchups import SimulationType
from armybuilder.engine.systems.outcome_models import simulation_type

SIDES = ("attacker.units", "defender.units")
FORMATION = ("formation",)

KINDS: Mapping[str, SimulationType] = {
    "shooting": simulation_type(EpicMatchup, SIDES, shooting.shooting, within_limits),
    "barrage": simulation_type(EpicMatchup, SIDES, barrage.barrage, within_limits),
    "assault": simulation_type(EpicMatchup, SIDES, assault.assault, within_limits),
    "assault_result": simulation_type(EpicMatchup, (), assault.assault_result, within_limits),
    "assault_extra_hits": simulation_type(
        EpicMatchup, ("loser.units", "extra_hits"), assault.assault_extra_hits, within_limits
    ),
    "action_test": simulation_type(EpicMatchup, FORMATION, nerve.action_test, within_limits),
    "rally": simulation_type(EpicMatchup, FORMATION, nerve.rally, within_limits),
    "regroup": simulation_type(EpicMatchup, FORMATION, nerve.regroup, within_limits),
    "break_check": SimulationType(EpicMatchup, ("formation", "event"), nerve.break_check, None, within_limits),
    "dangerous_terrain": simulation_type(EpicMatchup, ("unit",), nerve.dangerous_terrain, within_limits),
    "teleport": simulation_type(EpicMatchup, FORMATION, nerve.teleport, within_limits),
    "strategy_roll": simulation_type(EpicMatchup, ("player", "opponent"), nerve.strategy_roll, within_limits),
    "tie_break": SimulationType(EpicMatchup, ("enemy_formations",), nerve.tie_break, None, within_limits),
    "victory": SimulationType(EpicMatchup, ("player", "opponent"), nerve.victory, None, within_limits),
}
