"""Every kind of Epic simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.epic import assault, barrage, nerve, shooting
from armybuilder.engine.systems.epic.matchup import Clash, within_limits
from armybuilder.engine.systems.matchups import Kind

SIDES = ("attacker.units", "defender.units")
FORMATION = ("formation",)

KINDS: Mapping[str, Kind] = {
    "shooting": Kind(Clash, SIDES, shooting.shooting, shooting.roll_shooting, within_limits),
    "barrage": Kind(Clash, SIDES, barrage.barrage, barrage.roll_barrage, within_limits),
    "assault": Kind(Clash, SIDES, assault.assault, assault.roll_assault, within_limits),
    "assault_result": Kind(Clash, (), assault.assault_result, assault.roll_assault_result, within_limits),
    "assault_extra_hits": Kind(
        Clash, ("loser.units", "extra_hits"), assault.assault_extra_hits, assault.roll_assault_extra_hits, within_limits
    ),
    "action_test": Kind(Clash, FORMATION, nerve.action_test, nerve.roll_action_test, within_limits),
    "rally": Kind(Clash, FORMATION, nerve.rally, nerve.roll_rally, within_limits),
    "regroup": Kind(Clash, FORMATION, nerve.regroup, nerve.roll_regroup, within_limits),
    "break_check": Kind(Clash, ("formation", "event"), nerve.break_check, None, within_limits),
    "dangerous_terrain": Kind(Clash, ("unit",), nerve.dangerous_terrain, nerve.roll_dangerous_terrain, within_limits),
    "teleport": Kind(Clash, FORMATION, nerve.teleport, nerve.roll_teleport, within_limits),
    "strategy_roll": Kind(Clash, ("player", "opponent"), nerve.strategy_roll, nerve.roll_strategy_roll, within_limits),
    "tie_break": Kind(Clash, ("enemy_formations",), nerve.tie_break, None, within_limits),
    "victory": Kind(Clash, ("player", "opponent"), nerve.victory, None, within_limits),
}
