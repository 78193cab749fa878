# ruff: noqa: E501 - a row of a table is a line
"""Trees of dice: exact against enumeration with fractions, rolled against exact within the stated error."""

from fractions import Fraction

import numpy as np
import pytest

from armybuilder.engine.combat import exact, sampling
from armybuilder.engine.combat.dice import Dice, Reroll
from armybuilder.engine.combat.distribution import binomial, certain, of, uniform
from armybuilder.engine.combat.sequence import NOTHING, Both, End, Mark, Node, Several, check, d6, effects_of, roll
from armybuilder.engine.combat.steps.damage import SLAIN, Lineup, lineup, transition
from armybuilder.engine.combat.steps.saves import armour_save, best_save, saved
from armybuilder.engine.combat.steps.to_hit import (
    ballistic_roll,
    ballistic_second_roll,
    weapon_skill_roll,
)
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import Cancelled

TRIALS = 20_000


def attack() -> Node:
    """3+ with ones again, then 4+; a natural six to wound makes D3 packets of another kind; 5+ saves."""
    plain = saved(5, End("wound"))
    great = Several(Dice(1, 3), saved(5, End("slay")))
    wound = d6(lambda face: NOTHING if face < 4 else Mark("wounds", great if face == 6 else plain))
    return check(3, Mark("hits", wound), reroll=Reroll.ONES)


def test_packets_of_one_attack_by_hand() -> None:
    p = exact.packets(attack(), ("slay", "wound"), fractions=True)
    hit = Fraction(2, 3) + Fraction(1, 6) * Fraction(2, 3)
    assert p[0, 1] == hit * Fraction(1, 3) * Fraction(2, 3)
    three = Fraction(1, 3) * Fraction(2, 3) ** 3
    assert p[3, 0] == hit * Fraction(1, 6) * three
    assert p.sum() == 1
    floats = exact.packets(attack(), ("slay", "wound"))
    assert np.abs(floats - p.astype(float)).max() < 1e-15
    means = exact.expected(attack())
    assert means["hits"] == pytest.approx(float(hit))
    assert means["slay"] == pytest.approx(float(hit / 6 * 2 * Fraction(2, 3)))
    assert effects_of([attack()]) == ("slay", "wound")


def test_the_same_tree_with_dice() -> None:
    rng = np.random.default_rng(11)
    tally = sampling.rolled(attack(), np.full(TRIALS, 5), ("slay", "wound"), rng)
    means = exact.expected(attack())
    for name, counts in {"slay": tally.packets[:, 0], "wound": tally.packets[:, 1], **tally.marks}.items():
        error = counts.std() / np.sqrt(TRIALS)
        assert counts.mean() == pytest.approx(5 * means[name], abs=5 * error), name


def test_a_random_number_of_attacks() -> None:
    one = exact.packets(attack(), ("wound",))
    total = exact.attacks(one, uniform([2, 4]))
    means = exact.expected(attack())
    assert (total * np.arange(len(total))).sum() == pytest.approx(3 * means["wound"])


def test_both_happens_in_order_and_faces_join() -> None:
    twice = Both(End("a"), End("a"))
    assert exact.packets(twice, ("a",)).tolist() == [0.0, 0.0, 1.0]
    fail, works = End(), End("a")
    joined = roll([1, 1, 2], lambda face: works if face == 1 else fail)
    assert sorted(joined.weights) == [1, 2]  # type: ignore[union-attr]
    assert check(None, End("a")) is NOTHING


@pytest.mark.parametrize(
    ("skill", "need", "second"), [(0, None, None), (1, 6, None), (5, 2, None), (6, 2, 6), (10, 2, 2)]
)
def test_ballistic_skill(skill: int, need: int | None, second: int | None) -> None:
    assert (ballistic_roll(skill), ballistic_second_roll(skill)) == (need, second)


WEAPON_SKILL_TABLE = """
4666666666
2456666666
2345566666
2234555666
2233455556
2223345555
2223334555
2222333455
2222333345
2222233334
""".split()  # noqa: SIM905 - a table is read as a table


def test_the_whole_weapon_skill_table() -> None:
    for attacker, row in enumerate(WEAPON_SKILL_TABLE, 1):
        for target, need in enumerate(row, 1):
            assert weapon_skill_roll(attacker, target, double_needs=6) == int(need), (attacker, target)
    assert weapon_skill_roll(3, 6, double_needs=5) == 5
    assert weapon_skill_roll(4, 0, double_needs=6) == 1
    assert weapon_skill_roll(0, 4, double_needs=6) is None


WOUND_TABLE = """
4566------
34566-----
234566----
2234566---
22234566--
222234566-
2222234566
2222223456
2222222345
2222222234
""".split()  # noqa: SIM905 - a table is read as a table


def test_the_whole_wound_table() -> None:
    for strength, row in enumerate(WOUND_TABLE, 1):
        for toughness, need in enumerate(row, 1):
            wanted = None if need == "-" else int(need)
            assert wound_roll(strength, toughness, hopeless_gap=4) == wanted, (strength, toughness)
    assert wound_roll(1, 10, hopeless_gap=None) == 6


@pytest.mark.parametrize(("save", "ap", "left"), [(3, None, 3), (3, 4, 3), (3, 3, None), (3, 2, None), (1, None, 2), (None, 5, None)])  # fmt: skip
def test_armour_is_all_or_nothing(save: int | None, ap: int | None, left: int | None) -> None:
    assert armour_save(save, ap) == left


def test_the_best_save_is_taken_and_never_better_than_two() -> None:
    assert best_save((None, 5, 3)) == 3
    assert best_save((1,)) == 2
    assert best_save((7, None)) is None


