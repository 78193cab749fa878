"""Events: an organiser describes one and reads its table, players hand lists in by link."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import queries as lists
from armybuilder.armylists.signed_verdicts import handed_out_at
from armybuilder.engine.errors import GameError
from armybuilder.engine.systems.game import has_matchups
from armybuilder.events import queries, services
from armybuilder.events.checking import unknown_names
from armybuilder.events.errors import EventLocked
from armybuilder.events.models import Event, EventKind
from armybuilder.events.packs import example_packs, read_pack
from armybuilder.reference import queries as reference
from armybuilder.site_address import site_address
from armybuilder.web.forms.events import EventChangeForm, EventForm, MessageForm, PairingForm, SubmissionForm
from armybuilder.web.pages.event_words import AskedOfLists, table_rows
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What events are, and those that somebody organises; a guest is told how to begin one."""
    return render(request, "events/index.html", {"events": queries.events_of(viewer_of(request))})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Describe an event."""
    form = EventForm(reference.games(), example_packs(), request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        try:
            event = services.create_event(
                viewer_of(request),
                system_id=chosen["system"],
                name=chosen["name"],
                pack=read_pack(form.raw_pack()),
                kind=chosen["kind"],
                deadline=chosen["deadline"],
                reveal_at=chosen["reveal_at"],
            )
        except GameError as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return redirect("web:event", event.pk)
    return render(request, "events/new.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def organise(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """The organiser's table; a message to players is sent from here."""
    viewer = viewer_of(request)
    event = queries.own_event(event_id, viewer)
    rows = queries.table_of(event)
    handed_in = [row.submission for row in rows]
    form = MessageForm(handed_in, request.POST or None)
    if request.method == "POST" and form.is_valid():
        to = form.cleaned_data["to"]
        services.write_message(viewer, event_id, form.cleaned_data["text"], submission_id=UUID(to) if to else None)
        return redirect("web:event", event_id)
    told = table_rows(rows, queries.pack_of(event))
    context = {
        "event": event,
        "rows": told,
        "accepted": sum(one.accepted for one in handed_in),
        "changed": [one for one in told if one.changes],
        "form": form,
        "pairing": PairingForm(handed_in) if len(handed_in) > 1 and has_matchups(event.system.rule_pack) else None,
        "messages_sent": queries.messages_of(event),
        "address": f"{site_address(request)}/e/{event.token}/",
        "unknown_names": unknown_names(queries.pack_of(event), event.system),
    }
    return render(request, "events/organise.html", context, status=422 if form.is_bound else 200)


@login_required
@require_safe
def archive(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Every list in the layout of the event."""
    with handed_out_at(site_address(request)):
        data = services.all_lists(viewer_of(request), event_id)
    disposition = {"Content-Disposition": 'attachment; filename="lists.zip"'}
    return HttpResponse(data, content_type="application/zip", headers=disposition)


@login_required
@require_POST
def pair(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """The matchup matrix of two lists."""
    viewer = viewer_of(request)
    form = PairingForm(queries.submissions_of(queries.own_event(event_id, viewer)), request.POST)
    if not form.is_valid():
        return redirect("web:event", event_id)
    run = services.pair(viewer, event_id, UUID(form.cleaned_data["first"]), UUID(form.cleaned_data["second"]))
    return redirect("web:matchup", run.pk)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Describe an event anew."""
    viewer = viewer_of(request)
    event = queries.own_event(event_id, viewer)
    form = EventChangeForm(event, queries.pack_of(event), request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        try:
            services.change_event(
                viewer,
                event_id,
                name=chosen["name"],
                pack=form.changed_pack(),
                deadline=chosen["deadline"],
                reveal_at=chosen["reveal_at"],
            )
        except GameError as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return redirect("web:event", event_id)
    return render(request, "events/new.html", {"form": form, "event": event}, status=422 if form.is_bound else 200)


@login_required
@require_POST
def delete(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Delete an event with all that was handed in."""
    services.delete_event(viewer_of(request), event_id)
    return redirect("web:events")


@never_cache
@require_http_methods(["GET", "POST"])
def take_part(request: HttpRequest, token: str) -> HttpResponse:
    """What an event asks, for whoever has its link, and a form to hand a list in."""
    return _player_page(request, queries.event_behind(token), secret=None)


@never_cache
@require_http_methods(["GET", "POST"])
def submission(request: HttpRequest, token: str, secret: str) -> HttpResponse:
    """What was handed in, what was found, and a form to replace it until the lock."""
    return _player_page(request, queries.event_behind(token), secret=secret)


def _player_page(request: HttpRequest, event: Event, *, secret: str | None) -> HttpResponse:
    viewer, pack = viewer_of(request), queries.pack_of(event)
    mine = queries.submission_of(event, secret) if secret is not None else None
    own = [one for one in lists.army_lists_of(viewer) if one.system_id == event.system_id] if viewer.is_anybody else []
    initial = {"player": mine.player, **mine.fields} if mine is not None else None
    form = SubmissionForm(pack, own, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.submit(
                viewer,
                event.token,
                form.reference(),
                player=form.cleaned_data["player"],
                fields=form.extra(),
                secret=secret,
            )
        except GameError as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return redirect("web:event-submission", event.token, made.secret)
    revealed = queries.is_revealed(event)
    context = {
        "event": event,
        "pack": pack,
        "asked": AskedOfLists.of(pack, event.system),
        "mine": mine,
        "form": form if _is_open(event, has_submitted=mine is not None) else None,
        "locked": _why_closed(event, is_waiting=mine is not None and not revealed),
        "written": queries.messages_to(event, mine) if mine is not None else (),
        "revealed": queries.submissions_of(event) if revealed else (),
        "count": queries.handed_in(event),
        "address": f"{site_address(request)}{request.path}",
    }
    return render(request, "events/take_part.html", context, status=422 if form.is_bound else 200)


def _why_closed(event: Event, *, is_waiting: bool) -> str:
    """What stands in place of the form where nothing is taken."""
    if event.kind == EventKind.SWAP and is_waiting and not event.is_locked:
        return _("Your list is in and cannot be changed any more; both are shown here when the other is in.")
    return refusal_text(EventLocked())


def _is_open(event: Event, *, has_submitted: bool) -> bool:
    """Whether a list may still be handed in or replaced."""
    if event.kind == EventKind.SWAP:
        return not has_submitted and not queries.is_revealed(event)
    return not event.is_locked
