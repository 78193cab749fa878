"""What every matchup document has in common, and what a game gives for each kind of simulation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct

from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.sampling import Ledger
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.list_rules import Document
from armybuilder.engine.systems.notation import Name

MAX_TRIALS = 10_000_000
MAX_MODELS = 1_000
MAX_GROUPS = 100
MAX_SHOTS = 20_000
"""The service's limits: trials of a run, models of a side and groups they form, dice an attack can roll to hit."""

MAX_DICE = 500_000_000
"""Trials times shots of one run."""


class Matchup(Document, frozen=True, kw_only=True):
    """The envelope of every matchup document.

    Attributes:
        trials: repetitions of the Monte Carlo method.
        seed: of the random generator; None lets the program choose.
    """

    kind: Name
    method: Literal["exact", "montecarlo"] = "exact"
    trials: Annotated[int, Meta(ge=1)] = 20_000
    seed: Annotated[int, Meta(ge=0)] | None = None


class Approximation(Struct, frozen=True):
    """A rule that is only roughly in the numbers, and how."""

    rule: str
    how: Text


@dataclass(slots=True)
class ModelNotes:
    """What the numbers of an answer rest on; a model fills it in while it reads the document."""

    assumptions: list[Text] = field(default_factory=list)
    options: dict[str, object] = field(default_factory=dict)
    modelled: list[str] = field(default_factory=list)
    approximated: list[Approximation] = field(default_factory=list)
    not_simulated: list[str] = field(default_factory=list)

    def assume(self, text: Text) -> None:
        """Note an assumption once."""
        if all(known.en != text.en for known in self.assumptions):
            self.assumptions.append(text)

    def approximate(self, rule: str, how: Text) -> None:
        """Note an approximation once."""
        if all(item.rule != rule or item.how.en != how.en for item in self.approximated):
            self.approximated.append(Approximation(rule, how))


@dataclass(slots=True)
class Answer:
    """What a model computed exactly."""

    metrics: dict[str, float]
    distributions: dict[str, Distribution] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """How a sampled simulation is carried out."""

    trials: int
    rng: "np.random.Generator"
    progress: Callable[[float], None] | None = None
    should_stop: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class SimulationType:
    """One kind of simulation of a game.

    Attributes:
        request: Struct the document is read into.
        needs: members that this kind cannot do without, e.g. ("attacker", "defender").
        guard: refuses a document beyond the service's limits with LimitExceeded.
        exact: computes without dice; notes in the Basis what the numbers rest on.
        sampled: rolls dice and writes every trial into the Ledger; None when the kind has no dice at all.
        labels: by distribution, words for its values: rows of a table, which have no mean and are no metric.
    """

    request: type[Matchup]
    needs: tuple[str, ...]
    exact: Callable[[Any, ModelNotes], Answer]
    sampled: Callable[[Any, ModelNotes, Run, Ledger], None] | None
    guard: Callable[[Any], None] = lambda matchup: None
    labels: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


SimulationTypes = Mapping[str, SimulationType]
"""What can be simulated in a game, by the name that a matchup document gives as its kind."""


def refuse_above(number: int, limit: int, what: str, at: str) -> None:
    """Refuse a number beyond the service's limit.

    Raises:
        LimitExceeded: naming the number, the limit and the place.
    """
    if number > limit:
        raise LimitExceeded(f"{number} {what}: the limit is {limit}.", at)


def refuse_too_many_models(counts: Sequence[int], at: str) -> None:
    """Refuse a side with more models, or more groups of them, than the service takes; `at` is the list of its groups.

    Raises:
        LimitExceeded: pointing at the group that breaks the limit, or at the list.
    """
    refuse_above(len(counts), MAX_GROUPS, "groups of models on one side", at)
    total = 0
    for index, count in enumerate(counts):
        total += count
        refuse_above(total, MAX_MODELS, "models on one side", f"{at}/{index}/count")
