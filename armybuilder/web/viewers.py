"""Who asks: makes a `Viewer` from session and cookies, and keeps a guest's secret in the browser."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from armybuilder.accounts.attempts import client_address
from armybuilder.accounts.guests import note_seen
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import (
    GUEST_COOKIE,
    Viewer,
    guest_key_of,
    is_worn_guest_key,
    new_guest_key,
    signed_guest_key,
)

WHOSE = "Kept-For"
"""Header of a page: the mark of whoever it was made for. A device keeps pages of one person at a time."""

View = Callable[..., HttpResponse]


def viewer_of(request: HttpRequest, *, share_token: str | None = None) -> Viewer:
    """The viewer behind a request.

    Args:
        share_token: of the share link that was followed, if any.
    """
    user = request.user if isinstance(request.user, User) else None
    return Viewer(
        user=user,
        guest_key=guest_key(request),
        share_token=share_token,
        address=client_address(request.META),
    )


def guest_key(request: HttpRequest) -> UUID | None:
    """The guest secret this browser holds, or was given while answering this request."""
    fresh: UUID | None = getattr(request, "fresh_guest_key", None)
    return fresh or guest_key_of(request.COOKIES.get(GUEST_COOKIE))


def storing_viewer(request: HttpRequest) -> Viewer:
    """A viewer for whom something can be stored: who is neither signed in nor a guest becomes a guest now."""
    viewer = viewer_of(request)
    if viewer.is_anybody:
        return viewer
    request.fresh_guest_key = new_guest_key()  # type: ignore[attr-defined]
    return viewer_of(request)


def mark_of(viewer: Viewer) -> str:
    """What tells one person's pages from another's on a device, and tells nobody who it is."""
    if viewer.user is not None:
        return _mark("user", viewer.user.pk, str(settings.SECRET_KEY))
    if viewer.guest_key is not None:
        return _mark("guest", viewer.guest_key, str(settings.SECRET_KEY))
    return "nobody"


@lru_cache(maxsize=4096)
def _mark(kind: str, key: UUID, secret: str) -> str:
    """Made once: a page has it twice."""
    return f"{kind}-" + salted_hmac(WHOSE, f"{kind} {key}", secret=secret).hexdigest()[:16]


def keeps_guest(view: View) -> View:
    """A view whose answer hands a new or renewed guest secret to the browser, signed and out of reach of scripts.

    Pages say whose they are, for the device that keeps them.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        held = request.COOKIES.get(GUEST_COOKIE)
        fresh: UUID | None = getattr(request, "fresh_guest_key", None)
        if fresh is not None:
            note_seen(fresh)
        elif GUEST_COOKIE not in response.cookies and is_worn_guest_key(held):
            worn = guest_key_of(held)
            fresh = worn if worn is not None and note_seen(worn) else None
        if fresh is not None:
            response.set_cookie(
                GUEST_COOKIE,
                signed_guest_key(fresh),
                max_age=settings.GUEST_DAYS * 24 * 3600,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        if request.method == "GET" and response.headers.get("Content-Type", "").startswith("text/html"):
            response[WHOSE] = mark_of(viewer_of(request))
        return response

    return answer
