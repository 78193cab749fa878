"""Reads of the published game data for both doors; each takes a system id and costs a fixed number of queries."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from heapq import nlargest
from operator import itemgetter
from uuid import UUID

from django.db.models import Case, Count, F, IntegerField, Prefetch, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from armybuilder.accounts.errors import NotFound
from armybuilder.compiled_queries import CompiledRows
from armybuilder.datafiles.models import SHIPPED_ORIGIN, PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.reference.models import (
    Alliance,
    AllianceLevel,
    BattlefieldRole,
    Detachment,
    Faction,
    ForceOrganisation,
    Fortification,
    MagicItem,
    Slot,
    UnitEntry,
)
from armybuilder.reference.unit_search import NAMED, Searched, options_of_units, scores

MOST_FOUND = 2000
"""Units a search brings, the best of them: more are no answer to a player's question."""


def _published() -> QuerySet[PublishedSystem]:
    return PublishedSystem.objects.filter(current_release__isnull=False).select_related("current_release", "game")


def systems() -> QuerySet[PublishedSystem]:
    """Data sets that lists can be built from: game by game, and of each game real data before our samples."""
    return (
        _published()
        .annotate(
            is_sample=Case(
                When(current_release__origin=SHIPPED_ORIGIN, then=Value(1)),
                default=Value(0),
                output_field=IntegerField(),
            ),
            game_name=Coalesce("game__name", "name"),
        )
        .order_by("position", "game_name", "is_sample", "-current_release__created_at", "pk")
    )


@dataclass(frozen=True, slots=True)
class Game:
    """A game with the data sets there are of it, the one to begin with first."""

    home: PublishedSystem
    data_sets: tuple[PublishedSystem, ...]

    @property
    def usual(self) -> PublishedSystem:
        """The data set that is meant where nobody chose: real data where there is any, the newest of it."""
        return self.data_sets[0]


def games() -> tuple[Game, ...]:
    """Games that lists can be built for, in the order the site shows them."""
    found: dict[str, list[PublishedSystem]] = {}
    for row in systems():
        found.setdefault(row.home_id, []).append(row)
    return tuple(Game(rows[0].game or rows[0], tuple(rows)) for rows in found.values())


def has_alliances(system: PublishedSystem) -> bool:
    """Whether the game of a data set has an alliance table."""
    return Faction.objects.filter(system_id=system.home_id, matrix_position__isnull=False).exists()


def with_tables_for(system_id: str) -> QuerySet[PublishedSystem]:
    """The rows whose tables hold for a data set: its own and that of its game."""
    return PublishedSystem.objects.filter(Q(pk=system_id) | Q(data_sets=system_id))


def system(system_id: str) -> PublishedSystem:
    """A published game system.

    Raises:
        NotFound: there is none of that id.
    """
    try:
        return _published().get(pk=system_id)
    except PublishedSystem.DoesNotExist:
        raise NotFound(f"There is no game system '{system_id}'.") from None


def roles(system_id: str) -> QuerySet[BattlefieldRole]:
    """The battlefield roles of a system, in the order of its chart."""
    return BattlefieldRole.objects.filter(system_id=system_id)


def factions(system_id: str | None = None, *, playable: bool = True) -> QuerySet[Faction]:
    """Factions, each with `unit_count`, in the order of the alliance matrix.

    Args:
        playable: only those with a published army list; False adds those that only stand in the matrix.
    """
    found = Faction.objects.select_related("system", "belongs_to").annotate(unit_count=Count("units"))
    if system_id is not None:
        found = found.filter(system_id=system_id)
    if playable:
        found = found.exclude(catalogue_id="")
    return found.order_by("system", F("matrix_position").asc(nulls_last=True), "name")


def army_list_names(release_id: UUID) -> dict[str, tuple[str, str]]:
    """What players call the army lists of a release's data set, in English and Russian, by their catalogues' names."""
    found = Faction.objects.filter(system__releases=release_id).exclude(catalogue_name="")
    return {row.catalogue_name: (row.name, row.name_ru) for row in found}


def faction(system_id: str, key: str) -> Faction:
    """A faction by its key, e.g. sons-of-horus.

    Raises:
        NotFound: there is none.
    """
    found = factions(system_id, playable=False).filter(key=key).first()
    if found is None:
        raise NotFound(f"There is no faction '{key}' in '{system_id}'.")
    return found


