"""Conventions that the text does not state (WFX); an administrator can switch them off."""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from armybuilder.engine.findings import Finding, Severity, Text, has_error
from armybuilder.engine.points import exact, written
from armybuilder.engine.systems.fantasy_8th.army import Army, cost
from armybuilder.engine.systems.fantasy_8th.list_rules import composition
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import COMMAND_ROLES, finding
from armybuilder.engine.systems.fantasy_8th.reference import magic_item
from armybuilder.engine.systems.list_rules import RuleSettings


def conventions(army: Army, *, settings: RuleSettings) -> Iterator[Finding]:
    """WFX-01 and WFX-05 to WFX-08, unless they are switched off."""
    if not settings.conventions:
        return
    yield from points_limit(army)
    yield from one_army_standard(army)
    yield from unique_characters(army)
    yield from command_group(army)
    yield from allied_lists(army)


def points_limit(army: Army) -> Iterator[Finding]:
    """WFX-01: the list keeps the limit."""
    if army.total > exact(army.points_limit):
        yield finding("WFX-01", at="/points_limit", pts=written(army.total), limit=army.points_limit)


def unit_size(unit: str, n: int, *, least: int | None, most: int | None, at: str | None = None) -> Iterator[Finding]:
    """WFX-02: a unit has as many models as its army-book entry allows; None where no limit is known."""
    if (least is not None and n < least) or (most is not None and n > most):
        yield finding(
            "WFX-02", at=at, unit=unit, n=n, min="…" if least is None else least, max="…" if most is None else most
        )


def offered_options(
    unit: str,
    taken: list[str],
    *,
    offered: frozenset[str],
    exclusive: tuple[frozenset[str], ...] = (),
    most: int = 0,
    in_army: bool = False,
    at: str | None = None,
) -> Iterator[Finding]:
    """WFX-03: options that the entry offers, and not two that exclude each other.

    Args:
        most: how often what is not offered may be taken all the same; more was taken.
        in_army: whether that is how often all units of the army together may take it.
    """
    for option in taken:
        if option not in offered:
            yield finding("WFX-03", at=at, unit=unit, option=option, often=_more_often_than(most, in_army=in_army))
    for group in exclusive:
        for option in [option for option in taken if option in group][1:]:
            yield finding("WFX-03", at=at, unit=unit, option=option, often=_more_often_than(0))


def _more_often_than(most: int, *, in_army: bool = False) -> Text:
    if most == 0:
        return Text("", "")
    of_all = Text(" in the army", " на всю армию") if in_army else Text("", "")
    if most == 1:
        return Text(f" more than once{of_all.en}", f" больше одного раза{of_all.ru}")
    return Text(f" more than {most} times{of_all.en}", f" больше {most} раз{of_all.ru}")


def item_allowance(
    name: str, items: Mapping[str, int | float | None], *, cap: int | float, at: str | None = None
) -> Iterator[Finding]:
    """WFX-04: magic items within the points the entry allows.

    Args:
        items: name to price; None takes the price of the rulebook.
        cap: the allowance, in points.
    """
    prices = [
        price if price is not None else item.points if (item := magic_item(item_name)) else 0
        for item_name, price in items.items()
    ]
    points = sum(prices)
    if points > cap:
        yield finding("WFX-04", at=at, name=name, pts=points, cap=cap)


def one_army_standard(army: Army) -> Iterator[Finding]:
    """WFX-05: one army standard bearer in an army."""
    seen: set[int] = set()
    for at, unit in army.places:
        if unit.army_standard and unit.army in seen:
            yield finding("WFX-05", at=f"{at}/army_standard")
        if unit.army_standard:
            seen.add(unit.army)


def unique_characters(army: Army) -> Iterator[Finding]:
    """WFX-06: a named character is taken once."""
    seen: set[str] = set()
    for at, unit in army.places:
        if unit.special_character and unit.name in seen:
            yield finding("WFX-06", at=at, name=unit.name)
        if unit.special_character:
            seen.add(unit.name)


def command_group(army: Army) -> Iterator[Finding]:
    """WFX-07: one champion, one standard bearer, one musician."""
    for at, unit in army.places:
        for role, n in Counter(unit.command).items():
            if n > 1:
                yield finding("WFX-07", at=f"{at}/command", unit=unit.name, role=COMMAND_ROLES[role])


def allied_lists(army: Army) -> Iterator[Finding]:
    """WFX-08: each allied list is composed by the rules for its own points."""
    numbers = sorted({unit.army for unit in army.units})
    if army.alliance is None or len(numbers) < 2:
        return
    for number in numbers:
        units = tuple(unit for unit in army.units if unit.army == number)
        points = army.alliance.army_points
        limit = points[number] if number < len(points) else written(cost(units))
        own = msgspec.structs.replace(army, units=units, points_limit=limit, alliance=None)
        found = tuple(fault for check in composition.CHECKS for fault in check(own))
        if has_error(found):
            race = army.alliance.races[number] if number < len(army.alliance.races) else str(number + 1)
            wrong = [fault.message for fault in found if fault.severity is Severity.ERROR]
            errors = Text(
                en="; ".join(one.en.rstrip(".") for one in wrong), ru="; ".join(one.ru.rstrip(".") for one in wrong)
            )
            yield finding("WFX-08", at=f"/alliance/races/{number}", army=race.replace("_", " "), errors=errors)
