"""Errors as pages and fragments: which status an exception has, and what a player is told to do."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, UnreadablePostError
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token

from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import TooManyAttempts
from armybuilder.database_patience import is_disk_full
from armybuilder.engine.errors import BadDocument, GameError
from armybuilder.engine.findings import Text
from armybuilder.web.formatting import localized
from armybuilder.web.fragments import wants_fragment

STATUS_BY_CODE = {
    "not-found": HTTPStatus.NOT_FOUND,
    "revision-conflict": HTTPStatus.CONFLICT,
    "press-busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "repairs-busy": HTTPStatus.SERVICE_UNAVAILABLE,
}
"""Status of a GameError by its public code; every other refusal is 422: understood, and declined."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What an error page says.

    Attributes:
        remedy: what the player can do now.
        wait: seconds after which it may be asked for again; None where that is of no use.
    """

    status: int
    title: str
    detail: str
    remedy: str = ""
    wait: int | None = None


def status_of(refusal: GameError) -> int:
    """The HTTP status of a refusal."""
    return STATUS_BY_CODE.get(refusal.code, HTTPStatus.UNPROCESSABLE_ENTITY)


def not_found() -> Problem:
    """Nothing here, or nothing this visitor may see: the two must not be told apart."""
    return Problem(
        404,
        _("Nothing here"),
        _("This page does not exist, or it belongs to somebody else."),
        _(
            "The link to a shared list may have ended or been taken back by its owner. "
            "Your own lists are under My lists."
        ),
    )


def too_many_changes(wait: int) -> Problem:
    """More was sent within a minute than anybody can press."""
    return Problem(
        429,
        _("Too much at once"),
        _("More changes were sent within a minute than the site takes from one player; this one was not made."),
        _("Wait a minute, then go back and try again."),
        wait=wait,
    )


def not_allowed() -> Problem:
    """An address behind a button, opened by itself: out of the history, a bookmark or a mistyped link."""
    return Problem(
        405,
        _("Nothing to read here"),
        _("This address only takes what a button sends, so it shows nothing by itself."),
        _("Nothing was changed. Go back to the page with the button."),
    )


def problem_of(refusal: GameError) -> Problem:
    """The page for a refusal raised below the door."""
    status = status_of(refusal)
    if status == HTTPStatus.NOT_FOUND:
        return not_found()
    if status == HTTPStatus.CONFLICT:
        return Problem(
            409,
            _("This list has changed meanwhile"),
            _("Somebody, or another tab of yours, has edited this list since you opened it. Nothing was overwritten."),
            _("Open the list again to see its present state, then repeat your change."),
        )
    if isinstance(refusal, TooManyAttempts):
        return Problem(429, _("Too much at once"), refusal_text(refusal), wait=refusal.wait_seconds)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        remedy = _("Nothing was changed. Load this page again in a few seconds.")
        return Problem(503, _("Too much at once"), refusal_text(refusal), remedy, wait=getattr(refusal, "wait", 5))
    return Problem(
        422, _("That cannot be done"), refusal_text(refusal), _("Nothing was changed. Go back and try another way.")
    )


def refusal_text(refusal: GameError) -> str:
    """A refusal in the page's language: bilingual where the raiser gave both texts, else its own words."""

    if isinstance(refusal, BadDocument) and refusal.russian:
        return localized(Text(refusal.message, refusal.russian))
    text = getattr(refusal, "text", None)
    return localized(text) if text is not None else str(refusal)


def problem_page(request: HttpRequest, problem: Problem, *, back: str = "") -> HttpResponse:
    """A problem as a whole page, or as a toast when HTMX asked."""
    context = {"problem": problem, "back": back}
    if wants_fragment(request):
        response = render(request, "problems/_problem.html", context, status=problem.status)
        response["HX-Reswap"] = "none"  # the toast comes out of band; what the player sees stays
    else:
        response = render(request, "problems/problem.html", context, status=problem.status)
    if problem.wait is not None:
        response["Retry-After"] = str(problem.wait)
    return response


def answers_problems(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose refusals become pages; anything unexpected travels on to Django's own handler."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            answered = view(request, *args, **kwargs)
        except GameError as refusal:
            return problem_page(request, problem_of(refusal))
        except Http404:
            return problem_page(request, not_found())
        except UnreadablePostError as error:
            return bad_request(request, error)
        if isinstance(answered, HttpResponseNotAllowed):
            page = problem_page(request, not_allowed())
            page["Allow"] = answered["Allow"]
            return page
        return answered

    return answer


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for an address that leads nowhere."""
    return problem_page(request, not_found())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for a request that cannot be read."""
    return problem_page(request, Problem(400, _("The request could not be read"), _("Something in it is malformed.")))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for what only administrators may do."""
    return problem_page(
        request,
        Problem(403, _("Not for you"), _("This part of the site is for its administrators."), _("Sign in as one.")),
    )


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's handler for a form without its token: an old page, or cookies switched off."""
    security.warning("form without its token path=%r reason=%r", request.path[:200], reason)
    return problem_page(
        request,
        Problem(
            403,
            _("This form is too old"),
            _("Its security token is missing or has expired, so nothing was changed."),
            _("Reload the page and send it again; the site needs cookies for this."),
        ),
        back=_page_before(request),
    )


def _page_before(request: HttpRequest) -> str:
    """The page of this site that a form was sent from; empty where the browser does not say."""
    address = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else ""


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler for a mistake of ours, or a database that is away: both languages, and no data is touched."""
    error = sys.exc_info()[1]  # the handler is called while the exception is handled
    if isinstance(error, OperationalError):
        is_full = is_disk_full(error)
        status = HTTPStatus.INSUFFICIENT_STORAGE if is_full else HTTPStatus.SERVICE_UNAVAILABLE
        response = render(request, "problems/unavailable.html", {"is_full": is_full, "status": status}, status=status)
        response["Retry-After"] = "5"
        return response
    return render(request, "problems/server_error.html", status=500)
