"""What is in effect on a unit besides its own rules: the rows of effects.toml, spells and special terrain by name."""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import NO_CHANGE, StatModifier
from armybuilder.engine.systems.fantasy_8th.reference import folded, lores, spell_named

EffectPlace = Literal[
    "fight", "leadership", "attack_count", "charge", "dangerous_terrain", "winds", "miscast", "growth",
]  # fmt: skip
"""Where a spell or special terrain in effect counts; fight: blows, shots and spells."""


class EffectRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one spell or one piece of special terrain counts while it is in effect on a unit.

    Attributes:
        ru: Russian name of terrain; spells have theirs in lores.toml.
        way: Russian word for the way to cast a spell that stands in brackets behind its name.
    """

    counts: tuple[EffectPlace, ...]
    modifier: StatModifier = NO_CHANGE
    ru: str | None = None
    way: str | None = None


def _rows() -> Mapping[str, EffectRow]:
    with Path(__file__).with_name("effects.toml").open("rb") as file:
        return msgspec.convert(tomllib.load(file), dict[str, EffectRow])


EFFECTS = _rows()
"""Everything that can be in effect on a unit, by English name. Source: L1174-1421, L1702-2104 [text]."""

EFFECT_MODIFIERS: Mapping[str, StatModifier] = {name: row.modifier for name, row in EFFECTS.items()}

TERRAIN_NAMES: Mapping[str, Text] = {name: Text(name, row.ru) for name, row in EFFECTS.items() if row.ru is not None}
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


@cache
def effects_counting_in(*places: EffectPlace) -> frozenset[str]:
    """English names of what counts in one of these places."""
    return frozenset(name for name, row in EFFECTS.items() if not set(places).isdisjoint(row.counts))


@cache
def effect_words() -> dict[str, Text]:
    """Everything that can be in effect, in both languages."""
    spells = {spell.en: spell.ru for lore in lores().values() for spell in lore.spells}
    cast = {
        name: Text(name, f"{spells[name.partition(' (')[0]]} ({row.way})")
        for name, row in EFFECTS.items()
        if row.way is not None
    }
    return {name: Text(name, russian) for name, russian in spells.items()} | cast | dict(TERRAIN_NAMES)


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
    chosen = _ways(spell.en).get(folded(way))
    return spell.en if chosen is None else chosen


@cache
def _ways(spell: str) -> Mapping[str, str]:
    """Rows of the ways to cast a spell, by what stands in brackets."""
    ways = (name for name, row in EFFECTS.items() if row.way is not None and name.startswith(f"{spell} ("))
    return {folded(name.partition("(")[2]): name for name in ways}


@lru_cache(maxsize=1)
def _terrain_by_name() -> Mapping[str, str]:
    return {folded(word): name for name, words in TERRAIN_NAMES.items() for word in (words.en, words.ru)}
