"""The cards of games whose lists are heroes: what their edits take as characters, assets and power cards."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC, ref
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.engine.systems.relic.card_set import CardSet
from armybuilder.reference import queries


class Cards(APIView):
    """Cards of a system."""

    @extend_schema(operation_id="read_cards", tags=["systems"], responses={200: ref(CardSet)}, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """The cards on offer for heroes; none for a game of armies. Heroes may also hold cards written in by hand."""
        release_id = queries.system(system).current_release_id
        assert release_id is not None
        return Response(cards_of(release_id))
