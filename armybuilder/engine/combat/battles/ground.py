"""What changes during a battle, for a block of trials at once: an array of shape (units, trials) for each fact."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.chronicle import Chronicle
from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.combat.battles.odds import Ints, Ledge, Table
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.distribution import Distribution

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float32]

NOBODY = -1
SHOOTING, FIGHTING, FLIGHT = range(3)
"""How models are lost."""

EDGE, DROPPED, ASSAULTING = 1, 2, 3
"""How a unit has come to the table in this turn, or from within another: it does not charge, it does not move, or it
may do both."""


@dataclass(slots=True)
class Host:
    """One army on the ground.

    Attributes:
        place: state of each unit, see `odds.Ledge`.
        left: models left; alive: whether there are any, and it is on the table.
        away: it is in reserve, or within another unit; came: how it has come since its side's last turn (`EDGE`...).
        foe: number of the enemy it fights in close combat, or NOBODY.
        broken: it flees until it rallies.
        moved: it moved in this turn of its side; charged: it charged in this round of close combat.
        covered: it stands in cover.
        drunk: its potion is used up.
        markers: blast markers on it; rerolled: the army's re-roll of this turn is used up (one row).
        rallied: it has rallied in this turn of its side, or charged in vain, where that matters.
        aimed: number of the enemy it has shot at in this turn of its side, or NOBODY, where that matters.
        reacted: it has reacted in this phase.
        pinned: it keeps down until the end of its side's turn.
    """

    units: tuple[Unit, ...]
    ledge: Ledge
    x: Reals
    y: Reals
    place: Ints
    left: npt.NDArray[np.int16]
    alive: Flags
    away: Flags
    came: npt.NDArray[np.int8]
    foe: npt.NDArray[np.int16]
    broken: Flags
    moved: Flags
    charged: Flags
    covered: Flags
    drunk: Flags
    markers: npt.NDArray[np.int16]
    rerolled: Flags
    rallied: Flags
    aimed: npt.NDArray[np.int16]
    reacted: Flags
    pinned: Flags
    home: float
    """Its own edge, as a distance from the first army's edge."""


def _part_of(host: Host, wanted: Flags) -> Host:
    facts = {item.name: getattr(host, item.name) for item in fields(host)}
    arrays: dict[str, Any] = {
        name: np.ascontiguousarray(value[:, wanted]) for name, value in facts.items() if isinstance(value, np.ndarray)
    }
    return replace(host, **arrays)


def hidden(host: Host) -> Flags:
    """Units that others of their army hide: shape (units, trials)."""
    found = np.zeros(host.foe.shape, bool)
    hiding = [number for number, unit in enumerate(host.units) if unit.hides]
    screens = [number for number, unit in enumerate(host.units) if unit.screens]
    if hiding and screens:
        found[hiding] = (host.alive[screens] & (host.foe[screens] == NOBODY)).any(0)
    return found


