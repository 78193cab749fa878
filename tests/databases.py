"""Databases with all migrations made, and whole installations with the sample data: made once, then copied.

To migrate takes eight seconds, by PostgreSQL fifteen, to seed four. A copy is brought up to date as a database of an
installation is, so what is missing in it is made.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from tests.libraries import alone
from tests.servers import dump_database, load_database

ROOT = Path(__file__).resolve().parent.parent
DATABASE, ENDING, DUMPED = "armybuilder.sqlite3", ".sqlite3", ".sql"


def copy_migrated(folder: Path, database: Path) -> None:
    """Copy the database of the present migrations out of the folder; whoever asks first makes it, others wait."""
    kept = folder / f"{_name()}{ENDING}"
    with alone("migrated"):
        if not kept.is_file():
            new = folder / f"{os.getpid()}.new"
            new.mkdir()
            _manage(new, "migrate", "-v0")
            for old in folder.glob(f"*{ENDING}"):
                old.unlink(missing_ok=True)
            (new / DATABASE).replace(kept)
            shutil.rmtree(new)
        shutil.copyfile(kept, database)


def lay_out_migrated(folder: Path, migrated: Path) -> None:
    """Make the folder that of an installation which has been migrated."""
    folder.mkdir(exist_ok=True)
    copy_migrated(migrated, folder / DATABASE)


def lay_out_seeded(folder: Path, migrated: Path) -> None:
    """Make the folder that of an installation which has been migrated and seeded; others of the run are copies."""
    with alone("seeded") as shared:
        kept = shared / "seeded"
        if not kept.is_dir():
            new = shared / "seeded.new"
            lay_out_migrated(new, migrated)
            _manage(new, "seed")
            new.rename(kept)
    shutil.copytree(kept, folder, dirs_exist_ok=True)


def load_seeded(folder: Path, migrated: Path) -> None:
    """Put the rows of a seeded installation in the place of all that the SQLite database of the tests holds.

    Args:
        folder: an empty one, for a copy of the installation.
    """
    lay_out_seeded(folder, migrated)
    connection.ensure_connection()
    with sqlite3.connect(folder / DATABASE) as seeded:
        seeded.backup(connection.connection)
    seeded.close()
    ContentType.objects.clear_cache()


def migrate_postgres(url: str, folder: Path, migrated: Path) -> None:
    """Fill an empty PostgreSQL database with what all migrations make, which is kept like the SQLite databases.

    Args:
        folder: an installation in it makes them where none are kept.
    """
    kept = migrated / f"{_name()}{DUMPED}"
    with alone("migrated-postgres"):
        if kept.is_file():
            load_database(url, kept)
            return
        _manage(folder, "migrate", "-v0", DATABASE_URL=url)
        new = migrated / f"{os.getpid()}.new"
        dump_database(url, new)
        for old in migrated.glob(f"*{DUMPED}"):
            old.unlink(missing_ok=True)
        new.replace(kept)


def _manage(folder: Path, *arguments: str, **environment: str) -> None:
    """A command of manage.py in an installation that keeps all it has in the folder."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command, environment = [sys.executable, "manage.py", *arguments], {"VAR_DIR": str(folder), **environment}
    subprocess.run(command, cwd=ROOT, env=kept | environment, check=True, stdout=subprocess.DEVNULL)


def _name() -> str:
    """Another one whenever a migration or a module of models of any app is another."""
    found = hashlib.sha256()
    for app in apps.get_app_configs():
        for path in (Path(app.path) / "models.py", *sorted((Path(app.path) / "migrations").glob("*.py"))):
            if path.is_file():
                found.update(f"{app.label}/{path.name}\0".encode() + path.read_bytes())
    return found.hexdigest()[:40]
