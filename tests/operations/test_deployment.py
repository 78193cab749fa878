"""What is shipped for servers: the image, the services around it, systemd's units, nginx before the site.

No engine of containers is needed: the files are read for what their linters ask. nginx and systemd look at theirs
themselves where they are installed.
"""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from tests.servers import free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SECRET = re.compile(r"PASSWORD|SECRET|TOKEN", re.I)
UNITS = sorted(DEPLOY.glob("systemd/*.service"))


def instructions() -> list[tuple[str, str]]:
    """What the Dockerfile says, in its order: the instruction and the rest of its line."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def services() -> dict[str, dict[str, Any]]:
    """Those of the compose file."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return found


def is_pinned(image: str) -> bool:
    """Whether an image has a tag that begins with a version."""
    return re.fullmatch(r"[\w./-]+:\d[\w.-]*", image) is not None


def test_the_image_is_of_pinned_parts_and_runs_as_nobody_special() -> None:
    said = instructions()
    stages = [rest.split(" AS ") for word, rest in said if word == "FROM"]
    assert all(is_pinned(base) for base, *_ in stages), stages
    (user,) = (rest for word, rest in said if word == "USER")
    assert int(user) > 0
    last = [word for word, _ in said]
    assert last.index("USER") < last.index("CMD"), "what runs is not root's"
    assert {"HEALTHCHECK", "EXPOSE", "VOLUME"} <= set(last)
    assert "ADD" not in last, "COPY fetches nothing and unpacks nothing"
    assert all(rest.startswith("[") for word, rest in said if word == "CMD"), "signals reach the program itself"


def test_no_secret_is_in_the_image() -> None:
    kept = [rest for word, rest in instructions() if word in ("ENV", "ARG")]
    assert [rest for rest in kept if SECRET.search(rest)] == []
    left_out = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".env", "var", "deploy/site.env", "deploy/.env"} <= set(left_out)


@pytest.mark.parametrize("name", ["deploy/site.env", "deploy/.env", ".env", "var/secret_key"])
def test_what_holds_secrets_is_never_committed(name: str) -> None:
    asked = subprocess.run(["git", "check-ignore", "--quiet", name], cwd=ROOT, check=False)
    assert asked.returncode == 0


