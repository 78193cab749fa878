"""Formations of Epic lists against each other: what is in range, every pair, and one pair as a document."""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from armybuilder.engine.errors import BadDocument, Cancelled
from armybuilder.engine.systems.epic.army import Weapon, rule_name
from armybuilder.engine.systems.epic.barrage import row_of
from armybuilder.engine.systems.epic.fighters import Fighter
from armybuilder.engine.systems.epic.firing import barrage_points, firing_units, values_of
from armybuilder.engine.systems.epic.matchup import Action, Clash, Conditions, Formation, Terrain, Unit
from armybuilder.engine.systems.epic.saves import made, needed
from armybuilder.engine.systems.meetings import Effect, metrics_of

SHOOTING, BARRAGE, ASSAULT = ATTACKS = ("shooting", "barrage", "assault")

INDIRECT = "indirect fire"
SKIMMERS = ("skimmer", "support craft")
NEAREST_INDIRECT_CM = 30
UNDER_ONE_TEMPLATE = 3
"""Units under a barrage template of 7.4 cm unless the players state how many [decision]."""


class Acting(msgspec.Struct, frozen=True):
    """How the acting formation stands: its action, distance to the target in cm, and its blast markers."""

    action: Action = "advance"
    distance: float = 30
    blast_markers: int = 0
    crossfire: bool = False
    units_covered: int | None = None


class Suffering(msgspec.Struct, frozen=True):
    """How the other formation stands."""

    terrain: Terrain = "open"
    blast_markers: int = 0


