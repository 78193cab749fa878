"""The administrators' page about the installation itself: what it needs, what waits, how large it is, its backups."""

from collections.abc import Iterator

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from armybuilder.operations import backups, health
from armybuilder.operations.audit_trail import AuditTrail

admin.site.register(LogEntry, AuditTrail)
admin.site.index_template = "admin/operations/index.html"

COUNTED = (
    "accounts.User",
    "armylists.ArmyList",
    "armylists.Revision",
    "armylists.ShareLink",
    "simulations.SimulationRun",
    "simulations.Computation",
    "datafiles.DataFile",
)
BACKUPS_SHOWN = 5


def state(request: HttpRequest) -> TemplateResponse:
    """Everything of this moment; for administrators with all rights."""
    if not request.user.is_superuser:
        raise PermissionDenied
    context = {
        **admin.site.each_context(request),
        "title": _("State of the installation"),
        "states": [*health.states(), *health.replica()],
        "queue": health.queue(),
        "sizes": list(_sizes()),
        "database_bytes": _database_bytes(),
        "backups": backups.kept()[:BACKUPS_SHOWN],
        "queue_kind": settings.QUEUE,
    }
    return TemplateResponse(request, "admin/operations/state.html", context)


def _sizes() -> Iterator[tuple[str, int]]:
    for label in COUNTED:
        model = apps.get_model(label)
        yield str(model._meta.verbose_name_plural), model._base_manager.count()


def _database_bytes() -> int:
    """What the database takes on its disk."""
    question = (
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        if connection.vendor == "sqlite"
        else "SELECT pg_database_size(current_database())"
    )
    with connection.cursor() as cursor:
        cursor.execute(question)
        return int(cursor.fetchone()[0])
