"""A round of close combat between two units: blows in their order, with casualties before the slower side strikes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Floats
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.fantasy_8th.combat.attacks import Attack
from armybuilder.engine.systems.fantasy_8th.combat.casualties import MAX_WORK, Body, Count, body_of, wounds_of
from armybuilder.engine.systems.fantasy_8th.combat.formation import count_of, counts
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import (
    NOBODY,
    OVERKILL,
    JoinedUnits,
    can_be_weakened,
    champion_of,
    parts_of,
)
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import (
    FIRST,
    LAST,
    FightingSide,
    MeleeAttacker,
    fighters,
    melee_attackers,
)
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import SHARED_BY_RIDERS, unit_items
from armybuilder.engine.systems.fantasy_8th.combat.saves import sits_on_a_monster
from armybuilder.engine.systems.fantasy_8th.combat.special_hits import breath, flames, impact_hits, stomps
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import read
from armybuilder.engine.systems.fantasy_8th.matchup import Conditions, Group, ListedCrew, Side
from armybuilder.engine.systems.matchups import MAX_SHOTS, refuse_above

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Parts = tuple[tuple[int, ...], ...]

BARRICADE, IMPACT = 1_001, 1_000
"""Places of a Burning Barricade and of impact hits in the order of blows."""


@dataclass(frozen=True, slots=True)
class Tactics:
    """Who strikes whom, as the players choose.

    Attributes:
        at_characters: of each side, (attacker, defender): its blows go for the enemy's characters first.
        challenge: groups of (attacker, defender) that fight each other and nobody else.
    """

    at_characters: tuple[bool, bool] = (False, False)
    challenge: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """One volley at one part of the enemy."""

    part: int
    attack: Attack


@dataclass(frozen=True)
class Blows:
    """One volley of a round.

    Attributes:
        first: the attacker strikes it.
        counts: numbers of attack dice; count_at: which of them for each state of the striking unit.
        aims: at each part of the target; aim_at: which of them for each of the target's states, or NOBODY.
    """

    order: int
    first: bool
    counts: tuple[Count, ...]
    count_at: Ints
    aims: tuple[Aim, ...]
    aim_at: Ints


_Class = tuple[tuple[Count, ...], tuple[int, ...], Mask]
"""States of a unit that strikes with these dice and is struck at in these aims."""

_Step = tuple[list[Blows], list[Blows], list[_Class], list[_Class]]
"""Blows of both sides that are struck at once, with the classes of states of both."""


@dataclass(frozen=True, slots=True)
class Melee:
    """Two units ready to strike.

    Attributes:
        attacker, defender: bodies that take the wounds.
        steps: volleys that are struck at the same time, step by step.
    """

    attacker: JoinedUnits
    defender: JoinedUnits
    steps: tuple[tuple[Blows, ...], ...]

    def exact(self) -> Floats:
        """Chances of (attacker's state, defender's state) after all blows.

        Raises:
            LimitExceeded: more work than the service takes.
        """
        prepared = [self._prepared(step) for step in self.steps]
        self._refuse_too_much_work(prepared)
        joint = np.outer(self.attacker.fresh, self.defender.fresh)
        for mine, theirs, here, there in prepared:
            total = np.zeros_like(joint)
            for own, at_me, mask in here:
                for other, at_them, against in there:
                    part = joint * np.outer(mask, against)
                    if not part.any():
                        continue
                    for count, blows, at in zip(own, mine, at_them, strict=True):
                        if at != NOBODY:
                            part = self.defender.after(part, count, blows.aims[at].attack, blows.aims[at].part)
                    for count, blows, at in zip(other, theirs, at_me, strict=True):
                        if at != NOBODY:
                            turned = np.ascontiguousarray(part.T)
                            turned = self.attacker.after(turned, count, blows.aims[at].attack, blows.aims[at].part)
                            part = np.ascontiguousarray(turned.T)
                    total += part
            joint = total
        return joint

    def roll(self, rng: np.random.Generator, size: int) -> tuple[Ints, Ints]:
        """The states of both units after all blows, shape (size,) each, with dice."""
        a, b = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for step in self.steps:
            before_a, before_b = a, b
            for blows in step:
                dice = rolled_counts(blows, before_a if blows.first else before_b, rng)
                target, before = (b, before_b) if blows.first else (a, before_a)
                joined_units = self.defender if blows.first else self.attacker
                target = target.copy()
                aimed = blows.aim_at[before]
                for at, aim in enumerate(blows.aims):
                    mine = np.flatnonzero(aimed == at)
                    if len(mine):
                        target[mine], _ = joined_units.roll(target[mine], dice[mine], aim.attack, aim.part, rng)
                a, b = (a, target) if blows.first else (target, b)
        return a, b

    def _prepared(self, step: tuple[Blows, ...]) -> _Step:
        mine = [blows for blows in step if blows.first]
        theirs = [blows for blows in step if not blows.first]
        here, there = _classes(mine, theirs, self.attacker.size), _classes(theirs, mine, self.defender.size)
        return mine, theirs, here, there

    def _refuse_too_much_work(self, prepared: Sequence[_Step]) -> None:
        work, cells = 0.0, self.attacker.size * self.defender.size
        for mine, theirs, here, there in prepared:
            for blows in (*mine, *theirs):
                joined_units = self.defender if blows.first else self.attacker
                for aim in blows.aims:
                    body = joined_units.bodies[aim.part]
                    each = 1 if aim.attack.simple and not body.guarded and not body.handlers else body.size
                    work += len(here) * len(there) * cells * each * max(count.highest for count in blows.counts)
        if work > MAX_WORK:
            raise LimitExceeded(
                "This round is too large for the exact method: use montecarlo, or fewer models.", "/attacker/models"
            )


@dataclass(frozen=True, slots=True)
class _Field:
    """Who is there to be struck.

    Attributes:
        parts: of (attacker, defender); challengers: groups of both that fight a challenge, mounts included.
        building: it is stormed, where special attacks spare those who fight a challenge (L1373-1374).
    """

    parts: tuple[Parts, Parts]
    tactics: Tactics
    challengers: tuple[tuple[int, ...], tuple[int, ...]]
    building: bool


@dataclass(frozen=True, slots=True)
class _Volley:
    """A volley before it is known what becomes of its target.

    Attributes:
        melee_attackers: what it is against each part of the enemy that it can strike; order: which of them comes first.
    """

    place: int
    first: bool
    melee_attackers: dict[int, MeleeAttacker]
    order: tuple[int, ...]

    @property
    def melee_attacker(self) -> MeleeAttacker:
        """Its bearer and dice, the same against everybody."""
        return next(iter(self.melee_attackers.values()))


def prepare_melee(
    attacker: FightingSide,
    defender: FightingSide,
    *,
    places: int | None = None,
    tactics: Tactics = Tactics(),
) -> Melee:
    """Both units with everything they strike in this round.

    Args:
        places: how many infantry models of each side may fight; None for a fight in ranks.
    """
    fighting_sides = (attacker, defender)
    fought = (None, None) if tactics.challenge is None else tactics.challenge
    singled = [
        champion_of(fighting_side.side) if one is None and tactics.at_characters[1 - index] else one
        for index, (fighting_side, one) in enumerate(zip(fighting_sides, fought, strict=True))
    ]
    parts = parts_of(attacker.side, singled[0]), parts_of(defender.side, singled[1])
    volleys = _remembering(list(_volleys(fighting_sides, parts, tactics, places=places)), fighting_sides)
    sizes: dict[tuple[bool, int], int] = {}
    for volley in volleys:
        fighting_side, enemy = fighting_sides if volley.first else fighting_sides[::-1]
        standing = [group.count for group in fighting_side.side.models]
        highest = count_of(fighting_side, enemy.side, volley.melee_attacker, standing, places=places).highest
        refuse_above(highest, MAX_SHOTS, "attacks", f"/{fighting_side.name}/models/{volley.melee_attacker.group}")
        for part, melee_attacker in volley.melee_attackers.items():
            key = (volley.first, part)
            sizes[key] = sizes.get(key, 0) + highest * _most_damage(melee_attacker.attack, enemy.side)
    both_joined = []
    for index, fighting_side in enumerate(fighting_sides):
        against = [volley for volley in volleys if volley.first == bool(index)]
        bodies = []
        for part, groups in enumerate(parts[index]):
            cap = sizes.get((bool(index), part), 0)
            attacks = [volley.melee_attackers[part].attack for volley in against if part in volley.melee_attackers]
            guarded = any(attack.once or attack.fading for attack in attacks)
            body = body_of(fighting_side.side, wounds_cap=cap, guarded=guarded, only=groups)
            challenged = fought[index] is not None and groups == (fought[index],)
            bodies.append(Body(body.row, guarded, beyond=OVERKILL) if challenged else body)
        both_joined.append(JoinedUnits(tuple(bodies), parts[index]))
    placed = [_placed(volley, fighting_sides, both_joined, places) for volley in volleys]
    orders = sorted({blows.order for blows in placed}, reverse=True)
    steps = tuple(tuple(blows for blows in placed if blows.order == order) for order in orders)
    return Melee(both_joined[0], both_joined[1], steps)


def manned(side: Side) -> Side:
    """The side as it fights hand to hand: a war machine's crew stands for the machine. Source: L1033-1045 [text]."""
    groups = []
    for group in side.models:
        if group.troop_type == "war_machine" and group.crew is not None:
            hands, number = group.crews[0], sum(crew.count for crew in group.crews)
            armed = {"weapons": hands.weapons, "rules": hands.rules} if isinstance(group.crew, ListedCrew) else {}
            groups.append(
                msgspec.structs.replace(group, count=group.count * number, profile=hands.profile, crew=None, **armed)
            )
        else:
            groups.append(group)
    return msgspec.structs.replace(side, models=tuple(groups))


