"""Answers of simulations as pages show them: the matrix of two lists, and one pair with charts and words."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.armylists.samples import called
from armybuilder.engine.systems.game import GAMES, matchup_rules_of, words_of
from armybuilder.engine.systems.words import AttackWords
from armybuilder.reference.names import Names
from armybuilder.simulations.chart_addresses import DRAWN
from armybuilder.simulations.matrices import DIRECTIONS, OUTGOING
from armybuilder.simulations.wording import described_conditions
from armybuilder.web.charts.distributions import (
    DistributionChart,
    describe,
    distribution_chart,
    heat_step,
    mean_of,
)
from armybuilder.web.formatting import decimal, localized, percent, points, russian
from armybuilder.web.pages.answer_words import (
    axis_label,
    chances_of_the_named,
    figures_of,
    rule_name,
    typical_range,
    what_happens,
)

MEASURES = {
    "slain": gettext_lazy("Casualties"),
    "points": gettext_lazy("Points destroyed"),
    "return": gettext_lazy("Points destroyed per point"),
    "chance": gettext_lazy("Chance to destroy"),
    "broken": gettext_lazy("Chance to break or destroy"),
}
"""What the shades of the matrix stand for; the last one where the game knows broken units."""

_MOST_CHANCE = 1.0
_SHADED_BY = {
    "slain": "models_slain",
    "points": "points_destroyed",
    "return": "points_per_point",
    "chance": "p_destroyed",
}
_OF_ONE = ("wounds_lost",)
"""What is drawn rather than the models slain where the target is a single model."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One attack: the figure that is shaded, and the two others in small.

    Attributes:
        href: path of the pair, without the host.
        impossible: why there is no attack; empty where there is one.
        marks: how many rules are not, or only roughly, in this figure.
        share: of the greatest figure of the matrix, in parts of 1,000.
    """

    figure: str
    small: str
    step: int
    attacker: str
    defender: str
    impossible: str
    marks: int
    label: str
    share: int = 0


@dataclass(frozen=True, slots=True)
class MatrixUnit:
    """A unit at the edge of the matrix."""

    id: str
    name: str
    points: float
    models: int
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One shooting unit against all targets."""

    unit: MatrixUnit
    cells: tuple[MatrixCell, ...]
    targets: tuple[MatrixUnit, ...]

    @property
    def bars(self) -> tuple[tuple[MatrixUnit, MatrixCell], ...]:
        """Targets with what is done to them, the most first; those that cannot be attacked last."""
        pairs = zip(self.targets, self.cells, strict=True)
        return tuple(sorted(pairs, key=lambda pair: (bool(pair[1].impossible), -pair[1].share)))


@dataclass(frozen=True, slots=True)
class AnswerNotes:
    """What figures rest on.

    Attributes:
        idle: rules that one attack has no room for: they speak of movement, zones, arrival, and the like.
    """

    modelled: tuple[str, ...]
    approximated: tuple[tuple[str, str], ...]
    not_simulated: tuple[str, ...]
    assumptions: tuple[str, ...]
    idle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixView:
    """Two lists against each other in one direction.

    Attributes:
        idle_attackers: units of the attacking side that cannot attack anything.
        untargetable: units of the attacked side that nobody can attack; they have no column.
        units_with_unknown_rules: units with rules or wargear that no figure understands.
        measures: what may be shown, by name and words.
        wears: whether cells tell of losses beside what is shown, marked with a dagger.
    """

    attacker: str
    defender: str
    rows: tuple[MatrixRow, ...]
    columns: tuple[MatrixUnit, ...]
    idle_attackers: tuple[MatrixUnit, ...]
    untargetable: tuple[MatrixUnit, ...]
    units_with_unknown_rules: tuple[MatrixUnit, ...]
    mine: tuple[MatrixUnit, ...]
    theirs: tuple[MatrixUnit, ...]
    measure: str
    measures: tuple[tuple[str, str], ...]
    way: str
    attack: str
    caption: str
    wears: bool
    conditions: tuple[str, ...]
    notes: AnswerNotes

    @property
    def measure_label(self) -> str:
        """What is shown, in words."""
        return dict(self.measures)[self.measure]

    def row_of(self, unit_id: str) -> MatrixRow | None:
        """The row of a unit, of the first one if it has none; None in a matrix without rows."""
        return next((row for row in self.rows if row.unit.id == unit_id), next(iter(self.rows), None))

    @property
    def picture(self) -> str:
        """The name of this view of the matrix as a picture."""
        return f"{self.way}-{self.measure}"


