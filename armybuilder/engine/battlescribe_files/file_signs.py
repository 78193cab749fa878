"""What a file is by its first bytes, for refusals that name what was seen instead of what was hoped for."""

import re
from typing import Final

from armybuilder.engine.findings import Text

_SIGNS: Final = (
    (b"%PDF", Text("a PDF", "PDF")),
    (b"\x89PNG", Text("a picture", "изображение")),
    (b"\xff\xd8\xff", Text("a picture", "изображение")),
    (b"GIF8", Text("a picture", "изображение")),
    (b"PK", Text("a zip archive", "архив zip")),
    (b"\x1f\x8b", Text("a gzip archive", "архив gzip")),
    (b"Rar!", Text("a RAR archive", "архив RAR")),
    (b"7z\xbc\xaf", Text("a 7z archive", "архив 7z")),
    (b"\xd0\xcf\x11\xe0", Text("an old Office document", "старый документ Office")),
    (b"SQLite format 3", Text("a database", "база данных")),
)
_ROOTS: Final = {
    b"roster": Text("a list (a BattleScribe roster)", "ростер (файл BattleScribe)"),
    b"catalogue": Text("game data (a catalogue)", "игровые данные (каталог)"),
    b"gamesystem": Text("game data (a game system)", "игровые данные (система игры)"),
    b"html": Text("a web page", "веб-страница"),
    b"!doctype": Text("a web page", "веб-страница"),
}
_ROOT: Final = re.compile(rb"\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*)*<([\w!]+)", re.DOTALL)
_JSON: Final = re.compile(rb"\s*(?:\{|\[\s*(?:[\[{\"\]]|$))")
"""A word behind the square bracket is a tag instead: BBCode begins with one."""
_BYTE_ORDER_MARKS: Final = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}

END_OF_ZIP: Final = b"PK\x05\x06"
"""Begins the table of contents at the end of every zip archive."""


def looks_like(data: bytes) -> Text | None:
    """What a file seems to be; None for what has no sign, such as plain text."""
    for sign, name in _SIGNS:
        if data.startswith(sign):
            return name
    start = data[:2_000].removeprefix(b"\xef\xbb\xbf")
    if match := _ROOT.match(start):
        return _ROOTS.get(match[1].lower(), Text("XML of another program", "XML другой программы"))
    if is_json(data):
        return Text("JSON", "JSON")
    if b"\0" in data[:4_000]:
        return Text("no text", "не текст")
    return None


def is_json(data: bytes) -> bool:
    """Whether it begins as JSON does that holds things: with an object, or a row of objects, texts or rows."""
    return _JSON.match(data[:2_000].removeprefix(b"\xef\xbb\xbf")) is not None


def is_cut_off(data: bytes) -> bool:
    """Whether these are the first bytes of a zip archive without its end."""
    return data.startswith(b"PK\x03\x04") and END_OF_ZIP not in data[-70_000:]


def as_utf_8(data: bytes) -> bytes:
    """A text that an old Windows program saved as "Unicode", as everybody else writes it; other bytes as they are."""
    encoding = _BYTE_ORDER_MARKS.get(data[:2])
    return data if encoding is None else data.decode(encoding, "replace").encode()
