"""A line to a site that can be cut: a proxy on a port of its own, which listens again on the same one."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

PIECE = 65_536


class Line:
    """Carries bytes both ways between a browser and a site, while it is not cut."""

    def __init__(self, site: str) -> None:
        parts = urlsplit(site)
        self._site = (parts.hostname or "", parts.port or 80)
        self._open: set[socket.socket] = set()
        self._ear: socket.socket | None = None
        self._port = 0
        self.mend()

    @property
    def address(self) -> str:
        """Where the site is reached by this line."""
        return f"http://127.0.0.1:{self._port}"

    def mend(self) -> None:
        """Carry from now on."""
        if self._ear is not None:
            return
        self._ear = socket.create_server(("127.0.0.1", self._port))
        self._port = self._ear.getsockname()[1]
        threading.Thread(target=self._listen, args=(self._ear,), daemon=True).start()

    def cut(self) -> None:
        """Refuse who comes, and break off what is under way."""
        ear, self._ear = self._ear, None
        for one in (ear, *self._open.copy()):
            if one is not None:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
        self._open.clear()

    def _listen(self, ear: socket.socket) -> None:
        while True:
            try:
                browser, _ = ear.accept()
                site = socket.create_connection(self._site)
            except OSError:
                return
            self._open |= {browser, site}
            for source, target in ((browser, site), (site, browser)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                target.sendall(piece)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
            self._open.discard(one)
