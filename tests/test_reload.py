"""What a server does that is told to reload: never does it go on as a mixture of two releases."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import KEY, free_port, wait_for_port
from tests.test_settings import INHERITED, ROOT

pytestmark = pytest.mark.long


def told_to_reload(folder: Path, workers: int) -> tuple[subprocess.Popen[bytes], int]:
    """A server of so many processes that has just been told, and its port."""
    port = free_port()
    environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
    environment |= {"PORT": str(port), "VAR_DIR": str(folder), "REDIS_URL": "redis://127.0.0.1:9/0"}
    environment |= {"SECRET_KEY": KEY, "WEB_WORKERS": str(workers)}
    command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "armybuilder.wsgi"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    wait_for_port(port, process=process, seconds=60)
    process.send_signal(signal.SIGHUP)
    return process, port


def test_several_processes_end_to_be_started_anew(tmp_path: Path) -> None:
    process, _ = told_to_reload(tmp_path, 2)
    try:
        assert process.wait(60) == 0
    finally:
        process.kill()


def test_one_process_goes_on(tmp_path: Path) -> None:
    process, port = told_to_reload(tmp_path, 1)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(5)
        wait_for_port(port, process=process, seconds=60)
    finally:
        process.terminate()
        process.wait(30)
