"""Publishing game data: read and evaluate everything first, then switch release and rows in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import override

from armybuilder.accounts.models import User
from armybuilder.datafiles import parsing, services
from armybuilder.datafiles.bundles import IncomingFile, content_hash
from armybuilder.datafiles.card_sets import is_card_set
from armybuilder.datafiles.models import DataRelease, DataSource, PublishedSystem
from armybuilder.datafiles.release_diff import compare
from armybuilder.datafiles.remote import Progress
from armybuilder.engine.gamedata.links import Library
from armybuilder.reference.card_publishing import publish_cards, store_cards
from armybuilder.reference.collecting import collecting_later
from armybuilder.reference.default_units import FORTIFICATION, UnitRow, role_key, search_text
from armybuilder.reference.game_tables import GameTables
from armybuilder.reference.known_rows import Known
from armybuilder.reference.models import (
    BattlefieldRole,
    Detachment,
    Faction,
    ForceOrganisation,
    Fortification,
    Slot,
    UnitEntry,
)
from armybuilder.reference.names import Names, vocabulary
from armybuilder.reference.release_report import release_report
from armybuilder.reference.tending import army_list_names, role_in_russian, role_name, tidied
from armybuilder.reference.unit_rows import ArmyListRow, DetachmentRow, army_lists, detachments

MOST_POINTS = Decimal("9999999.99")
MOST_COUNTED = 32_767
ROWS_AT_ONCE = 200
LONGEST_ID = 400
"""What rows can hold; data beyond that is hostile or broken, and stays as it is in its release."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A release read and worked out, of which nothing is stored yet.

    Attributes:
        report: what an administrator should know before publishing; JSON.
    """

    files: tuple[IncomingFile, ...]
    library: Library
    names: Mapping[str, str]
    lists: tuple[ArmyListRow, ...]
    detachments: tuple[DetachmentRow, ...]
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing came to.

    Attributes:
        changed: False when this very content was current already and nothing was done.
    """

    release: DataRelease
    changed: bool


def draft(system: PublishedSystem, files: Sequence[IncomingFile], *, progress: Progress | None = None) -> Draft:
    """Read the files and evaluate every unit in its default configuration, storing nothing.

    Args:
        progress: told of every catalogue that is worked out.

    Raises:
        GameError: a file that cannot be read, or data of another game.
    """
    with collecting_later():
        return _draft(system, files, progress)


def _draft(system: PublishedSystem, files: Sequence[IncomingFile], progress: Progress | None) -> Draft:
    current = _current_release(system)
    expanded = parsing.parse(files, like=current.pk if current else None)
    names = {**vocabulary(system.rule_pack), **parsing.translations(files)}
    services.refuse_other_game(system, expanded)
    lists = _lists(expanded, system.rule_pack, current, progress)
    charts = detachments(expanded)
    library = Library(expanded.columns, expanded.content_hash)  # what is kept holds nothing that only rows needed
    diff = compare(parsing.library_of(current.pk), library) if current else None
    units = {
        row.catalogue_id: sum(role_key(unit.category_name) != FORTIFICATION for unit in row.units) for row in lists
    }
    report = release_report(library, units, diff)
    return Draft(tuple(files), library, names, lists, charts, report)


def _lists(
    library: Library, rule_pack: str, current: DataRelease | None, progress: Progress | None
) -> tuple[ArmyListRow, ...]:
    """The army lists of a library; units that are as they were come from the release before."""
    before = parsing.compiled_hash(current.pk) if current is not None else None
    hashes = [library.content_hash, *([before] if before else ())]
    known = Known(library, settings.COMPILED_CACHE_DIR, hashes, rule_pack=rule_pack)
    lists = tuple(army_lists(library, rule_pack=rule_pack, known=known, progress=progress))
    known.keep(lists)
    return lists


def publish(
    system: PublishedSystem,
    files: Sequence[IncomingFile],
    *,
    origin: str,
    by: User | None = None,
    source: DataSource | None = None,
    progress: Progress | None = None,
) -> Publication:
    """Make these files the current release of a system. The same content again changes nothing.

    Args:
        origin: where the files come from, in words.
        progress: told of every catalogue that is worked out.

    Raises:
        GameError: a file that cannot be read, or data of another game; what is published stays.
    """
    current = _current_release(system)
    if current is not None and current.content_hash == content_hash(files):
        return Publication(current, changed=False)
    if is_card_set(files):
        return Publication(*publish_cards(system, files, origin=origin, by=by, source=source))
    return publish_draft(system, draft(system, files, progress=progress), origin=origin, by=by, source=source)