def test_services_are_pinned_closed_and_start_again() -> None:
    found = services()
    for name, service in found.items():
        is_ours = "build" in service
        assert is_ours or is_pinned(service["image"]), name
        assert service["restart"] == ("no" if name == "prepare" else "unless-stopped"), name
        assert ("ports" in service) == (name == "caddy"), "players reach the proxy alone"
        assert set(service.get("depends_on", ())) <= set(found), name
        if is_ours:
            assert service["read_only"] and service["cap_drop"] == ["ALL"], name
            assert service["security_opt"] == ["no-new-privileges:true"], name
        for variable, value in service.get("environment", {}).items():
            if SECRET.search(variable) or "@" in str(value):
                assert "${POSTGRES_PASSWORD:?" in value, (name, variable)
    backup = " ".join(found["backup"]["command"])
    assert "manage.py backup" in backup and "manage.py tidy" in backup


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for unit in (*UNITS, *DEPLOY.glob("systemd/*.timer")):  # their programs stand where the site is installed
        text = re.sub(r"(?m)^(Exec\w+=)/opt/army-builder/\.venv/bin/\w+", rf"\g<1>{sys.executable}", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    units = sorted(str(unit) for unit in tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "army-builder" in line]
    assert said == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_may_do_little(unit: Path) -> None:
    lines = unit.read_text().splitlines()
    for line in ("User=army-builder", "NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes"):
        assert line in lines


def test_commands_have_the_user_and_the_settings_of_the_units(tmp_path: Path) -> None:
    """`army-builder` hands over what it is given, blanks and all, with the settings of the units' file."""
    script = (DEPLOY / "systemd/army-builder").read_text()
    for unit in UNITS:
        facts = dict(line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line)
        assert facts["WorkingDirectory"] in script and facts["EnvironmentFile"] in script
        assert f"runuser -u {facts['User']} " in script
    (tmp_path / ".venv/bin").mkdir(parents=True)
    program = tmp_path / ".venv/bin/python"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$DATABASE_URL" "$EMAIL_URL" "$EMAIL_FROM"\nprintf "<%s>" "$@"\n')
    program.chmod(0o755)
    (tmp_path / "settings").write_text(
        "# As systemd reads it, and no shell.\n\n"
        "DATABASE_URL=postgres:///a?host=/run/postgresql&sslmode=require\n"
        "EMAIL_URL=smtp+tls://user:pa$$`id`;w@mail:587\n"
        'EMAIL_FROM="Army Builder <lists@example.org>"'
    )
    for there, here in (
        ("/opt/army-builder", str(tmp_path)),
        ("/etc/army-builder.env", str(tmp_path / "settings")),
        ("runuser -u army-builder -- ", ""),
    ):
        script = script.replace(there, here)
    said = subprocess.check_output(["sh", "-c", script, "army-builder", "backup", "--output", "a b"], text=True)
    assert said.splitlines() == [
        "postgres:///a?host=/run/postgresql&sslmode=require",
        "smtp+tls://user:pa$$`id`;w@mail:587",
        "Army Builder <lists@example.org>",
        "<manage.py><backup><--output><a b>",
    ]


@pytest.mark.parametrize("proxy", ["nginx/army-builder.conf", "caddy/Caddyfile"])
def test_proxies_hang_up_on_the_site_before_it_hangs_up_on_them(proxy: str) -> None:
    """A form that was sent along a connection as the site closed it was answered 502, once in some hundreds."""
    (site,) = re.findall(r"(?m)^keepalive = (\d+)$", (DEPLOY.parent / "gunicorn.conf.py").read_text())
    (kept,) = re.findall(r"(?m)^\s*keepalive(?:_timeout)? (\d+)s;?$", (DEPLOY / proxy).read_text())
    assert int(kept) < int(site)


class Upstream(BaseHTTPRequestHandler):
    """Answers with the headers that reached it."""

    asked: ClassVar[list[str]] = []
    """Paths, as soon as their headers are here."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = str(self.headers).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the base class asks for these names

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def behind_nginx(folder: Path) -> Iterator[tuple[int, int]]:
    """Our nginx file before such a server; the ports of http and https."""
    plain, secure, site = free_port(), free_port(), ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    certificate += ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run(certificate, check=True, capture_output=True)
    ours = (DEPLOY / "nginx/army-builder.conf").read_text()
    ours = ours.replace("/etc/letsencrypt/live/lists.example.org", str(folder))
    ours = re.sub(r"(?m)^ +listen \[::\].*\n", "", ours).replace("127.0.0.1:8000", f"127.0.0.1:{site.server_port}")
    ours = ours.replace("listen 80;", f"listen 127.0.0.1:{plain};").replace(
        "listen 443 ", f"listen 127.0.0.1:{secure} "
    )
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"{'user root;' * (os.geteuid() == 0)}daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{ours}\n}}\n"
    )
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "errors")]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    threading.Thread(target=site.serve_forever, daemon=True).start()
    process = subprocess.Popen(command)
    try:
        wait_for_port(secure, process=process)
        yield plain, secure
    finally:
        process.terminate()
        process.wait(20)
        site.shutdown()


@pytest.mark.services
@pytest.mark.skipif(shutil.which("nginx") is None, reason="no nginx installed: apt-get install nginx")
def test_nginx_before_the_site(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (plain, secure):
        trusting = ssl.create_default_context(cafile=str(tmp_path / "fullchain.pem"))

        def ask(method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPSConnection("localhost", secure, context=trusting, timeout=30)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        status, seen = ask("GET", "/lists/", **{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"})
        told = dict(line.split(": ", 1) for line in seen.splitlines() if ": " in line)
        assert status == 200
        assert told["X-Forwarded-For"] == "127.0.0.1", "what a client claims is thrown away"
        assert told["X-Forwarded-Proto"] == "https"
        assert len(told["X-Request-ID"]) == 32
        assert [ask("GET", path)[0] for path in ("/metrics", "/readyz/", "/healthz/")] == [404, 404, 200]
        assert ask("POST", "/api/v1/lists/imports/", b"x" * 5_000_000)[0] == 200
        connection = http.client.HTTPConnection("127.0.0.1", plain, timeout=30)
        connection.request("GET", "/lists/", headers={"Host": "lists.example.org"})
        moved = connection.getresponse()
        assert (moved.status, moved.headers["Location"]) == (301, "https://lists.example.org/lists/")


@contextmanager
def behind_caddy(folder: Path) -> Iterator[int]:
    """Our file of Caddy before such a server, by plain http; the port."""
    port, site = free_port(), ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    ours = (DEPLOY / "caddy/Caddyfile").read_text().replace("web:8000", f"127.0.0.1:{site.server_port}")
    said = subprocess.check_output(["caddy", "version"], text=True)
    if re.match(r"v?2\.[0-6]\.", said):  # Debian's; the file asks for 2.7, as docs/operations/install.md says
        ours = ours.replace("request_buffers 5MB", "buffer_requests\n\t\tmax_buffer_size 5MB")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{ours}")
    options = ["--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    environment = os.environ | {
        "SITE_HOST": f"http://localhost:{port}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    tested = subprocess.run(
        ["caddy", "validate", *options], env=environment, capture_output=True, text=True, check=False
    )
    assert tested.returncode == 0, tested.stderr
    threading.Thread(target=site.serve_forever, daemon=True).start()
    process = subprocess.Popen(["caddy", "run", *options], env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port, process=process)
        yield port
    finally:
        process.terminate()
        process.wait(20)
        site.shutdown()


@pytest.mark.services
@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy installed: apt-get install caddy")
def test_caddy_before_the_site(tmp_path: Path) -> None:
    with behind_caddy(tmp_path) as port:

        def ask(method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection("localhost", port, timeout=30)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        status, seen = ask("GET", "/lists/", **{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
        told = dict(line.split(": ", 1) for line in seen.splitlines() if ": " in line)
        assert status == 200
        assert told["X-Forwarded-For"] in ("127.0.0.1", "::1"), "what a client claims is thrown away"
        assert told["X-Forwarded-Proto"] == "http"
        assert [ask("GET", path)[0] for path in ("/metrics", "/readyz/", "/healthz/")] == [404, 404, 200]
        assert ask("POST", "/api/v1/lists/imports/", b"x" * 5_000_000)[0] == 200


@pytest.mark.services
@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy installed: apt-get install caddy")
def test_what_is_half_sent_reaches_no_site_behind_caddy(tmp_path: Path) -> None:
    """Requests are read whole first: a slow client holds a place of Caddy's, of which there are enough."""
    with behind_caddy(tmp_path) as port, socket.create_connection(("127.0.0.1", port), timeout=10) as slow:
        slow.sendall(b"POST /late/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nabc")
        slow.settimeout(1)
        with pytest.raises(TimeoutError):
            slow.recv(1)
        assert "/late/" not in Upstream.asked
        slow.settimeout(10)
        slow.sendall(b"def")
        assert slow.recv(12) == b"HTTP/1.1 200"
        assert "/late/" in Upstream.asked
