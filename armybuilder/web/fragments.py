"""Whether a request wants a page or a fragment: HTMX says so in its headers, which the middleware has read."""

from typing import Any

from django.http import HttpRequest

MORPH = "morph:outerHTML"
"""How an answer to an edit goes into the page: what is equal stays, with its place, its focus and its state."""


def wants_fragment(request: HttpRequest) -> bool:
    """Whether HTMX asks, and the answer goes into a page that is already there."""
    return bool(_htmx(request))


def target_of(request: HttpRequest) -> str:
    """Id of the element the answer goes into; empty where HTMX does not say."""
    htmx = _htmx(request)
    return str(htmx.target or "") if htmx else ""


def _htmx(request: HttpRequest) -> Any:
    return getattr(request, "htmx", None)
