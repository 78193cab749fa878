"""The one table from exception class to HTTP status: every error of the JSON door is a problem document (RFC 9457)."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil
from typing import Any

import msgspec
from django.core import exceptions as django_errors
from django.core.signals import got_request_exception
from django.db import OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.translation import get_language
from rest_framework import exceptions as drf_errors
from rest_framework.response import Response

from api.permissions import AnotherList, InsufficientScope
from api.preconditions import PreconditionRequired
from api.problem_words import WORDS, ProblemWords, in_russian
from api.renderers import JSONRenderer
from armybuilder.accounts import errors as accounts
from armybuilder.armylists import errors as armylists
from armybuilder.database_patience import is_disk_full
from armybuilder.engine.documents import escaped
from armybuilder.engine.errors import BadDocument, Cancelled, GameError, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.edits import RefusedEdit, UnknownNode
from armybuilder.events.errors import EventLocked, NotRevealed
from armybuilder.reference.errors import MatrixChanged

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


class RunFailed(GameError):
    """A simulation that came to no result."""

    code = "run-failed"


class RunCancelled(GameError):
    """A simulation that was cancelled and has no result."""

    code = "run-cancelled"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """How one class of exceptions is answered.

    Attributes:
        title: the same for every occurrence, as RFC 9457 asks.
        code: public name; for a GameError its own `code` counts.
        own_words: whether the exception's text may be shown; otherwise the title is all that is said.
    """

    status: HTTPStatus
    title: str
    code: str = ""
    own_words: bool = True


TABLE: Mapping[type[BaseException], ProblemType] = {
    # What the engine and the services refuse.
    BadDocument: ProblemType(HTTPStatus.BAD_REQUEST, "The document cannot be read"),
    LimitExceeded: ProblemType(HTTPStatus.UNPROCESSABLE_ENTITY, "Beyond the limits of the service"),
    armylists.EditRefused: ProblemType(HTTPStatus.BAD_REQUEST, "The edit cannot be carried out"),
    armylists.FileRefused: ProblemType(HTTPStatus.UNPROCESSABLE_ENTITY, "The file cannot be read"),
    RefusedEdit: ProblemType(HTTPStatus.BAD_REQUEST, "The edit cannot be carried out"),
    UnknownNode: ProblemType(HTTPStatus.NOT_FOUND, "Nothing here"),
    Cancelled: ProblemType(HTTPStatus.CONFLICT, "Cancelled"),
    accounts.NotFound: ProblemType(HTTPStatus.NOT_FOUND, "Nothing here"),
    accounts.SignInRefused: ProblemType(HTTPStatus.UNAUTHORIZED, "Signing in failed"),
    accounts.TokenRefused: ProblemType(HTTPStatus.UNAUTHORIZED, "Signing in failed"),
    accounts.TooManyAttempts: ProblemType(HTTPStatus.TOO_MANY_REQUESTS, "Too many attempts"),
    EventLocked: ProblemType(HTTPStatus.CONFLICT, "The lists are locked"),
    NotRevealed: ProblemType(HTTPStatus.FORBIDDEN, "The lists are hidden"),
    accounts.KeyInUse: ProblemType(HTTPStatus.CONFLICT, "The request is being carried out"),
    MatrixChanged: ProblemType(HTTPStatus.CONFLICT, "The alliance matrix has changed meanwhile"),
    armylists.PressBusy: ProblemType(HTTPStatus.SERVICE_UNAVAILABLE, "Too many papers at once"),
    armylists.RepairsBusy: ProblemType(HTTPStatus.SERVICE_UNAVAILABLE, "Too many repairs at once"),
    armylists.RevisionConflict: ProblemType(HTTPStatus.CONFLICT, "The list has changed meanwhile"),
    GameError: ProblemType(HTTPStatus.UNPROCESSABLE_ENTITY, "That cannot be carried out"),
    # What this door refuses.
    RunFailed: ProblemType(HTTPStatus.CONFLICT, "There is no result"),
    RunCancelled: ProblemType(HTTPStatus.CONFLICT, "There is no result"),
    PreconditionRequired: ProblemType(
        HTTPStatus.PRECONDITION_REQUIRED, "Which state is meant?", "precondition-required"
    ),
    InsufficientScope: ProblemType(HTTPStatus.FORBIDDEN, "The token does not allow that", "insufficient-scope"),
    AnotherList: ProblemType(HTTPStatus.FORBIDDEN, "The token is for one list", "token-for-one-list"),
    # What Django and REST framework refuse.
    drf_errors.ValidationError: ProblemType(HTTPStatus.BAD_REQUEST, "A value is not accepted", "bad-value"),
    drf_errors.ParseError: ProblemType(HTTPStatus.BAD_REQUEST, "The body cannot be read", "bad-body"),
    drf_errors.AuthenticationFailed: ProblemType(HTTPStatus.UNAUTHORIZED, "Signing in failed", "bad-credentials"),
    drf_errors.NotAuthenticated: ProblemType(HTTPStatus.UNAUTHORIZED, "Sign in first", "not-signed-in"),
    drf_errors.PermissionDenied: ProblemType(HTTPStatus.FORBIDDEN, "Not allowed", "forbidden"),
    drf_errors.NotFound: ProblemType(HTTPStatus.NOT_FOUND, "Nothing here", "not-found"),
    drf_errors.MethodNotAllowed: ProblemType(
        HTTPStatus.METHOD_NOT_ALLOWED, "No such method at this address", "method-not-allowed"
    ),
    drf_errors.NotAcceptable: ProblemType(HTTPStatus.NOT_ACCEPTABLE, "No such format", "not-acceptable"),
    drf_errors.UnsupportedMediaType: ProblemType(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json", "unsupported-media-type"
    ),
    drf_errors.Throttled: ProblemType(HTTPStatus.TOO_MANY_REQUESTS, "Too many requests", "too-many-requests"),
    Http404: ProblemType(HTTPStatus.NOT_FOUND, "Nothing here", "not-found", own_words=False),
    django_errors.PermissionDenied: ProblemType(HTTPStatus.FORBIDDEN, "Not allowed", "forbidden", own_words=False),
    django_errors.RequestDataTooBig: ProblemType(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The body is too large", "too-large"
    ),
    django_errors.BadRequest: ProblemType(HTTPStatus.BAD_REQUEST, "The request cannot be read", "bad-request"),
    django_errors.SuspiciousOperation: ProblemType(
        HTTPStatus.BAD_REQUEST, "The request cannot be read", "bad-request", own_words=False
    ),
    UnreadablePostError: ProblemType(HTTPStatus.BAD_REQUEST, "The body did not arrive", "bad-body", own_words=False),
    OperationalError: ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, "The database is busy; try again shortly", "busy", own_words=False
    ),
    Exception: ProblemType(
        HTTPStatus.INTERNAL_SERVER_ERROR, "A mistake of ours; nothing was changed", "internal-error", own_words=False
    ),
}
"""The nearest class in an exception's inheritance decides."""

