"""A web server on a free loopback port that gives out prepared answers and keeps what it was asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class DataServer:
    """What it answers: a body, or an address to redirect to, or a status, by path with query; bodies with an ETag.

    Attributes:
        changed_at: the moment it says its bodies were changed last, in place of an ETag.
    """

    port: int = 0
    answers: dict[str, bytes | str | int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    gives_marks: bool = False
    changed_at: str = ""

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@contextmanager
def data_server() -> Iterator[DataServer]:
    """A server that is running, stopped at the end."""
    served = DataServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            match served.answers.get(self.path, 404):
                case bytes(body):
                    mark = f'"{sha256(body).hexdigest()[:12]}"'
                    known = self.headers.get("If-Modified-Since")
                    unchanged = bool(served.changed_at) and known == served.changed_at
                    if unchanged or (served.gives_marks and self.headers.get("If-None-Match") == mark):
                        self.send_response(304)
                        self.end_headers()
                        return
                    self.send_response(200)
                    if served.gives_marks:
                        self.send_header("ETag", mark)
                    if served.changed_at:
                        self.send_header("Last-Modified", served.changed_at)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                case str(onward):
                    self.send_response(302)
                    self.send_header("Location", onward)
                    self.end_headers()
                case status:
                    self.send_error(int(status))

        def log_message(self, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
