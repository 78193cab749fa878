"""Magic items: who may carry what, once in the army, one of each category (WF-22 to WF-45)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.fantasy_8th.army import Army, Unit
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import ITEM_CATEGORIES, SLOTS, finding
from armybuilder.engine.systems.fantasy_8th.list_rules.wizards import WIZARDING_HAT
from armybuilder.engine.systems.fantasy_8th.reference import folded

ON_FOOT = ("infantry", "monstrous_infantry")
CARPET = "Arabyan Carpet"
FORTRESS = "Fozzrik's Folding Fortress"
MASK = "Terrifying Mask of Eee!"
SILVERED_STEEL = "Armour of Silvered Steel"
DISCIPLINE = "Standard of Discipline"


WORN_OVER = ("cloak", "cape", "pelt")
"""Worn over a suit of armour: no second suit (L2219)."""

SHIELD_LIKE = ("shield", "ironfist", "pavise")
NO_SUIT = ("skin", "frame", "net", "gut maw")
"""Armour of army books that is neither suit nor shield: it goes with one."""


def unique_items(army: Army) -> Iterator[Finding]:
    """WF-22: every item is taken once in an army, army-book items too (L2125)."""
    taken: dict[tuple[int, str], list[tuple[str, str | Text]]] = {}
    for at, unit in army.places:
        for index, name, item in unit.items:
            key = (unit.army, folded(item.en if item else name))
            taken.setdefault(key, []).append((f"{at}/magic_items/{index}", item.name if item else name))
    for places in taken.values():
        if len(places) > 1:
            yield finding("WF-22", at=places[1][0], item=places[1][1], n=len(places))


def one_of_each_category(army: Army) -> Iterator[Finding]:
    """WF-23: one item of each of six categories; special characters are exempt."""
    for at, unit in army.places:
        counts = Counter(item.category for _, _, item in unit.items if item)
        for category, n in counts.items():
            if n > 1 and not unit.special_character:
                yield finding("WF-23", at=f"{at}/magic_items", name=unit.name, cat=ITEM_CATEGORIES[category])


def bearers(army: Army) -> Iterator[Finding]:
    """WF-24 and WF-25: items on units and characters that have no access; banners have rules of their own."""
    for at, unit in army.places:
        allowed = unit.is_character if unit.magic_items_allowed is None else unit.magic_items_allowed
        if allowed:
            continue
        for index, name, item in unit.items:
            if item is None or item.category != "banner":
                rule = "WF-25" if unit.is_character else "WF-24"
                yield finding(rule, at=f"{at}/magic_items/{index}", item=item.name if item else name, name=unit.name)


def wizards_in_armour(army: Army) -> Iterator[Finding]:
    """WF-26: magic interference keeps a wizard without ordinary armour from magic armour."""
    for at, unit in army.places:
        if unit.wizard_level > 0 and not unit.armour_access and not unit.armour:
            for index, _, item in unit.items_of("armour"):
                yield finding("WF-26", at=f"{at}/magic_items/{index}", name=unit.name, item=item.name)


def arcane_items(army: Army) -> Iterator[Finding]:
    """WF-27: arcane items are for wizards; the Wizarding Hat gives no access to them (E-10)."""
    for at, unit in army.places:
        if unit.wizard_level == 0:
            for index, _, item in unit.items_of("arcane"):
                yield finding("WF-27", at=f"{at}/magic_items/{index}", item=item.name)


def banners(army: Army) -> Iterator[Finding]:
    """WF-28 to WF-30: a unit's standard bearer with permission, or the army standard bearer."""
    for at, unit in army.places:
        for index, _, item in unit.items_of("banner"):
            place = f"{at}/magic_items/{index}"
            if unit.is_character:
                if not unit.army_standard:
                    yield finding("WF-29", at=place, name=unit.name)
                continue
            if "standard_bearer" not in unit.command:
                yield finding("WF-28", at=place, unit=unit.name, item=item.name)
            if not unit.magic_banner_allowed:
                yield finding("WF-30", at=place, unit=unit.name)


def army_book_prices(
    taken: Mapping[str, int | float], army_book: Mapping[str, int | float], *, at: str | None = None
) -> Iterator[Finding]:
    """WF-31: an item that the army book prints too costs what the army book says.

    Args:
        taken: item name to the price that was paid, in points.
        army_book: item name to the price the army book prints.
    """
    prices = {folded(name): price for name, price in army_book.items()}
    for name, paid in taken.items():
        price = prices.get(folded(name))
        if price is not None and price != paid:
            yield finding("WF-31", at=at, item=name, pts=price)


def one_suit_one_shield(army: Army) -> Iterator[Finding]:
    """WF-32: one suit and one shield; magic armour replaces the ordinary piece of its slot."""
    for at, unit in army.places:
        for slot in ("suit", "shield"):
            magic = sum(item.slot == slot for _, _, item in unit.items_of("armour"))
            if (magic or len(_ordinary(unit, slot))) > 1:
                yield finding("WF-32", at=f"{at}/armour", name=unit.name)
                break


