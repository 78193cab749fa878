"""Formations of Epic lists against each other: what is in range, every pair, and one pair as a document."""

from collections.abc import Sequence

from msgspec.structs import replace

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic.army import Weapon, rule_name, rule_value
from armybuilder.engine.systems.epic.combat.barrage import is_orbital, row_of
from armybuilder.engine.systems.epic.combat.conditions import EpicConditions
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.firing import (
    BESIDE_VEHICLES,
    POPPED_UP,
    barrage_points,
    best_value,
    can_hurt,
    firing_units,
    is_pin_point,
    packet_of,
    values_of,
)
from armybuilder.engine.systems.epic.combat.saves import made, needed
from armybuilder.engine.systems.epic.combat.simulations import KINDS
from armybuilder.engine.systems.epic.matchup import (
    EMBARKED,
    SUPPORTING,
    Conditions,
    EpicMatchup,
    FormationSide,
    UnitGroup,
)
from armybuilder.engine.systems.epic.special_rule_rows import ONE_WAY
from armybuilder.engine.systems.list_matchups import NOTHING_TO_FIRE, Effect, NoAttack, metrics_of, price_of
from armybuilder.engine.systems.special_rules import normal_name

SHOOTING, BARRAGE, ASSAULT = ATTACKS = ("shooting", "barrage", "assault")

INDIRECT = "indirect fire"
SKIMMERS = ("skimmer", "support craft")
NEAREST_INDIRECT_CM = 30
UNDER_ONE_TEMPLATE = 3
"""Units under a barrage template of 7.4 cm unless the players state how many [decision]."""

UNDER_ORBITAL_TEMPLATE = 8
"""The same for one of 12 cm, which is two and a half times as large (L1036)."""

OUT_OF_SIGHT = Text("spacecraft are not shot at", "по космическим кораблям не стреляют")
IN_THE_AIR = Text(
    "flying aircraft and spacecraft do not fight in assaults",
    "летящая авиация и космические корабли в ближнем бою не участвуют",
)
HARMLESS = Text("it cannot fight in an assault", "эта формация не может сражаться в ближнем бою")
FIREFIGHT_CM = 15
"""From how far units fight that are not in base contact (L529)."""

MAX_ROOM = 10_000
"""Places in base contact where the enemy is not known: enough for everybody."""

PERSONAL = ("commander", "supreme commander", "leader", "inspiring")
"""Rules that characters bring to a formation."""
ARC = " arc"


def request(attack: str, attacker: Fighter, defender: Fighter, seen: EpicConditions) -> EpicMatchup:
    """The matchup document behind a pair.

    Args:
        seen: the conditions as the attacker's list sees them: `blast_markers` are the defender's.

    Raises:
        NoAttack: there is none of that kind between the two.
    """
    if defender.is_in_space:
        raise NoAttack(OUT_OF_SIGHT, "/defender")
    first = replace(
        _damaged(attacker.side, seen.attacker_engine_damage),
        action=seen.action,
        blast_markers=seen.attacker_blast_markers,
    )
    second = replace(
        _damaged(defender.side, seen.engine_damage), terrain=seen.terrain, blast_markers=seen.blast_markers
    )
    if attack == ASSAULT:
        first, second = _engaged(attacker, first, second, seen)
    else:
        if seen.mounted:
            first = mounted(first, attacker.riding)
        if seen.defender_mounted:
            second = mounted(second, defender.riding)
        if seen.beside_vehicles:
            second = _beside_vehicles(second)
        second = replace(second, jink=seen.jinks and second.is_aircraft)
        armed = _armed(first, second, attack, seen)
        if armed is None:
            raise NoAttack(NOTHING_TO_FIRE, "/attacker")
        first = armed
        if attack == BARRAGE:
            second = _under_templates(first, second, seen)
    return EpicMatchup(
        system="epic",
        kind=attack,
        name=f"{attacker.name} – {defender.name}",
        attacker=first,
        defender=second,
        conditions=Conditions(crossfire=seen.crossfire and attack != ASSAULT),
    )


