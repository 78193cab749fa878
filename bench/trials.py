"""Row "trials": whole battles by Monte Carlo, beside plain Python, in one call.

Reference battle: that of `limits/battle_limits.py`: two armies of ten units of ten models, five turns, two shots a
model, everything in reach; the peer is its own naive loop. Full rules: two armies that move, shoot by bands, charge,
fight and flee; the peer is `bench/plain_battle.py`, the same model in plain Python.
"""

import random
from multiprocessing import get_context
from time import perf_counter

import numpy as np

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.forces import Attack, Battle, Blows, Terms, Unit, Volley, Worth
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.dice import Dice
from bench.plain_battle import PlainBattle
from bench.row import alternating, report

UNITS, TURNS, MODELS, SHOTS = 10, 5, 10, 2
MUST, TARGET, TARGET_ON_TWO = 5, 7, 12
TRIALS, PLAIN_TRIALS = play.BLOCK, 300
TWO_CORES_TRIALS = 16 * play.BLOCK

_G = np.random.default_rng(1)
KILLS = _G.uniform(0.05, 0.35, (2, UNITS, UNITS))
"""Chance of one shot of a unit to kill a model of an enemy: side, unit, enemy."""


def reference() -> Battle:
    """The battle of the limits: nobody moves, everybody reaches everybody."""
    terms = Terms(width=72, depth=48, front=48, line=12, behind=0, turns=TURNS)

    def volley(chance: float) -> tuple[Volley, ...]:
        one = np.array([1 - chance, chance])
        attacks = (Attack(MODELS, np.convolve(one, one)[None, :]),)
        return (Volley(1_000, (attacks, attacks, attacks, attacks)),)

    units = [
        tuple(Unit(f"{side}-{i}", f"{i}", 100, (1,) * MODELS, move=0, worth=Worth(destroyed=1)) for i in range(UNITS))
        for side in (0, 1)
    ]
    volleys = [[[volley(p) for p in row] for row in KILLS[side].tolist()] for side in (0, 1)]
    nothing = [[Blows()] * UNITS] * UNITS
    never = [[0.0] * UNITS] * UNITS
    return Battle(terms, (units[0], units[1]), (volleys[0], volleys[1]), (nothing, nothing), (never, never))


def full_rules() -> Battle:
    """Ten units a side, half of them better in close combat; two bands, cover, moves, charges, nerve."""
    terms = Terms(width=72, depth=48, front=48, line=12, behind=6, turns=6, cover=0.3)
    charge = Dice(2, 6).distribution()

    def unit(side: int, i: int) -> Unit:
        return Unit(
            f"{side}-{i}", f"{i}", 100, (1,) * MODELS, move=6, charge=charge, strikes_at=4 - i % 2,
            stands=(0.6, 0.5, 0.4, 0.3), panics_at=0.25, holds=0.7, rallies=0.6, flees=charge,
            worth=Worth(100, 100, 100),
        )  # fmt: skip

    def attacks(chance: float, count: int) -> tuple[Attack, ...]:
        one = np.array([1 - chance, chance])
        whole = one
        for _ in range(count - 1):
            whole = np.convolve(whole, one)
        return (Attack(MODELS, whole[None, :]),)

    def volleys(chance: float, i: int) -> tuple[Volley, ...]:
        p = chance * (0.2 if i % 2 else 1.0)
        far = (attacks(p, 1), attacks(p * 0.7, 1), attacks(p * 0.8, 1), attacks(p * 0.5, 1))
        near = (attacks(p, 2), attacks(p * 0.7, 2), attacks(p * 0.8, 2), attacks(p * 0.5, 2))
        return (Volley(12, near), Volley(24, far))

    def blows(chance: float, i: int) -> Blows:
        p = chance * (1.0 if i % 2 else 0.3)
        return Blows(attacks(p, 3), attacks(p, 2))

    armies = [tuple(unit(side, i) for i in range(UNITS)) for side in (0, 1)]
    shots = [[[volleys(p, i) for p in row] for i, row in enumerate(KILLS[side].tolist())] for side in (0, 1)]
    melee = [[[blows(p, i) for p in row] for i, row in enumerate(KILLS[side].tolist())] for side in (0, 1)]
    caught = [[0.4] * UNITS] * UNITS
    return Battle(terms, (armies[0], armies[1]), (shots[0], shots[1]), (melee[0], melee[1]), (caught, caught))


def naive(rolls: random.Random, chances: list[list[list[float]]]) -> list[list[int]]:
    """The loop of `limits/battle_limits.py`: one random number a shot."""
    models = [[MODELS] * UNITS, [MODELS] * UNITS]
    roll = rolls.random
    for _ in range(TURNS):
        for side in (0, 1):
            others = models[1 - side]
            for i in range(UNITS):
                shots = models[side][i] * SHOTS
                if not shots:
                    continue
                j = 0
                while j < UNITS and others[(i + j) % UNITS] == 0:
                    j += 1
                if j == UNITS:
                    return models
                j = (i + j) % UNITS
                p = chances[side][i][j]
                killed = 0
                for _ in range(shots):
                    if roll() < p:
                        killed += 1
                others[j] = max(0, others[j] - killed)
    return models


def _fight(job: tuple[str, int]) -> int:
    which, seed = job
    plans = _PLANS[which]
    return play.fought(plans, trials=TWO_CORES_TRIALS // 2, seed=seed).trials


_PLANS: dict[str, Plans] = {}


def main() -> None:
    """Print the row."""
    _PLANS["reference"], _PLANS["full"] = Plans(reference()), Plans(full_rules())
    rolls, chances = random.Random(1), KILLS.tolist()
    plain = PlainBattle(_PLANS["full"], seed=1)
    peers = {
        "reference": lambda: [naive(rolls, chances) for _ in range(PLAIN_TRIALS)],
        "full": lambda: [plain.fought(n % 2) for n in range(PLAIN_TRIALS)],
    }
    figures, met = [], True
    for which, words in (("reference", "battle of the limits"), ("full", "full rules")):
        plans = _PLANS[which]
        slow, quick = alternating([peers[which], lambda plans=plans: play.fought(plans, trials=TRIALS, seed=2)])
        ratio = (slow / PLAIN_TRIALS) / (quick / TRIALS)
        with get_context("fork").Pool(2) as pool:
            pool.map(_fight, [(which, 1), (which, 2)])
            start = perf_counter()
            pool.map(_fight, [(which, 3), (which, 4)])
            two = (perf_counter() - start) / TWO_CORES_TRIALS
        on_two = slow / PLAIN_TRIALS / two
        figures.append(
            f"{words}: {TRIALS / quick / 1e3:.0f} k battles/s = {ratio:.1f} × plain Python on one core, "
            f"{on_two:.1f} × on two"
        )
        met = met and ratio >= MUST
    report(
        "trials",
        "; ".join(figures),
        must=f"≥ {MUST} × on one core",
        target=f"≥ {TARGET} × on one, ≥ {TARGET_ON_TWO} × on two",
        met=met,
    )


if __name__ == "__main__":
    main()
