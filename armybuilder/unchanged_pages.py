"""The shortest way to a page that nothing has changed since: past sessions, users, views, to the rows it was made from.

Who is signed in, whose a list is and what it says follow from rows of the database and from what the browser sends.
While both are the same to the letter, the answer is; finding everything out anew took three times longer than reading
those rows. They are read before a page is made that is kept with them: whatever changes after that is noticed.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.utils.translation import get_language

from armybuilder.accounts.sessions import stored_session
from armybuilder.accounts.viewers import GUEST_COOKIE
from armybuilder.shelf import Shelf
from armybuilder.web.kept_pages import KeptResponse, PageInPieces, Rows

KEPT_BYTES = 12 * 2**20
"""What the pages of one process may take with the rows they were made from."""

COOKIES = (settings.SESSION_COOKIE_NAME, GUEST_COOKIE, "theme")
"""Cookies that a page depends on, besides those of its language and its token."""

OWN_COOKIES = frozenset({settings.CSRF_COOKIE_NAME})
"""What such an answer may set; one that sets more says something that is said once."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A page as it was answered, and what that followed from.

    Attributes:
        rows: as they were before the page was made; None where nobody had looked.
        headers: of the answer, but for its cookies.
    """

    made_from: Rows
    rows: object
    page: PageInPieces
    headers: Mapping[str, str]
    match: Any


class UnchangedPages:
    """Answers with a page that was given before, if everything that it followed from is still so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Middleware is made once."""
        self.get_response = get_response
        self._csrf = CsrfViewMiddleware(get_response)
        self._known: Shelf[_Known] = Shelf(KEPT_BYTES)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        key = _key(request)
        known = self._known.get(key) if key is not None else None
        rows = _read(known.made_from, request) if known is not None else None
        if known is not None and rows is not None and rows == known.rows and known.page.is_fresh:
            return self._again(request, known)
        response = self.get_response(request)
        if key is not None and isinstance(response, KeptResponse) and OWN_COOKIES.issuperset(response.cookies):
            headers = dict(response.headers)
            found = _Known(response.made_from, rows, response.page, headers, request.resolver_match)
            self._known.keep(key, found, response.page.size + len(repr(rows)))
        return response

    def _again(self, request: HttpRequest, known: _Known) -> HttpResponseBase:
        """The page with a token of its own, which goes the way of every token."""
        self._csrf.process_request(request)
        response = KeptResponse(known.page, get_token(request), known.made_from)
        for name, value in known.headers.items():
            response.headers[name] = value
        request.resolver_match = known.match
        return self._csrf.process_response(request, response)


def _key(request: HttpRequest) -> Hashable:
    """What a browser sends that a page depends on; None where it is no plain question for one."""
    meta, cookies = request.META, request.COOKIES
    if request.method != "GET" or "HTTP_HX_REQUEST" in meta or cookies.get(CookieStorage.cookie_name):
        return None
    told = tuple(cookies.get(name) for name in COOKIES)
    if told[0] is None and told[1] is None:
        return None
    return (meta.get("HTTP_HOST"), request.get_full_path(), get_language(), told)


def _read(made_from: Rows, request: HttpRequest) -> object:
    """The rows as they are now, that of the session among them; None where they are not to be had."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    try:
        session = stored_session(key) if key is not None else ()
        return None if session is None else (session, made_from())
    except DatabaseError:  # the long way knows what to say
        return None
