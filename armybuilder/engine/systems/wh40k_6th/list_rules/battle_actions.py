"""What a unit may do in the battle: W6-06 to W6-13, W6-15 and W6-16."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.wh40k_6th.army import Action, Army, Unit, Weapon, needed
from armybuilder.engine.systems.wh40k_6th.list_rules.rules import finding

INFANTRY_MOVE_INCHES = 6
COHERENCY_INCHES = 2
ENEMY_INCHES = 1
FOCUS_FIRE_VALUES = range(2, 7)


def locked_in_combat(army: Army) -> Iterator[Finding]:
    """W6-06: a unit locked in combat neither moves nor shoots, nor runs instead of shooting."""
    for at, _, unit in _actions(army, "move", "run", "shoot", "overwatch"):
        if "locked_in_combat" in unit.state:
            yield finding("W6-06", at=at, unit=unit.name)


def ran(army: Army) -> Iterator[Finding]:
    """W6-07: a unit that ran neither shoots nor charges this turn."""
    for at, _, unit in _actions(army, "shoot", "charge"):
        if "ran" in unit.state:
            yield finding("W6-07", at=at, unit=unit.name)


def one_target(army: Army) -> Iterator[Finding]:
    """W6-08: all models of a unit fire at the same unit."""
    for at, action, unit in _actions(army, "shoot", "overwatch"):
        if len({*action.targets} | ({action.target} if action.target else set())) > 1:
            yield finding("W6-08", at=f"{at}/targets", unit=unit.name)


def sight_and_range(army: Army) -> Iterator[Finding]:
    """W6-09: one firer sees the target and one weapon reaches it. Template weapons have no range in inches."""
    for at, action, unit in _actions(army, "shoot"):
        reaches = [weapon.reach for weapon in _fired(action, unit) if not weapon.is_melee]
        distance = action.distance
        out_of_range = (
            distance is not None and bool(reaches) and all(reach is not None and reach < distance for reach in reaches)
        )
        if not action.line_of_sight or out_of_range:
            yield finding("W6-09", at=at, unit=unit.name)


def snap_shots(army: Army) -> Iterator[Finding]:
    """W6-10: template, blast and ordnance weapons fire no snap shots, heavy ones after moving included (L262)."""
    for at, action, unit in _actions(army, "shoot", "overwatch"):
        for weapon in _fired(action, unit):
            snaps = action.snap_shots or (weapon.is_heavy and "moved" in unit.state and action.action == "shoot")
            if snaps and weapon.cannot_snap:
                yield finding("W6-10", at=at, weapon=weapon.name)


def gone_to_ground(army: Army) -> Iterator[Finding]:
    """W6-11: a unit gone to ground neither moves, runs nor charges and fires only snap shots; Overwatch is allowed."""
    for at, action, unit in _actions(army, "move", "run", "charge", "shoot"):
        if "gone_to_ground" in unit.state and not (action.action == "shoot" and action.snap_shots):
            yield finding("W6-11", at=at, unit=unit.name)


def focus_fire(army: Army) -> Iterator[Finding]:
    """W6-12: focus fire names 2+ to 6+ against a unit partly in cover, before rolling to hit."""
    enemies = {unit.id: unit for unit in army.enemies}
    for at, action, _ in _actions(army, "shoot", "overwatch"):
        value = needed(action.focus_fire)
        if value is None:
            continue
        target = enemies.get(action.target or "")
        covered = {needed(group.cover) is not None for group in target.models} if target else {True, False}
        if value not in FOCUS_FIRE_VALUES or action.focus_fire_declared != "before_to_hit" or len(covered) == 1:
            yield finding("W6-12", at=f"{at}/focus_fire")


def look_out_sir(army: Army) -> Iterator[Finding]:
    """W6-13: only a character with another model of the unit within 6", once per wound."""
    for at, action, unit in _actions(army, "look_out_sir"):
        named = [group for group in unit.models if group.name == action.model]
        no_character = bool(named) and not any(group.is_character for group in named)
        alone = action.comrades_within_6in == 0 or sum(group.count for group in unit.models) == 1
        if no_character or alone or action.attempts_for_this_wound > 0:
            yield finding("W6-13", at=at, model=action.model or unit.name)


def movement(army: Army) -> Iterator[Finding]:
    """W6-15: a move over 6" (or the models' own maximum), a gap over 2", or an end closer than 1" to an enemy."""
    for at, action, unit in _actions(army, "move", "run", "charge"):
        moves = [group.profile.M for group in unit.models if group.profile and group.profile.M is not None]
        too_far = (
            action.action == "move"
            and action.distance is not None
            and action.distance > max(moves, default=INFANTRY_MOVE_INCHES)
        )
        scattered = action.gap is not None and action.gap > COHERENCY_INCHES
        too_near = (
            action.action != "charge" and action.nearest_enemy is not None and action.nearest_enemy < ENEMY_INCHES
        )
        if too_far or scattered or too_near:
            yield finding("W6-15", at=at, unit=unit.name)


def run_distance(army: Army) -> Iterator[Finding]:
    """W6-16: a unit runs at most as far as its one die shows."""
    for at, action, unit in _actions(army, "run"):
        if action.roll is not None and action.distance is not None and action.distance > action.roll:
            yield finding("W6-16", at=f"{at}/distance", unit=unit.name, n=action.distance, roll=action.roll)


def _actions(army: Army, *kinds: str) -> Iterator[tuple[str, Action, Unit]]:
    """Actions of these kinds with their pointer and the acting unit, as far as the document describes it."""
    units = {unit.id: unit for _, unit in army.all_units()}
    for index, action in enumerate(army.actions):
        if action.action in kinds and action.unit in units:
            yield f"/actions/{index}", action, units[action.unit]


def _fired(action: Action, unit: Unit) -> list[Weapon]:
    """The weapon an action names, otherwise all weapons of the unit."""
    weapons = [weapon for group in unit.models for weapon in group.weapons]
    return [weapon for weapon in weapons if weapon.name == action.weapon] if action.weapon else weapons
