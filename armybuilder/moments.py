"""Moments as databases keep them."""

from datetime import UTC, datetime

LATEST = datetime(9999, 12, 30, tzinfo=UTC)
"""A day before the calendar ends, so that every offset leaves a date."""


def storable(moment: datetime) -> datetime:
    """The same moment in universal time.

    Python knows offsets of up to 24 hours, PostgreSQL refuses those of more than 16; a moment in the calendar's last
    hours becomes LATEST.
    """
    return min(moment, LATEST).astimezone(UTC)