class Ground:
    """Both armies in all trials of a block."""

    def __init__(
        self,
        plans: Plans,
        trials: int,
        rng: "np.random.Generator",
        chronicle: Chronicle,
        at_end: "Callable[[Ground], None] | None" = None,
    ) -> None:
        """Set up both armies."""
        self.plans = plans
        self.terms = plans.terms
        self.trials = trials
        self.rng = rng
        self.chronicle = chronicle
        self.at_end = at_end
        self.every: Ints = np.arange(trials)
        self.only: Flags | None = None  # trials in which a unit may do what it does next; None is all
        self.spent: npt.NDArray[np.int8] = np.zeros(trials, np.int8)  # reactions made in this phase
        self.turn = 0
        self.hosts: tuple[Host, Host] = (self._host(0), self._host(1))

    def _host(self, side: int) -> Host:
        """Units in a strip across the middle of the front, each at a place of its own chance."""
        units, ledge, terms = self.plans.battle.armies[side], self.plans.ledges[side], self.terms
        shape = (len(units), self.trials)
        middle, away = terms.depth / 2, -1.0 if side == 0 else 1.0
        depth = np.array(
            [
                terms.line + (0.0 if plan.closes_in or plan.delivers else terms.behind) - unit.ahead
                for unit, plan in zip(units, self.plans.of[side], strict=True)
            ],
            np.float32,
        )
        x = self.rng.random(shape, np.float32) * np.float32(terms.front) + np.float32((terms.width - terms.front) / 2)
        place = np.repeat(ledge.start[:, None], self.trials, 1)
        left = ledge.left.take(place)
        waits = [
            terms.reserves and (bool(unit.arrives) or plan.rides is not None)
            for unit, plan in zip(units, self.plans.of[side], strict=True)
        ]
        off_table: Flags = np.repeat(np.array(waits)[:, None], self.trials, 1)
        return Host(
            units=units,
            ledge=ledge,
            x=x,
            y=np.repeat((np.float32(middle) + np.float32(away) * depth)[:, None], self.trials, 1),
            place=place,
            left=left,
            alive=(left > 0) & ~off_table,
            away=off_table,
            came=np.zeros(shape, np.int8),
            foe=np.full(shape, NOBODY, np.int16),
            broken=np.zeros(shape, bool),
            moved=np.zeros(shape, bool),
            charged=np.zeros(shape, bool),
            covered=self._cover(units, shape),
            drunk=np.zeros(shape, bool),
            markers=self._markers(units, shape),
            rerolled=np.zeros((1, self.trials), bool),
            rallied=np.zeros(shape, bool),
            aimed=np.full(shape, NOBODY, np.int16),
            reacted=np.zeros(shape, bool),
            pinned=np.zeros(shape, bool),
            home=0.0 if side == 0 else terms.depth,
        )

    def _markers(self, units: tuple[Unit, ...], shape: tuple[int, int]) -> npt.NDArray[np.int16]:
        found = np.zeros(shape, np.int16)
        for number, unit in enumerate(units):
            if unit.shaken is not None:
                found[number] = self.drawn(unit.shaken, self.trials)
        return found

    def _cover(self, units: tuple[Unit, ...], shape: tuple[int, int]) -> Flags:
        if not self.terms.cover:
            return np.zeros(shape, bool)
        shelters = np.array([unit.shelters for unit in units])
        found: Flags = (self.rng.random(shape, np.float32) < self.terms.cover) & shelters[:, None]
        return found

    def part(self, wanted: Flags) -> "Ground":
        """The same battle in some of the trials alone."""
        found = copy(self)
        found.trials = int(wanted.sum())
        found.every = np.arange(found.trials)
        found.spent = np.zeros(found.trials, np.int8)
        first, second = (_part_of(host, wanted) for host in self.hosts)
        found.hosts = (first, second)
        return found

    def begin_phase(self, side: int) -> None:
        """A phase of this side's turn begins: the other one may react again."""
        if self.terms.reactions:
            self.spent[:] = 0
            self.hosts[1 - side].reacted[:] = False

    def squares(self, side: int, number: int) -> Reals:
        """Squared distances of a unit from all enemies: shape (enemies, trials)."""
        mine, theirs = self.hosts[side], self.hosts[1 - side]
        across: Reals = theirs.x - mine.x[number]
        along = theirs.y - mine.y[number]
        across *= across
        along *= along
        across += along
        return across

    def drawn(self, distribution: Distribution, count: int) -> Reals:
        """So many draws from a distribution."""
        steps = np.cumsum(np.asarray(distribution.p, np.float64))
        found = np.searchsorted(steps[:-1], self.rng.random(count), side="right")
        return (found + distribution.low).astype(np.float32)

    def strike(
        self,
        side: int,
        number: int,
        *,
        table: Table,
        rows: Ints,
        targets: Ints,
        trials: Ints,
        way: int,
        models: npt.NDArray[np.int16],
    ) -> Ints:
        """Resolve one attack of a unit in some trials.

        Args:
            rows: row of no models of the attack in each of these trials.
            targets: the enemy in each of them.
            models: models that strike.

        Returns:
            wounds the enemy has lost, by trial given.
        """
        theirs = self.hosts[1 - side]
        codes = table.drawn(rows + models, self.rng)
        before, after = self._suffer(side, number, targets, trials, codes, way=way)
        if way != FIGHTING and not self.terms.markers:
            return codes
        return np.asarray(theirs.ledge.lost.take(after) - theirs.ledge.lost.take(before), np.int64)

    def crumble(
        self, side: int, number: int, trials: Ints, wounds: npt.NDArray[Any], *, by: Ints, way: int = FIGHTING
    ) -> None:
        """A unit loses ordinary wounds without a blow, to the credit of the enemy it fights (or of NOBODY)."""
        most = sum(self.hosts[side].units[number].wounds)
        for enemy in np.unique(by):
            mine = by == enemy
            self._suffer(
                1 - side,
                int(enemy),
                np.full(int(mine.sum()), number),
                trials[mine],
                np.minimum(wounds[mine], most).astype(np.int64),  # an outcome that slays nobody outright is its wounds
                way=way,
            )

    def regain(self, side: int, number: int, chance: float) -> None:
        """A wounded model of a unit has a wound back, by chance."""
        trials, _ = self._hurt(side, number)
        healed = self.rng.random(len(trials)) < chance
        host = self.hosts[side]
        host.place[number, trials[healed]] -= host.ledge.step[number]

    def drink(self, side: int, number: int, potion: Distribution) -> None:
        """A wounded model that still has its potion has wounds back."""
        host = self.hosts[side]
        trials, wounds = self._hurt(side, number)
        thirsty = ~host.drunk[number, trials]
        trials, wounds = trials[thirsty], wounds[thirsty]
        back = np.minimum(self.drawn(potion, len(trials)).astype(np.int64), wounds)
        host.place[number, trials] -= back * host.ledge.step[number]
        host.drunk[number, trials] = True

    def _hurt(self, side: int, number: int) -> tuple[Ints, Ints]:
        """Trials in which the model in front is wounded, and the wounds it has lost there."""
        host = self.hosts[side]
        ends = np.cumsum((0, *host.units[number].wounds))
        lost = host.ledge.lost.take(host.place[number])
        wounds = lost - ends[np.searchsorted(ends, lost, side="right") - 1]
        trials = np.flatnonzero(host.alive[number] & (wounds > 0))
        return trials, np.asarray(wounds[trials], np.int64)

    def _suffer(
        self, side: int, number: int, targets: Ints, trials: Ints, codes: Ints, *, way: int
    ) -> tuple[Ints, Ints]:
        """What an attack of this unit has done becomes of its targets: their states before and after it."""
        theirs = self.hosts[1 - side]
        flat = targets * self.trials + trials
        place = theirs.place.ravel()
        before = place.take(flat)
        after = theirs.ledge.landing.take(before + codes)
        place.put(flat, after)
        left = theirs.left.ravel()
        standing = theirs.ledge.left.take(after)
        slain = left.take(flat)
        slain -= standing
        left.put(flat, standing)
        dies = (standing == 0) & (slain > 0)  # another unit may have killed it at the same moment
        gone = targets.compress(dies)
        if len(gone):
            theirs.alive.ravel().put(flat.compress(dies), False)
        self.chronicle.note(self.turn, side, number, way=way, targets=targets, slain=slain, gone=gone)
        return before, after

    def remove(self, side: int, number: int, trials: Ints, way: int, *, by: Ints) -> None:
        """Take a unit off the table in some trials; `by` is the enemy that gets the credit, or NOBODY."""
        host = self.hosts[side]
        slain = host.left[number, trials].copy()
        host.left[number, trials] = 0
        host.place[number, trials] = host.ledge.end[number]
        host.alive[number, trials] = False
        host.away[number, trials] = False
        host.broken[number, trials] = False
        host.foe[number, trials] = NOBODY
        self.chronicle.note_removed(self.turn, 1 - side, number, way=way, by=by, slain=slain)
