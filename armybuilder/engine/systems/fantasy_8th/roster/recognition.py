"""How names and values of game data are understood: categories, troop types, items, weapons, wizard levels, races."""

import re
from functools import cache

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import Category, Profile, TroopType
from armybuilder.engine.systems.fantasy_8th.list_rules.alliances import CAMPS
from armybuilder.engine.systems.fantasy_8th.reference import ItemCategory, MagicItem, folded, magic_item, weapon

MODEL, WEAPON, ARMOUR, TALISMAN, STANDARD, DEVICE = (
    "Model",
    "Weapon",
    "Armour",
    "Talisman",
    "Magic Standard",
    "Arcane and Enchanted Item",
)
"""Profile types."""

CATEGORIES: dict[str, Category] = {
    "lord": "lord",
    "lords": "lord",
    "hero": "hero",
    "heroes": "hero",
    "core": "core",
    "special": "special",
    "rare": "rare",
}

TROOP_TYPES: dict[str, TroopType] = {
    "infantry": "infantry",
    "monstrous infantry": "monstrous_infantry",
    "monstrous infrantry": "monstrous_infantry",
    "cavalry": "cavalry",
    "cavarly": "cavalry",
    "monstrous cavalry": "monstrous_cavalry",
    "swarm": "swarm",
    "swarms": "swarm",
    "war beast": "war_beast",
    "war beasts": "war_beast",
    "monstrous beast": "monstrous_beast",
    "monstrous beasts": "monstrous_beast",
    "monsterous beast": "monstrous_beast",
    "monster": "monster",
    "chariot": "chariot",
    "war machine": "war_machine",
    "warmachine": "war_machine",
    "unique": "unique",
    "unique unit": "unique",
}
"""Troop types as the data writes them, slips of the pen included."""

RIDDEN: dict[TroopType, TroopType] = {
    "chariot": "chariot",
    "monster": "monster",
    "monstrous_cavalry": "monstrous_cavalry",
    "monstrous_beast": "monstrous_cavalry",
    "cavalry": "cavalry",
    "war_beast": "cavalry",
}
"""What a rider becomes by the troop type of his mount, the weightiest first. Source: L979-990 [text, decision]."""

ITEM_GROUPS: tuple[tuple[str, ItemCategory], ...] = (
    ("standard", "banner"),
    ("banner", "banner"),
    ("arcane", "arcane"),
    ("enchanted", "enchanted"),
    ("talisman", "talisman"),
    ("armour", "armour"),
    ("armor", "armour"),
    ("weapon", "weapon"),
)
"""Category of a magic item by a word in the name of its group."""

ITEM_PROFILES: dict[str, ItemCategory] = {
    WEAPON: "weapon",
    ARMOUR: "armour",
    TALISMAN: "talisman",
    STANDARD: "banner",
    DEVICE: "enchanted",
}
"""Category of a magic item by its profile, where the group does not say."""

ITEM_ALIASES = {
    "channeling staff": "Channelling Staff",
    "featherfoe torc": "Featherfoe Torch",
    "fozziriks folding fortress": "Fozzrik's Folding Fortress",
    "pidgeon plucker pendant": "Pigeon Plucker Pendant",
    "standard of discipiline": "Standard of Discipline",
    "rubin ring of ruin": "Ruby Ring of Ruin",
    "talisman of endurence": "Talisman of Endurance",
    "terrifying mask of eee": "Terrifying Mask of Eee!",
    "dawn stone": "Dawnstone",
    "gold sigil": "Gold Sigil Sword",
}
"""Common items that the data spells in another way."""

WEAPON_NAMES = {
    "two/additional hand weapons": "Additional hand weapon",
    "two/additional hand weapon": "Additional hand weapon",
    "two hand weapons": "Additional hand weapon",
    "additional hand weapons": "Additional hand weapon",
    "aditional hand weapon": "Additional hand weapon",
    "spear foot": "Spear",
    "spear mounted": "Cavalry spear",
    "lance mounted models only": "Lance",
    "brace of pistols combat": "Brace of pistols",
    "brace of pistols shooting": "Brace of pistols",
    "throwing weapon": "Throwing weapons",
    "throwing axe": "Throwing axes",
}
"""Ordinary weapons that the data names in another way than the rulebook."""

STATS = ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")
_WITH_REMARK = re.compile(r"(\d{1,2})\s*(?:[(/]|\+\s*\d+\s*\(|\+\*)")
_BOOK = re.compile(r"^(?:\((?:AB|BRB)\)|(?:AB|BRB|WoC|Beastmen)\s*(?:\([^)]*\))?\s*-)\s*")
_BRACKETS = re.compile(r"(?<!\s)\s*\((?P<inside>[^()]*)\)")
_TAIL = re.compile(r"(?<!\s)\s*\([^()]*\)?$")
_REMARKS = re.compile(r"only|faq|points|pts|brb-|ab-", re.IGNORECASE)
_LEVEL = re.compile(r"\blevel (\d)\b")
_ROLL = re.compile(r"(\d{1,2})\+|([2-6])$")
"""A save: "5+", "5+ (-1 to rider)", and "5" as some authors write it; "-1" and "+1" change another one."""


def is_model(row: ProfileState) -> bool:
    """Whether it is a row of characteristics."""
    return row.type_name == MODEL


def category_of(name: str) -> Category | None:
    """The category an army document knows by this name."""
    return CATEGORIES.get(folded(name))


def troop_type(text: str) -> TroopType | None:
    """The troop type a profile states: "Infantry (Special Character)" is infantry; None for a dash and the unknown."""
    return TROOP_TYPES.get(folded(_TAIL.sub("", text.partition("(")[0].partition(",")[0])))


