"""Whole pages, kept by every process for exactly those they are for, and already compressed.

A page that nothing has changed since is not rendered again: it is put together from what was kept, around the token
that every answer has of its own against forged forms. Compressing the builder took longer than making it; pieces of a
page are compressed once, and the token goes between them as it is.

A page is kept under everything it depends on: its template renders from the values of its key and from `Frame`, and
there is no request in its context that anything else could be taken from.
"""

import zlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from secrets import randbelow, token_hex
from time import monotonic

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CSRF_TOKEN_LENGTH, get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language

from armybuilder.shelf import Shelf
from armybuilder.web.fragment_cache import KEPT_SECONDS, rendering_times
from armybuilder.web.frame import frame_of

Rows = Callable[[], object]

KEPT_BYTES = 12 * 2**20
"""What the pages of one process may take together, both ways."""

_TOKEN = token_hex(CSRF_TOKEN_LENGTH // 2)
"""Stands in a rendered page where the token of an answer goes."""

_NOWHERE = b"\xff" * CSRF_TOKEN_LENGTH
"""What the compression takes for the token: bytes that no text holds, so that nothing refers to them."""

_STORED = b"\x00" + CSRF_TOKEN_LENGTH.to_bytes(2, "little") + (0xFFFF - CSRF_TOKEN_LENGTH).to_bytes(2, "little")
"""The head of a block of a compressed answer that holds a token as it is (RFC 1951, 3.2.4)."""

_GZIP = b"\x1f\x8b\x08\x08" + bytes(5) + b"\xff"
"""The head of a compressed answer with a name (RFC 1952): its length is noise, and tells nothing of what is in it."""

_RANDOM_BYTES = 100


class PageInPieces:
    """A rendered page without its tokens.

    Args:
        made: when (`monotonic`) the oldest fragment in it was rendered.
    """

    def __init__(self, html: str, made: float) -> None:
        """Cut where a token goes."""
        self._made = made
        self._pieces = [piece.encode() for piece in html.split(_TOKEN)]
        self.size = 2 * sum(map(len, self._pieces))

    @property
    def is_fresh(self) -> bool:
        """Whether it may be shown: words that nothing of its key tells of may have changed."""
        return monotonic() - self._made < KEPT_SECONDS

    def plain(self, token: str) -> bytes:
        """The page with its token."""
        return token.encode().join(self._pieces)

    def compressed(self, token: str, plain: bytes) -> bytes:
        """The same for gzip: what was compressed once, and between it the token as it is."""
        name = b"a" * randbelow(_RANDOM_BYTES) + b"\x00"
        body = (_STORED + token.encode()).join(self._deflated)
        return b"".join((_GZIP, name, body, zlib.crc32(plain).to_bytes(4, "little"), len(plain).to_bytes(4, "little")))

    @cached_property
    def _deflated(self) -> Sequence[bytes]:
        """The pieces, each compressed in the knowledge of those before it and ending with a byte."""
        before, made = b"", []
        for number, piece in enumerate(self._pieces, start=1):
            known = before[-(1 << zlib.MAX_WBITS) :]
            deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=known)
            is_last = number == len(self._pieces)
            made.append(deflate.compress(piece) + deflate.flush(zlib.Z_FINISH if is_last else zlib.Z_FULL_FLUSH))
            before += piece + _NOWHERE
        return made


class KeptResponse(HttpResponse):
    """An answer that is compressed already, for `PageCompression`; `UnchangedPages` may give it again."""

    def __init__(self, page: PageInPieces, token: str, made_from: Rows) -> None:
        """Of a page, with the token of this answer."""
        super().__init__(page.plain(token))
        self.page, self.token, self.made_from = page, token, made_from

    @property
    def compressed(self) -> bytes:
        """The content for gzip."""
        return self.page.compressed(self.token, self.content)


_PAGES: Shelf[PageInPieces] = Shelf(KEPT_BYTES)


def forget() -> None:
    """Render every page anew."""
    _PAGES.forget()


def kept_page(
    request: HttpRequest, template: str, key: Hashable, context: Mapping[str, object], *, made_from: Rows
) -> HttpResponse:
    """A page; rendered when it is not kept under this key for this frame and language.

    With messages to show, which are shown once, it is rendered and not kept.

    Args:
        key: everything the page depends on but its frame and language.
        context: what it is rendered from: nothing in it may depend on anything but the key.
        made_from: reads the rows that key and context come from, all of them; see `UnchangedPages`.
    """
    if messages.get_messages(request):
        return render(request, template, dict(context))
    frame = frame_of(request)
    place = (template, get_language(), frame, key)
    page = _PAGES.get(place)
    if page is None or not page.is_fresh:
        with rendering_times() as times:
            times.append(monotonic())
            html = render_to_string(template, {**context, "frame": frame, "csrf_token": _TOKEN})
        page = PageInPieces(html, min(times))
        _PAGES.keep(place, page, page.size)
    return KeptResponse(page, get_token(request), made_from)
