"""What ships with a game and no data file says: a `reference.toml` beside its fixtures becomes rows for people to edit.

[system]                 id, name, name_ru, rule_pack, position
[[roles]]                key, name, name_ru
[[factions]]             key, name, name_ru, matrix (place in the alliance matrix), legion, allegiance,
                         belongs_to (key of the faction whose army list it is)
[[alliance_levels]]      key, name, name_ru, effects, effects_ru
[[alliances]]            from, to, level, source: only what a public source states; the rest stays unknown
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from django.db import transaction
from django.db.models import F

from armybuilder.accounts.errors import NotFound
from armybuilder.datafiles.errors import BadDataFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.game_tables import complete_data_sets
from armybuilder.reference.magic import load_magic_items
from armybuilder.reference.models import Alliance, AllianceLevel, BattlefieldRole, Faction, ForceOrganisation
from armybuilder.reference.tending import tidied

Row = TypeVar("Row", Faction, AllianceLevel)


class SystemFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game itself."""

    id: str
    name: str
    name_ru: str = ""
    rule_pack: str = ""
    position: int = 100


class RoleFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battlefield role; roles are listed in the order of the chart."""

    key: str
    name: str
    name_ru: str = ""


class FactionFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A faction of the rulebook."""

    key: str
    name: str
    name_ru: str = ""
    matrix: int | None = None
    legion: bool = False
    allegiance: str = ""
    belongs_to: str | None = None


class ChartFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A force organisation chart."""

    key: str
    name: str
    name_ru: str = ""
    force_entries: tuple[str, ...] = ()


class LevelFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A level of alliance; the best one is listed first."""

    key: str
    name: str
    name_ru: str = ""
    effects: str = ""
    effects_ru: str = ""


class AllianceFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"primary": "from", "ally": "to"}):
    """A cell of the matrix that a public source states, by keys."""

    primary: str
    ally: str
    level: str
    source: str


class Shipped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    system: SystemFacts
    roles: tuple[RoleFacts, ...] = ()
    factions: tuple[FactionFacts, ...] = ()
    charts: tuple[ChartFacts, ...] = ()
    alliance_levels: tuple[LevelFacts, ...] = ()
    alliances: tuple[AllianceFacts, ...] = ()


def read_shipped(path: Path) -> Shipped:
    """The facts of a `reference.toml`.

    Raises:
        BadDataFile: it is missing, no TOML, or holds something unknown.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Shipped)
    except (OSError, msgspec.DecodeError, ValueError) as broken:
        raise BadDataFile(path.name, str(broken)) from broken


def load_shipped(facts: Shipped) -> PublishedSystem:
    """Make the rows that are missing; what is there, and may have been edited, stays as it is.

    A game that was made of other data before has no Russian name yet. It gets it while it is called as its data is, and
    with it all else that is said here of what the data has.

    Raises:
        NotFound: a key that the file itself does not explain.
    """
    with transaction.atomic():
        system, _ = PublishedSystem.objects.get_or_create(
            pk=facts.system.id,
            defaults={
                "name": facts.system.name,
                "name_ru": facts.system.name_ru,
                "rule_pack": facts.system.rule_pack,
                "position": facts.system.position,
            },
        )
        is_new = not system.name_ru and _is_called_as_its_data(system)
        if is_new:
            system.name_ru, system.position = facts.system.name_ru, facts.system.position
            system.save(update_fields=["name_ru", "position"])
        _roles(system, facts, complete=is_new)
        factions = _factions(system, facts, complete=is_new)
        for chart in facts.charts:
            ForceOrganisation.objects.get_or_create(
                system=system,
                key=chart.key,
                defaults={"name": chart.name, "name_ru": chart.name_ru, "force_entries": list(chart.force_entries)},
            )
        _alliances(system, facts, factions)
        load_magic_items(system)
        complete_data_sets(system)
    return system


def _is_called_as_its_data(system: PublishedSystem) -> bool:
    """Whether nobody has given the game a name of his own."""
    return system.current_release is not None and system.name == tidied(system.current_release.name)[:120]


def _roles(system: PublishedSystem, facts: Shipped, *, complete: bool) -> None:
    """Make the roles that are missing; completed, others get these names and stand before those of the data alone."""
    if complete:
        BattlefieldRole.objects.filter(system=system).update(position=F("position") + len(facts.roles))
    for position, row in enumerate(facts.roles, start=1):
        said = {"name": row.name, "name_ru": row.name_ru, "position": position}
        role, made = BattlefieldRole.objects.get_or_create(system=system, key=row.key, defaults=said)
        if complete and not made:
            role.name_ru, role.position = role.name_ru or row.name_ru, position
            role.save(update_fields=["name_ru", "position"])


def _factions(system: PublishedSystem, facts: Shipped, *, complete: bool) -> dict[str, Faction]:
    """The factions of a game by the keys of the file: the missing ones are made, the others completed."""
    present = list(Faction.objects.filter(system=system))
    by_key = {faction.key: faction for faction in present}
    by_name = {faction.name.casefold(): faction for faction in present}
    found: dict[str, Faction] = {}
    for row in facts.factions:
        faction = (
            by_key.get(row.key)
            or by_name.get(row.name.casefold())
            or Faction(system=system, key=row.key, name=row.name)
        )
        if complete or faction._state.adding:
            faction.name_ru = row.name_ru or faction.name_ru
            faction.matrix_position, faction.legion, faction.fixed_allegiance = row.matrix, row.legion, row.allegiance
            faction.belongs_to = _known(found, row.belongs_to) if row.belongs_to else None
            faction.save()
        found[row.key] = faction
    return found


def _alliances(system: PublishedSystem, facts: Shipped, factions: Mapping[str, Faction]) -> None:
    """Make the levels and cells of the matrix that are missing."""
    levels = {level.key: level for level in AllianceLevel.objects.filter(system=system)}
    for position, level in enumerate(facts.alliance_levels, start=1):
        if level.key not in levels:
            levels[level.key] = AllianceLevel.objects.create(
                system=system,
                key=level.key,
                name=level.name,
                name_ru=level.name_ru,
                effects=level.effects,
                effects_ru=level.effects_ru,
                position=position,
            )
    stated = set(Alliance.objects.filter(system=system).values_list("from_faction_id", "to_faction_id"))
    Alliance.objects.bulk_create(
        Alliance(
            system=system,
            from_faction=_known(factions, cell.primary),
            to_faction=_known(factions, cell.ally),
            level=_known(levels, cell.level),
            source=cell.source,
        )
        for cell in facts.alliances
        if (_known(factions, cell.primary).pk, _known(factions, cell.ally).pk) not in stated
    )


def _known(rows: Mapping[str, Row], key: str) -> Row:
    if key not in rows:
        raise NotFound(f'reference.toml names "{key}", which it does not explain before.')
    return rows[key]
