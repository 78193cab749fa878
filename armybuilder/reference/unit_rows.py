"""A library seen as rows: every unit of every army list in its default configuration, and the slots of the charts."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import uuid4

from armybuilder.datafiles.remote import Progress
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.edits import add_force, new_roster, select
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.limits import NO_CATEGORY
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import ForceState, RosterState, SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type

_KNOWN_ROLES = {
    "lords": "lord",
    "heroes": "hero",
    "hq": "hq",
    "troops": "troops",
    "elites": "elites",
    "elite": "elites",
    "fast attack": "fast_attack",
    "heavy support": "heavy_support",
    "lords of war": "lord_of_war",
    "lord of war": "lord_of_war",
    "primarch": "primarch",
    "primarchs": "primarch",
    "fortification": "fortification",
    "fortifications": "fortification",
}
"""Keys of army documents by the names that data authors give the categories."""


def role_key(category_name: str) -> str:
    """The key of the battlefield role a category stands for, e.g. `heavy_support` for "Heavy Support:"."""
    words = " ".join(re.findall(r"[\w']+", category_name.casefold()))
    return _KNOWN_ROLES.get(words, re.sub(r"\W+", "_", words)[:60])


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit as its army list offers it.

    Attributes:
        dearest: points with the dearest of its options; None when one may be taken without end.
    """

    entry_id: str
    name: str
    category_id: str
    category_name: str
    points: Decimal
    models_count: int
    profiles: list[dict[str, Any]]
    rules: list[str]
    costs: dict[str, str]
    options: list[dict[str, Any]]
    dearest: Decimal | None


@dataclass(frozen=True, slots=True)
class SlotRow:
    """Limits of one category in a detachment; maximum None is no limit."""

    category_id: str
    category_name: str
    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class DetachmentRow:
    """A force entry with the limits of its categories, as an empty force of it shows them."""

    entry_id: str
    name: str
    slots: tuple[SlotRow, ...]


@dataclass(frozen=True, slots=True)
class ArmyListRow:
    """A catalogue that players choose, with its units."""

    catalogue_id: str
    name: str
    units: tuple[UnitRow, ...]


def army_lists(library: Library, *, progress: Progress | None = None) -> Iterator[ArmyListRow]:
    """Every catalogue that is no mere library, with the units it offers in any detachment."""
    for done, catalogue in enumerate(library.catalogues):
        if progress is not None:
            progress(done, len(library.catalogues), catalogue.name)
        if not catalogue.library:
            yield ArmyListRow(catalogue.id, catalogue.name, tuple(_units(library, catalogue.id)))


def detachments(library: Library) -> tuple[DetachmentRow, ...]:
    """The force entries of the game system, in its order, each seen as an empty force of the first catalogue."""
    catalogue = next((catalogue for catalogue in library.catalogues if not catalogue.library), None)
    if catalogue is None:
        return ()
    found = []
    for force_entry in library.force_entries(catalogue.id):
        _, force = _force(library, catalogue.id, force_entry.id)
        slots = tuple(
            SlotRow(
                category.id,
                category.name,
                int(category.minimum or 0),
                None if category.maximum is None else int(category.maximum),
            )
            for category in force.categories
            if not category.hidden and category.link_id is not None
        )
        if not force.hidden:
            found.append(DetachmentRow(force_entry.id, force_entry.name, slots))
    return tuple(found)


def _units(library: Library, catalogue_id: str) -> Iterator[UnitRow]:
    points = points_type(library.cost_types)
    seen: set[str] = set()
    for force_entry in library.force_entries(catalogue_id):
        state, force = _force(library, catalogue_id, force_entry.id)
        if force.hidden:
            continue
        for offer in _flat(offers(library, state, node_id=force.id)):
            if offer.entry_id in seen or offer.hidden or not _may_be_unit(offer):
                continue
            seen.add(offer.entry_id)
            edit = select(library, state.roster, parent_id=force.id, entry_id=offer.entry_id, new_id=_new_id)
            chosen = evaluate(library, edit.roster)
            unit = next((s for s in chosen.forces[0].selections if s.id == edit.node_id), None)
            if unit is not None and (offer.type in _UNITS or (points and unit.total(points) > 0)):
                yield _unit_row(library, chosen, unit, points)


_UNITS = ("unit", "model")
"""Types of what is a unit whatever it costs."""


