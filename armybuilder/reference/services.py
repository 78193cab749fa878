"""Edits of what people keep in the reference: the cells of the alliance matrix."""

from collections.abc import Mapping
from datetime import datetime

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
    moment = at or timezone.now()
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
        added: list[Alliance] = []
        changed: list[Alliance] = []
        history: list[AllianceEdit] = []
        for (primary, ally), key in wanted.items():
            level = levels[key] if key else None
            cell = present.get((primary, ally))
            before = cell.level.key if cell and cell.level else ""
            if before == (key or ""):
                continue
            if cell is None:
                cell = Alliance(system_id=system_id, from_faction_id=primary, to_faction_id=ally)
                added.append(cell)
            else:
                changed.append(cell)
            cell.level, cell.source, cell.edited_by, cell.edited_at = level, source[:300], by, moment
            history.append(
                AllianceEdit(
                    alliance=cell,
                    level_before=before,
                    level_after=key or "",
                    source=source[:300],
                    edited_by=by.username if by else "",
                    edited_at=moment,
                )
            )
        Alliance.objects.bulk_create(added)
        Alliance.objects.bulk_update(changed, ["level", "source", "edited_by", "edited_at"])
        AllianceEdit.objects.bulk_create(history)
    return len(history)
