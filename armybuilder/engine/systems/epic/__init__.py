"""Epic: formations of units, with characters, transports, war engines and plans written before the game.

| concern | module |
|---|---|
| the army document | `army.py` |
| army size, formations, characters, break points | `composition.py` |
| unit types, damage capacity, stands, rules, weapons | `datasheets.py` |
| who rides in what | `transport.py` |
| garrisons, reserves, planetfall, tunnels | `deployment.py` |
| what an army list allows (EPL) | `army_list.py`, read from imported data by `list_limits.py` |
| stored lists seen as army documents | `from_roster.py`, `roster_formations.py`, `recognition.py`, `rule_texts.py` |
| seats in transports | `transport.py`, `boarding.py` |
| shooting: dice, saves, losses, markers | `firing.py`, `saves.py`, `casualties.py`, `shooting.py` |
| barrages, assaults | `barrage.py`, `assault.py` |
| tests of initiative, rallying, terrain, victory | `nerve.py` |
"""

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


PACK = ListRules(
    system="epic",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=_points,
    settings=SETTINGS,
    usual_limit=3000,
    simulations="armybuilder.engine.systems.epic.combat.simulations",
    restatements={
        "BS-01": ("EPL-01", "EPL-04"),
        "BS-02": ("EPL-01", "EPL-02", "EPL-03", "EPL-04", "EPL-05", "EPL-06", "EPL-07", "EPL-08"),
        "BS-03": ("EPL-02", "EPL-09"),
        "BS-04": ("EPL-10",),
    },
    roleless=frozenset({"EPL-02", "EPL-08", "EPL-09"}),
)
