"""A gunicorn worker that waits for a slow client only so long: neither a request sent by drops, nor an answer read by
drops, nor a client that stays when it has been answered holds a thread.
"""

import errno
import socket
from functools import cached_property
from selectors import EVENT_READ, DefaultSelector
from threading import Lock, Thread
from time import monotonic
from typing import Any

from django.conf import settings
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn, ThreadWorker

BYTES_PER_SECOND = 16_384
"""A client that sends or reads faster may do so as long as it likes: an upload on a phone is no attack."""

ANSWER_SECONDS = 60.0
"""The longest any other wait for a client takes, such as one of a connection that is encrypted here."""

FILE_BYTES = 65_536
"""So much of a file is read at a time."""

LINGER_SECONDS = 2.0
"""A client that is still sending when it has been answered is listened to so long, that it gets to read the answer."""

LINGER_BYTES = 65_536
MOST_LINGERING = 200


class _Lingering:
    """Connections that have been answered and wait for their clients to hang up, in a thread nobody else waits for.

    gunicorn waits in the thread that accepts all connections: one client that stayed kept everybody out. Each process
    has a selector of its own, made when it is first needed: one made before workers are forked would be all of theirs.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._left: dict[socket.socket, tuple[float, int]] = {}  # until when, and how many bytes more

    @cached_property
    def _selector(self) -> DefaultSelector:
        return DefaultSelector()

    def add(self, sock: socket.socket) -> None:
        """Say that nothing more is sent, and close when the client has, or soon."""
        try:
            sock.setblocking(False)
            sock.shutdown(socket.SHUT_WR)
        except OSError:
            sock.close()
            return
        with self._lock:
            if len(self._left) >= MOST_LINGERING:
                self._close(next(iter(self._left)))
            self._left[sock] = (monotonic() + LINGER_SECONDS, LINGER_BYTES)
            self._selector.register(sock, EVENT_READ)
            if len(self._left) == 1:
                Thread(target=self._watch, daemon=True, name="lingering").start()

    def _watch(self) -> None:
        """Read what comes until no connection is left."""
        while True:
            found = self._selector.select(LINGER_SECONDS / 4)
            with self._lock:
                for key, _ in found:
                    if isinstance(key.fileobj, socket.socket) and key.fileobj in self._left:
                        self._drain(key.fileobj)
                for sock, (until, _) in list(self._left.items()):
                    if until <= monotonic():
                        self._close(sock)
                if not self._left:
                    return

    def _drain(self, sock: socket.socket) -> None:
        until, allowed = self._left[sock]
        try:
            allowed -= len(sock.recv(4096)) or allowed
        except BlockingIOError:
            return
        except OSError:
            allowed = 0
        self._left[sock] = (until, allowed)
        if allowed <= 0:
            self._close(sock)

    def _close(self, sock: socket.socket) -> None:
        del self._left[sock]
        self._selector.unregister(sock)
        sock.close()


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


class _Answering(socket.socket):
    """A client's end of a connection, on which answers have to be read in time; the pauses of their maker do not count.

    A client that reads nothing of an answer larger than what the system keeps for it held a thread for a minute, and
    one that read a little now and then for ever: eight of them were the end of the site.
    """

    def begin(self) -> None:
        """The next answer may take its time."""
        self._patience = float(settings.CLIENT_SECONDS)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send it all.

        Raises:
            OSError: the client is too slow; as if it had broken the connection.
        """
        left = memoryview(data).cast("B")
        while left:
            began = monotonic()
            try:
                if self._patience <= 0:
                    raise TimeoutError
                self.settimeout(self._patience)
                sent = self.send(left, flags)
            except TimeoutError:
                self._patience = 0.0
                raise OSError(errno.ECONNRESET, "The answer was read too slowly.") from None
            finally:
                self.settimeout(ANSWER_SECONDS)
            # What the system takes at once is no sign that anybody reads: nothing is saved up.
            earned = self._patience + sent / BYTES_PER_SECOND - (monotonic() - began)
            self._patience = min(earned, float(settings.CLIENT_SECONDS))
            left = left[sent:]

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a file as anything else; how many bytes."""
        file.seek(offset)
        sent = 0
        while piece := file.read(FILE_BYTES if count is None else min(FILE_BYTES, count - sent)):
            self.sendall(piece)
            sent += len(piece)
        return sent


class _Connection(TConn):
    """A connection whose requests are read and whose answers are sent so."""

    def init(self) -> None:
        """Called before every request of a connection."""
        if not self.initialized:
            super().init()
            if not self.is_http2:
                self.parser.unreader = _Unreader(self.sock)
        elif not self.is_http2:
            self.parser.unreader.begin()
        self.sock.settimeout(ANSWER_SECONDS)
        if isinstance(self.sock, _Answering):
            self.sock.begin()

    def close(self, graceful: bool = False) -> None:
        """Close at once, or when the client has read its answer."""
        if graceful:
            _LINGERING.add(self.sock)
        else:
            super().close()


_LINGERING = _Lingering()


class PatientThreadWorker(ThreadWorker):
    """gunicorn's worker with threads, whose clients have CLIENT_SECONDS and a least speed."""

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread."""
        if not isinstance(conn, _Connection):
            sock = _Answering(fileno=conn.sock.detach())
            sock.begin()
            conn = _Connection(conn.cfg, sock, conn.client, conn.server)
        super().enqueue_req(conn)
