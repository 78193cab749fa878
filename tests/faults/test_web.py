"""A whole site on a file is killed with its real processes: what was answered is stored, nothing is doubled.

`make faults` runs this with the faults of workers, Redis, PostgreSQL and backups.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from tests.faults.installation import (
    Clock,
    Filled,
    Site,
    begin_edits,
    is_all_stored,
    kill,
    patiently,
    published_once,
    publisher,
)
from tests.gamedata_files import GAME_SYSTEM
from tests.simulations.conftest import slow

pytestmark = pytest.mark.long

RENAME = {"edit": "set_name", "name": "not stored"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of 96 MB, which can be filled."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96m", "none", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("only root may mount a disk to fill")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def is_in_state(site: Site, address: str, state: str) -> bool:
    return site.state(address) == state


def is_done(site: Site, address: str, *, trials: int = 1_000_000) -> None:
    """It ends by itself; no chunk is counted twice, none is missing."""
    assert patiently(partial(is_in_state, site, address, "done"), seconds=240), site.ask("GET", address)
    assert site.result(address)["trials"] == trials


def test_a_server_killed_amid_edits_loses_none_that_it_answered(site: Site) -> None:
    with site.served() as server:
        answered, enough, threads = begin_edits(site)
        assert patiently(lambda: min(map(len, answered.values())) >= 3)
        kill(server)
        enough.set()
        for thread in threads:
            thread.join(60)
    is_all_stored(site, answered)
    with site.served():
        assert site.rename(site.lists[0], "again") == 200, "nobody had to help"


def test_while_another_program_writes_for_long_edits_are_refused_and_reading_goes_on(site: Site) -> None:
    with site.served():
        assert site.rename(site.lists[0], "before") == 200
        with closing(sqlite3.connect(site.folder / "armybuilder.sqlite3", isolation_level=None)) as other:
            other.execute("begin immediate")
            status, told, _ = site.ask("POST", f"/api/v1/lists/{site.lists[0]}/edits/", [RENAME])
            assert (status, told["code"]) == (503, "busy"), told
            assert site.name_of(site.lists[0]) == "before"
            other.execute("rollback")
        assert site.rename(site.lists[0], "after") == 200
    assert [name for _, name in site.stored(site.lists[0])][1:] == ["before", "after"]


def test_a_full_disk_refuses_edits_keeps_what_is_there_and_goes_on_with_room(filled: Filled, small_disk: Path) -> None:
    site = Site(small_disk, filled=filled)
    with site.served():
        assert site.rename(site.lists[0], "before") == 200
        ballast = small_disk / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(2**12))
        statuses = {site.rename(site.lists[0], f"lost {number}" + "x" * 80) for number in range(40)}
        assert 507 in statuses <= {200, 507}
        assert site.ask("GET", f"/api/v1/lists/{site.lists[1]}/").status == 200
        ballast.unlink()
        assert site.rename(site.lists[0], "after") == 200
    names = [name for _, name in site.stored(site.lists[0])]
    assert (names[1], names[-1]) == ("before", "after")


@pytest.fixture
def failing_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own that can become read-only, as one does that has met an error."""
    image, folder = tmp_path / "image", tmp_path / "disk"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(96 * 2**20)
    for command in (["mkfs.ext4", "-q", str(image)], ["mount", "-o", "loop", str(image), str(folder)]):
        if shutil.which(command[0]) is None or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("only root, where there are loop devices, may mount a disk to break")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_becomes_read_only_refuses_edits_and_loses_none(filled: Filled, failing_disk: Path) -> None:
    folder = failing_disk / "site"
    site = Site(folder, filled=filled, log=failing_disk.with_name("log"))
    os.sync()
    with site.served():
        assert site.rename(site.lists[0], "before") == 200
        subprocess.run(["mount", "-o", "remount,abort", str(failing_disk)], check=True)
        assert {site.rename(site.lists[0], f"refused {number}") for number in range(3)} == {503}
        assert site.name_of(site.lists[0]) == "before"
        assert site.ask("GET", "/healthz/").status == 200
    image = failing_disk.with_name("image")
    subprocess.run(["umount", str(failing_disk)], check=True)
    checked = subprocess.run(["fsck.ext4", "-p", str(image)], capture_output=True, check=False)
    assert checked.returncode in (0, 1), checked
    subprocess.run(["mount", "-o", "loop", str(image), str(failing_disk)], check=True)
    with site.served():
        assert site.rename(site.lists[0], "after") == 200
    assert [name for _, name in site.stored(site.lists[0])][1:] == ["before", "after"]


