"""What simulations answer, as the API describes it; the simulator writes these documents, nothing here computes."""

from typing import Any, Literal

import msgspec

from armybuilder.simulations.matrices import Cell
from armybuilder.simulations.upgrades import Comparison


class ApproximatedRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that is only roughly in the numbers, and how."""

    rule: str
    how: str


class InRussian(msgspec.Struct, frozen=True, kw_only=True):
    """The words of an answer in Russian, in the same order; `option` only of a question about one."""

    assumptions: tuple[str, ...] = ()
    approximated: tuple[ApproximatedRule, ...] = ()
    option: str | None = None


class MatchupResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a matchup document.

    Attributes:
        id: of the document, if it had one.
        metrics: names that begin with p_ are chances, all others expected values.
        distributions: name to value to chance; the chances add up to 1.
        standard_errors: of every metric, where dice were rolled.
        options: readings of the rules that were in force.
        modelled: rules that are exactly in the numbers.
        not_simulated: rules that were given and are not in the numbers.
    """

    system: str
    kind: str
    method: Literal["exact", "montecarlo"]
    metrics: dict[str, float]
    distributions: dict[str, dict[str, float]] = {}
    id: str | None = None
    trials: int | None = None
    seed: int | None = None
    standard_errors: dict[str, float] | None = None
    options: dict[str, Any] = {}
    assumptions: tuple[str, ...] = ()
    modelled: tuple[str, ...] = ()
    approximated: tuple[ApproximatedRule, ...] = ()
    not_simulated: tuple[str, ...] = ()
    in_russian: InRussian | None = msgspec.field(default=None, name="x-ru")


class MatrixUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that fights.

    Attributes:
        id: node of the unit in its list.
        unknown: rules and wargear that were not understood.
    """

    id: str
    name: str
    points: float
    models: int
    unknown: tuple[str, ...] = ()


class MatrixSide(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two lists."""

    name: str
    units: tuple[MatrixUnit, ...]


class MatrixResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a matrix request.

    Attributes:
        attack: which attack of the game the cells tell of.
        conditions: the circumstances of the game, with their defaults.
        forth: a row for each of the attacker's units, a cell for each of the defender's.
        back: a row for each of the defender's units, a cell for each of the attacker's.
    """

    kind: Literal["matrix"]
    system: str
    method: str
    attack: str
    conditions: dict[str, Any]
    attacker: MatrixSide
    defender: MatrixSide
    forth: tuple[tuple[Cell, ...], ...]
    back: tuple[tuple[Cell, ...], ...]
    assumptions: tuple[str, ...] = ()
    modelled: tuple[str, ...] = ()
    approximated: tuple[ApproximatedRule, ...] = ()
    not_simulated: tuple[str, ...] = ()
    in_russian: InRussian | None = msgspec.field(default=None, name="x-ru")


class PairResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a pair request.

    Attributes:
        conditions: the circumstances of the game, with their defaults.
        forth, back: by the name of the attack (shooting, assault...) the answer to its matchup document, or an
            object with `impossible`, which says why there is none; the attacker acts, or the defender does.
    """

    kind: Literal["pair"]
    system: str
    method: str
    conditions: dict[str, Any]
    attacker: MatrixSide
    defender: MatrixSide
    forth: dict[str, dict[str, Any]]
    back: dict[str, dict[str, Any]]


class ComparedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """The unit an option is asked about; `army` is the name of its list."""

    id: str
    name: str
    army: str


class Build(msgspec.Struct, frozen=True, kw_only=True):
    """The unit without or with the option.

    Attributes:
        unknown: rules and wargear that were not understood, so they are in no number.
    """

    points: float
    models: int
    unknown: tuple[str, ...] = ()


class UpgradeTarget(msgspec.Struct, frozen=True, kw_only=True):
    """The option against one target; `army` is the name of its list, or of the target itself."""

    name: str
    army: str
    points: float
    models: int
    unknown: tuple[str, ...]
    attacks: tuple[Comparison, ...]


class UpgradeResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an upgrade request.

    Attributes:
        option: what makes the difference.
        is_taken: whether the list as it stood had it.
        price: points of the unit with the option less those without it.
    """

    kind: Literal["upgrade"]
    system: str
    method: str
    conditions: dict[str, Any]
    option: str
    is_taken: bool
    unit: ComparedUnit
    without: Build
    having: Build = msgspec.field(name="with")
    price: float
    targets: tuple[UpgradeTarget, ...]
    assumptions: tuple[str, ...] = ()
    modelled: tuple[str, ...] = ()
    approximated: tuple[ApproximatedRule, ...] = ()
    not_simulated: tuple[str, ...] = ()
    in_russian: InRussian | None = msgspec.field(default=None, name="x-ru")
