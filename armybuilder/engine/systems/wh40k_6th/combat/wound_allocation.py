"""The target side: one wound at a time to the nearest model, with Look Out, Sir, as a walk over the unit's states."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from armybuilder.engine.combat.steps.saves import armour_save, best_save, save_chance
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.wh40k_6th.army import needed
from armybuilder.engine.systems.wh40k_6th.combat.volleys import Volley
from armybuilder.engine.systems.wh40k_6th.matchup import TargetGroup, Wh40kMatchup

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MAX_STATES = 50_000
"""States of a target unit that are followed; more are refused."""

MAX_STATE_NUMBERS = 1_000_000
"""Numbers that all those states hold, two for each group: some 30 MB."""

MAX_GROUPS = 60
"""Groups of a target, characters of several wounds counted one by one."""

MAX_WORK = 100_000_000
"""Moves between states times wounds of a volley: some seconds."""

COVER_IN_THE_OPEN = 6
COMRADE_INCHES = 6
LOOK_OUT_SIR = 0.5
"""A 4+ moves the wound. Source: L450-460 [text]."""


class State(NamedTuple):
    """A target unit in the middle of an attack.

    Attributes:
        left: models left in each group.
        hurt: wounds already taken by the wounded model of each group.
        nearest, comrade: groups picked at random among equally near ones, kept until the picked model dies.

    Characters with several wounds are groups of one here: one takes wounds in place of the other.
    """

    left: tuple[int, ...]
    hurt: tuple[int, ...]
    nearest: int | None = None
    comrade: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """The defender, read once: what each group can do against a wound.

    Attributes:
        measured: whether it is known how far each group is, and so how near two groups are to each other.
        places: where each group stands in the document.
        families: groups that were one in the document.
    """

    groups: tuple[TargetGroup, ...]
    order: tuple[float, ...]
    measured: bool
    covers: tuple[int | None, ...]
    eligible: tuple[bool, ...]
    comrades: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    families: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, matchup: Wh40kMatchup) -> "Target":
        """Read the defender: order of nearness, cover, focus fire, who stands near a character.

        Raises:
            LimitExceeded: more groups than are followed.
        """
        defender, focus = matchup.defender, needed(matchup.conditions.focus_fire)
        assert defender is not None  # the kind's needs
        always = matchup.options.look_out_sir == "always"
        placed = [each for index, group in enumerate(defender.models) for each in _separate(index, group, always)]
        if len(placed) > MAX_GROUPS:
            raise LimitExceeded(
                f"{len(placed)} groups and characters of several wounds: the limit is {MAX_GROUPS}.", "/defender/models"
            )
        groups = tuple(group for _, group in placed)
        distances = [group.distance for group in groups]
        known = all(distance is not None for distance in distances)
        order = tuple(
            float(place) if not known or distance is None else float(distance)
            for (place, _), distance in zip(placed, distances, strict=True)
        )
        named = [needed(group.cover) if group.cover is not None else needed(defender.cover) for group in groups]
        covers = tuple(gone_to_ground(cover) if defender.gone_to_ground else cover for cover in named)
        eligible = tuple(
            group.visible and (focus is None or cover is None or cover >= focus)
            for group, cover in zip(groups, named, strict=True)
        )
        comrades = tuple(
            _comrades(index, groups, order if known else None) if always and group.is_character else ()
            for index, group in enumerate(groups)
        )
        places = tuple(index for index, _ in placed)
        members = [tuple(index for index, of in enumerate(places) if of == place) for place in sorted(set(places))]
        families = tuple(family for family in members if len(family) > 1)
        return cls(groups, order, known, covers, eligible, comrades, places, families)

    def start(self) -> State:
        """The unit before the attack."""
        return State(tuple(group.count for group in self.groups), (0,) * len(self.groups))

    def alike(self, state: State) -> State:
        """One state for all that differ only in which of several identical characters is which."""
        if not self.families:
            return state
        left, hurt, renamed = list(state.left), list(state.hurt), list(range(len(self.groups)))
        for family in self.families:
            ordered = sorted(
                family, key=lambda i: (state.left[i], state.hurt[i], i == state.nearest, i == state.comrade)
            )
            for index, source in zip(family, ordered, strict=True):
                left[index], hurt[index], renamed[source] = state.left[source], state.hurt[source], index
        nearest = None if state.nearest is None else renamed[state.nearest]
        return State(tuple(left), tuple(hurt), nearest, None if state.comrade is None else renamed[state.comrade])

    def after_wound(self, state: State, volley: Volley) -> dict[State, float]:
        """Where one wound of a volley leads, with the chance of each outcome. Source: L374-460 [text]."""
        outcomes: dict[State, float] = {}
        for index, share, picked in self._pick(state, state.nearest, self._nearest(state, at_random=volley.at_random)):
            aimed = state._replace(nearest=picked)
            moved = self._near_comrades(index, state)
            stays = 1.0 - LOOK_OUT_SIR if moved else 1.0
            self._resolve(outcomes, aimed, index, share * stays, volley)
            if moved:
                for comrade, part, kept in self._pick(state, state.comrade, moved, besides=index):
                    self._resolve(outcomes, aimed._replace(comrade=kept), comrade, share * LOOK_OUT_SIR * part, volley)
        return outcomes or {state: 1.0}

    def _resolve(self, outcomes: dict[State, float], state: State, index: int, share: float, volley: Volley) -> None:
        """Save and casualty of one wound on one model of a group."""
        profile = self.groups[index].profile
        options = (armour_save(needed(profile.Sv), volley.armour_piercing), needed(profile.Inv), self.covers[index])
        fails = 1.0 - float(save_chance(best_save(options)))
        if fails < 1.0:
            outcomes[state] = outcomes.get(state, 0.0) + share * (1.0 - fails)
        if fails > 0.0:
            instant = volley.strength is not None and profile.T is not None and volley.strength >= 2 * profile.T
            after = self._hurt(state, index, (profile.W or 1) if instant else 1)
            outcomes[after] = outcomes.get(after, 0.0) + share * fails

    def _hurt(self, state: State, index: int, wounds: int) -> State:
        """The unit after an unsaved wound; a picked model that dies is no longer picked."""
        left, hurt = list(state.left), list(state.hurt)
        hurt[index] += wounds
        if hurt[index] < (self.groups[index].profile.W or 1):
            return state._replace(hurt=tuple(hurt))
        hurt[index] = 0
        left[index] -= 1
        return State(
            tuple(left),
            tuple(hurt),
            None if state.nearest == index else state.nearest,
            None if state.comrade == index else state.comrade,
        )

    def _nearest(self, state: State, *, at_random: bool) -> list[int]:
        """The nearest groups that may be given a wound; several when they are equally near, all when it is random."""
        alive = [index for index, left in enumerate(state.left) if left and self.eligible[index]]
        if at_random:
            return alive
        closest = min((self.order[index] for index in alive), default=None)
        return [index for index in alive if self.order[index] == closest]

    def _near_comrades(self, character: int, state: State) -> list[int]:
        """Groups whose models are nearest to a character and within 6" of it; all of these where nobody measured.

        Source: L450-460, L386-390 [text].
        """
        alive = [
            index for index in self.comrades[character] if state.left[index] - (1 if index == character else 0) > 0
        ]
        if not self.measured:
            return alive
        gaps = {index: abs(self.order[index] - self.order[character]) for index in alive}
        closest = min(gaps.values(), default=None)
        return [index for index in alive if gaps[index] == closest]

    def _pick(
        self, state: State, picked: int | None, candidates: list[int], *, besides: int | None = None
    ) -> list[tuple[int, float, int | None]]:
        """One of several equally near groups by its share of the models: group, chance, and what stays picked.

        Args:
            besides: the group of the model that looks for a comrade, which is none itself.

        Source: L386-390 [text]; for comrades [decision].
        """
        if picked is not None and picked in candidates:
            return [(picked, 1.0, picked)]
        if len(candidates) == 1:
            return [(candidates[0], 1.0, None)]
        models = [state.left[index] - (index == besides) for index in candidates]
        return [(index, number / sum(models), index) for index, number in zip(candidates, models, strict=True)]


class Walk:
    """The states a target can reach, numbered as they are found, and the moves between them for each kind of wound."""

    def __init__(self, target: Target) -> None:
        """Only the start is known."""
        self.target = target
        self.states = [target.start()]
        self._most_states = min(MAX_STATES, MAX_STATE_NUMBERS // max(1, 2 * len(target.groups)))
        self._numbers = {self.states[0]: 0}
        self._moves: dict[tuple[int | None, int | None, bool], list[list[tuple[int, float]]]] = {}

    def explore(self, volley: Volley, steps: int) -> None:
        """Find what up to `steps` wounds of a volley can lead to.

        Raises:
            LimitExceeded: more states than are followed.
        """
        moves = self._moves.setdefault(_kind(volley), [])
        frontier = range(len(self.states))
        for _ in range(steps):
            known = len(self.states)
            for number in frontier:
                while len(moves) <= number:
                    moves.append([])
                if not moves[number]:
                    outcomes = self.target.after_wound(self.states[number], volley)
                    moves[number] = [(self._number(state), share) for state, share in outcomes.items()]
            frontier = range(known, len(self.states))
            if not frontier:
                break

    def step(self, volley: Volley, wounds: int) -> Callable[[Floats], Floats]:
        """One wound as a function of the chances of the states; it will be asked for so many.

        Raises:
            LimitExceeded: too many wounds for so many states.
        """
        moves = self._moves[_kind(volley)]
        if sum(map(len, moves)) * wounds > MAX_WORK:
            raise LimitExceeded(
                f"{wounds} wounds on {len(moves)} states of the target: too much to follow.", "/defender/models"
            )
        rows = [(source, to, share) for source, outcomes in enumerate(moves) for to, share in outcomes]
        sources, targets = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
        shares, size = np.array([row[2] for row in rows]), len(self.states)

        def after(chances: Floats) -> Floats:
            return np.bincount(targets, weights=shares * chances[sources], minlength=size).astype(np.float64)

        return after

    def roll(self, volley: Volley, at: Ints, rng: np.random.Generator) -> Ints:
        """One wound for each trial, from the states it is in; shape as `at`."""
        moves = self._moves[_kind(volley)]
        widest = max(len(outcomes) for outcomes in moves)
        targets = np.zeros((len(moves), widest), np.int64)
        bounds = np.ones((len(moves), widest))
        for number, outcomes in enumerate(moves):
            targets[number, : len(outcomes)] = [to for to, _ in outcomes]
            bounds[number, : len(outcomes)] = np.cumsum([share for _, share in outcomes])
            bounds[number, len(outcomes) - 1 :] = 1.0
        column = (rng.random(len(at))[:, None] >= bounds[at]).sum(axis=1)
        rolled: Ints = targets[at, column]
        return rolled

    def slain(self) -> Ints:
        """Models slain in each state."""
        start = sum(self.states[0].left)
        return np.array([start - sum(state.left) for state in self.states])

    @property
    def has_wounds(self) -> bool:
        """Whether most models of the target have several wounds, so that these tell more than models slain."""
        several = sum(group.count for group in self.target.groups if (group.profile.W or 1) > 1)
        return 2 * several > sum(group.count for group in self.target.groups)

    def wounds(self) -> Ints:
        """Wounds lost in each state, those of slain models included."""
        each = np.array([group.profile.W or 1 for group in self.target.groups])
        left = np.array([state.left for state in self.states])
        hurt = np.array([state.hurt for state in self.states])
        lost: Ints = ((left[0] - left) * each + hurt).sum(axis=1)
        return lost

    def gone(self, group: int) -> npt.NDArray[np.bool_]:
        """Whether a group of the document has no model left, for each state."""
        members = [index for index, place in enumerate(self.target.places) if place == group]
        return np.array([not any(state.left[index] for index in members) for state in self.states])

    def _number(self, state: State) -> int:
        state = self.target.alike(state)
        if state not in self._numbers:
            if len(self.states) >= self._most_states:
                raise LimitExceeded(
                    f"The target unit can reach more than {self._most_states} states.", "/defender/models"
                )
            self._numbers[state] = len(self.states)
            self.states.append(state)
        return self._numbers[state]


def _kind(volley: Volley) -> tuple[int | None, int | None, bool]:
    """What of a volley decides where its wounds lead."""
    return volley.strength, volley.armour_piercing, volley.at_random


def _separate(index: int, group: TargetGroup, may_look_out: bool) -> list[tuple[int, TargetGroup]]:
    """A group with its place; characters with several wounds one by one, since one may be hit in place of another.

    Source: L450-460 [text].
    """
    if may_look_out and group.is_character and group.count > 1 and (group.profile.W or 1) > 1:
        return [(index, replace(group, count=1))] * group.count
    return [(index, group)]


def gone_to_ground(cover: int | None) -> int:
    """Cover one better, never better than 2+; 6+ in the open. Source: L566-570 [text], cap HH L853 [sister]."""
    return COVER_IN_THE_OPEN if cover is None else max(2, cover - 1)


def _comrades(character: int, groups: tuple[TargetGroup, ...], order: tuple[float, ...] | None) -> tuple[int, ...]:
    """Groups with a model within 6" of a character; its own group too, when there are other models in it."""
    named = groups[character].comrades_within_6in
    if named is not None:
        return tuple(index for index, group in enumerate(groups) if group.name in named)
    return tuple(
        index for index in range(len(groups)) if order is None or abs(order[index] - order[character]) <= COMRADE_INCHES
    )
