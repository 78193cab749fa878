"""Idempotency-Key: a request that makes something may be sent again after a lost answer, and makes it once."""

import re
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any, TypeVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.renderers import json_bytes
from armybuilder.accounts import repeated_requests

HEADER = "Idempotency-Key"
SECRET_LENGTH = 22
"""Characters of a key by which alone an answer with a secret is given again: a UUID has more, and nobody guesses it.

Of who has no account nothing is known but an address, which a whole household or school shares.
"""

IDEMPOTENCY_KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Of your own choice: for a day the same key with the same body gives the same answer and makes nothing "
    f"new; with another body it is refused (422). Where the answer holds a secret, as to a list handed in, it has at "
    f"least {SECRET_LENGTH} characters without an account, as a UUID has: it is all by which you are known.",
)

_KEY = re.compile(r"[!-~]{1,100}")
_KEPT_HEADERS = ("Location", "ETag", "Cache-Control", "Retry-After")

V = TypeVar("V", bound=Callable[..., HttpResponseBase])


def once(view: V) -> V:
    """Carry a method out once for each key of a viewer, or of an address; without a key every time."""
    return _once(view, least=1)


def once_with_secret(view: V) -> V:
    """The same for a method whose answer holds a secret: a key of nobody must not be guessed by their neighbours."""
    return _once(view, least=SECRET_LENGTH)


def _once(view: V, *, least: int) -> V:
    """A method that is carried out once for a key; `least` is how many characters one of nobody's has."""

    @wraps(view)
    def carried_out(self: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key, viewer = request.headers.get(HEADER), viewer_of(request)
        if key is None or not (viewer.is_anybody or viewer.address):
            return view(self, request, *args, **kwargs)
        if _KEY.fullmatch(key) is None:
            raise ValidationError({HEADER: ["A key has 1 to 100 visible ASCII characters."]})
        if not viewer.is_anybody and len(key) < least:
            raise ValidationError({HEADER: [f"Without an account a key has at least {least} characters."]})
        asked = sha256(b"\0".join((request.get_full_path().encode(), request._request.body))).hexdigest()
        kept = repeated_requests.begin(viewer, key, asked)
        if kept is not None:
            headers = {**kept.headers, "Idempotent-Replayed": "true"}
            return HttpResponse(kept.body, status=kept.status, content_type="application/json", headers=headers)
        try:
            answer = view(self, request, *args, **kwargs)
        except BaseException:
            repeated_requests.forget(viewer, key)
            raise
        if isinstance(answer, Response):
            headers = {name: answer[name] for name in _KEPT_HEADERS if name in answer}
            body = json_bytes(answer.data).decode()
            repeated_requests.keep(viewer, key, repeated_requests.KeptAnswer(answer.status_code, headers, body))
        return answer

    return carried_out  # type: ignore[return-value]
