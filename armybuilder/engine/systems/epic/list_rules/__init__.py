"""The rules of list building of Epic, in the order they run."""

from armybuilder.engine.findings import Points, Text
from armybuilder.engine.points import written
from armybuilder.engine.systems.epic.army import Army
from armybuilder.engine.systems.epic.list_rules import composition, datasheets, deployment, transport
from armybuilder.engine.systems.epic.list_rules.rules import TABLE
from armybuilder.engine.systems.list_rules import Check, ListRules, Setting

CHECKS: tuple[Check, ...] = (*composition.CHECKS, *datasheets.CHECKS, *transport.CHECKS, *deployment.CHECKS)


def _points(army: Army) -> Points:
    return Points(total=written(army.total), limit=army.points_limit)


SETTINGS = {
    "garrison_strict": Setting(
        asks=Text(
            en="Whether a garrison without Scouts needs both: at most one fast unit, and no war engine.",
            ru="Нужны ли гарнизону без разведчиков оба условия: не больше одного быстрого юнита и без боевых машин.",
        ),
        values=(True, False),
    ),
    "spacecraft_turn_one": Setting(
        asks=Text(
            en="Whether a spacecraft may arrive in the first turn.",
            ru="Может ли космический корабль прибыть в первый ход.",
        ),
        values=(False, True),
    ),
}
"""Doubtful readings of the rules of list building; those of battles belong to matchups."""


RULES = ListRules(
    system="epic",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=_points,
    settings=SETTINGS,
    usual_limit=3000,
    restatements={
        "BS-01": ("EPL-01", "EPL-04"),
        "BS-02": ("EPL-01", "EPL-02", "EPL-03", "EPL-04", "EPL-05", "EPL-06", "EPL-07", "EPL-08"),
        "BS-03": ("EPL-02", "EPL-09"),
        "BS-04": ("EPL-10",),
    },
    roleless=frozenset({"EPL-02", "EPL-08", "EPL-09"}),
)
