"""What the damaging spells of the eight lores do, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.systems.fantasy_8th.combat.attacks import ONE_WOUND

Number = Literal[
    "dice", "covered", "per_rank", "toughness_contest", "strength_contest", "leadership_contest", "everyone"
]


@dataclass(frozen=True, slots=True)
class Damage:
    """What a spell does to its target.

    Attributes:
        hits: number of hits; with `number` covered the models under it, with per_rank so many for each rank.
        strength: of the hits; None when the wound roll is given by `wound` or by the target's armour.
        wound: roll needed whatever the target; metal: the target's armour save is the roll needed.
        armour: an armour save is allowed.
        stronger: casting value from which the stronger version counts, and that version.
        test: characteristic a hit model tests on before the hit counts.
        pierces: goes on to the rank behind, a point of Strength weaker, while it slays.
        markers: that a comet begins with, and that are added in each phase.
        magical: a spell, against which Magic Resistance helps; chance: of happening at all.
        throned: the same when its caster sits on the Throne of Vines.
    """

    hits: Dice = ONE_WOUND
    number: Number = "dice"
    strength: int | None = None
    wound: int | None = None
    metal: bool = False
    armour: bool = True
    rules: tuple[str, ...] = ()
    test: str | None = None
    ward_again: bool = False
    one_model: bool = False
    pierces: bool = False
    markers: int = 0
    magical: bool = True
    chance: float = 1.0
    throned: "Damage | None" = None
    stronger: "tuple[int, Damage] | None" = None


@dataclass(frozen=True, slots=True)
class Removal:
    """A spell that removes models, no saves allowed.

    Attributes:
        test: characteristic whose test saves the model; None for a fixed roll.
        covered: only models under the template.
    """

    test: str | None = None
    covered: bool = False


def _dice(count: int, plus: int = 0) -> Dice:
    return Dice(count, 6, plus)


FLAMING = ("Flaming Attacks",)

NO_HITS = Dice(0, 0, 0)

SPELLS: Mapping[str, Damage | Removal] = {
    "Fireball": Damage(
        _dice(1), strength=4, rules=FLAMING,
        stronger=(10, Damage(_dice(2), strength=4, rules=FLAMING,
                             stronger=(18, Damage(_dice(3), strength=4, rules=FLAMING)))),
    ),
    "Cascading Fire-Cloak": Damage(_dice(2), strength=4, rules=FLAMING),
    "The Burning Head": Damage(number="covered", strength=4, rules=FLAMING),
    "Piercing Bolts of Burning": Damage(Dice(1, 3), "per_rank", strength=3, rules=FLAMING),
    "Fulminating Flame Cage": Damage(_dice(1), strength=4, rules=FLAMING),
    "Flame Storm": Damage(number="covered", strength=4, rules=FLAMING),
    "The Flock of Doom": Damage(_dice(2), strength=2),
    "The Amber Spear": Damage(
        strength=6, armour=False, rules=("Multiple Wounds (D3)",), pierces=True,
        stronger=(16, Damage(strength=10, armour=False, rules=("Multiple Wounds (D6)",), pierces=True)),
    ),
    "Searing Doom": Damage(
        _dice(1), metal=True, armour=False, rules=FLAMING,
        stronger=(20, Damage(_dice(2), metal=True, armour=False, rules=FLAMING)),
    ),
    "Gehenna's Golden Hounds": Damage(_dice(1), metal=True, armour=False, rules=FLAMING, one_model=True),
    "Final Transmutation": Removal(),
    "Shem's Burning Gaze": Damage(
        _dice(1), strength=4, rules=FLAMING, stronger=(15, Damage(_dice(1), strength=6, rules=FLAMING))
    ),
    "Net of Amyntok": Damage(_dice(1), strength=4),
    "Banishment": Damage(_dice(2), strength=4, ward_again=True),
    "Awakening of the Wood": Damage(_dice(1), strength=4, throned=Damage(_dice(1), strength=6)),
    "Shield of Thorns": Damage(_dice(2), strength=3, throned=Damage(_dice(2), strength=4)),
    "Iceshard Blizzard": Damage(NO_HITS, strength=4),
    "Curse of the Midnight Wind": Damage(NO_HITS, strength=4),
    "Comet of Casandora": Damage(
        _dice(2), strength=4, markers=1, stronger=(24, Damage(_dice(2), strength=4, markers=2))
    ),
    "The Dwellers Below": Removal("S"),
    "Wind Blast": Damage(_dice(1), strength=3),
    "Urannon's Thunderbolt": Damage(_dice(1), strength=6),
    "Chain Lightning": Damage(_dice(1), strength=6),
    "The Penumbral Pendulum": Damage(
        number="covered", strength=10, rules=("Multiple Wounds (D3)",), test="I"
    ),
    "Pit of Shades": Removal("I", covered=True),
    "Spirit Leech": Damage(number="leadership_contest", wound=1, armour=False, one_model=True),
    "The Caress of Laniph": Damage(number="strength_contest", wound=4, armour=False, one_model=True),
    "The Fate of Bjuna": Damage(number="toughness_contest", wound=2, armour=False, one_model=True),
    "The Purple Sun of Xereus": Removal("I", covered=True),
}  # fmt: skip
"""Spells that do damage, by English name. Source: L1702-2118 [text]."""

HAZARDS: Mapping[str, Damage] = {
    "Sinister Statue": Damage(_dice(1), strength=4, magical=False, chance=1 / 2),
    "Haunted Mansion": Damage(_dice(1), strength=1, armour=False, magical=False),
    "Tangled Forest": Damage(_dice(1), strength=4, magical=False, chance=1 / 2),
    "Blood Forest": Damage(_dice(1), strength=4, magical=False),
    "Boiling River": Damage(number="everyone", strength=4, armour=False, magical=False),
    "Magic Portal": Damage(_dice(1), strength=4, rules=FLAMING, chance=6 / 36),
}
"""Special terrain that hits whoever is near; a portal casts Fireball on 10-12. Source: L1191-1409 [text]."""

HAZARD_NAMES: Mapping[str, str] = {
    "Зловещая статуя": "Sinister Statue",
    "Особняк призраков": "Haunted Mansion",
    "Дебри": "Tangled Forest",
    "Кровавый лес": "Blood Forest",
    "Кипящий поток": "Boiling River",
    "Волшебный портал": "Magic Portal",
}

RESTORED = {False: Dice(1, 3, 1), True: Dice(1, 6, 1)}
"""Wounds' worth of models that Regrowth gives back, without and with the Throne of Vines. Source: L1942-1956 [text]."""

