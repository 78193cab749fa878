"""What came of many battles: who won, what was left turn by turn, who killed whom; counts become chances and means."""

from typing import Any

import numpy as np

from armybuilder.engine.combat.battles.chronicle import HUNDREDTHS, SHARES, Chronicle
from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.combat.battles.ground import FIGHTING, FLIGHT, SHOOTING
from armybuilder.engine.combat.distribution import Floats
from armybuilder.engine.systems.battles import Prepared

NAMES = ("attacker", "defender")
WAYS = {"shooting": SHOOTING, "close_combat": FIGHTING, "flight": FLIGHT}

FAINT = 5e-4
"""Of who kills whom, rarer than so many models a battle is left out."""

TYPICAL = 0.1
"""The timeline shows what is left in all but this share of the battles at either end."""


def results_of(prepared: Prepared, chronicle: Chronicle) -> dict[str, Any]:
    """The figures of the answer: metrics with standard errors, distributions, turns, units, kills."""
    return {
        "metrics": _metrics(chronicle),
        "standard_errors": _standard_errors(chronicle),
        "distributions": {
            f"{name}_points_left": _shares_left(chronicle.points[side, -1], chronicle.trials)
            for side, name in enumerate(NAMES)
        },
        "turns": [_turn(prepared, chronicle, turn) for turn in range(chronicle.turns + 1)],
        "units": {name: _units(prepared, chronicle, side) for side, name in enumerate(NAMES)},
        "kills": [kill for side in (0, 1) for kill in _kills(prepared, chronicle, side)],
    }


def _metrics(chronicle: Chronicle) -> dict[str, float]:
    trials = chronicle.trials
    metrics = {
        name: float(count) / trials
        for name, count in zip(("p_win", "p_draw", "p_lose"), chronicle.outcomes, strict=True)
    }
    for number, name in enumerate(("first", "second")):
        fought = int(chronicle.openings[number].sum())
        metrics[f"p_win_going_{name}"] = float(chronicle.openings[number, 0]) / max(1, fought)
    metrics["p_more_points_left"] = float(chronicle.ahead[0]) / trials
    metrics["p_fewer_points_left"] = float(chronicle.ahead[2]) / trials
    for side, name in enumerate(NAMES):
        metrics[f"{name}_points_left"] = float(chronicle.sums[side, 0]) / trials
        metrics[f"{name}_victory_points"] = float(chronicle.sums[side, 1]) / trials / HUNDREDTHS
    return metrics | {"turns": float(chronicle.played @ np.arange(chronicle.turns + 1)) / trials}


def _standard_errors(chronicle: Chronicle) -> dict[str, float]:
    trials, metrics = chronicle.trials, _metrics(chronicle)
    errors = {name: _error(p, p, trials) for name, p in metrics.items() if name.startswith("p_")}
    for number, name in enumerate(("first", "second")):
        p = metrics[f"p_win_going_{name}"]
        errors[f"p_win_going_{name}"] = _error(p, p, max(1, int(chronicle.openings[number].sum())))
    for side, name in enumerate(NAMES):
        for column, (what, unit) in enumerate((("points_left", 1), ("victory_points", HUNDREDTHS))):
            square = float(chronicle.sums[side, column + 2]) / trials / unit**2
            errors[f"{name}_{what}"] = _error(metrics[f"{name}_{what}"], square, trials)
    square = float(chronicle.played @ np.arange(chronicle.turns + 1) ** 2) / trials
    return errors | {"turns": _error(metrics["turns"], square, trials)}


def _error(mean: float, mean_square: float, trials: int) -> float:
    """Standard error of a mean."""
    return float(np.sqrt(max(0.0, mean_square - mean * mean) / trials))


def _shares_left(counts: Floats, trials: int) -> dict[str, float]:
    """Share of the price left, in per cent (rounded to steps), with its chance."""
    return {str(round(100 * step / SHARES)): int(n) / trials for step, n in enumerate(counts) if n}


def _turn(prepared: Prepared, chronicle: Chronicle, turn: int) -> dict[str, Any]:
    """How both sides stand after a turn; 0 is before the battle."""
    found: dict[str, Any] = {"turn": turn}
    for side, name in enumerate(NAMES):
        units = prepared.battle.armies[side]
        left = _each(units) @ chronicle.standing[side][:, turn] / chronicle.trials
        price = sum(unit.points for unit in units)
        low, high = _typical(chronicle.points[side, turn], chronicle.trials)
        found[name] = {
            "points_left": float(left),
            "low": low * price,
            "high": high * price,
            "units_left": float(chronicle.units[side][:, turn].sum()) / chronicle.trials,
        }
        if turn:
            slain = chronicle.slain[1 - side][turn - 1].sum(1)  # by way and unit
            for way, number in WAYS.items():
                found[name][f"lost_by_{way}"] = float(_each(units) @ slain[number]) / chronicle.trials
    return found


def _typical(counts: Floats, trials: int) -> tuple[float, float]:
    """Shares between which the middle of all trials lies."""
    reached = np.cumsum(counts) / trials
    low = int(np.searchsorted(reached, TYPICAL))
    high = int(np.searchsorted(reached, 1 - TYPICAL))
    return low / SHARES, high / SHARES


def _each(units: tuple[Unit, ...]) -> Floats:
    """Price of a model of each unit."""
    return np.array([unit.points / max(1, unit.models) for unit in units])


def _units(prepared: Prepared, chronicle: Chronicle, side: int) -> list[dict[str, Any]]:
    trials = chronicle.trials
    return [
        {
            "models_left": [float(n) / trials for n in chronicle.standing[side][number]],
            "p_destroyed": 1.0 - float(chronicle.units[side][number, -1]) / trials,
            "times_broken": float(chronicle.broken[side][number].sum()) / trials,
            "points_destroyed": float(
                _each(prepared.battle.armies[1 - side]) @ chronicle.slain[side][:, :, number].sum((0, 1))
            )
            / trials,
        }
        for number in range(len(prepared.battle.armies[side]))
    ]


def _kills(prepared: Prepared, chronicle: Chronicle, side: int) -> list[dict[str, Any]]:
    """Who of a side killed how much of whom, the most points first; `by` is None for what fled by itself."""
    slain, finished, trials = chronicle.slain[side], chronicle.finished[side], chronicle.trials
    each = _each(prepared.battle.armies[1 - side])
    nobody = slain.shape[2] - 1
    found = []
    for by, of in np.argwhere(slain.sum((0, 1)) >= FAINT * trials):
        mine = slain[:, :, by, of] / trials
        found.append(
            {
                "side": NAMES[side],
                "by": None if by == nobody else int(by),
                "of": int(of),
                "models": float(mine.sum()),
                "points": float(mine.sum() * each[of]),
                "p_destroyed": float(finished[:, by, of].sum()) / trials,
                "points_by_turn": [float(n * each[of]) for n in mine.sum(1)],
            }
            | {way: float(mine[:, number].sum() * each[of]) for way, number in WAYS.items()}
        )
    return sorted(found, key=lambda kill: -kill["points"])
