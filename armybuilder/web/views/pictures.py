"""Charts by address, for forums and chats: whoever has a signed address sees that chart, signed in or not."""

from typing import Any
from uuid import UUID

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from armybuilder.reference.names import names_of
from armybuilder.simulations import queries
from armybuilder.simulations.chart_addresses import is_signed
from armybuilder.web.charts.pictures import png_of, svg_of

A_DAY = 86_400

TYPES = {"svg": "image/svg+xml", "png": "image/png"}
LANGUAGES = ("en", "ru")


@require_safe
@cache_control(public=True, max_age=A_DAY)
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})  # type: ignore[arg-type]  # its stubs know one argument
def picture(request: HttpRequest, run_id: UUID, signature: str, language: str, file: str) -> HttpResponse:
    """One chart of a finished run; `file` is its name with the kind of picture as its ending."""
    name, _, kind = file.rpartition(".")
    if kind not in TYPES or language not in LANGUAGES or not is_signed(run_id, name, signature):
        raise Http404
    run = queries.run_of_signed_address(run_id)
    result: Any = queries.result_of(run)
    if result is None:
        raise Http404
    with translation.override(language):
        svg = svg_of(run, result, names_of(str(result["system"])), name)
    if svg is None:
        raise Http404
    response = HttpResponse(svg if kind == "svg" else png_of(svg), content_type=TYPES[kind])
    response["X-Robots-Tag"] = "noindex"
    return response
