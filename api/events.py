"""Events over the API: described by organisers, handed in to by link, locked, revealed, compared and paired."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Meta
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import known_viewer_of, viewer_of
from api.idempotency import IDEMPOTENCY_KEY, once, once_with_secret
from api.pages import Collection, page_schema
from api.schema import PUBLIC, Moment, array, body, problem, ref
from api.simulations import RunOut
from armybuilder.armylists.share_links import share_url
from armybuilder.armylists.signed_verdicts import handed_out_at
from armybuilder.armylists.validation import shaped
from armybuilder.engine.findings import Text, Verdict
from armybuilder.events import queries, services
from armybuilder.events.checking import unknown_names
from armybuilder.events.errors import NotRevealed
from armybuilder.events.models import Event, Submission
from armybuilder.events.packs import EventPack, ExamplePack, example_packs, read_pack
from armybuilder.simulations.list_requests import ListReference
from armybuilder.site_address import site_address

BYTES = {"type": "string", "format": "binary"}
Kind = Literal["event", "swap"]


class EventOut(msgspec.Struct, frozen=True, kw_only=True):
    """An event as everybody with its link sees it.

    Attributes:
        kind: `event`, or `swap`: two players bind themselves to lists that are shown when both are in.
        token: in the address under which players hand lists in.
        url: the page for players.
        is_locked: whether the deadline has passed.
        is_revealed: whether everybody with the link sees the lists.
        reveal_at: null leaves the lists to the organiser.
    """

    token: str
    url: str
    address: str
    kind: Kind
    name: str
    system: str
    organiser: str
    pack: EventPack
    deadline: Moment | None
    reveal_at: Moment | None
    is_locked: bool
    is_revealed: bool
    submissions: int
    created_at: Moment

    @classmethod
    def of(cls, event: Event, request: Request) -> "EventOut":
        """A stored event, with addresses on this site."""
        return cls(
            token=event.token,
            url=f"{site_address(request)}/e/{event.token}/",
            address=f"/api/v1/events/at/{event.token}/",
            kind="swap" if event.kind == "swap" else "event",
            name=event.name,
            system=event.system_id,
            organiser=event.organiser.get_username(),
            pack=queries.pack_of(event),
            deadline=event.deadline,
            reveal_at=event.reveal_at,
            is_locked=event.is_locked,
            is_revealed=queries.is_revealed(event),
            submissions=queries.handed_in(event),
            created_at=event.created,
        )


class OwnEventOut(msgspec.Struct, frozen=True, kw_only=True):
    """An event of one's own; `id` is in the addresses of its organiser.

    Attributes:
        unknown_names: of factions, detachments, bans and caps in the pack that nothing in the game's current data bears
            in either language: they do nothing, so check the spelling.
    """

    id: UUID
    event: EventOut
    unknown_names: tuple[str, ...]

    @classmethod
    def of(cls, event: Event, request: Request) -> "OwnEventOut":
        """A stored event, for its organiser."""
        unknown = unknown_names(queries.pack_of(event), event.system)
        return cls(id=event.pk, event=EventOut.of(event, request), unknown_names=unknown)


class EventFindingOut(msgspec.Struct, frozen=True):
    """Why a list cannot be played at the event, whatever the book says."""

    rule: str
    message: Text


class SubmissionOut(msgspec.Struct, frozen=True, kw_only=True):
    """A list that was handed in.

    Attributes:
        factions: names, as the site shows them in the language of the request.
        verdict: by the book and the data.
        accepted: whether the event takes it; `findings` say why not.
        shared: token of the share link that opens the list as it was handed in.
        commitment: hash of nonce and document; what a player of a blind swap is bound to.
        nonce: null until the lists are revealed.
    """

    id: UUID
    player: str
    fields: dict[str, str]
    name: str
    factions: str
    points: float | None
    verdict: Verdict
    accepted: bool
    findings: tuple[EventFindingOut, ...]
    shared: str
    url: str
    commitment: str
    nonce: str | None
    submitted_at: Moment

    @classmethod
    def of(cls, submission: Submission, request: Request, *, with_nonce: bool) -> "SubmissionOut":
        """A stored submission."""
        row = submission.army_list
        return cls(
            id=submission.pk,
            player=submission.player,
            fields=submission.fields,
            name=row.name,
            factions=row.factions,
            points=None if row.points is None else float(row.points),
            verdict=Verdict(row.verdict),
            accepted=submission.accepted,
            findings=msgspec.convert(submission.findings, tuple[EventFindingOut, ...]),
            shared=submission.share_token,
            url=share_url(submission.share_token, site=site_address(request)),
            commitment=submission.commitment,
            nonce=submission.nonce if with_nonce else None,
            submitted_at=submission.submitted,
        )


class OwnSubmissionOut(msgspec.Struct, frozen=True, kw_only=True):
    """One's own submission; whoever has the secret may read and, before the deadline, replace it."""

    secret: str
    submission: SubmissionOut
    messages: tuple[str, ...]


