"""The answer about whole battles as a page shows it: who wins in words, the course of the battle, who killed whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.armylists.samples import called
from armybuilder.engine.systems.game import words_of
from armybuilder.reference.names import Names
from armybuilder.web.charts.distributions import heat_step
from armybuilder.web.charts.timelines import Segment, ShareChart, Timeline, segments, share_chart, timeline
from armybuilder.web.formatting import decimal, localized, percent, percent_fine, points, russian
from armybuilder.web.pages.matchup_answers import AnswerNotes, MatrixUnit, answer_notes, units_of

OUTCOMES = {"win": gettext_lazy("I win"), "draw": gettext_lazy("draw"), "lose": gettext_lazy("they win")}

SHOWN_KILLS = 8
"""Of each side; the whole table is one tap away."""

WHOLE_FROM = 100
"""Averages from this on are told without decimals."""

ALMOST_EVEN = 0.1
"""A lead of less than this share of the battles is called even."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """Both sides after a turn, as the table shows them; losses are points lost in the turn, by their cause."""

    turn: int
    mine: str
    theirs: str
    mine_units: str
    theirs_units: str
    mine_lost: str
    theirs_lost: str


@dataclass(frozen=True, slots=True)
class BattleUnitRow:
    """What became of a unit.

    Attributes:
        earned: points it destroyed, and how many per point of its own.
    """

    unit: MatrixUnit
    survives: str
    models_left: str
    earned: str
    per_point: str


@dataclass(frozen=True, slots=True)
class KillRow:
    """Who killed whom."""

    by: str
    of: str
    points: str
    models: str
    finished: str
    turns: str


@dataclass(frozen=True, slots=True)
class KillCell:
    """Points that one unit destroys of another."""

    figure: str
    step: int


@dataclass(frozen=True, slots=True)
class KillTable:
    """All units of a side against all of the other."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[KillCell, ...]], ...]
    top: tuple[KillRow, ...]


@dataclass(frozen=True, slots=True)
class BattleView:
    """Two lists over whole battles.

    Attributes:
        verdict: who wins, in a sentence; kept: what is left of both, in another.
        sureness: how many battles were fought, and how exact the chances are.
        units_with_unknown_rules: units with rules or wargear that no figure understands.
        left_out: names of units that stay out of the battle.
        shortened: what of the game is missing in its battles; empty for most games.
    """

    mine: str
    theirs: str
    verdict: str
    kept: str
    sureness: str
    table: str
    victory: str
    mission: str
    outcomes: tuple[tuple[str, str, str], ...]
    segments: tuple[Segment, ...]
    figures: tuple[tuple[str, str], ...]
    timeline: Timeline
    turns: tuple[TurnRow, ...]
    survival: ShareChart
    my_units: tuple[BattleUnitRow, ...]
    their_units: tuple[BattleUnitRow, ...]
    kills: tuple[KillTable, KillTable]
    units_with_unknown_rules: tuple[MatrixUnit, ...]
    left_out: tuple[str, ...]
    shortened: str
    notes: AnswerNotes

    @property
    def armies(self) -> tuple[tuple[str, tuple[BattleUnitRow, ...]], ...]:
        """Both lists with what becomes of their units."""
        return (self.mine, self.my_units), (self.theirs, self.their_units)


