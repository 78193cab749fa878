"""What would settle a finding of a list: edits that were tried on a copy, with their consequences."""

from typing import cast
from uuid import UUID

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import reader_of
from api.schema import PUBLIC, ref
from armybuilder.armylists import queries, services
from armybuilder.armylists.repairs import Repair, finding_of, repairs_of
from armybuilder.armylists.reports import ListFinding
from armybuilder.engine.findings import Text, Verdict
from armybuilder.engine.points import Number, written
from armybuilder.heroes.edits import AnyEdit

RULE = OpenApiParameter(
    "rule", {"type": "string", "minLength": 1}, required=True, description="Id of the rule, e.g. HH-17 or BS-02."
)
AT = OpenApiParameter("at", str, description="The finding's pointer; left out for a finding about the whole list.")

SAYS = OpenApiParameter(
    "says",
    str,
    description="Its English message, where the rule says more than one thing there; else the first is meant.",
)


class RepairOut(msgspec.Struct, frozen=True, kw_only=True):
    """An edit that settles the finding without making another error.

    Attributes:
        edits: as `POST /lists/{id}/edits/` takes them.
        does: what they change, in words.
        points: change of the total; null where nothing has a price.
        settled: findings that would be gone.
        caused: findings that would be new.
        verdict: of the list after it.
    """

    edits: tuple[AnyEdit, ...]
    does: Text
    points: Number | None
    settled: tuple[ListFinding, ...]
    caused: tuple[ListFinding, ...]
    verdict: Verdict

    @classmethod
    def of(cls, repair: Repair) -> "RepairOut":
        """A proposal as JSON shows it."""
        return cls(
            edits=cast(tuple[AnyEdit, ...], repair.edits),
            does=repair.does,
            points=None if repair.points is None else written(repair.points),
            settled=repair.settled,
            caused=repair.caused,
            verdict=repair.verdict,
        )


class RepairsOut(msgspec.Struct, frozen=True, kw_only=True):
    """A finding and what would settle it.

    Attributes:
        unambiguous: there is exactly one proposal.
        repairs: the simplest first; none where no single change helps.
    """

    finding: ListFinding
    unambiguous: bool
    repairs: tuple[RepairOut, ...]


class Repairs(APIView):
    """What would help."""

    @extend_schema(
        operation_id="repair_list",
        tags=["lists"],
        parameters=[RULE, AT, SAYS],
        responses={200: ref(RepairsOut)},
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """Edits that would settle a finding of one's own list. Nothing is changed: post one of them to apply it."""
        army_list = queries.own_army_list(list_id, reader_of(request))
        rule = request.query_params.get("rule")
        if not rule:
            raise ValidationError({"rule": ["Name the rule of the finding."]})
        report = services.check_army_list(army_list)
        asked = request.query_params
        finding = finding_of(report, rule=rule, at=asked.get("at"), says=asked.get("says", ""))
        found = tuple(map(RepairOut.of, repairs_of(army_list, report, finding)))
        return Response(RepairsOut(finding=finding, unambiguous=len(found) == 1, repairs=found))
