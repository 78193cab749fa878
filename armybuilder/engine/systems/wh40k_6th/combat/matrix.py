"""Units of 40k 6th edition lists shooting at each other: what is fired, every pair exactly, one pair as a document."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from armybuilder.engine.combat.dice import parse
from armybuilder.engine.combat.steps.saves import armour_save, best_save, save_chance
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.list_matchups import NOTHING_TO_FIRE, Effect, NoAttack, price_of
from armybuilder.engine.systems.list_rules import Override
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon, needed
from armybuilder.engine.systems.wh40k_6th.combat.fighter import CHARACTER, HULLS, Fighter, is_a
from armybuilder.engine.systems.wh40k_6th.combat.shooting import chances_of, losses
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import (
    MODELS_COVERED,
    UNSTATED_BLAST,
    fires_pistols_twice,
    is_barrage,
    is_fired_besides,
    is_steady,
    marker,
)
from armybuilder.engine.systems.wh40k_6th.combat.volleys import Volley, volleys
from armybuilder.engine.systems.wh40k_6th.combat.wound_allocation import Target, Walk, gone_to_ground
from armybuilder.engine.systems.wh40k_6th.matchup import (
    Attacker,
    Conditions,
    Defender,
    FiringGroup,
    MatchupOptions,
    TargetGroup,
    Wh40kMatchup,
)

NO_ARMOUR_RULES = Text(
    "the rules text does not say how vehicles and buildings are damaged",
    "текст правил не говорит, как повреждаются машины и постройки",
)
WORST_COVER = 6
"""The worst cover save that a player can name for focus fire. Source: L618-628 [text]."""

TEMPLATE_INCHES = 8
"""How far a template reaches; the same as a stated distance [carried]."""
MONSTERS = ("monstrous creature", "jet pack monstrous creature", "flying monstrous creature", "gargantuan creature")
RELENTLESS = "Relentless"
STEADY_TYPES = (*MONSTERS, "walker", "jet pack infantry", "bike", "bikes", "jetbike")
"""Types of models that shoot on the move as if they stood, though nothing says so of them [carried]."""
STEADY_HULLS = ("fast", "heavy", "chariot", "building")
"""Vehicles that aim everything at combat speed, as the super-heavy do, and buildings, which do not move [carried]."""
AIMED, AIMED_IN_FLIGHT = 1, 4
"""Weapons that other vehicles at combat speed, and zooming flyers, aim; the rest make snap shots [carried]."""

ALL_WEAPONS = 99
_SHOTS = re.compile(r"\s(\d+|\d*D[36](?:\+\d+)?)$", re.IGNORECASE)
"""Shots that stand in the type of a weapon: "Assault 2"."""
EXTRA_WEAPON = "multi-tracker"

_Offer = tuple[float, int, Weapon]
"""What a weapon does to a target, its number in the group, and the weapon."""


class Shooters(msgspec.Struct, frozen=True):
    """How one side shoots: at which distance, whether it moved, how many models a marker covers, only snap shots."""

    distance: float
    moved: bool = False
    models_covered: int | None = None
    snap_shots: bool = False


class Shelter(msgspec.Struct, frozen=True):
    """How the other side stands.

    Attributes:
        models_in_cover: how many models have that cover, the nearest first; None is all.
        focus_fire: the shooters focus on those who are not in it, where only some are. Source: L618-628 [text].
        characters_in_front: they are nearest, not furthest.
        look_out_sir: whether their wounds are moved onto comrades.
    """

    cover: str | None = None
    gone_to_ground: bool = False
    models_in_cover: int | None = None
    focus_fire: bool = False
    characters_in_front: bool = False
    look_out_sir: bool = True

    def named_value(self, models: int) -> str | None:
        """The cover save named for focus fire at a unit of so many models; None where all or none are in cover."""
        cover = needed(self.cover)
        if not self.focus_fire or cover is None or self.models_in_cover is None or self.models_in_cover >= models:
            return None
        return f"{min(WORST_COVER, cover + 1)}+"


class _TargetState:
    """A target, read once for all who shoot at it; the states its unit can reach are shared between them."""

    def __init__(self, fighter: Fighter, shelter: Shelter) -> None:
        self.fighter = fighter
        self.defender = defender_of(fighter, shelter)
        nobody = Attacker(models=(FiringGroup(name="", count=0),))
        self.walk = Walk(Target.of(matchup_of(nobody, self.defender, Shooters(0), shelter)))


def shooting_matrix(
    attackers: Sequence[Fighter], defenders: Sequence[Fighter], *, shooters: Shooters, shelter: Shelter
) -> Iterator[list[Effect | None]]:
    """Resolve every pair exactly; None where nothing can be fired, and for targets with armour values."""
    targets = [None if fighter.is_hull else _TargetState(fighter, shelter) for fighter in defenders]
    for attacker in attackers:
        yield [_effect(attacker, target, shooters) if target else None for target in targets]


def shooting_request(attacker: Fighter, defender: Fighter, *, shooters: Shooters, shelter: Shelter) -> Wh40kMatchup:
    """The matchup document behind a pair.

    Raises:
        NoAttack: the target has armour values, or nothing can be fired at it.
    """
    if defender.is_hull:
        raise NoAttack(NO_ARMOUR_RULES, "/defender")
    target = defender_of(defender, shelter)
    firing = fired_at(attacker, target, shooters)
    if firing is None:
        raise NoAttack(NOTHING_TO_FIRE, "/attacker")
    matchup = matchup_of(firing, target, shooters, shelter)
    return replace(matchup, name=f"{attacker.name} – {defender.name}")


OPEN = Shelter()


def matchup_of(attacker: Attacker, defender: Defender, shooters: Shooters, shelter: Shelter = OPEN) -> Wh40kMatchup:
    """A matchup document of these sides."""
    return Wh40kMatchup(
        system="wh40k-6th",
        kind="shooting",
        attacker=attacker,
        defender=defender,
        conditions=Conditions(
            distance=shooters.distance,
            snap_shots=shooters.snap_shots,
            focus_fire=shelter.named_value(sum(group.count for group in defender.models)),
        ),
        options=MatchupOptions(look_out_sir="always" if shelter.look_out_sir else "never"),
    )


def defender_of(fighter: Fighter, shelter: Shelter) -> Defender:
    """The target side: the groups in the order of the fighter, so that the first is the nearest."""
    groups = [
        TargetGroup(
            name=group.name,
            count=group.count,
            profile=group.profile,
            subtypes=group.subtypes,
            rules=group.rules,
            track=group.count == 1 < fighter.models and is_a(group, CHARACTER),
        )
        for group in fighter.groups
        if group.profile is not None
    ]
    if shelter.characters_in_front:
        groups.sort(key=lambda group: not group.is_character)
    partly = shelter.models_in_cover is not None and shelter.models_in_cover < sum(group.count for group in groups)
    if partly:
        groups = list(_partly_covered(groups, shelter.models_in_cover or 0, shelter.cover))
    return Defender(
        name=fighter.name,
        rules=fighter.rules,
        cover=None if partly else shelter.cover,
        gone_to_ground=shelter.gone_to_ground,
        models=tuple(groups),
    )


def _partly_covered(groups: Sequence[TargetGroup], models: int, cover: str | None) -> Iterator[TargetGroup]:
    """The groups, those in front with the cover: the one at its edge is cut in two."""
    for group in groups:
        covered = min(models, group.count)
        models -= covered
        if covered:
            yield replace(group, count=covered, cover=cover)
        if covered < group.count:
            yield replace(group, count=group.count - covered)


def fired_at(attacker: Fighter, defender: Defender, shooters: Shooters) -> Attacker | None:
    """The firing side with the weapons that hurt this target most; None when no weapon can be fired.

    A model fires one weapon, a monstrous creature two, a vehicle all; two pistols go together; a multi-tracker allows
    one more, and some weapons are fired besides the model's own [carried]. Vehicles that moved did so at
    combat speed [decision].
    """
    groups: list[FiringGroup] = []
    for index, standing in enumerate(attacker.groups):
        if standing.profile is None or standing.profile.BS is None:
            continue
        group = _on_the_move(standing, attacker.rules) if shooters.moved else standing
        if shooters.moved and not shooters.snap_shots and all_weapons(group) and not is_steady(group.rules):
            groups += _at_combat_speed(attacker, index, group, defender, shooters)
            continue
        weapons = _chosen(attacker, index, group, _offers(group, defender, shooters))
        groups += _firing(group, weapons)
    if not groups:
        return None
    return Attacker(models=tuple(groups), name=attacker.name, rules=attacker.rules, moved=shooters.moved)


def _offers(group: Group, defender: Defender, shooters: Shooters) -> list[_Offer]:
    """The weapons that can hurt the target, each with what it does to it and its place in the group."""
    offers = [
        (_value(group, weapon, defender, shooters), number, weapon)
        for number, printed in enumerate(group.weapons)
        if (weapon := as_fired(group, printed, defender, shooters))
    ]
    return [offer for offer in offers if offer[0] > 0]


def _firing(group: Group, weapons: Sequence[Weapon], *, snap_shots: bool = False) -> Iterator[FiringGroup]:
    """A group as it fires these weapons, where there are any."""
    if weapons:
        yield FiringGroup(
            name=group.name,
            count=group.count,
            profile=group.profile or Profile(),
            weapons=tuple(weapons),
            rules=group.rules,
            snap_shots=snap_shots,
        )


def _at_combat_speed(
    attacker: Fighter, index: int, group: Group, defender: Defender, shooters: Shooters
) -> Iterator[FiringGroup]:
    """Vehicles that moved: those weapons are aimed that gain most by it, whatever their type; the rest snap."""
    steady = replace(group, rules=(*group.rules, RELENTLESS))
    aimed = _best_profiles(attacker, index, _offers(steady, defender, shooters))
    snapped = _best_profiles(attacker, index, _offers(group, defender, replace(shooters, snap_shots=True)))

    def gain(place: int) -> float:
        value, _, weapon = aimed[place]
        return (value - (snapped[place][0] if place in snapped else 0.0)) / (weapon.count or group.count)

    free = group.count * (AIMED_IN_FLIGHT if is_a(group, "flyer") else AIMED)
    aiming: dict[int, Weapon] = {}
    snapping = {place: weapon for place, (_, _, weapon) in snapped.items()}
    for place in sorted(aimed, key=lambda place: (-gain(place), place)):
        weapon = aimed[place][2]
        bearers = group.count if weapon.count is None else min(weapon.count, group.count)
        aim = min(bearers, free)
        free -= aim
        if aim:
            aiming[place] = weapon if aim == bearers else _with_bearers(weapon, aim, bearers)
        if aim == bearers:
            snapping.pop(place, None)
        elif aim and place in snapping:
            snapping[place] = _with_bearers(snapping[place], bearers - aim, bearers)
    yield from _firing(steady, [aiming[place] for place in sorted(aiming)])
    yield from _firing(group, [snapping[place] for place in sorted(snapping)], snap_shots=True)


def _best_profiles(attacker: Fighter, index: int, offers: Sequence[_Offer]) -> dict[int, _Offer]:
    """Of each weapon the profile that hurts most, by the place of its first profile."""
    first = {number: min(mode.weapons) for mode in attacker.modes if mode.group == index for number in mode.weapons}
    found: dict[int, _Offer] = {}
    for offer in offers:
        place = first.get(offer[1], offer[1])
        if place not in found or offer[0] > found[place][0]:
            found[place] = offer
    return found


def _on_the_move(group: Group, rules: tuple[str, ...]) -> Group:
    """A group with the rule by which it shoots on the move, of its own, of its unit or of its type."""
    has = is_steady(group.rules)
    steady = is_steady(rules) or is_a(group, *STEADY_TYPES) or (all_weapons(group) and _is_steady_hull(group))
    return replace(group, rules=(*group.rules, RELENTLESS)) if steady and not has else group


def _is_steady_hull(group: Group) -> bool:
    return is_a(group, *STEADY_HULLS) or any("super-heavy" in kind.casefold() for kind in group.subtypes)


def as_fired(group: Group, weapon: Weapon, defender: Defender, shooters: Shooters) -> Weapon | None:
    """A weapon with the shots or hits it has at this distance; None when it cannot be fired so.

    Source: weapon types [carried]; the main source names them without their shots. Markers and templates hit as many
    models as are stated, and do not scatter [decision].
    """
    covering = marker_of(weapon)
    if weapon.reach is None:
        if covering not in ("template", "hellstorm") or shooters.distance > TEMPLATE_INCHES * (
            2 if covering == "hellstorm" else 1
        ):
            return None
    elif weapon.reach < shooters.distance:
        return None
    kind = (weapon.type or "").casefold()
    moved = shooters.moved and not is_steady(group.rules)
    snaps = shooters.snap_shots or (moved and weapon.is_heavy)
    if snaps and (weapon.cannot_snap or covering is not None):
        return None
    shots: int | str | None = weapon.shots
    if shots is None and (written := _SHOTS.search(weapon.type or "")):
        shots = written[1].upper()
    half = weapon.reach is not None and shooters.distance <= weapon.reach / 2
    if kind.startswith("rapid"):
        guns = int(text) if (text := str(shots)).isdecimal() else 1  # "Rapid Fire 3" is three boltguns on one mount
        shots = guns * (2 if half else 1)
    elif kind.startswith("salvo"):
        few, _, many = kind.removeprefix("salvo").strip().partition("/")
        if moved and not half:
            return None
        shots = int(few if moved else many) if few.isdecimal() and many.isdecimal() else 1
    if kind.startswith("pistol") and fires_pistols_twice(group.rules):
        shots = 2 * (shots if isinstance(shots, int) else 1)
    if covering is None:
        return replace(weapon, shots=1 if shots is None else shots)
    bearers = group.count if weapon.count is None else min(weapon.count, group.count)
    models = sum(target.count for target in defender.models)
    covered = min(models, shooters.models_covered or MODELS_COVERED[covering])
    markers = round(float(parse(1 if shots is None else shots).distribution().mean))
    return replace(weapon, shots=markers, override=Override(hits=bearers * markers * covered))


def marker_of(weapon: Weapon) -> str | None:
    """The marker or template a weapon uses; None for others. Every barrage uses one [carried]."""
    words = (str(weapon.range), weapon.type or "", *weapon.rules)
    printed = next((found for word in words if (found := marker(word))), None)
    ordnance = (weapon.type or "").casefold().startswith("ord")
    return UNSTATED_BLAST[ordnance] if printed is None and is_barrage(weapon.rules) else printed


def _value(group: Group, weapon: Weapon, defender: Defender, shooters: Shooters) -> float:
    """Expected unsaved wounds on the nearest group, a whole model's for instant death, for choosing between weapons."""
    profile = group.profile or Profile()
    alone = FiringGroup(name=group.name, count=group.count, profile=profile, weapons=(weapon,), rules=group.rules)
    matchup = matchup_of(Attacker(models=(alone,), moved=shooters.moved), defender, shooters)
    fired = volleys(matchup, ModelNotes())
    return sum(_hurt(volley, defender) for volley in fired)