def battle_view(result: Mapping[str, Any], names: Names) -> BattleView:
    """The answer of kind `battle`."""
    metrics, errors = result["metrics"], result["standard_errors"]
    mine, theirs = called(str(result["attacker"]["name"])), called(str(result["defender"]["name"]))
    if mine == theirs:
        mine, theirs = _("%(unit)s (mine)") % {"unit": mine}, _("%(unit)s (theirs)") % {"unit": theirs}
    units = {side: units_of(result[side], names) for side in ("attacker", "defender")}
    shares = {key: float(metrics[f"p_{key}"]) for key in OUTCOMES}
    words = {key: percent(share) for key, share in shares.items()}
    in_russian = result.get("x-ru") or {} if russian() else {}
    return BattleView(
        mine=mine,
        theirs=theirs,
        verdict=_verdict(shares, mine, theirs),
        kept=_("On average %(a)s keeps %(x)s of %(m)s points, %(b)s %(y)s of %(n)s.")
        % {
            "a": mine,
            "b": theirs,
            "x": points(round(metrics["attacker_points_left"])),
            "m": points(round(result["attacker"]["points"])),
            "y": points(round(metrics["defender_points_left"])),
            "n": points(round(result["defender"]["points"])),
        },
        sureness=_("%(n)s battles were fought with dice (seed %(seed)s); the chances are exact to about ±%(error)s.")
        % {
            "n": points(result["trials"]),
            "seed": result["seed"],
            "error": percent_fine(max(2 * errors["p_win"], 0.001)),
        },
        table=_table(result["table"]),
        shortened=localized(words_of(str(result["system"])).shortened),
        victory=str(in_russian.get("victory") or result["victory"]),
        mission=str(in_russian.get("mission") or result.get("mission") or ""),
        outcomes=tuple(
            (key, str(label), f"{percent_fine(shares[key])} ± {percent_fine(errors[f'p_{key}'])}")
            for key, label in OUTCOMES.items()
        ),
        segments=segments(shares, words),
        figures=_figures(metrics, errors),
        timeline=timeline((mine, theirs), result["turns"]),
        turns=tuple(_turn(turn) for turn in result["turns"]),
        survival=share_chart(
            result["distributions"]["attacker_points_left"], result["distributions"]["defender_points_left"]
        ),
        my_units=_unit_rows(result["attacker"], units["attacker"]),
        their_units=_unit_rows(result["defender"], units["defender"]),
        kills=(
            _kills(result, "attacker", units["attacker"], units["defender"], _("What %(a)s destroys") % {"a": mine}),
            _kills(result, "defender", units["defender"], units["attacker"], _("What %(a)s destroys") % {"a": theirs}),
        ),
        units_with_unknown_rules=_alike([unit for side in units.values() for unit in side if unit.unknown]),
        left_out=tuple(names(name) for side in ("attacker", "defender") for name in result[side]["left_out"]),
        notes=answer_notes(result, names),
    )


def _figures(metrics: Mapping[str, float], errors: Mapping[str, float]) -> tuple[tuple[str, str], ...]:
    return (
        (_("victory points, mine"), _with_error(metrics, errors, "attacker_victory_points")),
        (_("victory points, theirs"), _with_error(metrics, errors, "defender_victory_points")),
        (_("I win, going first"), percent(metrics.get("p_win_going_first"))),
        (_("I win, going second"), percent(metrics.get("p_win_going_second"))),
        (_("more points left, mine"), percent(metrics["p_more_points_left"])),
        (_("more points left, theirs"), percent(metrics["p_fewer_points_left"])),
        (_("turns played"), decimal(metrics["turns"])),
    )


def _alike(units: Sequence[MatrixUnit]) -> tuple[MatrixUnit, ...]:
    """One for all units of a kind of which the same is not known, under the names of all of them."""
    kinds: dict[tuple[str, tuple[str, ...]], list[MatrixUnit]] = {}
    for unit in units:
        kinds.setdefault((unit.name.rstrip("0123456789 "), unit.unknown), []).append(unit)
    return tuple(
        replace(alike[0], name=", ".join(dict.fromkeys(unit.name for unit in alike))) for alike in kinds.values()
    )


def _verdict(shares: Mapping[str, float], mine: str, theirs: str) -> str:
    """Who wins how often, as players speak of it."""
    if abs(shares["win"] - shares["lose"]) < ALMOST_EVEN:
        return _("An even battle: %(a)s wins %(x)s, %(b)s %(y)s of the battles.") % {
            "a": mine,
            "b": theirs,
            "x": percent(shares["win"]),
            "y": percent(shares["lose"]),
        }
    winner, share = (mine, shares["win"]) if shares["win"] > shares["lose"] else (theirs, shares["lose"])
    if share > 0.95:
        return _("In more than 19 of 20 battles %(a)s wins.") % {"a": winner}
    return _("In %(n)s of 10 battles %(a)s wins.") % {"n": min(9, max(1, round(10 * share))), "a": winner}


