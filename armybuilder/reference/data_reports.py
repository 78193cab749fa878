"""Mistakes in the data that players report from a unit, and the text of an issue for whoever keeps the data."""

from django.db.models import QuerySet

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.errors import TooManyReports
from armybuilder.reference.models import DataReport

MOST_OPEN = 200
"""Reports of one data set that nobody has settled yet; more would only hide them."""


def report_mistake(system: PublishedSystem, *, unit: str, entry_id: str, text: str, by: str) -> DataReport:
    """Keep a report for the administrator.

    Args:
        unit, entry_id: what it is about; empty for the data set as a whole.
        by: user name of the reporter; empty for a guest.

    Raises:
        TooManyReports: too many wait already.
    """
    if DataReport.objects.filter(system=system, settled=False).count() >= MOST_OPEN:
        raise TooManyReports
    return DataReport.objects.create(
        system=system,
        release=system.current_release,
        unit=unit[:200],
        entry_id=entry_id[:400],
        text=text.strip()[: DataReport.MOST_TEXT],
        reported_by=by,
    )


def reports_of(name: str) -> QuerySet[DataReport]:
    """What a user reported, newest first."""
    return DataReport.objects.filter(reported_by=name).order_by("-reported_at")


def issue_text(report: DataReport) -> str:
    """A report as the text of an issue: what is wrong, where, and in which revision of the data."""
    lines = [f"# {report.unit or report.system.name}: {report.text.splitlines()[0][:80]}", "", report.text, ""]
    if report.unit:
        lines.append(f"- Unit: {report.unit}")
    if report.entry_id:
        lines.append(f"- Entry id: `{report.entry_id}`")
    if report.release is not None:
        lines.append(f"- Data: {report.release.name or report.system.name}, revision {report.release.revision or '?'}")
        lines.append(f"- Read from: {report.release.origin}")
    return "\n".join([*lines, f"- Reported: {report.reported_at:%Y-%m-%d}", ""])