def dismounted(side: Side) -> Side:
    """The side with characters and the monsters they ride told apart: each strikes and is struck by himself.

    Source: L987-1001 [text].
    """
    groups: list[Group] = []
    for group in side.models:
        mount = group.mount
        if mount is None or not group.rides_a_monster:
            groups.append(group)
            continue
        shared = tuple(rule for rule in mount.rules if read(rule).slug in SHARED_BY_RIDERS)
        beast = Group(
            name=mount.name or group.name,
            count=group.count,
            troop_type="monster",
            subtypes=group.subtypes,
            profile=mount.profile,
            rules=mount.rules,
            riders=1,
        )
        rider = msgspec.structs.replace(group, troop_type="unique", mount=None, rules=(*group.rules, *shared))
        groups += [beast, rider]
    return msgspec.structs.replace(side, models=tuple(groups))


def total_wounds(side: Side) -> int:
    """Wounds of all models of a side."""
    return sum(group.count * wounds_of(side, index) for index, group in enumerate(side.models))


def rolled_counts(blows: Blows, states: Ints, rng: np.random.Generator) -> Ints:
    """Attack dice of each trial, by the state its striking unit is in."""
    dice = np.zeros(len(states), np.int64)
    numbers = blows.count_at[states]
    for at, count in enumerate(blows.counts):
        mine = np.flatnonzero(numbers == at)
        if len(mine):
            dice[mine] = count.roll(rng, len(mine))
    return dice


