"""Targets that belong to no list: a game's yardsticks, and units a player describes himself to measure his own by."""

from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import Meta
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import known_viewer_of
from api.idempotency import IDEMPOTENCY_KEY, once
from api.pages import Collection, page_schema
from api.reading import one_of
from api.schema import PUBLIC, Moment, array, body, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.armylists.validation import shaped
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.target_profiles import StandardTarget
from armybuilder.simulations import targets
from armybuilder.simulations.models import SavedTarget

Points = Annotated[float, Meta(ge=0, le=100_000)]

SYSTEM = OpenApiParameter("system", str, description="Only targets of this game, by the name of its rule pack.")


class TargetOut(msgspec.Struct, frozen=True, kw_only=True):
    """A target of one's own.

    Attributes:
        system: its game, by the name of the rule pack.
        side: the unit, as a side of that game's matchup documents.
    """

    id: UUID
    address: str
    system: str
    name: str
    points: float
    side: dict[str, Any]
    created_at: Moment

    @classmethod
    def of(cls, target: SavedTarget) -> "TargetOut":
        """A stored target."""
        return cls(
            id=target.pk,
            address=f"/api/v1/targets/{target.pk}/",
            system=target.rule_pack,
            name=target.name,
            points=float(target.points),
            side=targets.side_of(target),
            created_at=target.created,
        )


class ChangedTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A target described anew.

    Attributes:
        side: the unit, as a side of the game's matchup documents.
        points: what it is worth.
    """

    name: Annotated[str, Meta(min_length=1, max_length=120)]
    side: dict[str, Any]
    points: Points = 0


class NewTarget(ChangedTarget, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A target to keep.

    Attributes:
        system: its game, by the name of the rule pack.
        side: the unit, as a side of that game's matchup documents.
        points: what it is worth.
    """

    system: Annotated[str, Meta(max_length=40)]


class StandardTargetOut(msgspec.Struct, frozen=True, kw_only=True):
    """A yardstick of a game.

    Attributes:
        standard: what requests call it.
        side: the unit, as a side of the game's matchup documents.
    """

    standard: str
    name: Text
    points: float
    side: Any

    @classmethod
    def of(cls, system: str, target: StandardTarget) -> "StandardTargetOut":
        """One of the shipped targets."""
        return cls(standard=f"{system}/{target.key}", name=target.name, points=float(target.points), side=target.side)


TARGETS = Collection(TargetOut, "name", "points", "created_at=created")


class Targets(APIView):
    """Targets of one's own."""

    @extend_schema(
        operation_id="list_targets",
        tags=["simulations"],
        parameters=[SYSTEM, *TARGETS.parameters],
        responses={200: page_schema(ref(TargetOut))},
    )
    def get(self, request: Request) -> Response:
        """The targets you have saved, by name."""
        rows = targets.saved_targets_of(known_viewer_of(request), system=one_of(request, "system", lambda: [*GAMES]))
        return TARGETS.page(request, self, rows, TargetOut.of)

    @extend_schema(
        operation_id="save_target",
        tags=["simulations"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(NewTarget)),
        responses={201: ref(TargetOut)},
    )
    @once
    def post(self, request: Request) -> Response:
        """Save a unit you describe, to measure others by."""
        viewer = known_viewer_of(request)
        wanted = shaped(request.data, NewTarget)
        target = targets.save_target(
            viewer, system=wanted.system, name=wanted.name, points=Decimal(str(wanted.points)), side=wanted.side
        )
        saved = TargetOut.of(target)
        return Response(saved, status=status.HTTP_201_CREATED, headers={"Location": saved.address})


class OneTarget(APIView):
    """One target of one's own."""

    @extend_schema(operation_id="read_target", tags=["simulations"], responses={200: ref(TargetOut)})
    def get(self, request: Request, target_id: UUID) -> Response:
        """Read a target."""
        return Response(TargetOut.of(targets.saved_target(known_viewer_of(request), target_id)))

    @extend_schema(
        operation_id="change_target",
        tags=["simulations"],
        request=body(ref(ChangedTarget)),
        responses={200: ref(TargetOut)},
    )
    def put(self, request: Request, target_id: UUID) -> Response:
        """Describe a target anew; answers that used it stay as they are."""
        viewer = known_viewer_of(request)
        wanted = shaped(request.data, ChangedTarget)
        points = Decimal(str(wanted.points))
        changed = targets.change_target(viewer, target_id, name=wanted.name, points=points, side=wanted.side)
        return Response(TargetOut.of(changed))

    @extend_schema(operation_id="delete_target", tags=["simulations"], responses={204: None})
    def delete(self, request: Request, target_id: UUID) -> Response:
        """Delete a target; answers that used it stay."""
        targets.delete_target(known_viewer_of(request), target_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class StandardTargets(APIView):
    """The yardsticks of a game."""

    @extend_schema(
        operation_id="list_standard_targets",
        tags=["simulations"],
        responses={200: array(ref(StandardTargetOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, system: str) -> Response:
        """Units every player of a game knows, by the name of its rule pack; what requests call `standard`."""
        if system not in GAMES:
            raise NotFound(f"There is no rule pack '{system}'.")
        return Response([StandardTargetOut.of(system, target) for target in targets.standard_targets(system)])