def is_special_character(text: str) -> bool:
    """Whether the type of a profile says that it is a named character."""
    return "special ch" in text.casefold()


def number(text: str | None) -> int | None:
    """A characteristic that is a plain number; None for dice, dashes and words."""
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 4 else None


def first_number(text: str | None) -> int | None:
    """A characteristic with a remark: "4 (5)", "8/10" and "3+*" are 4, 8 and 3; dice and a save are none."""
    found = _WITH_REMARK.match((text or "").strip())
    return int(found[1]) if found else number(text)


def odd_characteristics(row: ProfileState) -> list[str]:
    """Characteristics that say more than a number, as they are told to the player: "S: 4 (5)"."""
    values = {key.casefold(): value.strip() for key, value in row.characteristics}
    texts = ((name, values.get(name.casefold(), "")) for name in STATS)
    return [f"{name}: {text}" for name, text in texts if _WITH_REMARK.match(text)]


def profile_of(found: ProfileState) -> Profile:
    """The characteristics of a model; saves that only change another save are left out."""
    values = {key.casefold(): value.strip() for key, value in found.characteristics}
    plain = {name: first_number(values.get(name.casefold())) for name in STATS}
    return Profile(**plain, Sv=_saved(values.get("armoursave")), Ward=_saved(values.get("wardsave")))


def _saved(text: str | None) -> str | None:
    found = _ROLL.match(text or "")
    return f"{found[1] or found[2]}+" if found else None


def without_remarks(name: str) -> str:
    """A name without the book it is from and remarks such as (FAQ'ed) or (Khorne only)."""
    return _BRACKETS.sub(_unless_a_remark, _BOOK.sub("", name)).strip()


def _unless_a_remark(found: re.Match[str]) -> str:
    is_remark = found["inside"] == "*" or _REMARKS.search(found["inside"]) is not None
    return "" if is_remark else found[0]


def common_item(name: str) -> MagicItem | None:
    """The item of the rulebook that the data means; None for one of an army book."""
    plain = without_remarks(name)
    words = folded(plain)
    for candidate in (plain, words.removeprefix("the ")):
        known = magic_item(candidate) or magic_item(ITEM_ALIASES.get(folded(candidate), ""))
        if known is not None:
            return known
    return None


def names_an_item(node: SelectionState) -> bool:
    """Whether a selection is a magic item: by its group, or by the book in front of its name."""
    if not any(profile.type_name in ITEM_PROFILES for profile in node.profiles):
        return False
    if any("rune" in segment for segment in folded(node.group_names).split("::")) or "rune of" in folded(node.name):
        return False  # runes are combined by rules of their own book
    if any("arrow" in segment for segment in folded(node.group_names).split("::")):
        return False  # enchanted ammunition is bought for whole units, as often as one likes
    if _BOOK.match(node.name):
        return True
    innermost = folded(node.group_names).rpartition("::")[2]
    within = "magic" in folded(node.group_names)
    sorts = ("arcane", "enchanted", "talisman", *(("magic", "weapon", "armour", "armor", "standard") if within else ()))
    return any(word in innermost for word in sorts)


def is_piece_of_armour(rule: str, node: SelectionState) -> bool:
    """Whether a selection is a piece of armour that its data describes by a rule of the same name."""
    name = folded(rule)
    return name == folded(node.name) and name.endswith(("armour", "armor", "shield", "shields"))


def item_category(node: SelectionState) -> ItemCategory:
    """The category of an army book's item: by the innermost group that says it, else by its profile."""
    for segment in reversed(folded(node.group_names).split("::")):
        for word, category in ITEM_GROUPS:
            if word in segment:
                return category
    return next(ITEM_PROFILES[profile.type_name] for profile in node.profiles if profile.type_name in ITEM_PROFILES)


def weapon_name(name: str) -> str:
    """A weapon as the rulebook names it, where it does."""
    plain = without_remarks(name)
    whole = folded(plain)
    short = folded(_TAIL.sub("", plain))
    known = WEAPON_NAMES.get(whole) or WEAPON_NAMES.get(short)
    if known:
        return known
    return plain if weapon(plain) or not weapon(short) else _TAIL.sub("", plain)


def is_shot(row: ProfileState) -> bool:
    """Whether a row is that of a weapon which is shot or thrown so far."""
    return row.type_name == WEAPON and (row.value("Range") or "").strip()[:1].isdecimal()


def rule_name(name: str) -> str:
    """A special rule without remarks: "Skirmishers (FAQ'ed)" is Skirmishers, "Impact Hits (D6)" stays as it is."""
    return without_remarks(name)


def wizard_level(name: str) -> int | None:
    """The level an option such as "Wizard Level 2" or "Level 1 Wizard (Lore of Life)" gives."""
    found = _LEVEL.search(folded(name))
    return int(found.group(1)) if found and found.group(1) != "0" else None


def lore_name(name: str) -> str | None:
    """The lore an option names: "Lore of Fire", also within "Level 1 Wizard - Lore of Shadow"."""
    start = name.casefold().find("lore of ")
    if start < 0:
        return None
    return without_remarks(name[start:].rstrip(") "))


@cache
def race_of(catalogue: str) -> str:
    """The race of an army list, as the camps name it; the name itself for one that is in no camp."""
    words = "_".join(folded(catalogue.replace("&", "and").replace("_", " ").replace("Kindoms", "Kingdoms")).split())
    known = (race for races in CAMPS.values() for race in races if words.startswith((race, race.rstrip("s"))))
    return next(known, words.partition("_army_book")[0] or catalogue)