def _volleys(
    fighting_sides: tuple[FightingSide, FightingSide],
    parts: tuple[Parts, Parts],
    tactics: Tactics,
    *,
    places: int | None,
) -> Iterator[_Volley]:
    """Every volley of both sides, against each part of the enemy that it may strike."""
    fought = (None, None) if tactics.challenge is None else tactics.challenge
    challengers = _challengers(fighting_sides[0].side, fought[0]), _challengers(fighting_sides[1].side, fought[1])
    field = _Field(parts, tactics, challengers, bool(fighting_sides[0].building))
    for index, (fighting_side, enemy) in enumerate((fighting_sides, fighting_sides[::-1])):
        theirs = parts[1 - index]
        found: dict[tuple[str, int, str, int], dict[int, tuple[int, MeleeAttacker]]] = {}
        for part, groups in enumerate(theirs):
            seen = enemy
            if len(theirs) > 1:
                main = enemy.side.main_index
                seen = replace(enemy, struck=main if main in groups else groups[0])
            numbers: dict[tuple[str, int, str], int] = {}
            special = _special(fighting_side, seen, first=index == 0, places=places)
            blows = (
                ("blow", melee_attacker.order, melee_attacker)
                for melee_attacker in melee_attackers(fighting_side, seen)
            )
            for kind, place, melee_attacker in (*special, *blows):
                name = (kind, melee_attacker.group, melee_attacker.part)
                numbers[name] = numbers.get(name, -1) + 1
                found.setdefault((*name, numbers[name]), {})[part] = (place, melee_attacker)
        for (kind, group, *_), variants in found.items():
            order = _order(kind, group, index, field)
            place = next(iter(variants.values()))[0]
            kept = {part: melee_attacker for part, (_, melee_attacker) in variants.items() if part in order}
            if kept:
                yield _Volley(place, index == 0, kept, tuple(part for part in order if part in kept))


