"""What is counted while battles are fought: whole numbers only, so that parts add up to the same whole in any order."""

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Losses = npt.NDArray[np.int16]
Reals = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SHARES = 20
"""Points left are kept in so many steps of the army's price."""

HUNDREDTHS = 100
"""Victory points are counted in hundredths."""


PARTS = ("slain", "finished", "standing", "units", "broken")
"""Counts that have an array for each side."""

WHOLES = ("points", "sums", "outcomes", "openings", "ahead", "played")


class Chronicle:
    """The counts of some trials of one battle.

    Attributes:
        slain: models by side, turn, way of dying, unit that did it, and its enemy; the last "unit" is nobody.
        finished: units destroyed, likewise without the way.
        standing: models left by side, unit and turn, added up; index 0 is before the battle.
        units: trials in which the unit stands, likewise.
        broken: times that a unit broke, by side, unit and (in close combat, by shooting).
        points: trials by side, turn and step of the price that is left.
        sums: points left, victory points in hundredths, and the squares of both, by side.
        outcomes: trials won by the first side, drawn, won by the second.
        openings: the same by the side that had the first turn.
        ahead: trials in which the first side has more points left, as many, fewer.
        played: trials that lasted so many turns.
    """

    def __init__(self, units: tuple[int, int], turns: int) -> None:
        """Empty, for so many units of each side."""
        self.sizes = units
        self.turns = turns
        self.trials = 0
        self.slain = [np.zeros((turns, 3, units[s] + 1, units[1 - s]), np.int64) for s in (0, 1)]
        self.finished = [np.zeros((turns, units[s] + 1, units[1 - s]), np.int64) for s in (0, 1)]
        self.standing = [np.zeros((units[s], turns + 1), np.int64) for s in (0, 1)]
        self.units = [np.zeros((units[s], turns + 1), np.int64) for s in (0, 1)]
        self.broken = [np.zeros((units[s], 2), np.int64) for s in (0, 1)]
        self.points: Counts = np.zeros((2, turns + 1, SHARES + 1), np.int64)
        self.sums: Counts = np.zeros((2, 4), np.int64)
        self.outcomes: Counts = np.zeros(3, np.int64)
        self.openings: Counts = np.zeros((2, 3), np.int64)
        self.ahead: Counts = np.zeros(3, np.int64)
        self.played: Counts = np.zeros(turns + 1, np.int64)

    def note(
        self, turn: int, side: int, number: int, *, way: int, targets: Counts, slain: Losses, gone: Counts
    ) -> None:
        """One attack of a unit in many trials: models slain of each target, and targets that are gone."""
        enemies = self.sizes[1 - side]
        self.slain[side][turn, way, number] += np.bincount(targets, slain, enemies).astype(np.int64)
        if len(gone):
            self.finished[side][turn, number] += np.bincount(gone, minlength=enemies)

    def note_removed(self, turn: int, side: int, target: int, *, way: int, by: Counts, slain: Losses) -> None:
        """A unit taken off the table; `by` -1 stands for nobody."""
        rows = self.sizes[side] + 1
        self.slain[side][turn, way, :, target] += np.bincount(by % rows, slain, rows).astype(np.int64)
        self.finished[side][turn, :, target] += np.bincount(by % rows, minlength=rows)

    def note_broken(self, side: int, number: int, times: int, *, shot: bool) -> None:
        """A unit broke in so many trials."""
        self.broken[side][number, int(shot)] += times

    def note_turn(self, turn: int, side: int, left: Losses, points: Reals, price: float) -> None:
        """How an army stands after a turn (0: before the battle): models left and points left, in every trial."""
        self.standing[side][:, turn] += left.sum(1, dtype=np.int64)
        self.units[side][:, turn] += np.count_nonzero(left, axis=1)
        steps = np.rint(points * (SHARES / max(price, 1e-9))).astype(np.int64)
        self.points[side, turn] += np.bincount(np.clip(steps, 0, SHARES), minlength=SHARES + 1)

    def note_end(self, side: int, points: Reals, victory: Counts) -> None:
        """What a side has at the end: points of its units left, and its victory points in hundredths."""
        for column, values in enumerate((np.rint(points).astype(np.int64), victory)):
            self.sums[side, column] += values.sum()
            self.sums[side, column + 2] += (values * values).sum()

    def add(self, other: "Chronicle") -> None:
        """Take over the counts of other trials of the same battle."""
        self.trials += other.trials
        for name in PARTS:
            for number, theirs in enumerate(getattr(other, name)):
                getattr(self, name)[number] += theirs
        for name in WHOLES:
            getattr(self, name)[...] += getattr(other, name)

    def written(self) -> str:
        """The counts as JSON."""
        names = (*PARTS, *WHOLES)
        counts: dict[str, Any] = {"trials": self.trials, "sizes": self.sizes, "turns": self.turns}
        for name in names:
            value = getattr(self, name)
            counts[name] = [part.tolist() for part in value] if isinstance(value, list) else value.tolist()
        return msgspec.json.encode(counts).decode()

    @classmethod
    def read(cls, text: str) -> "Chronicle":
        """What `written` wrote."""
        counts = msgspec.json.decode(text)
        found = cls((counts["sizes"][0], counts["sizes"][1]), counts["turns"])
        found.trials = counts["trials"]
        for name in PARTS:
            for mine, theirs in zip(getattr(found, name), counts[name], strict=True):
                mine[...] = np.array(theirs, np.int64).reshape(mine.shape)
        for name in WHOLES:
            getattr(found, name)[...] = counts[name]
        return found
