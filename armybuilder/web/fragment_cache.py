"""Rendered fragments of lists, kept by every process until the list or what is said of it changes.

`kept_pages` keeps whole pages made of them.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from sys import getsizeof
from time import monotonic

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from armybuilder.shelf import Shelf

KEPT_BYTES = 8 * 2**20
"""What the fragments of one process may take."""

KEPT_SECONDS = 60.0
"""Words of the alliance table may change without the list or its findings: after this long they are written anew."""

_kept: Shelf[tuple[float, str]] = Shelf(KEPT_BYTES)
_made_of: ContextVar[list[float] | None] = ContextVar("made_of", default=None)
"""When each fragment of the page at hand was rendered, for whoever wants to know."""


def fragment(template: str, key: Hashable, context: dict[str, object]) -> SafeString:
    """A fragment in the language of the page, rendered when it is not kept under this key.

    Args:
        key: everything the fragment depends on but the language. What depends on the visitor must not be in it.
    """
    place = (template, get_language(), key)
    now = monotonic()
    found = _kept.get(place)
    if found is not None and now - found[0] < KEPT_SECONDS:
        _note(found[0])
        return mark_safe(found[1])  # noqa: S308 - rendered below
    html = render_to_string(template, context)
    _note(now)
    _kept.keep(place, (now, html), getsizeof(html))
    return mark_safe(html)  # noqa: S308 - a template has escaped it


@contextmanager
def rendering_times() -> Iterator[list[float]]:
    """When (`monotonic`) the fragments were rendered that are used within, in a list that fills."""
    times: list[float] = []
    token = _made_of.set(times)
    try:
        yield times
    finally:
        _made_of.reset(token)


def forget() -> None:
    """Render everything anew."""
    _kept.forget()


def _note(time: float) -> None:
    times = _made_of.get()
    if times is not None:
        times.append(time)
