"""Saves of a target: armour with everything that adds to it, ward saves with their conditions, Regeneration."""

from dataclasses import dataclass
from typing import Literal

from armybuilder.engine.systems.fantasy_8th.combat.attacks import Once, made
from armybuilder.engine.systems.fantasy_8th.combat.effects import EFFECT_MODIFIERS
from armybuilder.engine.systems.fantasy_8th.combat.items import MAGIC_SHIELDS, MAGIC_SUITS, MAGIC_WEAPONS
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import (
    MOUNTED,
    banners,
    effect_modifiers,
    effects_of,
    group_rules,
    item_modifiers,
    items_of,
    unit_items,
    unit_rules,
)
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import in_force, merge, number, worth
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import NO_CHANGE
from armybuilder.engine.systems.fantasy_8th.combat.weapons import melee_arms
from armybuilder.engine.systems.fantasy_8th.matchup import Group, MatchupOptions, Side, needed
from armybuilder.engine.systems.fantasy_8th.reference import folded, magic_item

Mode = Literal["blow", "hits", "shooting", "spell"]
"""What is saved against: blows, other hits of close combat (impact hits, stomps, breath), shots, spells."""

NO_SAVE = 7

SUITS = {
    "light armour": 1, "light armor": 1, "лёгкая броня": 1, "легкая броня": 1,
    "heavy armour": 2, "heavy armor": 2, "тяжёлая броня": 2, "тяжелая броня": 2,
    "full plate armour": 3, "full plate armor": 3, "full plate": 3,
}  # fmt: skip
"""Points of armour by suit. Source: L245 [carried], L1811 [text]."""

SHIELDS = {"shield", "щит"}
BARDING = {"barding", "конский доспех", "барда", "бардинг"}


@dataclass(frozen=True, slots=True)
class Saves:
    """What the target saves with.

    Attributes:
        armour: roll needed before strength counts, at best 1; None without armour.
        ward, regeneration: roll needed; None when there is none.
        armour_again: a failed armour save is rolled again.
    """

    armour: int | None
    ward: int | None
    regeneration: int | None
    reroll_armour: bool
    once: Once | None


@dataclass(frozen=True, slots=True)
class Against:
    """What the saves are made against.

    Attributes:
        front: the blow comes from the front, so that it can be parried.
        from_flyer, from_machine: who strikes.
    """

    mode: Mode
    front: bool = True
    flaming: bool = False
    from_flyer: bool = False
    from_machine: bool = False


def saves_of(side: Side, group: Group, against: Against, options: MatchupOptions) -> Saves:
    """All saves of a model of this group."""
    items = set(items_of(group))
    armour = armour_save(side, group, against.mode)
    rules = own_rules(side, group)
    regeneration = None if against.flaming else number(worth(rules, "regeneration"))
    wards = [needed(group.profile.Ward)]
    wards += [modifier.ward for modifier in item_modifiers(group)]
    if against.flaming and items & {"Dragonhelm", "Dragonbane Gem"}:
        wards.append(2)
    if against.mode == "blow" and against.from_flyer and "Pigeon Plucker Pendant" in items:
        wards.append(5)
    if against.from_machine and "Ironcurse Icon" in unit_items(side):
        wards.append(6)
    if against.mode == "blow" and against.front and parries(side, group, options):
        wards.append(6)
    ward = min((save for save in wards if save is not None), default=None)
    if against.mode == "spell":
        if "Scroll of Shielding" in unit_items(side):
            ward = 4 if ward is None else min(4, ward)
        resistance = magic_resistance(side)
        if resistance:
            ward = max(2, (NO_SAVE if ward is None else ward) - resistance)
    once = Once(
        luck="Luckstone" in items,
        ward=4 if "Opal Amulet" in items else None,
        shield=2 if "Charmed Shield" in items else None,
    )
    return Saves(
        armour,
        None if ward is None or ward >= NO_SAVE else max(2, ward),
        None if regeneration is None or regeneration >= NO_SAVE else max(2, regeneration),
        "Dawnstone" in items,
        once if once != Once() else None,
    )


def armour_save(side: Side, group: Group, mode: Mode) -> int | None:
    """Armour save before the attack's strength, at best 1+; None without armour.

    Source: L243-245, L585-590, L990 [text]; values of armour [carried].
    """
    items = set(items_of(group))
    pieces = {folded(piece) for piece in group.armour}
    magic = any(name in MAGIC_WEAPONS for name in items)
    two_hands = mode in ("blow", "hits") and not magic and uses_two_hands(side, group)
    suit = max((SUITS[piece] for piece in pieces if piece in SUITS), default=0)
    magic_suit = max((MAGIC_SUITS[name] for name in items if name in MAGIC_SUITS), default=None)
    shield = 1 if pieces & SHIELDS else 0
    magic_shield = max((MAGIC_SHIELDS[name] for name in items if name in MAGIC_SHIELDS), default=None)
    sheet = needed(group.profile.Sv)
    if sheet is not None:
        points = NO_SAVE - sheet
        points += 0 if magic_suit is None else magic_suit - suit
        points += 0 if magic_shield is None or two_hands else magic_shield - shield
        points -= shield if two_hands else 0
    else:
        mounted = group.mount is not None or group.troop_type in MOUNTED or sits_on_a_monster(side, group)
        points = (suit if magic_suit is None else magic_suit) + (1 if mounted else 0)
        points += 1 if pieces & BARDING else 0
        if not two_hands:
            points += shield if magic_shield is None else magic_shield
    scales = number(worth(own_rules(side, group), "scaly_skin"))
    points += NO_SAVE - scales if scales is not None and scales < NO_SAVE else 0
    points += sum(modifier.armour for modifier in item_modifiers(group))
    points += 1 if mode == "shooting" and "Shield of Ptolos" in items else 0
    if "Armour of Silvered Steel" in items:
        points = NO_SAVE - 2
    points += sum(modifier.armour for modifier in effect_modifiers(side))
    need = max(1, NO_SAVE - points)
    return None if need >= NO_SAVE else need


