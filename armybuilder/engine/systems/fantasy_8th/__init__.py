"""Warhammer Fantasy Battles, 8th edition.

| concern | module |
|---|---|
| the army document | `army.py` |
| magic items, lores, weapons of the rulebook | `reference.py`, `magic_items.toml`, `lores.toml` |
| General, units, percentages, duplicates, army standard | `composition.py` |
| lores and spells | `wizards.py` |
| who may carry which magic item | `magic_items.py` |
| characters in units, front rank | `joining.py` |
| ordinary weapons and armour | `equipment.py` |
| camps and levels of allied armies | `alliances.py` |
| fortitude, watchtower, ambushers | `scenarios.py` |
| conventions outside the text (WFX) | `conventions.py` |
| what a list shows unasked: shares, fortitude, General | `at_a_glance.py` |
| a roster as the army document | `from_roster.py`, `roster_units.py`, `recognition.py`, `data_limits.py` |
| the matchup document, kinds of simulation | `matchup.py`, `simulations.py` |
| special rules, items, spells and terrain in effect; weapons in use | `traits.py`, `boons.py`, `weapons.py` |
| one attack: rolls to hit and to wound, saves | `attacks.py`, `saves.py`, `strikers.py`, `special_hits.py` |
| who fights, casualties, blows in their order | `formation.py`, `casualties.py`, `duel.py` |
| melee and attack counts; whole rounds, buildings, war machines | `close_combat.py`, `combat_round.py` |
| combat result, ranks, break tests; leadership; fear | `combat_result.py`, `leadership.py`, `psychology.py` |
| shooting; spells; dice of the magic phase | `shooting.py`, `spells.py`, `spell_book.py`, `magic_phase.py` |
| charges, pursuit, terrain; misfires and shares of hits | `movement.py`, `hazards.py` |
| tests of a few dice, enumerated or rolled | `experiments.py` |
"""

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


PACK = ListRules(
    system="fantasy-8th",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=_points,
    settings=SETTINGS,
    simulations="armybuilder.engine.systems.fantasy_8th.combat.simulations",
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
