"""The firing side: suppression, modifiers, dice to hit; every weapon becomes hits of one kind of packet."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import floor

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import Dice, parse
from armybuilder.engine.combat.distribution import Distribution, binomial, certain, mixture
from armybuilder.engine.systems.epic.army import Weapon, rule_name
from armybuilder.engine.systems.epic.combat.casualties import Packet
from armybuilder.engine.systems.epic.combat.saves import JINKING_CLASSES, MACRO, ORDINARY, TITAN_KILLER, failing
from armybuilder.engine.systems.epic.combat.special_rules import dice_of
from armybuilder.engine.systems.epic.matchup import EpicMatchup, FormationSide, UnitGroup

Ints = npt.NDArray[np.int64]

ACTION_MODIFIERS = {"double": -1, "marshal": -1, "sustained_fire": 1}
SILENT_ACTIONS = ("march", "engage", "stand_down")
"""Actions without shooting. Source: L174-202 [text]."""

TARGETS = {"AP": ("INF", "LV"), "AT": ("LV", "AV", "WE"), "AA": ("AC",)}
"""Unit types each profile can hurt. Source: L398, L688 [text]."""

SNIPER = "sniper"
POPPED_UP = "popped up"
"""The rule of a skimmer that looks over the cover between it and its target; saves stay. Source: L706-L710 [text]."""
BESIDE_VEHICLES = "beside vehicles"
"""The rule of infantry that touches armoured vehicles or war engines and so counts as in cover. Source: L306 [text]."""
VALUE = re.compile(r"(?:(\d+|D[36](?:\+\d{1,2})?)x)?(AP|AT|AA|MW)(\d)\+")
BARRAGE = re.compile(r"(\d+|D[36](?:\+\d{1,2})?)BP")


@dataclass(frozen=True, slots=True)
class Shots:
    """Dice of one weapon: `each` dice from every one of `firers`, hitting with `chance`."""

    firers: int
    each: Dice
    chance: float

    def hits(self) -> Distribution:
        """How many hit."""
        dice = self.each.distribution().times(self.firers)
        return mixture(
            (float(weight), binomial(int(count), self.chance))
            for count, weight in zip(dice.values, dice.p, strict=True)
            if weight
        )

    def roll(self, rng: np.random.Generator, size: int) -> Ints:
        """Hits of each trial, shape (size,)."""
        dice = self.each.roll(rng, size * self.firers).reshape(size, self.firers).sum(axis=1)
        hits: Ints = rng.binomial(dice, self.chance)
        return hits


@dataclass(frozen=True, slots=True)
class Volley:
    """All hits of one kind.

    Attributes:
        harmless: the hits can hurt nothing; they only leave a marker.
    """

    packet: Packet
    shots: tuple[Shots, ...]

    @property
    def harmless(self) -> bool:
        """Whether these hits can hurt nobody."""
        return all(fails is None for fails in self.packet.fails)

    def hits(self) -> Distribution:
        """Distribution of the hits."""
        return reduce(Distribution.__add__, (shots.hits() for shots in self.shots), certain(0))

    def roll(self, rng: np.random.Generator, size: int) -> Ints:
        """Hits of each trial, shape (size,)."""
        total = np.zeros(size, np.int64)
        for shots in self.shots:
            total += shots.roll(rng, size)
        return total


def hit_chance(need: int) -> float:
    """Chance to hit when shooting: a 1 misses; 7+ to 9+ is a 6 and then 4+ to 6. Source: L377-394 [text]."""
    if need <= 6:
        return (7 - max(2, need)) / 6
    return {7: 1 / 12, 8: 1 / 18, 9: 1 / 36}.get(need, 0.0)


def firing_units(formation: FormationSide) -> list[int]:
    """How many units of each group fire: every marker stops one, a war engine only as many as its starting DC.

    Units at the end of the list stand furthest away and are stopped first. Source: L128, L342, L870 [text].
    """
    counts = [unit.count if unit.weapons and not unit.is_embarked else 0 for unit in formation.groups]
    if formation.jink:
        counts = [0 if jinks(formation, unit) else n for unit, n in zip(formation.groups, counts, strict=True)]
    if formation.broken or formation.action in SILENT_ACTIONS:
        return [0] * len(counts)
    if formation.is_aircraft:
        return counts
    left = formation.blast_markers
    for index in reversed(range(len(counts))):
        price = formation.groups[index].capacity
        stopped = min(counts[index], left // price)
        counts[index] -= stopped
        left -= stopped * price
    return counts


def jinks(formation: FormationSide, unit: UnitGroup) -> bool:
    """Whether an aircraft dodges instead of attacking. Source: L968 [text]."""
    return formation.jink and unit.type == "AC" and (unit.aircraft_class or "").casefold() in JINKING_CLASSES


def can_hurt(profile: str, weapon: Weapon, target: UnitGroup) -> bool:
    """Whether a value hurts a unit: by its type (L398, L688), never passengers; pin-points only engines (L1040)."""
    if target.is_embarked or (is_pin_point(weapon) and target.type != "WE"):
        return False
    return target.shot_at_as in TARGETS[profile]


def is_pin_point(weapon: Weapon) -> bool:
    """Whether a spacecraft uses it for pin-point attacks."""
    return any(rule_name(rule).startswith("pin point") for rule in weapon.rules)


def volleys(matchup: EpicMatchup) -> list[Volley]:
    """What a formation fires at another one, hits of one kind together, in the order of resolution."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    kinds: dict[Packet, list[Shots]] = {}
    for unit, firers in zip(attacker.groups, firing_units(attacker), strict=True):
        for weapon in unit.weapons:
            best = best_value(matchup, unit, weapon)
            if best is None or not firers * weapon.count:
                continue
            profile, each, chance = best
            eligible = (can_hurt(profile, weapon, target) for target in defender.groups)
            packet = packet_of(matchup, weapon, eligible, aimed=is_aimed(unit, weapon))
            kinds.setdefault(packet, []).append(Shots(firers * weapon.count, each, chance))
    return [Volley(packet, tuple(shots)) for packet, shots in sorted(kinds.items(), key=lambda item: item[0].hit_class)]


