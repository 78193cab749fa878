"""Assaults of Epic: first strikes, attacks, casualties, and the result roll; extra hits on the loser."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby, product
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from armybuilder.engine.combat.dice import Dice as Rolled
from armybuilder.engine.combat.distribution import Distribution, certain
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.epic.army import Weapon, rule_name
from armybuilder.engine.systems.epic.combat.casualties import (
    MAX_WORK,
    TOO_MANY_WAYS,
    Body,
    Packet,
    alive,
    resolved,
    rolled,
    start_body,
    work_of,
)
from armybuilder.engine.systems.epic.combat.firing import Shots, class_of, damage_of, is_aimed
from armybuilder.engine.systems.epic.combat.note_words import NOTES
from armybuilder.engine.systems.epic.combat.saves import ORDINARY, failing, made, needed
from armybuilder.engine.systems.epic.combat.shooting import MAX_WAYS, NEGLIGIBLE, sturdiness_of
from armybuilder.engine.systems.epic.combat.special_rules import dice_of, note_rules
from armybuilder.engine.systems.epic.matchup import EpicMatchup, FormationSide, UnitGroup
from armybuilder.engine.systems.matchups import ModelNotes, refuse_above
from armybuilder.engine.systems.outcome_models import OutcomeModel

SNIPER = "sniper"
MAX_ENDS = 60_000
"""States of both sides that are followed exactly: under two seconds on a slow machine."""

DICE_OF_A_TRIAL = 200
"""By which trials are cut into blocks."""

MAX_UNIT_TRIALS = 20_000_000
"""Units of both sides in all trials of one piece of work: a quarter of a minute where they are of many kinds."""

Bodies: TypeAlias = tuple[Body, Body]
"""What is left of attacker and defender."""

ROLLS = {k: Fraction(2 * k - 1, 36) for k in range(1, 7)}
"""The higher of 2D6. Source: L549 [text]."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Attack dice of one kind of one group: `each` dice for every unit that is left (starting DC dice of an engine)."""

    group: int
    each: Rolled
    chance: float
    packet: Packet
    first_strike: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """What one side has come to.

    Attributes:
        kills_suffered: what the enemy counts: units destroyed, damage points of engines; not Expendable units (L750).
        left: units left, surviving engines by their starting damage capacity (L896).
        inspiring: Inspiring units that are alive, and characters with the rule (E-29).
        dc_lost: damage points lost by engines; None without any.
    """

    alive: int
    kills_suffered: int
    left: int
    inspiring: int
    dc_lost: int | None


