"""A unit's action in games with blast markers: a test, then a move, fire, an assault or regrouping.

A unit that fails its test holds its place: it gets a marker and fires as after a move, or regroups. One with half as
many markers as it is strong regroups instead of firing; one that can charge where it wants to does nothing else.
"""

import numpy as np

from armybuilder.engine.combat.battles import close_combat, markers, movement, shooting
from armybuilder.engine.combat.battles.ground import NOBODY, Ground, hidden


def act(ground: Ground, side: int, number: int) -> None:
    """One unit's action in all trials."""
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    unit = mine.units[number]
    mine.moved[number] = False
    able = np.flatnonzero(mine.alive[number] & ~mine.broken[number])
    if not len(able):
        return
    prey, _ = shooting.prey_of(ground, side, number, ~hidden(theirs))
    wants = prey != NOBODY
    marked = mine.markers[number] > 0
    passed = np.zeros(ground.trials, bool)
    passed[able] = markers.tested(ground, side, able, np.array(unit.acts).take(marked.take(able).astype(np.int64)))
    holds = able[~passed[able]]
    markers.mark(ground, side, number, holds, np.ones(len(holds), np.int64), by=NOBODY)
    free = mine.alive[number] & ~mine.broken[number]
    shaken = free & (2 * mine.markers[number] >= np.maximum(markers.strengths(unit).take(mine.left[number]), 1))
    engages = free & passed & wants
    regroups = shaken & ~engages
    mine.moved[number] = free & ~passed
    ground.only = free & passed & ~engages
    movement.move_unit(ground, side, number)
    ground.only = free & ~engages & ~regroups
    shooting.shoot_with(ground, side, number, shooting.open_targets(theirs))
    markers.shed(ground, side, number, np.flatnonzero(regroups))
    ground.only = engages
    close_combat.charge_with(ground, side, number, ~hidden(theirs))
    ground.only = None
    close_combat.fight(ground)
