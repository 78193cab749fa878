"""The visible cases of the contract, with both methods."""

import json
import math
from pathlib import Path

import pytest

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import Result, document_of, simulate

pytestmark = pytest.mark.shared
TRIALS = 5_000


def cases(shared: Path) -> list[dict[str, object]]:
    text = (shared / "contracts/cases/simulate/horus-heresy.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def at_least(result: Result, name: str, value: str) -> float:
    return sum(share for key, share in result.distributions[name].items() if int(key) >= int(value))


def test_exact(shared: Path) -> None:
    for case in cases(shared):
        result = simulate(parse_matchup(case["document"]))
        expect = case["expect"]
        for name, (value, tolerance) in expect.get("metrics", {}).items():  # type: ignore[attr-defined]
            assert result.metrics[name] == pytest.approx(value, abs=tolerance), (case["id"], name)
        for name, wanted in expect.get("at_least", {}).items():  # type: ignore[attr-defined]
            for value, (share, tolerance) in wanted.items():
                assert at_least(result, name, value) == pytest.approx(share, abs=tolerance), (case["id"], name, value)
        for name, shares in result.distributions.items():
            assert sum(shares.values()) == pytest.approx(1.0, abs=1e-9), (case["id"], name)


def test_with_dice(shared: Path) -> None:
    for case in cases(shared):
        document = {**case["document"], "method": "montecarlo", "trials": TRIALS, "seed": 5}  # type: ignore[dict-item]
        result = simulate(parse_matchup(document))
        assert (result.trials, result.seed) == (TRIALS, 5)
        expect = case["expect"]
        for name, (value, _) in expect.get("metrics", {}).items():  # type: ignore[attr-defined]
            variance = (
                value * (1 - value) if name.startswith("p_") else expect.get("variance", {}).get(name, value**2 + 1)
            )  # type: ignore[attr-defined]
            room = 5 * math.sqrt(max(0.0, variance) / TRIALS) + 4 / TRIALS
            assert result.metrics[name] == pytest.approx(value, abs=room), (case["id"], name)
        assert document_of(simulate(parse_matchup(document))) == document_of(result), "the same seed, the same answer"
