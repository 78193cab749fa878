"""A body that breaks off is told apart from a short one, whatever reads it."""

import io
from collections.abc import Iterable
from typing import Any

import pytest
from gunicorn.http.errors import InvalidChunkSize

from armybuilder.whole_bodies import BrokenOff, WholeBodies


def read_by(method: str, sent: bytes, promised: str) -> bytes:
    """What an application is given that reads to the end in one of the ways there are."""
    read: list[bytes] = []

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"]
        if method == "at once":
            read.append(body.read())
        while piece := body.readline() if method == "lines" else body.read(4):
            read.append(piece)
        return ()

    WholeBodies(application, most_bytes=20)({"CONTENT_LENGTH": promised, "wsgi.input": io.BytesIO(sent)}, None)
    return b"".join(read)


@pytest.mark.parametrize("method", ["at once", "lines", "pieces"])
def test_a_whole_body_is_read_and_no_more(method: str) -> None:
    assert read_by(method, b"one\ntwo\nNEXT REQUEST", "8") == b"one\ntwo\n"


@pytest.mark.parametrize("method", ["at once", "lines", "pieces"])
def test_a_broken_body_is_an_error(method: str) -> None:
    with pytest.raises(BrokenOff, match="2 bytes did not arrive"):
        read_by(method, b"one\ntwo\n", "10")


def test_without_a_promise_nothing_is_touched() -> None:
    assert read_by("at once", b"anything", "") == b"anything"


class Chunks:
    """What a server makes of a body in chunks; it breaks off after the last piece if `breaks` says how."""

    def __init__(self, pieces: list[bytes], breaks: Exception | None) -> None:
        self._rest = io.BytesIO(b"".join(pieces))
        self._breaks = breaks

    def read(self, size: int) -> bytes:
        data = self._rest.read(size)
        if not data and self._breaks:
            raise self._breaks
        return data


def chunked(pieces: list[bytes], breaks: Exception | None = None) -> tuple[bytes, str]:
    """What an application reads of a body in chunks, and the length it is told."""
    read: list[tuple[bytes, str]] = []

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        read.append((environ["wsgi.input"].read(), environ["CONTENT_LENGTH"]))
        return ()

    environ = {"wsgi.input": Chunks(pieces, breaks), "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    WholeBodies(application, most_bytes=20)(environ, None)
    return read[0]


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([b'{"a"', b": 1}"], (b'{"a": 1}', "8")),
        ([], (b"", "0")),
        ([b"x" * 20], (b"x" * 20, "20")),
        ([b"x" * 15, b"y" * 15], (b"x" * 15 + b"y" * 6, "21")),
    ],
    ids=["two chunks", "none", "as long as any may be", "longer, so that whoever reads it refuses it"],
)
def test_a_body_in_chunks_is_a_body(pieces: list[bytes], read: tuple[bytes, str]) -> None:
    assert chunked(pieces) == read


@pytest.mark.parametrize("breaks", [OSError("gone"), InvalidChunkSize(b"xyz")])
def test_chunks_that_break_off_are_an_error(breaks: Exception) -> None:
    with pytest.raises(BrokenOff):
        chunked([b'{"a"'], breaks)