def _current_release(system: PublishedSystem) -> DataRelease | None:
    """The release that is current now, whatever the caller's copy of the row says."""
    return DataRelease.objects.filter(
        pk__in=PublishedSystem.objects.filter(pk=system.pk).values("current_release")
    ).first()


def submit(
    system: PublishedSystem,
    files: Sequence[IncomingFile],
    *,
    origin: str,
    by: User | None = None,
    source: DataSource | None = None,
    progress: Progress | None = None,
) -> DataRelease:
    """Read and store files as a release without making it current; the same content gives the release there is.

    Raises:
        GameError: a file that cannot be read, or data of another game; nothing is stored.
    """
    stored = DataRelease.objects.filter(system=system, content_hash=content_hash(files)).first()
    if stored is not None:
        return stored
    if is_card_set(files):
        return store_cards(system, files, origin=origin, by=by, source=source)
    return store_draft(system, draft(system, files, progress=progress), origin=origin, by=by, source=source)


def store_draft(
    system: PublishedSystem, work: Draft, *, origin: str, by: User | None = None, source: DataSource | None = None
) -> DataRelease:
    """Store a draft as a release that is not current yet, or take the stored one of the same content."""
    with transaction.atomic():
        locked = PublishedSystem.objects.select_for_update().get(pk=system.pk)
        release = DataRelease.objects.filter(system=locked, content_hash=content_hash(work.files)).first()
        return release or services.store_release(
            locked, work.files, work.library, report=work.report, origin=origin, by=by, source=source
        )


def publish_draft(
    system: PublishedSystem, work: Draft, *, origin: str, by: User | None = None, source: DataSource | None = None
) -> Publication:
    """Store a draft as a release (or take the stored one of the same content) and make it current."""
    with collecting_later(), transaction.atomic():
        locked = PublishedSystem.objects.select_for_update().get(pk=system.pk)
        release = DataRelease.objects.filter(system=locked, content_hash=content_hash(work.files)).first()
        if release is not None and release.pk == locked.current_release_id:
            return Publication(release, changed=False)
        if release is None:
            release = services.store_release(
                locked, work.files, work.library, report=work.report, origin=origin, by=by, source=source
            )
        _replace_rows(locked, release, work)
        locked.current_release = release
        locked.battlescribe_id = work.library.system_id
        locked.save(update_fields=["current_release", "battlescribe_id"])
        system.current_release, system.battlescribe_id = release, locked.battlescribe_id
        transaction.on_commit(lambda: parsing.keep_library(release.pk, work.library))
    return Publication(release, changed=True)


def make_current(release: DataRelease, *, by: User | None = None) -> Publication:
    """Go back, or forward, to a stored release: rows are rebuilt from its files."""
    files = parsing.stored_files(release.pk)
    return publish(release.system, files, origin=release.origin, by=by)


def _replace_rows(system: PublishedSystem, release: DataRelease, work: Draft) -> None:
    tables = GameTables.of(system)
    roles = _roles(system, work, tables)
    factions = _factions(system, release, work, tables)
    Fortification.objects.filter(system=system).delete()
    units: list[_UnitValues] = []
    fortifications: dict[str, Fortification] = {}
    in_russian = cache(partial(_unit_in_russian, Names(work.names)))  # many army lists offer the same units
    for army_list in work.lists:
        faction = factions[army_list.catalogue_id]
        for row in army_list.units:
            if len(row.entry_id) > LONGEST_ID:
                continue
            if role_key(row.category_name) == FORTIFICATION:
                fortifications.setdefault(row.entry_id, _fortification(system, release, row, work.names))
            else:
                role = roles.get(role_key(row.category_name))
                units.append(_unit_values(faction, row, role, in_russian(row.name), work.names))
    _store_units(system, release, units)
    Fortification.objects.bulk_create(fortifications.values())
    _store_charts(system, release, work, roles)


def _store_units(system: PublishedSystem, release: DataRelease, units: Sequence["_UnitValues"]) -> None:
    """Make these the units of a system. Rows that say the same as before stay, as most do when one file is changed."""
    stored = UnitEntry.objects.filter(faction__system=system)
    before = {row[0]: row for row in stored.values_list(*_UnitValues._fields)}
    new = [unit for unit in units if before.get(unit.id) != unit]
    gone = list(before.keys() - {unit.id for unit in units} | {unit.id for unit in new if unit.id in before})
    for first in range(0, len(gone), ROWS_AT_ONCE):
        UnitEntry.objects.filter(pk__in=gone[first : first + ROWS_AT_ONCE]).delete()
    stored.update(release=release)
    rows = [UnitEntry(release=release, **unit._asdict()) for unit in new]
    UnitEntry.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


