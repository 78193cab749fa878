"""Outcomes of attacks as tables from which thousands of trials draw in constant time.

A row holds the exact distribution of one attack by one number of models, as an alias table: a random number picks a
column and one of its two outcomes. Chances below 1e-7 are left out, the others rounded to 2**-16 of a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.forces import Attacks
from armybuilder.engine.combat.distribution import Chances, convolved, folded
from armybuilder.engine.combat.steps.damage import Lineup
from armybuilder.engine.errors import LimitExceeded

Ints = npt.NDArray[np.int64]
RARE = 1e-7
MOST_LANDINGS = 4_000_000
MOST_OUTCOMES = 8_000_000
"""Limits of memory: states of a target times outcomes, and outcomes of all attacks of one unit."""

_CHANCE_BITS, _CODE_BITS = 17, 23
_CHANCE = (1 << _CHANCE_BITS) - 1
_CODE = (1 << _CODE_BITS) - 1


@dataclass(frozen=True, slots=True)
class Track:
    """The states a unit passes through on its way to destruction.

    An outcome of an attack is a code; `landing[state, code]` is the state after it.

    Attributes:
        left: models left, by state.
        codes: how many codes there are.
        plain: every model has one wound, so that slaying packets are wounds.
    """

    lineup: Lineup
    landing: Ints
    left: Ints
    codes: int
    plain: bool

    @property
    def last(self) -> int:
        """The state of a destroyed unit."""
        return self.lineup.last


@lru_cache(maxsize=512)
def track_of(wounds: tuple[int, ...]) -> Track:
    """The track of a unit. Raises LimitExceeded for one that is too large."""
    lineup = Lineup(wounds, (0,) * len(wounds))
    last, models = lineup.last, len(wounds)
    plain = last == models
    codes = last + 1 if plain else (models + 1) * (last + 1)
    if (last + 1) * codes > MOST_LANDINGS:
        raise LimitExceeded(f"A unit of {models} models with {last} wounds is too large for a whole battle.")
    states = np.arange(last + 1)
    if plain:
        landing = np.minimum(states[:, None] + states[None, :], last)
    else:
        ends = np.append(lineup.ends, last)
        after = [states]
        for _ in range(models):
            after.append(ends[after[-1]])
        slain = np.stack(after, 1)  # state after so many slaying packets
        landing = np.minimum(slain[:, :, None] + states, last).reshape(last + 1, codes)
    return Track(lineup, landing.astype(np.int64), models - lineup.slain, codes, plain)


@dataclass(slots=True)
class Table:
    """All rows of one attacking unit.

    Attributes:
        packed: alias columns: chance of the first outcome, then both outcomes.
        width: columns of a row, a power of two; shift leaves so many bits of a 32 bit number.
        touched: by row: chance of a hit where the attack has cost nothing; extra: markers it leaves besides.
    """

    packed: Ints
    width: int
    shift: int
    touched: npt.NDArray[np.float64]
    extra: npt.NDArray[np.float64]

    def drawn(self, rows: Ints, rng: "np.random.Generator") -> Ints:
        """One outcome code for each row number."""
        random = rng.integers(0, 1 << 32, len(rows), dtype=np.uint32)
        columns = (random >> np.uint32(self.shift)).astype(np.int64) if self.width > 1 else 0
        found = self.packed.take(rows * self.width + columns)
        first = (random & np.uint32(0xFFFF)) < (found & _CHANCE)
        found >>= _CHANCE_BITS
        second = found >> _CODE_BITS
        found &= _CODE
        return np.where(first, found, second)


@dataclass(slots=True)
class TableBuilder:
    """Collects the attacks of one unit; equal attacks on equal targets share their rows."""

    models: int
    _rows: list[tuple[Ints, npt.NDArray[np.float64]]] = field(default_factory=list)
    _known: dict[tuple[int, tuple[int, ...]], tuple[int, float]] = field(default_factory=dict)
    _kept: list[Attacks] = field(default_factory=list)
    _marks: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Row 0 is an attack that does nothing, for any number of models."""
        nothing = (np.zeros(1, np.int64), np.ones(1))
        self._rows += [nothing] * (self.models + 1)
        self._marks += [(0.0, 0.0)] * (self.models + 1)

    def add(self, attacks: Attacks, target: Track) -> tuple[int, float]:
        """Enter attacks on a target.

        Returns:
            the row of no models left (row + n is that of n models), and the expected share of the target that the
            full unit destroys.
        """
        if not attacks:
            return 0, 0.0
        key = (id(attacks), target.lineup.wounds)
        if key not in self._known:
            self._kept.append(attacks)  # its id stays its own
            self._known[key] = self._enter(attacks, target)
        return self._known[key]

    def _enter(self, attacks: Attacks, target: Track) -> tuple[int, float]:
        first = len(self._rows)
        self._rows.append((np.zeros(1, np.int64), np.ones(1)))
        self._marks.append((0.0, 0.0))
        highest = (len(target.lineup.wounds), target.last)
        each = [folded(_diagonal(a.chances), (target.last,)) if target.plain else folded(a.chances, highest)
                for a in attacks]  # fmt: skip
        limits = (target.last,) if target.plain else highest
        p: Chances = np.ones((1,) * len(limits))
        for models in range(1, self.models + 1):
            for attack, chances in zip(attacks, each, strict=True):
                if attack.after < models <= attack.after + attack.models:
                    p = folded(convolved(p, chances), limits)
            self._rows.append(_listed(p, target))
            self._marks.append(_marks(attacks, models, float(p.flat[0])))
        codes, chances = self._rows[-1]
        share = float(chances @ target.landing[0, codes]) / max(1, target.last)
        return first, share

    def table(self) -> Table:
        """All rows as one table."""
        longest = max(len(codes) for codes, _ in self._rows)
        width = 1 << max(0, (longest - 1).bit_length())
        if len(self._rows) * width > MOST_OUTCOMES:
            raise LimitExceeded("The armies are too large for a whole battle: too many outcomes of one unit's attacks.")
        codes = np.zeros((len(self._rows), width), np.int64)
        chances = np.zeros((len(self._rows), width))
        for number, (values, shares) in enumerate(self._rows):
            codes[number, : len(values)] = values
            chances[number, : len(shares)] = shares
        touched, extra = np.array(self._marks).T
        return Table(_aliased(codes, chances).ravel(), width, 32 - (width.bit_length() - 1), touched, extra)


