"""Row "matrix": 40 × 40 units exactly, beside the pure-Python dynamic programme of `limits/attack_batch.py`.

The same 1,600 pairs as there: 5 to 60 attacks of up to two packets, six kinds of damage, Feel No Pain of three kinds,
1 to 20 models of 1 to 4 wounds.
"""

from math import comb

import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.distribution import Distribution
from bench.row import alternating, report, timed

UNITS = 40
MUST_COLD, TARGET_COLD, TARGET_WARM = 20, 55, 250
EVERY = 8
"""Every eighth row and column is given to the pure-Python programme; its time is scaled up."""

DAMAGE = [[0, 1], [0, 0, 1], [0, 0, 0, 1], [0, 1 / 3, 1 / 3, 1 / 3], [0] + [1 / 6] * 6, [0, 0] + [1 / 6] * 6]
IGNORED = (1, 5 / 6, 4 / 6)


class Armies:
    """Two lists, parsed: what the matrix needs of them."""

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.attacks = rng.integers(5, 61, UNITS)
        self.kinds = rng.integers(0, 6, UNITS)
        self.wounds = rng.integers(1, 5, UNITS)
        self.models = rng.integers(1, 21, UNITS)
        self.pain = rng.integers(0, 3, UNITS)
        one, two = rng.uniform(0.05, 0.5, (UNITS, UNITS)), rng.uniform(0, 0.1, (UNITS, UNITS))
        self.packets = np.stack([1 - one - two, one, two], -1)
        self.damage = {(kind, pain): _suffered(DAMAGE[kind], IGNORED[pain]) for kind in range(6) for pain in range(3)}

    def matrix(self, known: dict[tuple[int, int, int], exact.Evolution]) -> np.ndarray:
        """Models slain in all pairs; evolutions that are not known yet are made."""
        effects = [
            [
                self._effect(int(kind), int(pain), int(wounds), known)
                for pain, wounds in zip(self.pain, self.wounds, strict=True)
            ]
            for kind in self.kinds
        ]
        return exact.slain_matrix(self.packets, self.attacks, effects, self.models.tolist())

    def _effect(
        self, kind: int, pain: int, wounds: int, known: dict[tuple[int, int, int], exact.Evolution]
    ) -> exact.Evolution:
        key = (kind, pain, wounds)
        if key not in known:
            known[key] = exact.Evolution(Distribution(0, np.array(self.damage[kind, pain])), wounds)
        return known[key]

    def by_hand(self, i: int, j: int) -> list[float]:
        """One pair by a dynamic programme over packets and wounds in plain Python."""
        wounds, models = int(self.wounds[j]), int(self.models[j])
        one = self.packets[i, j].tolist()
        damage = self.damage[int(self.kinds[i]), int(self.pain[j])]
        counts = [1.0]
        for _ in range(int(self.attacks[i])):
            longer = [0.0] * (len(counts) + len(one) - 1)
            for n, x in enumerate(counts):
                for k, chance in enumerate(one):
                    longer[n + k] += x * chance
            counts = longer
        last = models * wounds
        state, slain = [1.0] + [0.0] * last, [0.0] * (last + 1)
        for count in counts:
            for n, x in enumerate(state):
                slain[n] += count * x
            after = [0.0] * (last + 1)
            after[last] = state[last]
            for n in range(last):
                if state[n]:
                    end = (n // wounds + 1) * wounds
                    for points, chance in enumerate(damage):
                        after[min(n + points, end)] += state[n] * chance
            state = after
        return [sum(slain[k * wounds : (k + 1) * wounds]) for k in range(models)] + [slain[last]]


def _suffered(damage: list[float], kept: float) -> list[float]:
    """Damage after a roll that cancels each point with chance 1 - kept."""
    out = [0.0] * len(damage)
    for points, share in enumerate(damage):
        for left in range(points + 1):
            out[left] += share * comb(points, left) * kept**left * (1 - kept) ** (points - left)
    return out


def main() -> None:
    """Print the row."""
    armies = Armies()
    sample = [(i, j) for i in range(0, UNITS, EVERY) for j in range(0, UNITS, EVERY)]
    cube = armies.matrix({})
    error = max(
        abs(right - found) for i, j in sample for right, found in zip(armies.by_hand(i, j), cube[i, j], strict=False)
    )
    known: dict[tuple[int, int, int], exact.Evolution] = {}
    armies.matrix(known)
    plain = timed(lambda: [armies.by_hand(i, j) for i, j in sample], rounds=3) * UNITS * UNITS / len(sample)
    cold, warm = alternating([lambda: armies.matrix({}), lambda: armies.matrix(known)], calls=2)
    report(
        "matrix",
        f"cold {cold * 1e3:.1f} ms = {plain / cold:.0f} ×, warm {warm * 1e3:.2f} ms = {plain / warm:.0f} × a plain DP "
        f"({plain * 1e3:.0f} ms), error {error:.0e}",
        must=f"≥ {MUST_COLD} × cold",
        target=f"≥ {TARGET_COLD} × cold, ≥ {TARGET_WARM} × warm",
        met=plain / cold >= MUST_COLD and error <= 1e-12,
    )


if __name__ == "__main__":
    main()
