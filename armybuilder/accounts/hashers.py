"""How passwords are hashed: with Argon2, and only so many at once, because each takes a hundred megabytes."""

from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

_places = BoundedSemaphore(settings.PASSWORD_HASHES_AT_ONCE)


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2 with a bound on what one process works on; the next password waits for a place, some tenths of a second.

    Without it the threads of one process take 0.9 GB when as many visitors sign in at the same moment.
    """

    def encode(self, *args: Any, **kwargs: Any) -> str:
        """The hash of a password."""
        with _places:
            return str(super().encode(*args, **kwargs))

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        """Whether a password belongs to a hash."""
        with _places:
            return bool(super().verify(*args, **kwargs))
