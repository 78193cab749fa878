"""The answer about an option as a page shows it: target by target, without it, with it, and the difference in words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.armylists.samples import called
from armybuilder.engine.systems.game import words_of
from armybuilder.reference.names import Names
from armybuilder.simulations.targets import standard_name
from armybuilder.web.charts.distributions import describe
from armybuilder.web.formatting import decimal, localized, percent, points, russian
from armybuilder.web.pages.matchup_answers import AnswerNotes, answer_notes, conditions_of

_MORE = re.compile(r"(\+\d+ ×) (.+)")

SMALLEST = 0.005
"""A smaller difference is shown as none: two decimals do not show it."""

SMALLEST_CHANCE = 0.01
"""A smaller difference between chances is shown as none."""


@dataclass(frozen=True, slots=True)
class ComparedAttack:
    """One attack without and with the option.

    Attributes:
        without, having: the expected number, and between which values most fights end.
        change: with its sign; empty for none.
        worth: what the change means in points; empty for none.
        sign: better, worse or even, for the player who pays.
    """

    title: str
    counted: str
    without: str
    having: str
    change: str
    worth: str
    sign: str


@dataclass(frozen=True, slots=True)
class ComparedTarget:
    """The option against one target.

    Attributes:
        rows: attacks in which something changes.
        same: names of the attacks in which nothing changes.
        unknown: what of the target is not understood.
    """

    name: str
    army: str
    points: float
    models: int
    rows: tuple[ComparedAttack, ...]
    same: tuple[str, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UpgradeView:
    """What an option buys.

    Attributes:
        price: in words.
        best: where it helps most; empty where nothing changes.
        not_understood: what the option brings that is in no figure.
        unknown: what else of the unit is in none.
        shoots_only: no other attack was worked out, so that what serves in close combat gains nothing.
    """

    option: str
    unit: str
    army: str
    price: str
    best: str
    without_points: float
    having_points: float
    targets: tuple[ComparedTarget, ...]
    not_understood: tuple[str, ...]
    unknown: tuple[str, ...]
    conditions: tuple[str, ...]
    notes: AnswerNotes
    shoots_only: bool = False


def upgrade_view(result: Mapping[str, Any], names: Names) -> UpgradeView:
    """The answer of kind `upgrade`."""
    without, having = result["without"], result["with"]
    system, unknown = str(result["system"]), without["unknown"]
    new = [word for word in having["unknown"] if word not in unknown]
    unit = names(str(result["unit"]["name"]))
    option = (result.get("x-ru") or {}).get("option") if russian() else None
    return UpgradeView(
        option=_counted(str(option or result["option"]), names),
        unit=unit,
        army=called(str(result["unit"]["army"])),
        price=_price(float(result["price"])),
        best=_best(result, names),
        without_points=without["points"],
        having_points=having["points"],
        targets=tuple(_target(target, system, unit, names) for target in result["targets"]),
        not_understood=tuple(names(word) for word in new),
        unknown=tuple(names(word) for word in unknown),
        conditions=conditions_of(result),
        notes=answer_notes(
            result, names, system=system, told_above=frozenset(names(word) for word in (*new, *unknown))
        ),
        shoots_only={row["attack"] for target in result["targets"] for row in target["attacks"]} == {"shooting"},
    )


def _counted(option: str, names: Names) -> str:
    """The name of an option, with how many more of it in front where that was asked."""
    found = _MORE.fullmatch(option)
    return f"{found[1]} {names(found[2])}" if found else names(option)


def _price(price: float) -> str:
    if price > 0:
        return _("It costs %(n)s points.") % {"n": points(price)}
    if price < 0:
        return _("It saves %(n)s points.") % {"n": points(-price)}
    return _("It costs nothing.")


def _best(result: Mapping[str, Any], names: Names) -> str:
    """The attack on a target in which it destroys or saves the most points; the first of those that read the same."""
    rows = [(row, target) for target in result["targets"] for row in target["attacks"]]
    row, target = max(rows, key=lambda pair: round(pair[0]["points_change"], 6), default=(None, None))
    if row is None or target is None or row["points_change"] < SMALLEST:
        return ""
    words = {
        "attack": localized(words_of(str(result["system"])).attacks[row["attack"]].name),
        "target": _target_name(target, str(result["system"]), names),
        "points": decimal(row["points_change"], 1),
    }
    if row["way"] == "forth":
        text = _("Most of all against “%(target)s” (%(attack)s): %(points)s points more on average.") % words
    else:
        text = _("Most of all when “%(target)s” attacks (%(attack)s): %(points)s points saved on average.") % words
    if row["return_on_price"] is None or float(result["price"]) <= 0:
        return text
    return f"{text} " + _("That is %(share)s for every point it costs.") % {"share": decimal(row["return_on_price"], 2)}


def _target(target: Mapping[str, Any], system: str, unit: str, names: Names) -> ComparedTarget:
    name = _target_name(target, system, names)
    rows: list[ComparedAttack] = []
    same: list[str] = []
    for row in target["attacks"]:
        short = name.partition(" (")[0]
        attacker, defender = (unit, short) if row["way"] == "forth" else (short, unit)
        title = localized(words_of(system).attacks[row["attack"]].pair).format(a=attacker, b=defender)
        if _is_same(row):
            if not row["with"].get("impossible"):
                same.append(title)
        else:
            rows.append(_row(row, title))
    return ComparedTarget(
        name=name,
        army=called(str(target["army"])) if target["army"] != target["name"] else "",
        points=target["points"],
        models=target["models"],
        rows=tuple(rows),
        same=tuple(same),
        unknown=tuple(names(word) for word in target["unknown"]),
    )


def _target_name(target: Mapping[str, Any], system: str, names: Names) -> str:
    known = standard_name(system, str(target["name"])) if target["army"] == target["name"] else None
    return localized(known) if known is not None else names(str(target["name"]))


def _is_same(row: Mapping[str, Any]) -> bool:
    """Whether casualties and chances are the same; that those who fall are dearer now is told by the price."""
    first, second = row["without"], row["with"]
    if bool(first.get("impossible")) != bool(second.get("impossible")) or abs(row["change"]) >= SMALLEST:
        return False
    before, after = first.get("chances", {}), second.get("chances", {})
    return all(abs(after[name] - before[name]) < SMALLEST_CHANCE for name in before if name in after)


def _row(row: Mapping[str, Any], title: str) -> ComparedAttack:
    counted = row["with"].get("counted") or row["without"].get("counted", "")
    worth = row["points_change"]
    return ComparedAttack(
        title=title,
        counted={
            "hull_points_lost": _("hull points lost"),
            "unsaved_wounds": _("unsaved wounds"),
            "wounds_lost": _("wounds lost"),
            "dc_lost": _("damage capacity lost"),
            "units_destroyed": _("units destroyed"),
        }.get(counted, _("models slain")),
        without=_figure(row["without"]),
        having=_figure(row["with"]),
        change=_signed(row["change"], 2),
        worth="; ".join(_worth(row, worth)),
        sign="better" if worth > SMALLEST else "worse" if worth < -SMALLEST else "even",
    )


def _figure(outcome: Mapping[str, Any]) -> str:
    """The mean with the values between which most fights end."""
    if outcome.get("impossible"):
        return _("no such attack")
    mean, distribution = outcome.get("mean", 0.0), outcome.get("distribution") or {}
    if not distribution:
        return decimal(mean, 2)
    words = describe(distribution)
    low, high = words.typical_low, words.typical_high
    between = str(low) if low == high else f"{low}–{high}"
    return _("%(mean)s (mostly %(between)s)") % {"mean": decimal(mean, 2), "between": between}


def _worth(row: Mapping[str, Any], worth: float) -> Iterator[str]:
    yield _("%(points)s pts") % {"points": _signed(worth, 1) or "0"}
    lost = row["with"].get("points_lost", 0.0) - row["without"].get("points_lost", 0.0)
    if row["way"] == "forth" and _signed(lost, 1):  # the sum alone would contradict the casualties beside it
        yield _("destroyed %(destroyed)s, own losses %(lost)s") % {
            "destroyed": _signed(worth + lost, 1) or "0",
            "lost": _signed(lost, 1),
        }
    first, second = row["without"].get("per_100_points"), row["with"].get("per_100_points")
    if row["way"] == "forth" and first is not None and second is not None:
        yield _("per 100 points of the unit: %(before)s → %(after)s") % {
            "before": decimal(first, 1),
            "after": decimal(second, 1),
        }
    for name, label in (("p_destroyed", _("wiped out")), ("p_broken", _("broken")), ("p_win", _("combat won"))):
        before, after = (row[build].get("chances", {}).get(name) for build in ("without", "with"))
        if before is not None and after is not None and abs(after - before) >= SMALLEST:
            yield f"{label}: {percent(before)} → {percent(after)}"


def _signed(value: float, places: int) -> str:
    if abs(value) < 0.5 * 10**-places:
        return ""
    return ("+" if value > 0 else "−") + decimal(abs(value), places)
