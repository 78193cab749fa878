"""Barrages of Epic: points add up, the table gives values and templates, every unit under them is attacked once."""

from math import ceil

from msgspec.structs import replace

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, certain
from armybuilder.engine.combat.outcomes import Outcomes
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic.army import Weapon, rule_name
from armybuilder.engine.systems.epic.combat.casualties import Packet
from armybuilder.engine.systems.epic.combat.firing import (
    Shots,
    Volley,
    barrage_dice,
    barrage_points,
    firing_units,
    hit_chance,
    packet_of,
    to_hit_modifier,
)
from armybuilder.engine.systems.epic.combat.shooting import Attack, describe, note_attack
from armybuilder.engine.systems.epic.matchup import EpicMatchup, UnitGroup
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OneOf, OutcomeModel, Resolved

TABLE = (
    (1, 0, 0, 6, 6),
    (2, 0, 0, 5, 6),
    (3, 0, 0, 4, 5),
    (4, 1, 0, 4, 5),
    (6, 1, 1, 4, 5),
    (8, 2, 1, 4, 5),
    (10, 2, 2, 4, 5),
    (13, 2, 3, 4, 5),
    (16, 2, 4, 4, 5),
)
"""From so many points: extra templates, extra markers, AP and AT; the last row goes on. Source: L418-429 [text]."""

LAST_ROW = TABLE[-1][0]


def barrage(matchup: EpicMatchup, notes: ModelNotes) -> Resolved:
    """A barrage. Source: L408-445 [text]."""
    rows: dict[tuple[int, ...] | None, tuple[int, float]] = {}
    for points, chance in _rolled_points(matchup).as_dict().items():
        known = rows.get(row_of(points), (points, 0.0))
        rows[row_of(points)] = known[0], known[1] + float(chance)
    models = [(chance, _model(*prepared(matchup, notes, points))) for points, chance in rows.values()]
    return models[0][1] if len(models) == 1 else OneOf(models)


def _rolled_points(matchup: EpicMatchup) -> Distribution:
    """How likely the attacker's weapons come to how many points together; from the last row on all are alike.

    Every weapon has a point at least, so that more weapons than that row asks for reach it whatever they roll.
    """
    assert matchup.attacker is not None  # the kind's needs
    total = certain(0)
    for unit, firers in zip(matchup.attacker.groups, firing_units(matchup.attacker), strict=True):
        for weapon in unit.weapons:
            weapons = min(firers * weapon.count, LAST_ROW)
            total = (total + barrage_dice(weapon).distribution().times(weapons)).clipped(high=LAST_ROW)
    return total


def _model(attack: Attack, attacks: int, templates: int) -> OutcomeModel:
    def described(outcomes: Outcomes) -> None:
        describe(attack, outcomes)
        outcomes.add("attacks", attacks)
        outcomes.add("extra_templates", templates)
        outcomes.add("extra_blast_markers", attack.extra_markers)

    return OutcomeModel(described, attack.dice)


def row_of(points: int) -> tuple[int, int, int, int, int] | None:
    """The table's row for so many barrage points; None for no points."""
    return next((row for row in reversed(TABLE) if row[0] <= points), None)


def prepared(matchup: EpicMatchup, notes: ModelNotes, points: int | None = None) -> tuple[Attack, int, int]:
    """The attack, its dice, and the extra templates.

    Args:
        points: barrage points of all weapons together; None for as many as are to be expected.
    """
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    note_attack(matchup, notes)
    batteries = [
        (weapon, unit, firers * weapon.count * barrage_points(weapon))
        for unit, firers in zip(attacker.groups, firing_units(attacker), strict=True)
        for weapon in unit.weapons
        if barrage_points(weapon)
    ]
    row = row_of(sum(points for _, _, points in batteries) if points is None else points)
    if any(is_orbital(weapon) for weapon, _, _ in batteries):
        matchup = replace(matchup, conditions=replace(matchup.conditions, crossfire=False))
    if row is None:
        return Attack(matchup, []), 0, 0
    _, templates, markers, anti_personnel, anti_tank = row
    weapon, gun = _common(batteries, notes)
    fired: list[Volley] = []
    total = 0
    for index, target in enumerate(defender.groups):
        attacks = _attacks(target)
        if not attacks:
            continue
        total += attacks
        value = {"INF": anti_personnel, "LV": min(anti_personnel, anti_tank)}.get(target.shot_at_as, anti_tank)
        profile = "AP" if target.type == "INF" else "AT"
        modifier = to_hit_modifier(matchup, gun, weapon, profile) if matchup.options.barrage_modifiers else 0
        packet = packet_of(matchup, weapon, (number == index for number in range(len(defender.groups))))
        fired.append(Volley(packet, (Shots(attacks, Dice(0, 0, 1), hit_chance(value - modifier)),)))
    return Attack(matchup, _merged(fired), extra_markers=markers), total, templates


def is_orbital(weapon: Weapon) -> bool:
    """Whether a spacecraft bombards with it: never a crossfire, and a template of 12 cm. Source: L1036 [text]."""
    return any(rule_name(rule) == "orbital bombardment" for rule in weapon.rules)


def _common(batteries: list[tuple[Weapon, UnitGroup, int]], notes: ModelNotes) -> tuple[Weapon, UnitGroup]:
    """The weapon whose rules the barrage follows: the one that gives most points."""
    weapon, unit, _ = max(batteries, key=lambda battery: battery[2])
    if any(set(other.rules) != set(weapon.rules) for other, _, _ in batteries):
        notes.approximate(
            "barrage of different weapons",
            Text(
                f"all points follow the rules of {weapon.name}",
                f"все очки обстрела следуют правилам оружия {weapon.name}",
            ),
        )
    return weapon, unit


def _attacks(target: UnitGroup) -> int:
    """Attacks on the units of a group: one each, half its starting DC on an engine under the centre (L850)."""
    under = 0 if target.is_embarked else min(target.under_template, target.count)
    if not target.track or not target.under_template_centre or not under:
        return under
    return under - 1 + ceil(target.capacity / 2)


def _merged(fired: list[Volley]) -> list[Volley]:
    """Volleys in the order of resolution; each already aims at one group."""
    kinds: dict[Packet, tuple[Shots, ...]] = {}
    for volley in fired:
        kinds[volley.packet] = kinds.get(volley.packet, ()) + volley.shots
    return [Volley(packet, shots) for packet, shots in sorted(kinds.items(), key=lambda item: item[0].hit_class)]
