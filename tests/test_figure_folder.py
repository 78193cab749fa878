"""The folder in which web processes and workers count together."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from armybuilder import figure_folder


@pytest.fixture
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where an installation of its own counts."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setenv(figure_folder.VARIABLE, "")
    figure_folder.join()
    made = Path(os.environ[figure_folder.VARIABLE])
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_who_joins_forgets_the_dead_and_nobody_else(folder: Path) -> None:
    """A web server that starts anew must not take away what workers count that go on."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for number in (dead.pid, os.getppid()):
        (folder / f"counter_{number}.db").write_bytes(b"")
    figure_folder.join()
    assert [file.name for file in folder.iterdir()] == [f"counter_{os.getppid()}.db"]
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_none_is_passed_by(folder: Path, tmp_path: Path) -> None:
    """In a place where everybody may make one, somebody else may have made it."""
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    try:
        figure_folder.join()
        assert Path(os.environ[figure_folder.VARIABLE]) == tmp_path / "figures"
    finally:
        folder.unlink()
