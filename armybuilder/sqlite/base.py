"""Django's own backend, which puts `?` for `%s` into a query once instead of each time it is asked.

Looking through the text of a query for its places took as long as SQLite takes to answer it; so do the layers of
Django's cursors, which compiled queries do without.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from types import TracebackType
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

    def keeping_cursor(self) -> AbstractContextManager[Any]:
        """A cursor for statements that come again and again, whose texts SQLite keeps with what it made of them.

        One of Django's where somebody counts or changes what is asked.
        """
        if self.queries_logged or self.execute_wrappers:
            usual: AbstractContextManager[Any] = self.cursor()
            return usual
        return _BareCursor(self)


class _BareCursor:
    """Lends the connection's own cursor; errors become Django's."""

    __slots__ = ("_connection", "_cursor")

    def __init__(self, connection: DatabaseWrapper) -> None:
        self._connection = connection

    def __enter__(self) -> Any:
        connection = self._connection
        connection.ensure_connection()
        connection.validate_thread_sharing()
        self._cursor = connection.create_cursor()
        return self._cursor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cursor.close()
        if kind is not None:
            self._connection.wrap_database_errors.__exit__(kind, error, trace)


class _Cursor(base.SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: Sequence[str] | None = None) -> str:
        if param_names is not None or len(query) > LONGEST:
            return super().convert_query(query, param_names=param_names)
        return _with_question_marks(query)


@lru_cache(maxsize=KEPT_TEXTS)
def _with_question_marks(query: str) -> str:
    converted: str = base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")
    return converted