def _roles(system: PublishedSystem, work: Draft, tables: GameTables) -> dict[str, BattlefieldRole]:
    """Roles by key; those that units have and the system lacks are added, known ones keep what people made of them."""
    roles = {role.key: role for role in BattlefieldRole.objects.filter(system=system)}
    position = max((role.position for role in (*roles.values(), *tables.roles.values())), default=0)
    for army_list in work.lists:
        for row in army_list.units:
            key = role_key(row.category_name)
            if key and key not in roles:
                known = tables.roles.get(key)
                position += known is None
                name = known.name if known else role_name(row.category_name)
                roles[key] = BattlefieldRole.objects.create(
                    system=system,
                    key=key,
                    name=name[:200],
                    name_ru=work.names.get(name, known.name_ru if known else role_in_russian(name))[:200],
                    category_id=row.category_id,
                    position=known.position if known else position,
                )
            elif key and roles[key].category_id != row.category_id:
                roles[key].category_id = row.category_id
                roles[key].save(update_fields=["category_id"])
    return roles


def _factions(system: PublishedSystem, release: DataRelease, work: Draft, tables: GameTables) -> dict[str, Faction]:
    """The faction of each army list: the one that had the catalogue, the one of that name, or a new one."""
    present = list(Faction.objects.select_for_update().filter(system=system))
    coming = {row.catalogue_id for row in work.lists}
    by_catalogue = {faction.catalogue_id: faction for faction in present if faction.catalogue_id in coming}
    # Catalogues that are gone let go of their factions first: a catalogue belongs to one faction only.
    Faction.objects.filter(system=system).exclude(catalogue_id__in=coming).update(catalogue_id="", release=None)
    by_key = {faction.key: faction for faction in present}
    by_name = {faction.name.casefold(): faction for faction in present}
    found: dict[str, Faction] = {}
    called = army_list_names(row.name for row in work.lists)
    peoples = {faction.name: faction.name_ru for faction in present if faction.name_ru}
    names = Names({**peoples, **work.names})
    for row in work.lists:
        name = called[row.name]
        faction = by_catalogue.get(row.catalogue_id)
        if faction is None:
            named = by_name.get(name.casefold()) or by_key.get(slugify(name)[:80])
            if named is not None and named.catalogue_id not in coming and named not in found.values():
                faction = named
            else:
                faction = Faction(system=system, key=_free_key(slugify(name) or "army-list", by_key), name=name[:200])
                by_key[faction.key] = faction
        before = _told(faction)
        faction.catalogue_id, faction.catalogue_name, faction.release = row.catalogue_id, row.name[:200], release
        tables.complete(faction)
        faction.name_ru = faction.name_ru or _in_russian(names, name)[:200]
        if faction._state.adding or _told(faction) != before:
            faction.save()
        found[row.catalogue_id] = faction
    Faction.objects.filter(system=system, catalogue_id__in=coming).update(release=release)
    return found


def _in_russian(names: Names, called: str) -> str:
    """What a Russian calls an army list or unit, «Хаос: Альфа-легион»; empty where no part of it has a Russian name."""
    with override("ru"):
        known = names.value(called)
    return known if known != called else ""


def _unit_in_russian(names: Names, name: str) -> str:
    return (names.in_russian.get(name) or _in_russian(names, tidied(name)))[:200]


def _told(faction: Faction) -> tuple[object, ...]:
    """What a data set and the tables of its game say of a faction, but for the release that says it."""
    ours = (faction.legion, faction.fixed_allegiance, faction.belongs_to_id)
    return faction.catalogue_id, faction.catalogue_name, faction.name_ru, *ours


def _free_key(wanted: str, taken: Mapping[str, Faction]) -> str:
    key, number = wanted[:76], 2
    while key in taken:
        key, number = f"{wanted[:76]}-{number}", number + 1
    return key


class _UnitValues(NamedTuple):
    """All that a row of a unit says, but for the release that says it."""

    id: UUID
    faction_id: UUID
    role_id: UUID | None
    entry_id: str
    name: str
    name_ru: str
    category_name: str
    points: Decimal
    models_count: int
    profiles: list[dict[str, Any]]
    rules: list[str]
    costs: dict[str, str]
    search_text: str


