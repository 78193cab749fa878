"""The rules of list building of Warhammer 40,000, 6th edition, in the order they run."""

from armybuilder.engine.findings import Finding, Points, has_error
from armybuilder.engine.systems.list_rules import ALLIANCE_LEVELS, ListRules
from armybuilder.engine.systems.wh40k_6th.army import Army
from armybuilder.engine.systems.wh40k_6th.list_rules import battle_actions, data_entry, published_lists
from armybuilder.engine.systems.wh40k_6th.list_rules.rules import TABLE

CHECKS = (
    data_entry.ballistic_skill,
    data_entry.strength_and_toughness,
    data_entry.armour_save,
    data_entry.armour_piercing,
    data_entry.range_and_strength,
    battle_actions.locked_in_combat,
    battle_actions.ran,
    battle_actions.one_target,
    battle_actions.sight_and_range,
    battle_actions.snap_shots,
    battle_actions.gone_to_ground,
    battle_actions.focus_fire,
    battle_actions.look_out_sir,
    data_entry.cover_save,
    battle_actions.movement,
    battle_actions.run_distance,
    published_lists.published_rules,
)


def _points(army: Army) -> Points:
    return Points(total=army.total, limit=army.points_limit)


def _legality(army: Army, findings: tuple[Finding, ...]) -> bool | None:
    """Legal when the published army construction was checked and nothing is wrong; an error is an error all the same.

    The rules text alone has no army construction, so nothing can be called legal by it (contracts 2.2).
    """
    if has_error(findings):
        return False
    return True if army.construction_is_checked else None


RULES = ListRules(
    system="wh40k-6th",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=_points,
    more_settings={"alliance_levels": ALLIANCE_LEVELS},
    legality=_legality,
    most_detachments=published_lists.most_detachments,
    unknown_parts={"W6L-12": "alliance"},
    restatements={"BS-01": ("W6L-04", "W6L-05"), "BS-02": ("W6L-03", "W6L-06", "W6L-08"), "BS-04": ("W6L-02",)},
    roleless=frozenset({"W6L-08"}),
    says_of={"W6L-03": "detachment"},
    alliance_level=published_lists.level_of,
)