def _hurt(volley: Volley, defender: Defender) -> float:
    target = defender.models[0]
    cover = needed(target.cover if target.cover is not None else defender.cover)
    cover = gone_to_ground(cover) if defender.gone_to_ground else cover
    options = (armour_save(needed(target.profile.Sv), volley.armour_piercing), needed(target.profile.Inv), cover)
    fails = Fraction(1) - save_chance(best_save(options))
    shots = volley.hits or volley.shots
    hits = float(shots.distribution().mean) if shots else 0.0
    if volley.hits is None:
        hits *= volley.models * float(volley.to_hit)
    wounds = target.profile.W or 1
    instant = volley.strength is not None and target.profile.T is not None and volley.strength >= 2 * target.profile.T
    return hits * float(volley.to_wound) * float(fails) * (wounds if instant else 1)


def _chosen(attacker: Fighter, index: int, group: Group, offers: list[_Offer]) -> list[Weapon]:
    best = sorted(offers, key=lambda offer: (-offer[0] / (offer[2].count or group.count), offer[1]))
    for mode in attacker.modes:
        if mode.group == index:
            mine = [offer for offer in best if offer[1] in mode.weapons]
            best = [offer for offer in best if offer not in mine[1:]]
    free = group.count * _weapons_at_once(attacker, group)
    fired: list[tuple[int, Weapon]] = []
    for _, number, weapon in best:
        bearers = group.count if weapon.count is None else min(weapon.count, group.count)
        second_pistol = len(fired) == 1 and all((w.type or "").startswith("Pistol") for w in (fired[0][1], weapon))
        besides = second_pistol or is_fired_besides(weapon.rules)
        firing = bearers if besides else min(bearers, free)
        if firing <= 0:
            continue
        if not besides:
            free -= firing
        fired.append((number, weapon if firing == bearers else _with_bearers(weapon, firing, bearers)))
    return [weapon for _, weapon in sorted(fired, key=lambda item: item[0])]