def _marks(attacks: Attacks, models: int, unhurt: float) -> tuple[float, float]:
    """Chance of a hit when so many models have cost the target nothing, and the markers they leave besides."""
    missed, extra = 1.0, 0.0
    for attack in attacks:
        firing = min(max(models - attack.after, 0), attack.models)
        missed *= (1.0 - attack.touch) ** firing
        extra += attack.extra * firing
    return (max(0.0, 1.0 - missed / unhurt) if unhurt > 0.0 else 0.0), extra


def _diagonal(p: Chances) -> Chances:
    """Chances of the sum of both axes."""
    total = np.zeros(sum(p.shape) - 1)
    for number, row in enumerate(p):
        total[number : number + len(row)] += row
    return total


def _listed(p: Chances, target: Track) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Codes of the outcomes that are not too rare, with their chances."""
    if p.ndim == 1:
        codes = np.flatnonzero(p > RARE)
        chances = p[codes]
    else:
        slain, wounds = np.nonzero(p > RARE)
        codes, chances = slain * (target.last + 1) + wounds, p[slain, wounds]
    return codes, chances / chances.sum()


def _aliased(codes: Ints, chances: npt.NDArray[np.float64]) -> Ints:
    """Alias tables of many rows at once: the rarest outcome shares its column with the likeliest, time and again."""
    rows, width = codes.shape
    left = chances * width
    share = np.ones_like(left)
    other = codes.copy()
    every = np.arange(rows)
    lowest, highest = left.copy(), left.copy()
    for _ in range(width - 1):
        small, large = lowest.argmin(1), highest.argmax(1)
        part = np.clip(left[every, small], 0.0, 1.0)
        share[every, small] = part
        other[every, small] = codes[every, large]
        rest = left[every, large] - (1.0 - part)
        left[every, large] = lowest[every, large] = highest[every, large] = rest
        lowest[every, small], highest[every, small] = np.inf, -np.inf
    scaled = np.rint(share * 65536).astype(np.int64)
    packed: Ints = scaled | codes << _CHANCE_BITS | other << (_CHANCE_BITS + _CODE_BITS)
    return packed


@dataclass(frozen=True, slots=True)
class Ledge:
    """The tracks of one army in one array, so that a state is a place in it and needs no unit beside it.

    A state is kept as the place of its row; `landing[place + code]` is the place of the row after the attack.

    Attributes:
        start: place of each unharmed unit; end of each destroyed one; step from one wound to the next.
        left: models left, by place; lost: wounds taken, by place.
    """

    landing: Ints
    start: Ints
    end: Ints
    step: Ints
    left: npt.NDArray[np.int16]
    lost: npt.NDArray[np.int32]


def ledge_of(tracks: Sequence[Track]) -> Ledge:
    """Put the tracks of an army one behind the other; equal tracks share their place."""
    places: dict[tuple[int, ...], int] = {}
    landings, lefts, losts = [], [], []
    size = 0
    for track in tracks:
        if track.lineup.wounds in places:
            continue
        places[track.lineup.wounds] = size
        landings.append((size + track.landing * track.codes).ravel())
        lefts.append(np.repeat(track.left, track.codes))
        losts.append(np.repeat(np.arange(track.last + 1), track.codes))
        size += track.landing.size
    start = np.array([places[track.lineup.wounds] for track in tracks], np.int64)
    ends = np.array([track.last * track.codes for track in tracks], np.int64)
    return Ledge(
        np.concatenate(landings),
        start,
        start + ends,
        np.array([track.codes for track in tracks], np.int64),
        np.concatenate(lefts).astype(np.int16),
        np.concatenate(losts).astype(np.int32),
    )