def _damaged(formation: FormationSide, points: int) -> FormationSide:
    """With war engines that have lost so many points, of which one at least is left."""
    if not points:
        return formation
    units = tuple(
        replace(unit, dc_left=max(1, unit.capacity - points)) if unit.type == "WE" else unit
        for unit in formation.units or ()
    )
    return replace(formation, units=units)


def _beside_vehicles(formation: FormationSide) -> FormationSide:
    """With infantry that touches armoured vehicles or war engines."""
    units = tuple(
        replace(unit, rules=(*unit.rules, BESIDE_VEHICLES.title())) if unit.type == "INF" else unit
        for unit in formation.units or ()
    )
    return replace(formation, units=units)


def _engaged(
    attacker: Fighter, first: FormationSide, second: FormationSide, seen: EpicConditions
) -> tuple[FormationSide, FormationSide]:
    """Both sides of an assault: who joins, who gets near enough, who fights how, and who supports."""
    if first.is_aircraft or second.is_aircraft or attacker.is_in_space:
        raise NoAttack(IN_THE_AIR, "/attacker")
    if seen.joined and first.bearers("commander", "supreme commander"):
        first = first.joined_by((_without_characters(first),) * seen.joined)
        first = replace(first, units=_gathered(first.groups))
    first = replace(fighting(first, second, reach=seen.charge_from), action="engage")
    if not any(_hits_expected(unit, unit.fights or "CC") for unit in first.groups):
        raise NoAttack(HARMLESS, "/attacker")
    second = answering(second, first)
    return _supported(first, seen.supporting), _supported(second, seen.defender_supporting)


def _without_characters(formation: FormationSide) -> FormationSide:
    """A formation of the same units, led by nobody of note."""
    units = tuple(
        replace(unit, rules=tuple(rule for rule in unit.rules if rule_name(rule) not in PERSONAL))
        for unit in formation.groups
    )
    return replace(formation, units=units, characters=())


def _gathered(units: Sequence[UnitGroup]) -> tuple[UnitGroup, ...]:
    """Equal units as one group."""
    counts: dict[UnitGroup, int] = {}
    for unit in units:
        key = replace(unit, count=0)
        counts[key] = counts.get(key, 0) + unit.count
    return tuple(replace(unit, count=count) for unit, count in counts.items() if count)


def _supported(formation: FormationSide, number: int) -> FormationSide:
    """With so many units of others in support, which are like most of its own."""
    able = [unit for unit in formation.groups if _hits_expected(unit, "FF")]
    if not number or not able:
        return formation
    like = max(able, key=lambda unit: unit.count)
    support = replace(
        like, name=f"{like.name} (support)", count=number, rules=(*like.rules, SUPPORTING.title()), fights="FF"
    )
    return replace(formation, units=(*formation.groups, support))


def mounted(formation: FormationSide, riding: Sequence[int]) -> FormationSide:
    """A formation with those who find a seat in its own transports; `riding` counts them by group."""
    units: list[UnitGroup] = []
    for unit, number in zip(formation.groups, riding or (0,) * len(formation.groups), strict=True):
        if number < unit.count:
            units.append(replace(unit, count=unit.count - number))
        if number:
            units.append(replace(unit, count=number, rules=(*unit.rules, EMBARKED.title())))
    return replace(formation, units=tuple(units))


