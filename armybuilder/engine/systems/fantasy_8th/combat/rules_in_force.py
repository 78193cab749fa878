"""What is in force on a unit: its special rules, magic items, spells and special terrain; what of it a kind reads."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from armybuilder.engine.systems.fantasy_8th.combat.special_rules import (
    TABLE,
    Rules,
    enter,
    in_force,
    is_known,
    is_of_an_army_book,
    merge,
    read,
)
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import (
    TERRAIN_BOONS,
    VARIANTS,
    StatModifier,
    effect_named,
)
from armybuilder.engine.systems.fantasy_8th.combat.weapons import MAGIC_WEAPONS, missile_arm, named
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

UNSIMULATED_ITEMS = frozenset(
    {
        "Spellthieving Sword", "Tormentor Sword", "Scroll of Leeching", "Wizarding Hat", "Fozzrik's Folding Fortress",
        "Healing Potion",
    }
)  # fmt: skip
"""Magic items that change no number of one attack; each of the others has a part in some kind."""

MONSTROUS = frozenset({"monstrous_infantry", "monstrous_cavalry", "monstrous_beast"})
MOUNTED = frozenset({"cavalry", "monstrous_cavalry"})
SHARED_BY_RIDERS = TABLE.counting_in("mount")
"""Rules of a mount that its rider has too."""

LIKE_INFANTRY = frozenset({"infantry", "war_beast", "swarm"})
"""Troop types that can be stomped. Source: L606-610 [text]."""

Found = TypeVar("Found")

ITEM_BOONS: Mapping[str, StatModifier] = {
    "Shrieking Blade": StatModifier(rules=(("fear", None),)),
    "Armour of Destiny": StatModifier(ward=4),
    "Armour of Fortune": StatModifier(ward=5),
    "Gambler's Armour": StatModifier(ward=6),
    "Trickster's Helm": StatModifier(armour=1),
    "Helm of Discord": StatModifier(armour=1),
    "Dragonhelm": StatModifier(armour=1),
    "Talisman of Preservation": StatModifier(ward=4),
    "Talisman of Endurance": StatModifier(ward=5),
    "Talisman of Protection": StatModifier(ward=6),
    "Seed of Rebirth": StatModifier(rules=(("regeneration", "6+"),)),
    "Wailing Banner": StatModifier(rules=(("terror", None),), unit=True),
    "Razor Standard": StatModifier(rules=(("armour_piercing", None),), unit=True),
    "Banner of Swiftness": StatModifier(add=(("M", 1),), unit=True),
    "Banner of Eternal Flame": StatModifier(rules=(("flaming_attacks", None),), unit=True),
    "Arabyan Carpet": StatModifier(rules=(("fly", None),)),
    "Crown of Command": StatModifier(rules=(("stubborn", None),), unit=True),
    "Terrifying Mask of Eee!": StatModifier(rules=(("terror", None),)),
    "Potion of Strength": StatModifier(add=(("S", 3),)),
    "Potion of Toughness": StatModifier(add=(("T", 3),)),
    "Potion of Foolhardiness": StatModifier(rules=(("immune_to_psychology", None), ("devastating_charge", None))),
    "Potion of Speed": StatModifier(add=(("I", 3),)),
}
"""Magic items as changes of their bearer, by English name. Source: L2205-2480 [text]."""

SPELL_BOONS: Mapping[str, StatModifier] = {
    "Flaming Sword of Rhuin": StatModifier(wound=1, rules=(("magical_attacks", None), ("flaming_attacks", None))),
    "Wyssan's Wildform": StatModifier(add=(("S", 1), ("T", 1))),
    "Pann's Impenetrable Pelt": StatModifier(add=(("T", 3),)),
    "The Curse of Anraheir": StatModifier(hit=-1),
    "The Savage Beast of Horros": StatModifier(add=(("S", 3), ("A", 3))),
    "Plague of Rust": StatModifier(armour=-1),
    "Enchanted Blades of Aiban": StatModifier(hit=1, rules=(("magical_attacks", None), ("armour_piercing", None))),
    "Glittering Robe": StatModifier(rules=(("scaly_skin", "5+"),)),
    "Transmutation of Lead": StatModifier(add=(("WS", -1), ("BS", -1)), armour=-1),
    "Pha's Protection": StatModifier(enemy_hit=-1),
    "The Speed of Light": StatModifier(put=(("WS", 10), ("I", 10))),
    "Light of Battle": StatModifier(),
    "Birona's Timewarp": StatModifier(add=(("A", 1),), rules=(("always_strikes_first", None),)),
    "Earth Blood": StatModifier(rules=(("regeneration", "5+"),)),
    "Flesh to Stone": StatModifier(add=(("T", 2),)),
    "Throne of Vines": StatModifier(),
    "Iceshard Blizzard": StatModifier(hit=-1, add=(("Ld", -1),)),
    "Harmonic Convergence": StatModifier(),
    "Curse of the Midnight Wind": StatModifier(),
    "Melkoth's Mystifying Miasma": StatModifier(lowered=("WS",)),
    "The Enfeebling Foe": StatModifier(lowered=("S",)),
    "The Withering": StatModifier(lowered=("T",)),
    "Okkam's Mindrazor": StatModifier(),
    "Aspect of the Dreadknight": StatModifier(rules=(("fear", None),)),
    "Soulblight": StatModifier(add=(("S", -1), ("T", -1))),
    "Doom and Darkness": StatModifier(add=(("Ld", -3),)),
}
"""Spells in effect as changes of the unit, by English name. Source: L1702-2104 [text]."""

EFFECT_BOONS: Mapping[str, StatModifier] = {
    **SPELL_BOONS,
    **{f"{name} ({way})": boon for name, ways in VARIANTS.items() for way, boon in ways.items()},
    **TERRAIN_BOONS,
}
"""Everything that can be in effect on a unit, by English name."""

ITEM_SETS = frozenset(
    {
        "Armour of Silvered Steel", "Glittering Scales", "Shield of Ptolos", "Spellshield", "Enchanted Shield",
        "Charmed Shield", "Obsidian Lodestone", "Obsidian Amulet", "Obsidian Trinket", "Dawnstone", "Opal Amulet",
        "Dragonbane Gem", "Pigeon Plucker Pendant", "Luckstone", "Lichebone Pennant", "Featherfoe Torch",
        "The Other Trickster's Shard", "Ironcurse Icon",
    }
)  # fmt: skip
"""Items that the saves and attacks look at by name."""


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
    for name in sorted(unit_items(side)):
        boon = ITEM_BOONS.get(name)
        if boon is not None and boon.unit:
            yield boon


def effects_of(side: Side) -> Iterator[str]:
    """English names of the spells and the special terrain in effect on a unit, as often as they are written."""
    for text in side.effects:
        name = effect_named(text)
        if name is not None:
            yield name


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
    for boon in banners(side):
        merge(rules, boon.rules)
    for name in effects_of(side):
        merge(rules, EFFECT_BOONS.get(name, StatModifier()).rules)
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
        boon = ITEM_BOONS.get(name)
        if boon is not None and not boon.unit:
            merge(rules, boon.rules)
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
        fired = missile_arm(group)
        for index, weapon in enumerate(group.weapons):
            if isinstance(weapon, WeaponProfile) and (
                shooting is None or shooting == (fired is not None and fired[0] == index)
            ):
                yield from weapon.rules


def report(
    clash: FantasyMatchup,
    basis: ModelNotes,
    played: Mapping[str, frozenset[str]],
    *,
    items: frozenset[str],
    effects: frozenset[str],
) -> None:
    """Enter what is written in the sides into the basis: in the numbers, without a part here, or not simulated.

    Args:
        played: by side, the slugs that the kind reads.
        items, effects: English names that the kind reads.
    """
    basis.options.update(clash.options.listed())
    for name, side in clash.sides().items():
        slugs = played.get(name, frozenset())
        for text in texts_of(side):
            slug = read(text).slug
            if slug is None:
                if not is_known(text):
                    basis.not_simulated.append(text)
            elif slug in slugs:
                basis.modelled.append(text)
                if is_of_an_army_book(text):
                    basis.assume(
                        f"{text} works as in the published army book; the rules text does not hold it.",
                        f"«{text}» действует как в изданной книге армии; в тексте правил его нет.",
                    )
        for group in side.models:
            _report_items(group, basis, items)
            for weapon in group.weapons:
                if isinstance(weapon, str) and named(weapon) == (None, None):
                    basis.not_simulated.append(weapon)
        for text in side.effects:
            (basis.modelled if effect_named(text) in effects else basis.not_simulated).append(text)


def _report_items(group: Group, basis: ModelNotes, items: frozenset[str]) -> None:
    """Items that this kind reads, and those that none does; the others have no part here."""
    for text in group.magic_items:
        item = magic_item(text)
        if item is not None and item.en in items:
            basis.modelled.append(text)
        elif item is None or item.en in UNSIMULATED_ITEMS:
            basis.not_simulated.append(text)
