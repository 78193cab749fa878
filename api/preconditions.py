"""ETag and If-Match: a list's tag begins with its revision number, and a change names the one it was made for."""

import re
import zlib
from http import HTTPStatus

import msgspec
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

_TAG = re.compile(r'\s*(?:W/)?"(?P<revision>\d{1,9})(?:-(?P<state>[0-9a-f]{1,8}))?"\s*')


class PreconditionRequired(APIException):
    """A change without If-Match: nobody could say which state it was meant for."""

    status_code = HTTPStatus.PRECONDITION_REQUIRED
    default_detail = (
        'Say which state you change: send the ETag of the list in the header If-Match, e.g. If-Match: "7"; '
        "If-Match: * takes whatever state it is in."
    )
    default_code = "precondition-required"


def etag_of(revision: int) -> str:
    """The entity tag of a list at a revision, as an answer to a change has it."""
    return f'"{revision}"'


def etag_of_reading(revision: int, told: object) -> str:
    """The entity tag of a list as somebody reads it.

    Folder, tags, names of factions in another language and a verdict by other rules are no revisions, and yet
    another answer.

    Args:
        told: whatever stands in the answer and no revision accounts for.
    """
    return f'"{revision}-{zlib.crc32(msgspec.json.encode(told)):x}"'


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
    return int(match["revision"])


def is_known(request: Request, tag: str) -> bool:
    """Whether If-None-Match says that the client already has what bears this tag."""
    header = request._request.META.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return False
    return header.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in header.split(","))
