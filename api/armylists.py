"""Stored lists over the API: create, read, edit, check, copy, delete; the entity tag is the revision number."""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Annotated, Any
from uuid import UUID

import django_filters
import msgspec
from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from msgspec import Meta, Raw
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import known_viewer_of, viewer_of
from api.heroes import new_hero
from api.idempotency import IDEMPOTENCY_KEY, once
from api.pages import Collection, filtered, page_schema, parameters_of
from api.parameters import parameter
from api.preconditions import etag_of, etag_of_reading, expected_revision, is_known
from api.reading import EXPAND, expanded_sheet, fields_parameter, narrowed, one_of, wants_sheet
from api.schema import IF_MATCH, PUBLIC, Moment, body, ref
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, queries, services
from armybuilder.armylists.edits import Edit, NodeId, SetName, SetPointsLimit, parse_edits
from armybuilder.armylists.errors import NotFound, RevisionConflict
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.armylists.models import ArmyList, VerdictChoice
from armybuilder.armylists.reports import EditResult, ListFinding, ListReport, UncheckedPart
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles import queries as datafiles
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Points, Text, Verdict
from armybuilder.heroes.edits import AnyEdit
from armybuilder.heroes.queries import builds_heroes
from armybuilder.reference import queries as reference

SHARE_PARAMETER = OpenApiParameter("share", str, description="Token of a share link that opens this list.")


class Counts(msgspec.Struct, frozen=True):
    """How many findings of each severity the last check had."""

    errors: int
    warnings: int
    infos: int


class ListRow(msgspec.Struct, frozen=True, kw_only=True):
    """A list without its document.

    Attributes:
        address: where the list is read.
        points: total of the last check; null before the first.
        unchecked_parts: a legal list with any is "legal, with parts not checked".
        archived: whether its owner has put it away; it is read and changed like any other.
        family: shared by a list and its variants; null for a list without any.
        revision: goes up with every change; also the ETag.
        factions: names of the army lists of its detachments, as the site shows them in the language of the request.
    """

    id: UUID
    address: str
    name: str
    system: str
    factions: str
    points: int | float | None
    points_limit: int | None
    verdict: Verdict
    unchecked_parts: int
    finding_counts: Counts
    folder: str
    tags: tuple[str, ...]
    archived: bool
    family: UUID | None
    revision: int
    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, army_list: ArmyList) -> "ListRow":
        """The row of a stored list."""
        return cls(**_row(army_list))


class ListOut(ListRow, frozen=True, kw_only=True):
    """A list with its document.

    Attributes:
        release: id of the data release it is pinned to.
        document: for document_kind `roster` an object with `roster` and `facts`, for `army` the army document itself;
            findings point into it.
        sheet: the evaluated list in the language of the request, where `?expand=sheet` asks for it.
    """

    release: UUID
    document_kind: str
    document: Raw
    sheet: ListSheet | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def read_by(cls, viewer: Viewer, army_list: ArmyList) -> "ListOut":
        """A stored list; where the owner files it, and under which tags, is for the owner alone."""
        out = cls.of(army_list)
        return (
            out
            if queries.may_edit(army_list, viewer)
            else msgspec.structs.replace(out, folder="", tags=(), archived=False, family=None)
        )

    @classmethod
    def of(cls, army_list: ArmyList) -> "ListOut":
        """A stored list of one's own; its document is passed on as it is stored."""
        return cls(
            **_row(army_list),
            release=army_list.release_id,
            document_kind=army_list.document_kind,
            document=Raw(army_list.document.encode()),
        )


