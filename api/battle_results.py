"""What a whole battle answers, as the API describes it; the simulator writes the document, nothing here computes."""

from typing import Any, Literal

import msgspec

from api.simulation_results import ApproximatedRule, MatrixUnit


class BattleUnit(MatrixUnit, frozen=True, kw_only=True):
    """A unit and what became of it, on average.

    Attributes:
        models_left: before the battle and after each turn.
        p_destroyed: chance that nothing of it is left, or it has fled from the table.
        times_broken: how often it broke.
        points_destroyed: of the enemy, by this unit.
    """

    models_left: tuple[float, ...]
    p_destroyed: float
    times_broken: float
    points_destroyed: float


class BattleSide(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two lists.

    Attributes:
        points: of the units that fight.
        left_out: names of the units that stay out of the battle.
    """

    name: str
    points: float
    units: tuple[BattleUnit, ...]
    left_out: tuple[str, ...] = ()


class SideAfterTurn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a side stands after a turn, on average.

    Attributes:
        low, high: points left in all but the lowest and the highest tenth of the battles, to a twentieth of the price.
        lost_by_shooting, lost_by_close_combat, lost_by_flight: points lost in this turn.
    """

    points_left: float
    units_left: float
    low: float
    high: float
    lost_by_shooting: float = 0.0
    lost_by_close_combat: float = 0.0
    lost_by_flight: float = 0.0


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """Both sides after a turn; turn 0 is before the battle."""

    turn: int
    attacker: SideAfterTurn
    defender: SideAfterTurn


class Kill(msgspec.Struct, frozen=True, kw_only=True):
    """How much one unit destroys of another in a battle, on average.

    Attributes:
        side: of the unit that kills.
        by: its number in its side's units; null for losses that are no unit's work.
        of: number of the other unit in its side's units.
        points: in all; shooting, close_combat and flight are its parts.
        p_destroyed: chance that this unit finishes the other.
    """

    side: Literal["attacker", "defender"]
    by: int | None
    of: int
    models: float
    points: float
    p_destroyed: float
    points_by_turn: tuple[float, ...]
    shooting: float
    close_combat: float
    flight: float


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The table and the length of the battle.

    Attributes:
        distance: the unit of width, depth and apart.
        apart: distance of the two foremost lines before the first move.
        turns: that are always played; most_turns with those that may follow.
    """

    width: float
    depth: float
    distance: Literal["inches", "cm"]
    apart: float
    turns: int
    most_turns: int


class BattleInRussian(msgspec.Struct, frozen=True, kw_only=True):
    """The words of the answer in Russian, in the same order."""

    victory: str
    assumptions: tuple[str, ...] = ()
    approximated: tuple[ApproximatedRule, ...] = ()


class BattleResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a battle request; `p_win`, `p_draw` and `p_lose` are the attacker's.

    Attributes:
        metrics: chances, and means of victory points, points left and turns played; p_more_points_left and
            p_fewer_points_left compare the points that both sides have left, p_win_going_first and p_win_going_second
            are the attacker's chances in the battles that he begins and in the others.
        standard_errors: of every metric.
        distributions: attacker_points_left and defender_points_left: per cent of the price (in steps of 5) to chance.
        kills: who killed how much of whom, the most points first.
        victory: how victory points are counted.
        options: readings of the rules that were in force.
        modelled: rules that are in the numbers.
        not_simulated: rules that were given and are not in the numbers, and parts of the game that are not played.
    """

    kind: Literal["battle"]
    system: str
    method: Literal["montecarlo"]
    trials: int
    seed: int
    attacker: BattleSide
    defender: BattleSide
    metrics: dict[str, float]
    standard_errors: dict[str, float]
    distributions: dict[str, dict[str, float]]
    turns: tuple[Turn, ...]
    kills: tuple[Kill, ...]
    table: Table
    victory: str
    options: dict[str, Any] = {}
    assumptions: tuple[str, ...] = ()
    modelled: tuple[str, ...] = ()
    approximated: tuple[ApproximatedRule, ...] = ()
    not_simulated: tuple[str, ...] = ()
    in_russian: BattleInRussian | None = msgspec.field(default=None, name="x-ru")
