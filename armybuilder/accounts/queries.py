"""Reads about accounts."""

from django.db.models import QuerySet

from armybuilder.accounts.models import ApiToken
from armybuilder.accounts.viewers import Viewer


def tokens_of(viewer: Viewer) -> QuerySet[ApiToken]:
    """The viewer's own tokens, newest first, revoked ones included; none for somebody without an account."""
    if viewer.user is None:
        return ApiToken.objects.none()
    return ApiToken.objects.filter(user=viewer.user)
