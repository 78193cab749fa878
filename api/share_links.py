"""Share links over the API: making, listing and revoking them, and reading, checking and copying what they open."""

from datetime import datetime
from uuid import UUID

import msgspec
from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import ListOut, ReportOut, created
from api.authentication import known_viewer_of
from api.preconditions import etag_of, is_known
from api.schema import PUBLIC, Moment, array, body, ref
from armybuilder.armylists import queries, services
from armybuilder.armylists import share_links as addresses
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument


class ShareLinkOut(msgspec.Struct, frozen=True, kw_only=True):
    """A secret address under which anybody may read a list.

    Attributes:
        url: the page to hand on; nobody needs an account to open it.
        address: the same list over the API.
        is_open: whether it still leads to the list.
    """

    token: str
    url: str
    address: str
    created: Moment
    expires: Moment | None
    revoked_at: Moment | None
    is_open: bool

    @classmethod
    def of(cls, link: ShareLink, request: Request) -> "ShareLinkOut":
        """A stored link, with addresses on this site."""
        site = settings.PUBLIC_URL or request.build_absolute_uri("/")
        return cls(
            token=link.token,
            url=addresses.share_url(link.token, site=site),
            address=f"/api/v1/shared/{link.token}/",
            created=link.created,
            expires=link.expires,
            revoked_at=link.revoked_at,
            is_open=link.is_open,
        )


class NewShareLink(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a share link lasts; without a time until it is revoked."""

    expires: Moment | None = None


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
        request=body(ref(NewShareLink)),
        responses={201: ref(ShareLinkOut)},
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Make a secret address under which anybody may read the list."""
        viewer = known_viewer_of(request)
        wanted = shaped(request.data, NewShareLink)
        if wanted.expires is not None and wanted.expires <= datetime.now(wanted.expires.tzinfo):
            raise BadDocument("The link would have expired before it was made.", "/expires")
        link = ShareLinkOut.of(services.publish_share_link(viewer, list_id, expires=wanted.expires), request)
        return Response(link, status=status.HTTP_201_CREATED, headers={"Location": link.address})


class OneShareLink(APIView):
    """One share link."""

    @extend_schema(operation_id="revoke_share_link", tags=["sharing"], responses={204: None})
    def delete(self, request: Request, list_id: UUID, token: str) -> Response:
        """Close a share link for good."""
        services.revoke_share_link(known_viewer_of(request), list_id, token)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SharedListOut(msgspec.Struct, frozen=True, kw_only=True):
    """A list as somebody with its link sees it: without the owner's folders and tags."""

    name: str
    system: str
    factions: str
    points: int | float | None
    points_limit: int | None
    verdict: str
    unchecked_parts: int
    revision: int
    updated: Moment
    document_kind: str
    document: msgspec.Raw

    @classmethod
    def of(cls, army_list: ArmyList) -> "SharedListOut":
        """What of a stored list is shared."""
        own = ListOut.of(army_list)
        return cls(**{name: getattr(own, name) for name in cls.__struct_fields__})


class SharedList(APIView):
    """A list behind a share link."""

    @extend_schema(
        operation_id="read_shared_list", tags=["sharing"], responses={200: ref(SharedListOut), 304: None}, auth=PUBLIC
    )
    def get(self, request: Request, token: str) -> Response:
        """Read a shared list; whoever has the token may."""
        army_list = queries.shared_army_list(token)
        headers = {"ETag": etag_of(army_list.revision)}
        if is_known(request, army_list.revision):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return Response(SharedListOut.of(army_list), headers=headers)


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


class SharedCopies(APIView):
    """Copies of a list behind a share link."""

    @extend_schema(operation_id="copy_shared_list", tags=["sharing"], request=None, responses={201: ref(ListOut)})
    def post(self, request: Request, token: str) -> Response:
        """Copy a shared list to your own, with a history of its own."""
        return created(services.copy_shared(known_viewer_of(request), token))
