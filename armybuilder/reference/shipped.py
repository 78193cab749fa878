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

    A game that was made of other data before has no Russian name yet, and gets it while it is called as its data is.

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
        if not system.name_ru and _is_called_as_its_data(system):
            system.name_ru = facts.system.name_ru
            system.save(update_fields=["name_ru"])
        for position, role in enumerate(facts.roles, start=1):
            BattlefieldRole.objects.get_or_create(
                system=system,
                key=role.key,
                defaults={"name": role.name, "name_ru": role.name_ru, "position": position},
            )
        factions = _factions(system, facts)
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


def _factions(system: PublishedSystem, facts: Shipped) -> dict[str, Faction]:
    """The factions of a game by key, the missing ones made."""
    factions = {faction.key: faction for faction in Faction.objects.filter(system=system)}
    for row in facts.factions:
        if row.key not in factions:
            factions[row.key] = Faction.objects.create(
                system=system,
                key=row.key,
                name=row.name,
                name_ru=row.name_ru,
                matrix_position=row.matrix,
                legion=row.legion,
                fixed_allegiance=row.allegiance,
                belongs_to=_known(factions, row.belongs_to) if row.belongs_to else None,
            )
    return factions


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
    stated = set(Alliance.objects.filter(system=system).values_list("from_faction__key", "to_faction__key"))
    Alliance.objects.bulk_create(
        Alliance(
            system=system,
            from_faction=_known(factions, cell.primary),
            to_faction=_known(factions, cell.ally),
            level=_known(levels, cell.level),
            source=cell.source,
        )
        for cell in facts.alliances
        if (cell.primary, cell.ally) not in stated
    )


def _known(rows: Mapping[str, Row], key: str) -> Row:
    if key not in rows:
        raise NotFound(f'reference.toml names "{key}", which it does not explain before.')
    return rows[key]