class Side:
    """One side of an assault: what it attacks with, and what it is made of."""

    def __init__(
        self, formation: FormationSide, enemy: FormationSide, matchup: EpicMatchup, *, enemy_charged: bool
    ) -> None:
        """Read the units; the enemy's saves decide about the packets."""
        self.formation = formation
        self.start = start_body(formation)
        self.tallies: dict[Body, Tally] = {}
        self.followed = self.work = 0
        self.sturdiness = sturdiness_of(formation, matchup.options)
        self.dice = [
            dice
            for index, unit in enumerate(formation.groups)
            for dice in _dice_of(index, unit, enemy, matchup, enemy_charged=enemy_charged)
        ]
        self.support = [
            (unit.count, dice)
            for index, unit in enumerate(formation.supporters)
            for dice in _dice_of(index, replace(unit, fights="FF"), enemy, matchup, enemy_charged=enemy_charged)
        ]

    def volleys(self, body: Body, *, first_strike: bool) -> list[tuple[Packet, Distribution]]:
        """Hits of the living units, hits of one kind together, in the order of resolution."""
        hits: dict[Packet, Distribution] = {}
        for dice in self.dice:
            units = len(body[dice.group]) - body[dice.group].count(0)
            if dice.first_strike is first_strike and units:
                landed = _hits_of(Shots(units, dice.each, dice.chance))
                hits[dice.packet] = hits[dice.packet] + landed if dice.packet in hits else landed
        return sorted(hits.items(), key=lambda item: item[0].hit_class)

    def supporting(self) -> list[tuple[Packet, Distribution]]:
        """Hits of the supporting fire, in the order of resolution. Source: L541-543 [text]."""
        hits: dict[Packet, Distribution] = {}
        for units, dice in self.support:
            landed = _hits_of(Shots(units, dice.each, dice.chance))
            hits[dice.packet] = hits[dice.packet] + landed if dice.packet in hits else landed
        return sorted(hits.items(), key=lambda item: item[0].hit_class)

    def losses(self, body: Body, volleys: Sequence[tuple[Packet, Distribution]]) -> dict[Body, float]:
        """What hits of an enemy leave of this side, class by class."""
        ways = {body: 1.0}
        for _, group in groupby(volleys, key=lambda volley: volley[0].hit_class):
            members = list(group)
            packets = tuple(packet for packet, _ in members)
            spreads = [
                [(int(n), float(p)) for n, p in zip(hits.values, hits.p, strict=True) if p > NEGLIGIBLE]
                for _, hits in members
            ]
            self.followed += len(ways) * prod(map(len, spreads))
            if self.followed > MAX_WAYS:
                raise LimitExceeded(TOO_MANY_WAYS, "/attacker/units")
            after: dict[Body, float] = {}
            for combination in product(*spreads):
                counts = tuple(count for count, _ in combination)
                share = prod(p for _, p in combination)
                for left, chance in ways.items():
                    losses = resolved(left, packets, counts, self.sturdiness)
                    self.work += work_of(losses, self.sturdiness)
                    if self.work > MAX_WORK:
                        raise LimitExceeded(TOO_MANY_WAYS, "/attacker/units")
                    for loss in losses:
                        after[loss.body] = after.get(loss.body, 0.0) + chance * share * loss.chance
            ways = after
        return ways

    def drawn(self, body: Body, volleys: Sequence[tuple[Packet, Distribution]], rng: np.random.Generator) -> Body:
        """One way hits of an enemy can end for this side, with dice."""
        for _, group in groupby(volleys, key=lambda volley: volley[0].hit_class):
            members = list(group)
            counts = tuple(_sampled(hits, rng) for _, hits in members)
            packets = tuple(packet for packet, _ in members)
            body = rolled(body, packets, counts, self.sturdiness, draw=rng.random(), rng=rng).body
        return body

    def tally(self, body: Body) -> Tally:
        """What counts of it, worked out once for each of its states."""
        found = self.tallies.get(body)
        if found is None:
            found = self.tallies[body] = self._counted(body)
        return found

    def _counted(self, body: Body) -> Tally:
        units = self.formation.groups
        standing = [sum(left > 0 for left in lefts) for lefts in body]
        lost = [sum(start) - sum(lefts) for start, lefts in zip(self.start, body, strict=True)]
        engines = [number for number, unit in zip(lost, units, strict=True) if unit.track]
        return Tally(
            alive=sum(standing),
            kills_suffered=sum(
                number for number, each in zip(lost, self.sturdiness, strict=True) if not each.leaves_no_markers
            ),
            left=sum(unit.capacity * number for unit, number in zip(units, standing, strict=True)),
            inspiring=sum(number for unit, number in zip(units, standing, strict=True) if unit.has_rule("inspiring"))
            + sum(any(rule_name(rule) == "inspiring" for rule in who.rules) for who in self.formation.characters),
            dc_lost=sum(engines) if engines else None,
        )

    def standing(self, tally: Tally, kills: int) -> "FormationState":
        """What counts of this side after the fight; `kills` is what it destroyed in it."""
        formation = self.formation
        return FormationState(tally.left, formation.markers, formation.broken, formation.kills + kills, tally.inspiring)


