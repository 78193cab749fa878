"""Reverse search over the API: who may take a unit, in which role, and which detachments have slots for it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.reference import LocalizedField, UnitRow
from api.schema import PUBLIC
from armybuilder.reference import queries
from armybuilder.reference.models import Slot
from armybuilder.reference.reverse_search import role_places, takers


class TakerOut(UnitRow):
    """The unit as one army list of the data set sells it."""

    faction_name = LocalizedField(source="faction")

    class Meta(UnitRow.Meta):
        fields = (*UnitRow.Meta.fields, "faction_name")  # type: ignore[assignment]


class PlaceOut(serializers.ModelSerializer[Slot]):
    """Slots of a detachment for units of a role; `maximum` null is as many as the points allow."""

    name = LocalizedField(source="detachment")
    detachment_type = serializers.CharField(source="detachment.type")
    entry_id = serializers.CharField(source="detachment.entry_id")

    class Meta:
        model = Slot
        fields = ("name", "detachment_type", "entry_id", "minimum", "maximum")


class RolePlacesOut(serializers.Serializer[Any]):
    """Where units of a role have slots."""

    role = serializers.CharField(source="role.key")
    name = LocalizedField(source="role")
    slots = PlaceOut(many=True)


class TakersOut(serializers.Serializer[Any]):
    """Who may take a unit; `places` has an entry for each role in which somebody takes it and that has slots."""

    takers = TakerOut(many=True)
    places = RolePlacesOut(many=True)


class Takers(APIView):
    """Who may take one unit."""

    @extend_schema(operation_id="list_unit_takers", tags=["systems"], responses=TakersOut, auth=PUBLIC)
    def get(self, request: Request, system: str, unit: UUID) -> Response:
        """Every army list of the data set that sells the unit, with role and points, and the slots for it."""
        found = queries.unit(unit)
        if found.faction.system_id != system:
            raise NotFound(f"There is no such unit in '{system}'.")
        sold = takers(found)
        return Response(TakersOut({"takers": sold, "places": role_places(sold)}).data)
