"""Reverse search: which army lists of a data set take a unit, in which role, and what detachments have slots for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from armybuilder.engine.gamedata.specs import SEPARATOR
from armybuilder.reference import queries
from armybuilder.reference.models import BattlefieldRole, Slot, UnitEntry


@dataclass(frozen=True, slots=True)
class RolePlaces:
    """The slots for one role, in the order of the charts; detachments that may have none of it are left out."""

    role: BattlefieldRole
    slots: tuple[Slot, ...]


def takers(unit: UnitEntry) -> tuple[UnitEntry, ...]:
    """The unit as each army list of its data set sells it, itself among them.

    The same unit is the same entry of the data, whatever links lead to it, or one of the same name: authors copy
    entries from file to file.
    """
    entry_id = unit.entry_id.rpartition(SEPARATOR)[2]
    same = Q(name=unit.name) | Q(entry_id=entry_id) | Q(entry_id__endswith=SEPARATOR + entry_id)
    return tuple(queries.units(unit.faction.system_id).filter(same, release=unit.release_id))


def role_places(units: Iterable[UnitEntry]) -> tuple[RolePlaces, ...]:
    """For each role that units of one release have, where it has slots."""
    found = list(units)
    roles = {unit.role.pk: unit.role for unit in found if unit.role is not None}
    slots: dict[Any, list[Slot]] = {role_id: [] for role_id in roles}
    rows = Slot.objects.filter(role__in=list(roles), detachment__chart__release__in={unit.release_id for unit in found})
    in_order = rows.select_related("detachment").order_by("detachment__chart__position", "detachment__position")
    for slot in in_order.exclude(maximum=0):
        slots[slot.role_id].append(slot)
    return tuple(RolePlaces(roles[role_id], tuple(rows)) for role_id, rows in slots.items() if rows)
