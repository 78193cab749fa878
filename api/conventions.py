"""What holds for every answer of the JSON door: rates in headers, tags, how long it is kept, its end, compression."""

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from api.deprecations import tell

ROOT_ADDRESS = "/api/v1/"
PUBLISHED = (f"{ROOT_ADDRESS}systems/", f"{ROOT_ADDRESS}problems/", f"{ROOT_ADDRESS}targets/standard/")
"""The same for everybody, until a release is published: may be kept for a minute."""

PUBLIC_SECONDS = 60
WORTH_COMPRESSING = 1_000
"""Bytes below which a compressed answer saves nothing."""

RANDOM_BYTES = 100
"""Of noise in a compressed answer, so that its length tells nothing of a secret in it."""


class Conventions:
    """Adds to answers of the API what no view needs to think of."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with its headers; 304 without a body where the client has it already."""
        response = self.get_response(request)
        if not request.path_info.startswith(ROOT_ADDRESS):
            return response
        _let_go(response)
        if (rate := getattr(request, "api_rate", None)) is not None:
            response["RateLimit-Limit"], response["RateLimit-Remaining"], response["RateLimit-Reset"] = map(str, rate)
        tell(request, response)
        if not isinstance(response, HttpResponse) or response.status_code != HTTPStatus.OK:
            return response
        if request.method in ("GET", "HEAD"):
            response = _tagged(request, response)
        return _compressed(request, response)


def _let_go(response: HttpResponseBase) -> None:
    """REST framework's request, view and answer hold one another: undone, they and the body go as soon as it is sent.

    Else they wait for the garbage collector, which then has more to look at in every request, and megabytes of bodies
    wait with them.
    """
    if not getattr(response, "is_rendered", False):
        return
    context = vars(response).get("renderer_context")
    if context:
        context["request"].parser_context.clear()
        vars(context["view"]).pop("head", None)  # its own method, which Django gives to views that have `get`
        context.clear()


def _tagged(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with a tag of its content and how long it may be kept, or 304."""
    if "Cache-Control" not in response:
        public = request.path_info.startswith(PUBLISHED)
        response["Cache-Control"] = f"public, max-age={PUBLIC_SECONDS}" if public else "private, no-cache"
    if "ETag" in response:
        return response
    tag = sha256(response.content).hexdigest()[:32]
    response["ETag"] = f'"{tag}"'
    if tag not in request.META.get("HTTP_IF_NONE_MATCH", ""):
        return response
    kept = {
        name: response[name]
        for name in ("ETag", "Cache-Control", "Vary", "Deprecation", "Sunset", "Link")
        if name in response
    }
    return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=kept)


def _compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    if len(response.content) < WORTH_COMPRESSING or response.has_header("Content-Encoding"):
        return response
    if "Vary" in response:
        patch_vary_headers(response, ("Accept-Encoding",))
    else:
        response["Vary"] = "Accept-Encoding"
    if "gzip" not in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        return response
    response.content = compress_string(response.content, max_random_bytes=RANDOM_BYTES)
    response["Content-Encoding"] = "gzip"
    if "Content-Length" in response:
        response["Content-Length"] = str(len(response.content))
    if response.get("ETag", "").startswith('"'):
        response["ETag"] = f"W/{response['ETag']}"  # other bytes, the same state
    return response
