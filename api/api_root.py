"""The root of the API at /api/v1/, and the answer to addresses that lead nowhere."""

from django.http import HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.urls import resolve, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC

LINKS = (
    "systems",
    "check",
    "checks",
    "lists",
    "simulations",
    "targets",
    "events",
    "releases",
    "account",
    "webhooks",
    "verdict-keys",
    "problems",
    "schema",
    "docs",
    "reference",
)
FILLED_IN = {"shared": "/api/v1/shared/{token}/", "verdicts": "/api/v1/verdicts/{code}/"}
"""What has no address of its own, only each of its kind: in braces what to fill in."""


class ApiRoot(APIView):
    """Where everything is."""

    @extend_schema(
        operation_id="read_entrance",
        tags=["entrance"],
        responses={200: {"type": "object", "additionalProperties": {"type": "string"}}},
        auth=PUBLIC,
    )
    def get(self, request: Request) -> Response:
        """Addresses of the parts of this API; in braces what to fill in."""
        return Response({name: reverse(f"api:{name}") for name in LINKS} | FILLED_IN)


class Nowhere(APIView):
    """Any other address: a problem document, or the way to the same address with its slash."""

    throttle_classes = ()
    authentication_classes = ()

    @extend_schema(exclude=True)
    def dispatch(self, request: Request, *args: object, **kwargs: object) -> HttpResponseBase:  # type: ignore[override]
        """Redirect with the same method and body when only the slash is missing."""
        if not request.path.endswith("/"):
            view = getattr(resolve(f"{request.path}/").func, "view_class", None)
            if view is not Nowhere:
                query = request.META.get("QUERY_STRING", "")
                address = f"{request.path}/{f'?{query}' if query else ''}"
                return HttpResponsePermanentRedirect(address, preserve_request=True)
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Every method finds nothing here.

        Raises:
            NotFound: always.
        """
        raise NotFound(f"There is nothing at {request.path}; the addresses are listed at {reverse('api:docs')}.")
