"""Django's own backend, which puts `?` for `%s` into a query once instead of each time it is asked.

Looking through the text of a query for its places took as long as SQLite takes to answer it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base

KEPT_TEXTS = 500
LONGEST = 20_000
"""Characters of a text that is kept: what is longer has a place for each of many values, and comes once."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose cursors remember texts."""

    def create_cursor(self, name: str | None = None) -> Any:
        """A cursor of the kind below."""
        return self.connection.cursor(factory=_Cursor)


class _Cursor(base.SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: Sequence[str] | None = None) -> str:
        if param_names is not None or len(query) > LONGEST:
            return super().convert_query(query, param_names=param_names)
        return _with_question_marks(query)


@lru_cache(maxsize=KEPT_TEXTS)
def _with_question_marks(query: str) -> str:
    converted: str = base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")
    return converted
