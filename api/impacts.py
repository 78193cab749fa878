"""What newer game data would change in a list, and the owner's choice: move to it or stay."""

from decimal import Decimal
from uuid import UUID

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import EditOut, ListOut, edited
from api.authentication import known_viewer_of
from api.preconditions import expected_revision
from api.schema import IF_MATCH, body, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.armylists import queries
from armybuilder.armylists import release_impact as impacts
from armybuilder.armylists.release_impact import Impact
from armybuilder.armylists.reports import ListFinding
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles.models import DataRelease
from armybuilder.engine.findings import Verdict


class ReleaseNameOut(msgspec.Struct, frozen=True):
    """A data release."""

    id: UUID
    number: int
    revision: str

    @classmethod
    def of(cls, release: DataRelease) -> "ReleaseNameOut":
        """A stored release."""
        return cls(release.pk, release.number, release.revision)


class GoneOut(msgspec.Struct, frozen=True):
    """What the newer data does not have; `unit_name` is empty for a unit or detachment itself."""

    node_id: str
    name: str
    unit_name: str


class RenamedOut(msgspec.Struct, frozen=True):
    """What the newer data calls otherwise."""

    node_id: str
    before: str
    after: str


class RepricedOut(msgspec.Struct, frozen=True):
    """A unit that costs otherwise, with all that is in it."""

    node_id: str
    name: str
    before: float
    after: float


class ImpactOut(msgspec.Struct, frozen=True, kw_only=True):
    """The list on the newest data against the list as it is.

    Attributes:
        offered: false once the owner chose to stay.
        new_findings, solved_findings: errors and warnings that come or go.
    """

    before: ReleaseNameOut
    after: ReleaseNameOut
    offered: bool
    points_before: float | None
    points_after: float | None
    verdict_before: Verdict
    verdict_after: Verdict
    gone: tuple[GoneOut, ...]
    renamed: tuple[RenamedOut, ...]
    repriced: tuple[RepricedOut, ...]
    new_findings: tuple[ListFinding, ...]
    solved_findings: tuple[ListFinding, ...]

    @classmethod
    def of(cls, found: Impact, *, offered: bool) -> "ImpactOut":
        """What the service worked out."""
        return cls(
            before=ReleaseNameOut.of(found.before),
            after=ReleaseNameOut.of(found.after),
            offered=offered,
            points_before=_number(found.points_before),
            points_after=_number(found.points_after),
            verdict_before=found.verdict_before,
            verdict_after=found.verdict_after,
            gone=tuple(GoneOut(one.node_id, one.name, one.unit_name) for one in found.gone),
            renamed=tuple(RenamedOut(one.node_id, one.before, one.after) for one in found.renamed),
            repriced=tuple(
                RepricedOut(one.node_id, one.name, float(one.before), float(one.after)) for one in found.repriced
            ),
            new_findings=found.new_findings,
            solved_findings=found.solved_findings,
        )


class ReleaseChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The release the owner decides about: `after.id` of the impact."""

    release: UUID


class ImpactOfData(APIView):
    """What newer data would change."""

    @extend_schema(operation_id="read_impact", tags=["lists"], responses={200: ref(ImpactOut)})
    def get(self, request: Request, list_id: UUID) -> Response:
        """What moving the list to the newest data of its game would change; 404 when it is on that already."""
        army_list = queries.own_army_list(list_id, known_viewer_of(request))
        found = impacts.impact_of(army_list)
        if found is None:
            raise NotFound("The list is on the newest data of its game.")
        return Response(ImpactOut.of(found, offered=impacts.is_offered(army_list)))


class Move(APIView):
    """Moving to newer data."""

    @extend_schema(
        operation_id="move_to_release",
        tags=["lists"],
        parameters=[IF_MATCH],
        request=body(ref(ReleaseChoice)),
        responses={200: ref(EditOut)},
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Put the list on the newest data; a revision like any other, which undo takes back."""
        viewer = known_viewer_of(request)
        wanted = shaped(request.data, ReleaseChoice)
        revision = expected_revision(request)
        if revision is None:
            revision = queries.own_army_list(list_id, viewer).revision
        return edited(impacts.move(viewer, list_id, release_id=wanted.release, expected_revision=revision))


class Stay(APIView):
    """Staying on the present data."""

    @extend_schema(
        operation_id="stay_on_release", tags=["lists"], request=body(ref(ReleaseChoice)), responses={200: ref(ListOut)}
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Keep the list on its data; a later release is offered again."""
        wanted = shaped(request.data, ReleaseChoice)
        return Response(ListOut.of(impacts.stay(known_viewer_of(request), list_id, release_id=wanted.release)))


def _number(points: Decimal | None) -> float | None:
    return None if points is None else float(points)
