"""Edits of what people keep in the reference: the cells of the alliance matrix."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import queries
from armybuilder.reference.errors import MatrixChanged
from armybuilder.reference.models import Alliance, AllianceEdit, AllianceLevel, Faction


def record_alliances(
    system_id: str,
    cells: Mapping[tuple[Faction, Faction], str | None],
    *,
    source: str,
    by: User | None,
    expected_fingerprint: str | None = None,
    both_ways: bool = False,
    at: datetime | None = None,
) -> int:
    """Record levels of alliance, with a line of history for each cell that changes.

    Args:
        cells: (primary detachment's faction, ally) -> key of the level, None for unknown.
        source: where the levels were read; kept with every changed cell.
        expected_fingerprint: of the matrix the editor saw; None to write whatever it is now.
        both_ways: record a known level for the opposite direction too, where that one is unknown.

    Returns:
        How many cells changed.

    Raises:
        MatrixChanged: it is no longer the matrix that was seen; nothing was written.
        KeyError: a level the system does not have.
    """
    with transaction.atomic():
        PublishedSystem.objects.select_for_update().get(pk=system_id)  # one editor at a time
        if expected_fingerprint is not None and queries.alliance_matrix(system_id).fingerprint != expected_fingerprint:
            raise MatrixChanged
        levels = {level.key: level for level in AllianceLevel.objects.filter(system_id=system_id)}
        present = {
            (cell.from_faction_id, cell.to_faction_id): cell
            for cell in Alliance.objects.filter(system_id=system_id).select_related("level")
        }
        wanted = {(primary.pk, ally.pk): key for (primary, ally), key in cells.items()}
        if both_ways:
            known = {pair: cell.level.key for pair, cell in present.items() if cell.level}
            for (primary, ally), key in list(wanted.items()):
                if key and not wanted.get((ally, primary), known.get((ally, primary))):
                    wanted[ally, primary] = key
        steps = {
            pair: (present.get(pair), levels[key] if key else None)
            for pair, key in wanted.items()
            if _level_key(present.get(pair)) != (key or "")
        }
        _write_cells(system_id, steps, source=source[:300], by=by, at=at or timezone.now())
    return len(steps)


def _level_key(cell: Alliance | None) -> str:
    return cell.level.key if cell and cell.level else ""


def _write_cells(
    system_id: str,
    steps: Mapping[tuple[UUID, UUID], tuple[Alliance | None, AllianceLevel | None]],
    *,
    source: str,
    by: User | None,
    at: datetime,
) -> None:
    """Write levels into cells, those that are missing included, and a line of history for each."""
    added: list[Alliance] = []
    changed: list[Alliance] = []
    history: list[AllianceEdit] = []
    for (primary, ally), (present, level) in steps.items():
        before = _level_key(present)
        cell = present or Alliance(system_id=system_id, from_faction_id=primary, to_faction_id=ally)
        (changed if present else added).append(cell)
        cell.level, cell.source, cell.edited_by, cell.edited_at = level, source, by, at
        history.append(
            AllianceEdit(
                alliance=cell,
                level_before=before,
                level_after=_level_key(cell),
                source=source,
                edited_by=by.username if by else "",
                edited_at=at,
            )
        )
    Alliance.objects.bulk_create(added)
    Alliance.objects.bulk_update(changed, ["level", "source", "edited_by", "edited_at"])
    AllianceEdit.objects.bulk_create(history)
