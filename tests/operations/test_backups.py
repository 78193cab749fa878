"""Everything is lost and comes back from one file, into either database; a damaged or newer file changes nothing."""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing, suppress
from pathlib import Path

import pytest

from armybuilder.operations import backups
from tests.breadth import is_whole
from tests.databases import DATABASE, lay_out_migrated, lay_out_seeded

ROOT = Path(__file__).resolve().parents[2]

BUILD = """
import django; django.setup()
from armybuilder.accounts.models import User
from armybuilder.accounts.services import issue_token, sign_up
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.samples import samples
from armybuilder.simulations.services import request_simulation
from armybuilder.simulations.working import work_on_next
from uuid import uuid4
user = sign_up(username="Horus", password="a long enough secret")
services.copy_shared(Viewer(user=user), samples()[0].link.token)
issue_token(user, name="mine", scopes=["lists:read"])
request_simulation(Viewer(user=user), {"system": "relic", "kind": "dice_roll", "dice": 3})
work_on_next(uuid4())
"""


class Installation:
    """An installation in a folder of its own, driven by commands alone."""

    def __init__(self, folder: Path, database_url: str = "") -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.environment = kept | {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
        if database_url:
            self.environment["DATABASE_URL"] = database_url

    def run(self, *arguments: str, fails: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    def manage(self, *arguments: str, fails: bool = False) -> str:
        return self.run("manage.py", *arguments, "--skip-checks", fails=fails)

    def holds(self) -> dict[str, list[str]]:
        """All rows of each table of its SQLite database in their order, and the key it signs with."""
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = {
                table: sorted(
                    repr([_plain(value) for value in row]) for row in database.execute(f'SELECT * FROM "{table}"')
                )
                for table in tables
                if not table.startswith("sqlite_") and table != "django_migrations"  # what it did, not what it holds
            }
        return {**rows, "key": [(self.folder / "secret_key").read_text()]}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, migrated_databases: Path) -> Path:
    """The folder of an installation in which somebody has an account, a list, a token and a run."""
    site = Installation(tmp_path_factory.mktemp("built"))
    lay_out_seeded(site.folder, migrated_databases)
    site.run("-c", BUILD)
    return site.folder


def copy_of(built: Path, folder: Path) -> Installation:
    """Another installation that holds the same."""
    shutil.copytree(built, folder)
    return Installation(folder)


def _plain(value: object) -> object:
    """A column's value; JSON by its members, of which PostgreSQL keeps no order."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        with suppress(ValueError):
            return json.dumps(json.loads(value), sort_keys=True)
    return value


@pytest.mark.long
def test_all_is_lost_and_comes_back(tmp_path: Path, built: Path) -> None:
    site = copy_of(built, tmp_path / "site")
    before = site.holds()
    written = Path(site.manage("backup").split(" (")[0])
    assert written.parent == site.folder / "backups"
    assert written.stat().st_mode & 0o077 == 0, "the key in it is nobody else's"
    kept = written.rename(tmp_path / written.name)
    for file in sorted(site.folder.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    site.manage("restore", "--yes", str(kept))
    assert site.holds() == before
    assert len(before["accounts_apitoken"]) == 1
    assert len(before["armylists_armylist"]) > 1


@pytest.mark.long
@pytest.mark.services
def test_a_backup_moves_from_one_database_to_the_other_and_back(
    tmp_path: Path, postgres_url: str, migrated_databases: Path, built: Path
) -> None:
    small = copy_of(built, tmp_path / "small")
    large = Installation(tmp_path / "large", postgres_url)
    first, second = tmp_path / "first.tar.gz", tmp_path / "second.tar.gz"
    small.manage("backup", "--output", str(first))
    large.manage("restore", "--yes", str(first))
    large.manage("backup", "--output", str(second))
    again = Installation(tmp_path / "again")
    lay_out_migrated(again.folder, migrated_databases)
    again.manage("restore", "--yes", str(second))
    assert again.holds() == small.holds()
    if is_whole():  # over what is there, too
        large.manage("restore", "--yes", str(second))
    assert large.manage("migrate", "--check") == ""


@pytest.mark.long
def test_what_is_damaged_or_newer_changes_nothing(tmp_path: Path, built: Path) -> None:
    site = copy_of(built, tmp_path / "site")
    before = site.holds()
    good = tmp_path / "good.tar.gz"
    site.manage("backup", "--output", str(good))
    (tmp_path / "no.tar.gz").write_bytes(b"no backup")
    plain = gzip.decompress(good.read_bytes())
    (tmp_path / "altered.tar.gz").write_bytes(gzip.compress(plain.replace(b"Horus", b"Morus")))
    (tmp_path / "cut.tar.gz").write_bytes(good.read_bytes()[:-2000])
    with tarfile.open(good) as old, tarfile.open(tmp_path / "newer.tar.gz", "w:gz") as new:
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            if member.name == "manifest.json":
                manifest = json.load(content)
                manifest["migrations"].append(["accounts", "9999_of_tomorrow"])
                (tmp_path / "manifest.json").write_text(json.dumps(manifest))
                new.add(tmp_path / "manifest.json", "manifest.json")
            else:
                new.addfile(member, content)
    for name, words in {"no": "is no backup", "altered": "damaged", "cut": "damaged", "newer": "newer release"}.items():
        assert words in site.manage("restore", "--yes", str(tmp_path / f"{name}.tar.gz"), fails=True), name
        assert site.holds() == before, name


@pytest.mark.parametrize("name", ["../outside", "/outside", "link", "folder"])
def test_a_member_that_is_no_file_of_a_backup_is_written_nowhere(tmp_path: Path, name: str) -> None:
    """By any Python: Debian 12 has one whose `extractall` knows no filter."""
    member = tarfile.TarInfo(name.replace("/outside", f"{tmp_path}/outside") if name[0] == "/" else name)
    member.type, member.linkname = {"link": (tarfile.SYMTYPE, "/etc"), "folder": (tarfile.DIRTYPE, "")}.get(
        name, (tarfile.REGTYPE, "")
    )
    with tarfile.open(tmp_path / "backup.tar.gz", "w:gz") as archive:
        archive.addfile(member)
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises(backups.BackupRefused, match="is no file of a backup"):
        backups._unpacked(tmp_path / "backup.tar.gz", target)
    assert list(target.iterdir()) == [] and not (tmp_path / "outside").exists()


@pytest.mark.long
def test_the_oldest_are_deleted(tmp_path: Path, migrated_databases: Path) -> None:
    site = Installation(tmp_path / "site")
    lay_out_migrated(site.folder, migrated_databases)
    folder = site.folder / "backups"
    folder.mkdir()
    for day in range(1, 5):
        (folder / f"2026010{day}T000000Z.armybuilder.tar.gz").touch()
    site.manage("backup", "--keep", "2")
    assert min(file.name for file in folder.iterdir())[:8] == "20260104"
    assert len(list(folder.iterdir())) == 2


def test_of_a_database_that_is_no_site_no_backup_is_written(tmp_path: Path) -> None:
    """As `manage.py` finds it that was called without the settings of the site."""
    elsewhere = Installation(tmp_path / "elsewhere")
    assert "has no tables of the site" in elsewhere.manage("backup", fails=True)
    assert not (elsewhere.folder / "backups").exists()
