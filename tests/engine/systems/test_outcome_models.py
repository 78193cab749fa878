"""A simulation that is described once answers exactly and with dice, in blocks that fit into memory."""

import numpy as np
import numpy.typing as npt
import pytest

from armybuilder.engine.combat.distribution import certain
from armybuilder.engine.combat.outcomes import Outcomes
from armybuilder.engine.combat.sampling import BLOCK, Ledger
from armybuilder.engine.errors import Cancelled, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.matchups import Answer, Matchup, ModelNotes, Run, refuse_above
from armybuilder.engine.systems.outcome_models import OneOf, OutcomeModel, mixed, simulation_type, tidied


class Test(Matchup, frozen=True, kw_only=True):
    """A document that gives the chance of its only test."""

    __test__ = False

    chance: float


def prepare(matchup: Test, notes: ModelNotes) -> OutcomeModel:
    notes.assume(Text("One die.", "Один кубик."))

    def describe(outcomes: Outcomes) -> None:
        passed = outcomes.happens(matchup.chance)
        outcomes.add("p_pass", passed)
        outcomes.add("p_fail", 1.0 - passed)

    return OutcomeModel(describe)


KIND = simulation_type(Test, ("chance",), prepare)
DOCUMENT = Test(system="relic", kind="test", chance=0.25)


def test_exactly() -> None:
    notes = ModelNotes()
    assert KIND.exact(DOCUMENT, notes).metrics == {"p_pass": 0.25, "p_fail": 0.75}
    assert [text.en for text in notes.assumptions] == ["One die."]


def test_with_dice() -> None:
    ledger = Ledger()
    assert KIND.sampled is not None
    KIND.sampled(DOCUMENT, ModelNotes(), Run(20_000, np.random.default_rng(3)), ledger)
    assert ledger.trials == 20_000
    assert ledger.means["p_pass"] == pytest.approx(0.25, abs=4 * ledger.standard_errors["p_pass"])
    assert ledger.means["p_pass"] + ledger.means["p_fail"] == pytest.approx(1.0)


def test_blocks_report_and_stop() -> None:
    """The more dice a trial rolls, the smaller a block is; between blocks somebody may say stop."""
    sizes: list[int] = []
    model = OutcomeModel(lambda outcomes: sizes.append(outcomes.either(lambda: 0, lambda rng, size: size)), BLOCK // 10)
    shares: list[float] = []
    model.sampled(Run(25, np.random.default_rng(1), progress=shares.append), Ledger())
    assert (sizes, shares) == ([10, 10, 5], [0.4, 0.8, 1.0])
    with pytest.raises(Cancelled):
        model.sampled(Run(25, np.random.default_rng(1), should_stop=lambda: len(sizes) > 4), Ledger())
    assert sizes == [10, 10, 5, 10, 10]


def test_answers_are_mixed_by_their_chances() -> None:
    two, none = Answer({"slain": 2.0}, {"slain": certain(2)}), Answer({"slain": 0.0}, {"slain": certain(0)})
    answer = mixed([(0.25, two), (0.75, none)])
    assert answer.metrics == {"slain": 0.5}
    assert answer.distributions["slain"].as_dict(least=0.0) == {0: 0.75, 2: 0.25}


def test_one_of_several_ways() -> None:
    """A way is drawn for each trial; the cases of a way are worked out only for the exact form."""
    asked: list[str] = []

    def faces() -> npt.NDArray[np.float64]:
        asked.append("faces")
        return np.full(6, 1 / 6)

    def describe(outcomes: Outcomes) -> None:
        face = outcomes.either(lambda: np.arange(1, 7), lambda rng, trials: rng.integers(1, 7, trials))
        outcomes.add("face", face, distribution=True)
        outcomes.add("p_six", face == 6)

    def nothing(outcomes: Outcomes) -> None:
        outcomes.add("face", 0, distribution=True)
        outcomes.add("p_six", 0.0)

    model = OneOf([(0.75, OutcomeModel(describe, ways=faces)), (0.25, OutcomeModel(nothing))])
    answer, ledger = model.exact(), Ledger()
    assert answer.metrics == pytest.approx({"face": 0.75 * 3.5, "p_six": 0.125})
    assert answer.distributions["face"].as_dict(least=0.0) == pytest.approx(
        {0: 0.25} | dict.fromkeys(range(1, 7), 1 / 8)
    )
    model.sampled(Run(20_000, np.random.default_rng(5)), ledger)
    assert (ledger.trials, asked) == (20_000, ["faces"])
    for name, mean in answer.metrics.items():
        assert ledger.means[name] == pytest.approx(mean, abs=4 * ledger.standard_errors[name])
    assert float(ledger.distributions["face"].probability(0)) == pytest.approx(0.25, abs=0.02)


def test_rounding_makes_no_chance_larger_than_one() -> None:
    assert tidied({"p_pass": 1.0 + 1e-15, "p_fail": -1e-16, "wounds": 1.5}) == {
        "p_pass": 1.0,
        "p_fail": 0.0,
        "wounds": 1.5,
    }


def test_more_trials_than_the_model_takes_are_refused() -> None:
    """Before the first die; the exact form has no trials."""

    def describe(outcomes: Outcomes) -> None:
        outcomes.add("p_pass", outcomes.happens(0.5))

    model = OutcomeModel(describe, guard=lambda trials: refuse_above(trials, 10, "trials", "/trials"))
    ledger = Ledger()
    model.sampled(Run(10, np.random.default_rng(1)), ledger)
    assert ledger.trials == 10
    with pytest.raises(LimitExceeded) as refused:
        model.sampled(Run(11, np.random.default_rng(1)), ledger)
    assert (refused.value.at, ledger.trials) == ("/trials", 10)
    assert model.exact().metrics == {"p_pass": 0.5}