def _may_be_unit(offer: Offer) -> bool:
    """Whether an entry of an army list is something to field.

    Authors of old data call many a squad an upgrade; it is one where it fills a slot and, as it comes, costs points.
    """
    return offer.type in _UNITS or (offer.type == "upgrade" and offer.category_id not in (None, NO_CATEGORY))


def _unit_row(library: Library, state: RosterState, unit: SelectionState, points: str | None) -> UnitRow:
    profiles: dict[tuple[str, str], dict[str, Any]] = {}
    rules: dict[str, None] = {}
    for part in unit.walk():
        for profile in part.profiles:
            profiles.setdefault(
                (profile.type_name, profile.name),
                {
                    "type": profile.type_name,
                    "name": profile.name,
                    "characteristics": [list(pair) for pair in profile.characteristics],
                },
            )
        rules |= dict.fromkeys(rule.name for rule in part.rules)
    category = unit.primary_category
    found = offers(library, state, node_id=unit.id)
    total = unit.total(points) if points else Decimal(0)
    return UnitRow(
        entry_id=unit.entry_id,
        name=unit.name,
        category_id=category.id if category else "",
        category_name=category.name if category else "",
        points=total,
        models_count=sum(part.number for part in unit.walk() if part.type == "model") or 1,
        profiles=list(profiles.values()),
        rules=list(rules),
        costs={cost.name: str(unit.total(cost.id)) for cost in library.cost_types},
        options=[_option(offer, points) for offer in _flat(found) if not offer.hidden],
        dearest=_dearest(found, points, total) if points else total,
    )


def _option(offer: Offer, points: str | None) -> dict[str, Any]:
    return {
        "name": offer.name,
        "points": str(next((cost.value for cost in offer.costs if cost.type_id == points), Decimal(0))),
        "maximum": None if offer.maximum is None else int(offer.maximum),
    }


def _dearest(found: tuple[Offer | OfferGroup, ...], points: str, total: Decimal) -> Decimal | None:
    """The price with every option in place of what is taken that makes it dearest, each group within its limit."""
    choice = _priced(found, points, None)
    if any(number is None for _, number in choice):
        return None
    taken = sum((offer.cost(points) * offer.current for offer in _flat(found)), Decimal(0))
    return total - taken + sum((price * (number or 0) for price, number in choice), Decimal(0))


def _priced(found: tuple[Offer | OfferGroup, ...], points: str, most: int | None) -> list[tuple[Decimal, int | None]]:
    """The dearest options with how often each may be taken, together at most so many; None is without end."""
    priced: list[tuple[Decimal, int | None]] = []
    for item in found:
        if isinstance(item, OfferGroup):
            priced += _priced(item.offers, points, item.maximum) if not item.hidden else []
        elif not item.hidden and item.cost(points) > 0:
            priced.append((item.cost(points), item.maximum))
    if most is None:
        return priced
    kept: list[tuple[Decimal, int | None]] = []
    for price, number in sorted(priced, key=lambda pair: pair[0], reverse=True):
        taken = most if number is None else min(number, most)
        most -= taken
        kept.append((price, taken))
    return kept


def _force(library: Library, catalogue_id: str, force_entry_id: str) -> tuple[RosterState, ForceState]:
    """An otherwise empty roster with one force."""
    roster: Roster = new_roster(library, name="", new_id=_new_id).roster
    edit = add_force(library, roster, force_entry_id=force_entry_id, catalogue_id=catalogue_id, new_id=_new_id)
    state = evaluate(library, edit.roster)
    return state, state.forces[0]


def _flat(found: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    for item in found:
        if isinstance(item, Offer):
            yield item
        elif not item.hidden:
            yield from _flat(item.offers)


def _new_id() -> str:
    return uuid4().hex


def search_text(row: UnitRow, names: Mapping[str, str]) -> str:
    """All words a unit is found by, in both languages, in small letters."""
    words = [row.name, row.category_name, *row.rules, *(profile["name"] for profile in row.profiles)]
    return " ".join([*words, *(_russian(word, names) for word in words)]).casefold()


def _russian(name: str, names: Mapping[str, str]) -> str:
    """The Russian name; that of "Rending" for "Rending (6+)"; nothing when there is none."""
    return names.get(name) or names.get(name.partition(" (")[0], "")
