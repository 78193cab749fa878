"""Queries on the hottest paths, compiled once: Django takes ten times longer to write one than SQLite to answer it."""

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, NotSupportedError, connections, router
from django.db.models import AutoField, Field, Model, QuerySet, UUIDField
from django.db.models.base import ModelState
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


class CompiledQuery(Generic[M]):
    """The row of a queryset whose named columns have given values, with what `select_related` brings along.

    Reading one list took 610 us through the ORM and takes 60 us so; the SQL is the ORM's own, taken from its
    compiler once a thread. For querysets whose filters hold no values of their own.
    """

    def __init__(self, rows: QuerySet[M], *columns: str) -> None:
        """Prepare nothing yet: compiling needs a database.

        Args:
            columns: names of fields of the model that are asked for by equality.
        """
        self._rows = rows
        self._columns = columns
        self._compiled = threading.local()

    def one(self, *values: Any) -> M | None:
        """The only row with these values, in the order of the columns; None when there is none."""
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = self._compiled
        if getattr(compiled, "vendor", None) != connection.vendor:
            self._compile()
        parameters = [
            value.hex if in_hex and isinstance(value, UUID) else field.get_db_prep_value(value, connection)
            for (field, in_hex), value in zip(compiled.fields, values, strict=True)
        ]
        found = _asked(connection, compiled.sql, parameters, _first)
        if found is None:
            return None
        row = list(found)
        for place in compiled.hexes:
            if (text := row[place]) is not None:
                row[place] = _uuid_of(text)
        for place, converters, expression in compiled.converters:
            value = row[place]
            for converter in converters:
                value = converter(value, expression, connection)
            row[place] = value
        made: M = compiled.make(DEFAULT_DB_ALIAS, compiled.names, row[: len(compiled.names)])
        for start, end, names, key, make, set_here, set_there in compiled.related:
            related = None if row[start + key] is None else make(DEFAULT_DB_ALIAS, names, row[start:end])
            set_here(made, related)
            if related is not None:
                set_there(related, made)
        return made

    def _compile(self) -> None:
        """Let the ORM write the query with empty places, and remember how its rows become objects."""
        options = self._rows.model._meta
        fields: list[Any] = [options.get_field(name) for name in self._columns]
        rows = self._rows.all().order_by()
        for field in fields:
            rows = rows.filter(**{field.name: _any_value_of(field)})
        compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        if len(parameters) != len(fields):
            raise ValueError("A prepared query takes the values of its columns and no others.")
        compiler.setup_query()
        information = compiler.klass_info
        first, last = information["select_fields"][0], information["select_fields"][-1]
        compiled = self._compiled
        compiled.sql = sql
        compiled.fields = [(field, _is_in_hex(field)) for field in fields]
        expressions = [column[0] for column in compiler.select]
        compiled.hexes = [place for place, one in enumerate(expressions) if _is_in_hex(one.target)]
        compiled.converters = [
            (place, _kept(each) if _is_moment(expression.target) else each, expression)
            for place, (each, expression) in compiler.get_converters(expressions).items()
            if place not in compiled.hexes
        ]
        compiled.names = [column[0].target.attname for column in compiler.select[first : last + 1]]
        compiled.make = _maker_of(self._rows.model)
        compiled.related = []
        for one in get_related_populators(information, compiler.select, DEFAULT_DB_ALIAS):  # type: ignore[call-arg]
            if one.reorder_for_init or one.related_populators:
                raise ValueError("A prepared query brings along what its own model refers to, and nothing of that.")
            compiled.related.append(
                (
                    one.cols_start,
                    one.cols_end,
                    one.init_list,
                    one.pk_idx,
                    _maker_of(one.model_cls),
                    one.local_setter,
                    one.remote_setter,
                )
            )
        compiled.vendor = connections[DEFAULT_DB_ALIAS].vendor


def _maker_of(model: type[M]) -> Callable[[str, Sequence[str], Sequence[Any]], M]:
    """`from_db`; or, of a model that does nothing of its own when it is made, the same without its detours.

    Every value takes 0.6 us by a descriptor, and nobody listens to the signals of a new object.
    """
    is_plain = model.__init__ is Model.__init__ and model.from_db.__func__ is Model.from_db.__func__  # type: ignore[attr-defined]
    if not is_plain:
        return model.from_db

    def make(alias: str, names: Sequence[str], values: Sequence[Any]) -> M:
        made = model.__new__(model)
        state = ModelState()
        state.adding, state.db = False, alias
        vars(made).update(zip(names, values, strict=True), _state=state)
        return made

    return make


