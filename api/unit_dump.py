"""All units of a game in one answer, a line of JSON each, for programs that keep a copy."""

from collections.abc import Iterator

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_sequence
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from api.bulk_checks import LINES, LinesRenderer
from api.conventions import PUBLIC_SECONDS
from api.reference import UnitOut
from api.renderers import JSONRenderer, json_bytes
from api.schema import PUBLIC
from armybuilder.reference import queries


class AllUnits(APIView):
    """Every unit of a system."""

    renderer_classes = [LinesRenderer, JSONRenderer]

    @extend_schema(operation_id="dump_units", tags=["systems"], responses={(200, LINES): UnitOut}, auth=PUBLIC)
    def get(self, request: Request, system: str) -> HttpResponseBase:
        """Every unit with its profiles, a line each; the tag is that of the release, so a copy is asked for again."""
        found = queries.system(system)
        tag = f'"{found.current_release_id}"'
        headers = {"ETag": tag, "Cache-Control": f"public, max-age={PUBLIC_SECONDS}"}
        if tag in request.headers.get("If-None-Match", ""):
            return HttpResponse(status=304, headers=headers)
        lines = _lines(found.pk)
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers |= {"Content-Encoding": "gzip", "ETag": f"W/{tag}"}  # other bytes, the same units
            lines = compress_sequence(lines)
        response = StreamingHttpResponse(lines, content_type=LINES, headers=headers)
        patch_vary_headers(response, ("Accept-Encoding",))
        return response


def _lines(system: str) -> Iterator[bytes]:
    written = UnitOut().to_representation
    for unit in queries.units(system).iterator(chunk_size=200):
        yield json_bytes(written(unit)) + b"\n"