def unit_name(game: str, text: str) -> str | None:
    """The name, as the data writes it, of the unit of any data set of a game that is called so in either language."""
    named = UnitEntry.objects.filter(Q(name__iexact=text) | Q(name_ru__iexact=text))
    found = named.filter(Q(faction__system=game) | Q(faction__system__game=game))
    return found.values_list("name", flat=True).order_by("name").first()


def units(
    system_id: str | None = None,
    *,
    faction: str | None = None,
    role: str | None = None,
    minimum_points: int | None = None,
    maximum_points: int | None = None,
    text: str = "",
) -> QuerySet[UnitEntry]:
    """Units in the order of faction, role and name; pass it to a paginator.

    Args:
        faction: key of a faction, as in `Faction.key`.
        role: key of a battlefield role, e.g. heavy_support.
        text: words that are all found in the name (either language), role, special rules or weapons, and where one
            faction is asked for in what may be taken too; `unit_search` tells how. Then what bears them in its name
            comes first.
    """
    found = UnitEntry.objects.select_related("faction", "faction__system", "role")
    if system_id is not None:
        found = found.filter(faction__system_id=system_id)
    if faction:
        found = found.filter(faction__key=faction)
    if role:
        found = found.filter(role__key=role)
    if minimum_points is not None:
        found = found.filter(points__gte=minimum_points)
    if maximum_points is not None:
        found = found.filter(points__lte=maximum_points)
    found = found.order_by(
        "faction__system", "faction__matrix_position", "faction__name", F("role__position").asc(nulls_last=True), "name"
    )
    return answering(found, text, with_options=bool(faction))


def answering(units: QuerySet[UnitEntry], text: str, *, with_options: bool) -> QuerySet[UnitEntry]:
    """Those of the units that answer to the words; what bears them in its name first, else in the order they had.

    Args:
        with_options: what may be taken in a unit is searched too; it is read from the data of each army list, so ask
            for it where there is one.
    """
    if not text.strip():
        return units
    rows = units.values_list("pk", "name", "name_ru", "search_text", "entry_id", "release_id", "faction__catalogue_id")
    searched = {}
    for key, name, russian, words, entry_id, release_id, catalogue_id in rows.order_by():
        options = options_of_units(library_of(release_id), catalogue_id).get(entry_id, "") if with_options else ""
        searched[str(key)] = Searched(f"{name} {russian}", f"{words} {options}")
    best = nlargest(MOST_FOUND, scores(searched, text).items(), key=itemgetter(1))
    named = [key for key, score in best if score > NAMED]
    place = Case(When(pk__in=named, then=Value(0)), default=Value(1), output_field=IntegerField())
    return units.filter(pk__in=[key for key, _ in best]).order_by(place, *units.query.order_by)


def units_as_they_come(release_id: UUID, catalogue_id: str | None) -> Mapping[str, UnitEntry]:
    """The published units of a catalogue by their entry, as they are bought without any choice.

    Args:
        release_id: the data that is asked about; only of the current release of a game is anything known.
    """
    if not catalogue_id:
        return {}
    rows = UnitEntry.objects.filter(faction__catalogue_id=catalogue_id, faction__release_id=release_id)
    return {row.entry_id: row for row in rows.select_related("role")}


def unit(unit_id: UUID) -> UnitEntry:
    """A unit of a published army list.

    Raises:
        NotFound: there is none of that id.
    """
    found = UnitEntry.objects.select_related("faction", "faction__system", "role", "release").filter(pk=unit_id).first()
    if found is None:
        raise NotFound("There is no such unit.")
    return found


def force_organisations(system_id: str | None = None) -> QuerySet[ForceOrganisation]:
    """Charts with their detachments, slots and roles, in three queries more."""
    slots = Slot.objects.select_related("role").order_by("role__position", "role__name")
    detachments = Detachment.objects.order_by("position").prefetch_related(Prefetch("slots", queryset=slots))
    found = ForceOrganisation.objects.filter(release__isnull=False).prefetch_related(
        Prefetch("detachments", queryset=detachments)
    )
    return found if system_id is None else found.filter(system_id=system_id)


