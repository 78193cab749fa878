"""Reads request bodies as the engine reads documents: strict JSON, `x-` fields dropped, size limited before reading."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.parsers import BaseParser

from armybuilder.engine.documents import escaped, parse_army, read_army, read_json
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.list_rules import Document


class JSONParser(BaseParser):
    """application/json and nothing else."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The parsed body.

        Raises:
            BadDocument: not JSON, too deep, or text that cannot be stored; with a pointer where there is one.
            RequestDataTooBig: more bytes than the site takes.
        """
        return parsed(_whole(stream))


class ArmyParser(BaseParser):
    """The bytes of application/json, for `army_of`."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The body as it is. Raises RequestDataTooBig: more bytes than the site takes."""
        return _whole(stream)


class ArrayParser(BaseParser):
    """The same for an array: its items are told apart, and each is read when its turn comes.

    A hundred documents at once are a million objects that the garbage collector looks at again and again; and one that
    cannot be read must not be in the way of the others.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The text of each item, for `parsed`; the parsed body where it is no array.

        Raises:
            BadDocument: not JSON.
            RequestDataTooBig: more bytes than the site takes.
        """
        data = _whole(stream)
        try:
            return _ITEMS.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            value = parsed(data)
            return [msgspec.json.encode(item) for item in value] if isinstance(value, list) else value


class FileParser(BaseParser, ABC):
    """The bytes of a file, whatever they are called; a form is none."""

    media_type = "*/*"

    @abstractmethod
    def most(self) -> int:
        """The largest file in bytes."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The body as it is.

        Raises:
            RequestDataTooBig: it is larger than such a file may be.
            BadDocument: it is a form with a file in it, as pages send them.
        """
        if (media_type or "").startswith("multipart/"):
            raise BadDocument(
                "Send the file itself as the body, not a form: curl --data-binary @FILE, not curl --form.",
                russian="Отправьте телом запроса сам файл, а не форму: curl --data-binary @FILE, а не curl --form.",
            )
        most = self.most()
        data: bytes = stream.read(most + 1)
        if len(data) > most:
            raise RequestDataTooBig(f"The file is larger than {most} bytes.")
        return data


def parsed(data: bytes | msgspec.Raw) -> Any:
    """A text as JSON.

    Raises:
        BadDocument: not JSON, too deep, or text that cannot be stored; with a pointer where there is one.
    """
    data = bytes(data)
    value = read_json(data)
    if b"\\u" in data:  # only an escape can name a character that is no text
        for at in _unstorable(value, ""):
            raise BadDocument("The text holds a NUL or half of a surrogate pair, which is not text.", at)
    return value


def army_of(data: bytes | msgspec.Raw) -> Document:
    """A text as an army document.

    Raises:
        BadDocument: not JSON, no such document, or text that cannot be stored; with a pointer where there is one.
    """
    data = bytes(data)
    return read_army(data) if b"\\u" not in data else parse_army(parsed(data))


_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])


def _whole(stream: Any) -> bytes:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    data: bytes = stream.read(most + 1)
    if len(data) > most:
        raise RequestDataTooBig(f"The body is larger than {most} bytes.")
    return data


def _unstorable(value: object, at: str) -> Iterator[str]:
    """Pointers to texts and names with characters that neither UTF-8 nor every database can hold."""
    match value:
        case str():
            if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
                yield at
        case dict():
            for name, member in value.items():
                if next(_unstorable(name, at), None) is not None:
                    yield at  # the name itself cannot be written into a pointer
                else:
                    yield from _unstorable(member, f"{at}/{escaped(name)}")
        case list():
            for index, item in enumerate(value):
                yield from _unstorable(item, f"{at}/{index}")
