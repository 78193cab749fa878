"""Django's own backend, with a cursor whose statements the server keeps.

Django writes the values into each statement, so that PostgreSQL reads and plans the same one anew for every request:
twice as long as it takes to answer it.
"""

from contextlib import AbstractContextManager
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that has such a cursor beside its usual ones.

    Statements are kept where the option `prepare_threshold` says after how many times; without it none is.
    """

    _keeps = False

    def keeping_cursor(self) -> AbstractContextManager[Any]:
        """A cursor for statements that come again and again, each in the same words."""
        self._keeps = True
        try:
            cursor: AbstractContextManager[Any] = self.cursor()
        finally:
            self._keeps = False
        return cursor

    def create_cursor(self, name: str | None = None) -> Any:
        """A cursor of Django's, or one that leaves the values to the server."""
        cursor = super().create_cursor(name)
        if not self._keeps or name is not None:
            return cursor
        return base.ServerBindingCursor(cursor.connection)  # type: ignore[call-arg]
