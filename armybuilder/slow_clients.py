"""A gunicorn worker that waits for a slow client only so long: a request sent by drops must not hold a thread."""

import errno
from time import monotonic
from typing import Any

from django.conf import settings
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn, ThreadWorker

BYTES_PER_SECOND = 16_384
"""A client that sends faster than this may send as long as it likes: an upload on a phone is no attack."""

ANSWER_SECONDS = 60.0
"""The longest an answer may take to be sent."""


class _Unreader(SocketUnreader):
    """Reads a request that has to arrive in time."""

    def __init__(self, sock: Any) -> None:
        super().__init__(sock)
        self.begin()

    def begin(self) -> None:
        """The next request may take its time; only waiting for the client counts, not what we do meanwhile."""
        self._patience = float(settings.CLIENT_SECONDS)

    def chunk(self, size_hint: int | None = None) -> bytes:
        """What has arrived.

        Raises:
            OSError: the client is too slow; as if it had broken the connection.
        """
        began = monotonic()
        try:
            if self._patience <= 0:
                raise TimeoutError
            self.sock.settimeout(self._patience)
            data: bytes = super().chunk(size_hint)
        except TimeoutError:
            self._patience = 0.0
            raise OSError(errno.ECONNRESET, "The request came too slowly.") from None
        finally:
            self.sock.settimeout(ANSWER_SECONDS)
        self._patience += len(data) / BYTES_PER_SECOND - (monotonic() - began)
        return data


class _Connection(TConn):
    """A connection whose requests are read so."""

    def init(self) -> None:
        """Called before every request of a connection."""
        if not self.initialized:
            super().init()
            if not self.is_http2:
                self.parser.unreader = _Unreader(self.sock)
        elif not self.is_http2:
            self.parser.unreader.begin()
        self.sock.settimeout(ANSWER_SECONDS)


class PatientThreadWorker(ThreadWorker):
    """gunicorn's worker with threads, whose clients have CLIENT_SECONDS and a least speed."""

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread."""
        if not isinstance(conn, _Connection):
            conn = _Connection(conn.cfg, conn.sock, conn.client, conn.server)
        super().enqueue_req(conn)
