"""Libraries of real data for tests: a set of files is compiled once a run, by whichever process asks first."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from armybuilder.engine.battlescribe_files.library import content_hash, load_library
from armybuilder.engine.gamedata.links import Library, SourceFile

VARIABLE = "ARMYBUILDER_TEST_LIBRARIES"
"""Tells the processes of one run the folder they share."""


def compiled_folder() -> Path:
    """Where this run keeps what it has compiled, by content hash."""
    return Path(os.environ[VARIABLE])


def begin() -> bool:
    """Begin a run, unless this process is part of one; whether it has to be ended here."""
    if VARIABLE in os.environ:
        return False
    os.environ[VARIABLE] = tempfile.mkdtemp(prefix="armybuilder-libraries-")
    return True


def end() -> None:
    """Forget what the run has compiled."""
    shutil.rmtree(os.environ.pop(VARIABLE), ignore_errors=True)


@contextmanager
def alone(name: str) -> Iterator[Path]:
    """The folder of the run, while no other process of it is at what has this name."""
    folder = compiled_folder()
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def compiled_library(files: Sequence[SourceFile]) -> Library:
    """As `load_library`, from what this run has compiled; a second process waits for the first."""
    with alone(content_hash(files)[:40]) as folder:
        return load_library(files, cache_dir=folder)
