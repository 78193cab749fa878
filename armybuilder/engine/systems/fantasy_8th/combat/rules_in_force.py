"""What is in force on a unit: its special rules, magic items, spells and special terrain; what of it a kind reads."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat.effects import (
    EFFECT_MODIFIERS,
    EffectPlace,
    effect_named,
    effects_counting_in,
)
from armybuilder.engine.systems.fantasy_8th.combat.items import (
    ITEM_MODIFIERS,
    ITEMS,
    MAGIC_WEAPONS,
    ItemPlace,
    items_counting_in,
)
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import (
    TABLE,
    Rules,
    enter,
    in_force,
    is_known,
    is_of_an_army_book,
    merge,
    read,
    rules_counting_in,
)
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import NO_CHANGE, StatModifier
from armybuilder.engine.systems.fantasy_8th.combat.weapons import is_missile, missile_arm, named
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Group, Side, WeaponProfile
from armybuilder.engine.systems.fantasy_8th.reference import magic_item
from armybuilder.engine.systems.matchups import ModelNotes

TYPE_RULES: Mapping[str, tuple[str, ...]] = {
    "monstrous_infantry": ("stomp",),
    "cavalry": ("swiftstride",),
    "monstrous_cavalry": ("swiftstride", "stomp"),
    "swarm": ("skirmishers", "unbreakable", "unstable"),
    "war_beast": ("swiftstride",),
    "monstrous_beast": ("swiftstride", "stomp"),
    "monster": ("thunderstomp",),
    "chariot": ("swiftstride", "impact_hits"),
}
"""Rules that the troop type brings. Source: L696-755 [text]."""

MONSTROUS = frozenset({"monstrous_infantry", "monstrous_cavalry", "monstrous_beast"})
MOUNTED = frozenset({"cavalry", "monstrous_cavalry"})
SHARED_BY_RIDERS = TABLE.counting_in("mount")
"""Rules of a mount that its rider has too."""

LIKE_INFANTRY = frozenset({"infantry", "war_beast", "swarm"})
"""Troop types that can be stomped. Source: L606-610 [text]."""

Found = TypeVar("Found")


def items_of(group: Group) -> Iterator[str]:
    """English names of the common magic items of a group."""
    for name in group.magic_items:
        item = magic_item(name)
        if item is not None:
            yield item.en


def unit_items(side: Side) -> frozenset[str]:
    """English names of all common magic items carried in the unit."""
    return remembered(side, "items", lambda: frozenset(name for group in side.models for name in items_of(group)))


def banners(side: Side) -> Iterator[StatModifier]:
    """What items do to the whole unit."""
    found = (ITEM_MODIFIERS.get(name, NO_CHANGE) for name in sorted(unit_items(side)))
    return (modifier for modifier in found if modifier.unit)


def item_modifiers(group: Group) -> Iterator[StatModifier]:
    """What the items of a group do to its models alone."""
    found = (ITEM_MODIFIERS.get(name, NO_CHANGE) for name in items_of(group))
    return (modifier for modifier in found if not modifier.unit)


def effects_of(side: Side) -> Iterator[str]:
    """English names of the spells and the special terrain in effect on a unit, as often as they are written."""
    for text in side.effects:
        name = effect_named(text)
        if name is not None:
            yield name


def effect_modifiers(side: Side) -> Iterator[StatModifier]:
    """What spells and special terrain in effect do to a unit."""
    return (EFFECT_MODIFIERS.get(name, NO_CHANGE) for name in effects_of(side))


def remembered(holder: Side | Group, name: str, make: Callable[[], Found]) -> Found:
    """What is asked of a unit again and again; it cannot change, so it is worked out once."""
    memory = holder.__dict__
    if name not in memory:
        memory[name] = make()
    found: Found = memory[name]
    return found


def unit_rules(side: Side) -> Rules:
    """Rules of the whole unit: its own, those of all its rank and file, its banner and the spells on it."""
    return dict(remembered(side, "unit_rules", lambda: _unit_rules(side)))


def _unit_rules(side: Side) -> Rules:
    rules = in_force(side.rules)
    present = [group for group in side.models if group.count or len(side.models) == 1]
    groups = [group for group in present if not group.is_character] or present
    if groups:
        per_group = [group_rules(group) for group in groups]
        for slug, value in per_group[0].items():
            if all(slug in other for other in per_group):
                enter(rules, slug, value)
    for modifier in (*banners(side), *effect_modifiers(side)):
        merge(rules, modifier.rules)
    if "fly" in rules:
        rules.setdefault("swiftstride", None)
        if side.count > 1:
            rules.setdefault("skirmishers", None)
    if "unbreakable" in rules or "frenzy" in rules or "stupidity" in rules:
        rules.setdefault("immune_to_psychology", None)
    if "terror" in rules:
        rules.setdefault("fear", None)
    return rules


def group_rules(group: Group) -> Rules:
    """Rules that the models of a group have as a whole: own, troop type, items, and those of the mount that spread.

    The frenzy of a mount takes hold of its rider, but not its further attack. Source: L716-720 [text].
    """
    return dict(remembered(group, "group_rules", lambda: _group_rules(group)))


def _group_rules(group: Group) -> Rules:
    rules = in_force(group.rules)
    for slug in TYPE_RULES.get(group.troop_type, ()):
        rules.setdefault(slug, None)
    for name in items_of(group):
        modifier = ITEM_MODIFIERS.get(name, NO_CHANGE)
        if not modifier.unit:
            merge(rules, modifier.rules)
        if name in MAGIC_WEAPONS:
            merge(rules, in_force(rule for rule in MAGIC_WEAPONS[name].rules if rule == "Frenzy").items())
    if group.mount is not None:
        mount = in_force(group.mount.rules)
        merge(rules, ((slug, value) for slug, value in mount.items() if slug in SHARED_BY_RIDERS))
        if "frenzy" in mount:
            rules.setdefault("immune_to_psychology", None)
    return rules


def any_rule(side: Side, *slugs: str) -> bool:
    """Whether the unit or any group in it has one of these rules."""
    if any(slug in unit_rules(side) for slug in slugs):
        return True
    return any(slug in group_rules(group) for group in side.models if group.count for slug in slugs)


def texts_of(side: Side, *, shooting: bool | None = None) -> Iterator[str]:
    """Every special rule written in a side; weapons only as far as they are used in close combat or in shooting."""
    yield from side.rules
    for group in side.models:
        yield from group.rules
        if group.mount is not None:
            yield from group.mount.rules
        for crew in group.crews:
            yield from (rule for rule in crew.rules if rule not in group.rules)
            for held in crew.weapons:
                if isinstance(held, WeaponProfile) and not is_missile(held) and not shooting:
                    yield from held.rules
        fired = missile_arm(group)
        for index, weapon in enumerate(group.weapons):
            if isinstance(weapon, WeaponProfile) and (
                shooting is None or shooting == (fired is not None and fired[0] == index)
            ):
                yield from weapon.rules


def note_rules(
    matchup: FantasyMatchup,
    notes: ModelNotes,
    played: Mapping[str, tuple[str, ...]],
    *,
    items: tuple[ItemPlace, ...],
    effects: tuple[EffectPlace, ...],
    besides: Collection[str] = (),
) -> None:
    """Enter what is written in the sides into the notes: in the numbers, without a part here, or not simulated.

    Args:
        played: by side, the places of `special_rules.PLACES` that the kind reads.
        items, effects: the places in which items and effects count for it; besides: effects that count besides.
    """
    notes.options.update(matchup.options.listed())
    known_items, known_effects = items_counting_in(*items), effects_counting_in(*effects).union(besides)
    for name, side in matchup.sides().items():
        slugs = rules_counting_in(*played.get(name, ()))
        for text in texts_of(side):
            slug = read(text).slug
            if slug is None:
                if not is_known(text):
                    notes.not_simulated.append(text)
            elif slug in slugs:
                notes.modelled.append(text)
                if is_of_an_army_book(text):
                    notes.assume(
                        Text(
                            f"{text} works as in the published army book; the rules text does not hold it.",
                            f"«{text}» действует как в изданной книге армии; в тексте правил его нет.",
                        )
                    )
        for group in side.models:
            _note_items(group, notes, known_items)
            for weapon in group.weapons:
                if isinstance(weapon, str) and named(weapon) == (None, None):
                    notes.not_simulated.append(weapon)
        for text in side.effects:
            (notes.modelled if effect_named(text) in known_effects else notes.not_simulated).append(text)


def _note_items(group: Group, notes: ModelNotes, items: frozenset[str]) -> None:
    """Items that this kind reads, and those that none does; the others have no part here."""
    for text in group.magic_items:
        item = magic_item(text)
        if item is not None and item.en in items:
            notes.modelled.append(text)
        elif item is None or ITEMS[item.en].status == "not_simulated":
            notes.not_simulated.append(text)
