"""Who is looking: what a door makes of a request, so that nothing below it sees HTTP."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.conf import settings
from django.core import signing

from armybuilder.accounts import second_factor

if TYPE_CHECKING:
    from armybuilder.accounts.models import User

GUEST_COOKIE = "guest"
"""The secret a guest's lists hang on; it is good for GUEST_DAYS and made anew for whoever comes back."""

_GUEST_SALT = "armybuilder.guest"
_DAY = 24 * 3600

GUEST_RENEWED_DAYS = 30
"""A guest's text that is older is made anew when the browser comes again."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A signed-in user, a guest known by a secret in the browser, or somebody who followed a share link.

    Attributes:
        user: None for everybody who is not signed in.
        guest_key: whose lists a browser without an account may see and edit.
        share_token: of the link that was followed; it allows reading one list.
        address: where the request comes from; for what an address may do so many times, never for who somebody is.
    """

    user: "User | None" = None
    guest_key: UUID | None = None
    share_token: str | None = None
    address: str = field(default="", compare=False)

    def may(self, permission: str) -> bool:
        """Whether the viewer looks after the site, has shown the second factor and was given this permission.

        Args:
            permission: e.g. `armylists.view_armylist`.
        """
        user = self.user
        if user is None or not user.is_active or not user.is_staff or second_factor.is_missing(user):
            return False
        return user.has_perm(permission)

    @property
    def is_anybody(self) -> bool:
        """Whether something can be stored for this viewer."""
        return self.user is not None or self.guest_key is not None


ANYBODY = Viewer()
"""A viewer about whom nothing is known."""


def new_guest_key() -> UUID:
    """A key for a browser that has none."""
    return uuid4()


def signed_guest_key(key: UUID) -> str:
    """The text a browser keeps; nobody can make one for a key that is not theirs."""
    return signing.dumps(key.hex, salt=_GUEST_SALT)


def guest_key_of(signed: str | None) -> UUID | None:
    """The key in a text made by `signed_guest_key`, or None when it is missing, forged or older than GUEST_DAYS."""
    return _guest_key(signed, days=settings.GUEST_DAYS)


def is_worn_guest_key(signed: str | None) -> bool:
    """Whether a valid text has to be made anew, so that whoever comes back keeps what hangs on it."""
    days = min(GUEST_RENEWED_DAYS, settings.GUEST_DAYS / 2)
    return guest_key_of(signed) is not None and _guest_key(signed, days=days) is None


def _guest_key(signed: str | None, *, days: float) -> UUID | None:
    if not signed:
        return None
    try:
        return UUID(hex=signing.loads(signed, salt=_GUEST_SALT, max_age=round(days * _DAY)))
    except (signing.BadSignature, ValueError, TypeError, AttributeError):
        return None
