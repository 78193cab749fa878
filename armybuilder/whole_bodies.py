"""A body is read whole, however it is sent: broken off it is no shorter body, without a length it is not empty."""

from collections.abc import Callable, Iterable
from tempfile import SpooledTemporaryFile
from typing import Any

from gunicorn.http.errors import ParseException

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


PIECE_BYTES = 65_536
IN_MEMORY_BYTES = 1_000_000
"""Of a body without a length; what is longer waits in a temporary file."""


class BrokenOff(OSError):
    """Fewer bytes arrived than the header Content-Length, or the head of a chunk, promised."""


class _WholeBody:
    """What a request sends, read to the promised length.

    Django counts on servers to wait for all of it; one that is handed less by a client that went away would give a
    torn file to whoever reads to the end.
    """

    def __init__(self, stream: Any, promised: int) -> None:
        self._stream = stream
        self._left = promised

    def read(self, size: int = -1) -> bytes:
        """As much as is wanted. Raises BrokenOff where the body ends before its time."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        data: bytes = self._stream.read(wanted)
        return self._counted(data, ended=len(data) < wanted)

    def readline(self, size: int = -1) -> bytes:
        """A line. Raises BrokenOff where the body ends before its time."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        data: bytes = self._stream.readline(wanted)
        return self._counted(data, ended=not data and wanted > 0)

    def _counted(self, data: bytes, *, ended: bool) -> bytes:
        self._left -= len(data)
        if ended:
            raise BrokenOff(f"The body broke off: {self._left} bytes did not arrive.")
        return data


class WholeBodies:
    """Puts such a reader before an application."""

    def __init__(self, application: Application, *, most_bytes: int) -> None:
        """An application is wrapped once.

        Args:
            most_bytes: of a body whose length is not told before: at least as many as any address takes. One byte more
                is kept of a longer one, so that it is refused as too large by whoever reads it.
        """
        self._application = application
        self._most = most_bytes

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """The answer of the application."""
        promised = environ.get("CONTENT_LENGTH") or ""
        if promised.isdecimal() and int(promised):
            environ["wsgi.input"] = _WholeBody(environ["wsgi.input"], int(promised))
        elif not promised and environ.get("HTTP_TRANSFER_ENCODING") and environ.get("wsgi.input_terminated"):
            environ["wsgi.input"], length = _measured(environ["wsgi.input"], self._most)
            environ["CONTENT_LENGTH"] = str(length)
        return self._application(environ, start_response)


def _measured(stream: Any, most: int) -> tuple[Any, int]:
    """A body that came in chunks, and its length; Django takes a body without a length for an empty one."""
    kept = SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - read by the application, gone with the request
    length, is_whole = 0, True
    try:
        while length <= most and (piece := stream.read(min(PIECE_BYTES, most + 1 - length))):
            kept.write(piece)
            length += len(piece)
    except (OSError, ParseException):
        is_whole = False
    kept.seek(0)
    return (kept, length) if is_whole else (_WholeBody(kept, length + 1), length + 1)
