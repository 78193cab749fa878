"""Answers of simulations as pages show them: the matrix of two lists, and one pair with charts and words."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.armylists.samples import called
from armybuilder.engine.systems.game import GAMES, matchup_rules_of, words_of
from armybuilder.engine.systems.words import AttackWords
from armybuilder.reference.names import Names
from armybuilder.simulations.wording import described_conditions
from armybuilder.web.charts.distributions import (
    Description,
    DistributionChart,
    describe,
    distribution_chart,
    heat_step,
    mean_of,
)
from armybuilder.web.formatting import decimal, localized, percent, points, russian

MEASURES = {
    "slain": gettext_lazy("Casualties"),
    "points": gettext_lazy("Points destroyed"),
    "return": gettext_lazy("Points destroyed per point"),
    "chance": gettext_lazy("Chance to destroy"),
    "broken": gettext_lazy("Chance to break or destroy"),
}
"""What the shades of the matrix stand for; the last one where the game knows broken units."""

MODEL_WORDS = {
    "squadron": gettext_lazy("Squadron"),
    "vehicles in the combat result": gettext_lazy("Vehicles in the combat result"),
    "movement": gettext_lazy("Movement"),
    "casualties": gettext_lazy("Casualties of mixed units"),
    "close combat of several units": gettext_lazy("Close combat of several units"),
    "vehicles": gettext_lazy("Vehicles"),
    "terrain": gettext_lazy("Terrain"),
    "characters": gettext_lazy("Characters"),
    "objectives": gettext_lazy("Objectives"),
    "reserves": gettext_lazy("Reserves"),
    "transports": gettext_lazy("Transports"),
    "reactions": gettext_lazy("Reactions"),
    "variable length": gettext_lazy("Variable game length"),
    "night fighting": gettext_lazy("Night fighting"),
    "psychic powers": gettext_lazy("Psychic powers"),
    "running": gettext_lazy("Running"),
    "challenges": gettext_lazy("Challenges"),
    "actions": gettext_lazy("Actions"),
    "blast markers": gettext_lazy("Blast markers"),
    "assault result": gettext_lazy("Assault result"),
    "aircraft": gettext_lazy("Aircraft"),
    "spacecraft": gettext_lazy("Spacecraft"),
    "overwatch": gettext_lazy("Overwatch"),
    "supporting fire": gettext_lazy("Supporting fire"),
    "crossfire": gettext_lazy("Crossfire"),
    "weapons that fire seldom": gettext_lazy("Weapons that fire seldom"),
    "damaged war engines": gettext_lazy("Damaged war engines"),
    "barrage of different weapons": gettext_lazy("Barrage of different weapons"),
    "morale": gettext_lazy("Morale"),
    "assaults": gettext_lazy("Assaults"),
    "going to ground": gettext_lazy("Going to ground"),
    "mixed units": gettext_lazy("Mixed units"),
    "steadfast": gettext_lazy("Steadfast"),
    "magic": gettext_lazy("Magic"),
    "charge reactions": gettext_lazy("Charge reactions"),
    "flanks": gettext_lazy("Flanks and rears"),
    "misfires": gettext_lazy("Misfires"),
    "captured standards": gettext_lazy("Captured standards"),
    "special abilities": gettext_lazy("Special abilities of the character"),
    "effects of Power cards": gettext_lazy("Effects of Power cards"),
    "effects of Corruption cards": gettext_lazy("Effects of Corruption cards"),
    "wheeling": gettext_lazy("Wheeling and reforming"),
}
"""What the combat model calls its own simplifications."""

WAYS = ("forth", "back")

_MOST_CHANCE = 1.0
_SHADED_BY = {
    "slain": "models_slain",
    "points": "points_destroyed",
    "return": "points_per_point",
    "chance": "p_destroyed",
}
_CHARTED = ("hull_points_lost", "dc_lost", "models_slain", "units_destroyed", "unsaved_wounds")
_OF_ONE = ("wounds_lost",)
"""What is drawn rather than the models slain where the target is a single model."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One attack: the figure that is shaded, and the two others in small.

    Attributes:
        href: path of the pair, without the host.
        impossible: why there is no attack; empty where there is one.
        marks: how many rules are not, or only roughly, in this figure.
    """

    figure: str
    small: str
    step: int
    attacker: str
    defender: str
    impossible: str
    marks: int
    label: str


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
        idle_attackers: units of the acting side that cannot attack anything.
        untargetable: units of the suffering side that nobody can attack; they have no column.
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
    basis: AnswerNotes

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
    basis: AnswerNotes


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
            for way in WAYS
        )


def matrix_view(result: Mapping[str, Any], names: Names, *, measure: str, way: str) -> MatrixView:
    """The answer of kind `matrix` in one direction, shaded by one measure."""
    is_forth = way == "forth"
    system = str(result["system"])
    words = words_of(system).attacks[str(result.get("attack") or matchup_rules_of(system).MATRIX[0])]
    mine, theirs = units_of(result["attacker"], names), units_of(result["defender"], names)
    shooters, targets = (mine, theirs) if is_forth else (theirs, mine)
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
                    for ids in [(shooter.id, target.id) if is_forth else (target.id, shooter.id)]
                ),
            )
        )
    return MatrixView(
        attacker=called(str(result["attacker"]["name"])),
        defender=called(str(result["defender"]["name"])),
        rows=tuple(rows),
        columns=tuple(target for target, shown in zip(targets, reached, strict=True) if shown),
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
        caption=localized(words.mine if is_forth else words.theirs),
        conditions=conditions_of(result),
        basis=basis_of(result, names, system=system),
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
    said_above = (system, {*attacker.unknown, *defender.unknown})
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
                said_above=said_above,
            )
            for way, first, second in directions
            for attack in (*rules.ATTACKS, *rules.OCCASIONS)
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
    said_above: tuple[str, Container[str]] = ("", ()),
) -> PairPart:
    """One attack; `said_above` is its game, and what the page says already to be in no figure."""
    if "impossible" in result:
        return PairPart(key, title, _why_not(result), (), (), "", "", None, "", basis_of({}, names))
    metrics: Mapping[str, float] = result["metrics"]
    distributions: Mapping[str, Mapping[str, float]] = result.get("distributions") or {}
    alone = target is not None and target.models == 1
    charted = next((name for name in (*(_OF_ONE if alone else ()), *_CHARTED) if name in distributions), "")
    words = describe(distributions[charted]) if charted else None
    return PairPart(
        key=key,
        title=title,
        impossible="",
        weapons=tuple(names(str(name)) for name in result.get("weapons") or ()),
        figures=(*_figures(metrics, target), *_of_the_named(metrics, names)),
        sentence=_happens(words, distributions[charted], charted) if words else "",
        typical=_typical(words) if words and mean_of(distributions[charted]) > 0 else "",
        chart=distribution_chart(distributions[charted]) if charted else None,
        axis=_axis(charted),
        basis=basis_of(result, names, system=said_above[0], said_above=said_above[1]),
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
    )


def basis_of(
    result: Mapping[str, Any],
    names: Names,
    *,
    mentioned: Iterable[str] = (),
    system: str = "",
    said_above: Container[str] = (),
) -> AnswerNotes:
    """Words of an answer in the language of the page; rule names by the data's translations.

    Args:
        mentioned: names, beside those of the rules, that assumptions speak of.
        system: the game of single attacks, whose rules without a part in any are told apart; of battles, none.
        said_above: names that the page says already to be in no figure.
    """
    left_out = [str(word) for word in result.get("not_simulated") or ()]
    idle = [word for word in left_out if system and not GAMES[system].is_gap(word)]
    localized = result.get("x-ru") or {} if russian() else {}
    rough = localized.get("approximated") or result.get("approximated") or ()
    modelled = [str(word) for word in result.get("modelled") or ()]
    mentioned = [*mentioned, *(word.partition(" (")[0] for word in modelled)]
    assumptions = localized.get("assumptions") or result.get("assumptions") or ()
    return AnswerNotes(
        modelled=tuple(_rule(word, names) for word in modelled),
        approximated=tuple((_rule(item["rule"], names), str(item["how"])) for item in rough),
        not_simulated=tuple(
            name for word in left_out if word not in idle and (name := _rule(word, names)) not in said_above
        ),
        assumptions=tuple(names.within(str(text), mentioned) for text in assumptions),
        idle=tuple(_rule(word, names) for word in idle),
    )


def _rule(word: str, names: Names) -> str:
    """A rule or simplification by name: the data's rules by its translations, the model's own by ours."""
    if word in MODEL_WORDS:
        return str(MODEL_WORDS[word])
    name = names(word[:1].upper() + word[1:])
    return name[:1].upper() + name[1:]


def conditions_of(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The circumstances of an answer in words."""
    return tuple(localized(text) for text in described_conditions(str(result["system"]), result["conditions"]))


