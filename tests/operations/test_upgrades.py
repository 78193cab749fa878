"""Old processes work on the new schema for one release, as docs/operations/upgrade.md promises."""

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader

OWN = ("accounts", "datafiles", "reference", "armylists", "simulations")
FIRST_WITH_THE_RULES = {"simulations": "0007_places_by_address"}
"""From these on migrations follow the rules; an app without one: all that come after those of today."""

DESTRUCTIVE = (
    operations.DeleteModel,
    operations.RemoveField,
    operations.RenameField,
    operations.RenameModel,
)


def new_operations() -> list[tuple[str, operations.base.Operation]]:
    """The operations of migrations that follow the rules, with where they stand."""
    found = []
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        first = FIRST_WITH_THE_RULES.get(app)
        if first is not None and name >= first:
            found += [(f"{app}.{name}", operation) for operation in migration.operations]
    return found


def test_nothing_that_old_code_uses_is_deleted_or_renamed() -> None:
    operations_found = new_operations()
    assert operations_found
    assert [where for where, operation in operations_found if isinstance(operation, DESTRUCTIVE)] == []


def test_new_columns_can_be_left_out_by_old_code() -> None:
    wrong = [
        f"{where}: {operation.name}"
        for where, operation in new_operations()
        if isinstance(operation, operations.AddField)
        and not (operation.field.null or operation.field.db_default is not models.NOT_PROVIDED)
    ]
    assert wrong == []


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_row_is_stored_without_the_new_columns() -> None:
    """What the release before wrote: every column of a run but the one that is new."""
    computation = apps.get_model("simulations", "Computation").objects.create(
        kind="matchup", request="{}", request_hash="x", model_version="1", seed=0, chunk_count=1
    )
    run = apps.get_model("simulations", "SimulationRun")
    pk = run._meta.pk.get_db_prep_value(run._meta.pk.get_default(), connection)
    other = computation._meta.pk.get_db_prep_value(computation.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO simulations_simulationrun (id, computation_id, title, asked, created)"
            " VALUES (%s, %s, '', '{}', CURRENT_TIMESTAMP)",
            [pk, other],
        )
    assert run.objects.get().asked_from == ""
