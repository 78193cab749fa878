"""What is in effect on a unit besides its own rules: spells by their names, special terrain, and what each changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.reference import folded, lores, spell_named


@dataclass(frozen=True, slots=True)
class StatModifier:
    """What an item, a spell in effect or special terrain changes.

    Attributes:
        add, put: characteristics raised or lowered, or set.
        rules: special rules given, slug to value.
        hit, wound: added to the bearer's rolls; enemy_hit, enemy_wound: to the rolls against him.
        armour: added to the armour save; ward: a ward save.
        melee: what it does to rolls to hit it does in close combat only.
        cover: of the unit, against shooting: 1 soft, 2 hard.
        unit: for the whole unit, not only the bearer.
        lowered: characteristics lowered by one D3, rolled once.
    """

    add: tuple[tuple[str, int], ...] = ()
    put: tuple[tuple[str, int], ...] = ()
    rules: tuple[tuple[str, str | None], ...] = ()
    hit: int = 0
    wound: int = 0
    enemy_hit: int = 0
    enemy_wound: int = 0
    armour: int = 0
    ward: int | None = None
    melee: bool = False
    cover: int = 0
    unit: bool = False
    lowered: tuple[str, ...] = ()


def _gives(*rules: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((rule, None) for rule in rules)


VARIANTS: Mapping[str, Mapping[str, StatModifier]] = {
    "Melkoth's Mystifying Miasma": {
        **{name: StatModifier(lowered=(name,)) for name in ("WS", "BS", "I", "M")},
        "all": StatModifier(lowered=("WS", "BS", "I", "M")),
    },
    "Aspect of the Dreadknight": {"Terror": StatModifier(rules=_gives("terror"))},
}
"""Spells that do another thing when cast in another way; the way stands in brackets: "... (BS)"."""

TERRAIN_BOONS: Mapping[str, StatModifier] = {
    "Anvil of Vaul": StatModifier(rules=_gives("magical_attacks", "flaming_attacks")),
    "Earthblood Mere": StatModifier(rules=(("regeneration", "6+"),)),
    "Misty Mire": StatModifier(cover=2),
    "Altar of Khaine": StatModifier(rules=_gives("frenzy")),
    "Baleful Stone": StatModifier(enemy_wound=1),
    "Charnel Pit": StatModifier(add=(("Ld", -1),)),
    "Magic Circle": StatModifier(rules=(("magic_resistance", "2"),)),
    "Acropolis of Heroes": StatModifier(rules=_gives("stubborn")),
    "Dwarf Brewery": StatModifier(rules=_gives("stubborn", "immune_to_psychology")),
    "Dwarf Brewery (Dwarfs)": StatModifier(rules=_gives("unbreakable", "immune_to_psychology")),
    "Grail Chapel": StatModifier(rules=(("regeneration", "6+"),)),
    "Grail Chapel (Bretonnia)": StatModifier(rules=(("regeneration", "6+"), ("stubborn", None))),
    "Tower of Blood": StatModifier(rules=_gives("hatred")),
    "Tower of Blood (Destruction)": StatModifier(rules=_gives("hatred", "frenzy")),
    "Sigmarite Shrine": StatModifier(),
    "Idol of Gork": StatModifier(),
    "Elven Waystone": StatModifier(),
    "Arcane Ruins": StatModifier(),
    "Haunted Mansion": StatModifier(rules=_gives("fear")),
    "Dense Forest": StatModifier(rules=_gives("fear"), cover=1),
    "Fungus Forest": StatModifier(rules=_gives("stupidity"), cover=1),
    "Fungus Forest (Goblins)": StatModifier(rules=_gives("stupidity", "stubborn"), cover=1),
    "Poison Forest": StatModifier(rules=_gives("poisoned_blows"), cover=1),
    "Necrotic River": StatModifier(rules=_gives("poisoned_attacks")),
    "Wild River": StatModifier(add=(("I", 3),)),
    "Blood River": StatModifier(rules=_gives("fear")),
    "Scree Slope": StatModifier(),
    "Khemrian Quicksand": StatModifier(),
    "Hedge": StatModifier(enemy_hit=-1, melee=True, cover=1),
    "Wall": StatModifier(enemy_hit=-1, melee=True, cover=2),
    "Burning Barricade": StatModifier(cover=1),
    "Blessed Bulwark": StatModifier(enemy_hit=-1, melee=True, cover=2),
    "Blessed Bulwark (against Destruction)": StatModifier(enemy_hit=-1, melee=True, cover=2),
    "Ghost Fence": StatModifier(cover=1),
}
"""Special terrain that a unit stands in, behind or near enough to, as changes of it. Source: L1174-1421 [text]."""

TERRAIN_NAMES: dict[str, Text] = {
    name: Text(name, russian)
    for name, russian in {
        "Anvil of Vaul": "Наковальня Ваула",
        "Earthblood Mere": "Топь земной крови",
        "Misty Mire": "Туманная трясина",
        "Altar of Khaine": "Алтарь Кхайне",
        "Baleful Stone": "Гибельный камень",
        "Charnel Pit": "Погребальная яма",
        "Magic Circle": "Магический круг",
        "Acropolis of Heroes": "Акрополь героев",
        "Dwarf Brewery": "Гномская пивоварня",
        "Dwarf Brewery (Dwarfs)": "Гномская пивоварня (гномы)",
        "Grail Chapel": "Часовня Грааля",
        "Grail Chapel (Bretonnia)": "Часовня Грааля (Бретонния)",
        "Tower of Blood": "Башня крови",
        "Tower of Blood (Destruction)": "Башня крови (Разрушение)",
        "Sigmarite Shrine": "Зигмаритское святилище",
        "Idol of Gork": "Идол Горка",
        "Elven Waystone": "Эльфийский путевой камень",
        "Arcane Ruins": "Магические руины",
        "Haunted Mansion": "Особняк призраков",
        "Dense Forest": "Дремучий лес",
        "Fungus Forest": "Грибной лес",
        "Fungus Forest (Goblins)": "Грибной лес (гоблины)",
        "Poison Forest": "Ядовитая чаща",
        "Necrotic River": "Некротическая жижа",
        "Wild River": "Неистовое течение",
        "Blood River": "Река крови",
        "Scree Slope": "Каменистый склон",
        "Khemrian Quicksand": "Кхемрийские зыбучие пески",
        "Hedge": "Изгородь",
        "Wall": "Стена",
        "Burning Barricade": "Горящая баррикада",
        "Blessed Bulwark": "Благословенный оплот",
        "Blessed Bulwark (against Destruction)": "Благословенный оплот (против Разрушения)",
        "Ghost Fence": "Призрачный барьер",
    }.items()
}
"""Special terrain in both languages; what stands in brackets says whose unit it is, or who attacks it."""


EffectName = Literal[
    "Aspect of the Dreadknight", "Aspect of the Dreadknight (Terror)", "Birona's Timewarp",
    "Curse of the Midnight Wind", "Doom and Darkness", "Earth Blood", "Enchanted Blades of Aiban",
    "Flaming Sword of Rhuin", "Flesh to Stone", "Glittering Robe", "Harmonic Convergence", "Iceshard Blizzard",
    "Light of Battle", "Melkoth's Mystifying Miasma (BS)", "Melkoth's Mystifying Miasma (I)",
    "Melkoth's Mystifying Miasma (WS)", "Melkoth's Mystifying Miasma (all)", "Okkam's Mindrazor",
    "Pann's Impenetrable Pelt", "Pha's Protection", "Plague of Rust", "Soulblight", "The Curse of Anraheir",
    "The Enfeebling Foe", "The Savage Beast of Horros", "The Speed of Light", "The Withering", "Throne of Vines",
    "Transmutation of Lead", "Wyssan's Wildform", "Acropolis of Heroes", "Altar of Khaine", "Anvil of Vaul",
    "Baleful Stone", "Blood River", "Charnel Pit", "Dense Forest", "Dwarf Brewery", "Dwarf Brewery (Dwarfs)",
    "Earthblood Mere", "Fungus Forest", "Fungus Forest (Goblins)", "Grail Chapel", "Grail Chapel (Bretonnia)",
    "Haunted Mansion", "Magic Circle", "Misty Mire", "Necrotic River", "Poison Forest", "Sigmarite Shrine",
    "Tower of Blood", "Tower of Blood (Destruction)", "Wild River",
]  # fmt: skip
"""What players may state to be in effect on a unit in a fight: spells, then special terrain."""

WAYS: Mapping[str, str] = {"WS": "НР", "BS": "НС", "I": "И", "M": "Дв", "all": "всё", "Terror": "ужас"}
"""Ways to cast a spell in Russian."""


@cache
def effect_words() -> dict[str, Text]:
    """Everything that can be in effect, in both languages."""
    spells = {spell.en: spell.ru for lore in lores().values() for spell in lore.spells}
    cast = {
        f"{name} ({way})": Text(f"{name} ({way})", f"{spells[name]} ({WAYS[way]})")
        for name, ways in VARIANTS.items()
        for way in ways
    }
    return {name: Text(name, russian) for name, russian in spells.items()} | cast | TERRAIN_NAMES


@lru_cache(maxsize=1024)
def effect_named(text: str) -> str | None:
    """The English name of a spell or of special terrain in effect, with the way it was cast; None for anything else."""
    terrain = _terrain_by_name().get(folded(text))
    if terrain is not None:
        return terrain
    name, _, way = text.partition("(")
    spell = spell_named(text) or spell_named(name)
    if spell is None:
        return None
    ways = {folded(known): known for known in VARIANTS.get(spell.en, ())}
    chosen = ways.get(folded(way))
    return spell.en if chosen is None else f"{spell.en} ({chosen})"


@lru_cache(maxsize=1)
def _terrain_by_name() -> Mapping[str, str]:
    return {folded(word): name for name, words in TERRAIN_NAMES.items() for word in (words.en, words.ru)}
