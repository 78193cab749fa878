"""What is rolled before blows are struck: fear, and spells that lower a characteristic by D3."""

from dataclasses import replace
from itertools import product

from armybuilder.engine.systems.fantasy_8th.combat.effects import EFFECT_MODIFIERS
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import strongest_hero
from armybuilder.engine.systems.fantasy_8th.combat.leadership import courage, passes_psychology
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, Shift
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import any_rule, effects_of, unit_items, unit_rules
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import NO_CHANGE
from armybuilder.engine.systems.fantasy_8th.matchup import Conditions, Side
from armybuilder.engine.systems.matchups import ModelNotes

AFRAID_OF_FIRE = frozenset({"war_beast", "cavalry", "chariot"})
"""Troop types in which flaming attacks cause fear. Source: L454-460 [text]."""

Scenario = tuple[float, FightingSide, FightingSide]
"""One way in which the rolls before the blows can turn out: its chance, and both sides as they fight then."""


def scenarios(
    attacker: FightingSide, defender: FightingSide, conditions: Conditions, notes: ModelNotes
) -> list[Scenario]:
    """All ways in which the rolls before the blows can turn out."""
    mine = [
        (chance * share * odds, replace(attacker, shift=shift, dazed=dazed, furious=furious))
        for chance, shift in states(attacker, defender.side, None, notes)
        for share, dazed in bewildered(attacker.side, defender.side, None)
        for odds, furious in roused(attacker.side, None)
    ]
    theirs = [
        (chance * share * odds, replace(defender, shift=shift, dazed=dazed, furious=furious))
        for chance, shift in states(defender, attacker.side, conditions, notes)
        for share, dazed in bewildered(defender.side, attacker.side, conditions)
        for odds, furious in roused(defender.side, conditions)
    ]
    return [(one * other, own, against) for (one, own), (other, against) in product(mine, theirs) if one * other > 0]


def bewildered(side: Side, enemy: Side, conditions: Conditions | None) -> list[tuple[float, int | None]]:
    """Which character the enemy's Helm of Discord has disarmed, with chances. Source: L2236-2242 [text].

    It is the one with most attacks, who tests on the leadership of his unit.
    """
    victim = strongest_hero(side)
    if "Helm of Discord" not in unit_items(enemy) or victim is None:
        return [(1.0, None)]
    holds = courage(side, conditions).holds()
    return [(holds, None), (1.0 - holds, victim)]


def roused(side: Side, conditions: Conditions | None) -> list[tuple[float, bool]]:
    """Whether a unit with Primal Fury passes the test that makes it hate this round, with chances. [carried]"""
    if not any_rule(side, "primal_fury"):
        return [(1.0, False)]
    holds = courage(side, conditions).holds()
    return [(holds, True), (1.0 - holds, False)]


def lowered(fighting_side: FightingSide, notes: ModelNotes) -> list[tuple[float, Shift]]:
    """What spells that lower a characteristic by D3 can do to one side, with chances. Source: L2023-2044 [text]."""
    result = [(1.0, Shift())]
    for name in effects_of(fighting_side.side):
        weaker = EFFECT_MODIFIERS.get(name, NO_CHANGE).lowered
        if not weaker:
            continue
        result = [
            (chance / 3, Shift(shift.put, {**shift.add, **{one: shift.add.get(one, 0) - points for one in weaker}}))
            for chance, shift in result
            for points in (1, 2, 3)
        ]
        if name == "Melkoth's Mystifying Miasma":
            notes.assume(NOTES["melkoth_s_mystifying"])
    return result


def states(
    fighting_side: FightingSide, enemy: Side, conditions: Conditions | None, notes: ModelNotes
) -> list[tuple[float, Shift]]:
    """What chance can do to one side before blows, with chances."""
    result = lowered(fighting_side, notes)
    afraid = chance_of_fear(fighting_side.side, enemy, conditions, notes, first=fighting_side.combat_round == 1)
    if not afraid:
        return result
    failed = []
    for chance, shift in result:
        if fighting_side.options.fear_mode == "set_to_one":
            failed.append((chance * afraid, Shift({**shift.put, "WS": 1}, shift.add)))
        else:
            failed.append((chance * afraid, Shift(shift.put, {**shift.add, "WS": shift.add.get("WS", 0) - 1})))
    return [(chance * (1 - afraid), shift) for chance, shift in result] + failed


def fenced(side: Side, *, first: bool) -> bool:
    """Whether the unit causes fear from behind a Ghost Fence: in the first round. Source: L1276-1277 [text]."""
    return first and "Ghost Fence" in set(effects_of(side))


def causes_fear(enemy: Side, side: Side, *, first: bool) -> bool:
    """Whether a unit has reason to fear its enemy. Source: L443-460, L647-654, L2340 [text]."""
    if any_rule(enemy, "fear", "terror") or fenced(enemy, first=first):
        return True
    if side.main.troop_type in AFRAID_OF_FIRE and any_rule(enemy, "flaming_attacks"):
        return True
    return "Scarecrow Banner" in unit_items(enemy) and "fly" in unit_rules(side)


def flight_from_terror(charger: Side, side: Side, conditions: Conditions | None = None) -> float:
    """Chance that a unit charged by something terrible has to flee. Source: L647-654 [text]."""
    return dread(side, conditions) if any_rule(charger, "terror") else 0.0


def dread(side: Side, conditions: Conditions | None = None) -> float:
    """Chance that the unit flees when something terrible charges it. Source: L491-494, L647-654 [text]."""
    rules = unit_rules(side)
    if passes_psychology(side) or "fear" in rules or "terror" in rules:
        return 0.0
    return 1.0 - courage(side, conditions).holds()


def chance_of_fear(side: Side, enemy: Side, conditions: Conditions | None, notes: ModelNotes, *, first: bool) -> float:
    """Chance that the unit fails its Fear test at the start of the round, which is the first one or not."""
    rules = unit_rules(side)
    dreaded = "fear" in rules or "terror" in rules or fenced(side, first=first)
    if not causes_fear(enemy, side, first=first) or passes_psychology(side) or dreaded:
        return 0.0
    known = courage(side, conditions)
    if known.value is None:
        notes.assume(NOTES["unit_whose_leadership_not"])
        return 0.0
    return 1.0 - known.holds()