def _armed(formation: FormationSide, target: FormationSide, attack: str, seen: EpicConditions) -> FormationSide | None:
    """The formation with the weapons that reach; None when nothing of them can be fired in this attack."""
    if target.is_aircraft and attack == BARRAGE:
        return None
    in_space = any(unit.type == "SC" for unit in formation.groups)
    if in_space:
        if target.is_aircraft:
            return None
        formation = replace(formation, action="advance", units=tuple(map(_from_orbit, formation.groups)))
    elif target.is_aircraft and not formation.is_aircraft:
        formation = replace(formation, action="flak", moved=seen.action in ("advance", "double"))
    elif formation.is_aircraft:
        formation = replace(formation, action="intercept" if target.is_aircraft else "ground_attack")
    units = tuple(
        replace(
            _looking_over(unit, seen),
            weapons=tuple(w for w in unit.weapons if _fires(w, attack, seen) and _faces(w, unit)),
        )
        for unit in formation.groups
    )
    armed = replace(formation, units=units)
    armed = replace(armed, units=tuple(_fired_in_one_way(unit, armed, target) for unit in armed.groups))
    firing = firing_units(armed)
    if not any(count and unit.weapons for count, unit in zip(firing, armed.groups, strict=True)):
        return None
    profiles = {profile for unit in armed.groups for weapon in unit.weapons for profile, _, _ in values_of(weapon)}
    if attack == SHOOTING and ("AA" in profiles if target.is_aircraft else bool(profiles - {"AA"})) is False:
        return None
    if in_space and attack == SHOOTING and not any(unit.type == "WE" for unit in target.groups):
        return None
    return armed


def _fired_in_one_way(unit: UnitGroup, formation: FormationSide, target: FormationSide) -> UnitGroup:
    """A unit with one way to fire of each weapon that has several: the one that hurts the target most (L80)."""
    if all(way_of(weapon) is None for weapon in unit.weapons):
        return unit
    matchup = EpicMatchup(system="epic", kind=SHOOTING, attacker=formation, defender=target)
    best: dict[str | None, tuple[tuple[float, int], Weapon]] = {}
    for weapon in unit.weapons:
        one = replace(weapon, count=1)
        best[way_of(weapon)] = max(
            best.get(way_of(weapon), ((-1.0, 0), one)),
            ((_harm(matchup, unit, weapon), len(weapon.rules)), one),
            key=lambda found: found[0],
        )
    taken = {way: weapon for way, (_, weapon) in best.items()}
    fired = (w for w in unit.weapons if way_of(w) is None or replace(w, count=1) == taken[way_of(w)])
    return replace(unit, weapons=tuple(fired))


def _harm(matchup: EpicMatchup, unit: UnitGroup, weapon: Weapon) -> float:
    """What one volley of a weapon does on average, in units or points of damage; barrage points count as they are."""
    assert matchup.defender is not None  # the caller's
    value = best_value(matchup, unit, weapon)
    if value is None:
        return float(weapon.count * barrage_points(weapon))
    profile, dice, chance = value
    targets = matchup.defender.groups
    packet = packet_of(matchup, weapon, (can_hurt(profile, weapon, target) for target in targets))
    damage = sum(points * share for points, share in enumerate(packet.damage, start=1))
    hurt = [
        (target.count, fails * (damage if target.track else 1.0))
        for target, fails in zip(targets, packet.fails, strict=True)
        if fails is not None
    ]
    each = sum(count * harm for count, harm in hurt) / max(1, sum(count for count, _ in hurt))
    return float(weapon.count * dice.distribution().mean * chance * each)


def way_of(weapon: Weapon) -> str | None:
    """The weapon of which this is one way to fire; None where it is fired whatever else is."""
    return next((rule_value(rule) for rule in weapon.rules if rule_name(rule) == ONE_WAY.casefold()), None)


def in_one_way(formation: FormationSide, *, barrage: bool) -> FormationSide:
    """A formation that takes its barrages, or never does, where a weapon may be fired directly instead."""
    return replace(
        formation,
        units=tuple(
            replace(unit, weapons=tuple(w for w in unit.weapons if not _is_other_way(w, unit, barrage=barrage)))
            for unit in formation.groups
        ),
    )


def _is_other_way(weapon: Weapon, unit: UnitGroup, *, barrage: bool) -> bool:
    way = way_of(weapon)
    ways = {bool(barrage_points(other)) for other in unit.weapons if way_of(other) == way}
    return way is not None and len(ways) > 1 and bool(barrage_points(weapon)) is not barrage


