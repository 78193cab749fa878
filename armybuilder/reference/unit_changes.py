"""What a release would change for players: units that come and go, and other prices."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from armybuilder.datafiles import parsing
from armybuilder.datafiles.models import DataRelease
from armybuilder.reference.default_units import UnitRow
from armybuilder.reference.known_rows import Known
from armybuilder.reference.unit_rows import army_lists

Key = tuple[str, str]
"""Catalogue and entry."""


@dataclass(frozen=True, slots=True)
class ChangedUnit:
    """A unit that comes, goes or costs something else.

    Attributes:
        before, after: points as it comes; None where it is not.
    """

    catalogue: str
    entry_id: str
    name: str
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class UnitChanges:
    """What is different from the release that is current, by catalogue and name.

    Attributes:
        against: that release; None where nothing is published, so that everything is new.
    """

    against: DataRelease | None
    added: tuple[ChangedUnit, ...]
    removed: tuple[ChangedUnit, ...]
    repriced: tuple[ChangedUnit, ...]


def unit_changes(release: DataRelease) -> UnitChanges:
    """Compare the units of a release with those of the current one; releases of cards have none."""
    current = release.system.current_release
    before = _units(current) if current is not None and current.pk != release.pk else {}
    after = _units(release)
    if current is not None and current.pk == release.pk:
        before = after
    found = sorted(
        (
            ChangedUnit(
                (after.get(key) or before[key])[0],
                key[1],
                (after.get(key) or before[key])[1].name,
                before[key][1].points if key in before else None,
                after[key][1].points if key in after else None,
            )
            for key in before.keys() | after.keys()
            if key not in before or key not in after or before[key][1].points != after[key][1].points
        ),
        key=lambda unit: (unit.catalogue, unit.name, unit.entry_id),
    )
    return UnitChanges(
        against=current,
        added=tuple(unit for unit in found if unit.before is None),
        removed=tuple(unit for unit in found if unit.after is None),
        repriced=tuple(unit for unit in found if unit.before is not None and unit.after is not None),
    )


def _units(release: DataRelease) -> Mapping[Key, tuple[str, UnitRow]]:
    """Units with the name of their catalogue; what was worked out when the release was read is not worked out again."""
    compiled = parsing.compiled_hash(release.pk)
    if compiled is None:
        return {}
    library = parsing.library_of(release.pk)
    rule_pack = release.system.rule_pack
    known = Known(library, settings.COMPILED_CACHE_DIR, [compiled], rule_pack=rule_pack)
    return {
        (row.catalogue_id, unit.entry_id): (row.name, unit)
        for row in army_lists(library, rule_pack=rule_pack, known=known)
        for unit in row.units
    }