def arabyan_carpet(army: Army) -> Iterator[Finding]:
    """WF-33 and WF-34: the carpet carries foot troops, who then join nobody."""
    for at, unit in army.places:
        if unit.carries(CARPET):
            if unit.troop_type not in ON_FOOT or unit.mounted:
                yield finding("WF-33", at=f"{at}/magic_items")
            if unit.joined_to is not None:
                yield finding("WF-34", at=f"{at}/joined_to")


def reminders(army: Army) -> Iterator[Finding]:
    """WF-35, WF-42, WF-43, WF-44: items with a catch that the player must know."""
    for at, unit in army.places:
        if unit.carries(FORTRESS):
            yield finding("WF-35", at=f"{at}/magic_items")
        if unit.carries(MASK) and unit.general:
            yield finding("WF-42", at=f"{at}/magic_items")
        if unit.carries(DISCIPLINE):
            yield finding("WF-43", at=f"{at}/magic_items", unit=unit.name)
        if unit.carries(WIZARDING_HAT):
            yield finding("WF-44", at=f"{at}/magic_items", name=unit.name)


def weapons_beside_magic_ones(army: Army) -> Iterator[Finding]:
    """WF-36 to WF-38: what a magic weapon for close combat or a magic shield makes useless."""
    for at, unit in army.places:
        magic = next((item for _, _, item in unit.items_of("weapon") if not item.shoots), None)
        magic_shield = any(item.slot == "shield" for _, _, item in unit.items_of("armour"))
        uses = [known.use for _, known in unit.ordinary_weapons]
        if magic and "extra" in uses:
            yield finding("WF-36", at=f"{at}/weapons", name=unit.name)
        if (magic and unit.has_shield) or (magic_shield and not magic and (not unit.weapons or "hand" in uses)):
            yield finding("WF-37", at=f"{at}/magic_items", name=unit.name)
        if magic and "special" in uses:
            yield finding("WF-38", at=f"{at}/weapons", name=unit.name, item=magic.name)


def magic_resistance(army: Army) -> Iterator[Finding]:
    """WF-39: Magic Resistance does not add up, within a model or between a unit and the characters in it."""
    joined: dict[str, list[Unit]] = {}
    for _, character, unit in army.joined():
        joined.setdefault(unit.id, []).append(character)
    for at, unit in army.places:
        if unit.joined_to is not None and len(_resistances(unit)) < 2:
            continue
        sources = _resistances(unit) + [value for other in joined.get(unit.id, []) for value in _resistances(other)]
        if len(sources) > 1:
            yield finding("WF-39", at=at, n=max(sources))


def ward_and_regeneration(army: Army) -> Iterator[Finding]:
    """WF-40: a wound is saved by a ward or by Regeneration, not by both."""
    for at, unit in army.places:
        known = [item for _, _, item in unit.items if item]
        ward = unit.profile.Ward not in {None, "-", "–"} or unit.has_rule("ward save") or any(i.ward for i in known)
        if ward and (unit.has_rule("regeneration") or any(item.regeneration for item in known)):
            yield finding("WF-40", at=at, name=unit.name)


def silvered_steel(army: Army) -> Iterator[Finding]:
    """WF-41: nothing improves the Armour of Silvered Steel."""
    for at, unit in army.places:
        helm = any(item.slot == "helm" for _, _, item in unit.items_of("armour"))
        if unit.carries(SILVERED_STEEL) and (unit.has_shield or unit.is_mounted or helm):
            yield finding("WF-41", at=f"{at}/magic_items")


def replaced_armour(army: Army) -> Iterator[Finding]:
    """WF-45: magic armour replaces the ordinary piece of the same slot."""
    for at, unit in army.places:
        for index, _, item in unit.items_of("armour"):
            if item.slot and _ordinary(unit, item.slot):
                yield finding(
                    "WF-45", at=f"{at}/magic_items/{index}", item=item.name, slot=SLOTS[item.slot], name=unit.name
                )


def _ordinary(unit: Unit, slot: str) -> list[str]:
    """Ordinary pieces of armour of one slot."""
    return [piece for piece in unit.armour if slot_of(folded(piece)) == slot]


def slot_of(piece: str) -> str:
    """Where an ordinary piece of armour is worn, by its folded name."""
    if any(word in piece for word in SHIELD_LIKE):
        return "shield"
    if any(word in piece.split() or piece.endswith(word) for word in NO_SUIT):
        return "other"
    if any(word in piece for word in WORN_OVER):
        return "cloak"
    return "helm" if "helm" in piece else "barding" if "barding" in piece else "suit"


def _resistances(unit: Unit) -> list[int]:
    """Values of the Magic Resistance a unit has from items and rules."""
    values = [item.magic_resistance for _, _, item in unit.items if item and item.magic_resistance]
    for rule in unit.rules:
        if folded(rule.split("(")[0]) == "magic resistance":
            digits = "".join(sign for sign in rule if sign.isdecimal())
            values.append(int(digits[:3] or 1))
    return values


CHECKS = (
    unique_items,
    one_of_each_category,
    bearers,
    wizards_in_armour,
    arcane_items,
    banners,
    one_suit_one_shield,
    arabyan_carpet,
    reminders,
    weapons_beside_magic_ones,
    magic_resistance,
    ward_and_regeneration,
    silvered_steel,
    replaced_armour,
)