def test_wounds_do_not_spill_over() -> None:
    row = lineup(2, 3)
    three = transition(row, certain(2))
    assert three[0].tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert three[2].tolist() == [0, 0, 0, 1, 0, 0, 0]  # one wound was left: the second point is lost
    assert transition(row, SLAIN)[4].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert row.slain.tolist() == [0, 0, 0, 1, 1, 1, 2]


def test_a_damaged_model_and_different_saves() -> None:
    row = Lineup((1, 2), (0, 1))
    assert lineup(2, 2, first=1).wounds == (1, 2)
    step = transition(row, certain(1), (1.0, 0.25))
    assert step[0].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert step[1].tolist() == [0.0, 0.75, 0.25, 0.0]
    assert row.standing(1).tolist() == [1, 1, 1, 0]


def brute_slain(count: int, p: Fraction, damage: dict[int, Fraction], wounds: int, models: int) -> list[Fraction]:
    """Attack by attack over all states, in fractions."""
    state = {(0, wounds): Fraction(1)}
    for _ in range(count):
        after: dict[tuple[int, int], Fraction] = {}
        for (dead, left), share in state.items():
            for points, chance in [(0, 1 - p), *((points, p * q) for points, q in damage.items())]:
                key = (dead, left)
                if dead < models and points:
                    key = (dead + 1, wounds) if points >= left else (dead, left - points)
                after[key] = after.get(key, Fraction(0)) + share * chance
        state = after
    return [sum((share for (dead, _), share in state.items() if dead == k), Fraction(0)) for k in range(models + 1)]


@pytest.mark.parametrize(("count", "wounds", "models"), [(1, 1, 1), (6, 1, 4), (12, 3, 5), (20, 2, 3)])
def test_casualties_against_fractions(count: int, wounds: int, models: int) -> None:
    p = Fraction(7, 27)
    damage = {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    wanted = brute_slain(count, p, damage, wounds, models)
    effect = exact.evolution(of({k: float(v) for k, v in damage.items()}), wounds)
    found = exact.slain(binomial(count, float(p)).p, effect, models)
    assert max(abs(float(w) - f) for w, f in zip(wanted, found, strict=True)) < 1e-12
    # the general road over packets and transitions
    row = lineup(models, wounds)
    step = transition(row, uniform([1, 2, 3]))
    start = np.zeros(row.last + 1)
    start[0] = 1.0
    states = exact.resolved(binomial(count, float(p)).p, [step], start)
    assert np.abs(np.bincount(row.slain, weights=states) - found).max() < 1e-12
    # and by one attack at a time
    one = exact.one_attack(np.array([1 - float(p), float(p)]), [step])
    assert np.abs(start @ np.linalg.matrix_power(one, count) - states).max() < 1e-12


def test_the_closed_form_for_single_wounds() -> None:
    p = Fraction(2, 27)
    wanted = brute_slain(20, p, {1: Fraction(1)}, 1, 10)
    found = exact.slain_by_hits(20, float(p), 10)
    assert max(abs(float(w) - f) for w, f in zip(wanted, found, strict=True)) < 1e-12


def test_two_kinds_of_packets_the_first_axis_first() -> None:
    row = lineup(3, 2)
    p = np.zeros((2, 2))
    p[1, 1] = 1.0
    start = np.zeros(row.last + 1)
    start[0] = 1.0
    steps = [transition(row, SLAIN), transition(row, certain(1))]
    assert exact.resolved(p, steps, start).tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert exact.resolved(p, steps[::-1], start).tolist() == [0, 0, 1, 0, 0, 0, 0]


def test_a_matrix_is_its_pairs() -> None:
    rng = np.random.default_rng(0)
    chances = rng.uniform(0.1, 0.5, (3, 4))
    p = np.stack([1 - chances, chances], axis=-1)
    shots, models, wounds = [5, 12, 20], [1, 4, 7, 10], [1, 2, 3, 1]
    effects = [[exact.evolution(uniform([1, 2]), w) for w in wounds] for _ in shots]
    cube = exact.slain_matrix(p, shots, effects, models)
    for i, count in enumerate(shots):
        for j, size in enumerate(models):
            pair = exact.slain(binomial(count, chances[i, j]).p, effects[i][j], size)
            assert np.abs(cube[i, j, : size + 1] - pair).max() < 1e-12
            assert cube[i, j, size + 1 :].sum() == 0.0


def test_packets_added_up_within_what_the_target_feels() -> None:
    one = np.array([0.5, 0.5])
    whole = exact.together([one, one, one])
    assert whole.tolist() == [0.125, 0.375, 0.375, 0.125]
    assert exact.together([one, one, one], highest=(1,)).tolist() == [0.125, 0.875]


def test_blocks_report_and_stop() -> None:
    seen: list[float] = []
    assert sum(sampling.blocks(10, sampling.BLOCK // 4, progress=seen.append)) == 10
    assert seen == [0.4, 0.8, 1.0]

    with pytest.raises(Cancelled, match="after 4 of 10"):
        list(
            sampling.blocks(10, sampling.BLOCK // 4, should_stop=lambda: len(seen) > 3 or seen.append(0.0) is not None)
        )


def test_the_ledger_adds_up() -> None:
    ledger = sampling.Ledger()
    for values in ([0, 1, 1], [2, 0]):
        ledger.add("n", np.array(values), distribution=True)
        ledger.add_ratio("r", np.array(values), np.array([2] * len(values)), 0.5)
        ledger.close(len(values))
    assert ledger.means == pytest.approx({"n": 0.8, "r": 0.4})
    assert ledger.distributions["n"].as_dict() == pytest.approx({0: 0.4, 1: 0.4, 2: 0.2})
    assert ledger.standard_errors["n"] == pytest.approx(np.sqrt(0.56 / 5))
