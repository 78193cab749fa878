"""Data over the web: files, archives and repository indexes; what may not be asked is not asked."""

import socket
import zipfile
from collections.abc import Iterator
from io import BytesIO
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from armybuilder import outbound
from armybuilder.datafiles import remote
from armybuilder.datafiles.bundles import bundle_of_sources
from armybuilder.datafiles.errors import BadDataFile, SourceRefused, TooMuchData
from tests.datafiles.data_server import DataServer, data_server
from tests.gamedata_files import release

GAME, RED, BLUE = release()[:3]


@pytest.fixture
def server(settings: Any) -> Iterator[DataServer]:
    """A local server that this installation allows."""
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    with data_server() as running:
        yield running


def zipped(**members: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return out.getvalue()


def index(*entries: tuple[str, str, str]) -> bytes:
    rows = "".join(
        f'<dataIndexEntry filePath="{path}" dataType="{kind}" dataId="{data_id}" dataName="x"'
        ' dataBattleScribeVersion="2.03" dataRevision="1"/>'
        for path, kind, data_id in entries
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        '<dataIndex battleScribeVersion="2.03" name="Invented" indexUrl="https://example.org/index.bsi"'
        ' xmlns="http://www.battlescribe.net/schema/dataIndexSchema"><repositoryUrls/>'
        f"<dataIndexEntries>{rows}</dataIndexEntries></dataIndex>"
    ).encode()


WHOLE = index(("game.gst", "gamesystem", "game"), ("Red Host.catz", "catalogue", "red"), ("blue.cat", "catalogue", ""))


@pytest.mark.parametrize("zipped_index", [True, False])
def test_an_index_leads_to_the_files_beside_it(server: DataServer, zipped_index: bool) -> None:
    server.answers = {
        "/repo/index.bsi": zipped(index__xml=WHOLE) if zipped_index else WHOLE,
        "/repo/game.gst": GAME.content,
        "/repo/Red%20Host.catz": zipped(red__cat=RED.content),
        "/repo/blue.cat": BLUE.content,
    }
    said: list[tuple[int, int, str]] = []
    files = bundle_of_sources([server.address("/repo/index.bsi")], progress=lambda *step: said.append(step))
    assert [file.name for file in files] == ["Red Host.catz", "blue.cat", "game.gst"]
    assert {file.name: file.content for file in files}["game.gst"] == GAME.content
    assert said == [(0, 3, "game.gst"), (1, 3, "Red Host.catz"), (2, 3, "blue.cat")]


def test_the_query_of_an_index_belongs_to_its_files_too(server: DataServer) -> None:
    server.answers = {
        "/index.bsi?raw=true": zipped(index__xml=index(("game.gst", "gamesystem", "game"))),
        "/game.gst?raw=true": GAME.content,
    }
    assert len(bundle_of_sources([server.address("/index.bsi?raw=true")])) == 1


def test_a_repository_archive_brings_its_files_along(server: DataServer) -> None:
    server.answers["/whole.bsr"] = zipped(index__xml=WHOLE, game__gst=GAME.content, red__cat=RED.content)
    assert [file.name for file in bundle_of_sources([server.address("/whole.bsr")])] == ["game.gst", "red.cat"]
    assert server.asked == ["/whole.bsr"]


def test_an_archive_is_known_by_its_content(server: DataServer) -> None:
    server.answers |= {"/download?id=7": "/zipball/main", "/zipball/main": zipped(game__gst=GAME.content)}
    assert [file.name for file in bundle_of_sources([server.address("/download?id=7")])] == ["game.gst"]
    assert server.asked == ["/download?id=7", "/zipball/main"]


@pytest.mark.parametrize(
    ("case", "answer", "words"),
    [
        ("a file above the index", index(("../secret.cat", "catalogue", "x")), "does not lie beside it"),
        ("a file elsewhere", index(("https://example.org/a.cat", "catalogue", "x")), "does not lie beside it"),
        ("a file from the root", index(("/etc/a.cat", "catalogue", "x")), "does not lie beside it"),
        ("nothing in it", index(), "without any game system"),
        ("cut", WHOLE[:300], "no readable repository index"),
        ("no index", b"<html></html>", "root element is html"),
        ("an entity", b'<!DOCTYPE a [<!ENTITY b "c">]><dataIndex>&b;</dataIndex>', "no readable repository index"),
    ],
)
def test_an_index_that_cannot_be_followed_is_refused(server: DataServer, case: str, answer: bytes, words: str) -> None:
    server.answers["/index.bsi"] = answer
    with pytest.raises(BadDataFile, match=words):
        bundle_of_sources([server.address("/index.bsi")])
    assert server.asked == ["/index.bsi"], case


def test_a_file_that_is_not_what_the_index_promises_is_refused(server: DataServer) -> None:
    server.answers |= {"/index.bsi": index(("game.gst", "gamesystem", "other")), "/game.gst": GAME.content}
    with pytest.raises(BadDataFile, match=r"game\.gst: does not hold the id other"):
        bundle_of_sources([server.address("/index.bsi")])


@pytest.mark.parametrize(
    ("case", "address", "words"),
    [
        ("plain http", "http://example.org/a.zip", "is not https"),
        ("another port", "https://example.org:8443/a.zip", "another port"),
        ("a loopback address", "https://127.0.0.1/a.zip", "private address"),
        ("a loopback name", "https://localhost/a.zip", "private address"),
        ("loopback by number", "https://2130706433/a.zip", "private address"),
        ("IPv6 loopback", "https://[::1]/a.zip", "private address"),
        ("IPv4 inside IPv6", "https://[::ffff:10.0.0.1]/a.zip", "private address"),
        ("IPv4 behind a gateway", "https://[64:ff9b::a00:1]/a.zip", "private address"),
        ("IPv4 behind a gateway of one's own", "https://[64:ff9b:1::a00:1]/a.zip", "private address"),
        ("IPv4 translated", "https://[::ffff:0:10.0.0.1]/a.zip", "private address"),
        ("IPv4 as it once stood in IPv6", "https://[::10.0.0.1]/a.zip", "private address"),
        ("once private", "https://[fec0::1]/a.zip", "private address"),
        ("a private network", "https://192.168.1.1/a.zip", "private address"),
        ("cloud metadata", "https://169.254.169.254/latest", "private address"),
        ("shared address space", "https://100.64.0.1/a.zip", "private address"),
        ("unspecified", "https://0.0.0.0/a.zip", "private address"),
        ("of documents", "https://[3fff::1]/a.zip", "private address"),
        ("the last of documents", "https://[3fff:fff:ffff::1]/a.zip", "private address"),
        ("of documents, the older ones", "https://[2001:db8::1]/a.zip", "private address"),
        ("of protocols, in IPv6", "https://[2001:20::1]/a.zip", "private address"),
        ("of protocols", "https://192.0.0.9/a.zip", "private address"),
        ("of protocols, inside IPv6", "https://[::ffff:192.0.0.200]/a.zip", "private address"),
        ("of protocols, inside 6to4", "https://[2002:c000:9::1]/a.zip", "private address"),
        ("a gateway of 6to4", "https://192.88.99.1/a.zip", "private address"),
        ("what a cloud tells its machines", "https://168.63.129.16/a.zip", "private address"),
        ("multicast", "https://224.0.0.1/a.zip", "private address"),
        ("a password", "https://user:word@example.org/a.zip", "user name or password"),
        ("a line break", "https://example.org/a\r\nHost: b", "control character"),
        ("no host", "https:///a.zip", "no https address"),
        ("a bad port", "https://example.org:99999/", "is no address"),
    ],
)
def test_addresses_that_may_not_be_asked(case: str, address: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError(f"{case}: was asked")

    monkeypatch.setattr(outbound, "create_connection", refuse)
    with pytest.raises(SourceRefused, match=words):
        remote.fetch(address)


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(0, 0, 0, "", (ip, 443)) for ip in ("93.184.215.14", "10.0.0.8")]
    monkeypatch.setattr(outbound, "getaddrinfo", lambda *args, **options: rows)
    with pytest.raises(SourceRefused, match="private address"):
        remote.fetch("https://example.org/a.zip")


def test_the_connection_goes_to_the_address_that_was_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def connect(where: object, timeout: object) -> socket.socket:
        asked.append(where)
        raise OSError("enough seen")

    rows = [(0, 0, 0, "", ("93.184.215.14", 443))]
    monkeypatch.setattr(outbound, "getaddrinfo", lambda *args, **options: rows)
    monkeypatch.setattr(outbound, "create_connection", connect)
    with pytest.raises(SourceRefused, match="enough seen"):
        remote.fetch("https://example.org/a.zip")
    assert asked == [("93.184.215.14", 443)]


def test_redirects_are_examined_again(server: DataServer) -> None:
    server.answers |= {"/a": "http://localhost:1/b", "/loop": "/loop"}
    with pytest.raises(SourceRefused, match="localhost:1/b is not https"):
        remote.fetch(server.address("/a"))
    with pytest.raises(SourceRefused, match="redirects more than 5 times"):
        remote.fetch(server.address("/loop"))


def test_an_answer_that_is_no_success_is_named(server: DataServer) -> None:
    with pytest.raises(SourceRefused, match="answered 404"):
        remote.fetch(server.address("/nothing"))


def test_size_and_total_are_limited(server: DataServer, settings: Any) -> None:
    settings.GAMEDATA_MAX_FILE_BYTES = 1000
    server.answers |= {"/big.cat": b"x" * 1001, "/index.bsi": index(("a.cat", "catalogue", ""))}
    with pytest.raises(TooMuchData, match="larger than 1,000 bytes"):
        remote.fetch(server.address("/big.cat"))
    settings.GAMEDATA_MAX_TOTAL_BYTES = 10
    server.answers["/a.cat"] = b"x" * 11
    with pytest.raises(TooMuchData, match="together"):
        bundle_of_sources([server.address("/index.bsi")])


def test_a_host_that_drips_is_cut_off(settings: Any) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    settings.DATA_SOURCE_SECONDS = 1
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            taken, _ = listening.accept()
            with taken:
                taken.sendall(b"HTTP/1.1 200 OK\r\n")
                try:
                    while not stop:
                        taken.sendall(b"X")
                        sleep(0.02)
                except OSError:
                    return

        stop: list[bool] = []
        thread = Thread(target=drip, daemon=True)
        thread.start()
        started = monotonic()
        with pytest.raises((SourceRefused, TooMuchData)):
            remote.fetch(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        stop.append(True)
        thread.join(5)
    assert monotonic() - started < 10
