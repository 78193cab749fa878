"""Where game data is read from again and again, and what a release would change; for administrators."""

from typing import Annotated
from uuid import UUID

import msgspec
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Meta
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.datafiles import AdministrationView, ImportOut, administrator_of
from api.pages import Collection
from api.schema import Moment, array, body, problem, ref
from armybuilder.armylists.release_effects import effects_of
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles import queries
from armybuilder.datafiles import services as datafiles
from armybuilder.datafiles.models import DataSource
from armybuilder.reference import import_queue
from armybuilder.reference.unit_changes import ChangedUnit, unit_changes

Hours = Annotated[int, Meta(ge=0, le=8_760)]


class SourceOut(msgspec.Struct, frozen=True, kw_only=True):
    """Where data of a game is read from.

    Attributes:
        origin: the address, or the folder on the server.
        every_hours: 0 is only when somebody asks.
        publishes: whether what is new is published at once.
        problem: what was wrong the last time; null when nothing was.
    """

    id: UUID
    address: str
    system: str
    name: str
    origin: str
    every_hours: int
    publishes: bool
    read_at: Moment | None
    problem: str | None

    @classmethod
    def of(cls, source: DataSource) -> "SourceOut":
        """A stored source."""
        return cls(
            id=source.pk,
            address=f"/api/v1/releases/sources/{source.pk}/",
            system=source.system_id,
            name=source.name,
            origin=source.address,
            every_hours=source.every_hours,
            publishes=source.publishes,
            read_at=source.checked_at,
            problem=source.problem or None,
        )


class NewSource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A source to read from: an https address of a file, an archive or a repository index."""

    system: str
    name: Annotated[str, Meta(min_length=1, max_length=120)]
    origin: Annotated[str, Meta(min_length=1, max_length=500)]
    every_hours: Hours = 0
    publishes: bool = False


class ChangedUnitOut(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that comes, goes or costs something else; points as it comes, null where it is not."""

    catalogue: str
    entry_id: str
    name: str
    before: float | None
    after: float | None

    @classmethod
    def of(cls, unit: ChangedUnit) -> "ChangedUnitOut":
        """A unit that was compared."""
        return cls(
            catalogue=unit.catalogue,
            entry_id=unit.entry_id,
            name=unit.name,
            before=None if unit.before is None else float(unit.before),
            after=None if unit.after is None else float(unit.after),
        )


class EffectsOut(msgspec.Struct, frozen=True, kw_only=True):
    """What would change in lists that stand on other data of the game.

    Attributes:
        looked_at: the newest lists, which were worked out; `more` were not.
        repriced: whose points would change.
        verdicts: whose verdict would change.
        illegal: that would become illegal.
    """

    looked_at: int
    more: int
    repriced: int
    verdicts: int
    illegal: int


class ChangesOut(msgspec.Struct, frozen=True, kw_only=True):
    """What publishing a release would change.

    Attributes:
        against: the release that is current; null where nothing is published.
    """

    against: UUID | None
    added: tuple[ChangedUnitOut, ...]
    removed: tuple[ChangedUnitOut, ...]
    repriced: tuple[ChangedUnitOut, ...]
    lists: EffectsOut


class Changes(APIView):
    """What a release would change."""

    @extend_schema(
        operation_id="read_release_changes",
        tags=["game data"],
        responses={200: ref(ChangesOut), **problem(403)},
    )
    def get(self, request: Request, release_id: UUID) -> Response:
        """Units and prices that differ from the current release, and how many lists would become illegal."""
        administrator_of(request)
        release = queries.release(release_id)
        units, lists = unit_changes(release), effects_of(release)
        out = ChangesOut(
            against=units.against.pk if units.against is not None else None,
            added=tuple(map(ChangedUnitOut.of, units.added)),
            removed=tuple(map(ChangedUnitOut.of, units.removed)),
            repriced=tuple(map(ChangedUnitOut.of, units.repriced)),
            lists=EffectsOut(
                looked_at=lists.lists,
                more=lists.more,
                repriced=lists.repriced,
                verdicts=lists.verdicts,
                illegal=lists.illegal,
            ),
        )
        return Response(out)


SOURCES = Collection(SourceOut, "system", "name", "read_at=checked_at")


class DataSources(AdministrationView):
    """Sources of game data."""

    @extend_schema(
        operation_id="list_data_sources",
        tags=["game data"],
        parameters=SOURCES.parts_parameters,
        responses={200: array(ref(SourceOut)), **problem(403)},
    )
    def get(self, request: Request) -> Response:
        """All sources, by game and name."""
        administrator_of(request)
        return SOURCES.part(request, self, queries.sources(), lambda some: [SourceOut.of(source) for source in some])

    @extend_schema(
        operation_id="create_data_source",
        tags=["game data"],
        request=body(ref(NewSource)),
        responses={201: ref(SourceOut), **problem(404)},
        examples=[
            OpenApiExample(
                "A repository, read every day",
                {
                    "system": "horus-heresy",
                    "name": "community",
                    "origin": "https://example.org/horus-heresy/index.bsi",
                    "every_hours": 24,
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Have an address read again and again, or whenever it is asked for."""
        administrator_of(request)
        new = shaped(request.data, NewSource)
        made = datafiles.add_source(
            queries.game_system(new.system),
            name=new.name,
            address=new.origin,
            every_hours=new.every_hours,
            publishes=new.publishes,
        )
        out = SourceOut.of(made)
        return Response(out, status=status.HTTP_201_CREATED, headers={"Location": out.address})


class OneSource(AdministrationView):
    """A source of game data."""

    @extend_schema(operation_id="read_data_source", tags=["game data"], responses={200: ref(SourceOut), **problem(403)})
    def get(self, request: Request, source_id: UUID) -> Response:
        """A source, when it was read last and what was wrong then."""
        administrator_of(request)
        return Response(SourceOut.of(queries.source(source_id)))

    @extend_schema(operation_id="delete_data_source", tags=["game data"], responses={204: None})
    def delete(self, request: Request, source_id: UUID) -> Response:
        """Read it no more; releases that came from it stay."""
        administrator_of(request)
        queries.source(source_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class SourceImports(AdministrationView):
    """Reading a source."""

    @extend_schema(
        operation_id="read_from_data_source", tags=["game data"], request=None, responses={202: ref(ImportOut)}
    )
    def post(self, request: Request, source_id: UUID) -> Response:
        """Read a source now, on the queue; the answer is an import to follow."""
        by = administrator_of(request)
        asked = import_queue.ask_for_source(queries.source(source_id), by=by)
        headers = {"Location": f"/api/v1/releases/imports/{asked.pk}/", "Retry-After": "1"}
        return Response(ImportOut.of(asked), status=status.HTTP_202_ACCEPTED, headers=headers)
