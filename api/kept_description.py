"""The description of the API in the forms it was written in, kept beside the compiled game data.

To write it takes a process one to four seconds, and it is the same in every process of a release. What is kept is named
by the content of all it is made of, so that no release shows another one's; and it holds its own sum.
"""

import logging
import os
import tempfile
from functools import cache
from hashlib import blake2b, sha256
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

MADE_OF = ("api", "armybuilder", "fixtures")
SUFFIXES = frozenset({".py", ".toml", ".json", ".mo"})
"""Of the files in those folders that a description, its words and its examples can come from."""

PACKAGES = ("Django", "django-filter", "djangorestframework", "drf-spectacular", "msgspec", "PyYAML")

_SUM_BYTES = sha256().digest_size


def kept(form: str) -> bytes | None:
    """The description in a form, as it was kept; None where there is none, or not as it was written."""
    try:
        data = _path(form).read_bytes()
    except OSError:
        return None
    content = data[_SUM_BYTES:]
    return content if content and sha256(content).digest() == data[:_SUM_BYTES] else None


def keep(form: str, content: bytes) -> None:
    """Keep it for the other processes and the next start; others go. A full disk keeps none."""
    path = _path(form)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.iterdir():
            if not old.name.startswith(_release()):
                old.unlink(missing_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=_release())
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(sha256(content).digest() + content)
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        logger.warning("the description of the API is not kept: %s", error)


def _path(form: str) -> Path:
    return settings.COMPILED_CACHE_DIR / "description" / f"{_release()}-{form}"


@cache
def _release() -> str:
    """A name of everything that it is made of; reading it all takes some twentieth of a second."""
    seen = blake2b(digest_size=16)
    for package in PACKAGES:
        seen.update(f"{package} {version(package)}\n".encode())
    for folder in MADE_OF:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                seen.update(f"{path.relative_to(settings.BASE_DIR)} {path.stat().st_size}\n".encode())
                seen.update(path.read_bytes())
    return seen.hexdigest()
