"""What a token's scope allows; whose a list is, is decided below the door, where a stranger finds nothing."""

from typing import TYPE_CHECKING

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from armybuilder.accounts.models import ApiToken

if TYPE_CHECKING:  # REST framework's views import this module as a default
    from rest_framework.views import APIView


class ReadOnlyToken(PermissionDenied):
    """A token of the scope `read` in a request that would change something."""

    default_detail = "This token may only read. Make one with the scope write for programs that change something."
    default_code = "read-only-token"


class TokenScope(BasePermission):
    """A token of the scope `read` may send every safe method, and POST where nothing is stored (`stores = False`)."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether the scope covers the request.

        Raises:
            ReadOnlyToken: it does not.
        """
        token = request.auth
        if request.method in SAFE_METHODS or not isinstance(token, ApiToken) or token.allows_writing:
            return True
        if getattr(view, "stores", True):
            raise ReadOnlyToken
        return True