def is_aimed(unit: UnitGroup, weapon: Weapon) -> bool:
    """Whether the firer chooses which units its hits go to. Source: L714-L716 [text]."""
    return any(rule_name(rule) == SNIPER for rule in (*unit.rules, *weapon.rules))


def packet_of(matchup: EpicMatchup, weapon: Weapon, eligible: Iterable[bool], *, aimed: bool = False) -> Packet:
    """The kind of hits a weapon makes on the defender's groups; aimed ones go to the units that save worst."""
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    hit_class = class_of(weapon)
    ignore_cover = "ignore cover" in {rule_name(rule) for rule in weapon.rules}
    fails = tuple(
        failing(
            defender,
            target,
            hit_class=hit_class,
            options=matchup.options,
            crossfire=matchup.conditions.crossfire and target.type != "AC",
            ignore_cover=ignore_cover,
            weapon=weapon,
        )
        if hurt
        else None
        for target, hurt in zip(defender.groups, eligible, strict=True)
    )
    disrupts = any(rule_name(rule) == "disrupt" for rule in weapon.rules)
    return Packet(hit_class, fails, disrupts, damage_of(weapon), aimed)


def class_of(weapon: Weapon) -> int:
    """Ordinary, macro or titan killer hits."""
    rules = {rule_name(rule) for rule in weapon.rules}
    if "titan killer" in rules:
        return TITAN_KILLER
    macro = "macro weapon" in rules or "MW" in (weapon.firepower or "")
    return MACRO if macro else ORDINARY


def damage_of(weapon: Weapon) -> tuple[float, ...]:
    """Chances of 1, 2, ... damage points of one hit on a war engine. Source: L806-812 [text]."""
    for rule in weapon.rules:
        if rule_name(rule) == "titan killer":
            points = dice_of(rule).distribution()
            return tuple(float(points.probability(value)) for value in range(1, points.high + 1))
    return (1.0,)


def barrage_dice(weapon: Weapon) -> Dice:
    """Barrage points of one weapon, which some roll for each time they fire: `D6+3BP`."""
    match = BARRAGE.search(weapon.firepower or "")
    return parse(match[1]) if match else Dice(0, 0)


def barrage_points(weapon: Weapon) -> int:
    """The same as one number: those that are rolled as many as are to be expected, halves up."""
    return floor(float(barrage_dice(weapon).distribution().mean) + 0.5)


def to_hit_modifier(matchup: EpicMatchup, unit: UnitGroup, weapon: Weapon, profile: str) -> int:
    """Sum of the modifiers, bonuses positive. Source: L276, L302, L377-384, L858, L966, L972 [text]."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    modifier = ACTION_MODIFIERS.get(attacker.action, 0) + unit.to_hit_modifier
    ignores = unit.has_rule(POPPED_UP) or "ignore cover" in {rule_name(rule) for rule in weapon.rules}
    if profile != "AA" and in_cover(defender, profile) and not ignores:
        modifier -= 1
    if unit.track and unit.capacity_left <= unit.damaged_at:
        modifier -= 1
    if profile == "AA" and attacker.action == "intercept":
        modifier += 1
    if attacker.action == "flak" and attacker.moved:
        modifier -= 1
    return modifier


def in_cover(formation: FormationSide, profile: str) -> bool:
    """Whether the formation is harder to hit: terrain, cover, infantry on Overwatch or beside vehicles (L302-L306)."""
    infantry = [unit for unit in formation.groups if unit.type == "INF"]
    others = any(unit.type != "INF" and unit.shot_at_as in TARGETS[profile] for unit in formation.groups)
    sheltered = formation.overwatch or all(unit.has_rule(BESIDE_VEHICLES) for unit in infantry)
    alone = bool(infantry) and "INF" in TARGETS[profile] and not others
    in_terrain = formation.in_cover or formation.terrain != "open" or formation.cover_save is not None
    return in_terrain or (alone and sheltered)


def values_of(weapon: Weapon) -> Iterator[tuple[str, Dice, int]]:
    """Profile, dice and printed value of each value of a weapon; MW stands for AP and AT."""
    for number, profile, value in VALUE.findall(weapon.firepower or ""):
        for each in ("AP", "AT") if profile == "MW" else (profile,):
            yield each, parse(number or 1), int(value)


def best_value(matchup: EpicMatchup, unit: UnitGroup, weapon: Weapon) -> tuple[str, Dice, float] | None:
    """The value that hurts the target most often; a harmless one when none can hurt it.

    Of values that hit equally often the one that more units can be hurt by counts.
    """
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    best: tuple[tuple[bool, float, int], tuple[str, Dice, float]] | None = None
    flying = defender.is_aircraft
    for profile, dice, value in values_of(weapon):
        if flying is not (profile == "AA"):
            continue
        hurt = sum(target.count for target in defender.groups if can_hurt(profile, weapon, target))
        chance = hit_chance(value - to_hit_modifier(matchup, unit, weapon, profile))
        rank = (hurt > 0, chance * dice.distribution().mean, hurt)
        if best is None or rank > best[0]:
            best = (rank, (profile, dice, chance))
    return best[1] if best else None
