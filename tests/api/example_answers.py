"""Keeps what programs send and get, short and without secrets, as examples for the description."""

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import resolve

from api.problems import MEDIA_TYPE
from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import Scope
from tests.api.conftest import caller_of

ITEMS, LINES, MEMBERS = 2, 24, 24
"""How many items of an array, lines of a text and members of a map an example shows."""

LONGEST_LINE = 400

BINARY = ("application/zip", "application/pdf", "image/png")
"""What is no text; it has no example."""

JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
OCTETS = "application/octet-stream"

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_NODE = re.compile(r"(?<![0-9a-f-])(?:[0-9a-f]{12}|[0-9a-f]{16})(?![0-9a-f-])")
_CODE = re.compile(r"\b[0-9A-Z]{5}-[0-9A-Z]{5}\b")
_MARKS = re.compile(r'( d="M2 2\.5)[^"]*')
_MOMENT = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")
_HOST = re.compile(r"http:\u200b?//(?:testserver|127\.0\.0\.1:\d+)/")
"""A text that writes markup puts a sign of no width into addresses, so that no reader makes a link of them."""
_SECRETS = {"token", "secret", "signature", "nonce", "commitment", "public_key", "shared", "prefix"}
"""Members whose values are another at every run."""

Answers = dict[str, Any]


class Recorder:
    """Asks as a program does, and keeps the first request and answer of each kind.

    Attributes:
        operations: by address and method, `request` and `responses` by media type.
        problems: by their code.
    """

    def __init__(self) -> None:
        self.operations: dict[tuple[str, str], Answers] = {}
        self.problems: dict[str, Any] = {}
        self._known: dict[str, str] = {}

    def program_of(self, user: User | None) -> Callable[..., Any]:
        """A program with every scope of that user's, or with no token."""
        headers = caller_of(user, Scope.values).headers if user else {}

        def ask(method: str, path: str, sent: object = None, *, status: int = 0, **more: str) -> Any:
            media_type = JSON if sent is None or isinstance(sent, dict | list) else OCTETS
            data = sent if isinstance(sent, bytes) else b"" if sent is None else json.dumps(sent).encode()
            more = headers | {name.replace("_", "-"): value for name, value in more.items()}
            answer = Client().generic(method, path, data, content_type=media_type, headers=more)
            assert answer.status_code == status or (not status and answer.status_code < 300), (
                method, path, answer.status_code, b"".join(answer)[:500],
            )  # fmt: skip
            self._keep(method, path, (media_type, sent), answer)
            return answer

        return ask

    def _keep(self, method: str, path: str, sent: tuple[str, Any], answer: Any) -> None:
        body = b"".join(answer)
        address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{resolve(path.partition('?')[0]).route}")
        kept = self.operations.setdefault((address, method.lower()), {"request": {}, "responses": {}})
        if sent[1] is not None and answer.status_code < 300:
            kept["request"].setdefault(sent[0], self.scrubbed(shortened(_read(sent[0], sent[1]))))
        media_type = answer.headers.get("Content-Type", "").partition(";")[0]
        if media_type == MEDIA_TYPE:
            problem = self.scrubbed(json.loads(body))
            self.problems.setdefault(problem["code"], problem)
            kept["responses"].setdefault(str(answer.status_code), problem["code"])
        elif body and media_type not in BINARY:
            of_status = kept["responses"].setdefault(str(answer.status_code), {})
            if media_type not in of_status:
                of_status[media_type] = self.scrubbed(shortened(_read(media_type, body)))

    def scrubbed(self, value: Any) -> Any:
        """The same with ids in their order, one moment for all, and secrets that open nothing."""
        self._learn(value)
        return self._scrubbed(value)

    def _scrubbed(self, value: Any) -> Any:
        match value:
            case dict():
                return {self._scrubbed(name): self._scrubbed(member) for name, member in value.items()}
            case list():
                return [self._scrubbed(item) for item in value]
            case str():
                return self._scrubbed_text(value)
            case _:
                return value

    def _scrubbed_text(self, text: str) -> str:
        for known, stands in self._known.items():
            text = text.replace(known, stands)
        text = _UUID.sub(lambda found: self._numbered(found[0], "00000000-0000-4000-8000-{:012}"), text)
        text = _NODE.sub(lambda found: self._numbered(found[0], "f{:011}"), text)
        text = _MARKS.sub(r"\1…", _CODE.sub("K7QXM-2PD4A", text))
        return _MOMENT.sub("2026-01-05T18:30:00Z", _HOST.sub("https://armies.example/", text))

    def _numbered(self, known: str, stands: str) -> str:
        if known in self._known.values():
            return known
        return self._known.setdefault(known, stands.format(len(self._known) + 1))

    def _learn(self, value: Any) -> None:
        match value:
            case dict():
                for name, member in value.items():
                    if name in _SECRETS and isinstance(member, str) and len(member) > 7:
                        self._known.setdefault(member, f"{name.replace('_', '-')}-{len(self._known) + 1}")
                    self._learn(member)
            case list():
                for item in value:
                    self._learn(item)


def _read(media_type: str, body: Any) -> Any:
    """JSON as values, of lines of it the first, of events the last, everything else as text."""
    if not isinstance(body, bytes):
        return body
    if media_type == NDJSON:
        body = body.splitlines()[0]
    elif media_type == EVENTS:
        return dict(line.split(": ", 1) for line in body.decode().split("\n\n")[-2].splitlines())
    return json.loads(body) if media_type in (JSON, NDJSON) else body.decode()


def shortened(value: Any) -> Any:
    """The same with few items, members and lines."""
    match value:
        case dict():
            few = list(value.items())[:MEMBERS] if len(value) > 2 * MEMBERS else value.items()
            return {name: shortened(member) for name, member in few}
        case list():
            # a reference within an example would be taken for one of the description
            alone = [item for item in value if '"$ref"' not in json.dumps(item)]
            return [shortened(item) for item in alone[:ITEMS]]
        case str():
            lines = value.splitlines(keepends=True)
            kept = [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…\n" for line in lines[:LINES]]
            return "".join([*kept, "…\n"] if len(lines) > LINES else kept).removesuffix("\n" * (len(lines) == 1))
        case _:
            return value
