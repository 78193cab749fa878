"""Whether the documentation has been built: until then nothing leads to it."""

from django.conf import settings

INDEX = "index.html"


def is_built() -> bool:
    """Whether there is a first page under /docs/."""
    return bool((settings.DOCS_DIR / INDEX).is_file())
