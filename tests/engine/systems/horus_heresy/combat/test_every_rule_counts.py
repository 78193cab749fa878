"""Every special rule of the rulebook's catalogue is decided: in the figures, in those of lists, or without a part."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from armybuilder.engine.systems.horus_heresy.combat import battle
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.matrix import shooting_matrix
from armybuilder.engine.systems.horus_heresy.combat.model_notes import unknown_rules
from armybuilder.engine.systems.horus_heresy.combat.special_rules import (
    IN_LISTS,
    MODELLED,
    SPECIAL_RULES,
)
from tests.engine.systems.horus_heresy.combat.builders import make_group, make_side, make_weapon, side_of
from tests.engine.systems.horus_heresy.combat.test_special_rules import TABLE

CATALOGUE = (
    "Adamantium Will (5+)", "Armourbane (Melta)", "Assault Vehicle", "Barrage", "Apocalyptic Barrage",
    "Battlesmith (5+)", "Battle-hardened (1)", "Blast (3\")", "Large Blast (5\")", "Massive Blast (7\")",
    "Apocalyptic Blast (10\")", "Apocalyptic Mega-blast", "Blind", "Bulky (2)", "Chosen Warriors", "Concussive (1)",
    "Counter-attack (1)", "Crawling Fire", "Crusader", "Cumbersome", "Deadly Cargo", "Deflagrate", "Deep Strike",
    "Duellist's Edge (1)", "Eternal Warrior", "Exoshock (6+)", "Fear (1)", "Fearless", "Feel No Pain (5+)",
    "Fleet (2)", "Fleshbane", "Force", "Firing Protocols (2)", "Furious Charge (1)", "Gets Hot", "Graviton Pulse",
    "Guided Fire", "Hammer of Wrath (1)", "Hatred (Everything)", "Haywire", "Hit & Run", "Independent Character",
    "Infiltrate", "Ignores Cover", "Instant Death", "It Will Not Die (5+)", "Lance",
    "Legiones Astartes (Sons of Horus)", "Lingering Death", "Master-crafted", "Monster Hunter", "Move Through Cover",
    "Murderous Strike (6+)", "Night Vision", "One Use", "One Shot", "Outflank", "Pinning", "Poisoned (4+)",
    "Power of the Machine Spirit", "Precision Shots (6+)", "Precision Strikes (6+)", "Preferred Enemy (Daemons)",
    "Rad-phage", "Rage (2)", "Rampage (2)", "Relentless", "Rending (6+)", "Shell Shock (1)", "Shock Pulse", "Shred",
    "Scout", "Shrouded (6+)", "Pathfinder", "Skyfire", "Slow and Purposeful", "Sniper", "Specialist Weapon",
    "Split Fire", "Sunder", "Strafing Run (1)", "Stubborn", "Support Squad", "Swarm", "Template", "Wall of Death",
    "Hellstorm", "Torrent (12\")", "Twin-linked", "Two-handed", "Unwieldy",
    "Psychic Focus", "Sanctic", "Hallucinations", "Pyromantic Desolation", "Blast-shield", "Battlements",
    "Massive Fortification", "Jump Pack", "Jet Pack",
)  # fmt: skip
"""The names of L2763-L3405, and of the rules that stand elsewhere in the book."""


@pytest.mark.parametrize("rule", CATALOGUE)
def test_each_rule_of_the_book_is_decided(rule: str) -> None:
    name = SPECIAL_RULES.read(rule).name
    assert [name in MODELLED, name in IN_LISTS, name in SPECIAL_RULES.with_status("no_part")].count(True) == 1
    assert unknown_rules([rule]) == ()


def test_each_rule_in_the_figures_has_a_pair_with_and_without_it() -> None:
    assert {SPECIAL_RULES.read(rule).name for _, rule, *_ in TABLE} == MODELLED
    assert SPECIAL_RULES.in_figures == MODELLED | IN_LISTS


def _fighter(*rules: str) -> Fighter:
    guns = [make_weapon(name="cannon", AP=2), make_weapon(name="rifle", AP=2)]
    side = side_of(make_side(make_group(1, weapons=guns, rules=list(rules))))
    return Fighter(unit="a", name="Robot", points=Decimal(100), side=side)


def _slain(robot: Fighter) -> float:
    ((cell,),) = shooting_matrix([robot], [_fighter()])
    assert cell is not None
    return cell.models_slain


def _regained(robot: Fighter) -> float:
    return battle.unit(battle.ready(robot)).regains


FIGURES: dict[str, Callable[[Fighter], float]] = {"Firing Protocols (2)": _slain, "It Will Not Die (5+)": _regained}


@pytest.mark.parametrize("rule", FIGURES)
def test_each_rule_of_lists_counts(rule: str) -> None:
    assert FIGURES[rule](_fighter(rule)) > FIGURES[rule](_fighter())


def test_the_rules_of_lists_are_all_there() -> None:
    assert {SPECIAL_RULES.read(rule).name for rule in FIGURES} == IN_LISTS