def _special(
    fighting_side: FightingSide, enemy: FightingSide, *, first: bool, places: int | None
) -> Iterator[tuple[str, int, MeleeAttacker]]:
    """What one side strikes the group of the enemy with besides blows, with its place in the order."""
    for melee_attacker in flames(fighting_side, enemy, places=places):
        yield "flames", BARRICADE, melee_attacker
    for melee_attacker in impact_hits(fighting_side, enemy):
        yield "hits", IMPACT, melee_attacker
    for melee_attacker in stomps(fighting_side, enemy):
        yield "stomp", LAST, _at_one(melee_attacker) if fighting_side.building else melee_attacker
    if first and fighting_side.combat_round == 1:  # once a game, in one's own turn (L401-L413)
        for melee_attacker in breath(fighting_side, enemy, Conditions()):
            yield (
                "breath",
                _initiative(fighting_side, melee_attacker.group),
                _at_one(melee_attacker) if fighting_side.building else melee_attacker,
            )


def _at_one(melee_attacker: MeleeAttacker) -> MeleeAttacker:
    """The special attack as it is made in a building: at one model in contact. Source: L1373-1374 [text]."""
    if melee_attacker.attacks.highest <= 1:
        return melee_attacker
    return replace(
        melee_attacker, attacks=Dice(0, 0, 1), attack=replace(melee_attacker.attack, hits=melee_attacker.attacks)
    )


def _challengers(side: Side, one: int | None) -> tuple[int, ...]:
    """Who fights a challenge on one side: the character or champion, and the monster he rides. Source: L973-978."""
    beasts = tuple(index for index, group in enumerate(side.models) if group.riders and group.is_character)
    return () if one is None else (one, *(beasts if sits_on_a_monster(side, side.models[one]) else ()))


def _order(kind: str, group: int, index: int, field: _Field) -> tuple[int, ...]:
    """Parts of the enemy that a volley strikes, the first of them that is left. Source: L936-939, L963-978 [text]."""
    theirs = range(len(field.parts[1 - index]))
    ranks_first, characters_first = tuple(theirs), (*theirs[1:], *theirs[:1])
    if field.tactics.challenge is not None:
        foe = field.parts[1 - index].index((field.tactics.challenge[1 - index],))
        if kind == "blow" and group in field.challengers[index]:
            return (foe,)
        apart = {field.parts[1 - index].index((one,)) for one in field.challengers[1 - index]}
        others = tuple(part for part in ranks_first if part not in apart)
        return others if kind == "blow" or others or field.building else ranks_first
    return characters_first if kind == "blow" and field.tactics.at_characters[index] else ranks_first