class ReportOut(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a stored list: the answer of the stateless check, and more.

    Attributes:
        verdict: legal, illegal or not_checked; with `unchecked` parts a legal list is legal as far as it was checked.
        legal: false if a finding is an error; without a rule pack by the data alone; null where nothing can say.
        unchecked: what the verdict does not cover.
        findings: `at` points into the stored document.
    """

    system: str
    rule_pack: str | None
    revision: int
    verdict: Verdict
    legal: bool | None
    unchecked: tuple[UncheckedPart, ...]
    points: Points
    findings: tuple[ListFinding, ...]

    @classmethod
    def of(cls, report: ListReport) -> "ReportOut":
        """The parts of a report that travel."""
        return cls(
            system=report.system,
            rule_pack=report.rule_pack,
            revision=report.revision,
            verdict=report.verdict,
            legal=report.legal,
            unchecked=report.unchecked,
            points=report.points,
            findings=report.findings,
        )


class EditOut(msgspec.Struct, frozen=True, kw_only=True):
    """What an edit, undo or redo led to.

    Attributes:
        node_id: the node the last edit made or touched.
        summary: of the new revision; null when nothing had to change.
    """

    list: ListOut
    report: ReportOut
    node_id: str | None
    summary: Text | None

    @classmethod
    def of(cls, result: EditResult) -> "EditOut":
        """The result of an edit."""
        return cls(
            list=ListOut.of(result.army_list),
            report=ReportOut.of(result.report),
            node_id=result.node_id,
            summary=result.summary,
        )


class NewList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a new list is made of.

    Attributes:
        system: id of a published game system.
        catalogue_id: of the faction, for the first detachment; army games need it.
        force_entry_id: detachment to begin with; without it the chart's Primary Detachment.
        allied_catalogue_id: adds an Allied Detachment of that faction.
        allegiance: loyalist or traitor, where the game has sides.
        character: for a game of heroes, name of the character card the hero is set up with.
        document: for a game of heroes, the army document to begin with; its name becomes `name`.
    """

    system: str
    name: Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)]
    catalogue_id: Annotated[str, Meta(min_length=1, max_length=400)] | None = None
    points_limit: Annotated[int, Meta(ge=-limits.POINTS, le=limits.POINTS)] | None = None
    allegiance: Annotated[str, Meta(max_length=100)] | None = None
    force_entry_id: Annotated[str, Meta(min_length=1, max_length=400)] | None = None
    allied_catalogue_id: Annotated[str, Meta(min_length=1, max_length=400)] | None = None
    folder: Annotated[str, Meta(max_length=limits.FOLDER_LENGTH)] = ""
    character: Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)] | None = None
    document: dict[str, Any] | None = None


Tag = Annotated[str, Meta(min_length=1, max_length=limits.TAG_LENGTH)]


class ListChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be changed of a list besides its units; what is left out stays.

    Attributes:
        points_limit: null takes the limit away.
    """

    name: Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)] | msgspec.UnsetType = msgspec.UNSET
    points_limit: Annotated[int, Meta(ge=-limits.POINTS, le=limits.POINTS)] | msgspec.UnsetType | None = msgspec.UNSET
    folder: Annotated[str, Meta(max_length=limits.FOLDER_LENGTH)] | msgspec.UnsetType = msgspec.UNSET
    tags: Annotated[tuple[Tag, ...], Meta(max_length=limits.TAGS)] | msgspec.UnsetType = msgspec.UNSET
    archived: bool | msgspec.UnsetType = msgspec.UNSET

    def edits(self) -> tuple[Edit, ...]:
        """The edits that make the part of the change which is kept as a revision."""
        edits: list[Edit] = []
        if self.name is not msgspec.UNSET:
            edits.append(SetName(name=self.name))
        if self.points_limit is not msgspec.UNSET:
            edits.append(SetPointsLimit(points_limit=self.points_limit))
        return tuple(edits)


class CopyOf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a copy is called; without a name as the original, marked as a copy."""

    name: Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)] | None = None


class UnitCopyTo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a copy of a unit goes.

    Attributes:
        list_id: another of your lists of the same data set.
        force_id: its detachment; without one the first that is filled from the unit's catalogue.
    """

    list_id: UUID
    force_id: NodeId | None = None


class ListFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Which lists."""

    system = django_filters.CharFilter(field_name="system_id", help_text="Id of the game system.")
    folder = django_filters.CharFilter(field_name="folder", help_text="Name of the folder.")
    verdict = django_filters.ChoiceFilter(choices=VerdictChoice.choices, help_text="Verdict of the last check.")
    search = django_filters.CharFilter(
        field_name="name", lookup_expr="icontains", max_length=200, help_text="Part of the name."
    )


