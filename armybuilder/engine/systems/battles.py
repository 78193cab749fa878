"""What a game tells about whole battles (`BattleRules`), and the preparation of two armies with it.

A game whose lists can fight whole battles has a module `combat/battle.py` with the members of `BattleRules`;
`horus_heresy/combat/battle.py` is the model to copy. It answers questions about one unit or one pair; everything that
happens on the table (moving, choosing targets, casualties, fleeing) is in `combat/battles` and the same for all games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec
import numpy as np

from armybuilder.engine.combat.battles.forces import Attack, Attacks, Battle, Blows, Terms, Unit, Volley, Worth
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.battles.play import gains
from armybuilder.engine.errors import BadDocument, Cancelled
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.list_matchups import Combatant
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.words import message_words

NOTES, SIMPLIFICATIONS = message_words(Path(__file__).with_name("words.toml"), "notes", "simplifications")
R = TypeVar("R")

PLACES = ("unit", "rides", "deployment")
"""Members of a fighter that change nothing of what it does to others."""

NAMING_TRIALS, NAMING_SEED = 400, 1
"""Short battles by which a side decides what to name; more change the choice only between what is worth the same."""


def one_naming(worths: "Callable[..., Sequence[Worth]]") -> "Callable[..., Sequence[Sequence[Worth]]]":
    """Nothing is named before the battle: the `namings` of a game with these worths."""
    return lambda army, mission=None: (worths(army, mission),)


def models_behind(counts: Sequence[int], order: Sequence[int] | None = None) -> tuple[int, ...]:
    """Models that fall later than those of each group.

    Args:
        order: in which the groups fall, by their indices; those that are left out never do. None is as they stand.
    """
    found = [0] * len(counts)
    order = range(len(counts)) if order is None else order
    for place, index in enumerate(order):
        found[index] = sum(counts[other] for other in order[place + 1 :])
    return tuple(found)


def never(attacker: object, defender: object, *, distance: float = 0.0) -> bool:
    """What no unit of a game does to another: its `may_reply` or its `pins`."""
    return False


def no_attacks(
    attacker: object, defender: object, *, distance: float = 0.0, moved: bool = False, cover: bool = False
) -> Attacks:
    """Attacks that a game does not have: its `replies`, `crossed` or `supports`."""
    return ()


def alone(army: "Sequence[R]", enemies: "Sequence[R]") -> "Sequence[R]":
    """The army of a game in which no unit changes by what stands beside it or against it: its `facing`."""
    return army


@dataclass(frozen=True, slots=True)
class Mission:
    """A way to win: its name, how victory points are counted, in one sentence for players, and the terms it sets."""

    name: Text
    victory: Text
    terms: Terms


class BattleRules(Protocol[R]):
    """The module `combat/battle.py` of a game. R is whatever the game makes of a fighter, once, to answer quickly.

    Attributes:
        TERMS: table, deployment, turns, cover, and who wins by which lead (`forces.Terms`).
        VICTORY: how victory points are counted, in one sentence for players.
        DISTANCE: the unit of all distances.
        MISSIONS: several ways to win by their names for programs, the usual one first; empty where there is only one.
    """

    @property
    def TERMS(self) -> Terms: ...  # noqa: N802 - a module holds it

    @property
    def VICTORY(self) -> Text: ...  # noqa: N802

    @property
    def DISTANCE(self) -> Literal["inches", "cm"]: ...  # noqa: N802

    @property
    def MISSIONS(self) -> Mapping[str, Mission]: ...  # noqa: N802

    def ready(self, fighter: Any) -> R:
        """The fighter (`fighters.Fighter`), read once. Raises BadDocument for one that stays out of the battle."""

    def facing(self, army: Sequence[R], enemies: Sequence[R]) -> Sequence[R]:
        """The units of an army with what they have of it as a whole, such as their part of its magic, in its order.

        Equal fighters of an army become equal.
        """

    def unit(self, ready: R) -> Unit:
        """The unit as it stands on the table, without its worth: models and wounds, move, charge, nerve.

        `id`, `name` and `points` are overwritten with the fighter's.
        """

    def bands(self, ready: R) -> tuple[float, ...]:
        """Distances at which its shooting changes: ranges, half ranges, reach of templates. Empty: it never shoots."""

    def steady(self, ready: R) -> bool:
        """Whether moving makes no difference to its shooting; then `shooting` is only asked with moved=False."""

    def shooting(self, attacker: R, defender: R, *, distance: float, moved: bool, cover: bool) -> Attacks:
        """What the full attacker does to the defender in one turn's shooting, by the game's exact model.

        One `Attack` for each weapon line: how many models fire it, what one of them does as chances of
        [slaying packets, unsaved wounds], and how many models of the unit fall later (`after`). Models that fire
        several weapons stand in several lines with the same `after`. Empty when it cannot shoot at that distance.
        `exact.packets(tree, ("slay", "wound"))` has this shape. BadDocument counts as "cannot".
        """

    def may_reply(self, attacker: R, defender: R) -> bool:
        """Whether it may shoot in reaction at this enemy; only asked where TERMS.reactions is not 0."""

    def replies(self, attacker: R, defender: R, *, distance: float, cover: bool) -> Attacks | None:
        """What it shoots in reaction; None is as it shoots standing still."""

    def pins(self, attacker: R, defender: R, *, distance: float) -> bool:
        """Whether who is hurt by its volley may be pinned."""

    def blows(self, attacker: R, defender: R, *, charging: bool, charged: bool = False) -> Attacks:
        """The same for one round of close combat; empty when it cannot strike.

        Args:
            charging: in the round in which it has charged.
            charged: in the round in which it has been charged.
        """

    def counters(self, ready: R) -> bool:
        """Whether being charged makes a difference to its blows; if not, `blows` is only asked with charged=False."""

    def crossed(self, attacker: R, defender: R, *, distance: float, moved: bool, cover: bool) -> Attacks:
        """Its shooting at a target in a crossfire; only asked where the terms have one."""

    def supports(self, attacker: R, defender: R) -> Attacks:
        """What it does from a distance to an enemy who fights another; only asked where the terms have support."""

    def catches(self, winner: R, loser: R) -> float:
        """Chance that the loser of a combat who breaks is destroyed in pursuit."""

    def worths(self, army: Sequence[R], mission: str | None = None) -> Sequence[Worth]:
        """What each unit of an army is worth to its enemy, in victory points; `mission` is given by its name."""

    def namings(self, army: Sequence[R], mission: str | None = None) -> Sequence[Sequence[Worth]]:
        """The worths for everything the enemy may name before the battle; one row where he names nothing."""

    def report(self, attackers: Sequence[R], defenders: Sequence[R], notes: ModelNotes) -> None:
        """Enter what is modelled, approximated, assumed and not simulated of this game in a whole battle.

        What holds for all games (`note_common`) is entered beside it.
        """


@dataclass(frozen=True, slots=True)
class Prepared:
    """A battle with what it rests on.

    Attributes:
        left_out: by side, names of the units that stay out of it.
    """

    battle: Battle
    notes: ModelNotes
    left_out: tuple[tuple[str, ...], tuple[str, ...]]


def prepared(
    rules: BattleRules[Any],
    attackers: Sequence[Combatant],
    defenders: Sequence[Combatant],
    *,
    mission: str | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Prepared:
    """Two armies made ready: every unit against every enemy at every distance, by the game's exact model.

    Equal units are worked out once.

    Args:
        mission: one of the game's `MISSIONS`; None is the usual one.

    Raises:
        BadDocument: one of the armies has no unit that can fight, or the game has no such mission.
        Cancelled: `should_stop` said so between two units.
    """
    fought_for = mission_of(rules, mission)
    sides = [_Side(rules, army, at, mission) for army, at in ((attackers, "/attacker"), (defenders, "/defender"))]
    first, second = (side.readies for side in sides)
    for side, enemies in zip(sides, (second, first), strict=True):
        side.face(rules, enemies)
    pairs = _Pairs(rules)
    volleys: list[list[list[tuple[Volley, ...]]]] = [[], []]
    blows: list[list[list[Blows]]] = [[], []]
    catches: list[list[list[float]]] = [[], []]
    done, total = 0, sum(len(side.readies) for side in sides)
    for number, (side, enemy) in enumerate((sides, sides[::-1])):
        for i in side.kinds:
            if should_stop is not None and should_stop():
                raise Cancelled("Cancelled while the armies were made ready.")
            row = [pairs.of(side.sorts[i], enemy.sorts[j]) for j in enemy.kinds]
            volleys[number].append([pair.volleys for pair in row])
            blows[number].append([pair.blows for pair in row])
            catches[number].append([pair.catches for pair in row])
            done += 1
            if progress is not None:
                progress(done / total)
    notes = ModelNotes()
    note_common(notes, fought_for.terms)
    notes.assume(fought_for.victory)
    rules.report(sides[0].readies, sides[1].readies, notes)
    if fought_for.terms.objectives:
        _note_objectives(fought_for.terms, notes)
    battle = Battle(
        terms=fought_for.terms,
        armies=(sides[0].units, sides[1].units),
        volleys=(volleys[0], volleys[1]),
        blows=(blows[0], blows[1]),
        catches=(catches[0], catches[1]),
    )
    battle = _with_best_namings(rules, battle, sides, mission, should_stop)
    return Prepared(battle, notes, (sides[0].left_out, sides[1].left_out))


def _with_best_namings(
    rules: BattleRules[Any],
    battle: Battle,
    sides: "Sequence[_Side]",
    mission: str | None,
    should_stop: Callable[[], bool] | None,
) -> Battle:
    """The battle in which each side has named what it expects most victory points from.

    What is named changes no move and no dice, so the same short battles, counted for each naming, tell them apart.
    """
    offered = [rules.namings(side.readies, mission) for side in sides]
    if max(map(len, offered)) < 2:
        return battle
    plans = Plans(_worth(battle, [rows[0] for rows in offered]))
    sums = gains(plans, offered, trials=NAMING_TRIALS, seed=NAMING_SEED, should_stop=should_stop)
    best = [rows[max(range(len(rows)), key=points.__getitem__)] for rows, points in zip(offered, sums, strict=True)]
    return _worth(battle, best)


def _worth(battle: Battle, rows: Sequence[Sequence[Worth]]) -> Battle:
    first, second = (
        tuple(replace(unit, worth=worth) for unit, worth in zip(army, worths, strict=True))
        for army, worths in zip(battle.armies, rows, strict=True)
    )
    return replace(battle, armies=(first, second))


def mission_of(rules: BattleRules[Any], mission: str | None) -> Mission:
    """The mission of a name, by default the usual one. Raises BadDocument for one that the game does not have."""
    known = rules.MISSIONS
    if mission is None:
        return Mission(Text("", ""), rules.VICTORY, rules.TERMS)
    if mission not in known:
        names = " or ".join(known) or "none"
        raise BadDocument(f"The missions of this game are {names}, not '{mission}'.", "/mission")
    return known[mission]


def _note_objectives(terms: Terms, notes: ModelNotes) -> None:
    places, near = len(terms.objectives), f"{terms.near:g}"
    notes.approximate(
        "objectives",
        Text(
            f"{places} objectives lie at fixed places, one of them in the middle. Units that score make for one each, "
            f"the nearest to their own edge first, and stay there; at the end one holds it within {near} of it if no "
            "enemy that could deny it is as near.",
            f"Целей {places}, они лежат в постоянных местах, одна – в центре. Победоносные отряды идут каждый к своей, "
            f"начиная с ближайших к своему краю, и остаются там; в конце цель удерживает отряд не дальше {near} от "
            "неё, если столь же близко нет противника, способного помешать.",
        ),
    )


def note_common(notes: ModelNotes, terms: Terms) -> None:
    """What every whole battle takes for granted, whichever the game."""
    notes.assume(NOTES["each_side_goes"])
    notes.assume(NOTES["unit_shoots_target"])
    for rule, how in SIMPLIFICATIONS.items():
        notes.approximate(rule, how)
    if not terms.reserves:
        notes.not_simulated += ["reserves", "transports"]
    if not terms.objectives:
        notes.not_simulated.append("objectives")
    if not terms.reactions:
        notes.not_simulated.append("reactions")


@dataclass(frozen=True, slots=True)
class _Sort:
    """Equal units of an army; `key` tells them from others."""

    key: bytes
    ready: Any
    unit: Unit


@dataclass(frozen=True, slots=True)
class _Pair:
    volleys: tuple[Volley, ...]
    blows: Blows
    catches: float


class _Side:
    """An army whose units are read; equal fighters are of one sort."""

    def __init__(self, rules: BattleRules[Any], army: Sequence[Combatant], at: str, mission: str | None) -> None:
        self.readies: list[Any] = []
        self.sorts: list[_Sort] = []
        units: list[Unit] = []
        left_out: list[str] = []
        for fighter in army:
            try:
                ready = rules.ready(fighter)
                unit = rules.unit(ready)
            except BadDocument:
                left_out.append(fighter.name)
                continue
            self.readies.append(ready)
            self.sorts.append(_Sort(_key(fighter), ready, unit))
            units.append(replace(unit, id=fighter.unit, name=fighter.name, points=float(fighter.points)))
        if not units:
            raise BadDocument("No unit of this army can fight a whole battle.", at)
        worths = rules.worths(self.readies, mission)
        self.units = tuple(replace(unit, worth=worth) for unit, worth in zip(units, worths, strict=True))
        self.left_out = tuple(left_out)

    def face(self, rules: BattleRules[Any], enemies: Sequence[Any]) -> None:
        """Give each unit what it has of its army as a whole."""
        self.readies = list(rules.facing(self.readies, enemies))
        made = [rules.unit(ready) for ready in self.readies]
        self.sorts = [
            replace(sort, ready=ready, unit=unit)
            for sort, ready, unit in zip(self.sorts, self.readies, made, strict=True)
        ]
        self.units = tuple(
            replace(unit, id=old.id, name=old.name, points=old.points, worth=old.worth)
            for unit, old in zip(made, self.units, strict=True)
        )

    @property
    def kinds(self) -> range:
        """Numbers of the units."""
        return range(len(self.units))


def _key(fighter: Any) -> bytes:
    """The same for fighters that differ in nothing but their place in the list and how they come to the table."""
    facts = msgspec.to_builtins(fighter)
    return msgspec.json.encode({name: value for name, value in facts.items() if name not in PLACES})


class _Pairs:
    """One unit against another, worked out once for each pair of sorts."""

    def __init__(self, rules: BattleRules[Any]) -> None:
        self.rules = rules
        self.known: dict[tuple[bytes, bytes], _Pair] = {}
        self.attacks: dict[tuple[Any, ...], Attacks] = {}

    def of(self, attacker: _Sort, defender: _Sort) -> _Pair:
        key = (attacker.key, defender.key)
        if key not in self.known:
            self.known[key] = self._pair(attacker, defender)
        return self.known[key]

    def _pair(self, attacker: _Sort, defender: _Sort) -> _Pair:
        rules, own, enemy = self.rules, attacker.ready, defender.ready
        shelters = rules.TERMS.cover > 0 and defender.unit.shelters
        volleys = []
        for reach in sorted(rules.bands(own)):
            volley = Volley(reach, self._at(reach, rules.shooting, attacker, defender))
            if rules.TERMS.crossfire:
                volley = replace(volley, crossed=self._at(reach, rules.crossed, attacker, defender))
            if rules.TERMS.reactions and rules.may_reply(own, enemy):
                volley = replace(volley, replies=self._replies(own, enemy, volley, shelters=shelters))
            if rules.pins(own, enemy, distance=reach):
                volley = replace(volley, pins=True)
            volleys.append(volley)
        if not any(attacks for volley in volleys for attacks in volley.attacks):
            volleys = []
        return _Pair(tuple(volleys), self._blows(own, enemy), rules.catches(own, enemy))

    def _at(
        self, reach: float, shooting: Callable[..., Attacks], attacker: _Sort, defender: _Sort
    ) -> tuple[Attacks, Attacks, Attacks, Attacks]:
        """A volley at some distance: standing still at an open target, at one in cover, then both after a move."""

        def fired(*, moved: bool, cover: bool) -> Attacks:
            try:
                return self._same(shooting(attacker.ready, defender.ready, distance=reach, moved=moved, cover=cover))
            except BadDocument:
                return ()

        shelters = self.rules.TERMS.cover > 0 and defender.unit.shelters
        still = fired(moved=False, cover=False)
        covered = fired(moved=False, cover=True) if shelters else still
        if self.rules.steady(attacker.ready) or attacker.unit.move <= 0:
            return still, covered, still, covered
        moved = fired(moved=True, cover=False)
        return still, covered, moved, fired(moved=True, cover=True) if shelters else moved

    def _replies(self, attacker: Any, defender: Any, volley: Volley, *, shelters: bool) -> tuple[Attacks, Attacks]:
        """Its volley in reaction, at an open target and at one in cover."""
        found: list[Attacks] = []
        for cover in (False, True):
            if cover and not shelters:
                found.append(found[0])
                continue
            try:
                reply = self.rules.replies(attacker, defender, distance=volley.reach, cover=cover)
                found.append(volley.attacks[int(cover)] if reply is None else self._same(reply))
            except BadDocument:
                found.append(())
        return found[0], found[1]

    def _blows(self, attacker: Any, defender: Any) -> Blows:
        try:
            charging = self._same(self.rules.blows(attacker, defender, charging=True))
            fighting = self._same(self.rules.blows(attacker, defender, charging=False))
            if self.rules.TERMS.supports:
                support = self._same(self.rules.supports(attacker, defender))
                return Blows(charging, fighting, support=support)
            if not self.rules.counters(attacker):
                return Blows(charging, fighting)
            charged = self._same(self.rules.blows(attacker, defender, charging=False, charged=True))
            return Blows(charging, fighting, charged)
        except BadDocument:
            return Blows()

    def _same(self, attacks: Attacks) -> Attacks:
        """Equal attacks as one object, so that their tables are made once; attacks that do nothing are dropped."""
        able = tuple(attack for attack in attacks if _does_anything(attack))
        key = tuple(
            (a.models, a.after, a.touch, a.extra, a.chances.shape, np.ascontiguousarray(a.chances).tobytes())
            for a in able
        )
        return self.attacks.setdefault(key, able)


def _does_anything(attack: Attack) -> bool:
    hurts = attack.chances.size > 1 and float(attack.chances[0, 0]) < 1.0
    return attack.models > 0 and (hurts or attack.touch > 0.0 or attack.extra > 0.0)
