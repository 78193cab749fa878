"""The rules of list building of Relic, in the order they run."""

from armybuilder.engine.findings import Points
from armybuilder.engine.systems.list_rules import ListRules
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.engine.systems.relic.list_rules import actions, cards, limits, start
from armybuilder.engine.systems.relic.list_rules.rules import TABLE

CHECKS = (
    limits.attributes_on_the_dial,
    limits.attributes_at_least_their_start,
    limits.life_on_the_dial,
    limits.level_on_the_track,
    limits.power_limit,
    limits.asset_limit,
    limits.influence_not_negative,
    limits.one_active_mission,
    limits.mission_after_experience,
    limits.below_corruption_threshold,
    limits.corruption_faces,
    actions.relic_trade,
    start.set_up,
    actions.inner_tier,
    cards.one_weapon_one_armour,
    cards.no_arms_in_skill_tests,
    cards.charges_left,
    actions.wargear_purchase,
    limits.spendable_trophies,
    cards.enemy_trophies,
    cards.power_numbers,
    cards.bonus_colors,
    actions.one_charge_a_turn,
    actions.number_or_effect,
    actions.evading,
    limits.number_of_players,
    actions.out_of_the_game,
    actions.voluntary_discards,
    actions.movement_in_the_inner_tier,
)


def _no_points(loadout: Loadout) -> Points:
    return Points(total=None, limit=None)


RULES = ListRules(system="relic", rules=TABLE, army_type=Loadout, checks=CHECKS, points=_no_points)
