"""Shooting in the enemy's turn: at whoever shoots at a unit, or charges it, as often as the game allows."""

import numpy as np

from armybuilder.engine.combat.battles.forces import REPLY
from armybuilder.engine.combat.battles.ground import NOBODY, SHOOTING, Flags, Ground
from armybuilder.engine.combat.battles.odds import Ints


def answer_fire(ground: Ground, side: int, number: int, targets: Ints) -> None:
    """Targets of a unit whose answer is worth a reaction shoot first.

    Args:
        targets: of this unit in every trial, or NOBODY.
    """
    for j in (int(j) for j in np.unique(targets[targets != NOBODY])):
        trials = np.flatnonzero(targets == j)
        worth = ground.plans.of[1 - side][j].answers
        _react(ground, 1 - side, j, enemy=number, trials=trials, worth=worth, sheltered=True)


def stand_and_shoot(ground: Ground, side: int, number: int, targets: Ints, trials: Ints) -> Flags:
    """Whoever is charged by a unit shoots at it, without cover for it.

    Args:
        targets: of the charge in each of these trials.

    Returns:
        in which of them the charger still stands.
    """
    for j in (int(j) for j in np.unique(targets)):
        worth = ground.plans.of[1 - side][j].replies
        too_near = 0.0 if ground.hosts[1 - side].units[j].unsurprised else ground.hosts[side].units[number].surprises
        _react(
            ground,
            1 - side,
            j,
            enemy=number,
            trials=trials[targets == j],
            worth=worth,
            sheltered=False,
            too_near=too_near,
        )
    left: Flags = ground.hosts[side].alive[number, trials]
    return left


def _react(
    ground: Ground,
    side: int,
    number: int,
    *,
    enemy: int,
    trials: Ints,
    worth: Flags,
    sheltered: bool,
    too_near: float = 0.0,
) -> None:
    """A unit shoots in reaction at an enemy, in those trials where it may.

    Args:
        worth: at which bands and enemies it wants to: shape (bands, enemies).
        sheltered: whether cover helps the enemy.
        too_near: distance up to which there is no time to shoot.
    """
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    plan = ground.plans.of[side][number]
    if not worth[:, enemy].any():
        return
    able = mine.alive[number, trials] & (mine.foe[number, trials] == NOBODY) & ~mine.broken[number, trials]
    able &= (ground.spent[trials] < ground.terms.reactions) & ~mine.reacted[number, trials]
    able &= ~mine.pinned[number, trials]
    trials = trials[able & theirs.alive[enemy, trials]]
    across = theirs.x[enemy, trials] - mine.x[number, trials]
    along = theirs.y[enemy, trials] - mine.y[number, trials]
    squares = across**2 + along**2
    bands = np.searchsorted(plan.bands, squares)
    wanted = np.append(worth[:, enemy], False)[bands]
    if too_near:
        wanted &= squares > too_near**2
    trials, bands = trials[wanted], bands[wanted]
    if not len(trials):
        return
    ground.spent[trials] += 1
    mine.reacted[number, trials] = True
    enemies, width = len(theirs.units), len(plan.bands)
    cells = enemy + (bands + REPLY * width) * enemies
    if ground.terms.cover and sheltered:
        cells = cells + theirs.covered[enemy, trials].astype(np.int64) * (enemies * width)
    ground.strike(
        side,
        number,
        table=plan.shots,
        rows=plan.rows.take(cells),
        targets=np.full(len(trials), enemy),
        trials=trials,
        way=SHOOTING,
        models=mine.left[number].take(trials),
    )