def _remembering(volleys: list[_Volley], fighting_sides: tuple[FightingSide, FightingSide]) -> list[_Volley]:
    """The volleys, where fire and other blows strike models that survive a wound and could regenerate.

    A model that has suffered a flaming wound regenerates no more in this phase. Source: L576-584 [text].
    """
    fading = set()
    for first, target in ((True, fighting_sides[1].side), (False, fighting_sides[0].side)):
        for part in {part for volley in volleys if volley.first is first for part in volley.melee_attackers}:
            attacks = [
                v.melee_attackers[part].attack for v in volleys if v.first is first and part in v.melee_attackers
            ]
            if (
                any(attack.scorches for attack in attacks)
                and any(attack.regeneration is not None for attack in attacks)
                and survives_wounds(target)
                and not any(attack.once for attack in attacks)
            ):
                fading.add((first, part))
    if not fading:
        return volleys
    return [
        replace(
            volley,
            melee_attackers={
                part: replace(one, attack=replace(one.attack, fading=True)) if (volley.first, part) in fading else one
                for part, one in volley.melee_attackers.items()
            },
        )
        for volley in volleys
    ]


def _placed(
    volley: _Volley,
    fighting_sides: tuple[FightingSide, FightingSide],
    both_joined: Sequence[JoinedUnits],
    places: int | None,
) -> Blows:
    """The volley with its dice for each state of its own unit, and its aims for each state of the target."""
    mine = 0 if volley.first else 1
    fighting_side, enemy, melee_attacker = fighting_sides[mine], fighting_sides[1 - mine], volley.melee_attacker
    weaker = None
    if (
        "Warrior Bane" in unit_items(enemy.side)
        and melee_attacker.part == "rider"
        and melee_attacker.fixed is None
        and can_be_weakened(fighting_side.side, melee_attacker.group)
    ):
        weaker = both_joined[mine].wounds_of(melee_attacker.group)
    dice, dice_at = counts(fighting_side, enemy.side, melee_attacker, both_joined[mine], places=places, weaker=weaker)
    aims = tuple(Aim(part, volley.melee_attackers[part].attack) for part in volley.order)
    struck = both_joined[1 - mine].struck(volley.order)
    place = np.full(len(both_joined[1 - mine].bodies), NOBODY)
    place[list(volley.order)] = np.arange(len(volley.order))
    return Blows(volley.place, volley.first, dice, dice_at, aims, np.asarray(place[struck], np.int64))


def survives_wounds(side: Side) -> bool:
    """Whether somebody in it has several wounds."""
    return any(wounds_of(side, index) > 1 for index, group in enumerate(side.models) if group.count)


def _initiative(fighting_side: FightingSide, group: int) -> int:
    """When the models of a group act by their Initiative."""
    place = f"/{fighting_side.name}/models/{group}"
    found = next(fighters(fighting_side, fighting_side.side.models[group], place), None)
    return min(found.initiative, FIRST - 1) if found is not None else 1


def _most_damage(attack: Attack, target: Side) -> int:
    worst = max((wounds_of(target, index) for index in range(len(target.models))), default=1)
    return (
        worst if attack.killing_blow or attack.hits is not None else min(worst, attack.damage.highest * attack.factor)
    )


def _classes(blows: Sequence[Blows], against: Sequence[Blows], size: int) -> list[_Class]:
    """States of a unit in which it strikes with the same dice and is struck at in the same part."""
    columns = [volley.count_at for volley in blows] + [volley.aim_at for volley in against]
    told = [column for column in columns if column.min(initial=0) != column.max(initial=0)]
    if not told:
        return [(*_choice(blows, against, 0), np.ones(size, bool))]
    _, first, place = np.unique(np.column_stack(told), axis=0, return_index=True, return_inverse=True)
    place = place.ravel()
    return [(*_choice(blows, against, int(state)), place == number) for number, state in enumerate(first)]


def _choice(blows: Sequence[Blows], against: Sequence[Blows], state: int) -> tuple[tuple[Count, ...], tuple[int, ...]]:
    """The dice of a unit's volleys in a state, and where those against it go."""
    dice = tuple(volley.counts[int(volley.count_at[state])] for volley in blows)
    return dice, tuple(int(volley.aim_at[state]) for volley in against)
