"""Battles from the first turn to the last, in blocks of trials; however they are cut, a seed gives the same counts.

Block b of a battle draws from `SeedSequence(seed, spawn_key=(b,))` and holds `BLOCK` trials (the last one what is
left); the first army begins in the first half of them, the second in the other.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from armybuilder.engine.combat.battles import close_combat, formations, markers, movement, nerve, reserves, shooting
from armybuilder.engine.combat.battles.chronicle import HUNDREDTHS, Chronicle
from armybuilder.engine.combat.battles.forces import Worth
from armybuilder.engine.combat.battles.ground import NOBODY, Ground, Host, hidden
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import Cancelled

BLOCK = 8_000
"""Trials that are fought at once, in two halves: a quarter quicker than 4,000 and as quick as more."""


def blocks_of(trials: int) -> int:
    """How many blocks so many trials are fought in."""
    return -(-trials // BLOCK)


def fought(
    plans: Plans,
    *,
    trials: int,
    seed: int,
    blocks: Iterable[int] | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    at_end: Callable[[Ground], None] | None = None,
) -> Chronicle:
    """Fight a battle many times.

    Args:
        trials: of the whole question.
        blocks: numbers of the blocks to fight here; None is all of them.
        at_end: is shown those battles that have ended, as they stand.

    Raises:
        Cancelled: `should_stop` said so between two turns.
    """
    wanted = list(range(blocks_of(trials)) if blocks is None else blocks)
    chronicle = empty(plans)
    for done, block in enumerate(wanted):
        rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(block,))))
        size = min(BLOCK, trials - block * BLOCK)

        def at(share: float, done: int = done) -> None:
            if should_stop is not None and should_stop():
                raise Cancelled(f"Cancelled in block {done + 1} of {len(wanted)}.")
            if progress is not None:
                progress((done + share) / len(wanted))

        for first, some in ((0, size - size // 2), (1, size // 2)):
            if some:
                _play(Ground(plans, some, rng, chronicle, at_end), first, at)
    return chronicle


def gains(
    plans: Plans,
    offered: Sequence[Sequence[Sequence[Worth]]],
    *,
    trials: int,
    seed: int,
    should_stop: Callable[[], bool] | None = None,
) -> list[list[int]]:
    """What the enemy has for the units of each army when these are worth something else, in the same battles.

    Args:
        offered: for each army, the rows of what its units may be worth.

    Returns:
        for each army and row, hundredths of victory points of all trials together.

    Raises:
        Cancelled: as `fought`.
    """
    found = [[0] * len(rows) for rows in offered]

    def count(ground: Ground) -> None:
        for host, rows, sums in zip(ground.hosts, offered, found, strict=True):
            for number, worths in enumerate(rows):
                sums[number] += int(_gained(host, worths).sum())

    fought(plans, trials=trials, seed=seed, should_stop=should_stop, at_end=count)
    return found


def empty(plans: Plans) -> Chronicle:
    """A chronicle of no battle yet."""
    armies = plans.battle.armies
    return Chronicle((len(armies[0]), len(armies[1])), plans.terms.longest)


def _play(ground: Ground, first: int, at: Callable[[float], None]) -> None:
    """One block of trials in which this side has the first turn."""
    terms = ground.terms
    ground.chronicle.trials += ground.trials
    _note_turns(ground, range(1))
    for turn in range(terms.longest):
        if turn >= terms.turns:
            goes_on = ground.rng.random(ground.trials) < terms.goes_on[turn - terms.turns]
            _end(ground.part(~goes_on), first)
            ground = ground.part(goes_on)
            if not ground.trials:
                return
        ground.turn = turn
        _take_turn(ground, first)
        if terms.reserves:
            reserves.give_up(ground)
        _note_turns(ground, range(turn + 1, turn + 2))
        at((turn + 1) / terms.longest)
    _end(ground, first)


def _take_turn(ground: Ground, first: int) -> None:
    """Both sides act once, army by army or unit by unit."""
    armies = [list(range(len(host.units))) for host in ground.hosts]
    if not ground.terms.alternates:
        for side in (first, 1 - first):
            _act(ground, side, armies[side])
        return
    for number in range(max(map(len, armies))):
        for side in (first, 1 - first):
            if number < len(armies[side]):
                if ground.terms.markers:
                    formations.act(ground, side, number)
                else:
                    _act(ground, side, [number])
    if ground.terms.markers:
        markers.end_phase(ground)


def _begin(ground: Ground, side: int, numbers: list[int]) -> None:
    """Some units of a side drink, rally, arrive and, where charges come first, charge."""
    mine = ground.hosts[side]
    for number in numbers:
        mine.moved[number] = mine.rallied[number] = False
        mine.aimed[number] = NOBODY
        potion = mine.units[number].potion
        if potion is not None:
            ground.drink(side, number, potion)
        nerve.recover(ground, side, number)
    if ground.terms.reserves:
        reserves.bring(ground, side, numbers)
    if ground.terms.charges_first:
        _charge(ground, side, numbers)


def _act(ground: Ground, side: int, numbers: list[int]) -> None:
    """Some units of a side move, shoot or run, charge; everybody in close combat fights; wounds are regained."""
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    _begin(ground, side, numbers)
    for number in numbers:
        movement.move_unit(ground, side, number)
    ground.begin_phase(side)
    before = theirs.left.copy()
    targets = shooting.open_targets(theirs)
    for number in numbers:
        shot = shooting.shoot_with(ground, side, number, targets)
        runs = mine.units[number].runs
        if runs is not None:
            movement.run_unit(ground, side, number, runs, shot)
    nerve.panic(ground, 1 - side, before)
    if ground.terms.reserves:
        reserves.bail_out(ground, 1 - side)
    if not ground.terms.charges_first:
        _charge(ground, side, numbers)
    close_combat.fight(ground)
    if ground.terms.reserves:
        for either in (0, 1):
            reserves.bail_out(ground, either)
    for number in numbers:
        mine.pinned[number] = False
        mine.came[number] = 0
        if mine.units[number].regains:
            ground.regain(side, number, mine.units[number].regains)


def _charge(ground: Ground, side: int, numbers: list[int]) -> None:
    ground.begin_phase(side)
    chargeable = ~hidden(ground.hosts[1 - side])
    for number in numbers:
        close_combat.charge_with(ground, side, number, chargeable)


def _points_left(host: Host) -> np.ndarray:
    """Points of the models left, in every trial."""
    each = np.array([unit.points / max(1, unit.models) for unit in host.units])
    return np.asarray(each @ host.left)


def _note_turns(ground: Ground, turns: range) -> None:
    for side, host in enumerate(ground.hosts):
        price = sum(unit.points for unit in host.units)
        for turn in turns:
            ground.chronicle.note_turn(turn, side, host.left, _points_left(host), price)


def _end(ground: Ground, first: int) -> None:
    """Victory points and the winner of battles that this side began; turns that were not played change nothing."""
    if not ground.trials:
        return
    terms, chronicle = ground.terms, ground.chronicle
    _note_turns(ground, range(ground.turn + 2, terms.longest + 1))
    chronicle.played[ground.turn + 1] += ground.trials
    if ground.at_end is not None:
        ground.at_end(ground)
    # for the units of the other side
    gained = [_gained(host, [unit.worth for unit in host.units]) for host in ground.hosts][::-1]
    standing = [np.count_nonzero(host.left, axis=0) for host in ground.hosts]
    for side, held in enumerate(_objectives(ground)):
        gained[side] += held
    more = round(terms.most_survivors * HUNDREDTHS)
    left = [_points_left(host) for host in ground.hosts]
    for side in (0, 1):
        gained[side] += more * (standing[side] > standing[1 - side])
        chronicle.note_end(side, left[side], gained[side])
    chronicle.ahead += np.bincount(1 - np.sign(np.rint(left[0] - left[1])).astype(np.int64), minlength=3)
    lead = gained[0] - gained[1]
    needed = max(1, round(terms.lead * HUNDREDTHS))
    outcome = np.where(lead >= needed, 0, np.where(lead <= -needed, 2, 1))
    if terms.loses_without_models:
        outcome = np.where((standing[0] == 0) != (standing[1] == 0), np.where(standing[0] == 0, 2, 0), outcome)
    counts = np.bincount(outcome, minlength=3)
    chronicle.outcomes += counts
    chronicle.openings[first] += counts


def _objectives(ground: Ground) -> list[np.ndarray]:
    """What both sides have for the objectives that they hold, in hundredths of victory points."""
    terms = ground.terms
    found = [np.zeros(ground.trials, np.int64) for _ in ground.hosts]
    points = np.rint(np.array(terms.objective_points) * HUNDREDTHS).astype(np.int64)
    scoring = [np.array([unit.scores for unit in host.units]) for host in ground.hosts]
    denying = [np.array([unit.scores or unit.denies for unit in host.units]) for host in ground.hosts]
    for x, y in terms.objectives:
        there = [
            host.alive & ~host.broken & ~host.pinned & ((host.x - x) ** 2 + (host.y - y) ** 2 <= terms.near**2)
            for host in ground.hosts
        ]
        worth = points[ground.rng.integers(0, len(points), ground.trials)]
        for side in (0, 1):
            held = there[side][scoring[side]].any(0) & ~there[1 - side][denying[1 - side]].any(0)
            found[side] += worth * held
    return found


def _gained(host: Host, worths: Sequence[Worth]) -> np.ndarray:
    """What the enemy has for an army whose units are worth this, in hundredths of victory points."""
    total = np.zeros(host.left.shape[1], np.int64)
    for number, (unit, worth) in enumerate(zip(host.units, worths, strict=True)):
        left, weak = host.left[number], 2 * host.left[number] < unit.models
        halved = 2 * host.left[number] <= unit.models
        broken = np.where(weak, worth.fleeing_weak, worth.fleeing)
        value = np.where(left == 0, worth.destroyed, np.where(host.broken[number], broken, worth.halved * halved))
        total += np.rint(value * HUNDREDTHS).astype(np.int64)
    return total
