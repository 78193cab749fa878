"""Secrets of hooks, and signatures as Standard Webhooks (standardwebhooks.com) has them, for which libraries exist.

The secret is `whsec_` and base64; what is signed is `id.timestamp.body` by HMAC-SHA256; several signatures stand in one
header, separated by blanks, while a secret is being changed.
"""

import hmac
import secrets
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings

from armybuilder.engine.late_modules import LateModule

if TYPE_CHECKING:
    from cryptography import fernet
else:
    fernet = LateModule("cryptography.fernet")

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """A secret as its owner keeps it."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sealed(secret: str) -> str:
    """A secret as it is stored: a copy of the database alone signs nothing."""
    return _seal().encrypt(secret.encode()).decode()


def unsealed(stored: str) -> str | None:
    """The secret that was stored; None where the site's own secret is another by now."""
    try:
        return _seal().decrypt(stored.encode()).decode()
    except fernet.InvalidToken:
        return None


def signature(secret: str, *, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and base64."""
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    key = b64decode(secret.removeprefix(PREFIX))
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()


def headers(secrets_: Iterable[str], *, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """What goes with a message."""
    signatures = [signature(one, message_id=message_id, timestamp=timestamp, body=body) for one in secrets_]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }


def _seal() -> "fernet.Fernet":
    return fernet.Fernet(urlsafe_b64encode(sha256(b"webhooks\0" + settings.SECRET_KEY.encode()).digest()))