class CompiledRows:
    """All rows of a `values_list` whose named columns have given values: plain columns only, no converted ones.

    The alliance levels of a system took 600 us through the ORM and take 60 us so, while few cells are recorded.
    """

    def __init__(self, rows: QuerySet[Any, Any], *columns: str) -> None:
        """Prepare nothing yet: compiling needs a database."""
        self._rows = rows
        self._columns = columns
        self._compiled = threading.local()

    def all(self, *values: Any) -> list[tuple[Any, ...]]:
        """The rows with these values, in the order of the columns."""
        connection = connections[router.db_for_read(self._rows.model)]
        options = self._rows.model._meta
        fields: list[Field[Any, Any]] = [options.get_field(name) for name in self._columns]
        if getattr(self._compiled, "vendor", None) != connection.vendor:
            rows = self._rows.all()
            for field in fields:
                rows = rows.filter(**{field.name: _any_value_of(field)})
            sql, parameters = rows.query.get_compiler(connection.alias).as_sql()
            if len(parameters) != len(fields):
                raise ValueError("A prepared query takes the values of its columns and no others.")
            self._compiled.vendor, self._compiled.sql = connection.vendor, sql
        parameters = [field.get_db_prep_value(value, connection) for field, value in zip(fields, values, strict=True)]
        found: list[tuple[Any, ...]] = _asked(connection, self._compiled.sql, parameters, _all)
        return found


class CompiledInsert(Generic[M]):
    """Stores new rows of a model whose values are all known, keys included or made by the database.

    Storing a row took 160 us through the ORM and takes 40 us so. Nothing else happens: no signals, and a key that the
    database makes is not read back.
    """

    def __init__(self, model: type[M]) -> None:
        """Prepare nothing yet: the names of columns are quoted as the database wants it."""
        self._model = model
        self._sql: dict[str, str] = {}

    def store(self, row: M) -> M:
        """Insert an unsaved row as it is; the same row, now saved."""
        connection = connections[router.db_for_write(self._model)]
        fields = [field for field in self._model._meta.concrete_fields if not isinstance(field, AutoField)]
        sql = self._sql.get(connection.vendor)
        if sql is None:
            quoted = connection.ops.quote_name
            columns = ", ".join(quoted(str(field.column)) for field in fields)
            places = ", ".join("%s" for _ in fields)
            sql = f"INSERT INTO {quoted(self._model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608
            self._sql[connection.vendor] = sql
        with connection.cursor() as cursor:
            cursor.execute(sql, [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields])
        row._state.adding = False
        row._state.db = connection.alias
        return row


_uuid_of = lru_cache(maxsize=4096)(UUID)
"""Making one takes longer than finding it, and a program reads the same rows again and again."""


def _kept(converters: Sequence[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """The same functions of a column whose values are texts or None, each text converted once."""
    return [lru_cache(maxsize=1024)(converter) for converter in converters]


def _is_moment(field: "Field[Any, Any]") -> bool:
    return field.get_internal_type() == "DateTimeField"


def _first(cursor: Any) -> Any:
    return cursor.fetchone()


def _all(cursor: Any) -> Any:
    return cursor.fetchall()


def _asked(connection: Any, sql: str, parameters: Sequence[Any], fetched: Callable[[Any], Any]) -> Any:
    """What a query brings, by a statement that the database keeps where it keeps any.

    A kept statement ends with the shape of its columns: a migration beside a running site changes them. Then it is
    asked on a new connection, unless a transaction is open, which no other connection could go on with.
    """
    cursor_of = getattr(connection, "keeping_cursor", connection.cursor)
    try:
        with cursor_of() as cursor:
            cursor.execute(sql, parameters)
            return fetched(cursor)
    except NotSupportedError:
        if connection.in_atomic_block or cursor_of == connection.cursor:
            raise
        connection.close()
        with cursor_of() as cursor:
            cursor.execute(sql, parameters)
            return fetched(cursor)


def _is_in_hex(field: "Field[Any, Any]") -> bool:
    """Whether a column holds UUIDs, and the database keeps them as text: every row has some."""
    return isinstance(_target_of(field), UUIDField) and not connections[DEFAULT_DB_ALIAS].features.has_native_uuid_field


def _target_of(field: "Field[Any, Any]") -> Any:
    """The field that says what a column holds."""
    return field.target_field if field.is_relation else field  # type: ignore[attr-defined]


def _any_value_of(field: "Field[Any, Any]") -> Any:
    """A value that fits a column, to compile with."""
    target = _target_of(field)
    return UUID(int=0) if isinstance(target, UUIDField) else target.get_default() or target.to_python("0")
