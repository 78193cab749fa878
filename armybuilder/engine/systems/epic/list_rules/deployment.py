"""How formations start the game: reserves, garrisons, planetfall, tunnels and their plans (EP-18 to EP-31)."""

from collections import defaultdict
from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.epic.army import Army, Formation, Unit, rule_name
from armybuilder.engine.systems.epic.list_rules.rules import finding

GARRISON_SPEED_CM = 15
OVERWATCH_GARRISONS = 2
OWN_HALF_TURN, ENEMY_HALF_TURN = 2, 3
SPACECRAFT_TURN = 2


def reserves(army: Army) -> Iterator[Finding]:
    """EP-18: aircraft, their passengers, or formations that teleport start in reserve."""
    for at, formation in army.places:
        if formation.deployment != "reserve" or not formation.own_units:
            continue
        flies = all(
            unit.kind == "AC" or any(carrier.kind == "AC" for _, carrier in army.carriers(unit))
            for unit in formation.own_units
        )
        if not flies and not all(unit.has_rule("teleport") for unit in formation.own_units):
            yield finding("EP-18", at=f"{at}/deployment", formation=formation.title)


def teleports(army: Army) -> Iterator[Finding]:
    """EP-19: every unit of a teleporting formation has Teleport."""
    for at, formation in army.places:
        if formation.deployment == "teleport" and not all(unit.has_rule("teleport") for unit in formation.own_units):
            yield finding("EP-19", at=f"{at}/deployment", formation=formation.title)


def aircraft_off_the_table(army: Army) -> Iterator[Finding]:
    """EP-20: aircraft start off the table."""
    for at, formation in army.places:
        on_the_ground = formation.deployment in {"table", "garrison", "tunnel"}
        if on_the_ground and any(unit.kind == "AC" for unit in formation.own_units):
            yield finding("EP-20", at=f"{at}/deployment")


def spacecraft_in_space(army: Army) -> Iterator[Finding]:
    """EP-21: spacecraft, and nobody else, start in space."""
    for at, formation in army.places:
        if (formation.deployment == "space") is not _is_spacecraft(formation):
            yield finding("EP-21", at=f"{at}/deployment")


def garrisons(army: Army) -> Iterator[Finding]:
    """EP-22: half Scouts, or nothing fast and no war engine, or something that cannot move."""
    for at, formation in army.places:
        if formation.deployment == "garrison" and not _may_garrison(formation, strict=army.options.garrison_strict):
            yield finding("EP-22", at=f"{at}/deployment", formation=formation.title)


def overwatch(army: Army) -> Iterator[Finding]:
    """EP-23 and EP-24: at most two garrisons, and only garrisons, start on Overwatch."""
    watching = [(at, formation) for at, formation in army.places if formation.overwatch_at_start]
    count = sum(formation.deployment == "garrison" for _, formation in watching)
    if count > OVERWATCH_GARRISONS:
        yield finding("EP-23", count=count)
    for at, formation in watching:
        if formation.deployment != "garrison":
            yield finding("EP-24", at=f"{at}/overwatch_at_start")


def planetfall_units(army: Army) -> Iterator[Finding]:
    """EP-25: every unit has Planetfall or rides in one that has."""
    for at, formation, unit in army.units:
        if formation.deployment == "planetfall" and not unit.is_character:
            riders = [unit, *(carrier for _, carrier in army.carriers(unit))]
            if not any(_falls(rider) for rider in riders):
                yield finding("EP-25", at=at, unit=unit.name)


def planetfall_carriers(army: Army) -> Iterator[Finding]:
    """EP-26: a spacecraft with room lands the formation, unless every unit lands by itself."""
    ships = {formation.id: formation for formation in army.formations if _is_spacecraft(formation)}
    used: dict[str, int] = defaultdict(int)
    for at, formation in army.places:
        landing = [
            unit for unit in formation.own_units if not unit.embarked_in and not unit.has_rule("self planetfall")
        ]
        if formation.deployment != "planetfall" or not landing:
            continue
        ship = ships.get(formation.carrier or "")
        if ship is None:
            yield finding("EP-26", at=f"{at}/carrier", formation=formation.title)
            continue
        used[ship.id] += sum(unit.count * unit.slots for unit in landing)
        holds = [(unit, unit.transport) for unit in ship.own_units if unit.kind == "SC" and unit.transport]
        room = sum(unit.count * (hold.slots or 0) for unit, hold in holds)
        accepted = all(any(hold.takes(unit) for _, hold in holds) for unit in landing)
        if used[ship.id] > room or not accepted:
            yield finding("EP-26", at=f"{at}/carrier", formation=formation.title)


