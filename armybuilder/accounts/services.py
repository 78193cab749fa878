"""Making accounts, signing in, and issuing and revoking API tokens."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from armybuilder.accounts import attempts
from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import (
    NotFound,
    PasswordNotConfirmed,
    SignInRefused,
    SignUpRefused,
    TokenRefused,
    TooManyAttempts,
    TooManyTokens,
)
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.programs import allowed_by, shut_out, token_of_program
from armybuilder.accounts.scopes import in_order
from armybuilder.accounts.viewers import Viewer
from armybuilder.compiled_queries import CompiledQuery

HOUR = 3_600

PREFIX = "ab_"
"""How tokens of users begin; others are of programs that users allowed."""

RESETS_PER_HOUR = 10
"""Letters about forgotten passwords that one address may ask for."""

MOST_TOKENS = 50
"""Valid tokens one user may have."""

_USE_IS_NOTED_EVERY = timedelta(minutes=5)

_ASKED_OF_A_TOKEN = ("scopes", "list_id", "last_used_at", "expires_at", "revoked_at")
_ASKED_OF_ITS_USER = ("username", "is_active", "is_staff", "is_superuser")
_TOKEN = CompiledQuery(
    ApiToken.objects.select_related("user").only(*_ASKED_OF_A_TOKEN, *(f"user__{name}" for name in _ASKED_OF_ITS_USER)),
    "digest",
)
"""Every request of a program begins with it; what few of them ask is fetched when it is touched."""


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token with its secret, which can be shown now and never again."""

    token: ApiToken
    secret: str


def sign_up(*, username: str, password: str, email: str = "", address: str = "") -> User:
    """A new account.

    Args:
        address: where it is asked for; so many an hour may be made from one.

    Raises:
        TooManyAttempts: wait.
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
    if (
        address
        and attempts.count("sign-up", attempts.neighbourhood(address), seconds=HOUR) > settings.SIGN_UPS_PER_HOUR
    ):
        security.warning("sign-up refused: too many address=%r", address)
        raise TooManyAttempts(HOUR)
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


def confirm_password(user: User, password: str, *, address: str) -> None:
    """Make sure that it is the user who asks for what cannot be undone; wrong passwords count as failed sign-ins.

    Raises:
        TooManyAttempts: wait, even with the right password.
        PasswordNotConfirmed: another password.
    """
    name = user.get_username()
    if attempts.too_many(name, address):
        raise TooManyAttempts(settings.SIGN_IN_WINDOW_SECONDS)
    if not user.check_password(password):
        attempts.note_failure(name, address)
        security.warning("password not confirmed user=%s address=%r", user.pk, address)
        raise PasswordNotConfirmed
    attempts.forget(name, address)
    security.info("password confirmed user=%s address=%r", user.pk, address)


def set_email(user: User, email: str, *, password: str, address: str) -> None:
    """Change where a forgotten password is written to; empty for nowhere.

    Raises:
        TooManyAttempts, PasswordNotConfirmed: as `confirm_password`.
    """
    confirm_password(user, password, address=address)
    user.email = User.objects.normalize_email(email.strip())
    user.save(update_fields=["email"])
    security.info("e-mail address changed user=%s", user.pk)


def may_ask_for_reset(address: str) -> bool:
    """Whether somebody at an address may have another letter about a forgotten password sent."""
    return attempts.count("password-reset", attempts.neighbourhood(address), seconds=HOUR) <= RESETS_PER_HOUR


def issue_token(
    user: User, *, name: str, scopes: Iterable[str], expires_at: datetime | None = None, list_id: UUID | None = None
) -> IssuedToken:
    """A new token for the user's programs; its secret is not stored and cannot be shown again.

    Args:
        scopes: what it allows; words of `Scope`.
        list_id: of the user's, the only list that it opens.

    Raises:
        TooManyTokens: revoke one first.
        ValueError: a word that is no scope.
    """
    granted = in_order(scopes)
    if ApiToken.objects.filter(user=user, revoked_at=None).count() >= MOST_TOKENS:
        raise TooManyTokens(MOST_TOKENS)
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name.strip()[:80],
        prefix=secret[:8],
        digest=_digest(secret),
        scopes=" ".join(granted),
        list_id=list_id,
        expires_at=expires_at,
    )
    security.info("token issued user=%s token=%s scopes=%s", user.pk, token.pk, token.scopes)
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


def end_other_sessions(viewer: Viewer) -> User | None:
    """Have no session of the viewer's count any more; the user as stored then, for the session that shall."""
    if viewer.user is None:
        return None
    User.objects.filter(pk=viewer.user.pk).update(sessions_ended=F("sessions_ended") + 1)
    security.info("other sessions ended user=%s", viewer.user.pk)
    return User.objects.get(pk=viewer.user.pk)


def ways_in(viewer: Viewer) -> int:
    """How many tokens and programs act for the viewer without a password; a new one leaves them as they are."""
    tokens = ApiToken.objects.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), user=viewer.user)
    return tokens.filter(revoked_at=None).count() + len(allowed_by(viewer)) if viewer.user is not None else 0


@transaction.atomic
def end_ways_in(viewer: Viewer) -> None:
    """Revoke all tokens of the viewer's and shut out all programs, as after somebody else knew the password."""
    if viewer.user is None:
        return
    ended = ApiToken.objects.filter(user=viewer.user, revoked_at=None).update(revoked_at=timezone.now())
    for allowed in allowed_by(viewer):
        shut_out(viewer, allowed.program.pk)
    security.info("all tokens revoked user=%s tokens=%s", viewer.user.pk, ended)


def accept_token(secret: str) -> ApiToken:
    """The valid token with this secret, its user loaded; of the user's own, or given to a program by OAuth.

    Raises:
        TokenRefused: unknown, revoked or expired, or its user's account is closed.
    """
    is_own = secret.startswith(PREFIX)
    token = _TOKEN.one(_digest(secret)) if is_own else token_of_program(secret)
    now = timezone.now()
    if token is None or not token.is_valid_at(now) or not token.user.is_active:
        security.warning("token refused token=%s", token.pk if token is not None else "unknown")
        raise TokenRefused("This token is unknown, revoked or expired.")
    if is_own and (token.last_used_at is None or now - token.last_used_at > _USE_IS_NOTED_EVERY):
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _USE_IS_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def _digest(secret: str) -> str:
    # Plain SHA-256 will do: the secret has 256 random bits and cannot be guessed from its hash.
    return sha256(secret.encode()).hexdigest()


def _taken() -> list[str]:
    constraint = User._meta.constraints[0]
    return [str(constraint.get_violation_error_message())]
