"""The README's commands for a public site work as they stand: its settings, its commands, a page and a battle."""

import http.client
import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.breadth import is_whole
from tests.servers import copied_database, empty_database, free_port, wait_for_port

ROOT = Path(__file__).resolve().parent.parent
INHERITED = ("PATH", "HOME", "LANG", "PYTHONDONTWRITEBYTECODE")
QUICK = {"system": "relic", "kind": "dice_roll", "dice": 3}


def blocks() -> tuple[dict[str, str], list[list[str]]]:
    """The settings and the commands that the README gives."""
    chapter = (ROOT / "README.md").read_text(encoding="utf-8").split("## Running it for others")[1].split("\n## ")[0]
    settings, commands = re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL)
    pairs = (line.split("=", 1) for line in settings.splitlines() if not line.startswith("#"))
    return dict(pairs), [shlex.split(line) for line in commands.splitlines()]


@contextmanager
def running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs on, ended with everything it started."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.mark.services
@pytest.mark.long
def test_the_commands_of_the_readme(
    postgres_server: str, migrated_postgres: str, redis_url: str, tmp_path: Path
) -> None:
    """From an empty database where the whole is asked for, or else from one in which nothing is to be migrated."""
    postgres_url = empty_database(postgres_server) if is_whole() else copied_database(migrated_postgres)
    settings, commands = blocks()
    port = free_port()
    environment = {name: os.environ[name] for name in INHERITED if name in os.environ} | settings
    environment |= {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url, "SECRET_KEY": "s3cret-" * 12}
    environment |= {"PORT": str(port), "VAR_DIR": str(tmp_path / "var")}
    assert commands[0] == ["make", "setup"]
    for command in commands[1:-2]:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, (command, done.stdout + done.stderr)
        assert "--deploy" not in command or "identified no issues" in done.stdout + done.stderr
    with ExitStack() as programs:
        web, _ = (
            programs.enter_context(running(command, environment, tmp_path / f"{number}.log"))
            for number, command in enumerate(commands[-2:])
        )
        wait_for_port(port, process=web, seconds=60)
        said = (tmp_path / "0.log").read_text()
        assert "ready:" in said
        assert "make admin" not in said, "that is for whoever ran make run"

        def ask(method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.headers), answer.read()

        proxied = {"Host": "lists.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
        assert ask("GET", "/healthz/", Host=f"10.0.0.7:{port}")[0] == 200
        assert ask("GET", "/", Host="lists.example.org")[0] == 301, "plain http is sent to https"
        assert ask("GET", "/", **proxied | {"Host": "elsewhere.example"})[0] == 400
        status, headers, page = ask("GET", "/", **proxied)
        assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
        (style,) = re.findall(rb'href="(/static/web/[^"]+\.[0-9a-f]{12}\.css)"', page)[:1]
        assert ask("GET", style.decode(), **proxied)[1]["Cache-Control"].startswith("max-age=315360000")
        asked = ask("POST", "/api/v1/simulations/", QUICK, **proxied | {"Content-Type": "application/json"})
        assert asked[0] in (200, 201, 202), asked
        until = time.monotonic() + 60
        while json.loads((answer := ask("GET", asked[1]["Location"], **proxied))[2])["state"] != "done":
            assert time.monotonic() < until, answer
            time.sleep(0.2)