def effects(
    attack: str,
    attackers: Sequence[Fighter],
    defenders: Sequence[Fighter],
    *,
    acting: Acting,
    suffering: Suffering,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> list[list[Effect | None]]:
    """Resolve every pair, exactly wherever the outcomes can be followed; None where there is no such attack.

    Raises:
        Cancelled: `should_stop` said so between two rows.
    """
    rows: list[list[Effect | None]] = []
    for number, attacker in enumerate(attackers):
        if should_stop is not None and should_stop():
            raise Cancelled(f"Cancelled after {number} of {len(attackers)} formations.")
        rows.append([_cell(attack, attacker, defender, acting, suffering) for defender in defenders])
        if progress is not None:
            progress((number + 1) / len(attackers))
    return rows


def request(attack: str, attacker: Fighter, defender: Fighter, *, acting: Acting, suffering: Suffering) -> Clash:
    """The matchup document behind a pair.

    Raises:
        BadDocument: there is no such attack between the two.
    """
    if attacker.is_in_space or defender.is_in_space:
        raise BadDocument("Spacecraft neither shoot at formations nor are shot at.", "/attacker")
    first = replace(attacker.side, action=acting.action, blast_markers=acting.blast_markers)
    second = replace(defender.side, terrain=suffering.terrain, blast_markers=suffering.blast_markers)
    if attack == ASSAULT:
        if first.is_aircraft or second.is_aircraft:
            raise BadDocument("Flying aircraft do not fight in assaults.", "/attacker")
        first = replace(fighting(first), action="engage")
        second = answering(second, first)
        if not any(_hits_expected(unit, unit.fights or "CC") for unit in first.groups):
            raise BadDocument(f"{attacker.name} cannot fight in an assault.", "/attacker")
    else:
        armed = _armed(first, second, attack, acting)
        if armed is None:
            raise BadDocument(f"{attacker.name} has nothing to fire at {defender.name}.", "/attacker")
        first = armed
        if attack == BARRAGE:
            second = _under_templates(first, second, acting)
    return Clash(
        system="epic",
        kind=attack,
        name=f"{attacker.name} – {defender.name}",
        attacker=first,
        defender=second,
        conditions=Conditions(crossfire=acting.crossfire and attack != ASSAULT),
    )


def _armed(formation: Formation, target: Formation, attack: str, acting: Acting) -> Formation | None:
    """The formation with the weapons that reach; None when nothing of them can be fired in this attack."""
    if target.is_aircraft and attack == BARRAGE:
        return None
    if target.is_aircraft and not formation.is_aircraft:
        formation = replace(formation, action="flak", moved=acting.action in ("advance", "double"))
    elif formation.is_aircraft:
        formation = replace(formation, action="intercept" if target.is_aircraft else "ground_attack")
    units = tuple(
        replace(unit, weapons=tuple(weapon for weapon in unit.weapons if _fires(weapon, attack, acting)))
        for unit in formation.groups
    )
    armed = replace(formation, units=units)
    firing = firing_units(armed)
    if not any(count and unit.weapons for count, unit in zip(firing, armed.groups, strict=True)):
        return None
    profiles = {profile for unit in armed.groups for weapon in unit.weapons for profile, _, _ in values_of(weapon)}
    if attack == SHOOTING and ("AA" in profiles if target.is_aircraft else bool(profiles - {"AA"})) is False:
        return None
    return armed


def _fires(weapon: Weapon, attack: str, acting: Acting) -> bool:
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
    indirect = acting.action == "sustained_fire" and is_indirect(weapon)
    return acting.distance <= reach or (indirect and NEAREST_INDIRECT_CM <= acting.distance <= 2 * reach)


def is_indirect(weapon: Weapon) -> bool:
    """Whether it can shoot over what stands between."""
    return any(rule_name(rule) == INDIRECT for rule in weapon.rules)


def _under_templates(attacker: Formation, defender: Formation, acting: Acting) -> Formation:
    """The defender with the first units under the templates that the barrage has. Source: L412-445 [text]."""
    points = sum(
        count * weapon.count * barrage_points(weapon)
        for count, unit in zip(firing_units(attacker), attacker.groups, strict=True)
        for weapon in unit.weapons
    )
    row = row_of(points)
    left = (1 + (row[1] if row else 0)) * (acting.units_covered or UNDER_ONE_TEMPLATE)
    units: list[Unit] = []
    for unit in defender.groups:
        covered = min(left, unit.count)
        left -= covered
        units.append(replace(unit, under_template=covered, under_template_centre=bool(unit.track) and covered > 0))
    return replace(defender, units=tuple(units))


def fighting(formation: Formation) -> Formation:
    """Who charges fights in the way that each unit hits more with, in base contact or from 15 cm (L529)."""
    units = tuple(
        replace(unit, fights="FF" if _hits_expected(unit, "FF") > _hits_expected(unit, "CC") else "CC")
        for unit in formation.groups
    )
    return replace(formation, units=units)


def answering(formation: Formation, charger: Formation) -> Formation:
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


def _hits_expected(unit: Unit, way: str) -> float:
    value = needed(unit.profile.CC if way == "CC" else unit.profile.FF)
    reach = "base contact" if way == "CC" else "small arms"
    rules = (*unit.rules, *(rule for weapon in unit.weapons if weapon.range == reach for rule in weapon.rules))
    return made(value) * (unit.capacity + sum(rule_name(rule) == "extra attacks" for rule in rules))


def _cell(attack: str, attacker: Fighter, defender: Fighter, acting: Acting, suffering: Suffering) -> Effect | None:
    try:
        document = request(attack, attacker, defender, acting=acting, suffering=suffering)
    except BadDocument:
        return None
    metrics, sampled = metrics_of(document)
    destroyed = metrics["units_destroyed"]
    broken = metrics.get("p_broken")
    if attack == ASSAULT:
        broken = max(0.0, metrics["p_win"] - metrics["p_destroyed"])
    return Effect(
        models_slain=destroyed,
        damage_lost=metrics.get("dc_lost"),
        points_destroyed=destroyed * float(defender.points) / max(1, defender.models),
        p_destroyed=metrics["p_destroyed"],
        p_broken=broken,
        weapons=_weapons_of(document, attack),
        sampled=sampled,
    )


def _weapons_of(document: Clash, attack: str) -> tuple[str, ...]:
    assert document.attacker is not None  # requests have one
    if attack == ASSAULT:
        return tuple(dict.fromkeys(unit.fights or "CC" for unit in document.attacker.groups))
    return tuple(dict.fromkeys(weapon.name for unit in document.attacker.groups for weapon in unit.weapons))
