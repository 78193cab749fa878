"""Reads about accounts."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet

from armybuilder.accounts import attempts
from armybuilder.accounts.errors import NotFound, TooManyAttempts
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.viewers import Viewer

HOUR = 3_600


def tokens_of(viewer: Viewer) -> QuerySet[ApiToken]:
    """The viewer's own tokens, newest first, revoked ones included; none for somebody without an account."""
    if viewer.user is None:
        return ApiToken.objects.none()
    return ApiToken.objects.filter(user=viewer.user)


def token_of(viewer: Viewer, token_id: UUID) -> ApiToken:
    """One of the viewer's tokens. Raises NotFound."""
    found = tokens_of(viewer).filter(pk=token_id).first()
    if found is None:
        raise NotFound("There is no such token.")
    return found


def other_superusers(user: User) -> bool:
    """Whether somebody else can do everything in the administration."""
    return User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists()


def administrators() -> QuerySet[User]:
    """Those who look after the site and may sign in, by name."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("username")


def user_named(name: str) -> User | None:
    """The account of a name, if there is one."""
    return User.objects.filter(username=name).first()


def owned_by(viewer: Viewer) -> Q:
    """Rows with columns `owner` and `guest_key` of the account or, without one, of the guest.

    None where nothing is known about the viewer.
    """
    if viewer.user is not None:
        return Q(owner=viewer.user)
    if viewer.guest_key is not None:
        return Q(guest_key=viewer.guest_key)
    return Q(pk__in=[])


def owner_of_new(viewer: Viewer) -> dict[str, Any]:
    """Those columns of a row that is made for the viewer.

    A guest costs nothing to become, so what guests keep is counted by their address.

    Raises:
        NotFound: nobody is known for whom it could be kept.
        TooManyAttempts: guests at this address have kept too much within this hour.
    """
    if not viewer.is_anybody:
        raise NotFound("This needs an owner: sign in, or allow the cookie that keeps a guest's things.")
    if viewer.user is not None:
        return {"owner": viewer.user}
    if viewer.address:
        kept = attempts.count("guest-things", attempts.neighbourhood(viewer.address), seconds=HOUR)
        if kept > settings.GUEST_THINGS_PER_HOUR:
            raise TooManyAttempts(HOUR)
    return {"guest_key": viewer.guest_key}