def _table(table: Mapping[str, Any]) -> str:
    """The table and the length of the battle, in a sentence."""
    facts = {name: points(table[name]) for name in ("width", "depth", "apart", "turns", "most_turns")}
    if table["distance"] == "cm":
        words = _("Table of %(width)s × %(depth)s cm, the foremost units %(apart)s cm apart; turns: %(turns)s.")
    else:
        words = _("Table of %(width)s × %(depth)s inches, the foremost units %(apart)s inches apart; turns: %(turns)s.")
    if table["most_turns"] > table["turns"]:
        facts["turns"] = f"{facts['turns']}–{facts['most_turns']}"
    return words % facts


def _with_error(metrics: Mapping[str, float], errors: Mapping[str, float], name: str) -> str:
    value, error = metrics[name], errors[name]
    fine = 0 if abs(value) >= WHOLE_FROM else 1
    return f"{decimal(value, fine)} ± {decimal(error, fine if error >= 1 else fine + 1)}"


def _turn(turn: Mapping[str, Any]) -> TurnRow:
    mine, theirs = turn["attacker"], turn["defender"]
    return TurnRow(
        turn=int(turn["turn"]),
        mine=points(round(mine["points_left"])),
        theirs=points(round(theirs["points_left"])),
        mine_units=decimal(mine["units_left"]),
        theirs_units=decimal(theirs["units_left"]),
        mine_lost=_lost(mine),
        theirs_lost=_lost(theirs),
    )


def _lost(side: Mapping[str, float]) -> str:
    """Points lost in a turn by shooting, in close combat and in flight."""
    parts = (
        (_("shooting"), side.get("lost_by_shooting", 0.0)),
        (_("close combat"), side.get("lost_by_close_combat", 0.0)),
        (_("flight"), side.get("lost_by_flight", 0.0)),
    )
    return ", ".join(f"{name} {points(round(lost))}" for name, lost in parts if lost >= 0.5) or "–"


def _unit_rows(side: Mapping[str, Any], units: Sequence[MatrixUnit]) -> tuple[BattleUnitRow, ...]:
    return tuple(
        BattleUnitRow(
            unit=unit,
            survives=percent(1.0 - facts["p_destroyed"]),
            models_left=f"{decimal(facts['models_left'][-1])} / {unit.models}",
            earned=points(round(facts["points_destroyed"])),
            per_point=decimal(facts["points_destroyed"] / unit.points, 2) if unit.points else "–",
        )
        for unit, facts in zip(units, side["units"], strict=True)
    )


def _kills(
    result: Mapping[str, Any], side: str, mine: Sequence[MatrixUnit], theirs: Sequence[MatrixUnit], title: str
) -> KillTable:
    kills = [kill for kill in result["kills"] if kill["side"] == side]
    most = max((kill["points"] for kill in kills), default=0.0)
    by_pair = {(kill["by"], kill["of"]): kill["points"] for kill in kills}

    def row(by: int | None, name: str) -> tuple[str, tuple[KillCell, ...]]:
        worths = [by_pair.get((by, of), 0.0) for of in range(len(theirs))]
        return name, tuple(KillCell(points(round(w)) if w >= 0.5 else "·", heat_step(w, most)) for w in worths)

    rows = [row(by, unit.name) for by, unit in enumerate(mine)]
    if any(kill["by"] is None for kill in kills):
        rows.append(row(None, _("by itself (fled)")))
    return KillTable(
        title=title,
        columns=tuple(unit.name for unit in theirs),
        rows=tuple(rows),
        top=tuple(
            KillRow(
                by=mine[kill["by"]].name if kill["by"] is not None else _("by itself (fled)"),
                of=theirs[kill["of"]].name,
                points=points(round(kill["points"])),
                models=decimal(kill["models"]),
                finished=percent(kill["p_destroyed"]),
                turns=_busiest(kill["points_by_turn"]),
            )
            for kill in kills[:SHOWN_KILLS]
        ),
    )


def _busiest(by_turn: Sequence[float]) -> str:
    """The turns in which most of it happens."""
    total = sum(by_turn)
    if total <= 0:
        return "–"
    often = [number + 1 for number, worth in enumerate(by_turn) if worth >= 0.25 * total]
    return ", ".join(map(str, often)) or str(max(range(len(by_turn)), key=by_turn.__getitem__) + 1)
