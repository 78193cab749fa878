"""Clients that send by drops are hung up on, and do not silence the site; a real server, real sockets."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from armybuilder import slow_clients
from tests.servers import KEY, free_port, wait_for_port
from tests.test_settings import INHERITED, ROOT

pytestmark = pytest.mark.long

BUNDLE = b"/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
LONG = b"/api/v1/schema/"
HALF = b"GET /healthz/ HTTP/1.1\r\nHost: localhost\r\nX-Half: "


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where a server listens that gives its clients one second."""
    port, var = free_port(), tmp_path_factory.mktemp("var")
    environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
    environment |= {"PORT": str(port), "VAR_DIR": str(var), "CLIENT_SECONDS": "1", "REDIS_URL": "redis://127.0.0.1:9/0"}
    environment |= {"SECRET_KEY": KEY}
    command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "armybuilder.wsgi"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port, process=process, seconds=60)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def is_alive(port: int, *, seconds: float) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    connection.request("GET", "/healthz/")
    return connection.getresponse().read() == b"ok\n"


def get(port: int, path: bytes) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path.decode())
    response = connection.getresponse()
    assert response.status == 200
    return response.read()


def test_half_sent_requests_do_not_silence_the_site(port: int) -> None:
    assert is_alive(port, seconds=60)
    slow = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(12)]
    for one in slow:
        one.sendall(HALF)
    time.sleep(0.3)
    assert is_alive(port, seconds=8)
    assert [one.recv(100) for one in slow] == [b""] * 12, "all are hung up on"


@pytest.mark.parametrize(
    "request_text",
    [
        b"GET /healthz/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n"
        + b"".join(b"X-%d: y\r\n" % number for number in range(3_000))
        + b"\r\n",
    ],
    ids=["answered", "refused"],
)
def test_clients_that_stay_when_they_are_answered_hold_nobody_up(port: int, request_text: bytes) -> None:
    assert is_alive(port, seconds=20)
    staying = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(8)]
    for one in staying:
        one.sendall(request_text)
    assert all(one.recv(12).startswith(b"HTTP/1.1 ") for one in staying)
    began = time.monotonic()
    assert is_alive(port, seconds=20)
    assert time.monotonic() - began < 1.5
    for one in staying:
        one.close()


def unread(port: int, path: bytes, *, kept: int = 2_048) -> socket.socket:
    """A client that has asked for more than the system keeps for it, and takes it by drops at most."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, kept)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1_000)  # of a network; this machine alone sends 64 KB
    client.settimeout(20)
    client.connect(("127.0.0.1", port))
    client.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return client


@pytest.mark.parametrize("path", [BUNDLE, LONG], ids=["a file", "an answer"])
def test_answers_that_are_not_read_do_not_silence_the_site(port: int, path: bytes) -> None:
    """Eight threads sent to clients that read nothing, each for a minute, and to those that read by drops for ever."""
    assert is_alive(port, seconds=20)
    assert get(port, path)  # made once, and kept
    clients = [unread(port, path) for _ in range(12)]
    time.sleep(0.5)
    assert is_alive(port, seconds=10)
    for client in clients:
        client.close()


def test_an_answer_read_by_drops_is_cut_off(port: int) -> None:
    length = len(get(port, LONG))
    with unread(port, LONG) as client:
        began, taken = time.monotonic(), 0
        while time.monotonic() - began < 6:
            taken += len(client.recv(100))
            time.sleep(0.05)
        with suppress(ConnectionResetError):
            while read := client.recv(65_536):
                taken += len(read)
    assert taken < length


def test_an_answer_read_steadily_arrives_however_long_it_takes(port: int) -> None:
    length = len(get(port, LONG))
    with unread(port, LONG, kept=65_536) as client:
        began, taken = time.monotonic(), 0
        while taken < length and (read := client.recv(16_384)):
            taken += len(read)
            time.sleep(0.03)
    assert taken >= length
    assert time.monotonic() - began > 2


def test_a_drop_now_and_then_does_not_help(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
        slow.sendall(HALF)
        began = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - began < 10:
                slow.sendall(b"x")
                time.sleep(0.2)
        assert time.monotonic() - began < 5


def test_a_body_by_drops_is_refused_and_a_quick_one_taken_on_one_connection(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    for _ in range(3):
        document = b'{"system": "chess", "name": "' + b"x" * 300_000 + b'"}'
        connection.request("POST", "/api/v1/check/", document, {"Content-Type": "application/json"})
        assert connection.getresponse().read()
        time.sleep(1.2)  # a pause between requests is nobody's slowness
    with socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
        slow.sendall(b"POST /api/v1/check/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        slow.sendall(b"Content-Length: 5000\r\n\r\n{")
        began = time.monotonic()
        answer = slow.recv(100)
        assert time.monotonic() - began < 6
        assert b" 200 " not in answer


def test_a_body_in_chunks_is_read(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    for pieces, status, word in (
        ((b'{"system": "horus-heresy", ', b'"detachments": []}'), 200, b'"legal"'),
        ((b'{"colour', b'": "red"}'), 400, b"bad-document"),
        ((b" " * 65_536,) * 65, 413, b"too-large"),
    ):
        connection.request("POST", "/api/v1/check/", iter(pieces), headers, encode_chunked=True)
        response = connection.getresponse()
        said = response.read()
        assert (response.status, word in said) == (status, True), said


def test_chunks_that_are_none_are_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as torn:
        torn.sendall(b"POST /api/v1/check/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        torn.sendall(b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nxyz\r\n")
        answer = torn.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 400 "), answer


def test_what_waits_for_clients_is_each_worker_s_own() -> None:
    """Workers are forked from a process that has read this module: a selector made by then would be all of theirs."""
    assert "_selector" not in vars(slow_clients._Lingering())
