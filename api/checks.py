"""POST /api/v1/check/: any army document, checked by the rulebook alone; nothing is stored."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.parsers import ArmyParser, army_of
from api.schema import PUBLIC, Alternative, body, ref, ref_any_of
from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Report
from armybuilder.engine.systems.game import LIST_RULES


def _army_documents() -> list[Alternative]:
    """The army documents of all games."""
    return [Alternative(pack.army_type, system, {"system": [system]}) for system, pack in LIST_RULES.items()]


ARMY_DOCUMENT = ref_any_of("ArmyDocument", _army_documents)

SMALL_ARMY = {
    "system": "horus-heresy",
    "allegiance": "traitor",
    "points_limit": 2500,
    "detachments": [
        {
            "type": "primary",
            "faction": "Sons of Horus",
            "units": [
                {
                    "id": "hq1",
                    "name": "Praetor",
                    "role": "hq",
                    "points": 150,
                    "subtypes": ["character"],
                    "warlord": True,
                },
                {"id": "tr1", "name": "Tactical Squad", "role": "troops", "points": 130},
            ],
        }
    ],
}


class Check(APIView):
    """The verdict on an army document, with its findings; 200 whether the army is legal or not."""

    stores = False
    parser_classes = (ArmyParser,)

    @extend_schema(
        operation_id="check_document",
        tags=["check"],
        request=body(ARMY_DOCUMENT),
        responses={200: ref(Report)},
        examples=[OpenApiExample("A small army", SMALL_ARMY, request_only=True)],
        auth=PUBLIC,
    )
    def post(self, request: Request) -> Response:
        """Check an army document."""
        told = request.data
        return Response(check(army_of(told) if isinstance(told, bytes) else parse_army(told)))  # {} where nothing is
