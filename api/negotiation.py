"""Which renderer answers, and which parser reads: the first one for who takes, or sends, what it is for.

No kind is weighed against every other then.
"""

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """As REST framework's, whose answer to `Accept: */*`, to no such header and to plain JSON it gives at once."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> Any:
        """The parser of a body; None where none reads it."""
        first = next(iter(parsers), None)
        if first is not None and request._request.META.get("CONTENT_TYPE") == first.media_type:
            return first
        return super().select_parser(request, parsers)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        """The renderer and its media type. Raises NotAcceptable where none fits."""
        if format_suffix is None and request._request.META.get("HTTP_ACCEPT", "*/*") == "*/*":
            first = next(iter(renderers))
            return first, first.media_type or ""
        renderer, media_type = super().select_renderer(request, renderers, format_suffix)
        return renderer, media_type