FULL = ProblemType(
    HTTPStatus.INSUFFICIENT_STORAGE,
    "The disk of the site is full; reading works, and nothing was changed",
    "disk-full",
    own_words=False,
)


class ErrorAt(msgspec.Struct, frozen=True):
    """The `error` object of the document formats.

    Attributes:
        at: JSON pointer into what was sent; None speaks of the whole.
    """

    message: str
    at: str | None


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An error of the JSON door (RFC 9457), with the `error` object of the document formats as an extra member.

    Attributes:
        type: address of the description of this kind of problem.
        code: the same as one word, for programs.
        errors: all of them where several values were refused at once.
        current_revision: of the list, when a change was meant for an older one.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    error: ErrorAt
    errors: tuple[ErrorAt, ...] | msgspec.UnsetType = msgspec.UNSET
    current_revision: int | msgspec.UnsetType = msgspec.UNSET


def problem_type_of(error: BaseException) -> ProblemType:
    """The row of the table that answers an exception."""
    if isinstance(error, OperationalError) and is_disk_full(error):
        return FULL
    return next(TABLE[kind] for kind in type(error).__mro__ if kind in TABLE)


def code_of(error: BaseException) -> str:
    """The public code of an exception."""
    return error.code if isinstance(error, GameError) else problem_type_of(error).code


def problem_of(error: BaseException) -> Problem:
    """The whole answer to an exception."""
    row = problem_type_of(error)
    code = code_of(error)
    errors = tuple(_errors_in(error, row)) or (ErrorAt(f"{localized(title_of(code, row))}.", None),)
    return Problem(
        type=f"/api/v1/problems/{code}/",
        title=localized(title_of(code, row)),
        status=int(row.status),
        detail=errors[0].message,
        code=code,
        error=errors[0],
        errors=errors if len(errors) > 1 else msgspec.UNSET,
        current_revision=error.current_revision if isinstance(error, armylists.RevisionConflict) else msgspec.UNSET,
    )