@dataclass(frozen=True, slots=True)
class PairPart:
    """One attack of a pair.

    Attributes:
        key: id of its place on the page.
        sentence: what happens, in words.
        typical: between which values most fights end.
        weapons: with which weapons, or which spell; empty where they are not chosen for the player.
    """

    key: str
    title: str
    impossible: str
    weapons: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    sentence: str
    typical: str
    chart: DistributionChart | None
    axis: str
    notes: AnswerNotes


@dataclass(frozen=True, slots=True)
class PairView:
    """One unit against one, both ways."""

    attacker: MatrixUnit
    defender: MatrixUnit
    attacking_list: str
    defending_list: str
    parts: tuple[PairPart, ...]
    conditions: tuple[str, ...]

    @property
    def directions(self) -> tuple[tuple[PairPart, ...], ...]:
        """What mine does, and what theirs does; attacks that cannot be made come last."""
        return tuple(
            tuple(
                sorted(
                    (part for part in self.parts if part.key.startswith(f"{way}-")),
                    key=lambda part: bool(part.impossible),
                )
            )
            for way in DIRECTIONS
        )


def matrix_view(result: Mapping[str, Any], names: Names, *, measure: str, way: str) -> MatrixView:
    """The answer of kind `matrix` in one direction, shaded by one measure."""
    is_outgoing = way == OUTGOING
    system = str(result["system"])
    words = words_of(system).attacks[str(result.get("attack") or matchup_rules_of(system).matrix[0])]
    mine, theirs = units_of(result["attacker"], names), units_of(result["defender"], names)
    shooters, targets = (mine, theirs) if is_outgoing else (theirs, mine)
    table: Sequence[Sequence[Mapping[str, Any]]] = result[way]
    breaks = any(cell.get("p_broken") is not None for row in table for cell in row)
    measures = tuple((name, str(label)) for name, label in MEASURES.items() if name != "broken" or breaks)
    if measure not in dict(measures):
        measure = measures[0][0]
    most = (
        _MOST_CHANCE
        if measure in ("chance", "broken")
        else max((_shaded(cell, measure) for row in table for cell in row), default=0.0)
    )
    rows, idle_attackers = [], []
    reached = [any(not cell.get("impossible") for cell in column) for column in zip(*table, strict=True)]
    columns = tuple(target for target, shown in zip(targets, reached, strict=True) if shown)
    for shooter, cells in zip(shooters, table, strict=True):
        if all(cell.get("impossible") for cell in cells):
            idle_attackers.append(shooter)
            continue
        rows.append(
            MatrixRow(
                shooter,
                tuple(
                    _cell(cell, _label(words, shooter, target), ids, system=system, measure=measure, most=most)
                    for cell, target, shown in zip(cells, targets, reached, strict=True)
                    if shown
                    for ids in [(shooter.id, target.id) if is_outgoing else (target.id, shooter.id)]
                ),
                columns,
            )
        )
    return MatrixView(
        attacker=called(str(result["attacker"]["name"])),
        defender=called(str(result["defender"]["name"])),
        rows=tuple(rows),
        columns=columns,
        idle_attackers=tuple(idle_attackers),
        untargetable=tuple(target for target, shown in zip(targets, reached, strict=True) if not shown),
        units_with_unknown_rules=tuple(
            {(unit.name, unit.unknown): unit for unit in (*mine, *theirs) if unit.unknown}.values()
        ),
        mine=mine,
        theirs=theirs,
        measure=measure,
        measures=measures,
        wears=measure != "slain" or any(name in cell for row in table for cell in row for name, _unit in _worn()),
        way=way,
        attack=localized(words.name),
        caption=localized(words.mine if is_outgoing else words.theirs),
        conditions=conditions_of(result),
        notes=answer_notes(result, names, system=system),
    )