def plans(army: Army) -> Iterator[Finding]:
    """EP-27: drop point, arrival turn and bombardment points are written down."""
    for at, formation in army.places:
        plan = formation.plan
        falls = formation.deployment == "planetfall"
        by_itself = falls and any(unit.has_rule("self planetfall") for unit in formation.own_units)
        ship = _is_spacecraft(formation)
        incomplete = (
            (falls and plan.drop_point is None)
            or ((ship or by_itself) and plan.turn is None)
            or (ship and any(map(_bombards, formation.own_units)) and not plan.bombardment_points)
        )
        if incomplete:
            yield finding("EP-27", at=f"{at}/plan", formation=formation.title)


def spacecraft_turn(army: Army) -> Iterator[Finding]:
    """EP-28 and EP-29: spacecraft arrive from turn 2; slow ones never act on turn 1."""
    for at, formation in army.places:
        turn = formation.plan.turn
        if not _is_spacecraft(formation) or turn is None or turn >= SPACECRAFT_TURN:
            continue
        if any(unit.kind == "SC" and unit.has_rule("slow and steady") for unit in formation.own_units):
            yield finding("EP-29", at=f"{at}/plan/turn")
        elif not army.options.spacecraft_turn_one:
            yield finding("EP-28", at=f"{at}/plan/turn")


def tunnellers(army: Army) -> Iterator[Finding]:
    """EP-30 and EP-31: every unit tunnels or rides in one that does, and the plan says where and when."""
    for at, formation, unit in army.units:
        if formation.deployment == "tunnel" and not unit.is_character:
            riders = [unit, *(carrier for _, carrier in army.carriers(unit))]
            if not any(rider.has_rule("tunneler") for rider in riders):
                yield finding("EP-30", at=at, unit=unit.name)
    for at, formation in army.places:
        plan = formation.plan
        earliest = ENEMY_HALF_TURN if plan.surface_half == "enemy" else OWN_HALF_TURN
        if formation.deployment == "tunnel" and (
            plan.surface_point is None or plan.turn is None or plan.turn < earliest
        ):
            yield finding("EP-31", at=f"{at}/plan")


def _is_spacecraft(formation: Formation) -> bool:
    return any(unit.kind == "SC" for unit in formation.units)


def _falls(unit: Unit) -> bool:
    return unit.has_rule("planetfall") or unit.has_rule("self planetfall")


def _bombards(unit: Unit) -> bool:
    rules = [*unit.rules, *(text for weapon in unit.weapons for text in (weapon.name, *weapon.rules))]
    return any("orbital bombardment" in rule_name(rule) for rule in rules)


def _may_garrison(formation: Formation, *, strict: bool) -> bool:
    """Source: L1099-1101 [text]; whether both halves of the second condition are needed is an option."""
    units = formation.own_units
    scouts = sum(unit.count for unit in units if unit.has_rule("scout"))
    fast = sum(unit.count for unit in units if unit.speed is not None and unit.speed > GARRISON_SPEED_CM)
    slow_enough, no_war_engine = fast <= 1, not any(unit.is_war_engine for unit in units)
    return (
        2 * scouts >= formation.size
        or ((slow_enough and no_war_engine) if strict else (slow_enough or no_war_engine))
        or any(unit.speed == 0 for unit in units)
    )


CHECKS = (
    reserves,
    teleports,
    aircraft_off_the_table,
    spacecraft_in_space,
    garrisons,
    overwatch,
    planetfall_units,
    planetfall_carriers,
    plans,
    spacecraft_turn,
    tunnellers,
)