LISTS = Collection(ListRow, "updated_at=updated", "created_at=created", "name", "points")


class Lists(APIView):
    """One's own lists."""

    @extend_schema(
        operation_id="list_lists",
        tags=["lists"],
        parameters=[*parameters_of(ListFilter), *LISTS.parameters],
        responses={200: page_schema(ref(ListRow))},
    )
    def get(self, request: Request) -> Response:
        """One's own lists without their documents, newest first."""
        viewer = known_viewer_of(request)
        one_of(request, "system", datafiles.ids_of_systems)
        lists = filtered(request, queries.army_lists_of(viewer), ListFilter)
        return LISTS.page(request, self, lists, ListRow.of)

    @extend_schema(
        operation_id="create_list",
        tags=["lists"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(NewList)),
        responses={201: ref(ListOut)},
        examples=[
            OpenApiExample(
                "A list of Sons of Horus",
                {
                    "system": "horus-heresy",
                    "name": "Speartip",
                    "catalogue_id": "hh-legion-sons-of-horus",
                    "points_limit": 2000,
                    "allegiance": "traitor",
                },
                request_only=True,
            ),
            OpenApiExample(
                "A hero of Relic",
                {"system": "relic", "name": "First voyage", "character": "Ultramarines Captain"},
                request_only=True,
            ),
        ],
    )
    @once
    def post(self, request: Request) -> Response:
        """Create a list with its first detachment, or a hero."""
        viewer = known_viewer_of(request)
        new = shaped(request.data, NewList)
        try:
            if builds_heroes(reference.system(new.system)):
                hero = new_hero(viewer, new.system, new.name, new.character, new.document, new.folder)
                return created(hero)
            if new.catalogue_id is None:
                raise BadDocument("Missing field 'catalogue_id': army games need it.", "/catalogue_id")
            army_list = services.create_army_list(
                viewer,
                system_id=new.system,
                name=new.name,
                catalogue_id=new.catalogue_id,
                points_limit=new.points_limit,
                allegiance=new.allegiance,
                force_entry_id=new.force_entry_id,
                allied_catalogue_id=new.allied_catalogue_id,
                folder=new.folder,
            )
        except NotFound as refusal:  # it stands in the body, not in the address
            raise BadDocument(str(refusal), "/system") from refusal
        return created(army_list)


class DeletedLists(APIView):
    """The bin."""

    @extend_schema(
        operation_id="list_deleted_lists",
        tags=["lists"],
        parameters=LISTS.parameters,
        responses={200: page_schema(ref(ListRow))},
    )
    def get(self, request: Request) -> Response:
        """One's deleted lists, what was deleted last first."""
        return LISTS.page(request, self, queries.deleted_lists_of(known_viewer_of(request)), ListRow.of)