def sits_on_a_monster(side: Side, group: Group) -> bool:
    """Whether it is the rider of a monster that is struck apart from him. Source: L990, L998-1001 [text]."""
    return group.is_character and not group.riders and any(other.riders for other in side.models)


def unknown_armour(side: Side) -> list[str]:
    """Pieces of armour whose value the rules do not give."""
    known = SUITS.keys() | SHIELDS | BARDING
    return [piece for group in side.models for piece in group.armour if folded(piece) not in known]


def modified(armour: int | None, strength: int | None, piercing: bool) -> int | None:
    """The armour save left against this strength. Source: L245 [carried], L398-400 [text]."""
    if armour is None:
        return None
    need = armour + max(0, (strength or 0) - 3) + piercing
    return None if need > 6 else max(2, need)


def armour_rerolls(side: Side, saves: Saves, need: int | None) -> frozenset[int]:
    """First faces of the armour save that are rolled again."""
    again: frozenset[int] = frozenset()
    if need is None:
        return again
    if saves.reroll_armour:
        again |= frozenset(range(1, 7)) - made(need)
    effects = set(effects_of(side))
    if "Harmonic Convergence" in effects:
        again |= {1}
    if "Curse of the Midnight Wind" in effects:
        again |= {6}
    return again


def parries(side: Side, group: Group, options: MatchupOptions) -> bool:
    """Whether the model has the 6+ of hand weapon and shield. Source: L718-720, L757-759, L2144, L2221 [text]."""
    items = set(items_of(group))
    if items & set(MAGIC_WEAPONS) or items & set(MAGIC_SHIELDS):
        return False
    mounted = group.mount is not None or group.troop_type in MOUNTED
    if options.parry_on_foot_only and mounted:
        return False
    rules = own_rules(side, group)
    steed = in_force(group.mount.rules) if group.mount is not None else {}
    if "frenzy" in rules or "frenzy" in steed:
        return False
    arm, extra = melee_arms(group)
    shield = any(folded(piece) in SHIELDS for piece in group.armour)
    return "parry" in rules or (shield and arm.grip == "hand_weapon" and not extra)


def uses_two_hands(side: Side, group: Group) -> bool:
    """Whether the weapon in use leaves no hand for the shield. Source: L585-587 [text]."""
    arm, _ = melee_arms(group)
    return arm.grip == "two_hands" or "requires_two_hands" in in_force((*side.rules, *group.rules))


def magic_resistance(side: Side) -> int:
    """The best Magic Resistance in the unit. Source: L516-520 [text]."""
    written = [number(worth(rules, "magic_resistance")) for rules in (unit_rules(side), *map(group_rules, side.models))]
    worn = (item.magic_resistance for group in side.models for item in map(magic_item, group.magic_items) if item)
    return max([0, *(value or 0 for value in written), *worn])


def own_rules(side: Side, group: Group) -> dict[str, str | None]:
    """Rules a model of the group has: the unit's, its group's, its banner's and those of spells in effect."""
    rules = in_force(side.rules)
    merge(rules, group_rules(group).items())
    effects = set(effects_of(side))
    changes = (EFFECT_MODIFIERS.get(name, NO_CHANGE) for name in sorted(effects))
    for modifier in (*banners(side), *changes):
        merge(rules, modifier.rules)
    if {"Earth Blood", "Throne of Vines"} <= effects:
        merge(rules, [("regeneration", "4+")])
    if "Charnel Pit" in effects and "undead" in rules:
        merge(rules, [("regeneration", "6+")])
    return rules


def alike(side: Side) -> bool:
    """Whether all models of a unit are hurt alike, so that it does not matter which of them a blow strikes."""
    groups = [group for group in side.models if group.count]
    return len({_hide(group) for group in groups}) <= 1 and not any(group.is_character for group in groups[1:])


def _hide(group: Group) -> tuple[object, ...]:
    """What decides how a model is hurt; a champion's skill at arms does not."""
    profile, mount = group.profile, group.mount.profile if group.mount else None
    rules = tuple(sorted(group_rules(group)))
    worn = (profile.T, profile.W or 1, profile.Sv, profile.Ward, mount.W if mount else None)
    return (group.troop_type, *worn, tuple(sorted(map(folded, group.armour))), rules)
