"""Programs of others that act for users by OAuth 2.1: registered by their makers, allowed by users, shut out again.

The protocol is django-oauth-toolkit's. Programs have no secret: every one proves by PKCE that it is the one that asked.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import NotFound, ProgramRefused
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import Scope, in_order
from armybuilder.accounts.viewers import Viewer
from armybuilder.engine.findings import Text

PROGRAMS_OF_A_USER = 20
LOOPBACK = {"127.0.0.1", "[::1]", "localhost"}
"""Programs on the user's own machine; every other address is https."""


@dataclass(frozen=True, slots=True)
class AllowedProgram:
    """A program that may act for a user.

    Attributes:
        since: when it was first allowed, as far as is known.
        used_until: when its newest token ends.
    """

    program: Application
    scopes: tuple[Scope, ...]
    since: datetime
    used_until: datetime


def programs_of(viewer: Viewer) -> list[Application]:
    """The programs that the viewer has registered, by name."""
    return list(Application.objects.filter(user=viewer.user).order_by("name", "pk")) if viewer.user else []


def register_program(viewer: Viewer, *, name: str, addresses: list[str]) -> Application:
    """Make a program known, so that users may allow it to act for them.

    Args:
        addresses: to which users are sent back, exactly as the program will name them.

    Raises:
        NotFound: no account.
        ProgramRefused: an address that is neither https nor on the user's own machine, or too many programs.
    """
    if viewer.user is None:
        raise NotFound("A program needs somebody who registers it.")
    for address in addresses:
        _refuse_address(address)
    if len(programs_of(viewer)) >= PROGRAMS_OF_A_USER:
        raise ProgramRefused(
            Text(
                f"You have {PROGRAMS_OF_A_USER} programs; delete one first.",
                f"У вас {PROGRAMS_OF_A_USER} программ; сначала удалите одну.",
            )
        )
    program = Application.objects.create(
        user=viewer.user,
        name=name.strip(),
        redirect_uris=" ".join(addresses),
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
    )
    security.info("program registered user=%s program=%s", viewer.user.pk, program.client_id)
    return program


def delete_program(viewer: Viewer, program_id: int) -> None:
    """Forget a program; all its tokens, whoever allowed it, are useless. Raises NotFound."""
    mine = Application.objects.filter(pk=program_id, user=viewer.user)
    if viewer.user is None or not mine.exists():
        raise NotFound("There is no such program.")
    mine.delete()
    security.info("program deleted user=%s program=%s", viewer.user.pk, program_id)


def allowed_by(viewer: Viewer) -> list[AllowedProgram]:
    """The programs that may act for the viewer, by name."""
    if viewer.user is None:
        return []
    live = RefreshToken.objects.filter(user=viewer.user, revoked=None)
    ids = set(live.values_list("application", flat=True))
    tokens = AccessToken.objects.filter(user=viewer.user, application__isnull=False)
    ids |= set(tokens.filter(expires__gt=timezone.now()).values_list("application", flat=True))
    found = []
    for program in Application.objects.filter(pk__in=ids).order_by("name", "pk"):
        its = tokens.filter(application=program)
        words = {word for scope in its.values_list("scope", flat=True) for word in scope.split()}
        times = its.aggregate(since=Min("created"), until=Max("expires"))
        now = timezone.now()
        found.append(AllowedProgram(program, in_order(words), times["since"] or now, times["until"] or now))
    return found


def shut_out(viewer: Viewer, program_id: int) -> None:
    """Make all tokens of a program for the viewer useless; doing so twice changes nothing."""
    if viewer.user is None:
        return
    with transaction.atomic():
        for kind in (Grant, RefreshToken, AccessToken):
            kind.objects.filter(user=viewer.user, application=program_id).delete()
    security.info("program shut out user=%s program=%s", viewer.user.pk, program_id)


def token_of_program(secret: str) -> ApiToken | None:
    """The token that a program was given, in the shape of a token of the user's own; None for one that is not good."""
    digest = sha256(secret.encode()).hexdigest()
    found = AccessToken.objects.select_related("user", "application").filter(token_checksum=digest).first()
    if found is None or found.application is None or not isinstance(found.user, User):
        return None
    return ApiToken(
        id=UUID(int=found.pk),
        user=found.user,
        name=found.application.name[:80],
        prefix="",
        digest=digest,
        scopes=" ".join(in_order(found.scope.split())),
        created_at=found.created,
        expires_at=found.expires,
    )


def _refuse_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        is_local = parts.scheme == "http" and parts.netloc.rpartition(":")[0] in LOOPBACK | {""} and bool(parts.port)
    except ValueError:
        parts, is_local = urlsplit(""), False
    is_whole = bool(parts.hostname) and not parts.fragment and "*" not in address and parts.username is None
    if not is_whole or not (parts.scheme == "https" or is_local):
        raise ProgramRefused(
            Text(
                f"{address[:200]}: users are sent back to a whole https address, or to http://127.0.0.1:PORT.",
                f"{address[:200]}: пользователи возвращаются на полный адрес https или на http://127.0.0.1:ПОРТ.",
            )
        )
