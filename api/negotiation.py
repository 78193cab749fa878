"""Which renderer answers: for who takes anything, the first one, without weighing every kind against every other."""

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """As REST framework's, whose answer to `Accept: */*` and to no such header it gives at once."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        """The renderer and its media type. Raises NotAcceptable where none fits."""
        if format_suffix is None and request._request.META.get("HTTP_ACCEPT", "*/*") == "*/*":
            first = next(iter(renderers))
            return first, first.media_type or ""
        renderer, media_type = super().select_renderer(request, renderers, format_suffix)
        return renderer, media_type
