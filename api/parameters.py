"""Query parameters: an address takes those that its description names; any other is refused, and named."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from rest_framework.exceptions import ValidationError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # REST framework's views import this module as a default
    from rest_framework.views import APIView

IGNORED = "x-"
"""How the names begin that are ignored wherever they stand, in queries as in bodies."""

KEY = "share"
"""The token of a share link opens what it opens, and is no question: where it opens nothing, that is what is said."""


class KnownParameters(BasePermission):
    """A misspelt parameter would be silence: the answer would look as if it had been heard.

    It stands among the permissions because those are asked before every view, whatever it does.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether every parameter is known; without a query nothing is looked at.

        Raises:
            ValidationError: the first that is not, with those that are.
        """
        if not request._request.META.get("QUERY_STRING"):
            return True
        known = taken_by(type(view), request.method or "")  # type: ignore[arg-type]  # a class is hashable, whatever its instances are
        if known is not None:
            refuse_unknown(request, known)
        return True


def parameter(request: Request, name: str) -> str | None:
    """A parameter of the query; None without it. Where there is no query at all nothing is read."""
    if not request._request.META.get("QUERY_STRING"):
        return None
    value: str | None = request.query_params.get(name)
    return value


def refuse_unknown(request: Request, known: Sequence[str]) -> None:
    """Raise ValidationError for the first query parameter that is not among these, and name them."""
    for name in request.query_params:
        if name not in known and name != KEY and not name.startswith(IGNORED):
            takes = ", ".join(known) or "none"
            raise ValidationError({name[:80]: [f"This address takes no parameter {name[:80]!r}; it takes {takes}."]})


@cache
def taken_by(view: "type[APIView]", method: str) -> tuple[str, ...] | None:
    """The query parameters that the description gives to an operation, by name.

    Returns:
        None for a page, which the description leaves out, and where there is no such method.
    """
    handler = getattr(view, "get" if method == "HEAD" else method.lower(), None)
    made = getattr(handler, "kwargs", {}).get("schema")
    if made is None:
        return None
    schema: Any = made()
    schema.view, schema.method = view(request=None, kwargs={}), method  # as REST framework describes it: nobody asks
    if schema.is_excluded():
        return None
    return tuple(sorted(one.name for one in schema.get_override_parameters() if one.location == "query"))
