"""The secret of a share link: making a token, the address it stands in, and its QR code."""

import re
import secrets
from base64 import urlsafe_b64encode
from io import BytesIO

import segno

TOKEN_BYTES = 16
"""128 random bits: nobody finds a shared list by trying."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


def new_token() -> str:
    """22 characters that stand in an address as they are."""
    return urlsafe_b64encode(secrets.token_bytes(TOKEN_BYTES)).rstrip(b"=").decode()


def is_token(text: str) -> bool:
    """Whether a text has the shape of a token, so that anything else never reaches the database."""
    return _TOKEN.fullmatch(text) is not None


def share_path(token: str) -> str:
    """The page of a shared list, below the site's address."""
    return f"/s/{token}/"


def share_url(token: str, *, site: str) -> str:
    """The address to hand on.

    Args:
        site: scheme and host, e.g. https://lists.example.org.
    """
    return f"{site.rstrip('/')}{share_path(token)}"


def token_in(text: str) -> str | None:
    """The token in what a player pasted: a whole address of a shared list, or the token alone; None without one."""
    text = text.strip()
    if is_token(text):
        return text
    match = re.search(rf"/s/({_TOKEN.pattern})(?:[/?#]|$)", text)
    return match.group(1) if match else None


def qr_svg(url: str) -> str:
    """The address as a QR code: one SVG element without script, style or a fixed size."""
    out = BytesIO()
    segno.make(url, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, dark="#000", light="#fff", title="QR"
    )
    return out.getvalue().decode()
