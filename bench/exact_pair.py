"""Row "exact pair": one unit against one unit, the whole distribution, beside icepool on the same two matchups.

A: 20 shots that each slay one of 10 models with chance 2/27. B: 20 shots of D3 damage with Feel No Pain 6+ at 5 models
of 3 wounds, hit on 3+ with ones again, wounded on 3+, saved on 5+.
"""

from fractions import Fraction

import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.dice import Reroll
from armybuilder.engine.combat.distribution import binomial, binomial_chances, mixture
from armybuilder.engine.combat.sequence import End, check
from armybuilder.engine.combat.steps.saves import saved
from bench.row import alternating, cannot_run, report

SHOTS = 20
MUST_B, TARGET_B, TARGET_A = 30, 100, 300
LARGEST_ERROR = 1e-12


def matchup_a() -> list[float]:
    """The closed form."""
    return exact.slain_by_hits(SHOTS, 2 / 27, 10)


class MatchupB:
    """The kernel call on prepared inputs: packets of one shot and the evolution of the target."""

    def __init__(self) -> None:
        shot = check(3, check(3, saved(5, End("packet"))), reroll=Reroll.ONES)
        self.chance = float(exact.packets(shot, ("packet",))[1])
        damage = mixture((1 / 3, binomial(points, 5 / 6)) for points in (1, 2, 3))
        self.effect = exact.evolution(damage, 3)

    def __call__(self) -> np.ndarray:
        """Models slain."""
        return exact.slain(np.array(binomial_chances(SHOTS, self.chance)), self.effect, 5)


def in_fractions() -> tuple[list[Fraction], list[Fraction]]:
    """Both matchups shot by shot, without rounding."""
    a = binomial(SHOTS, Fraction(2, 27)).clipped(high=10).p.tolist()
    chance = Fraction(7, 9) * Fraction(2, 3) * Fraction(2, 3)
    damage = mixture((Fraction(1, 3), binomial(points, Fraction(5, 6))) for points in (1, 2, 3)).as_dict()
    state = {(0, 3): Fraction(1)}
    for _ in range(SHOTS):
        after: dict[tuple[int, int], Fraction] = {}
        for (dead, left), share in state.items():
            for points, part in [(0, 1 - chance), *((n, chance * p) for n, p in damage.items())]:
                key = (dead, left) if dead == 5 else (dead + 1, 3) if points >= left else (dead, left - points)
                after[key] = after.get(key, Fraction(0)) + share * part
        state = after
    return a, [sum((p for (dead, _), p in state.items() if dead == n), Fraction(0)) for n in range(6)]


def main() -> None:
    """Print the row."""
    ours_b = MatchupB()
    error = max(
        abs(float(right) - found)
        for exact_one, ours in zip(in_fractions(), (matchup_a(), ours_b()), strict=True)
        for right, found in zip(exact_one, ours, strict=True)
    )
    try:
        import icepool
    except ImportError:
        cannot_run("exact pair", "the peer icepool is not installed (pip install icepool)")
        return
    die, small = icepool.d6, icepool.d3

    def peer_a() -> object:
        return icepool.lowest(SHOTS @ ((die >= 3) & (die >= 4) & (die < 3) & (die < 5)), 10)

    def peer_b() -> object:
        hit = (die.reroll([1], depth=1) >= 3) & (die >= 3) & (die < 5)
        packet = hit.map({True: small.map(lambda points: points @ (die < 6)), False: 0})

        def step(state: tuple[int, int], points: int) -> tuple[int, int]:
            dead, left = state
            if dead == 5:
                return (5, 3)
            return (dead + 1, 3) if points >= left else (dead, left - points)

        return icepool.Die([(0, 3)]).map(step, packet, repeat=SHOTS, star=False).marginals[0]

    a, their_a, b, their_b = alternating([matchup_a, peer_a, ours_b, peer_b], calls=60)
    report(
        "exact pair",
        f"A {a * 1e6:.1f} µs = {their_a / a:.0f} × icepool, B {b * 1e6:.1f} µs = {their_b / b:.0f} × icepool, "
        f"error {error:.0e}",
        must=f"≥ {MUST_B} × on B, error ≤ {LARGEST_ERROR:.0e}",
        target=f"≥ {TARGET_B} × on B, ≥ {TARGET_A} × on A",
        met=their_b / b >= MUST_B and error <= LARGEST_ERROR,
    )


if __name__ == "__main__":
    main()
