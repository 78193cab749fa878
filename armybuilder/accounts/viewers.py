"""Who is looking: what a door makes of a request, so that nothing below it sees HTTP."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.core import signing

if TYPE_CHECKING:
    from armybuilder.accounts.models import User

_GUEST_SALT = "armybuilder.guest"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A signed-in user, a guest known by a secret in the browser, or somebody who followed a share link.

    Attributes:
        user: None for everybody who is not signed in.
        guest_key: whose lists a browser without an account may see and edit.
        share_token: of the link that was followed; it allows reading one list.
    """

    user: "User | None" = None
    guest_key: UUID | None = None
    share_token: str | None = None

    @property
    def is_administrator(self) -> bool:
        """Whether the viewer looks after the site."""
        return self.user is not None and self.user.is_active and self.user.is_staff

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
    """The key in a text made by `signed_guest_key`, or None when it is missing or forged."""
    if not signed:
        return None
    try:
        return UUID(hex=signing.loads(signed, salt=_GUEST_SALT))
    except (signing.BadSignature, ValueError, TypeError, AttributeError):
        return None
