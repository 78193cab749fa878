"""A sign of life before all else, and what only pages need: the JSON door passes it by, which saves it a quarter."""

from typing import Any

from csp.middleware import CSPMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django_htmx.middleware import HtmxMiddleware

PERMISSIONS_POLICY = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""What no page of the site ever asks a browser for, nor anything that might get into one."""

JSON_DOOR = "/api/"
ITS_PAGE = "/api/v1/docs/"


HEALTH = "/healthz/"
"""Where whoever watches the server asks whether it is alive."""


class SignOfLife:
    """Answers probes before anything else: they come by address, without https, and must not wait for a database."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """`ok` for a probe."""
        if request.path_info == HEALTH and request.method in ("GET", "HEAD"):
            return HttpResponse("ok\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})
        response: HttpResponseBase = self.get_response(request)
        return response


class _ForPages:
    """Skips a middleware for the JSON door; its one page, the documentation, is treated as every other."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(JSON_DOOR) and not path.startswith(ITS_PAGE):
            response: HttpResponseBase = self.get_response(request)
            return response
        answer: HttpResponseBase = super().__call__(request)  # type: ignore[misc]
        return answer


class PageContentSecurityPolicy(_ForPages, CSPMiddleware):
    """Content-Security-Policy: a browser runs nothing of a JSON answer."""


class _Headers:
    """Permissions-Policy; and a Cache-Control for every page that has none: kept by nobody but its own reader."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with both headers."""
        response: HttpResponseBase = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class PageHeaders(_ForPages, _Headers):
    """Permissions-Policy and Cache-Control."""


class PageMessages(_ForPages, MessageMiddleware):
    """Messages that the next page shows."""


class PageFrames(_ForPages, XFrameOptionsMiddleware):
    """X-Frame-Options."""


class PageHtmx(_ForPages, HtmxMiddleware):
    """`request.htmx`."""
