"""Charts of finished simulations over the API: where each is found as a picture."""

from uuid import UUID

import msgspec
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import viewer_of
from api.schema import PUBLIC, array, ref
from armybuilder.simulations import queries
from armybuilder.simulations.chart_addresses import addresses_of, charts_of


class ChartOut(msgspec.Struct, frozen=True, kw_only=True):
    """A chart of a finished simulation, for forums and chats: whoever has one of its addresses sees it, and no more.

    Attributes:
        name: of the chart, e.g. `outcomes` of a battle, `forth-points` of a matrix.
        png, svg: addresses of the picture in the language of the request; they are good for some months.
    """

    name: str
    png: str
    svg: str


class SimulationPictures(APIView):
    """The charts of a simulation."""

    @extend_schema(
        operation_id="list_simulation_pictures",
        tags=["simulations"],
        responses={200: array(ref(ChartOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """The charts of a finished simulation as pictures; none before it is done."""
        run = queries.visible_run(run_id, viewer_of(request))
        result = queries.result_of(run)
        language = "ru" if get_language() == "ru" else "en"
        names = charts_of(run, result) if result is not None else ()
        found = [(name, addresses_of(run, name, language)) for name in names]
        return Response([ChartOut(name=name, png=where.png, svg=where.svg) for name, where in found])
