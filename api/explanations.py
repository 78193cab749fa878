"""Why something cannot be taken, and what stands behind each objection of the data: the chain, and what would help."""

from uuid import UUID

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import SHARE_PARAMETER, reader_of
from api.schema import PUBLIC, array, ref
from armybuilder.armylists import queries, services
from armybuilder.armylists.explaining import explanation_of, explanations_of_errors
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.explain import Explanation

UNDER = OpenApiParameter(
    "under",
    str,
    description="Node of the detachment or selection, with `entry`; without both, every objection of the data.",
)
ENTRY = OpenApiParameter(
    "entry",
    str,
    description="`entry_id` of an offer under that node, or `id` of a group of offers; only with `under`.",
)


class ExplainedOut(msgspec.Struct, frozen=True, kw_only=True):
    """An entry, or an objection of the data, with its explanation.

    Attributes:
        rule, message: of the finding; null where an entry was asked about.
        at: JSON pointer into the stored document.
    """

    explanation: Explanation
    rule: str | None = None
    message: Text | None = None
    at: str | None = None
    node_id: str | None = None


class Explanations(APIView):
    """Why things of a list stand as they do."""

    @extend_schema(
        operation_id="explain_list",
        tags=["lists"],
        parameters=[UNDER, ENTRY, SHARE_PARAMETER],
        responses={200: array(ref(ExplainedOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """Why an entry is hidden, full or needed; without parameters, what is behind every objection of the data."""
        report = services.check_army_list(queries.visible_army_list(list_id, reader_of(request)))
        under, entry = request.query_params.get("under"), request.query_params.get("entry")
        if bool(under) != bool(entry):
            missing = "entry" if under else "under"
            raise ValidationError({missing: ["Name both the node and the entry, or neither."]})
        if under and entry:
            found = explanation_of(report, node_id=under, entry_id=entry)
            return Response([ExplainedOut(explanation=found, node_id=under)])
        return Response(
            [
                ExplainedOut(
                    explanation=one.explanation, rule=one.rule, message=one.message, at=one.at, node_id=one.node_id
                )
                for one in explanations_of_errors(report)
            ]
        )
