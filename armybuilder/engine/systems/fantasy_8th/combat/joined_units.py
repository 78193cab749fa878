"""A unit as a target whose characters take wounds of their own: who is struck, and what becomes of each part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Floats, unharmed
from armybuilder.engine.systems.fantasy_8th.combat.attacks import Attack
from armybuilder.engine.systems.fantasy_8th.combat.casualties import Body, Count, after, roll_volley
from armybuilder.engine.systems.fantasy_8th.matchup import Side

Ints = npt.NDArray[np.int64]

OVERKILL = 5
"""Excess wounds that count in a challenge at most. Source: L295, L971-972 [text]; read as E-32 [decision]."""

NOBODY = -1
"""Place of a part, when there is nobody to strike at."""


@dataclass(frozen=True)
class JoinedUnits:
    """The bodies of one unit: rank and file with their champion first, then every character by himself.

    A state is one of each body, the last body counting fastest. Wounds beyond what rank and file have are never a
    character's, nor his theirs. Source: L891-892, L936-939 [text].

    Attributes:
        bodies: at least one.
        groups: places in the side of the groups of each body.
    """

    bodies: tuple[Body, ...]
    groups: tuple[tuple[int, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of states of each body."""
        return tuple(body.size for body in self.bodies)

    @property
    def size(self) -> int:
        """Number of states."""
        return int(np.prod(self.sizes))

    @cached_property
    def fresh(self) -> Floats:
        """Chances of the states before the first attack."""
        return unharmed(self.size)

    @cached_property
    def lost(self) -> Ints:
        """Wounds lost, for each state."""
        return self._sum([body.lost for body in self.bodies])

    @cached_property
    def scored(self) -> Ints:
        """Wounds that count for the combat result."""
        return self._sum([body.scored for body in self.bodies])

    @cached_property
    def slain(self) -> Ints:
        """Models slain."""
        return self._sum([body.slain for body in self.bodies])

    @cached_property
    def destroyed(self) -> npt.NDArray[np.bool_]:
        """Whether nobody is left."""
        return np.asarray(np.all([self.spread(at, body.destroyed) for at, body in enumerate(self.bodies)], axis=0))

    def fallen(self, groups: int) -> Ints:
        """Models of each group that are gone, shape (states, groups)."""
        parts = [self.spread(at, body.fallen(groups)) for at, body in enumerate(self.bodies)]
        return np.asarray(np.sum(parts, axis=0), np.int64)

    def spread(self, part: int, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What holds for each state of one body, for each state of all."""
        if len(self.bodies) == 1:
            return values
        return values[np.unravel_index(np.arange(self.size), self.sizes)[part]]

    def singled(self) -> Mapping[int, npt.NDArray[np.bool_]]:
        """Groups of one model that take wounds of their own, with the states in which they are slain."""
        alone = len(self.bodies) == 1
        return {
            groups[0]: self.spread(part, body.destroyed)
            for part, (groups, body) in enumerate(zip(self.groups, self.bodies, strict=True))
            if not alone and len(body.row.wounds) == 1
        }

    def part_of(self, group: int) -> int:
        """The body a group is in."""
        return next(at for at, groups in enumerate(self.groups) if group in groups)

    def wounds_of(self, group: int) -> Ints:
        """Wounds a single model has lost, for each state; nothing for those who are several."""
        part = self.part_of(group)
        body = self.bodies[part]
        alone = len(body.row.wounds) == 1
        return np.asarray(self.spread(part, body.lost), np.int64) if alone else np.zeros(self.size, np.int64)

    def struck(self, order: Sequence[int]) -> Ints:
        """The first of these bodies that is left, for each state, or the last of them; NOBODY where there is none."""
        found = np.full(self.size, order[-1] if order else NOBODY)
        for part in reversed(order[:-1] if len(order) > 1 else ()):
            found = np.where(self.spread(part, self.bodies[part].destroyed), found, part)
        return np.asarray(found, np.int64)

    def after(self, states: Floats, count: Count, attack: Attack, part: int) -> Floats:
        """Chances of the states after a volley at one of the bodies; states of shape (..., size)."""
        if len(self.bodies) == 1:
            return after(states, count, attack, self.bodies[0])
        lead = states.ndim - 1
        moved = np.moveaxis(states.reshape(*states.shape[:-1], *self.sizes), lead + part, -1)
        struck = after(np.ascontiguousarray(moved), count, attack, self.bodies[part])
        return np.ascontiguousarray(np.moveaxis(struck, -1, lead + part)).reshape(states.shape)

    def roll(self, states: Ints, dice: Ints, attack: Attack, part: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """The same with dice: states and unsaved wounds, shape (trials,) each."""
        places = list(np.unravel_index(states, self.sizes))
        fallen = roll_volley(np.asarray(places[part], np.int64), dice, attack, self.bodies[part], rng)
        places[part] = fallen.states
        return np.asarray(np.ravel_multi_index(tuple(places), self.sizes), np.int64), fallen.unsaved

    def _sum(self, parts: Sequence[Ints]) -> Ints:
        total = np.zeros(self.size, np.int64)
        for part, values in enumerate(parts):
            total = total + self.spread(part, values)
        return np.asarray(total, np.int64)


def parts_of(side: Side, apart: int | None = None) -> tuple[tuple[int, ...], ...]:
    """Groups that are struck together: rank and file, then each character; `apart` is a champion in a challenge."""
    present = [index for index, group in enumerate(side.models) if group.count]
    alone = [index for index in present if side.models[index].is_character or index == apart]
    ranks = tuple(index for index in present if index not in alone)
    main = side.main_index
    alone.sort(key=lambda index: (index != main, index))
    return (*((ranks,) if ranks else ()), *((index,) for index in alone)) or ((main,),)


def champion_of(side: Side) -> int | None:
    """The champion's group, where he is written as one."""
    if "champion" not in side.command:
        return None
    found = (i for i, g in enumerate(side.models) if g.count == 1 and not g.is_character and i != side.main_index)
    return next(found, None)


def challenger(side: Side) -> int | None:
    """Who fights a challenge: the character with most attacks, else the champion. Source: L963-978 [text]."""
    hero = strongest_hero(side)
    return champion_of(side) if hero is None else hero


def strongest_hero(side: Side) -> int | None:
    """The character with most attacks, ridden monsters aside; the first of equals."""
    heroes = [i for i, group in enumerate(side.models) if group.count == 1 and group.is_character and not group.riders]
    return max(heroes, key=lambda i: (side.models[i].profile.A or 1, -i), default=None)


def can_be_weakened(side: Side, group: int) -> bool:
    """Whether a group is a monster or a character, from whom a weapon takes Attacks. Source: L2212-2215 [text]."""
    return side.models[group].is_character or side.models[group].troop_type == "monster"
