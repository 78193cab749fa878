"""A sign of life before all else, and what only pages need: the JSON door passes it by, which saves it a quarter."""

from typing import Any, cast

from corsheaders.middleware import CorsMiddleware
from csp.constants import HEADER as CSP
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.contrib.messages.middleware import MessageMiddleware
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxMiddleware

from armybuilder.accounts.attempts import client_address, count, neighbourhood
from armybuilder.operations import health, metrics
from armybuilder.short_way import API, ITS_PAGES
from armybuilder.web import smaller_files
from armybuilder.web.kept_pages import KeptResponse
from armybuilder.web.problems import problem_page, too_many_changes

MINUTE = 60
KEPT_BY_NOBODY = {"Cache-Control": "no-store"}
PERMISSIONS_POLICY = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""What no page of the site ever asks a browser for, nor anything that might get into one."""

ACCOUNTS = "/accounts/"
"""Who somebody is and where he is signed in: nothing that the next one at a device may find in the browser's store."""

COMPRESSED = frozenset({"text/html", "text/css", "text/javascript", "application/javascript", "image/svg+xml"})

HEALTH = "/healthz/"
"""Where whoever watches the server asks whether it is alive: answered without a look at anything else."""
READY = "/readyz/"
"""Where a load balancer asks whether to send requests here: database, queue, workers, disk."""
METRICS = "/metrics"
"""Where Prometheus reads figures, with METRICS_TOKEN."""


class SignOfLife:
    """Answers probes before anything else: they come by address, without https, and must not wait for a session."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """`ok` for a probe, and what is wrong where it asks for more."""
        path = request.path_info
        if path in (HEALTH, READY, METRICS) and request.method in ("GET", "HEAD"):
            if path == HEALTH:
                return HttpResponse("ok\n", content_type="text/plain; charset=utf-8", headers=KEPT_BY_NOBODY)
            if path == READY:
                return _readiness()
            if metrics.may_look(request):
                return metrics.answer()
        response: HttpResponseBase = self.get_response(request)
        return response


class FileHeaders:
    """Styles, scripts and letters go without what a browser holds pages to only: sixteen come with the first list."""

    NOT_ASKED = ("Referrer-Policy", "Cross-Origin-Opener-Policy")

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, without them if it is a file."""
        response: HttpResponseBase = self.get_response(request)
        if request.path_info.startswith(settings.STATIC_URL) and response.status_code == 200:
            for name in self.NOT_ASKED:
                response.headers.pop(name, None)
        return response


def _readiness() -> JsonResponse:
    """Names alone: what exactly was found is for administrators."""
    found = health.states()
    is_ready = not any(health.sick(found))
    parts = {state.name: "ok" if state.is_well else "failing" for state in found}
    body = {"status": "ok" if is_ready else "failing", "parts": parts}
    return JsonResponse(body, status=200 if is_ready else 503, headers=KEPT_BY_NOBODY)


class _ForPages:
    """Skips a middleware for the JSON door; its pages, the documentation, are treated as every other."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(API) and not path.startswith(ITS_PAGES):
            response: HttpResponseBase = self.get_response(request)
            return response
        answer: HttpResponseBase = super().__call__(request)  # type: ignore[misc]
        return answer


class PageCompression(GZipMiddleware):
    """Pages, styles and scripts go compressed; what is compressed already, and JSON answers, go as they are."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:  # type: ignore[override]
        """The answer, compressed where it is text for a browser that understands that."""
        if response.headers.get("Content-Type", "").partition(";")[0] not in COMPRESSED:
            return response
        if isinstance(response, KeptResponse):
            return _as_kept(request, response)
        if request.path_info.startswith(settings.STATIC_URL) and not (settings.STATIC_COLLECTED or settings.DEBUG):
            name = request.path_info.removeprefix(settings.STATIC_URL)
            if smaller_files.pack(name, request, response):
                return response
        return cast(HttpResponse, super().process_response(request, response))


def _as_kept(request: HttpRequest, response: KeptResponse) -> HttpResponse:
    """What stands compressed already."""
    patch_vary_headers(response, ("Accept-Encoding",))
    if re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", "")):
        response.content = response.compressed
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.content))
    return response


class ForeignScripts(CorsMiddleware):
    """Lets scripts of the sites in API_ORIGINS ask; where there are none, no answer is looked at."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once. Raises MiddlewareNotUsed without such sites."""
        if not settings.CORS_ALLOWED_ORIGINS:
            raise MiddlewareNotUsed
        super().__init__(get_response)


class Language:
    """The language of an answer, as Django chooses it; no address of the site begins with one."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer in the language of the cookie, or else of the browser."""
        translation.activate(translation.get_language_from_request(request))
        request.LANGUAGE_CODE = language = translation.get_language()
        response: HttpResponseBase = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or language)
        return response


class _Policy(CSPMiddleware):
    """Content-Security-Policy, written once for all answers that say nothing of their own about it."""

    MARK = "_csp"
    """How the names begin of what a view leaves on an answer with a policy of its own, or on its request."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        super().__init__(get_response)
        self._usual = ""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer with its policy."""
        own = any(name.startswith(self.MARK) for told in (response, request) for name in vars(told))
        if own or CSP in response.headers or settings.DEBUG:
            return super().process_response(request, response)
        if not self._usual:
            self._usual = build_policy()
        response.headers[CSP] = self._usual
        return response


class PageContentSecurityPolicy(_ForPages, _Policy):
    """Content-Security-Policy: a browser runs nothing of a JSON answer."""


class _Headers:
    """Permissions-Policy; and a Cache-Control for every page that has none: kept by its own reader, or by nobody."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with both headers."""
        response: HttpResponseBase = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        is_secret = request.path.startswith(ACCOUNTS)
        response.headers.setdefault("Cache-Control", "no-store" if is_secret else "private, no-cache")
        return response


class PageHeaders(_ForPages, _Headers):
    """Permissions-Policy and Cache-Control."""


class PageMessages(_ForPages, MessageMiddleware):
    """Messages that the next page shows."""


class PageFrames(_ForPages, XFrameOptionsMiddleware):
    """X-Frame-Options."""


class PageHtmx(_ForPages, HtmxMiddleware):
    """`request.htmx`."""


class _Throttle:
    """Counts what is sent to pages by user, or by address without an account: a guest costs nothing to become."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, or 429 with the time to wait."""
        if request.method == "POST":
            user = request.user
            who = str(user.pk) if user.is_authenticated else neighbourhood(client_address(request.META))
            if count("pages", who, seconds=MINUTE) > settings.PAGE_CHANGES_PER_MINUTE:
                return problem_page(request, too_many_changes(MINUTE))
        answer: HttpResponseBase = self.get_response(request)
        return answer


class PageThrottle(_ForPages, _Throttle):
    """So many changes a minute."""
