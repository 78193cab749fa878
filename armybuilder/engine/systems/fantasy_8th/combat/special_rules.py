"""Special rules, magic items and spells in effect, read from a side: which there are and which change the numbers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeVar

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import (
    TERRAIN_BOONS,
    VARIANTS,
    StatModifier,
    effect_named,
)
from armybuilder.engine.systems.fantasy_8th.combat.weapons import MAGIC_WEAPONS, missile_arm, named
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Group, Side, WeaponProfile, number_of
from armybuilder.engine.systems.fantasy_8th.reference import folded, magic_item
from armybuilder.engine.systems.matchups import ModelNotes

NAMES: Mapping[str, tuple[str, ...]] = {
    "always_strikes_first": ("always strikes first", "always strike first", "asf", "всегда бьёт первым"),
    "always_strikes_last": ("always strikes last", "asl", "всегда бьёт последним"),
    "armour_piercing": ("armour piercing", "armor piercing", "пробивание брони"),
    "breath_weapon": ("breath weapon", "breath weapons", "breath attack", "дыхательное оружие"),
    "devastating_charge": ("devastating charge", "опустошительная атака", "опустошающая атака"),
    "ethereal": ("ethereal", "эфирные создания", "эфирное создание"),
    "extra_attack": ("extra attack", "дополнительная атака"),
    "fear": ("fear", "causes fear", "страх"),
    "fight_in_extra_ranks": ("fight in extra ranks", "fight in extra rank", "бой дополнительной шеренгой"),
    "flaming_attacks": ("flaming attacks", "flaming", "огненные атаки"),
    "flammable": ("flammable", "горючие", "горючий"),
    "frenzy": ("frenzy", "бешенство"),
    "fast_cavalry": ("fast cavalry", "лёгкая кавалерия"),
    "fly": ("fly", "flying cavalry", "летающие", "полёт", "летающая кавалерия"),
    "hover": ("hover", "парящие"),
    "hatred": ("hatred", "ненависть"),
    "immune_to_psychology": ("immune to psychology", "itp", "иммунные к психологии", "иммунный к психологии"),
    "ignores_cover": ("ignores cover", "игнорирует укрытие"),
    "impact_hits": ("impact hits", "таранные удары"),
    "killing_blow": ("killing blow", "смертельный удар"),
    "heroic_killing_blow": ("heroic killing blow", "героический смертельный удар"),
    "large_target": ("large target", "большая цель"),
    "magic_resistance": ("magic resistance", "магическая устойчивость"),
    "monsters_and_handlers": ("monsters and handlers", "monster and handlers", "чудовища и погонщики"),
    "move_or_fire": ("move or fire", "идти или стрелять"),
    "multiple_shots": ("multiple shots", "многочисленные выстрелы"),
    "multiple_wounds": ("multiple wounds", "множественные ранения"),
    "poisoned_attacks": ("poisoned attacks", "poison", "ядовитые атаки"),
    "quick_to_fire": ("quick to fire", "скорострельность"),
    "random_attacks": ("random attacks", "случайные атаки"),
    "random_movement": ("random movement", "случайное движение"),
    "regeneration": ("regeneration", "регенерация"),
    "requires_two_hands": ("requires two hands", "занимает две руки"),
    "scaly_skin": ("scaly skin", "natural armour", "чешуйчатая шкура", "чешуйчатая кожа"),
    "slow_to_fire": ("slow to fire", "медленная стрельба"),
    "sniper": ("sniper", "снайпер"),
    "stomp": ("stomp", "топтать"),
    "thunderstomp": ("thunderstomp", "громовой топот"),
    "strider": ("strider", "ходок"),
    "stubborn": ("stubborn", "упорство", "упорный"),
    "stupidity": ("stupidity", "тупость"),
    "swiftstride": ("swiftstride", "быстроходность"),
    "skirmishers": ("skirmishers", "skirmisher", "рассыпной строй"),
    "terror": ("terror", "causes terror", "ужас"),
    "unbreakable": ("unbreakable", "несокрушимые", "несокрушимый"),
    "unstable": ("unstable", "нестойкий", "нестойкие"),
    "volley_fire": ("volley fire", "залповый огонь"),
    "ambushers": ("ambushers", "засадные отряды"),
    "parry": ("parry", "парирование"),
    "magical_attacks": ("magical attacks", "магические атаки"),
    "no_armour_saves": (
        "no armour saves",
        "no armour save",
        "no armour saves allowed",
        "ignores armour",
        "ignores armour saves",
        "игнорирует броню",
    ),
    "rank_penetration": ("rank penetration", "penetrates ranks", "пробивание рядов"),
    "scythes": ("scythes", "scythed wheels", "косы"),
    "undead": ("undead", "нежить"),
    "daemon": ("daemon", "daemonic", "демон"),
    "choppas": ("choppas", "чоппы"),
    "murderous_prowess": ("murderous prowess", "убийственное мастерство"),
}
"""Rules that some kind of simulation reads, by slug: names in both languages, as `folded` writes them."""

BOOK_RULES: Mapping[str, tuple[str, str | None]] = {
    "martial prowess": ("fight_in_extra_ranks", "1"),
    "ogre charge": ("impact_hits", "1"),
    "mark of khorne": ("frenzy", None),
    "daemonic attacks": ("magical_attacks", None),
    "choppas": ("choppas", None),
    "murderous prowess": ("murderous_prowess", None),
}
"""Rules of army books that game data uses: the rule of this game that each is worth in a fight [carried]. Choppas add
1 to Strength in the first round, Murderous Prowess rolls wounding rolls of 1 again."""

STRIDERS: Mapping[str, str] = {
    "forest strider": "forest",
    "woods strider": "forest",
    "river strider": "river",
    "marsh strider": "marsh",
    "swamp strider": "marsh",
    "obstacle strider": "obstacle",
    "лесной ходок": "forest",
    "речной ходок": "river",
    "болотный ходок": "marsh",
}
"""Striders that carry their terrain in the name. Source: L611-615 [text]."""

NO_PART = frozenset(
    {
        "regimental unit", "detachment", "scouts", "vanguard", "general", "relentless", "resolute",
        "size matters", "eye of the gods", "arcane vassal", "loremaster", "rune lore", "animosity", "quell animosity",
    }
)  # fmt: skip
"""Rules that change nothing once two units fight or shoot."""

DEFAULTS = {
    "regeneration": "4+",
    "magic_resistance": "1",
    "fight_in_extra_ranks": "1",
    "multiple_wounds": "D3",
    "impact_hits": "D6",
    "multiple_shots": "2",
    "random_attacks": "D6",
    "random_movement": "2D6",
    "scaly_skin": "5+",
}
"""What a rule is worth when its brackets are missing."""

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
SPREADING = ("fear", "terror", "stupidity", "immune_to_psychology", "unbreakable", "fly", "large_target")
"""Rules of a mount that its rider has too."""

LIKE_INFANTRY = frozenset({"infantry", "war_beast", "swarm"})
"""Troop types that can be stomped. Source: L606-610 [text]."""

Found = TypeVar("Found")

Rules = dict[str, str | None]
"""Rules in force: slug to the text in brackets."""

_PARTS = re.compile(r"^(.*?)\s*(?:\((.*)\)|(?:x\s*)?(\d*[DdКкДд]?\d+\+?(?:\+\d+)?))?\s*$")


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

_PAGES = re.compile(r"\s*\((?:(?:BRB|AB)-[^()]*|FAQ[^()]*)\)|\.$", re.IGNORECASE)
"""Pages and remarks that the community's data writes behind a rule: "Multiple Shots (2)(BRB-73)(FAQ'ed)"."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One special rule as a document writes it; slug None when no simulation knows it."""

    slug: str | None
    value: str | None
    text: str


@lru_cache(maxsize=4096)
def read(text: str) -> Rule:
    """A special rule, its value in brackets or behind its name."""
    plain = _PAGES.sub("", text).strip()
    whole = _slugs().get(folded(plain))
    if whole is not None and folded(plain) not in BOOK_RULES:
        return Rule(whole, None, text)
    match = _PARTS.match(plain)
    name, brackets, tail = match.groups() if match else (plain, None, None)
    if (own := BOOK_RULES.get(folded(name or ""))) is not None:
        return Rule(*own, text)
    if (ground := STRIDERS.get(folded(name or ""))) is not None:
        return Rule("strider", ground, text)
    return Rule(_slugs().get(folded(name or "")), brackets if brackets is not None else tail, text)


def is_known(text: str) -> bool:
    """Whether a special rule is in the numbers of some simulation, or has no part in any."""
    return read(text).slug is not None or folded(text.partition("(")[0]) in NO_PART


def in_force(texts: Iterable[str]) -> Rules:
    """Rules by slug; of a rule that is written several times the first value counts, of saves the best one."""
    return dict(_in_force(tuple(texts)))


@lru_cache(maxsize=8192)
def _in_force(texts: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    rules: Rules = {}
    for text in texts:
        rule = read(text)
        if rule.slug is not None:
            _enter(rules, rule.slug, rule.value)
    if "hover" in rules:
        rules.setdefault("fly", None)
    return tuple(rules.items())


def merge(rules: Rules, more: Iterable[tuple[str, str | None]]) -> None:
    """Add rules that an item, a spell or a troop type gives."""
    for slug, value in more:
        _enter(rules, slug, value)


def worth(rules: Rules, slug: str) -> str | None:
    """The value of a rule in force, its default when the brackets are missing; None when it is not in force."""
    if slug not in rules:
        return None
    value = rules[slug]
    return DEFAULTS.get(slug) if value is None or not value.strip() else value.strip()


def dice(rules: Rules, slug: str, at: str) -> Dice | None:
    """The dice or number in a rule's brackets, the rule's default when there are none; None when it is not in force.

    Raises:
        LimitExceeded: more dice, or a larger number, than the service rolls.
    """
    value = worth(rules, slug)
    if value is None:
        return None
    match = re.search(r"(\d*\s*[DdДдКк]\s*[36]|\d+)(\s*[+-]\s*\d+)?", value)
    written = "".join((match[0] if match else DEFAULTS.get(slug, "1")).upper().split())
    return number_of(written.replace("Д", "D").replace("К", "D"), f"{at}/rules")


def number(text: str | None) -> int | None:
    """The first whole number in a value such as "4+" or "S4"."""
    match = re.search(r"\d{1,6}", text or "")
    return int(match[0]) if match else None


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
                _enter(rules, slug, value)
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
        merge(rules, ((slug, value) for slug, value in mount.items() if slug in SPREADING))
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
                if folded(text.partition("(")[0]) in BOOK_RULES:
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


def _enter(rules: Rules, slug: str, value: str | None) -> None:
    known = rules.get(slug)
    if slug in rules and known is not None and value is not None:
        old, new = number(known), number(value)
        better = slug in ("regeneration", "scaly_skin")
        if old is None or new is None or (new >= old if better else new <= old):
            return
    elif slug in rules and value is None:
        return
    rules[slug] = value


@cache
def _slugs() -> Mapping[str, str]:
    return {folded(name): slug for slug, names in NAMES.items() for name in names}