def _from_orbit(unit: UnitGroup) -> UnitGroup:
    """A spacecraft with what it can do from there: bombardments, and pin-point attacks. Source: L1034-L1040 [text]."""
    weapons = []
    for weapon in unit.weapons:
        if barrage_points(weapon):
            weapons.append(_ruled(weapon, "Orbital Bombardment"))
        elif weapon.name.casefold().replace("-", " ").startswith("pin point") or is_pin_point(weapon):
            weapons.append(_ruled(weapon, "Pin-point"))
    return replace(unit, weapons=tuple(weapons))


def _ruled(weapon: Weapon, rule: str) -> Weapon:
    return replace(weapon, rules=tuple(dict.fromkeys((*weapon.rules, rule))), range=None)


def _looking_over(unit: UnitGroup, seen: EpicConditions) -> UnitGroup:
    """A skimmer that has popped up, as support craft always have. Source: L706-L710, L742 [text]."""
    pops = seen.popped_up and seen.action != "sustained_fire" and unit.has_rule("skimmer")
    if pops or unit.has_rule("support craft"):
        return replace(unit, rules=(*unit.rules, POPPED_UP.title()))
    return unit


def _faces(weapon: Weapon, unit: UnitGroup) -> bool:
    """Whether it bears on what is ahead: nothing to the rear does, of both sides the left. Source: L348-358 [text]."""
    arcs = set(_arcs(weapon))
    if "rear" in arcs:
        return False
    return not ("right" in arcs and any("left" in _arcs(other) for other in unit.weapons))


def _arcs(weapon: Weapon) -> tuple[str, ...]:
    """The words of its fire arcs: left, forward, fixed."""
    names = map(normal_name, weapon.rules)
    return tuple(word for name in names if ARC in name for word in name.split())


def _fires(weapon: Weapon, attack: str, seen: EpicConditions) -> bool:
    """Whether a weapon takes part: the right kind, and in range; indirect fire reaches twice as far (L816)."""
    if bool(barrage_points(weapon)) is not (attack == BARRAGE):
        return False
    if attack == SHOOTING and not any(True for _ in values_of(weapon)):
        return False
    reach = weapon.range
    if reach is None:
        return True
    if isinstance(reach, str):
        return False
    indirect = seen.action == "sustained_fire" and is_indirect(weapon)
    return seen.distance <= reach or (indirect and NEAREST_INDIRECT_CM <= seen.distance <= 2 * reach)


def is_indirect(weapon: Weapon) -> bool:
    """Whether it can shoot over what stands between."""
    return any(rule_name(rule) == INDIRECT for rule in weapon.rules)


def _under_templates(attacker: FormationSide, defender: FormationSide, seen: EpicConditions) -> FormationSide:
    """The defender with the first units under the templates that the barrage has. Source: L412-445 [text]."""
    points = sum(
        count * weapon.count * barrage_points(weapon)
        for count, unit in zip(firing_units(attacker), attacker.groups, strict=True)
        for weapon in unit.weapons
    )
    orbital = any(is_orbital(weapon) for unit in attacker.groups for weapon in unit.weapons)
    row = row_of(points)
    usual = UNDER_ORBITAL_TEMPLATE if orbital else UNDER_ONE_TEMPLATE
    left = (1 + (row[1] if row else 0)) * (seen.units_covered or usual)
    units: list[UnitGroup] = []
    for unit in defender.groups:
        covered = 0 if unit.is_embarked else min(left, unit.count)
        left -= covered
        units.append(replace(unit, under_template=covered, under_template_centre=bool(unit.track) and covered > 0))
    return replace(defender, units=tuple(units))


