"""What will go: an operation says since when it should not be used any more, when it goes, and what to do instead."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.http import http_date
from drf_spectacular.utils import extend_schema

Handler = TypeVar("Handler", bound=Callable[..., Any])

NOTICE = timedelta(days=183)
"""So long what goes still answers; docs/api_changes.md promises it."""


@dataclass(frozen=True, slots=True)
class Deprecation:
    """The end of an operation.

    Attributes:
        since: when it was told.
        sunset: from when it may be gone.
        instead: address of the page that says what to use.
    """

    since: date
    sunset: date
    instead: str

    def __post_init__(self) -> None:
        """Raises ValueError: the notice is shorter than what is promised."""
        if self.sunset - self.since < NOTICE:
            raise ValueError(f"{self.sunset} is less than {NOTICE.days} days after {self.since}.")

    def headers(self) -> dict[str, str]:
        """As RFC 9745 and RFC 8594 have it."""
        return {
            "Deprecation": f"@{_seconds(self.since)}",
            "Sunset": http_date(_seconds(self.sunset)),
            "Link": f'<{self.instead}>; rel="deprecation"; type="text/html"',
        }


def deprecated(since: date, sunset: date, instead: str) -> Callable[[Handler], Handler]:
    """Mark a method of a view, above its `extend_schema`: its answers and the description say so from then on."""
    end = Deprecation(since, sunset, instead)

    def mark(handler: Handler) -> Handler:
        marked: Handler = extend_schema(deprecated=True)(handler)
        marked.deprecation = end  # type: ignore[attr-defined]  # for the headers (conventions.py)
        return marked

    return mark


def tell(request: HttpRequest, response: HttpResponseBase) -> None:
    """Add the headers of a deprecated operation to its answer, whatever the answer is."""
    view = getattr(getattr(request.resolver_match, "func", None), "view_class", None)
    method = "get" if request.method == "HEAD" else (request.method or "").lower()
    end = getattr(getattr(view, method, None), "deprecation", None)
    if end is None:
        return
    for name, value in end.headers().items():
        response[name] = f"{response[name]}, {value}" if name in response else value


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