def pair_view(result: Mapping[str, Any], names: Names) -> PairView:
    """The answer of kind `pair`."""
    attacker, defender = units_of(result["attacker"], names)[0], units_of(result["defender"], names)[0]
    if attacker.name == defender.name:
        attacker = replace(attacker, name=_("%(unit)s (mine)") % {"unit": attacker.name})
        defender = replace(defender, name=_("%(unit)s (theirs)") % {"unit": defender.name})
    system = str(result["system"])
    rules, words = matchup_rules_of(system), words_of(system).attacks
    directions = (("forth", attacker, defender), ("back", defender, attacker))
    told_above = (system, {*attacker.unknown, *defender.unknown})
    return PairView(
        attacker=attacker,
        defender=defender,
        attacking_list=called(str(result["attacker"]["name"])),
        defending_list=called(str(result["defender"]["name"])),
        parts=tuple(
            _part(
                f"{way}-{attack}",
                _label(words[attack], first, second),
                result[way][attack],
                second,
                names,
                told_above=told_above,
            )
            for way, first, second in directions
            for attack in (*rules.attacks, *rules.occasions)
            if attack in result[way]
        ),
        conditions=conditions_of(result),
    )


def part_of_document(key: str, title: str, result: Mapping[str, Any], names: Names) -> PairPart:
    """The answer to a single matchup document, without lists around it."""
    return _part(key, title, result, None, names)


def _part(
    key: str,
    title: str,
    result: Mapping[str, Any],
    target: MatrixUnit | None,
    names: Names,
    *,
    told_above: tuple[str, Container[str]] = ("", ()),
) -> PairPart:
    """One attack; `told_above` is its game, and what the page says already to be in no figure."""
    if "impossible" in result:
        return PairPart(key, title, _why_not(result), (), (), "", "", None, "", answer_notes({}, names))
    metrics: Mapping[str, float] = result["metrics"]
    distributions: Mapping[str, Mapping[str, float]] = result.get("distributions") or {}
    alone = target is not None and target.models == 1
    each = target.points / target.models if target is not None and target.models else None
    charted = next((name for name in (*(_OF_ONE if alone else ()), *DRAWN) if name in distributions), "")
    words = describe(distributions[charted]) if charted else None
    return PairPart(
        key=key,
        title=title,
        impossible="",
        weapons=tuple(names(str(name)) for name in result.get("weapons") or ()),
        figures=(*figures_of(metrics, points_per_model=each), *chances_of_the_named(metrics, names)),
        sentence=what_happens(words, distributions[charted], charted) if words else "",
        typical=typical_range(words) if words and mean_of(distributions[charted]) > 0 else "",
        chart=distribution_chart(distributions[charted]) if charted else None,
        axis=axis_label(charted),
        notes=answer_notes(result, names, system=told_above[0], told_above=told_above[1]),
    )


def _why_not(result: Mapping[str, Any]) -> str:
    """Why there is no attack; the reason where the answer has it in both languages."""
    translated = (result.get("x-ru") or {}).get("impossible")
    if translated is None:
        return _("This attack cannot be made.")
    return _("This attack cannot be made: %(reason)s.") % {
        "reason": translated if russian() else result["impossible"],
    }


def units_of(side: Mapping[str, Any], names: Names) -> tuple[MatrixUnit, ...]:
    """The units of a side; those of the same name are numbered."""
    often = Counter(str(unit["name"]) for unit in side["units"])
    seen: Counter[str] = Counter()

    def written_name(name: str) -> str:
        seen[name] += 1
        return f"{names(name)} {seen[name]}" if often[name] > 1 else names(name)

    return tuple(
        MatrixUnit(
            id=str(unit["id"]),
            name=written_name(str(unit["name"])),
            points=float(unit["points"]),
            models=int(unit["models"]),
            unknown=tuple(names(str(word)) for word in unit.get("unknown") or ()),
        )
        for unit in side["units"]
    )


