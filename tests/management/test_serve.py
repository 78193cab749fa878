"""`manage.py serve`: says where it is, refuses an occupied port with the remedy, stops cleanly, loses nothing."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.core.management import CommandError, call_command

from tests.servers import free_port, wait_for_port

ROOT = Path(__file__).resolve().parent.parent.parent


def test_an_occupied_port_is_named_with_the_remedy(settings) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        settings.PORT = other.getsockname()[1]
        with pytest.raises(
            CommandError, match=rf"Port {settings.PORT} of 127.0.0.1 .*PORT={settings.PORT + 1} make run"
        ):
            call_command("serve")


def test_an_address_of_another_machine_is_refused(settings) -> None:
    settings.HOST, settings.PORT = "192.0.2.1", free_port()
    with pytest.raises(CommandError, match=r"192\.0\.2\.1:\d+ cannot be served on"):
        call_command("serve")


@pytest.mark.long
def test_it_prepares_serves_says_where_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    environment = os.environ | {"VAR_DIR": str(tmp_path / "var"), "HOST": "127.0.0.1", "PORT": str(port)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    for start in ("first", "second"):
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--prepare"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            wait_for_port(port, seconds=120, process=process)
            with urlopen(f"http://127.0.0.1:{port}/admin/login/", timeout=30) as answer:
                assert answer.status == 200
        finally:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group at once
            output, _ = process.communicate(timeout=30)
        assert process.returncode == 0, output
        assert f"ready:  http://127.0.0.1:{port}/" in output
        assert "make admin" in output
        assert not [word for word in ("Traceback", "WARNING", "ERROR", "SIGKILL") if word in output], output
        assert ("published release" in output) == (start == "first"), output
