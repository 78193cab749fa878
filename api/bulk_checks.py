"""POST /api/v1/checks/: up to a hundred army documents in one request; the answers stream as lines of JSON."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import msgspec
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from api.checks import ARMY_DOCUMENT, SMALL_ARMY
from api.parsers import ArrayParser, army_of
from api.problems import Problem, problem_of
from api.renderers import JSONRenderer, json_bytes
from api.schema import PUBLIC, body, ref
from armybuilder.engine.check import check
from armybuilder.engine.errors import BadDocument, GameError, LimitExceeded
from armybuilder.engine.findings import Report

MOST = 100
LINES = "application/x-ndjson"
MOMENT = 0.05
"""Seconds within which answers are sent together."""


class LinesRenderer(JSONRenderer):
    """Lines of JSON; refusals are one object."""

    media_type = LINES
    format = "ndjson"


class CheckedOut(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the answer.

    Attributes:
        index: place of the document in the request, from 0.
        report: what the stateless check says; null where the document cannot be read.
        problem: why it cannot be; null otherwise.
    """

    index: int
    report: Report | None = None
    problem: Problem | None = None


class Checks(APIView):
    """Verdicts on many army documents."""

    stores = False
    parser_classes = [ArrayParser]
    renderer_classes = [LinesRenderer, JSONRenderer]

    @extend_schema(
        operation_id="check_documents",
        tags=["check"],
        request=body({"type": "array", "items": ARMY_DOCUMENT, "minItems": 1, "maxItems": MOST}),
        responses={(200, LINES): ref(CheckedOut)},
        examples=[OpenApiExample("Two armies", [SMALL_ARMY, SMALL_ARMY], request_only=True)],
        auth=PUBLIC,
    )
    def post(self, request: Request) -> StreamingHttpResponse:
        """Check up to a hundred army documents; each line of the answer is one of them, in their order."""
        documents = request.data
        if not isinstance(documents, list) or not documents:
            raise BadDocument("Send a list of army documents.")
        if len(documents) > MOST:
            raise LimitExceeded(f"{len(documents)} documents at once are too many; {MOST} are allowed.")
        return StreamingHttpResponse(sent_together(_lines(documents)), content_type=LINES)


def sent_together(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a moment in one piece: sending each by itself takes a third as long as checking a small army."""
    piece: list[bytes] = []
    until = 0.0  # the first goes at once: whoever waits sees that it has begun
    for line in lines:
        piece.append(line)
        if (now := perf_counter()) > until:
            yield b"".join(piece)
            piece, until = [], now + MOMENT
    if piece:
        yield b"".join(piece)


def _lines(texts: list[Any]) -> Iterator[bytes]:
    for index, text in enumerate(texts):
        try:
            line = CheckedOut(index=index, report=check(army_of(text)))
        except GameError as refusal:
            line = CheckedOut(index=index, problem=problem_of(refusal))
        yield json_bytes(line) + b"\n"