def fortifications(system_id: str | None = None) -> QuerySet[Fortification]:
    """Fortifications, cheapest first."""
    found = Fortification.objects.select_related("system").order_by("system", "points", "name")
    return found if system_id is None else found.filter(system_id=system_id)


def magic_items(system_id: str, *, category: str | None = None, text: str = "") -> QuerySet[MagicItem]:
    """Common magic items in the order of the rules text.

    Args:
        text: words that all stand in the name (either language) or in who may carry it.
    """
    found = MagicItem.objects.filter(system__in=with_tables_for(system_id)).order_by("position", "name")
    if category:
        found = found.filter(category=category)
    return items_containing(found, text)


def items_containing(items: QuerySet[MagicItem], text: str) -> QuerySet[MagicItem]:
    """Only items in whose searched text every word stands, of ten at most."""
    for word in text.casefold().split()[:10]:
        items = items.filter(search_text__contains=word)
    return items


def alliance_levels(system_id: str | None = None) -> QuerySet[AllianceLevel]:
    """Levels of alliance, best first; those of its game for a data set."""
    found = AllianceLevel.objects.order_by("system", "position")
    return found if system_id is None else found.filter(system__in=with_tables_for(system_id))


def alliances(system_id: str | None = None) -> QuerySet[Alliance]:
    """Cells of the matrix that somebody has recorded; what is not among them is unknown."""
    found = Alliance.objects.filter(level__isnull=False).select_related("from_faction", "to_faction", "level")
    if system_id is not None:
        found = found.filter(system__in=with_tables_for(system_id))
    return found.order_by("system", "from_faction__matrix_position", "to_faction__matrix_position")


def recorded_levels(game_id: str) -> dict[tuple[str, str], str]:
    """Level keys of a game by the names of (primary detachment's faction, ally), as army documents name them.

    Army documents name factions alike whatever data set a list is built from, so one table holds for all of them.
    """
    return {(primary, ally): level for primary, ally, level in _RECORDED_LEVELS.all(game_id)}


_RECORDED_LEVELS = CompiledRows(
    Alliance.objects.filter(level__isnull=False)
    .values_list("from_faction__name", "to_faction__name", "level__key")
    .order_by(),
    "system",
)


@dataclass(frozen=True, slots=True)
class AllianceCell:
    """One cell as a page shows it; `level` None is unknown."""

    primary: Faction
    ally: Faction
    level: AllianceLevel | None
    recorded: Alliance | None


@dataclass(frozen=True, slots=True)
class AllianceMatrix:
    """The whole table: a row is the faction of the primary detachment, a column the ally.

    Attributes:
        fingerprint: changes whenever any level does.
    """

    system: PublishedSystem
    factions: tuple[Faction, ...]
    levels: tuple[AllianceLevel, ...]
    rows: tuple[tuple[Faction, tuple[AllianceCell, ...]], ...]
    unknown: int
    fingerprint: str


def alliance_matrix(system_id: str) -> AllianceMatrix:
    """The alliance matrix of a system, or of the game it is a data set of, unknown cells included.

    Raises:
        NotFound: there is no such system.
    """
    asked = PublishedSystem.objects.filter(pk=system_id).select_related("game").first()
    if asked is None:
        raise NotFound(f"There is no game system '{system_id}'.")
    owner = asked.game or asked
    listed = tuple(Faction.objects.filter(system=owner, matrix_position__isnull=False).order_by("matrix_position"))
    levels = tuple(alliance_levels(owner.pk))
    recorded = {
        (cell.from_faction_id, cell.to_faction_id): cell
        for cell in Alliance.objects.filter(system=owner).select_related("level", "edited_by")
    }
    rows = tuple(
        (
            primary,
            tuple(
                AllianceCell(primary, ally, cell.level if cell else None, cell)
                for ally in listed
                for cell in [recorded.get((primary.pk, ally.pk))]
            ),
        )
        for primary in listed
    )
    lines = [f"{cell.primary.key} {cell.ally.key} {cell.level.key}" for _, row in rows for cell in row if cell.level]
    return AllianceMatrix(
        system=owner,
        factions=listed,
        levels=levels,
        rows=rows,
        unknown=sum(cell.level is None for _, row in rows for cell in row),
        fingerprint=sha256("\n".join(lines).encode()).hexdigest()[:16],
    )
