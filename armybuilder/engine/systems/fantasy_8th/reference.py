"""Reference data of the rules text: the 81 magic items, the eight lores with their spells, the ordinary weapons."""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.play_guide import KnownSpell

ItemCategory = Literal["weapon", "armour", "talisman", "banner", "arcane", "enchanted"]


class MagicItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One common magic item.

    Attributes:
        slot: what magic armour replaces.
        shoots: whether it is a weapon that is shot or thrown.
        magic_resistance: the value it gives.
        ward, regeneration: whether it gives such a save, conditions or not.
    """

    en: str
    ru: str
    category: ItemCategory
    points: int
    source: str
    slot: Literal["suit", "shield", "helm"] | None = None
    shoots: bool = False
    one_use: bool = False
    magic_resistance: int = 0
    ward: bool = False
    regeneration: bool = False

    @property
    def name(self) -> Text:
        """The item's name in both languages."""
        return Text(self.en, self.ru)


class Spell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One spell of a lore; number 0 is the signature spell."""

    number: int
    en: str
    ru: str
    type: str
    casting_value: int
    remains_in_play: bool
    source: str


class Lore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One lore of the rulebook."""

    en: str
    ru: str
    source: str
    spells: tuple[Spell, ...]


class Weapon(msgspec.Struct, frozen=True, kw_only=True):
    """What the checks need of an ordinary weapon.

    Attributes:
        use: "special" melee weapons exclude an additional hand weapon, "extra" ones give the extra attack.
    """

    use: Literal["hand", "special", "extra", "missile"]
    two_hands: bool = False
    mounting: bool | None = None


WEAPONS: Mapping[str, Weapon] = {
    "hand weapon": Weapon(use="hand"),
    "flail": Weapon(use="special", two_hands=True),
    "great weapon": Weapon(use="special", two_hands=True),
    "halberd": Weapon(use="special", two_hands=True),
    "lance": Weapon(use="special"),
    "morning star": Weapon(use="special"),
    "spear": Weapon(use="special", mounting=False),
    "infantry spear": Weapon(use="special", mounting=False),
    "spear infantry": Weapon(use="special", mounting=False),
    "cavalry spear": Weapon(use="special", mounting=True),
    "spear cavalry": Weapon(use="special", mounting=True),
    "additional hand weapon": Weapon(use="extra"),
    "two hand weapons": Weapon(use="extra"),
    "brace of pistols": Weapon(use="extra"),
    "bow": Weapon(use="missile"),
    "crossbow": Weapon(use="missile"),
    "handgun": Weapon(use="missile"),
    "javelin": Weapon(use="missile"),
    "javelins": Weapon(use="missile"),
    "longbow": Weapon(use="missile"),
    "pistol": Weapon(use="missile"),
    "short bow": Weapon(use="missile"),
    "shortbow": Weapon(use="missile"),
    "sling": Weapon(use="missile"),
    "throwing weapons": Weapon(use="missile"),
    "throwing axes": Weapon(use="missile"),
}
"""Ordinary weapons by name. Source: L756-883 [text], the table restored from flattened columns."""


RUSSIAN_WEAPONS: Mapping[str, str] = {
    "hand weapon": "ручное оружие",
    "flail": "цеп",
    "great weapon": "большое оружие",
    "halberd": "алебарда",
    "lance": "рыцарское копьё",
    "morning star": "моргенштерн",
    "spear": "копьё",
    "infantry spear": "копьё для пехоты",
    "spear infantry": "копьё для пехоты",
    "cavalry spear": "копьё для кавалерии",
    "spear cavalry": "копьё для кавалерии",
    "additional hand weapon": "дополнительное ручное оружие",
    "two hand weapons": "два ручных оружия",
    "brace of pistols": "пара пистолетов",
    "bow": "лук",
    "crossbow": "арбалет",
    "handgun": "аркебуза",
    "javelin": "дротик",
    "javelins": "дротики",
    "longbow": "длинный лук",
    "pistol": "пистолет",
    "short bow": "короткий лук",
    "shortbow": "короткий лук",
    "sling": "праща",
    "throwing weapons": "метательное оружие",
    "throwing axes": "метательные топоры",
}


def weapon_text(name: str) -> Text:
    """An ordinary weapon as a message names it: as written, and in Russian where the rulebook has a name for it."""
    return Text(name, RUSSIAN_WEAPONS.get(folded(name), name))


