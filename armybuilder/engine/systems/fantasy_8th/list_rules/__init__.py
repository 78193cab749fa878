"""The rules of list building of Warhammer Fantasy Battles, 8th edition, in the order they run."""

from armybuilder.engine.findings import Points, Text
from armybuilder.engine.points import written
from armybuilder.engine.systems.fantasy_8th.army import Army
from armybuilder.engine.systems.fantasy_8th.list_rules import (
    alliances,
    composition,
    conventions,
    equipment,
    joining,
    magic_items,
    scenarios,
    wizards,
)
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import TABLE
from armybuilder.engine.systems.list_rules import Check, ListRules, Setting

CHECKS: tuple[Check, ...] = (
    *composition.CHECKS,
    *wizards.CHECKS,
    *magic_items.CHECKS,
    *joining.CHECKS,
    *equipment.CHECKS,
    *alliances.CHECKS,
    *scenarios.CHECKS,
    conventions.conventions,
)


MOST_ALLIES = 9
"""Armies that a page lets join one alliance; the rules text sets no number."""


def _points(army: Army) -> Points:
    return Points(total=written(army.total), limit=army.points_limit)


SETTINGS = {
    "percent_base": Setting(
        asks=Text(
            en="Whether percentages are taken of the agreed points limit or of the total of the list.",
            ru="От чего считают проценты: от оговорённого лимита очков или от стоимости списка.",
        ),
        values=("limit", "total"),
    ),
    "special_includes_missile": Setting(
        asks=Text(
            en="Whether missile weapons count among the special weapons of which a model has one.",
            ru="Относится ли стрелковое оружие к особому, которого у модели одно.",
        ),
        values=(False, True),
    ),
    "conventions": Setting(
        asks=Text(
            en="Whether conventions are reported that players keep though the text does not state them.",
            ru="Сообщать ли об обычаях, которых игроки держатся, хотя текст о них молчит.",
        ),
        values=(True, False),
        of_the_site=True,
    ),
}
"""Doubtful readings of the rules of list building."""


RULES = ListRules(
    system="fantasy-8th",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=_points,
    settings=SETTINGS,
    unknown_parts={"WF-65": "alliance"},
    most_detachments=lambda army: {"allied": MOST_ALLIES},
    restatements={
        "BS-01": ("WF-09", "WF-16", "WFX-02"),
        "BS-02": ("WF-07", "WF-08", "WF-10", "WF-11", "WF-12", "WF-13", "WF-23", "WFX-02", "WFX-03", "WFX-04"),
        "BS-03": ("WFX-03",),
        "BS-04": ("WFX-01",),
    },
    roleless=frozenset({"WF-16", "WF-23", "WFX-02", "WFX-04"}),
)
