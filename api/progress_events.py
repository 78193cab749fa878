"""Progress as server-sent events: a state whenever it changes, until it is the last.

A stream takes a thread of the server, so few are open at once. One that finds no place, or has lasted its time, tells
the present state and ends: an EventSource then asks again by itself, and a program has lost nothing.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from http import HTTPStatus
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.renderers import json_bytes
from armybuilder.held_threads import ALL, HeldThreads

MEDIA_TYPE = "text/event-stream"
EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "event": {"type": "string", "enum": ["progress", "end"]},
        "data": {"type": "string", "description": "The state as JSON."},
    },
    "required": ["id", "event", "data"],
}
EVENTS: Any = {(200, MEDIA_TYPE): EVENT, 204: None}
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    {"type": "string", "maxLength": 100},
    OpenApiParameter.HEADER,
    description="Id of the last event that arrived. Once that was the end, the answer is 204.",
)

LONGEST_SECONDS = 30.0
"""After so long a stream ends, and is opened anew by whoever still listens."""
SIGN_OF_LIFE_SECONDS = 5.0
"""So often a line is sent that says nothing: otherwise a listener who has gone would be noticed at the end."""
FIRST_LOOK_SECONDS, LAST_LOOK_SECONDS = 0.05, 0.5
"""Between two looks at the state: soon at first, seldom later."""
ASK_AGAIN_MILLISECONDS = 1_000

_places = HeldThreads(settings.WEB_THREADS // 4, within=ALL)

Look = Callable[[], tuple[Any, bool]]
"""The present state, and whether it is the last."""


class EventsRenderer(BaseRenderer):
    """Lets a client ask for events; each is written where it occurs."""

    media_type = MEDIA_TYPE
    format = "events"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """A problem, before the first event."""
        return b"" if data is None else json_bytes(data)


def progress_events(request: Request, look: Look) -> HttpResponseBase:
    """A stream of what is seen, as often as it changes; 204 for whoever has seen the end."""
    state, is_last = look()
    seen = request.headers.get("Last-Event-ID", "")
    if is_last and _id_of(state) == seen:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(_events(look, state, is_last, seen), content_type=MEDIA_TYPE, headers=headers)


def _events(look: Look, state: Any, is_last: bool, seen: str) -> Iterator[bytes]:
    yield b"retry: %d\n\n" % ASK_AGAIN_MILLISECONDS
    if (told := _id_of(state)) != seen:
        yield _event(told, state, is_last)
    if is_last or not _places.take():
        return
    try:
        pause, end = FIRST_LOOK_SECONDS, monotonic() + LONGEST_SECONDS
        silent_since = monotonic()
        while not is_last and monotonic() < end:
            sleep(pause)
            pause = min(LAST_LOOK_SECONDS, pause * 1.5)
            state, is_last = look()
            if (now := _id_of(state)) != told:
                told, silent_since = now, monotonic()
                yield _event(told, state, is_last)
            elif monotonic() - silent_since > SIGN_OF_LIFE_SECONDS:
                silent_since = monotonic()
                yield b":\n\n"
    finally:
        _places.give_back()


def _event(id_: str, state: Any, is_last: bool) -> bytes:
    name = b"end" if is_last else b"progress"
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (id_.encode(), name, json_bytes(state))


def _id_of(state: Any) -> str:
    return sha256(json_bytes(state)).hexdigest()[:16]