def _shaded(cell: Mapping[str, Any], measure: str) -> float:
    if measure == "broken":
        return float(cell.get("p_destroyed", 0.0)) + float(cell.get("p_broken") or 0.0)
    return float(cell.get(_SHADED_BY[measure]) or 0.0)


def _worn() -> tuple[tuple[str, str], ...]:
    """What targets lose before they die, by its name in a cell, and its unit."""
    return ("hull_points_lost", _("HP")), ("damage_lost", _("DC")), ("wounds_lost", _("W"))


def _cell(
    cell: Mapping[str, Any], label: str, ids: tuple[str, str], *, system: str, measure: str, most: float
) -> MatrixCell:
    slain = next(
        (f"{decimal(cell[name])} {unit}" for name, unit in _worn() if cell.get(name) is not None),
        decimal(cell.get("models_slain", 0.0)),
    )
    texts = {
        "slain": slain,
        "points": f"{points(round(float(cell.get('points_destroyed', 0.0))))}",
        "return": decimal(_shaded(cell, "return"), 2),
        "chance": percent(cell.get("p_destroyed", 0.0)),
        "broken": percent(_shaded(cell, "broken")),
    }
    others = {
        "slain": f"{texts['slain']} †",
        "points": f"{texts['points']} {_('pts')}",
        "chance": texts["chance"],
    }
    small = " · ".join(text for name, text in others.items() if name != measure)
    if cell.get("impossible"):
        return MatrixCell("–", "", 0, *ids, _("cannot attack it"), 0, label)
    return MatrixCell(
        figure=texts[measure],
        small=small,
        step=heat_step(_shaded(cell, measure), most),
        attacker=ids[0],
        defender=ids[1],
        impossible="",
        marks=sum(GAMES[system].is_gap(str(rule)) for rule in cell.get("not_simulated") or ())
        + len(cell.get("approximated") or ())
        + bool(cell.get("sampled")),
        label=label,
        share=round(1_000 * _shaded(cell, measure) / most) if most else 0,
    )


def answer_notes(
    result: Mapping[str, Any],
    names: Names,
    *,
    mentioned: Iterable[str] = (),
    system: str = "",
    told_above: Container[str] = (),
) -> AnswerNotes:
    """Words of an answer in the language of the page; rule names by the data's translations.

    Args:
        mentioned: names, beside those of the rules, that assumptions speak of.
        system: the game of single attacks, whose rules without a part in any are told apart; of battles, none.
        told_above: names that the page says already to be in no figure.
    """
    left_out = [str(word) for word in result.get("not_simulated") or ()]
    idle = [word for word in left_out if system and not GAMES[system].is_gap(word)]
    localized = result.get("x-ru") or {} if russian() else {}
    rough = localized.get("approximated") or result.get("approximated") or ()
    modelled = [str(word) for word in result.get("modelled") or ()]
    mentioned = [*mentioned, *(word.partition(" (")[0] for word in modelled)]
    assumptions = localized.get("assumptions") or result.get("assumptions") or ()
    return AnswerNotes(
        modelled=tuple(rule_name(word, names) for word in modelled),
        approximated=tuple((rule_name(item["rule"], names), str(item["how"])) for item in rough),
        not_simulated=tuple(
            name for word in left_out if word not in idle and (name := rule_name(word, names)) not in told_above
        ),
        assumptions=tuple(names.within(str(text), mentioned) for text in assumptions),
        idle=tuple(rule_name(word, names) for word in idle),
    )


def conditions_of(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The conditions of an answer in words."""
    return tuple(localized(text) for text in described_conditions(str(result["system"]), result["conditions"]))


def _label(words: AttackWords, attacker: MatrixUnit, defender: MatrixUnit) -> str:
    return localized(words.pair).format(a=attacker.name, b=defender.name)
