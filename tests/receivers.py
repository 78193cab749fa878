"""An address on this machine that can be told something."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Receiver:
    """Takes what is sent, and answers as it is told to.

    Attributes:
        taken: path, headers and body of each request.
        status: of its answers.
    """

    url: str = ""
    status: int = 200
    location: str = ""
    taken: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def running_receiver() -> Iterator[Receiver]:
    """One that listens until it is left."""
    told = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.taken.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(told.status)
            if told.location:
                self.send_header("Location", told.location)
            self.end_headers()
            self.wfile.write(b"thank you")

        def log_message(self, *args: object) -> None:
            """Nothing on the screen."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    told.url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
