"""ETag and If-Match: a list's revision number travels as its entity tag, and a change names the one it was made for."""

import re
from http import HTTPStatus

from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

_TAG = re.compile(r'\s*(?:W/)?"(\d{1,9})"\s*')


class PreconditionRequired(APIException):
    """A change without If-Match: nobody could say which state it was meant for."""

    status_code = HTTPStatus.PRECONDITION_REQUIRED
    default_detail = (
        'Say which state you change: send the ETag of the list in the header If-Match, e.g. If-Match: "7"; '
        "If-Match: * takes whatever state it is in."
    )
    default_code = "precondition-required"


def etag_of(revision: int) -> str:
    """The entity tag of a list at a revision."""
    return f'"{revision}"'


def expected_revision(request: Request) -> int | None:
    """The revision that If-Match names; None for `*`, any state at all.

    A stale revision is found out by the service, under the lock that also writes: 409 with the current one.

    Raises:
        PreconditionRequired: the header is missing.
        ValidationError: it holds no entity tag of a list.
    """
    header = request.headers.get("If-Match")
    if header is None:
        raise PreconditionRequired
    if header.strip() == "*":
        return None
    if (match := _TAG.fullmatch(header)) is None:
        raise ValidationError(f'If-Match takes the ETag of the list, e.g. "7", and was {header[:80]!r}.')
    return int(match.group(1))


def is_known(request: Request, revision: int) -> bool:
    """Whether If-None-Match says that the client already has this revision."""
    header = request.META.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return False
    return header.strip() == "*" or any(
        match is not None and int(match.group(1)) == revision for match in map(_TAG.fullmatch, header.split(","))
    )
