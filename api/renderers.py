"""Writes answers as JSON by one typed encoder: msgspec Structs, dictionaries, dates, UUIDs and exact decimals."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils.functional import Promise
from rest_framework.renderers import BaseRenderer


def _plain(value: Any) -> Any:
    """What the encoder does not know: words that wait for a language."""
    if isinstance(value, Promise):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON.")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain, decimal_format="number")


def json_bytes(value: object) -> bytes:
    """The value as UTF-8 JSON; decimals are numbers with all their digits, NaN cannot occur (it becomes null)."""
    return _ENCODER.encode(value)


class JSONRenderer(BaseRenderer):
    """The only format of the JSON door."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The body of an answer; nothing at all for None."""
        return b"" if data is None else json_bytes(data)
