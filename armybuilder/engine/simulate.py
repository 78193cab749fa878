"""The one way in for combat: a matchup document in, metrics and distributions out, with what they rest on."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import msgspec
import numpy as np

from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.sampling import Ledger
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.matchups import (
    MAX_TRIALS,
    Approximation,
    Matchup,
    ModelNotes,
    Run,
    refuse_above,
)

MODEL_VERSION = 22
"""Changes with every change of a number, so that kept results of older models are not served."""

DEFAULT_SEED = 40_000
"""Seed of documents that name none, so that the same document still gives the same answer."""

RARER_IS_LEFT_OUT = 1e-15
"""Chances below this are rounding noise and are not listed in distributions."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a simulation (contracts 4); `document_of` gives the public form.

    Attributes:
        distributions: name to value to chance; values as text, as in JSON.
        standard_errors: None for exact answers.
    """

    system: str
    kind: str
    method: str
    metrics: dict[str, float]
    distributions: dict[str, dict[str, float]] = {}
    id: str | None = None
    trials: int | None = None
    seed: int | None = None
    standard_errors: dict[str, float] | None = None
    options: dict[str, Any] = {}
    assumptions: tuple[Text, ...] = ()
    modelled: tuple[str, ...] = ()
    approximated: tuple[Approximation, ...] = ()
    not_simulated: tuple[str, ...] = ()


def simulate(
    request: Matchup,
    *,
    rng: "np.random.Generator | None" = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Result:
    """Resolve a matchup.

    Args:
        request: as `documents.parse_matchup` reads it.
        rng: source of dice for the Monte Carlo method; None starts one at the document's seed.
        progress: is told the share that is done, 0 to 1.
        should_stop: asked between blocks of trials.

    Raises:
        LimitExceeded: models, shots or trials beyond the service's limits.
        BadDocument: a kind that lacks what it needs.
        Cancelled: `should_stop` said so.
    """
    kind = GAMES[request.system].simulations[request.kind]
    refuse_above(request.trials, MAX_TRIALS, "trials", "/trials")
    kind.guard(request)
    notes = ModelNotes()
    if request.method == "exact" or kind.sampled is None:
        answer = kind.exact(request, notes)
        metrics, distributions, errors = answer.metrics, answer.distributions, dict.fromkeys(answer.metrics, 0.0)
    else:
        seed = DEFAULT_SEED if request.seed is None else request.seed
        run = Run(request.trials, rng or np.random.default_rng(seed), progress, should_stop)
        ledger = Ledger()
        kind.sampled(request, notes, run, ledger)
        metrics, distributions, errors = ledger.means, ledger.distributions, ledger.standard_errors
    sampled = request.method == "montecarlo"
    roughly = {item.rule for item in notes.approximated}
    if progress is not None:
        progress(1.0)
    return Result(
        system=request.system,
        kind=request.kind,
        method=request.method,
        metrics={name: float(value) for name, value in metrics.items() if name not in kind.labels},
        distributions={
            name: _listed(distribution, kind.labels.get(name)) for name, distribution in distributions.items()
        },
        id=request.id,
        trials=request.trials if sampled else None,
        seed=(DEFAULT_SEED if request.seed is None else request.seed) if sampled else None,
        standard_errors={n: e for n, e in errors.items() if n not in kind.labels} if sampled else None,
        options=notes.options,
        assumptions=tuple(notes.assumptions),
        modelled=_apart(notes.modelled, roughly),
        approximated=tuple(notes.approximated),
        not_simulated=_apart(notes.not_simulated, roughly | set(notes.modelled)),
    )


def combined(parts: Sequence[Result], *, seed: int | None = None) -> Result:
    """Several sampled results of the same request as one, weighted by their trials.

    Args:
        parts: at least one; exact results are the same anyway, the first is returned.
        seed: the seed the whole run is known by.
    """
    first = parts[0]
    if first.trials is None:
        return first
    shares = [(part.trials or 0) / sum(p.trials or 0 for p in parts) for part in parts]
    weighted = list(zip(shares, parts, strict=True))
    names = {name: {key for part in parts for key in part.distributions.get(name, {})} for name in first.distributions}
    return msgspec.structs.replace(
        first,
        trials=sum(part.trials or 0 for part in parts),
        seed=first.seed if seed is None else seed,
        metrics={name: sum(w * part.metrics[name] for w, part in weighted) for name in first.metrics},
        distributions={
            name: {
                key: sum(w * part.distributions[name].get(key, 0.0) for w, part in weighted)
                for key in sorted(keys, key=_first_number)
            }
            for name, keys in names.items()
        },
        standard_errors={
            name: float(np.sqrt(sum((w * (part.standard_errors or {})[name]) ** 2 for w, part in weighted)))
            for name in first.standard_errors or {}
        },
    )


def document_of(result: Result) -> dict[str, Any]:
    """The result as the contract's answer: English words in the plain members, Russian ones under `x-ru`."""
    document: dict[str, Any] = {"id": result.id} if result.id is not None else {}
    document |= {"system": result.system, "kind": result.kind, "method": result.method}
    if result.trials is not None:
        document |= {"trials": result.trials, "seed": result.seed}
    document |= {"metrics": result.metrics, "distributions": result.distributions}
    if result.standard_errors is not None:
        document["standard_errors"] = result.standard_errors
    return document | {
        "options": result.options,
        "assumptions": [text.en for text in result.assumptions],
        "modelled": list(result.modelled),
        "approximated": [{"rule": item.rule, "how": item.how.en} for item in result.approximated],
        "not_simulated": list(result.not_simulated),
        "x-ru": {
            "assumptions": [text.ru for text in result.assumptions],
            "approximated": [{"rule": item.rule, "how": item.how.ru} for item in result.approximated],
        },
    }


def _apart(rules: Sequence[str], named: Set[str]) -> tuple[str, ...]:
    """Each rule once, without those that another list names already."""
    return tuple(dict.fromkeys(rule for rule in rules if rule not in named))


def _listed(distribution: Distribution, labels: Mapping[int, str] | None) -> dict[str, float]:
    shares = distribution.as_dict(least=RARER_IS_LEFT_OUT)
    return {labels[value] if labels else str(value): float(share) for value, share in shares.items()}


def _first_number(key: str) -> int:
    """The place of a value among the others: "10-12" stands where 10 would."""
    return int(key[0] + key[1:].split("-", maxsplit=1)[0])
