"""The account of whoever asks: its tokens, and everything the site holds of it."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Meta
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import refuse_without_second_factor, viewer_of
from api.pages import Collection, page_schema
from api.permissions import InsufficientScope
from api.schema import FutureMoment, Moment, body, problem, ref
from armybuilder.accounts import queries, services
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import Scope
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries as lists
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument
from armybuilder.operations import personal_data

ScopeName = Literal["lists:read", "lists:write", "check", "simulate", "events", "data", "admin"]
BYTES = {"type": "string", "format": "binary"}


class AccountOut(msgspec.Struct, frozen=True, kw_only=True):
    """An account.

    Attributes:
        scopes: of the token that asks; null without one.
        is_staff: whether it may look after parts of the site.
    """

    name: str
    email: str
    created_at: Moment
    is_staff: bool
    scopes: tuple[ScopeName, ...] | None


class TokenOut(msgspec.Struct, frozen=True, kw_only=True):
    """A token of an account; its secret is shown once.

    Attributes:
        prefix: how its secret begins.
        list: the only list that it opens; null opens all.
    """

    id: UUID
    name: str
    prefix: str
    scopes: tuple[ScopeName, ...]
    list: UUID | None
    created_at: Moment
    last_used_at: Moment | None
    expires_at: Moment | None
    revoked_at: Moment | None

    @classmethod
    def of(cls, token: ApiToken) -> "TokenOut":
        """A stored token."""
        return cls(
            id=token.pk,
            name=token.name,
            prefix=token.prefix,
            scopes=names_of(token),
            list=token.list_id,
            created_at=token.created_at,
            last_used_at=token.last_used_at,
            expires_at=token.expires_at,
            revoked_at=token.revoked_at,
        )


class NewTokenOut(msgspec.Struct, frozen=True, kw_only=True):
    """A token that was just made, with its secret."""

    secret: str
    token: TokenOut


class NewToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token to make.

    Attributes:
        scopes: none that the asking token does not have.
        list: one of your lists, the only one that it opens.
        expires_at: in the future, or it is refused (400); null until it is revoked.
    """

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    scopes: Annotated[tuple[ScopeName, ...], Meta(min_length=1, max_length=len(Scope))]
    list: UUID | None = None
    expires_at: FutureMoment | None = None


def names_of(token: ApiToken) -> tuple[ScopeName, ...]:
    """The scopes of a token as they are written."""
    return msgspec.convert([str(scope) for scope in token.granted], tuple[ScopeName, ...])


def account_of(request: Request) -> tuple[Viewer, User]:
    """Who asks, with an account. Raises NotAuthenticated, PermissionDenied."""
    viewer = viewer_of(request)
    if viewer.user is None:
        raise NotAuthenticated("Send an API token as Authorization: Bearer <token>.")
    refuse_without_second_factor(viewer.user)
    return viewer, viewer.user


class Account(APIView):
    """The account."""

    @extend_schema(operation_id="read_account", tags=["account"], responses={200: ref(AccountOut), **problem(403)})
    def get(self, request: Request) -> Response:
        """Whose token this is, and what it allows."""
        _, user = account_of(request)
        token = request.auth
        out = AccountOut(
            name=user.get_username(),
            email=user.email,
            created_at=user.date_joined,
            is_staff=user.is_staff,
            scopes=names_of(token) if isinstance(token, ApiToken) else None,
        )
        return Response(out)


class AccountData(APIView):
    """Everything of the account."""

    @extend_schema(
        operation_id="export_account", tags=["account"], responses={(200, "application/zip"): BYTES, **problem(403)}
    )
    def get(self, request: Request) -> HttpResponse:
        """Everything the site holds of you as one zip file: lists, the bin, simulations, targets, events, tokens."""
        data = personal_data.everything_of(account_of(request)[0])
        disposition = {"Content-Disposition": 'attachment; filename="army-builder.zip"'}
        return HttpResponse(data, content_type=personal_data.MEDIA_TYPE, headers=disposition)


TOKENS = Collection(TokenOut, "name", "created_at", "last_used_at", "expires_at")


class Tokens(APIView):
    """Tokens of the account."""

    @extend_schema(
        operation_id="list_tokens",
        tags=["account"],
        parameters=TOKENS.parameters,
        responses={200: page_schema(ref(TokenOut)), **problem(403)},
    )
    def get(self, request: Request) -> Response:
        """Your tokens, newest first, revoked ones included."""
        return TOKENS.page(request, self, queries.tokens_of(account_of(request)[0]), TokenOut.of)

    @extend_schema(
        operation_id="issue_token",
        tags=["account"],
        request=body(ref(NewToken)),
        responses={201: ref(NewTokenOut), **problem(404)},
        examples=[
            OpenApiExample(
                "A bot that reads",
                {"name": "Discord bot", "scopes": ["lists:read", "check"], "expires_at": "2030-01-01T00:00:00Z"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Make a token for a program of yours; it cannot have scopes that the asking token does not have."""
        viewer, user = account_of(request)
        new = shaped(request.data, NewToken)
        if isinstance(request.auth, ApiToken) and (beyond := set(new.scopes) - set(request.auth.granted)):
            raise InsufficientScope(tuple(scope for scope in Scope if scope in beyond))
        if new.expires_at is not None and new.expires_at <= timezone.now():
            raise BadDocument("The token would have expired already.", "/expires_at")
        if new.list is not None:
            lists.own_army_list(new.list, viewer)
        issued = services.issue_token(
            user, name=new.name, scopes=new.scopes, expires_at=new.expires_at, list_id=new.list
        )
        out = NewTokenOut(secret=issued.secret, token=TokenOut.of(issued.token))
        location = f"/api/v1/account/tokens/{issued.token.pk}/"
        return Response(out, status=status.HTTP_201_CREATED, headers={"Location": location})


class OneToken(APIView):
    """A token of the account."""

    @extend_schema(operation_id="read_token", tags=["account"], responses={200: ref(TokenOut), **problem(403)})
    def get(self, request: Request, token_id: UUID) -> Response:
        """One of your tokens."""
        return Response(TokenOut.of(queries.token_of(account_of(request)[0], token_id)))

    @extend_schema(operation_id="revoke_token", tags=["account"], responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Make a token useless from now on; doing so twice changes nothing."""
        services.revoke_token(account_of(request)[0], token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