def _label(words: AttackWords, acting: MatrixUnit, suffering: MatrixUnit) -> str:
    return localized(words.pair).format(a=acting.name, b=suffering.name)


def _figures(metrics: Mapping[str, float], target: MatrixUnit | None) -> Iterator[tuple[str, str]]:
    labels = {
        "models_slain": _("models slain, on average"),
        "hull_points_lost": _("hull points lost, on average"),
        "unsaved_wounds": _("unsaved wounds, on average"),
        "wounds_lost": _("wounds lost, on average"),
        "attacker_models_slain": _("own models lost, on average"),
        "attacker_hull_points_lost": _("own hull points lost, on average"),
        "crumbled_wounds": _("wounds of Daemons that do not flee, on average"),
        "occupant_hits": _("hits on the men inside, on average"),
        "units_destroyed": _("units destroyed, on average"),
        "dc_lost": _("damage capacity lost, on average"),
        "blast_markers": _("blast markers, on average"),
        "wounds_restored": _("wounds given back, on average"),
        "power_dice": _("power dice, on average"),
        "attacker_units_destroyed": _("own units lost, on average"),
        "attacker_dc_lost": _("own damage capacity lost, on average"),
    }
    for name, label in labels.items():
        if name in metrics:
            yield label, decimal(metrics[name], 2)
    slain = metrics.get("models_slain", metrics.get("units_destroyed"))
    if target is not None and target.models and slain is not None:
        worth = slain / target.models * target.points
        yield _("points destroyed, on average"), points(round(worth))
    chances = {
        "p_cast": _("spell is cast"),
        "p_irresistible": _("cast with irresistible force, and a miscast"),
        "p_dispel": _("spell is dispelled"),
        "p_toad": _("caster turns into a toad"),
        "p_destroyed": _("target wiped out"),
        "p_broken": _("target breaks and is not wiped out"),
        "p_damaged": _("a war engine is damaged"),
        "p_critical_state": _("a war engine is in its critical state"),
        "p_explodes": _("target explodes"),
        "p_immobilised": _("target is immobilised and not destroyed"),
        "p_shocked": _("target may only make snap shots (Shock Pulse)"),
        "p_flees": _("target falls back from its losses"),
        "p_stopped": _("one model stops the ram (Death or Glory)"),
        "p_attacker_destroyed": _("attacker destroyed"),
        "p_pinned": _("target is pinned"),
        "p_blinded": _("target is blinded"),
        "p_concussed": _("target is concussed"),
        "p_irradiated": _("a wounded model loses Toughness (Rad-phage)"),
        "p_defender_flees": _("target flees from Terror before the combat"),
        "p_win": _("attacker wins the combat"),
        "p_draw": _("combat drawn"),
        "p_lose": _("attacker loses the combat"),
        "p_defender_breaks": _("target breaks"),
        "p_defender_caught": _("target is caught fleeing"),
    }
    for name, label in chances.items():
        if name in metrics:
            yield label, percent(metrics[name])


