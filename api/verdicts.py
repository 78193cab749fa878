"""Signed verdicts over the API: asking for one, reading it by its code, and the public keys that prove it."""

from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import SHARE_PARAMETER, reader_of
from api.schema import PUBLIC, Moment, array, ref
from armybuilder.armylists import queries, services, signed_verdicts
from armybuilder.armylists.models import VerdictKey
from armybuilder.armylists.share_links import qr_svg
from armybuilder.armylists.signed_verdicts import Present, PublicVerdict
from armybuilder.site_address import site_address


class VerdictKeyOut(msgspec.Struct, frozen=True, kw_only=True):
    """A key that signed verdicts.

    Attributes:
        public_key: PEM, Ed25519.
        retired_at: since when another signs; null for the one in use.
    """

    id: str
    public_key: str
    created_at: Moment
    retired_at: Moment | None

    @classmethod
    def of(cls, key: VerdictKey) -> "VerdictKeyOut":
        """The public half of a key."""
        return cls(id=key.id, public_key=signed_verdicts.pem_of(key), created_at=key.created, retired_at=key.retired_at)


class SignedVerdictOut(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict with its proof.

    Attributes:
        code: two groups of letters and figures.
        url: the page that tells it to people, with the site, to be handed on.
        payload: the text that is signed, exactly these characters in UTF-8: what was judged, by which data and rules,
            when, and what was found. It is JSON.
        signature: Ed25519 over the payload, base64.
        key: which key signed.
        present: whether the list is today what was judged.
        verdict: the payload, parsed.
    """

    code: str
    address: str
    url: str
    payload: str
    signature: str
    key: VerdictKeyOut
    present: Present
    verdict: dict[str, Any]

    @classmethod
    def of(cls, judged: PublicVerdict, request: Request) -> "SignedVerdictOut":
        """A stored verdict, with the address of its page on this site."""
        row = judged.verdict
        code = signed_verdicts.printed(row.code)
        return cls(
            code=code,
            address=f"/api/v1/verdicts/{code}/",
            url=f"{site_address(request)}{signed_verdicts.verdict_path(row.code)}",
            payload=row.payload,
            signature=row.signature,
            key=VerdictKeyOut.of(row.key),
            present=judged.present,
            verdict=judged.facts,
        )


class ListVerdict(APIView):
    """The signed verdict on a list."""

    stores = False

    @extend_schema(
        operation_id="sign_verdict",
        tags=["verdicts"],
        parameters=[SHARE_PARAMETER],
        request=None,
        responses={201: ref(SignedVerdictOut)},
        auth=PUBLIC,
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Check a list and sign the verdict on it; the same again while nothing has changed."""
        army_list = queries.visible_army_list(list_id, reader_of(request))
        verdict = signed_verdicts.issue(army_list, services.check_army_list(army_list))
        out = SignedVerdictOut.of(signed_verdicts.judged(verdict.code), request)
        return Response(out, status=status.HTTP_201_CREATED, headers={"Location": out.address})


class OneVerdict(APIView):
    """A signed verdict by its code."""

    @extend_schema(operation_id="read_verdict", tags=["verdicts"], responses={200: ref(SignedVerdictOut)}, auth=PUBLIC)
    def get(self, request: Request, code: str) -> Response:
        """What was judged, what was found, the proof, and whether the list has changed since."""
        return Response(SignedVerdictOut.of(signed_verdicts.judged(code), request))


class VerdictCode(APIView):
    """The QR code of a verdict's page."""

    @extend_schema(
        operation_id="read_verdict_code",
        tags=["verdicts"],
        responses={(200, "image/svg+xml"): {"type": "string"}},
        auth=PUBLIC,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """The address of the verdict's page as a QR code, an SVG picture."""
        row = signed_verdicts.judged(code).verdict
        url = f"{site_address(request)}{signed_verdicts.verdict_path(row.code)}"
        return HttpResponse(qr_svg(url), content_type="image/svg+xml")


class VerdictKeys(APIView):
    """The public keys."""

    @extend_schema(
        operation_id="list_verdict_keys", tags=["verdicts"], responses={200: array(ref(VerdictKeyOut))}, auth=PUBLIC
    )
    def get(self, request: Request) -> Response:
        """Every key that signs or signed verdicts, newest first."""
        return Response([VerdictKeyOut.of(key) for key in signed_verdicts.known_keys()])
