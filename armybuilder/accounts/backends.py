"""How a password is checked, whatever door it comes through: failures count, and too many of them are refused."""

import logging
from typing import Any
from uuid import UUID

from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from armybuilder.accounts import attempts
from armybuilder.accounts.models import User
from armybuilder.compiled_queries import CompiledQuery

security = logging.getLogger("armybuilder.security")
"""A line for every event that whoever guards the site wants to find; what strangers typed is quoted."""

_USER = CompiledQuery(User.objects.all(), "id")


class ThrottledBackend(ModelBackend):
    """Name and password, with the limits of `attempts`; also guards the admin's own sign-in page."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        address: str = "",
        **kwargs: Any,
    ) -> User | None:
        """The user, or None.

        Args:
            address: where the attempt comes from, when there is no request to tell.

        Raises:
            PermissionDenied: too many attempts failed; Django then asks no other backend.
        """
        if username is None or password is None:
            return None
        address = address or (attempts.client_address(request.META) if request is not None else "")
        if attempts.too_many(username, address):
            security.warning("sign-in refused unlooked: too many failures name=%r address=%r", username[:80], address)
            raise PermissionDenied
        user = super().authenticate(request, username=username, password=password)
        if not isinstance(user, User):
            attempts.note_failure(username, address)
            security.warning("sign-in failed name=%r address=%r", username[:80], address)
            return None
        security.info("sign-in user=%s address=%r", user.pk, address)
        attempts.forget(username, address)
        return user

    def get_user(self, user_id: UUID) -> User | None:
        """The user of a session, asked for by every page that is signed in; None when the account is gone or closed."""
        user = _USER.one(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
