"""Who asks: an API token in the Authorization header, the session of the site, or a guest's cookie."""

from uuid import UUID

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied, Throttled
from rest_framework.request import Request

from api.throttles import wait_of_wrong_tokens
from armybuilder.accounts import second_factor
from armybuilder.accounts import services as accounts
from armybuilder.accounts.attempts import client_address
from armybuilder.accounts.errors import TokenRefused
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.viewers import GUEST_COOKIE, Viewer, guest_key_of

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class ApiTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; `Token <token>` means the same. No cookie counts beside it."""

    keywords = frozenset({"bearer", "token"})

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token and its user; None without such a header.

        Raises:
            AuthenticationFailed: the header is malformed, or the token unknown, revoked or expired.
        """
        words = request._request.META.get("HTTP_AUTHORIZATION", "").split()
        if not words or words[0].lower() not in self.keywords:
            return None
        if len(words) != 2:
            raise AuthenticationFailed("The header is written Authorization: Bearer <token>.")
        try:
            token = accounts.accept_token(words[1])
        except TokenRefused as refusal:
            if (wait := wait_of_wrong_tokens(request)) is not None:
                raise Throttled(wait) from refusal
            raise AuthenticationFailed(str(refusal)) from refusal
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="api"'


class SiteAuthentication(SessionAuthentication):
    """The session of the site or, without an account, a guest's cookie; both need the CSRF token to change anything."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """The signed-in user; None for guests and everybody else.

        Raises:
            PermissionDenied: a cookie is used to change something and the CSRF token is missing.
        """
        signed_in: tuple[User, None] | None = super().authenticate(request)  # enforces CSRF for the session
        if signed_in is None and _guest_key(request._request) is not None:
            self.enforce_csrf(request)
        return signed_in


def viewer_of(request: Request) -> Viewer:
    """The viewer behind a request: a user by token or session, a guest by cookie, or nobody known."""
    user = request.user
    if isinstance(user, User):
        return Viewer(user=user)
    return Viewer(guest_key=_guest_key(request._request), address=client_address(request._request.META))


def known_viewer_of(request: Request) -> Viewer:
    """The viewer, for whom lists can be stored.

    Raises:
        NotAuthenticated: nothing is known about who asks.
    """
    viewer = viewer_of(request)
    if not viewer.is_anybody:
        raise NotAuthenticated("Send an API token as Authorization: Bearer <token>.")
    return viewer


def refuse_without_second_factor(user: User) -> None:
    """Raises PermissionDenied: an administrator's session that has shown the password alone."""
    if second_factor.is_missing(user):
        raise PermissionDenied("Show your second factor first, at /accounts/second-factor/show/.")


def _guest_key(request: HttpRequest) -> UUID | None:
    return guest_key_of(request.COOKIES.get(GUEST_COOKIE))
