"""POST /api/v1/check/: any army document, checked by the rulebook alone; nothing is stored."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC, Alternative, body, ref, ref_any_of
from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Report
from armybuilder.engine.systems import PACKS


def _army_documents() -> list[Alternative]:
    """The army documents of all games."""
    return [Alternative(pack.army_type, system, {"system": [system]}) for system, pack in PACKS.items()]


class Check(APIView):
    """The verdict on an army document, with its findings; 200 whether the army is legal or not."""

    stores = False

    @extend_schema(
        operation_id="check_document",
        tags=["check"],
        request=body(ref_any_of("ArmyDocument", _army_documents)),
        responses={200: ref(Report)},
        auth=PUBLIC,
    )
    def post(self, request: Request) -> Response:
        """Check an army document."""
        return Response(check(parse_army(request.data)))