@lru_cache(maxsize=8192)
def folded(name: str) -> str:
    """A name as it is compared: case, hyphens, apostrophes and brackets do not matter."""
    return " ".join(name.casefold().translate(_SIGNS).split())


def weapon(name: str) -> Weapon | None:
    """An ordinary weapon by name; None for one the rulebook does not list."""
    return WEAPONS.get(folded(name))


def magic_item(name: str) -> MagicItem | None:
    """A common magic item by its English or Russian name; None for one of an army book."""
    return _items_by_name().get(folded(name))


@cache
def magic_items() -> Mapping[str, MagicItem]:
    """The common magic items by slug."""
    return msgspec.convert(_table("magic_items.toml"), dict[str, MagicItem])


def bearers(item: MagicItem) -> Text:
    """Who may carry a common item, if his army list gives him access. Source: L2120-2152, L2308-2310, L2344 [text]."""
    return LIMITED.get(item.en) or BEARERS[item.category]


BEARERS: Mapping[ItemCategory, Text] = {
    "weapon": Text("characters", "персонажи"),
    "armour": Text(
        "characters; wizards only if they may wear ordinary armour",
        "персонажи; волшебники, только если могут носить обычную броню",
    ),
    "talisman": Text("characters", "персонажи"),
    "banner": Text(
        "the army standard bearer, and standard bearers of units that may carry a magic banner",
        "знаменосец армии и знаменосцы отрядов, которым разрешено магическое знамя",
    ),
    "arcane": Text("wizards", "волшебники"),
    "enchanted": Text("characters", "персонажи"),
}

LIMITED: Mapping[str, Text] = {
    "Arabyan Carpet": Text(
        "characters of infantry and monstrous infantry, who then join no unit",
        "персонажи пехоты и чудовищной пехоты, которые тогда не присоединяются к отрядам",
    ),
    "Fozzrik's Folding Fortress": Text("characters, if a building is at hand", "персонажи, если есть модель здания"),
}
"""Items with limits of their own. Source: L2429-2438 [text]."""


@cache
def lores() -> Mapping[str, Lore]:
    """The eight lores by slug."""
    return msgspec.convert(_table("lores.toml"), dict[str, Lore])


def known_spells() -> Mapping[str, tuple[KnownSpell, ...]]:
    """The spells of each lore by its names in both languages, in small letters, as one plays from them."""
    found = {}
    for lore in lores().values():
        spells = tuple(KnownSpell(Text(spell.en, spell.ru), f"{spell.casting_value}+") for spell in lore.spells)
        found.update(dict.fromkeys((f"lore of {lore.en}".casefold(), lore.ru.casefold()), spells))
    return found


def one_use_items() -> frozenset[str]:
    """Names of the magic items that are gone once used, in both languages and small letters."""
    return frozenset(name.casefold() for item in magic_items().values() if item.one_use for name in (item.en, item.ru))


def lore_key(name: str) -> str:
    """A lore as its slug, if the rulebook has it: "Lore of Fire", "fire" and "Школа Огня" are the same."""
    words = folded(name)
    words = words.removeprefix("the ").removeprefix("lore of ").removeprefix("the ")
    return _lores_by_name().get(words, words)


def spell_of(lore: str, name: str) -> Spell | None:
    """A spell of one of the eight lores; None when that lore does not have it."""
    known = lores().get(lore)
    wanted = folded(name)
    spells = known.spells if known else ()
    return next((spell for spell in spells if wanted in {folded(spell.en), folded(spell.ru)}), None)


def any_spell(name: str) -> Spell | None:
    """A spell of any of the eight lores."""
    return next((spell for lore in lores() if (spell := spell_of(lore, name))), None)


def spell_named(name: str) -> Spell | None:
    """A spell by its name, with or without its article."""
    return any_spell(name) or any_spell(f"The {name}") or any_spell(folded(name).removeprefix("the "))


_SIGNS = str.maketrans({"'": None, "’": None, "-": " ", "–": " ", "(": " ", ")": " ", "!": None, ".": None, ",": None})


@cache
def _items_by_name() -> Mapping[str, MagicItem]:
    return {
        folded(name): item
        for slug, item in magic_items().items()
        for name in (slug.replace("_", " "), item.en, item.ru)
    }


@cache
def _lores_by_name() -> Mapping[str, str]:
    return {folded(name): slug for slug, lore in lores().items() for name in (slug, lore.en, lore.ru)}


def _table(name: str) -> dict[str, Any]:
    with Path(__file__).with_name(name).open("rb") as file:
        return tomllib.load(file)
