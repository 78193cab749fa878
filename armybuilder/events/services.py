"""Writes to events: describing one, handing lists in, messages, one file of all lists, matchups of two."""

import io
import zipfile
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries as lists
from armybuilder.armylists import share_links
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.files import safe_name
from armybuilder.armylists.list_sheet import in_language
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.revising import stored
from armybuilder.engine.documents import escaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.events import queries
from armybuilder.events.checking import event_findings
from armybuilder.events.errors import EventLocked, SubmissionRefused
from armybuilder.events.models import Event, EventKind, Message, Submission
from armybuilder.events.packs import EventPack
from armybuilder.moments import storable
from armybuilder.reference import queries as reference
from armybuilder.simulations import services as simulations
from armybuilder.simulations.list_requests import ListReference, referred_list
from armybuilder.simulations.models import SimulationRun

KEEPER = "events (kept)"
"""The account that keeps what was handed in; nobody signs in with it, nor signs up by a name with a blank."""

EVENTS_OF_A_USER = 200
SUBMISSIONS_OF_AN_EVENT = 500
FIELD_LENGTH = 300
MESSAGE_LENGTH = 2000


def create_event(
    viewer: Viewer,
    *,
    system_id: str,
    name: str,
    pack: EventPack,
    kind: str = EventKind.EVENT,
    deadline: datetime | None = None,
    reveal_at: datetime | None = None,
) -> Event:
    """Describe an event.

    Raises:
        NotFound: no account, or no such game.
        BadDocument: lists would be revealed before they are locked; a name of blanks.
        SubmissionRefused: the organiser has as many events as one may have.
    """
    if viewer.user is None:
        raise NotFound("An event needs an organiser with an account.")
    _refuse_early_reveal(deadline, reveal_at)
    if queries.events_of(viewer).count() >= EVENTS_OF_A_USER:
        raise SubmissionRefused(
            Text(
                f"You have {EVENTS_OF_A_USER} events; delete one first.",
                f"У вас {EVENTS_OF_A_USER} событий; сначала удалите одно.",
            )
        )
    return Event.objects.create(
        organiser=viewer.user,
        kind=kind,
        system=reference.system(system_id),
        name=_said(name, "/name"),
        token=share_links.new_token(),
        pack=msgspec.json.encode(pack).decode(),
        deadline=deadline and storable(deadline),
        reveal_at=reveal_at and storable(reveal_at),
    )


def change_event(
    viewer: Viewer,
    event_id: UUID,
    *,
    name: str,
    pack: EventPack,
    deadline: datetime | None,
    reveal_at: datetime | None,
) -> Event:
    """Describe an event anew; lists that were handed in are judged by the new pack at once.

    Raises:
        NotFound: no such event of the viewer's.
        EventLocked: everybody has seen the lists, or somebody is bound by a blind swap, and more than the name changes.
        BadDocument: lists would be revealed before they are locked; a name of blanks.
    """
    event = queries.own_event(event_id, viewer)
    written = msgspec.json.encode(pack).decode()
    is_binding = queries.is_revealed(event) or (event.kind == EventKind.SWAP and queries.handed_in(event) > 0)
    if is_binding and (written, deadline, reveal_at) != (event.pack, event.deadline, event.reveal_at):
        raise EventLocked
    _refuse_early_reveal(deadline, reveal_at)
    is_another_pack = written != event.pack
    with transaction.atomic():
        Event.objects.filter(pk=event.pk).update(
            name=_said(name, "/name"), pack=written, deadline=deadline, reveal_at=reveal_at
        )
        for one in queries.submissions_of(event) if is_another_pack else ():
            found = event_findings(one.army_list, pack, one.fields)
            Submission.objects.filter(pk=one.pk).update(accepted=not found, findings=msgspec.to_builtins(found))
    return queries.own_event(event_id, viewer)


def delete_event(viewer: Viewer, event_id: UUID) -> None:
    """Delete an event with all that was handed in. Raises NotFound."""
    event = queries.own_event(event_id, viewer)
    with transaction.atomic():
        copies = list(Submission.objects.filter(event=event).values_list("army_list", flat=True))
        event.delete()
        ArmyList.objects.filter(pk__in=copies).delete()


def submit(
    viewer: Viewer,
    token: str,
    reference_to: ListReference,
    *,
    player: str,
    fields: Mapping[str, str],
    secret: str | None = None,
) -> Submission:
    """Hand a list in, or with the secret of an earlier submission another in its place; it is checked at once.

    A list that is not welcome is kept with the reasons, so that its player can mend it before the deadline.

    Raises:
        EventLocked: after the deadline; in a blind swap, a second time.
        SubmissionRefused: another game, a name that is taken, a full event.
        BadDocument: a player without a name, a field that the event does not ask for.
        NotFound: no such event, list or submission.
    """
    event = queries.event_behind(token)
    player = _said(player, "/player")
    _refuse_unknown_fields(event, fields)
    _refuse_late(event, queries.submission_of(event, secret) if secret else None)
    source = referred_list(viewer, reference_to, "")
    if source.system_id != event.system_id:
        raise SubmissionRefused(
            Text(f"The event plays {event.system.name}.", f"На событии играют в {event.system.label}.")
        )
    kept = {name: value[:FIELD_LENGTH] for name, value in fields.items()}
    by_link = "" if lists.may_edit(source, viewer) else share_links.token_in(reference_to.share or "") or ""
    try:
        with transaction.atomic():
            locked = Event.objects.select_for_update().select_related("system", "organiser").get(pk=event.pk)
            before = queries.submission_of(locked, secret) if secret else None
            _refuse_late(locked, before)  # of two who come last to a swap, or to a full event, one is too late
            if before is None and queries.handed_in(locked) >= SUBMISSIONS_OF_AN_EVENT:
                raise SubmissionRefused(Text("The event is full.", "Мест на событии больше нет."))
            return _handed_in(locked, source, player, kept, before, by_link=by_link)
    except IntegrityError:
        raise SubmissionRefused(
            Text(
                f"“{player}” has handed a list in already; change it with the address you were given.",
                f"«{player}» уже сдал ростер; измените его по полученному тогда адресу.",
            )
        ) from None


