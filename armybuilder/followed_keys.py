"""Foreign keys that the database itself follows when a row goes: of tables that the release before does not know.

Django deletes what hangs on a row by itself, table by table. Code of the release before, which works on the new schema
while processes are exchanged (docs/operations/upgrade.md), does not know a new table, and what it deletes would be held
back by the rows there.
"""

import re
from functools import partial
from typing import Any, Literal

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


def followed_by_the_database(table: str, column: str, *, then: Literal["CASCADE", "SET NULL"] = "CASCADE") -> RunPython:
    """An operation for a migration of its own, after the one that makes the table; safe to repeat.

    Args:
        then: what becomes of the rows of the table when the row goes that the column names.
    """
    put = partial(_put, table=table, column=column)
    return RunPython(partial(put, action=f"ON DELETE {then} "), partial(put, action=""))


def _put(apps: Any, editor: BaseDatabaseSchemaEditor, *, table: str, column: str, action: str) -> None:
    if editor.connection.vendor == "sqlite":
        _put_in_sqlite(editor, table, column, action)
    else:
        _put_in_postgresql(editor, table, column, action)


def _put_in_postgresql(editor: BaseDatabaseSchemaEditor, table: str, column: str, action: str) -> None:
    with editor.connection.cursor() as cursor:
        found = editor.connection.introspection.get_constraints(cursor, table)
    [(name, (parent, parent_column))] = [
        (name, facts["foreign_key"])
        for name, facts in found.items()
        if facts["foreign_key"] and facts["columns"] == [column]
    ]
    quoted = [editor.quote_name(word) for word in (table, name, column, parent, parent_column)]
    editor.execute(
        "ALTER TABLE {0} DROP CONSTRAINT {1}, ADD CONSTRAINT {1} FOREIGN KEY ({2}) REFERENCES {3} ({4}) "
        "{action}DEFERRABLE INITIALLY DEFERRED".format(*quoted, action=action)
    )


def _put_in_sqlite(editor: BaseDatabaseSchemaEditor, table: str, column: str, action: str) -> None:
    """Make the table anew with all it has; SQLite changes no key of a table that is there."""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT type, sql FROM sqlite_schema WHERE tbl_name = %s AND sql IS NOT NULL", [table])
        parts = cursor.fetchall()
    [made] = [sql for kind, sql in parts if kind == "table"]
    key = rf'("{column}" [^,]* REFERENCES "\w+" \("\w+"\) )(?:ON DELETE (?:CASCADE|SET NULL) )?(?=DEFERRABLE)'
    changed, count = re.subn(key, rf"\g<1>{action}", made.replace(f'"{table}"', f'"new__{table}"', 1))
    if count != 1:
        raise LookupError(f"{table}.{column} is no foreign key of its own: {made}")
    for statement in (
        changed,
        f'INSERT INTO "new__{table}" SELECT * FROM "{table}"',  # noqa: S608 - names of our own tables
        f'DROP TABLE "{table}"',
        f'ALTER TABLE "new__{table}" RENAME TO "{table}"',
        *(sql for kind, sql in parts if kind != "table"),
    ):
        editor.execute(statement, params=None)
