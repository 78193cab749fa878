"""What a token's scopes allow; whose a list is, is decided below the door, where a stranger finds nothing."""

from typing import TYPE_CHECKING

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from armybuilder.accounts.models import ApiToken
from armybuilder.accounts.scopes import Scope, sufficient

if TYPE_CHECKING:  # REST framework's views import this module as a default
    from rest_framework.views import APIView


class InsufficientScope(PermissionDenied):
    """A token without the scope that the request needs (RFC 6750)."""

    default_code = "insufficient-scope"

    def __init__(self, enough: tuple[Scope, ...]) -> None:
        """Any one of the scopes would have been enough."""
        words = " or ".join(enough)
        super().__init__(f"This token does not have the scope {words}.")
        self.auth_header = f'Bearer realm="api", error="insufficient_scope", scope="{" ".join(enough)}"'


class AnotherList(PermissionDenied):
    """A token for one list where another, or all of them, are meant."""

    default_detail = "This token is for one list alone, and this address is about something else."
    default_code = "token-for-one-list"


def part_of(address: str) -> str:
    """The first word of an address, or of a route, below /api/v1/; empty for the entrance."""
    return address.removeprefix("/api/v1/").partition("/")[0]


def enough_for(view: "APIView", method: str | None, address: str) -> tuple[Scope, ...]:
    """The scopes any one of which lets a token send such a request; empty where it needs none.

    Args:
        method: of HTTP, in capitals.
        address: a path or route that begins with /api/v1/.
    """
    return sufficient(part_of(address), reads=method in SAFE_METHODS or not getattr(view, "stores", True))


class TokenScope(BasePermission):
    """One of the scopes that a part of the API asks for (`accounts.scopes`).

    A POST where nothing is stored (`stores = False`) counts as reading. A token for one list opens the addresses of
    that list, but for what makes another (`makes_lists = True`), and what asks for no scope of lists.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether the token covers the request.

        Raises:
            InsufficientScope: it has none of the scopes.
            AnotherList: it is for one list, and the request is not about that.
        """
        token = request.auth
        if not isinstance(token, ApiToken):
            return True
        asked = request._request
        enough = enough_for(view, asked.method, asked.path_info)
        if enough and not set(enough) & set(token.granted):
            raise InsufficientScope(enough)
        if token.list_id is not None and enough and (part := part_of(asked.path_info)) not in ("check", "checks"):
            is_meant = part == "lists" and view.kwargs.get("list_id") == token.list_id
            if not is_meant or getattr(view, "makes_lists", False):
                raise AnotherList
        return True
