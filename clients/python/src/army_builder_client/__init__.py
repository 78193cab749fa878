"""A client of Army Builder's REST API."""

from army_builder_client.answers import (
    ArmyList,
    Finding,
    ListRow,
    Report,
    SharedList,
    ShareLink,
    Sheet,
    Words,
)
from army_builder_client.client import ArmyBuilder
from army_builder_client.errors import Problem
from army_builder_client.retrying import RetryingTransport

__all__ = [
    "ArmyBuilder",
    "ArmyList",
    "Finding",
    "ListRow",
    "Problem",
    "Report",
    "RetryingTransport",
    "ShareLink",
    "SharedList",
    "Sheet",
    "Words",
]
