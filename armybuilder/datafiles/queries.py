"""Reads of game systems and their data releases, for administrators; what players see is in `reference.queries`."""

from uuid import UUID

from django.db.models import QuerySet

from armybuilder.accounts.errors import NotFound
from armybuilder.datafiles.models import DataImport, DataRelease, DataSource, PublishedSystem


def releases(system_id: str | None = None) -> QuerySet[DataRelease]:
    """Every release, or those of one game, newest first."""
    rows = DataRelease.objects.select_related("system").order_by("-created_at", "-number")
    return rows.filter(system_id=system_id) if system_id else rows


def release(release_id: UUID) -> DataRelease:
    """One release with its game. Raises NotFound."""
    found = DataRelease.objects.select_related("system").filter(pk=release_id).first()
    if found is None:
        raise NotFound("There is no such data release.")
    return found


def ids_of_systems() -> list[str]:
    """The ids of all game systems, published or not, in their order."""
    return list(PublishedSystem.objects.order_by("pk").values_list("pk", flat=True))


def known_system(system_id: str) -> PublishedSystem | None:
    """A game system, published or not, if there is one of that id."""
    return PublishedSystem.objects.filter(pk=system_id).first()


def game_system(system_id: str) -> PublishedSystem:
    """A game system, published or not. Raises NotFound."""
    found = known_system(system_id)
    if found is None:
        raise NotFound(f"There is no game system '{system_id[:60]}'.")
    return found


def data_import(import_id: UUID) -> DataImport:
    """An import, waiting, running or finished. Raises NotFound."""
    found = DataImport.objects.filter(pk=import_id).first()
    if found is None:
        raise NotFound("There is no such import of game data.")
    return found


def sources() -> QuerySet[DataSource]:
    """All sources, by game and name."""
    return DataSource.objects.select_related("system")


def source(source_id: UUID) -> DataSource:
    """A source. Raises NotFound."""
    found = sources().filter(pk=source_id).first()
    if found is None:
        raise NotFound("There is no such source of game data.")
    return found
