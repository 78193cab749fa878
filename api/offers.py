"""What may be put under a detachment or selection of a stored list: where the entry ids of edits come from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Union
from uuid import UUID

import msgspec
from django.utils import translation
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import SHARE_PARAMETER, number_of, reader_of
from api.reading import flag
from api.schema import PUBLIC, array, ref
from armybuilder.armylists import queries, services
from armybuilder.armylists.explaining import explanation_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.explain import Explanation
from armybuilder.reference.models import UnitEntry
from armybuilder.reference.names import Names, names_of
from armybuilder.reference.queries import units_as_they_come
from armybuilder.reference.tending import tidied

Explain = Callable[[str], Explanation]
"""From the id of an entry to why it cannot be taken."""

EXPLAIN = OpenApiParameter("explain", bool, description="Say of everything that cannot be taken why.")
UNDER = OpenApiParameter("under", str, required=True, description="Node of the detachment or selection.")


class CostOut(msgspec.Struct, frozen=True):
    """An amount of one cost type, e.g. points."""

    name: str
    value: float


class OfferOut(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="offer"):
    """An entry that may be taken.

    Attributes:
        entry_id: what the edits add_unit and select take.
        type: unit, model or upgrade.
        role: key of its battlefield role; null where none is known.
        category: heading of the detachment it stands under; null below units.
        costs: of one, without what it must bring along.
        points: of the unit as it comes, with what it must bring along; null where that is not known.
        hidden: whether it is hidden at the moment; taking it would be a finding.
        minimum, maximum: in this place, per model of the parent; null is none.
        room: how many more may be taken by every limit of the entry; null is any number.
        current: how many there are here.
        selection_ids: the selections made of it here.
        has_options: whether something can be chosen below it.
        explanation: why it is hidden or full, if `explain` asked for that; null for what may be taken.
    """

    entry_id: str
    name: Text
    type: str
    role: str | None
    category: Text | None
    points: int | float | None
    costs: tuple[CostOut, ...]
    hidden: bool
    minimum: int | None
    maximum: int | None
    room: int | None
    current: int
    selection_ids: tuple[str, ...]
    has_options: bool
    explanation: Explanation | None = None

    @classmethod
    def of(cls, offer: Offer, writing: "Writing") -> "OfferOut":
        """An offer of the roster engine."""
        unit, explain = writing.units.get(offer.entry_id), writing.explain
        role = unit.role if unit is not None else None
        return cls(
            entry_id=offer.entry_id,
            name=writing.both(offer.name),
            type=offer.type,
            role=role.key if role is not None else None,
            category=writing.categories.get(offer.category_id or ""),
            points=number_of(unit.points) if unit is not None else None,
            costs=tuple(CostOut(cost.name, float(cost.value)) for cost in offer.costs if not cost.hidden),
            hidden=offer.hidden,
            minimum=offer.minimum,
            maximum=offer.maximum,
            room=offer.room,
            current=offer.current,
            selection_ids=offer.selection_ids,
            has_options=offer.has_options,
            explanation=explain(offer.entry_id) if explain is not None and not offer.available else None,
        )


class OfferGroupOut(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="group"):
    """Offers with limits in common.

    Attributes:
        default_id: the entry that is taken when nothing else is.
    """

    id: str
    name: Text
    hidden: bool
    minimum: int | None
    maximum: int | None
    current: int
    default_id: str | None
    offers: tuple[Union[OfferOut, "OfferGroupOut"], ...]

    @classmethod
    def of(cls, group: OfferGroup, writing: "Writing") -> "OfferGroupOut":
        """A group of the roster engine with everything in it."""
        return cls(
            id=group.id,
            name=writing.both(group.name),
            hidden=group.hidden,
            minimum=group.minimum,
            maximum=group.maximum,
            current=group.current,
            default_id=group.default_id,
            offers=tuple(_written(offer, writing) for offer in group.offers),
        )


class Offers(APIView):
    """What a list offers to add."""

    @extend_schema(
        operation_id="list_offers",
        tags=["lists"],
        parameters=[UNDER, EXPLAIN, SHARE_PARAMETER],
        responses={200: array(ref(OfferOut | OfferGroupOut, "OfferOrGroup"))},
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """The units a detachment may be given, or the options of a selection, hidden ones too."""
        node_id = request.query_params.get("under")
        if not node_id:
            raise ValidationError({"under": ["Name the detachment or selection to put something under."]})
        army_list = queries.visible_army_list(list_id, reader_of(request))
        report = services.check_army_list(army_list)
        if report.state is None:
            return Response([])
        found = offers(report.library, report.state, node_id=node_id)
        wanted = flag(request, "explain")

        def explain(entry_id: str) -> Explanation:
            return explanation_of(report, node_id=node_id, entry_id=entry_id)

        with translation.override("ru"):  # English names are those of the data
            writing = Writing.about(report, army_list, node_id, explain if wanted else None)
            return Response([_written(offer, writing) for offer in found])


@dataclass(frozen=True, slots=True)
class Writing:
    """What is said of offers besides what the roster engine says.

    Attributes:
        names: gives Russian names where Russian is spoken.
        units: the published units of the detachment by their entries.
        categories: headings by their ids.
    """

    names: Names
    units: Mapping[str, UnitEntry]
    categories: Mapping[str, Text]
    explain: Explain | None

    @classmethod
    def about(cls, report: ListReport, army_list: ArmyList, node_id: str, explain: Explain | None) -> "Writing":
        """What is known where something is put under a node; Russian must be spoken."""
        names = names_of(report.rule_pack or "")
        node = report.state.node(node_id)
        categories = {
            one.id: Text(tidied(one.name), names.role(one.name)) for one in getattr(node, "categories", ()) if one.name
        }
        units = units_as_they_come(army_list.release_id, getattr(node, "catalogue_id", None))
        return cls(names, units, categories, explain)

    def both(self, name: str) -> Text:
        """A name of the data in both languages."""
        return Text(tidied(name), self.names(name))


def _written(offer: Offer | OfferGroup, writing: Writing) -> OfferOut | OfferGroupOut:
    return OfferOut.of(offer, writing) if isinstance(offer, Offer) else OfferGroupOut.of(offer, writing)