def _of_the_named(metrics: Mapping[str, float], names: Names) -> Iterator[tuple[str, str]]:
    """Chances to slay a model that the answer names."""
    for prefix, words in (("p_slain:", _("%(name)s is slain")), ("p_attacker_slain:", _("own %(name)s is slain"))):
        for name, chance in metrics.items():
            if name.startswith(prefix):
                yield words % {"name": names(name.removeprefix(prefix))}, percent(chance)


def _happens(words: Description, distribution: Mapping[str, float], charted: str) -> str:
    """What happens, in a sentence; also where it is nothing."""
    return _sentence(words, charted) if mean_of(distribution) > 0 else _("Nothing is lost in any fight.")


def _sentence(words: Description, charted: str) -> str:
    """How often at least so many, as players speak of it."""
    things = {
        "models_slain": ngettext("at least %(n)s model dies", "at least %(n)s models die", words.at_least),
        "hull_points_lost": ngettext(
            "at least %(n)s hull point is lost", "at least %(n)s hull points are lost", words.at_least
        ),
        "units_destroyed": ngettext(
            "at least %(n)s unit is destroyed", "at least %(n)s units are destroyed", words.at_least
        ),
        "dc_lost": ngettext(
            "at least %(n)s point of damage capacity is lost",
            "at least %(n)s points of damage capacity are lost",
            words.at_least,
        ),
        "wounds_lost": ngettext("at least %(n)s wound is lost", "at least %(n)s wounds are lost", words.at_least),
        "unsaved_wounds": ngettext(
            "at least %(n)s wound is not saved", "at least %(n)s wounds are not saved", words.at_least
        ),
    }
    what = things[charted] % {"n": words.at_least}
    if words.of_ten == 0:
        return _("In fewer than 1 of 20 fights %(what)s.") % {"what": what}
    if words.of_ten == 10:
        return _("In more than 19 of 20 fights %(what)s.") % {"what": what}
    often = ngettext("In %(n)s of 10 fights %(what)s.", "In %(n)s of 10 fights %(what)s.", words.of_ten)
    return often % {"n": words.of_ten, "what": what}


def _typical(words: Description) -> str:
    if words.typical_low == words.typical_high:
        return _("At least 8 of 10 fights end with exactly %(n)s.") % {"n": words.typical_low}
    return _("At least 8 of 10 fights end between %(low)s and %(high)s.") % {
        "low": words.typical_low,
        "high": words.typical_high,
    }


def _axis(charted: str) -> str:
    return {
        "models_slain": _("models slain"),
        "hull_points_lost": _("hull points lost"),
        "unsaved_wounds": _("unsaved wounds"),
        "wounds_lost": _("wounds lost"),
        "units_destroyed": _("units destroyed"),
        "dc_lost": _("damage capacity lost"),
    }.get(charted, "")