def fighting(
    formation: FormationSide, enemy: FormationSide | None = None, *, reach: int | None = None
) -> FormationSide:
    """Who charges fights in the way that each unit hits more with, in base contact or from 15 cm (L529).

    Args:
        enemy: two units for each of his, or each point of an engine's starting capacity, find room in base contact
            (L509, L888); None counts nobody.
        reach: cm to the enemy; a unit comes into contact if it moves so far, Infiltrators twice as far (L668), fights
            from 15 cm if that is near enough, and else not at all. None lets everybody in.
    """
    room = 2 * enemy.strength if enemy is not None else MAX_ROOM
    units: list[UnitGroup] = []
    for unit in sorted(formation.groups, key=lambda unit: _hits_expected(unit, "FF") - _hits_expected(unit, "CC")):
        near, at_hand = _comes_near(unit, reach)
        if not near:
            continue
        better = at_hand and _hits_expected(unit, "FF") <= _hits_expected(unit, "CC")
        touching = min(room, unit.count) if better else 0
        room -= touching
        units += [
            replace(unit, count=number, fights=way)
            for number, way in ((touching, "CC"), (unit.count - touching, "FF"))
            if number
        ]
    order = {unit.name: number for number, unit in reversed(list(enumerate(formation.groups)))}
    return replace(formation, units=tuple(sorted(units, key=lambda unit: order[unit.name])))


def _comes_near(unit: UnitGroup, reach: int | None) -> tuple[bool, bool]:
    """Whether a charging unit comes within 15 cm of the enemy, and into base contact."""
    if reach is None:
        return True, True
    speed = unit.profile.speed if isinstance(unit.profile.speed, int | float) else 0
    move = speed * (2 if unit.has_rule("infiltrators") else 1)
    return move + FIREFIGHT_CM >= reach, move >= reach


def answering(formation: FormationSide, charger: FormationSide) -> FormationSide:
    """A formation that is charged fights as most of its chargers do: in base contact, or from 15 cm.

    Skimmers need not fight in base contact. Source: L529, L702-L712 [text]; that all answer alike [decision].
    """
    ways = {way: sum(unit.count for unit in charger.groups if unit.fights == way) for way in ("CC", "FF")}
    if ways["FF"] > ways["CC"]:
        return replace(formation, units=tuple(replace(unit, fights="FF") for unit in formation.groups))
    units = tuple(
        replace(unit, fights=free.fights if unit.has_rule(*SKIMMERS) else "CC")
        for unit, free in zip(formation.groups, fighting(formation).groups, strict=True)
    )
    return replace(formation, units=units)


def _hits_expected(unit: UnitGroup, way: str) -> float:
    value = needed(unit.profile.CC if way == "CC" else unit.profile.FF)
    reach = "base contact" if way == "CC" else "small arms"
    rules = (*unit.rules, *(rule for weapon in unit.weapons if weapon.range == reach for rule in weapon.rules))
    return made(value) * (unit.capacity + sum(rule_name(rule) == "extra attacks" for rule in rules))


def effect(attack: str, attacker: Fighter, defender: Fighter, seen: EpicConditions) -> Effect:
    """What one formation does to another, exactly wherever it can be followed. Raises BadDocument for no attack."""
    document = request(attack, attacker, defender, seen)
    metrics, sampled = metrics_of(document, KINDS)
    destroyed = metrics["units_destroyed"]
    broken = metrics.get("p_broken")
    if attack == ASSAULT:
        broken = max(0.0, metrics["p_win"] - metrics["p_destroyed"])
    return Effect(
        models_slain=destroyed,
        damage_lost=metrics.get("dc_lost"),
        points_destroyed=price_of(destroyed, defender),
        p_destroyed=metrics["p_destroyed"],
        p_broken=broken,
        weapons=_weapons_of(document, attack),
        sampled=sampled,
    )


def _weapons_of(document: EpicMatchup, attack: str) -> tuple[str, ...]:
    assert document.attacker is not None  # requests have one
    if attack == ASSAULT:
        return tuple(dict.fromkeys(unit.fights or "CC" for unit in document.attacker.groups))
    return tuple(dict.fromkeys(weapon.name for unit in document.attacker.groups for weapon in unit.weapons))
