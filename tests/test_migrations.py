"""Every migration can be taken back and made again, on both databases."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.breadth import is_whole
from tests.databases import lay_out_seeded
from tests.servers import copied_database

ROOT = Path(__file__).resolve().parent.parent
APPS = ("webhooks", "events", "simulations", "armylists", "reference", "datafiles", "accounts")
"""Each app before those it builds on."""


PROGRAM = """
import io
import sys
import django

django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from armybuilder.datafiles.models import DataRelease


after, apps = sys.argv[1], sys.argv[2:]


def applied():
    out = io.StringIO()
    call_command("showmigrations", *apps, stdout=out, no_color=True)
    return out.getvalue()


def seeded():
    out = io.StringIO()
    call_command("seed", stdout=out)
    return "published release 1" in out.getvalue()


def left():
    return [name for name in connection.introspection.table_names() if name.startswith(tuple(apps))]


if not DataRelease.objects.exists():
    assert seeded()
backwards = MigrationExecutor(connection)
backwards.migrate([(app, None) for app in apps])
assert "[X]" not in applied(), applied()
assert left() == [], left()
if after == "forth":
    call_command("migrate", verbosity=0)
    assert "[ ]" not in applied(), applied()
    assert seeded()
"""


def there_and_back(environment: dict[str, str], apps: Sequence[str]) -> None:
    """Take all migrations of some apps back in a database that holds the sample data: nothing is left of them.

    Forth from nothing they have come for the kept databases; where the whole is asked for they are made again.
    """
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "forth" if is_whole() else "", *apps],
        cwd=ROOT,
        env=environment | {"DJANGO_SETTINGS_MODULE": "armybuilder.settings"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_migrations_go_back_to_nothing_and_forth_again_on_sqlite(tmp_path: Path, migrated_databases: Path) -> None:
    lay_out_seeded(tmp_path, migrated_databases)
    environment = os.environ | {"VAR_DIR": str(tmp_path)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    there_and_back(environment, APPS)


@pytest.mark.services
def test_migrations_go_back_to_nothing_and_forth_again_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    environment = os.environ | {"VAR_DIR": str(tmp_path), "DATABASE_URL": copied_database(migrated_postgres)}
    there_and_back(environment, APPS if is_whole() else APPS[:3])


@pytest.mark.django_db
def test_a_copied_database_has_every_migration() -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


@pytest.mark.django_db
def test_models_and_migrations_agree(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("makemigrations", "--check", "--dry-run")
    assert "No changes detected" in capsys.readouterr().out


def test_every_migration_has_a_name() -> None:
    for app in APPS:
        for file in (ROOT / "armybuilder" / app / "migrations").glob("0*.py"):
            assert "_auto_" not in file.name and not file.name.endswith("_initial.py"), file.name
