"""The folder in which the processes of one machine count for Prometheus; web and Celery workers share it.

In memory where there is such a place: the files are mapped, and a process that counts in one on a disk that has become
full is killed. Nothing here imports the package that counts, as that looks for the folder when it is imported.
"""

import os
import re
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from django.conf import settings

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def join() -> None:
    """Count in the folder of this installation from now on.

    Raises:
        OSError: there is no place for one.
    """
    installation = sha256(str(settings.VAR_DIR).encode()).hexdigest()[:12]
    places = (Path("/dev/shm") / f"armybuilder-{installation}", settings.VAR_DIR / "figures")  # noqa: S108 - for its owner alone
    for folder in places:
        try:
            folder.mkdir(mode=0o700, parents=folder.parent == settings.VAR_DIR, exist_ok=True)
            _refuse_a_strangers(folder)
            _forget_the_dead(folder)
        except OSError:
            continue
        os.environ[VARIABLE] = str(folder)
        return
    raise OSError(f"{settings.VAR_DIR} cannot be written to.")


def _refuse_a_strangers(folder: Path) -> None:
    """Where everybody may make folders somebody else may have made this one. Raises PermissionError."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's.")


def _forget_the_dead(folder: Path) -> None:
    """Delete what processes counted that have ended: a start begins anew, and those that run count on.

    Raises:
        OSError: they cannot be deleted.
    """
    for file in folder.iterdir():
        counted_by = re.search(r"_(\d+)\.db$", file.name)
        if counted_by is None or not _lives(int(counted_by[1])):
            file.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return process != os.getpid()  # of an earlier process of that number
