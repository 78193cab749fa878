"""The way of a request that bears no cookie of the site through its middleware: past whatever is about cookies.

Sessions, second factors, messages, forms that are sent from elsewhere: of the JSON door they concern who comes with a
session alone. A program with a token, or one that asks without any, took a tenth of its answer's time for them.

`ShortWay` stands where the part begins that is left out, `EndOfShortWay` where it ends.
"""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from armybuilder.accounts.viewers import GUEST_COOKIE

Answers = Callable[[HttpRequest], HttpResponseBase]

API = "/api/"
ITS_PAGES = ("/api/v1/docs/", "/api/v1/reference/")
"""Where the JSON door is shown to people: pages as every other."""

TOKENS = ("bearer ", "token ")


class EndOfShortWay:
    """Where both ways meet again."""

    last: "EndOfShortWay | None" = None
    """The one made last: Django makes middleware from the inside to the outside."""

    def __init__(self, get_response: Answers) -> None:
        """Middleware is made once."""
        self.get_response = get_response
        EndOfShortWay.last = self

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer of what comes after."""
        return self.get_response(request)


class ShortWay:
    """Sends requests of programs to the end of it, and all others through what lies between."""

    def __init__(self, get_response: Answers) -> None:
        """Middleware is made once. Raises ImproperlyConfigured where the way has no end."""
        if EndOfShortWay.last is None:
            raise ImproperlyConfigured("EndOfShortWay has to stand after ShortWay.")
        self.get_response = get_response
        self._short, EndOfShortWay.last = EndOfShortWay.last.get_response, None

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        return (self._short if _is_of_a_program(request) else self.get_response)(request)


def _is_of_a_program(request: HttpRequest) -> bool:
    path = request.path_info
    if not path.startswith(API) or path.startswith(ITS_PAGES):
        return False
    if request.META.get("HTTP_AUTHORIZATION", "").lower().startswith(TOKENS):
        return True  # no cookie counts beside it, see api/authentication.py
    cookies = request.COOKIES
    return not cookies or (settings.SESSION_COOKIE_NAME not in cookies and GUEST_COOKIE not in cookies)