REACH: Mapping[str, tuple[tuple[int, int], ...]] = {
    "Fireball": ((5, 24), (10, 36), (18, 48)),
    "The Burning Head": ((10, 18), (18, 36)),
    "Piercing Bolts of Burning": ((10, 24), (13, 48)),
    "Fulminating Flame Cage": ((11, 24), (14, 48)),
    "Flame Storm": ((13, 30),),
    "The Flock of Doom": ((5, 24), (8, 48)),
    "The Amber Spear": ((9, 24), (16, 24)),
    "Searing Doom": ((10, 24), (20, 24)),
    "Gehenna's Golden Hounds": ((9, 12), (12, 24)),
    "Final Transmutation": ((15, 18), (18, 36)),
    "Shem's Burning Gaze": ((5, 24), (15, 48)),
    "Banishment": ((10, 24), (13, 48)),
    "Awakening of the Wood": ((6, 18),),
    "The Dwellers Below": ((18, 12), (21, 24)),
    "Wind Blast": ((7, 24),),
    "Urannon's Thunderbolt": ((10, 24), (13, 48)),
    "Chain Lightning": ((15, 24),),
    "The Penumbral Pendulum": ((13, 21), (18, 42)),
    "Pit of Shades": ((14, 24),),
    "Spirit Leech": ((7, 12), (10, 24)),
    "The Caress of Laniph": ((6, 12), (12, 24)),
    "The Fate of Bjuna": ((13, 12),),
    "The Purple Sun of Xereus": ((15, 18),),
}
"""Spells that are cast at an enemy from afar: casting value and range in inches of each way to cast them.

A pendulum swings 6D6 inches and the sun three times the artillery die: their means. Source: L1702-2118 [text].
"""

EXORCISM = frozenset({"Shem's Burning Gaze", "Banishment", "Net of Amyntok"})
HARMLESS = frozenset({"Iceshard Blizzard", "Curse of the Midnight Wind"})
"""Hexes of Heavens, which hurt only those who fly."""

ROILING_SKIES = frozenset({"Wind Blast", "Urannon's Thunderbolt", "Chain Lightning", "Comet of Casandora"}) | HARMLESS
"""Spells of Light and Heavens, whose lores do more to undead and daemons, and to those who fly."""

LIFE_LEECHING = frozenset({"Spirit Leech", "The Caress of Laniph", "The Fate of Bjuna", "The Purple Sun of Xereus"})
"""Spells of Death, whose lore makes power dice of wounds. Source: L2066-2071 [text]."""