def title_of(code: str, row: ProblemType) -> Text:
    """The title of a kind of problem; without words of its own, that of its row."""
    return WORDS[code].title if code in WORDS else Text(row.title, row.title)


def localized(text: Text) -> str:
    """A text in the language of the reader."""
    return text.ru if get_language() == "ru" else text.en


LINE_PROTOCOL = "armybuilder.engine.line_protocol"


def documented_types() -> list[tuple[str, ProblemType, ProblemWords]]:
    """Code, row and words of every kind of problem, in the order of their codes."""
    kinds = {row.code: row for kind, row in TABLE.items() if not issubclass(kind, GameError)}
    refusals: list[type[GameError]] = [GameError, *_descendants(GameError)]
    for refusal in refusals:
        if refusal.__module__ == LINE_PROTOCOL:  # it never crosses HTTP, and is known only where it was imported
            continue
        row = next(TABLE[ancestor] for ancestor in refusal.__mro__ if ancestor in TABLE)
        kinds.setdefault(refusal.code, row)
    return [(code, row, WORDS.get(code, WORDS[GameError.code])) for code, row in sorted(kinds.items())]


def _descendants(kind: type[GameError]) -> Iterator[type[GameError]]:
    for child in kind.__subclasses__():
        yield child
        yield from _descendants(child)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """REST framework's hook: any exception of a view as a problem document.

    What is a mistake of ours is logged and reported as Django would, and says nothing of its cause.
    """
    problem = problem_of(error)
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), MEDIA_TYPE  # whatever the view speaks
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("%s %s failed", request.method, request.path, exc_info=error)
        if problem.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            got_request_exception.send(sender=None, request=request._request)
    return Response(problem, status=problem.status, headers=_headers(error), content_type=MEDIA_TYPE)


def _headers(error: Exception) -> dict[str, str]:
    """What the status wants said in headers."""
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(ceil(wait))
    elif isinstance(error, OperationalError):
        headers["Retry-After"] = "1"
    if isinstance(error, armylists.RevisionConflict):
        headers["ETag"] = f'"{error.current_revision}"'
    return headers


def _errors_in(error: BaseException, row: ProblemType) -> Iterator[ErrorAt]:
    """Message and pointer of each thing an exception complains about; at least one."""
    if isinstance(error, drf_errors.Throttled):  # REST framework says the half of it in the reader's language
        seconds = ceil(getattr(error, "wait", None) or 1)
        yield ErrorAt(localized(Text(f"Ask again in {seconds} s.", f"Повторите через {seconds} с.")), None)
    elif isinstance(error, GameError):
        yield ErrorAt(_words_of(error), getattr(error, "at", None))
    elif isinstance(error, drf_errors.APIException) and row.own_words:
        yield from _details(error.detail, "")
    else:
        title = localized(title_of(code_of(error), row))
        yield ErrorAt((_told(str(error)) if row.own_words else "") or f"{title}.", None)


def _words_of(error: GameError) -> str:
    """A refusal in the language of the reader where it has both, else in its own words."""
    text = getattr(error, "text", None)
    if isinstance(text, Text):
        return localized(text)
    if error.russian:
        return localized(Text(str(error), error.russian))
    return _told(str(error)) or f"{localized(title_of(error.code, problem_type_of(error)))}."


def _told(sentence: str) -> str:
    """A detail in the language of the reader, where it is known in both."""
    return in_russian(sentence) if get_language() == "ru" else sentence


def _details(detail: Any, at: str) -> Iterator[ErrorAt]:
    """REST framework's nested details, flattened."""
    match detail:
        case dict():
            for name, inner in detail.items():
                yield from _details(inner, at if name == "non_field_errors" else f"{at}/{escaped(str(name))}")
        case list() if any(isinstance(inner, dict | list) for inner in detail):
            for index, inner in enumerate(detail):
                yield from _details(inner, f"{at}/{index}")
        case list():
            for inner in detail:
                yield ErrorAt(_told(str(inner)), at or None)
        case _:
            yield ErrorAt(_told(str(detail)), at or None)
