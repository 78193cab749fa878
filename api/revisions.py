"""The history of a stored list over the API: its revisions, one step back or forward, and back to any state."""

from typing import Any
from uuid import UUID

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Raw
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import EditOut, edited, number_of, revision_meant
from api.authentication import known_viewer_of
from api.pages import Collection, page_schema
from api.schema import IF_MATCH, Moment, ref
from armybuilder.armylists import queries, services
from armybuilder.armylists.models import Revision
from armybuilder.engine.findings import Text


class RevisionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One state the list has had.

    Attributes:
        kind: created, edit, undo, redo or restored.
        label: what its owner calls this state; empty where he does not.
    """

    number: int
    kind: str
    name: str
    label: str
    points: int | float | None
    points_limit: int | None
    summary: Text
    created_at: Moment

    @classmethod
    def of(cls, revision: Revision) -> "RevisionRow":
        """A stored revision."""
        return cls(**_revision(revision))


class RevisionOut(RevisionRow, frozen=True, kw_only=True):
    """One state the list has had, with its document."""

    document: Raw

    @classmethod
    def of(cls, revision: Revision) -> "RevisionOut":
        """A stored revision with its document."""
        return cls(**_revision(revision), document=Raw(revision.document.encode()))


class Undo(APIView):
    """One step back."""

    @extend_schema(
        operation_id="undo_edit", tags=["lists"], parameters=[IF_MATCH], request=None, responses={200: ref(EditOut)}
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Go back to the state before the present one, as a new revision."""
        viewer = known_viewer_of(request)
        revision = revision_meant(request, list_id, viewer)
        return edited(services.undo(viewer, list_id, expected_revision=revision))


class Redo(APIView):
    """One step forward."""

    @extend_schema(
        operation_id="redo_edit", tags=["lists"], parameters=[IF_MATCH], request=None, responses={200: ref(EditOut)}
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Take back the last undo, as a new revision."""
        viewer = known_viewer_of(request)
        revision = revision_meant(request, list_id, viewer)
        return edited(services.redo(viewer, list_id, expected_revision=revision))


REVISIONS = Collection(RevisionRow, "number", "created_at=created", "points")


class Revisions(APIView):
    """The history of a list."""

    @extend_schema(
        operation_id="list_revisions",
        tags=["lists"],
        parameters=REVISIONS.parameters,
        responses={200: page_schema(ref(RevisionRow))},
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """All states the list has had, newest first; for its owner."""
        army_list = queries.own_army_list(list_id, known_viewer_of(request))
        return REVISIONS.page(request, self, queries.revisions_of(army_list), RevisionRow.of)


class OneRevision(APIView):
    """A state the list has had."""

    @extend_schema(operation_id="read_revision", tags=["lists"], responses={200: ref(RevisionOut)})
    def get(self, request: Request, list_id: UUID, number: int) -> Response:
        """A revision with its document; for the owner of the list."""
        army_list = queries.own_army_list(list_id, known_viewer_of(request))
        return Response(RevisionOut.of(queries.revision(army_list, number)))


class RevisionRestoration(APIView):
    """Back to an earlier state."""

    @extend_schema(
        operation_id="restore_revision",
        tags=["lists"],
        parameters=[IF_MATCH],
        request=None,
        responses={200: ref(EditOut)},
    )
    def post(self, request: Request, list_id: UUID, number: int) -> Response:
        """Make an earlier revision the present one, as a new revision."""
        viewer = known_viewer_of(request)
        revision = revision_meant(request, list_id, viewer)
        return edited(services.restore_revision(viewer, list_id, number, expected_revision=revision))


def _revision(revision: Revision) -> dict[str, Any]:
    return {
        "number": revision.number,
        "kind": revision.kind,
        "name": revision.name,
        "label": revision.label,
        "points": number_of(revision.points),
        "points_limit": revision.points_limit,
        "summary": Text(en=revision.summary_en, ru=revision.summary_ru),
        "created_at": revision.created,
    }