def _with_bearers(weapon: Weapon, firing: int, bearers: int) -> Weapon:
    if weapon.override is None or not isinstance(weapon.override.hits, int):
        return replace(weapon, count=firing)
    return replace(weapon, count=firing, override=Override(hits=weapon.override.hits * firing // bearers))


def all_weapons(group: Group) -> bool:
    """Whether a model fires everything it has."""
    return is_a(group, *HULLS)


def _weapons_at_once(attacker: Fighter, group: Group) -> int:
    if all_weapons(group):
        return ALL_WEAPONS
    more = any(name.casefold() == EXTRA_WEAPON for name in attacker.unknown)
    return 1 + (is_a(group, *MONSTERS) or more)


def _effect(attacker: Fighter, target: _TargetState, shooters: Shooters) -> Effect | None:
    firing = fired_at(attacker, target.defender, shooters)
    if firing is None:
        return None
    fired = volleys(matchup_of(firing, target.defender, shooters), ModelNotes())
    try:
        chances = chances_of(fired, target.walk)
    except LimitExceeded as too_many:
        raise BadDocument(str(too_many), "/defender") from too_many
    slain, destroyed = losses(chances, target.walk)
    fighter = target.fighter
    return Effect(
        models_slain=slain,
        points_destroyed=price_of(slain, fighter),
        wounds_lost=float(target.walk.wounds() @ chances) if target.walk.has_wounds else None,
        p_destroyed=destroyed,
        weapons=tuple(dict.fromkeys(weapon.name for group in firing.models for weapon in group.weapons)),
    )
