"""Share links over the API: making, listing and revoking them, and reading, checking and copying what they open."""

from datetime import datetime
from uuid import UUID

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import ListOut, ReportOut, created, reading_tag
from api.authentication import known_viewer_of
from api.idempotency import IDEMPOTENCY_KEY, once
from api.preconditions import is_known
from api.reading import EXPAND, expanded_sheet, fields_parameter, narrowed
from api.schema import PUBLIC, FutureMoment, Moment, array, body, ref
from armybuilder.armylists import queries, services
from armybuilder.armylists import share_links as addresses
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.samples import as_shown
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument
from armybuilder.site_address import site_address


class ShareLinkOut(msgspec.Struct, frozen=True, kw_only=True):
    """A secret address under which anybody may read a list.

    Attributes:
        url: the page to hand on; nobody needs an account to open it.
        address: the same list over the API.
        revision: the state it shows for good; None for the list as it is now.
        replies: whether its readers may comment and suggest changes.
        listed: whether it stands among the public lists.
        is_open: whether it still leads to the list.
    """

    token: str
    url: str
    address: str
    created_at: Moment
    expires_at: Moment | None
    revoked_at: Moment | None
    revision: int | None
    replies: bool
    listed: bool
    is_open: bool

    @classmethod
    def of(cls, link: ShareLink, request: Request) -> "ShareLinkOut":
        """A stored link, with addresses on this site."""
        return cls(
            token=link.token,
            url=addresses.share_url(link.token, site=site_address(request)),
            address=f"/api/v1/shared/{link.token}/",
            created_at=link.created,
            expires_at=link.expires,
            revoked_at=link.revoked_at,
            revision=link.revision,
            replies=link.takes_replies,
            listed=link.is_listed,
            is_open=link.is_open,
        )


class NewShareLink(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a share link lasts, without a time until it is revoked; a frozen one shows the list as it is now.

    Attributes:
        expires_at: in the future, or it is refused (400); null until it is revoked.
        replies: its readers may comment and suggest changes.
        listed: the list stands among the public ones; for accounts, and not for a frozen link.
    """

    expires_at: FutureMoment | None = None
    frozen: bool = False
    replies: bool = False
    listed: bool = False


class ShareLinks(APIView):
    """The share links of one of one's own lists."""

    @extend_schema(operation_id="list_share_links", tags=["sharing"], responses={200: array(ref(ShareLinkOut))})
    def get(self, request: Request, list_id: UUID) -> Response:
        """All links of the list, newest first, revoked ones too."""
        links = queries.share_links_of(known_viewer_of(request), list_id)
        return Response([ShareLinkOut.of(link, request) for link in links])

    @extend_schema(
        operation_id="create_share_link",
        tags=["sharing"],
        parameters=[IDEMPOTENCY_KEY],
        request=body(ref(NewShareLink)),
        responses={201: ref(ShareLinkOut)},
    )
    @once
    def post(self, request: Request, list_id: UUID) -> Response:
        """Make a secret address under which anybody may read the list."""
        viewer = known_viewer_of(request)
        wanted = shaped(request.data, NewShareLink)
        if wanted.expires_at is not None and wanted.expires_at <= datetime.now(wanted.expires_at.tzinfo):
            raise BadDocument("The link would have expired before it was made.", "/expires_at")
        made = services.publish_share_link(
            viewer,
            list_id,
            expires=wanted.expires_at,
            is_frozen=wanted.frozen,
            takes_replies=wanted.replies,
            is_listed=wanted.listed,
        )
        link = ShareLinkOut.of(made, request)
        return Response(link, status=status.HTTP_201_CREATED, headers={"Location": link.address})


class OneShareLink(APIView):
    """One share link."""

    @extend_schema(operation_id="revoke_share_link", tags=["sharing"], responses={204: None})
    def delete(self, request: Request, list_id: UUID, token: str) -> Response:
        """Close a share link for good."""
        services.revoke_share_link(known_viewer_of(request), list_id, token)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SharedListOut(msgspec.Struct, frozen=True, kw_only=True):
    """A list as somebody with its link sees it: without the owner's folders and tags.

    Attributes:
        sheet: the evaluated list in the language of the request, where `?expand=sheet` asks for it.
    """

    name: str
    system: str
    factions: str
    points: int | float | None
    points_limit: int | None
    verdict: str
    unchecked_parts: int
    revision: int
    updated_at: Moment
    document_kind: str
    document: msgspec.Raw
    sheet: ListSheet | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, army_list: ArmyList, sheet: ListSheet | None = None) -> "SharedListOut":
        """What of a stored list is shared."""
        own = msgspec.structs.replace(ListOut.of(army_list), sheet=msgspec.UNSET if sheet is None else sheet)
        return cls(**{name: getattr(own, name) for name in cls.__struct_fields__})


class SharedList(APIView):
    """A list behind a share link."""

    @extend_schema(
        operation_id="read_shared_list",
        tags=["sharing"],
        parameters=[EXPAND, fields_parameter(SharedListOut.__struct_fields__)],
        responses={200: ref(SharedListOut), 304: None},
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str) -> Response:
        """Read a shared list; whoever has the token may."""
        army_list = as_shown(queries.shared_army_list(token))
        sheet = expanded_sheet(request, army_list)
        out = SharedListOut.of(army_list, sheet)
        headers = reading_tag(out)
        if sheet is None and is_known(request, headers["ETag"]):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return Response(narrowed(request, out), headers=headers)


class SharedCheck(APIView):
    """The verdict on a list behind a share link."""

    stores = False

    @extend_schema(
        operation_id="check_shared_list",
        tags=["sharing", "check"],
        request=None,
        responses={200: ref(ReportOut)},
        auth=PUBLIC,
    )
    def post(self, request: Request, token: str) -> Response:
        """Check a shared list."""
        return Response(ReportOut.of(services.check_army_list(queries.shared_army_list(token))))


class SharedCode(APIView):
    """The QR code of a share link."""

    @extend_schema(
        operation_id="read_share_code",
        tags=["sharing"],
        responses={(200, "image/svg+xml"): {"type": "string"}},
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str) -> HttpResponse:
        """The address of the shared list as a QR code, an SVG picture."""
        queries.shared_army_list(token)
        url = addresses.share_url(token, site=site_address(request))
        return HttpResponse(addresses.qr_svg(url), content_type="image/svg+xml")


class SharedCopies(APIView):
    """Copies of a list behind a share link."""

    @extend_schema(
        operation_id="copy_shared_list",
        tags=["sharing"],
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={201: ref(ListOut)},
    )
    @once
    def post(self, request: Request, token: str) -> Response:
        """Copy a shared list to your own, with a history of its own."""
        return created(services.copy_shared(known_viewer_of(request), token))