class CommitmentOut(msgspec.Struct, frozen=True):
    """That somebody has handed a list in, before it is shown."""

    player: str
    commitment: str


class TableRowOut(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the organiser's table.

    Attributes:
        is_seen: whether the player's own list is still to be seen: not when it is gone, nor when the share link by
            which it was handed in is closed or shows one state for good.
        changed: whether the player's own list is no longer what was handed in; false too where it is not seen.
        added, removed: units, by name, since then.
        changes: of units that are in both, in words.
    """

    submission: SubmissionOut
    is_seen: bool
    changed: bool
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changes: tuple[str, ...]

    @classmethod
    def of(cls, row: queries.Row, request: Request) -> "TableRowOut":
        """A row of the table."""
        found = row.changes
        return cls(
            submission=SubmissionOut.of(row.submission, request, with_nonce=True),
            is_seen=row.is_seen,
            changed=found is not None,
            added=found.added if found else (),
            removed=found.removed if found else (),
            changes=tuple(f"{one.name}: {', '.join(one.lines)}" for one in found.changed) if found else (),
        )


class NewEvent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event is made of; times are with an offset.

    Attributes:
        reveal_at: at the deadline or after it, or it is refused (400); without one only the organiser sees the lists.
    """

    system: str
    name: Annotated[str, Meta(min_length=1, max_length=120)]
    kind: Kind = "event"
    pack: EventPack = EventPack()
    deadline: Moment | None = None
    reveal_at: Moment | None = None


class EventChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of an event changes; what is not named stays.

    Attributes:
        pack: the whole of it, in place of the present one.
        reveal_at: at the deadline or after it, or it is refused (400).
    """

    name: Annotated[str, Meta(min_length=1, max_length=120)] | msgspec.UnsetType = msgspec.UNSET
    pack: EventPack | msgspec.UnsetType = msgspec.UNSET
    deadline: Moment | msgspec.UnsetType | None = msgspec.UNSET
    reveal_at: Moment | msgspec.UnsetType | None = msgspec.UNSET


class NewSubmission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list to hand in: by its id where it is one's own, or by a share link.

    Attributes:
        fields: what the event asks besides, by name.
        secret: of an earlier submission that this one replaces.
    """

    player: Annotated[str, Meta(min_length=1, max_length=80)]
    list: UUID | None = None
    share: Annotated[str, Meta(max_length=300)] | None = None
    fields: dict[str, Annotated[str, Meta(max_length=services.FIELD_LENGTH)]] = {}
    secret: Annotated[str, Meta(max_length=22)] | None = None


class NewMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an organiser writes; to all where no submission is named."""

    text: Annotated[str, Meta(min_length=1, max_length=services.MESSAGE_LENGTH)]
    submission: UUID | None = None


class MessageOut(msgspec.Struct, frozen=True, kw_only=True):
    """A message of the organiser's."""

    text: str
    created_at: datetime


class Pairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two submissions to be set against each other."""

    first: UUID
    second: UUID


class Packs(APIView):
    """The shipped packs."""

    @extend_schema(
        operation_id="list_event_packs", tags=["events"], responses={200: array(ref(ExamplePack))}, auth=PUBLIC
    )
    def get(self, request: Request) -> Response:
        """Examples of what an event may ask, one for a game; take one as it is or change it."""
        return Response(list(example_packs().values()))


EVENTS = Collection(OwnEventOut, "created_at=created", "name", "deadline", "reveal_at")


class Events(APIView):
    """One's own events."""

    @extend_schema(
        operation_id="list_events",
        tags=["events"],
        parameters=EVENTS.parameters,
        responses={200: page_schema(ref(OwnEventOut))},
    )
    def get(self, request: Request) -> Response:
        """The events you organise, newest first."""
        rows = queries.events_of(known_viewer_of(request))
        return EVENTS.page(request, self, rows, lambda event: OwnEventOut.of(event, request))

    @extend_schema(
        operation_id="create_event",
        tags=["events"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(NewEvent)),
        responses={201: ref(OwnEventOut), **problem(404)},
        examples=[
            OpenApiExample(
                "An evening",
                {
                    "system": "horus-heresy",
                    "name": "Friday evening",
                    "pack": {"points_limit": 1500, "bans": [{"name": "Spartan Assault Tank", "why": "small tables"}]},
                    "deadline": "2030-01-01T18:00:00Z",
                    "reveal_at": "2030-01-01T19:00:00Z",
                },
                request_only=True,
            )
        ],
    )
    @once
    def post(self, request: Request) -> Response:
        """Describe an event, or a blind swap for two."""
        viewer = known_viewer_of(request)
        new = shaped(request.data, NewEvent)
        event = services.create_event(
            viewer,
            system_id=new.system,
            name=new.name,
            pack=read_pack(msgspec.to_builtins(new.pack)),
            kind=new.kind,
            deadline=new.deadline,
            reveal_at=new.reveal_at,
        )
        out = OwnEventOut.of(event, request)
        location = f"/api/v1/events/{event.pk}/"
        return Response(out, status=status.HTTP_201_CREATED, headers={"Location": location})


class OneEvent(APIView):
    """One of one's own events."""

    @extend_schema(operation_id="read_event", tags=["events"], responses={200: ref(OwnEventOut)})
    def get(self, request: Request, event_id: UUID) -> Response:
        """An event you organise."""
        event = queries.own_event(event_id, known_viewer_of(request))
        return Response(OwnEventOut.of(event, request))

    @extend_schema(
        operation_id="change_event",
        tags=["events"],
        request=body(ref(EventChange)),
        responses={200: ref(OwnEventOut), **problem(409)},
        examples=[OpenApiExample("A later deadline", {"deadline": "2030-01-01T20:00:00Z"}, request_only=True)],
    )
    def patch(self, request: Request, event_id: UUID) -> Response:
        """Change what is named; lists that were handed in are judged by a new pack at once."""
        viewer = known_viewer_of(request)
        change = shaped(request.data, EventChange)
        event = queries.own_event(event_id, viewer)
        pack = queries.pack_of(event) if isinstance(change.pack, msgspec.UnsetType) else change.pack
        changed = services.change_event(
            viewer,
            event_id,
            name=event.name if isinstance(change.name, msgspec.UnsetType) else change.name,
            pack=read_pack(msgspec.to_builtins(pack)),
            deadline=event.deadline if isinstance(change.deadline, msgspec.UnsetType) else change.deadline,
            reveal_at=event.reveal_at if isinstance(change.reveal_at, msgspec.UnsetType) else change.reveal_at,
        )
        return Response(OwnEventOut.of(changed, request))

    @extend_schema(operation_id="delete_event", tags=["events"], responses={204: None})
    def delete(self, request: Request, event_id: UUID) -> Response:
        """Delete an event with all that was handed in."""
        services.delete_event(known_viewer_of(request), event_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


OF_A_SUBMISSION = ("player", "name=army_list__name", "points=army_list__points", "submitted_at=submitted")
TABLE = Collection(TableRowOut, *OF_A_SUBMISSION)


class EventTable(APIView):
    """The organiser's table."""

    @extend_schema(
        operation_id="read_event_table",
        tags=["events"],
        parameters=TABLE.parts_parameters,
        responses={200: array(ref(TableRowOut))},
    )
    def get(self, request: Request, event_id: UUID) -> Response:
        """Every list with its verdicts, and what its player has changed since it was handed in."""
        handed_in = queries.submissions_of(queries.own_event(event_id, known_viewer_of(request)))
        return TABLE.part(
            request, self, handed_in, lambda some: [TableRowOut.of(row, request) for row in queries.compared(some)]
        )


class Archive(APIView):
    """All lists in one file."""

    @extend_schema(operation_id="export_event", tags=["events"], responses={(200, "application/zip"): BYTES})
    def get(self, request: Request, event_id: UUID) -> HttpResponse:
        """Every list in the layout of the event, a file each, as a zip archive."""
        with handed_out_at(site_address(request)):
            data = services.all_lists(known_viewer_of(request), event_id)
        disposition = {"Content-Disposition": 'attachment; filename="lists.zip"'}
        return HttpResponse(data, content_type="application/zip", headers=disposition)


class Messages(APIView):
    """What the organiser writes."""

    @extend_schema(
        operation_id="write_event_message",
        tags=["events"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(NewMessage)),
        responses={201: ref(MessageOut)},
    )
    @once
    def post(self, request: Request, event_id: UUID) -> Response:
        """Write to one player or to all."""
        new = shaped(request.data, NewMessage)
        made = services.write_message(known_viewer_of(request), event_id, new.text, submission_id=new.submission)
        return Response(MessageOut(text=made.text, created_at=made.created), status=status.HTTP_201_CREATED)


class Pairings(APIView):
    """Matchups of two submissions."""

    @extend_schema(
        operation_id="pair_submissions",
        tags=["events"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(Pairing)),
        responses={202: ref(RunOut)},
    )
    @once
    def post(self, request: Request, event_id: UUID) -> Response:
        """Ask for the matchup matrix of any two submissions; the answer is a simulation to follow."""
        pairing = shaped(request.data, Pairing)
        run = RunOut.of(services.pair(known_viewer_of(request), event_id, pairing.first, pairing.second))
        return Response(run, status=status.HTTP_202_ACCEPTED, headers={"Location": run.address, "Retry-After": "1"})


class EventAt(APIView):
    """An event behind its link."""

    @extend_schema(operation_id="read_event_by_link", tags=["events"], responses={200: ref(EventOut)}, auth=PUBLIC)
    def get(self, request: Request, token: str) -> Response:
        """What an event asks, for whoever has its link."""
        return Response(EventOut.of(queries.event_behind(token), request))


SUBMISSIONS = Collection(
    SubmissionOut, "player", "name=army_list__name", "points=army_list__points", "submitted_at=submitted"
)


class Submissions(APIView):
    """Lists handed in by link."""

    stores = False

    @extend_schema(
        operation_id="list_revealed_submissions",
        tags=["events"],
        parameters=SUBMISSIONS.parts_parameters,
        responses={200: array(ref(SubmissionOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str) -> Response:
        """All lists, once they are revealed."""
        event = queries.event_behind(token)
        if not queries.is_revealed(event):
            raise NotRevealed
        handed_in = queries.submissions_of(event)
        return SUBMISSIONS.part(
            request, self, handed_in, lambda some: [SubmissionOut.of(one, request, with_nonce=True) for one in some]
        )

    @extend_schema(
        operation_id="submit_list",
        tags=["events"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(NewSubmission)),
        responses={201: ref(OwnSubmissionOut)},
        auth=PUBLIC,
    )
    @once_with_secret
    def post(self, request: Request, token: str) -> Response:
        """Hand a list in, without an account by a share link; checked at once, it may be replaced until the lock."""
        new = shaped(request.data, NewSubmission)
        made = services.submit(
            viewer_of(request),
            token,
            ListReference(list=new.list, share=new.share),
            player=new.player,
            fields=new.fields,
            secret=new.secret,
        )
        location = f"/api/v1/events/at/{token}/submissions/{made.secret}/"
        return Response(_own(made, request), status=status.HTTP_201_CREATED, headers={"Location": location})


class OwnSubmission(APIView):
    """One's own submission, by its secret."""

    @extend_schema(operation_id="read_submission", tags=["events"], responses={200: ref(OwnSubmissionOut)}, auth=PUBLIC)
    def get(self, request: Request, token: str, secret: str) -> Response:
        """What was handed in, what was found, and what the organiser wrote."""
        return Response(_own(queries.submission_of(queries.event_behind(token), secret), request))


COMMITMENTS = Collection(CommitmentOut, "player")


class Commitments(APIView):
    """Who has handed a list in."""

    @extend_schema(
        operation_id="list_commitments",
        tags=["events"],
        parameters=COMMITMENTS.parts_parameters,
        responses={200: array(ref(CommitmentOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str) -> Response:
        """The hashes players are bound to; with nonce and document of a revealed list anybody can check them."""
        handed_in = queries.submissions_of(queries.event_behind(token))
        return COMMITMENTS.part(
            request, self, handed_in, lambda some: [CommitmentOut(one.player, one.commitment) for one in some]
        )


def _own(submission: Submission, request: Request) -> OwnSubmissionOut:
    return OwnSubmissionOut(
        secret=submission.secret,
        submission=SubmissionOut.of(submission, request, with_nonce=True),
        messages=tuple(one.text for one in queries.messages_to(submission.event, submission)),
    )