def test_a_battle_amid_which_the_site_is_killed_ends_once(site: Site) -> None:
    sides = {"attacker": {"list": site.lists[0]}, "defender": {"list": site.lists[1]}}
    with site.served():
        address = site.simulate({"kind": "battle", "trials": 4_000, **sides})
        assert patiently(lambda: site.state(address) == "running")
    with site.served():
        is_done(site, address, trials=4_000)


def test_the_clock_of_the_machine_jumps_amid_computations(site: Site, tmp_path: Path) -> None:
    """Ahead, back, and ahead once more; then it is killed, and what it held is not held for a day."""
    clock = Clock(tmp_path)
    with site.served(**clock.settings):
        for number, days in enumerate((1, -1)):
            address = site.simulate(slow(seed=number, rounds=8))
            assert patiently(partial(is_in_state, site, address, "running"))
            clock.set(days=days)
            assert site.rename(site.lists[0], f"{days} days") == 200
            is_done(site, address)
        clock.set(days=1)
        left = site.simulate(slow(seed=9, rounds=16))
        assert patiently(partial(is_in_state, site, left, "running"))
    with site.served():
        is_done(site, left)
    assert [name for _, name in site.stored(site.lists[0])][1:] == ["1 days", "-1 days"]


def test_two_publish_the_same_new_game_to_a_file(site: Site, tmp_path: Path) -> None:
    """Both wait at the database that another program writes to, and are let at it at once."""
    (tmp_path / "invented").mkdir()
    (tmp_path / "invented" / "invented.gst").write_text(GAME_SYSTEM.format(revision=1))
    site.environment["SQLITE_BUSY_SECONDS"] = "20"
    with closing(sqlite3.connect(site.folder / "armybuilder.sqlite3", isolation_level=None)) as other:
        other.execute("begin immediate")
        publishers = [publisher(site, tmp_path / "invented") for _ in range(2)]
        database = str(site.folder / "armybuilder.sqlite3")
        assert patiently(lambda: all(has_open(process, database) for process in publishers))
        other.execute("rollback")
    published_once(site, publishers)


def has_open(process: "subprocess.Popen[bytes]", path: str) -> bool:
    """Whether a process has a file open."""
    return any(str(link.readlink()) == path for link in Path(f"/proc/{process.pid}/fd").iterdir() if link.is_symlink())


def test_an_old_backup_is_restored_and_the_site_goes_on(site: Site, tmp_path: Path) -> None:
    """One of an older release, with a run that was computed then; edits of now are refused, not written over."""
    old = tmp_path / "old.tar.gz"
    with site.served():
        assert site.rename(site.lists[0], "then") == 200
        address = site.simulate(slow(seed=3, rounds=8))
        assert patiently(lambda: site.state(address) == "running")
    site.run("manage.py", "migrate", "armylists", "0006", "-v0")
    site.run("manage.py", "backup", "--output", str(old))
    site.run("manage.py", "migrate", "-v0")
    with site.served():
        assert site.rename(site.lists[0], "later") == 200
        tag = site.ask("GET", f"/api/v1/lists/{site.lists[0]}/").tag
    site.run("manage.py", "restore", "--yes", str(old))
    with site.served():
        assert site.name_of(site.lists[0]) == "then"
        edit = {"edits": [RENAME]}
        late = site.ask("POST", f"/api/v1/lists/{site.lists[0]}/edits/", edit, **{"If-Match": tag})
        assert late.status == 409, late
        assert site.rename(site.lists[0], "now") == 200
        is_done(site, address)
    assert [name for _, name in site.stored(site.lists[0])][1:] == ["then", "now"]