def assault(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """The first round of an assault. Source: L485-564 [text]."""
    sides = _sides(matchup)
    _note(matchup, notes)

    def describe(outcomes: Outcomes) -> None:
        for ending, bodies in outcomes.endings(outcomes.either(partial(_fought, *sides), partial(_rolled, *sides))):
            _enter(ending, matchup, sides, bodies)

    units = sum(len(group) for side in sides for group in side.start)
    return OutcomeModel(
        describe,
        DICE_OF_A_TRIAL,
        guard=lambda trials: refuse_above(trials * units, MAX_UNIT_TRIALS, "units in all trials", "/trials"),
    )


def _rolled(attacker: Side, defender: Side, rng: np.random.Generator, trials: int) -> Iterator[tuple[Bodies, float]]:
    """Both sides after the fight, in each trial."""
    support, enemy_support = attacker.supporting(), defender.supporting()
    for _ in range(trials):
        a, d = attacker.start, defender.start
        for first_strike in (True, False):
            striking = attacker.volleys(a, first_strike=first_strike)
            answering = defender.volleys(d, first_strike=first_strike)
            d = defender.drawn(d, striking, rng)
            a = attacker.drawn(a, answering, rng)
        if alive(a) and alive(d):
            a, d = attacker.drawn(a, enemy_support, rng), defender.drawn(d, support, rng)
        yield (a, d), 1


def assault_result(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """Modifiers and result roll; means given a win or a loss are of rolls repeated until they count.

    Source: L549-564 [text].
    """
    difference, modifiers = _difference(matchup)
    note_rules(notes, _rules_of_both(matchup), matchup.options)
    gains = _extra_hits(difference)

    def describe(outcomes: Outcomes) -> None:
        win, draw, lose = outcomes.either(
            partial(result_roll, difference), lambda rng, trials: _rolled_result(rng, trials, difference)
        )
        for name, value in modifiers.items():
            outcomes.add(name, value)
        outcomes.add("p_win", win)
        outcomes.add("p_draw", draw)
        outcomes.add("p_lose", lose)
        for name, gain in gains.items():
            if gain is not None:
                extra: Values = outcomes.either(
                    partial(float, gain), partial(_roll_until, difference=difference, sign=1 if name == "win" else -1)
                )
                outcomes.add(f"extra_hits_if_{name}", extra)

    return OutcomeModel(describe, 12)


def _rolled_result(rng: np.random.Generator, trials: int, difference: int) -> tuple[Values, Values, Values]:
    """The trials that end in a win, a draw and a loss."""
    total = _roll_totals(rng, trials, difference)
    return total > 0, total == 0, total < 0


def _rules_of_both(matchup: EpicMatchup) -> list[str]:
    """Special rules of the two formations; none where a difference of modifiers stands for them."""
    if matchup.override.modifier_difference is not None:
        return []
    return [rule for formation in (matchup.attacker, matchup.defender) if formation for rule in formation.rules]


def _roll_totals(rng: np.random.Generator, size: int, difference: int) -> npt.NDArray[np.int64]:
    """Attacker's total minus the defender's, shape (size,)."""
    dice = rng.integers(1, 7, (size, 4))
    totals: npt.NDArray[np.int64] = dice[:, :2].max(axis=1) - dice[:, 2:].max(axis=1) + difference
    return totals


def _roll_until(rng: np.random.Generator, size: int, difference: int, sign: int) -> npt.NDArray[np.int64]:
    """Differences of so many result rolls that ended in a win (sign 1) or a loss (sign -1)."""
    kept = np.zeros(0, np.int64)
    while len(kept) < size:
        totals = _roll_totals(rng, size, difference) * sign
        kept = np.concatenate([kept, totals[totals > 0]])
    return kept[:size]


def assault_extra_hits(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """Extra hits on the loser: no saves, except for Fearless units. Source: L551-553, L660 [text]."""
    side, ends = _extra_hit_ends(matchup, notes)
    bodies, chances = list(ends), np.array(list(ends.values()))

    def rolled(rng: np.random.Generator, trials: int) -> Iterable[tuple[Body, float]]:
        drawn = np.bincount(rng.choice(len(bodies), trials, p=chances / chances.sum()), minlength=len(bodies))
        return zip(bodies, drawn.tolist(), strict=True)

    def describe(outcomes: Outcomes) -> None:
        for ending, body in outcomes.endings(outcomes.either(ends.items, rolled)):
            _enter_extra(ending, side, body)

    return OutcomeModel(describe, matchup.extra_hits or 1)


@lru_cache(maxsize=2_000)
def result_roll(difference: int) -> tuple[float, float, float]:
    """Win, draw and loss when the attacker's modifiers are `difference` better."""
    win = draw = Fraction(0)
    for (a, p), (d, q) in product(ROLLS.items(), ROLLS.items()):
        win += p * q if a + difference > d else 0
        draw += p * q if a + difference == d else 0
    return float(win), float(draw), float(1 - win - draw)


@dataclass(frozen=True, slots=True)
class FormationState:
    """What counts of one side for the result roll.

    Attributes:
        left: units left, war engines by their starting damage capacity.
    """

    left: int
    markers: int
    broken: bool
    kills: int
    inspiring: int


def modifier(own: FormationState, enemy: FormationState, *, cumulative: bool) -> int:
    """The assault modifier of one side; a broken formation counts as having more markers.

    Source: L556-580, L672 [text]; `cumulative` is option E-11.
    """
    outnumbering = int(own.left > enemy.left)
    if cumulative and own.left >= 2 * enemy.left and own.left > 0:
        outnumbering += 1
    fewer = enemy.markers > own.markers if enemy.broken is own.broken else enemy.broken
    unmarked = own.markers == 0 and not own.broken
    return own.kills + outnumbering + int(unmarked) + int(fewer) + own.inspiring


def _difference(matchup: EpicMatchup) -> tuple[int, dict[str, float]]:
    """Attacker's modifiers minus the defender's, and both when they are counted."""
    if matchup.override.modifier_difference is not None:
        return matchup.override.modifier_difference, {}
    attacker, defender = (
        FormationState(side.strength, side.markers, side.broken, side.kills, side.bearers("inspiring"))
        for side in (
            (matchup.attacker or FormationSide()).joined_by(matchup.joined_formations),
            matchup.defender or FormationSide(),
        )
    )
    cumulative = matchup.options.outnumber_cumulative
    own = modifier(attacker, defender, cumulative=cumulative)
    theirs = modifier(defender, attacker, cumulative=cumulative)
    return own - theirs, {"attacker_modifier": float(own), "defender_modifier": float(theirs)}


def _extra_hits(difference: int) -> dict[str, Fraction | None]:
    """Expected difference of the totals given a win and given a loss; None when it cannot happen."""
    weights = {"win": Fraction(0), "lose": Fraction(0)}
    sums = {"win": Fraction(0), "lose": Fraction(0)}
    for (a, p), (d, q) in product(ROLLS.items(), ROLLS.items()):
        total = a + difference - d
        if total:
            name = "win" if total > 0 else "lose"
            weights[name] += p * q
            sums[name] += p * q * abs(total)
    return {name: sums[name] / weight if weight else None for name, weight in weights.items()}


def _sides(matchup: EpicMatchup) -> tuple[Side, Side]:
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    attacker = attacker.joined_by(matchup.joined_formations)
    return (
        Side(attacker, defender, matchup, enemy_charged=defender.counter_charged),
        Side(defender, attacker, matchup, enemy_charged=True),
    )


def _fought(attacker: Side, defender: Side) -> Iterable[tuple[Bodies, float]]:
    """Both sides after first strikes, all other attacks, and supporting fire while both stand.

    Those of one step are simultaneous. Source: L533-543, L782 [text].
    """
    ways = {(attacker.start, defender.start): 1.0}
    for first_strike in (True, False):
        after: dict[Bodies, float] = {}
        for (a, d), chance in ways.items():
            hurt_d = defender.losses(d, attacker.volleys(a, first_strike=first_strike))
            hurt_a = attacker.losses(a, defender.volleys(d, first_strike=first_strike))
            _multiply(after, chance, hurt_a, hurt_d)
        ways = after
    support, enemy_support = attacker.supporting(), defender.supporting()
    if support or enemy_support:
        after = {}
        for (a, d), chance in ways.items():
            goes_on = alive(a) and alive(d)
            hurt_a = attacker.losses(a, enemy_support) if goes_on else {a: 1.0}
            hurt_d = defender.losses(d, support) if goes_on else {d: 1.0}
            _multiply(after, chance, hurt_a, hurt_d)
        ways = after
    return ways.items()


def _multiply(after: dict[Bodies, float], chance: float, hurt_a: dict[Body, float], hurt_d: dict[Body, float]) -> None:
    """Add every end of one side with every end of the other, but for what never happens.

    Raises:
        LimitExceeded: there are too many; the Monte Carlo method has no such limit.
    """
    for new_a, p in hurt_a.items():
        least = NEGLIGIBLE / (chance * p) if chance * p else np.inf
        for new_d, q in hurt_d.items():
            if q > least:
                after[new_a, new_d] = after.get((new_a, new_d), 0.0) + chance * p * q
        if len(after) > MAX_ENDS:
            raise LimitExceeded(TOO_MANY_WAYS, "/attacker/units")


def _enter(outcomes: Outcomes, matchup: EpicMatchup, sides: tuple[Side, Side], bodies: Bodies) -> None:
    """The metrics of one ending, attacker first."""
    attacker, defender = sides
    own, enemy = attacker.tally(bodies[0]), defender.tally(bodies[1])
    a_gone, d_gone = own.alive == 0, enemy.alive == 0
    chances = _outcome(matchup, attacker, defender, own, enemy)
    win, draw, lose = outcomes.either(lambda: chances, lambda rng, trials: _drawn_result(chances, rng))
    outcomes.add("units_destroyed", defender.tally(defender.start).alive - enemy.alive, distribution=True)
    outcomes.add("attacker_units_destroyed", attacker.tally(attacker.start).alive - own.alive, distribution=True)
    outcomes.add("p_destroyed", d_gone)
    outcomes.add("p_attacker_destroyed", a_gone)
    outcomes.add("p_both_destroyed", a_gone and d_gone)
    outcomes.add("p_win", win)
    outcomes.add("p_draw", draw)
    outcomes.add("p_lose", lose)
    for name, tally in (("dc_lost", enemy), ("attacker_dc_lost", own)):
        if tally.dc_lost is not None:
            outcomes.add(name, tally.dc_lost, distribution=True)


def _drawn_result(chances: tuple[float, float, float], rng: np.random.Generator) -> tuple[float, float, float]:
    """Win, draw and loss of one trial."""
    pick, (win, draw, _) = rng.random(), chances
    return float(pick < win), float(win <= pick < win + draw), float(pick >= win + draw)


def _outcome(
    matchup: EpicMatchup, attacker: Side, defender: Side, own: Tally, enemy: Tally
) -> tuple[float, float, float]:
    """Win, draw and loss of the attacker. Source: L533 [text], E-30."""
    if not enemy.alive and not own.alive:
        return (0.0, 1.0, 0.0) if matchup.options.both_destroyed_winner == "draw" else (0.0, 0.0, 1.0)
    if not enemy.alive:
        return 1.0, 0.0, 0.0
    if not own.alive:
        return 0.0, 0.0, 1.0
    cumulative = matchup.options.outnumber_cumulative
    mine, theirs = attacker.standing(own, enemy.kills_suffered), defender.standing(enemy, own.kills_suffered)
    return result_roll(modifier(mine, theirs, cumulative=cumulative) - modifier(theirs, mine, cumulative=cumulative))


def _dice_of(
    index: int, unit: UnitGroup, enemy: FormationSide, matchup: EpicMatchup, *, enemy_charged: bool
) -> Iterable[Dice]:
    """The attack dice of one group: its own, and extra attacks with the rules of their weapon (L776-782)."""
    fights = unit.fights or "CC"
    value = needed(unit.profile.CC if fights == "CC" else unit.profile.FF)
    if value is not None and unit.track and unit.capacity_left <= unit.critical_at:
        value += 1
    chance = made(value)
    reach = "base contact" if fights == "CC" else "small arms"
    weapons = [weapon for weapon in unit.weapons if weapon.range in {reach, None}]
    plain = next((weapon for weapon in weapons if weapon.range == reach and not _extra_attacks(weapon.rules)), None)
    strikes = unit.has_rule("first strike")

    def packet(
        hit_class: int,
        damage: tuple[float, ...],
        *,
        aimed: bool = unit.has_rule(SNIPER),
        weapon: Weapon | None = None,
    ) -> Packet:
        fails = tuple(
            failing(
                enemy,
                target,
                hit_class=hit_class,
                options=matchup.options,
                in_assault=True,
                charged=enemy_charged,
                weapon=weapon,
            )
            for target in enemy.groups
        )
        return Packet(hit_class, fails, damage=damage, aimed=aimed)

    own_class, own_damage = (class_of(plain), damage_of(plain)) if plain else (ORDINARY, (1.0,))
    own_strike = strikes or (plain is not None and _has(plain.rules, "first strike"))
    own_aim = is_aimed(unit, plain) if plain else unit.has_rule(SNIPER)
    own = packet(own_class, own_damage, aimed=own_aim, weapon=plain)
    yield Dice(index, _so_many(unit.capacity), chance, own, own_strike)
    for more in _extra_attacks(unit.rules):
        yield Dice(index, more, chance, packet(ORDINARY, (1.0,)), strikes)
    for weapon in weapons:
        strike = strikes or _has(weapon.rules, "first strike")
        for more in _extra_attacks(weapon.rules) * weapon.count:
            hits = packet(class_of(weapon), damage_of(weapon), aimed=is_aimed(unit, weapon), weapon=weapon)
            yield Dice(index, more, chance, hits, strike)


def _extra_attacks(rules: Iterable[str]) -> list[Rolled]:
    """Extra dice that each rule gives; a rule without a value gives one."""
    return [dice_of(rule) for rule in rules if rule_name(rule) == "extra attacks"]


def _so_many(number: int) -> Rolled:
    return Rolled(0, 0, number)


def _has(rules: Iterable[str], name: str) -> bool:
    return any(rule_name(rule) == name for rule in rules)


def _extra_hit_ends(matchup: EpicMatchup, notes: ModelNotes) -> tuple[Side, dict[Body, float]]:
    loser, hits = matchup.loser, matchup.extra_hits
    assert loser is not None and hits is not None  # the kind's needs
    note_rules(notes, loser.rules, matchup.options)
    if any(unit.has_rule("fearless") for unit in loser.groups):
        notes.assume(NOTES["fearless_units_save"])
    side = Side(loser, loser, matchup, enemy_charged=True)
    fails = tuple(
        failing(loser, unit, hit_class=ORDINARY, options=matchup.options, in_assault=True, charged=True)
        if unit.has_rule("fearless")
        else 1.0
        for unit in loser.groups
    )
    volley = (Packet(ORDINARY, fails), certain(hits))
    return side, side.losses(side.start, [volley])


def _enter_extra(outcomes: Outcomes, side: Side, body: Body) -> None:
    """The metrics of one ending."""
    outcomes.add("units_destroyed", alive(side.start) - alive(body))
    outcomes.add("p_destroyed", alive(body) == 0)
    engines = [index for index, unit in enumerate(side.formation.groups) if unit.track]
    if engines:
        outcomes.add("dc_lost", sum(sum(side.start[index]) - sum(body[index]) for index in engines))


@lru_cache(maxsize=2_000)
def _hits_of(shots: Shots) -> Distribution:
    """Hits of as many dice as are left of a group, which thousands of trials come to."""
    return shots.hits()


def _sampled(hits: Distribution, rng: np.random.Generator) -> int:
    """One number of hits."""
    draw = rng.random()
    for value, chance in zip(hits.values, hits.p, strict=True):
        draw -= chance
        if draw < 0:
            return int(value)
    return hits.high


def _note(matchup: EpicMatchup, notes: ModelNotes) -> None:
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    attacker = attacker.joined_by(matchup.joined_formations)
    weapons = [weapon for side in (attacker, defender) for unit in side.groups for weapon in unit.weapons]
    rules = [rule for weapon in weapons if weapon.range in {"base contact", "small arms"} for rule in weapon.rules]
    note_rules(notes, [*attacker.rules, *defender.rules, *rules], matchup.options)
    if attacker.supporters or defender.supporters:
        notes.assume(NOTES["everybody_fights_stated"])
    else:
        notes.assume(NOTES["everybody_fights_stated_nobody"])
