"""Old processes work on the new schema for one release, as docs/operations/upgrade.md promises."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.utils import timezone

from armybuilder.accounts.models import BrowserSession, User
from armybuilder.followed_keys import followed_by_the_database
from tests.conftest import PASSWORD

RELEASE_BEFORE = {
    "accounts": "0005_scopes_alone",
    "armylists": "0011_bytes_kept",
    "datafiles": "0006_imports_on_the_queue",
    "events": "0002_keeper_nobody_can_be",
    "reference": "0004_reported_mistakes",
    "simulations": "0009_chunks_by_state",
    "webhooks": "0001_webhooks",
}
"""Where each app of our own stood in the release before; moved on with every release."""

DESTRUCTIVE = (
    operations.DeleteModel,
    operations.RemoveField,
    operations.RenameField,
    operations.RenameModel,
)


def new_operations() -> list[tuple[str, operations.base.Operation]]:
    """The operations of migrations that are newer than the release before, with where they stand."""
    return [
        (f"{app}.{name}", operation)
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if apps.get_app_config(app).name.startswith("armybuilder.") and name > RELEASE_BEFORE.get(app, "")
        for operation in migration.operations
    ]


def state_of_the_release_before() -> ProjectState:
    """The models as old code has them; packages of others are as they are now."""
    loader = MigrationLoader(None)
    others = [leaf for leaf in loader.graph.leaf_nodes() if leaf[0] not in RELEASE_BEFORE]
    return loader.project_state([*RELEASE_BEFORE.items(), *others])


def keys_old_code_does_not_know() -> Iterator[models.ForeignKey[Any, Any]]:
    """Foreign keys of new tables and columns that point at rows which old code may delete."""
    before = state_of_the_release_before().apps
    known = {
        model._meta.db_table: {field.column for field in model._meta.local_fields} for model in before.get_models()
    }
    for model in apps.get_models():
        for field in model._meta.local_fields:
            is_new = field.column not in known.get(model._meta.db_table, set())
            if isinstance(field, models.ForeignKey) and is_new and field.related_model._meta.db_table in known:
                yield field


def followed_by() -> dict[tuple[str, str], str]:
    """What the database does with the rows of a foreign key, by table and column: `a` for nothing, `c`, `n`."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                'SELECT t.name, k."from", lower(k.on_delete) FROM sqlite_schema t, pragma_foreign_key_list(t.name) k'
                " WHERE t.type = 'table'"
            )
            words = {"cascade": "c", "set null": "n", "no action": "a"}
            return {(table, column): words[action] for table, column, action in cursor.fetchall()}
        cursor.execute(
            "SELECT k.conrelid::regclass::text, a.attname, k.confdeltype FROM pg_constraint k"
            " JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1] WHERE k.contype = 'f'"
        )
        return {(table.strip('"'), column): action for table, column, action in cursor.fetchall()}


def test_nothing_that_old_code_uses_is_deleted_or_renamed() -> None:
    operations_found = new_operations()
    assert operations_found
    assert [where for where, operation in operations_found if isinstance(operation, DESTRUCTIVE)] == []


def test_new_columns_can_be_left_out_by_old_code() -> None:
    new_tables = {
        operation.name_lower for _, operation in new_operations() if isinstance(operation, operations.CreateModel)
    }
    wrong = [
        f"{where}: {operation.name}"
        for where, operation in new_operations()
        if isinstance(operation, operations.AddField)
        and operation.model_name_lower not in new_tables
        and not (operation.field.null or operation.field.db_default is not models.NOT_PROVIDED)
    ]
    assert wrong == []


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_new_table_holds_back_nothing_that_old_code_deletes() -> None:
    wanted, found = {models.CASCADE: "c", models.SET_NULL: "n"}, followed_by()
    keys = list(keys_old_code_does_not_know())
    assert keys
    wrong = [
        str(key)
        for key in keys
        if (action := wanted.get(key.remote_field.on_delete)) and found[key.model._meta.db_table, key.column] != action
    ]
    assert wrong == [], "armybuilder/followed_keys.py"


@pytest.mark.django_db
@pytest.mark.both_databases
def test_old_code_makes_an_account_and_a_list_and_deletes_them(owner: User) -> None:
    """What the release before does, by its own models: they know nothing of sessions that are noted."""
    old = state_of_the_release_before().apps
    BrowserSession.objects.create(
        user=owner, session_key="k" * 32, proof="p", browser="", begun=timezone.now(), seen=timezone.now()
    )
    system = old.get_model("datafiles", "PublishedSystem").objects.create(id="game", name="Game")
    release = old.get_model("datafiles", "DataRelease").objects.create(system=system, number=1, content_hash="x")
    users, lists = old.get_model("accounts", "User"), old.get_model("armylists", "ArmyList")
    made = users.objects.create(username="made-by-old-code", password="!")
    army = lists.objects.create(owner=made, system=system, release=release, name="One", document="{}")
    old.get_model("armylists", "Revision").objects.create(
        army_list=army, number=1, release=release, content=1, packed_document=b"x"
    )
    old.get_model("armylists", "ShareLink").objects.create(army_list=army, token="t" * 22)
    for pk in (owner.pk, made.pk):
        users.objects.get(pk=pk).delete()
    connection.check_constraints()
    assert not User.objects.exists() and not BrowserSession.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_a_key_that_the_database_follows_is_put_and_taken_back_without_loss(owner: User) -> None:
    kept = BrowserSession.objects.create(
        user=owner, session_key="k" * 32, proof="p", browser="Lynx", begun=timezone.now(), seen=timezone.now()
    )
    key, operation = (
        ("accounts_browsersession", "user_id"),
        followed_by_the_database("accounts_browsersession", "user_id"),
    )

    def indexes() -> set[str]:
        with connection.cursor() as cursor:
            return set(connection.introspection.get_constraints(cursor, key[0]))

    had = indexes()
    for code, action in ((operation.reverse_code, "a"), (operation.code, "c"), (operation.code, "c")):
        with connection.schema_editor() as editor:
            code(apps, editor)
        assert followed_by()[key] == action
        assert BrowserSession.objects.get() == kept and BrowserSession.objects.get().browser == "Lynx"
        assert len(indexes()) == len(had)


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_row_is_stored_without_the_new_columns() -> None:
    """An account as the release before writes it: every column but the one that is new."""
    owner = User(username="written-by-old-code")
    owner.set_password(PASSWORD)
    known = {
        field.column: field.get_db_prep_save(field.pre_save(owner, add=True), connection)
        for field in User._meta.local_concrete_fields
        if field.name != "sessions_ended"
    }
    columns, places = ", ".join(f'"{name}"' for name in known), ", ".join(["%s"] * len(known))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO accounts_user ({columns}) VALUES ({places})", list(known.values()))
    assert User.objects.get().sessions_ended == 0
