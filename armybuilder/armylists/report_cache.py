"""What this process knows of the lists it worked on last, so that an edit or a page need not begin anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armybuilder import figures
from armybuilder.armylists.checking import Levels, total_points
from armybuilder.armylists.list_types import ListType, list_type_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.engine.findings import Severity
from armybuilder.engine.roster.state import RosterState
from armybuilder.reference.queries import recorded_levels
from armybuilder.shelf import Shelf

KEPT_BYTES = 48 * 2**20
"""What the lists that one process remembers may take: some seventy of 2,000 points, two of the longest."""

BYTES_OF_A_LIST, BYTES_OF_A_BYTE = 100_000, 20
"""What one takes, and for each byte of its document beside that: 135 kB of one of 2 kB, 640 of one of 37."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A report, and everything it depends on: it counts only while all of that is the same.

    Attributes:
        columns: what the row repeats of it.
    """

    document: str
    release_id: UUID
    points_limit: int | None
    rule_pack: str
    conventions: bool
    levels: Levels
    report: ListReport
    columns: Mapping[str, Any]


_FOUND, _MADE = (figures.REPORT_CACHE.labels(found) for found in ("yes", "no"))

_known: Shelf[_Known] = Shelf(KEPT_BYTES)


def columns_of(report: ListReport, list_type: ListType) -> dict[str, Any]:
    """What the row repeats of a report, so that pages of lists need not check."""
    counts = (report.count(severity) for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO))
    return {
        "points": total_points(report),
        "verdict": report.verdict.value,
        "unchecked_parts": min(len(report.unchecked), 32_000),
        "finding_counts": "/".join(map(str, counts)),
        "left_to_choose": min(list_type.left_to_choose(report), 32_000),
        "faction_names": ", ".join(list_type.factions(report))[:300],
        "role_points": [[name, str(points)] for name, points in list_type.role_points(report)],
    }


def judged(army_list: ArmyList) -> tuple[ListReport, Mapping[str, Any]]:
    """The report on a list as it is stored, and what its row has to repeat of it.

    It is checked again only if something it depends on has changed.
    """
    levels = recorded_levels(army_list.system.home_id)
    known = _of_same_roster(army_list)
    if (
        known is not None
        and known.report.revision == army_list.revision
        and known.points_limit == army_list.points_limit
        and known.rule_pack == army_list.system.rule_pack
        and known.conventions == army_list.system.conventions
        and known.levels == levels
    ):
        _FOUND.inc()
        return known.report, known.columns
    _MADE.inc()
    kind = list_type_of(army_list)
    older = _known.get(army_list.pk)  # another process may have changed the list since: most of it is as it was
    report = kind.report_on(
        kind.read(army_list.document),
        system=army_list.system,
        release_id=army_list.release_id,
        points_limit=army_list.points_limit,
        revision=army_list.revision,
        levels=levels,
        previous=older.report.state if older is not None and older.release_id == army_list.release_id else None,
    )
    columns = columns_of(report, kind)
    remember(army_list, report, levels, columns)
    return report, columns


def state_of(army_list: ArmyList) -> RosterState | None:
    """The evaluated roster of a list as it is stored; None when this process does not know it."""
    known = _of_same_roster(army_list)
    return known.report.state if known is not None else None


def remember(army_list: ArmyList, report: ListReport, levels: Levels, columns: Mapping[str, Any]) -> None:
    """Keep the report on a list as it is stored now, with what its row repeats of it."""
    known = _Known(
        document=army_list.document,
        release_id=army_list.release_id,
        points_limit=army_list.points_limit,
        rule_pack=army_list.system.rule_pack,
        conventions=army_list.system.conventions,
        levels=levels,
        report=report,
        columns=columns,
    )
    _known.keep(army_list.pk, known, BYTES_OF_A_LIST + BYTES_OF_A_BYTE * len(army_list.document))


def forget() -> None:
    """Begin anew with every list."""
    _known.forget()


def _of_same_roster(army_list: ArmyList) -> _Known | None:
    known = _known.get(army_list.pk)
    if known is None or known.document != army_list.document or known.release_id != army_list.release_id:
        return None
    return known
