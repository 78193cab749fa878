"""Styles and scripts as they travel: without comments and spaces, which nobody reads on the way, and compressed once.

Where files are collected, `manage.py collectstatic` does both; where not, every process when a file is first asked for.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import brotli
import rcssmin
import rjsmin
from django.core.files.base import ContentFile
from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.storage import CompressedManifestStaticFilesStorage

OWN = re.compile(r"^(?:web|reference)/(?!.*\.min\.js$).*\.(css|js)$")
"""Files that are written here for readers; those of others are as small as their authors made them."""

EMPTY = re.compile(rb"(--[\w-]+):(?=[;}])")
"""A property of our own that is empty; browsers before 2021 ask for a space as its value."""

MOST_BYTES = 200_000
"""Of a file that is compressed as well as can be at once; larger ones would let the first visitor wait."""


def minified(name: str, text: bytes) -> bytes:
    """A file of ours without comments and spaces, every other as it is.

    Args:
        name: below the folder of static files.
    """
    kind = OWN.match(name)
    if not kind:
        return text
    small: bytes = EMPTY.sub(rb"\1: ", rcssmin.cssmin(text)) if kind[1] == "css" else rjsmin.jsmin(text)
    return small


class CollectedFiles(CompressedManifestStaticFilesStorage):
    """Gathers them with hashes in their names, compressed."""

    def save(self, name: str, content: Any, max_length: int | None = None) -> str:
        """Keep a file that was gathered; what is hashed and compressed afterwards is what was kept."""
        if OWN.match(name):
            content = ContentFile(minified(name, content.read()))
        saved: str = super().save(name, content, max_length)
        return saved

    def post_process(self, paths: Mapping[str, Any], *how: Any, **options: Any) -> Iterator[tuple[str, str, bool]]:
        """Hash and compress what was kept, where Django would read what lies in the sources."""
        yield from super().post_process({name: (self, name) for name in paths}, *how, **options)


def pack(name: str, request: HttpRequest, response: HttpResponseBase) -> bool:
    """Put the small form of a file in the place of what was read where it lies; False where it stays as it is."""
    understood = request.META.get("HTTP_ACCEPT_ENCODING", "")
    coding = next((one for one in ("br", "gzip") if re.search(rf"\b{one}\b", understood)), "")
    is_whole = request.method == "GET" and response.status_code == 200 and not response.has_header("Content-Encoding")
    length = int(response.headers.get("Content-Length", MOST_BYTES))
    if not (coding and is_whole and length < MOST_BYTES and isinstance(response, StreamingHttpResponse)):
        return False
    packed = _packed(name, b"".join(response), coding)
    response.streaming_content = [packed]
    response.headers["Content-Length"] = str(len(packed))
    response.headers["Content-Encoding"] = coding
    if etag := response.headers.get("ETag", ""):
        response.headers["ETag"] = f"W/{etag.removeprefix('W/')}"
    patch_vary_headers(response, ("Accept-Encoding",))
    return True


@lru_cache(maxsize=64)
def _packed(name: str, text: bytes, coding: str) -> bytes:
    small = minified(name, text)
    packed: bytes = brotli.compress(small, mode=brotli.MODE_TEXT) if coding == "br" else gzip.compress(small, mtime=0)
    return packed