class OneList(APIView):
    """One list."""

    @extend_schema(
        operation_id="read_list",
        tags=["lists"],
        parameters=[EXPAND, fields_parameter(ListOut.__struct_fields__), SHARE_PARAMETER],
        responses={200: ref(ListOut), 304: None},
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """A list with its document, and evaluated with `expand=sheet`; 304 while the ETag of If-None-Match holds."""
        reader = reader_of(request)
        found = queries.visible_army_list if wants_sheet(request) else queries.readable_army_list
        army_list = found(list_id, reader)
        sheet = expanded_sheet(request, army_list)
        out = ListOut.read_by(reader, army_list)
        headers = reading_tag(out)
        if sheet is None and is_known(request, headers["ETag"]):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        if sheet is not None:
            out = msgspec.structs.replace(out, sheet=sheet)
        return Response(narrowed(request, out), headers=headers)

    @extend_schema(
        operation_id="change_list",
        tags=["lists"],
        parameters=[IF_MATCH],
        request=body(ref(ListChange)),
        responses={200: ref(ListOut)},
    )
    def patch(self, request: Request, list_id: UUID) -> Response:
        """Change name, points limit, folder or tags, or put the list into the archive and back."""
        viewer = known_viewer_of(request)
        change = shaped(request.data, ListChange)
        revision = revision_meant(request, list_id, viewer)
        edits = change.edits()
        if edits:
            army_list = services.apply_edits(viewer, list_id, edits, expected_revision=revision).army_list
        elif (army_list := queries.own_army_list(list_id, viewer)).revision != revision:
            raise RevisionConflict(army_list.revision)
        if any(filed is not msgspec.UNSET for filed in (change.folder, change.tags, change.archived)):
            army_list = services.file_army_list(
                viewer,
                list_id,
                folder=None if change.folder is msgspec.UNSET else change.folder,
                tags=None if change.tags is msgspec.UNSET else change.tags,
                is_archived=None if change.archived is msgspec.UNSET else change.archived,
            )
        return Response(ListOut.of(army_list), headers=_tag(army_list))

    @extend_schema(operation_id="delete_list", tags=["lists"], parameters=[IF_MATCH], responses={204: None})
    def delete(self, request: Request, list_id: UUID) -> Response:
        """Put a list into the bin; its share links lead nowhere until it is restored."""
        viewer = known_viewer_of(request)
        services.delete_army_list(viewer, list_id, expected_revision=expected_revision(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Restoration(APIView):
    """Out of the bin."""

    @extend_schema(operation_id="restore_list", tags=["lists"], request=None, responses={200: ref(ListOut)})
    def post(self, request: Request, list_id: UUID) -> Response:
        """Take a list out of the bin."""
        army_list = services.restore_army_list(known_viewer_of(request), list_id)
        return Response(ListOut.of(army_list), headers=_tag(army_list))


class Edits(APIView):
    """Changes of what is in a list."""

    @extend_schema(
        operation_id="edit_list",
        tags=["lists"],
        parameters=[IF_MATCH],
        request=body(
            {
                "anyOf": [
                    ref(AnyEdit, "Edit"),
                    {"type": "array", "items": ref(AnyEdit, "Edit"), "minItems": 1, "maxItems": limits.EDITS_AT_ONCE},
                ]
            }
        ),
        responses={200: ref(EditOut)},
        examples=[
            OpenApiExample(
                "Add a unit",
                {"edit": "add_unit", "force_id": "5d23155deb45", "entry_id": "hh-la-tactical-squad"},
                request_only=True,
            ),
            OpenApiExample(
                "Several at once",
                [{"edit": "set_points_limit", "points_limit": 3000}, {"edit": "remove", "node_id": "be38d5d1f7b3"}],
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Apply one edit or several in their order, all or none, as one revision."""
        viewer = known_viewer_of(request)
        edits = parse_edits(request.data, AnyEdit)
        revision = revision_meant(request, list_id, viewer)
        try:
            return edited(services.apply_edits(viewer, list_id, edits, expected_revision=revision))
        except BadDocument as refusal:
            refusal.at = _in_body(request.data, len(edits), refusal.at)
            raise


class ListCheck(APIView):
    """The verdict on a stored list."""

    stores = False

    @extend_schema(
        operation_id="check_list",
        tags=["lists", "check"],
        parameters=[SHARE_PARAMETER],
        request=None,
        responses={200: ref(ReportOut)},
        auth=PUBLIC,
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Check a list by the rulebook and by its game data; 200 whether it is legal or not."""
        army_list = queries.visible_army_list(list_id, reader_of(request))
        return Response(ReportOut.of(services.check_army_list(army_list)), headers=_tag(army_list))


class Copies(APIView):
    """Copies of one's own list."""

    makes_lists = True

    @extend_schema(
        operation_id="copy_list",
        tags=["lists"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(CopyOf)),
        responses={201: ref(ListOut)},
    )
    @once
    def post(self, request: Request, list_id: UUID) -> Response:
        """Copy one of your lists."""
        copy = shaped(request.data, CopyOf)
        return created(services.duplicate_list(known_viewer_of(request), list_id, name=copy.name))


class UnitCopies(APIView):
    """Copies of one unit."""

    @extend_schema(
        operation_id="copy_unit",
        tags=["lists"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(UnitCopyTo)),
        responses={200: ref(EditOut)},
    )
    @once
    def post(self, request: Request, list_id: UUID, node_id: str) -> Response:
        """Copy a unit with its options into another of your lists; the answer is that list and its verdict."""
        to = shaped(request.data, UnitCopyTo)
        viewer = known_viewer_of(request)
        return edited(services.copy_unit(viewer, list_id, node_id, to_list_id=to.list_id, force_id=to.force_id))


def created(army_list: ArmyList) -> Response:
    """The answer to a new list: 201, where it is, and what it holds."""
    headers = _tag(army_list) | {"Location": _address(army_list)}
    return Response(ListOut.of(army_list), status=status.HTTP_201_CREATED, headers=headers)


def edited(result: EditResult) -> Response:
    """The answer to an edit: the list as it is now, and the verdict on it."""
    return Response(EditOut.of(result), headers=_tag(result.army_list))


def reader_of(request: Request) -> Viewer:
    """The viewer, with the share token of the query if there is one."""
    viewer, token = viewer_of(request), parameter(request, "share")
    return viewer if token is None else replace(viewer, share_token=token)


def _in_body(body: object, count: int, at: str | None) -> str | None:
    """A pointer into the edits as one into the body, which may be one edit, a list, or an object with a list."""
    if isinstance(body, dict) and "edit" in body:
        return at
    in_list = at if count > 1 else f"/0{at or ''}"
    return f"/edits{in_list or ''}" if isinstance(body, dict) else in_list


def revision_meant(request: Request, list_id: UUID, viewer: Viewer) -> int:
    """The revision of If-Match; the present one for `*`."""
    meant = expected_revision(request)
    return queries.own_army_list(list_id, viewer).revision if meant is None else meant


def _tag(army_list: ArmyList) -> dict[str, str]:
    return {"ETag": etag_of(army_list.revision), "Cache-Control": "private, no-cache"}


def reading_tag(out: Any) -> dict[str, str]:
    """The headers of a list that is read, `ListOut` or what a link shows; its revision accounts for its document."""
    told = [getattr(out, name) for name in out.__struct_fields__ if name not in ("document", "sheet")]
    return {"ETag": etag_of_reading(out.revision, [*told, get_language()]), "Cache-Control": "private, no-cache"}


def _address(army_list: ArmyList) -> str:
    return f"{_lists()}{army_list.pk}/"


@cache
def _lists() -> str:
    """Where all lists are, looked up once: an address is made for each row of each answer."""
    return reverse("api:lists")


def _row(army_list: ArmyList) -> dict[str, Any]:
    errors, warnings, infos = (int(count) for count in army_list.finding_counts.split("/"))
    return {
        "id": army_list.pk,
        "address": _address(army_list),
        "name": army_list.name,
        "system": army_list.system_id,
        "factions": army_list.factions,
        "points": number_of(army_list.points),
        "points_limit": army_list.points_limit,
        "verdict": Verdict(army_list.verdict),
        "unchecked_parts": army_list.unchecked_parts,
        "finding_counts": Counts(errors, warnings, infos),
        "folder": army_list.folder,
        "tags": tuple(army_list.tags),
        "archived": army_list.archived is not None,
        "family": army_list.family,
        "revision": army_list.revision,
        "created_at": army_list.created,
        "updated_at": army_list.updated,
    }


def number_of(points: Decimal | None) -> int | float | None:
    """Points as JSON writes them: whole ones without a fraction."""
    if points is None:
        return None
    return int(points) if points == points.to_integral_value() else float(points)