def _unit_values(
    faction: Faction, row: UnitRow, role: BattlefieldRole | None, name_ru: str, names: Mapping[str, str]
) -> _UnitValues:
    return _UnitValues(
        # The same unit keeps its id from release to release.
        id=uuid5(NAMESPACE_URL, f"unit:{faction.system_id}:{faction.catalogue_id}:{row.entry_id}"),
        faction_id=faction.pk,
        role_id=role.pk if role else None,
        entry_id=row.entry_id,
        name=tidied(row.name)[:200],
        name_ru=name_ru,
        category_name=tidied(row.category_name)[:200],
        points=_storable(row.points),
        models_count=min(row.models_count, MOST_COUNTED),
        profiles=row.profiles,
        rules=row.rules,
        costs=row.costs,
        search_text=search_text(row, names),
    )


def _fortification(
    system: PublishedSystem, release: DataRelease, row: UnitRow, names: Mapping[str, str]
) -> Fortification:
    return Fortification(
        id=uuid5(NAMESPACE_URL, f"fortification:{system.pk}:{row.entry_id}"),
        system=system,
        release=release,
        entry_id=row.entry_id,
        name=row.name[:200],
        name_ru=names.get(row.name, "")[:200],
        points=_storable(row.points),
        maximum_points=None if row.dearest is None else _storable(row.dearest),
        profiles=row.profiles,
        rules=row.rules,
        options=[option | {"name_ru": names.get(option["name"], "")} for option in row.options],
    )


def _storable(points: Decimal) -> Decimal:
    """Points within what a row can hold; the release keeps the data as they are."""
    return max(-MOST_POINTS, min(MOST_POINTS, points))


def _store_charts(
    system: PublishedSystem, release: DataRelease, work: Draft, roles: Mapping[str, BattlefieldRole]
) -> None:
    """Store the force entries as detachments of charts.

    A chart that names a force entry has it. Otherwise a primary detachment begins a chart of its own name, and
    another detachment joins the first chart.
    """
    Detachment.objects.filter(chart__system=system).delete()
    ForceOrganisation.objects.filter(system=system).update(release=None)
    charts = {chart.key: chart for chart in ForceOrganisation.objects.filter(system=system)}
    named = {entry_id: chart for chart in charts.values() for entry_id in chart.force_entries}
    rows: list[Detachment] = []
    slots: list[Slot] = []
    for position, row in enumerate(work.detachments):
        kind = detachment_type(row.name)
        first = next((chart for chart in charts.values() if chart.release_id), None)
        chart = named.get(row.entry_id) or (first if kind != Detachment.Type.PRIMARY else None)
        if chart is None:
            key = slugify(row.name)[:80] or "chart"
            chart = charts.get(key) or ForceOrganisation(
                system=system, key=key, name=tidied(row.name)[:200], name_ru=work.names.get(row.name, "")[:200]
            )
            charts[key] = chart
        if not chart.release_id:
            chart.release, chart.position = release, position
            chart.save()
        detachment = Detachment(
            id=uuid5(NAMESPACE_URL, f"detachment:{system.pk}:{row.entry_id}"),
            chart=chart,
            type=kind,
            entry_id=row.entry_id,
            name=tidied(row.name)[:200],
            name_ru=work.names.get(row.name, "")[:200],
            position=position,
        )
        rows.append(detachment)
        limits: dict[str, Slot] = {}
        for slot in row.slots:
            key = role_key(slot.category_name)
            if key in roles and key not in limits:
                most = MOST_COUNTED if slot.maximum is None else max(0, min(slot.maximum, MOST_COUNTED))
                limits[key] = Slot(
                    detachment=detachment,
                    role=roles[key],
                    minimum=max(0, min(slot.minimum, most)),  # data may ask for more than they allow
                    maximum=None if slot.maximum is None else most,
                )
        slots.extend(limits.values())
    Detachment.objects.bulk_create(rows)
    Slot.objects.bulk_create(slots)


def detachment_type(name: str) -> str:
    """Which part of an army a force entry is, judged by its name, as army documents call it."""
    words = name.casefold()
    if "allied" in words:
        return Detachment.Type.ALLIED
    if "lord of war" in words or "lords of war" in words:
        return Detachment.Type.LORD_OF_WAR
    if "primary" in words or "force organisation" in words or "force organization" in words:
        return Detachment.Type.PRIMARY
    return Detachment.Type.OTHER
