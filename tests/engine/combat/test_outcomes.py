"""One description of an outcome gives the exact metrics with weights and the sampled ones with trials."""

import numpy as np
import pytest

from armybuilder.engine.combat.distribution import uniform
from armybuilder.engine.combat.outcomes import ExactOutcomes, Outcomes, SampledOutcomes
from armybuilder.engine.combat.sampling import Ledger

TRIALS = 40_000


def described(outcomes: Outcomes, faces: np.ndarray) -> None:
    """A die that wounds on 4+, against a save that is failed with a chance of a third."""
    wounds = faces >= 4
    lost = wounds * outcomes.happens(1 / 3)
    outcomes.add("face", faces, distribution=True)
    outcomes.add("p_wound", wounds)
    outcomes.add("p_lost", lost)
    outcomes.add("p_safe", 1.0 - lost)
    outcomes.add_ratio("p_six_per_wound", faces == 6, wounds, 0.5)


def exact() -> ExactOutcomes:
    outcomes = ExactOutcomes(np.ones(6, np.int64), whole=6)
    described(outcomes, np.arange(1, 7))
    return outcomes


def test_cases_are_weighed() -> None:
    found = exact()
    assert found.metrics == pytest.approx(
        {"face": 3.5, "p_wound": 1 / 2, "p_lost": 1 / 6, "p_safe": 5 / 6, "p_six_per_wound": 1 / 3}
    )
    assert found.distributions["face"].as_dict(least=0.0) == pytest.approx(dict.fromkeys(range(1, 7), 1 / 6))
    assert list(found.distributions) == ["face"]


def test_trials_come_to_the_same() -> None:
    ledger, rng = Ledger(), np.random.default_rng(1)
    outcomes = SampledOutcomes(ledger, rng, TRIALS)
    described(outcomes, rng.integers(1, 7, TRIALS))
    ledger.close(TRIALS)
    wanted, errors = exact(), ledger.standard_errors
    assert ledger.means.keys() == wanted.metrics.keys()
    for name, mean in ledger.means.items():
        assert 0 < errors[name] < 0.02
        assert mean == pytest.approx(wanted.metrics[name], abs=4 * errors[name])
    assert ledger.distributions["face"].as_dict(least=0.0).keys() == set(range(1, 7))


def test_a_share_of_nothing_is_what_the_model_says() -> None:
    outcomes, ledger = ExactOutcomes(), Ledger()
    outcomes.add_ratio("share", 0.0, 0.0, 0.25)
    SampledOutcomes(ledger, np.random.default_rng(1), 10).add_ratio("share", 0, 0, 0.25)
    assert (outcomes.metrics, ledger.means) == ({"share": 0.25}, {"share": 0.25})


def test_a_step_may_have_two_forms() -> None:
    """What is worked out apart from the cases is entered as its distribution, or as rolled numbers."""
    ledger, metrics = Ledger(), {}
    exactly, trials = ExactOutcomes(), SampledOutcomes(ledger, np.random.default_rng(2), TRIALS)
    for outcomes in (exactly, trials):
        number = outcomes.either(lambda: uniform(range(1, 7)), lambda rng, size: rng.integers(1, 7, size))
        outcomes.add("spaces", number, distribution=True)
        outcomes.add("always", 2)
    ledger.close(TRIALS)
    metrics = exactly.metrics
    assert metrics == {"spaces": pytest.approx(3.5), "always": 2.0}
    assert ledger.means["spaces"] == pytest.approx(3.5, abs=4 * ledger.standard_errors["spaces"])
    assert (ledger.means["always"], ledger.standard_errors["always"]) == (2.0, 0.0)


def test_ways_to_end_are_cases_or_blocks_of_trials() -> None:
    """A round ends in three ways, one of which goes on to two more; what holds of all comes before or after."""

    def described(outcomes: Outcomes) -> None:
        outcomes.add("before", 1)
        ways = outcomes.either(
            lambda: {"won": 0.5, "lost": 0.25, "draw": 0.25}, lambda rng, trials: {"won": 20, "lost": 0, "draw": 20}
        )
        for ending, way in outcomes.endings(ways.items()):
            ending.add("p_won", way == "won")
            if way == "draw":
                for later, slain in ending.endings(
                    ending.either(lambda: [(1, 0.5), (3, 0.5)], lambda rng, n: [(1, n // 2), (3, n // 2)])
                ):
                    later.add("slain", slain, distribution=True)
            else:
                ending.add("slain", 0, distribution=True)
        outcomes.add("after", 2)

    exactly, ledger = ExactOutcomes(), Ledger()
    described(exactly)
    described(SampledOutcomes(ledger, np.random.default_rng(1), 40))
    ledger.close(40)
    assert exactly.metrics == {"before": 1.0, "p_won": 0.5, "slain": 0.5, "after": 2.0}
    assert exactly.distributions["slain"].as_dict(least=0.0) == {0: 0.75, 1: 0.125, 3: 0.125}
    assert ledger.means == {"before": 1.0, "p_won": 0.5, "slain": 1.0, "after": 2.0}
    assert ledger.distributions["slain"].as_dict(least=0.0) == {0: 0.5, 1: 0.25, 3: 0.25}
