"""Every migration can be taken back and made again, on both databases."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.databases import lay_out_migrated
from tests.servers import copied_database

ROOT = Path(__file__).resolve().parent.parent
APPS = ("webhooks", "events", "simulations", "armylists", "reference", "datafiles", "accounts")
"""Each app before those it builds on."""


PROGRAM = f"""
import io
import django

django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def applied():
    out = io.StringIO()
    call_command("showmigrations", *{APPS}, stdout=out, no_color=True)
    return out.getvalue()


def seeded():
    out = io.StringIO()
    call_command("seed", stdout=out)
    return "published release 1" in out.getvalue()


assert seeded()
backwards = MigrationExecutor(connection)
backwards.migrate([(app, None) for app in {APPS}])
assert "[X]" not in applied(), applied()
call_command("migrate", verbosity=0)
assert "[ ]" not in applied(), applied()
assert seeded()
"""


def there_and_back(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=environment | {"DJANGO_SETTINGS_MODULE": "armybuilder.settings"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_migrations_go_back_to_nothing_and_forth_again_on_sqlite(tmp_path: Path, migrated_databases: Path) -> None:
    lay_out_migrated(tmp_path, migrated_databases)
    environment = os.environ | {"VAR_DIR": str(tmp_path)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    there_and_back(environment)


@pytest.mark.services
def test_migrations_go_back_to_nothing_and_forth_again_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    there_and_back(os.environ | {"VAR_DIR": str(tmp_path), "DATABASE_URL": copied_database(migrated_postgres)})


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
