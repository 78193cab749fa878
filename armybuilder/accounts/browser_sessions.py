"""The browsers a user is signed in with: noted at sign-in, seen now and then, ended one by one.

Django keeps sessions by their keys and does not know whose they are. A row of `BrowserSession` says so; its id stands
in the session, so that it stays the same when the key is made anew. A session whose row is gone was ended.
"""

import logging
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from ipaddress import ip_address
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import DatabaseError
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from armybuilder.accounts.attempts import client_address
from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import BROWSER_LENGTH, BrowserSession, User
from armybuilder.accounts.viewers import Viewer

logger = logging.getLogger(__name__)

SEEN_EVERY_SECONDS = 600
"""How exact `seen` is: no page writes more often."""

NOTED = "noted_browser"
"""Where a session holds the id of its row, and the key it had then."""


def note_sign_ins() -> None:
    """Have every sign-in noted, through whatever door it comes."""
    user_logged_in.connect(_note_sign_in, dispatch_uid="browser-sessions")


def sessions_of(viewer: Viewer) -> QuerySet[BrowserSession]:
    """The viewer's sessions that count, those seen last first."""
    if viewer.user is None:
        return BrowserSession.objects.none()
    alive = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=timezone.now())
    proof = _proof(viewer.user.get_session_auth_hash())
    return BrowserSession.objects.filter(Exists(alive), user=viewer.user, proof=proof).order_by("-seen", "pk")


def end_session(viewer: Viewer, session_id: UUID) -> None:
    """Sign the viewer out in one browser.

    Raises:
        NotFound: no such session, or somebody else's.
    """
    found = BrowserSession.objects.filter(pk=session_id, user=viewer.user).first() if viewer.user is not None else None
    if found is None:
        raise NotFound("There is no such session.")
    store: Any = import_module(settings.SESSION_ENGINE).SessionStore
    store(found.session_key).delete()
    found.delete()
    security.info("session ended user=%s session=%s", found.user_id, session_id)


def id_of(session: SessionBase) -> UUID | None:
    """The id of a session's row."""
    noted = session.get(NOTED)
    return UUID(noted[0]) if noted else None


def forget_ended() -> int:
    """Delete the rows whose sessions are gone; how many."""
    gone = BrowserSession.objects.exclude(Exists(Session.objects.filter(session_key=OuterRef("session_key"))))
    return gone.delete()[0]


class SeenBrowsers:
    """Notes that a browser was seen; ends its session if that was ended elsewhere and a cache still had it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer; a database that takes nothing now is no reason to refuse it."""
        response = self.get_response(request)
        if request.session.accessed and SESSION_KEY in request.session:
            try:
                _note(request)
            except DatabaseError as error:
                logger.warning("a session's last use is not noted: %s", str(error).strip())
        return response


def _note_sign_in(*, request: HttpRequest, user: Any, **_: Any) -> None:
    if isinstance(user, User):
        _note(request)


def _note(request: HttpRequest) -> None:
    session, now = request.session, timezone.now()
    if session.session_key is None:  # somebody else signed in where another was signed in before
        session.cycle_key()
    key, noted = session.session_key, session.get(NOTED)
    row = UUID(noted[0]) if noted else uuid4()
    is_due = caches["default"].add(f"seen:{row}", 1, SEEN_EVERY_SECONDS)
    if noted is None or noted[1] != key:
        facts = {"session_key": key, "proof": _proof(session.get(HASH_SESSION_KEY, "")), "seen": now}
        if not noted or not BrowserSession.objects.filter(pk=row).update(**facts):
            place = {"address": _address(request), "browser": _browser(request)}
            BrowserSession.objects.create(pk=row, user_id=session[SESSION_KEY], begun=now, **facts, **place)
        session[NOTED] = [str(row), key]
    elif is_due and not BrowserSession.objects.filter(pk=row).update(seen=now, browser=_browser(request)):
        session.flush()


def _proof(auth_hash: str) -> str:
    """Tells whether a session is of the present password, and tells nothing else."""
    return sha256(auth_hash.encode()).hexdigest()[:32]


def _browser(request: HttpRequest) -> str:
    told: str = request.META.get("HTTP_USER_AGENT", "")
    return "".join(letter for letter in told if letter.isascii() and letter.isprintable())[:BROWSER_LENGTH]


def _address(request: HttpRequest) -> str | None:
    try:
        return str(ip_address(client_address(request.META)))
    except ValueError:
        return None
