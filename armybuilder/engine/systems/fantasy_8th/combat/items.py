"""How the common magic items count in fights: the rows of items.toml beside this file."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat.stat_modifiers import NO_CHANGE, StatModifier
from armybuilder.engine.systems.fantasy_8th.combat.weapons import Arm
from armybuilder.engine.systems.fantasy_8th.reference import magic_item, magic_items

ItemPlace = Literal[
    "blows", "hits", "shooting", "spells", "leadership", "combat_result", "attack_count", "casting", "dispelling",
    "attempt", "answers", "winds", "miscast", "charge", "pursuit",
]  # fmt: skip
"""Where a magic item counts.

blows: of both in close combat; hits: of both where there are automatic hits; spells: of the target.
casting, dispelling: of the two wizards; attempt: of both in a whole attempt to cast a spell at a target.
answers: what a wizard who is struck could use against the spell, if he were the one who dispels it.
"""


class ItemRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one item counts.

    Attributes:
        status: of one attack or fight; each item that is simulated has a part in some kind.
        modifier: what it changes of its bearer, or of his whole unit.
        weapon: members of an `Arm` in which a magic weapon differs from a hand weapon.
        suit, shield: points of magic armour.
        remembered: the states of a body remember already that it is used up.
        battle, battle_how: how it is in whole battles where that is another matter.
    """

    status: Literal["modelled", "not_simulated"]
    counts: tuple[ItemPlace, ...] = ()
    modifier: StatModifier = NO_CHANGE
    weapon: dict[str, Any] = msgspec.field(default_factory=dict)
    suit: int | None = None
    shield: int | None = None
    remembered: bool = False
    battle: Literal["approximated"] | None = None
    battle_how: Text | None = None


def _rows() -> Mapping[str, ItemRow]:
    with Path(__file__).with_name("items.toml").open("rb") as file:
        rows = msgspec.convert(tomllib.load(file), dict[str, ItemRow])
    return {magic_items()[key].en: row for key, row in rows.items()}


ITEMS = _rows()
"""By English name, as in magic_items.toml. Source: L2153-2480 [text]."""

ITEM_MODIFIERS: Mapping[str, StatModifier] = {
    name: row.modifier for name, row in ITEMS.items() if row.modifier != NO_CHANGE
}
"""Magic items that change their bearer."""

MAGIC_SUITS = {name: row.suit for name, row in ITEMS.items() if row.suit is not None}
MAGIC_SHIELDS = {name: row.shield for name, row in ITEMS.items() if row.shield is not None}
"""Points of magic armour."""

MAGIC_WEAPONS: Mapping[str, Arm] = {
    item.en: msgspec.convert({"name": item.en, "magic": True} | ITEMS[item.en].weapon, Arm)
    for item in magic_items().values()
    if item.category == "weapon"
}
"""What the magic weapons do in a fight. Source: L2153-2215 [text]."""


@cache
def items_counting_in(*places: ItemPlace) -> frozenset[str]:
    """English names of the items that count in one of these places."""
    return frozenset(name for name, row in ITEMS.items() if not set(places).isdisjoint(row.counts))


def is_understood(name: str) -> bool:
    """Whether an item is a common one that changes some number of a fight, a volley, a spell, a test or a battle."""
    item = magic_item(name)
    return item is not None and (ITEMS[item.en].status == "modelled" or ITEMS[item.en].battle is not None)
