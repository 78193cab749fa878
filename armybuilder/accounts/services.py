"""Making accounts, signing in, and issuing and revoking API tokens."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from armybuilder.accounts import attempts
from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import (
    NotFound,
    SignInRefused,
    SignUpRefused,
    TokenRefused,
    TooManyAttempts,
    TooManyTokens,
)
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.viewers import Viewer
from armybuilder.compiled_queries import PreparedQuery

MOST_TOKENS = 50
"""Valid tokens one user may have."""

_USE_IS_NOTED_EVERY = timedelta(minutes=5)

_TOKEN = PreparedQuery(ApiToken.objects.select_related("user"), "digest")
"""Every request of a program begins with it."""


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token with its secret, which can be shown now and never again."""

    token: ApiToken
    secret: str


def sign_up(*, username: str, password: str, email: str = "") -> User:
    """A new account.

    Raises:
        SignUpRefused: a name that is taken or malformed, a weak password, or an address that is none.
    """
    user = User(username=User.normalize_username(username.strip()), email=User.objects.normalize_email(email.strip()))
    problems: dict[str, list[str]] = {}
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as refused:
        problems |= refused.message_dict
    if User.objects.filter(username__iexact=user.username).exists():
        problems.setdefault("username", []).extend(_taken())
    try:
        validate_password(password, user)
    except ValidationError as refused:
        problems["password"] = list(refused.messages)
    if problems:
        raise SignUpRefused(problems)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise SignUpRefused({"username": _taken()}) from None
    security.info("account made user=%s", user.pk)
    return user


def sign_in(*, username: str, password: str, address: str) -> User:
    """The user whose name and password these are; the door then opens the session.

    Args:
        address: where the attempt comes from; failures count by name and by address.

    Raises:
        TooManyAttempts: wait, even with the right password.
        SignInRefused: they do not belong together, or the account is closed.
    """
    if attempts.too_many(username, address):
        raise TooManyAttempts(settings.SIGN_IN_WINDOW_SECONDS)
    user = authenticate(username=username, password=password, address=address)
    if not isinstance(user, User):
        raise SignInRefused
    return user


def issue_token(user: User, *, name: str, scope: str, expires_at: datetime | None = None) -> IssuedToken:
    """A new token for the user's programs; its secret is not stored and cannot be shown again.

    Args:
        scope: "read" or "write"; writing includes reading.

    Raises:
        TooManyTokens: revoke one first.
    """
    if ApiToken.objects.filter(user=user, revoked_at=None).count() >= MOST_TOKENS:
        raise TooManyTokens(MOST_TOKENS)
    secret = "ab_" + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name.strip()[:80],
        prefix=secret[:8],
        digest=_digest(secret),
        scope=ApiToken.Scope(scope),
        expires_at=expires_at,
    )
    security.info("token issued user=%s token=%s scope=%s", user.pk, token.pk, token.scope)
    return IssuedToken(token, secret)


def revoke_token(viewer: Viewer, token_id: UUID) -> None:
    """Make a token of the viewer's useless from now on; doing so twice changes nothing.

    Raises:
        NotFound: no such token, or somebody else's.
    """
    mine = ApiToken.objects.filter(pk=token_id, user=viewer.user)
    if viewer.user is None or not mine.exists():
        raise NotFound("There is no such token.")
    if mine.filter(revoked_at=None).update(revoked_at=timezone.now()):
        security.info("token revoked user=%s token=%s", viewer.user.pk, token_id)


def accept_token(secret: str) -> ApiToken:
    """The valid token with this secret, its user loaded.

    Raises:
        TokenRefused: unknown, revoked or expired, or its user's account is closed.
    """
    token = _TOKEN.one(_digest(secret))
    now = timezone.now()
    if token is None or not token.is_valid_at(now) or not token.user.is_active:
        security.warning("token refused token=%s", token.pk if token is not None else "unknown")
        raise TokenRefused("This token is unknown, revoked or expired.")
    if token.last_used_at is None or now - token.last_used_at > _USE_IS_NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _USE_IS_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def _digest(secret: str) -> str:
    # Plain SHA-256 will do: the secret has 256 random bits and cannot be guessed from its hash.
    return sha256(secret.encode()).hexdigest()


def _taken() -> list[str]:
    constraint = User._meta.constraints[0]
    return [str(constraint.get_violation_error_message())]