def write_message(viewer: Viewer, event_id: UUID, text: str, *, submission_id: UUID | None = None) -> Message:
    """Write to one player or, without a submission, to all. Raises NotFound; BadDocument for a message of blanks."""
    event = queries.own_event(event_id, viewer)
    to = queries.own_submission(event, submission_id) if submission_id is not None else None
    return Message.objects.create(event=event, submission=to, text=_said(text, "/text")[:MESSAGE_LENGTH])


def all_lists(viewer: Viewer, event_id: UUID) -> bytes:
    """Every list in the layout of the event, a file each, as a zip archive. Raises NotFound."""
    event = queries.own_event(event_id, viewer)
    pack = queries.pack_of(event)
    layout, labels = FORMATS[pack.layout], {field.name: in_language(field.label) for field in pack.fields}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, submission in enumerate(queries.submissions_of(event), start=1):
            file = layout.file_of(submission.army_list)
            told = "".join(f"{labels.get(name, name)}: {value}\n" for name, value in submission.fields.items()).encode()
            head = submission.player.encode() + b"\n" + told + b"\n"
            archive.writestr(f"{number:03} {safe_name(submission.player)} - {file.name}", head + file.content)
    return out.getvalue()


def pair(viewer: Viewer, event_id: UUID, first: UUID, second: UUID) -> SimulationRun:
    """The matchup matrix of any two submissions. Raises NotFound, and what simulations refuse."""
    event = queries.own_event(event_id, viewer)
    sides = [queries.own_submission(event, one).share_token for one in (first, second)]
    request = {"kind": "matrix", "attacker": {"share": sides[0]}, "defender": {"share": sides[1]}}
    return simulations.request_simulation(viewer, request)


def commitment_of(document: str, nonce: str) -> str:
    """What a player of a blind swap is bound to: the hash of the nonce and the list, as one text."""
    return sha256(f"{nonce}{document}".encode()).hexdigest()


def _said(text: str, at: str) -> str:
    """A text without blanks around it. Raises BadDocument where nothing is left."""
    if not (said := text.strip()):
        raise BadDocument("Write something besides blanks.", at, russian="Напишите что-нибудь, кроме пробелов.")
    return said


def _refuse_late(event: Event, before: Submission | None) -> None:
    """Raises EventLocked after the deadline, and in a blind swap for a second list of one player or a third player."""
    is_swap = event.kind == EventKind.SWAP
    if event.is_locked or (is_swap and (before is not None or queries.is_revealed(event))):
        raise EventLocked


def _refuse_unknown_fields(event: Event, fields: Mapping[str, str]) -> None:
    asked = [field.name for field in queries.pack_of(event).fields]
    for name in fields:
        if name not in asked:
            known = ", ".join(asked)
            raise BadDocument(
                f"The event asks for no field '{name}'" + (f"; it asks for {known}." if asked else "."),
                f"/fields/{escaped(name)}",
                russian=f"Поля «{name}» событие не спрашивает" + (f"; оно спрашивает: {known}." if asked else "."),
            )


def _refuse_early_reveal(deadline: datetime | None, reveal_at: datetime | None) -> None:
    if reveal_at is not None and (deadline is None or reveal_at < deadline):
        raise BadDocument(
            "Lists are revealed at the deadline or after it.",
            "/reveal_at",
            russian="Ростеры раскрываются в срок сдачи или после него.",
        )


def _handed_in(
    event: Event, source: ArmyList, player: str, fields: Mapping[str, str], before: Submission | None, *, by_link: str
) -> Submission:
    copy = _copy_of(source)
    link = ShareLink.objects.create(token=share_links.new_token(), army_list=copy)
    found = event_findings(copy, queries.pack_of(event), fields)
    nonce = share_links.new_token()
    values: dict[str, Any] = {
        "player": player,
        "fields": dict(fields),
        "army_list": copy,
        "share_token": link.token,
        "source": source,
        "source_revision": source.revision,
        "source_token": by_link,
        "accepted": not found,
        "findings": msgspec.to_builtins(found),
        "nonce": nonce,
        "commitment": commitment_of(copy.document, nonce),
        "submitted": timezone.now(),
    }
    if before is None:
        return Submission.objects.create(event=event, secret=share_links.new_token(), **values)
    Submission.objects.filter(pk=before.pk).update(**values)
    ArmyList.objects.filter(pk=before.army_list_id).delete()
    return queries.submission_of(event, before.secret)


def _copy_of(source: ArmyList) -> ArmyList:
    """The list as it is now, kept by nobody who could change it."""
    keeper, made = User.objects.get_or_create(username=KEEPER, defaults={"is_active": False})
    if made:
        keeper.set_unusable_password()
        keeper.save(update_fields=["password"])
    return stored(
        Viewer(user=keeper),
        document=list_type_of(source).read(source.document),
        system=source.system,
        release_id=source.release_id,
        points_limit=source.points_limit,
        summary=Text("Handed in", "Сдан"),
        copied_from=source,
    )
