"""Rosters as JSON, as New Recruit and ListForge save and link them: the tree of a .ros file with other brackets."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import Any
from urllib.parse import unquote

from armybuilder.armylists import limits
from armybuilder.engine.battlescribe_files.ros_xml import NAMESPACE
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.late_modules import etree

_ROWS: dict[str, str] = {
    "costs": "cost",
    "costLimits": "costLimit",
    "forces": "force",
    "selections": "selection",
    "categories": "category",
    "profiles": "profile",
    "rules": "rule",
    "characteristics": "characteristic",
    "tags": "tag",
}
_TEXTS = ("customNotes", "description")
_NOT_OF_XML = ("xmlns", "xml")
"""Members that are no attributes: New Recruit keeps the namespace of the file as if it were one."""
_LINK = re.compile(r"[#=/](?P<packed>H4sI[A-Za-z0-9+/_%-]{20,}={0,2})")
DEEPEST = 40
MOST_MEMBERS = 200
"""Of one object; these tools write some twenty. Each is looked for among those before it, so many cost their square."""


def is_roster_json(parsed: Any) -> bool:
    """Whether parsed JSON is a roster of these tools."""
    roster = parsed.get("roster") if isinstance(parsed, dict) else None
    return isinstance(roster, dict) and isinstance(roster.get("forces"), list)


def roster_xml(parsed: dict[str, Any], *, file_name: str) -> bytes:
    """The same roster as the bytes of a .ros file. Raises UnreadableFile when it is nested too deeply or too wide."""
    root = etree.fromstring(f'<roster xmlns="{NAMESPACE}"/>')
    _fill(root, parsed["roster"], file_name, 0)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def unpacked_link(text: str) -> bytes | None:
    """The JSON in a link that carries its list behind `#`, packed by gzip and base64; None for other texts.

    Raises:
        UnreadableFile: it is damaged, or unpacks to more than a list can be.
    """
    found = _LINK.search(text.strip()[: limits.ROSTER_FILE_BYTES])
    if found is None or not re.match(r"https?://|#", text.strip()):
        return None
    packed = unquote(found["packed"]).replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4))
        unpack = zlib.decompressobj(wbits=31)
        content = unpack.decompress(data, limits.ROSTER_FILE_BYTES)
    except (binascii.Error, ValueError, zlib.error) as broken:
        raise UnreadableFile(f"the list in this address is damaged ({broken}).", "link") from broken
    if not unpack.eof and not unpack.unconsumed_tail:
        raise UnreadableFile("the list in this address is damaged: its end is missing.", "link")
    if unpack.unconsumed_tail:
        raise UnreadableFile(f"the list in this address has more than {limits.ROSTER_FILE_BYTES} bytes.", "link")
    return content


def _fill(element: etree._Element, node: dict[str, Any], file_name: str, depth: int) -> None:
    if depth > DEEPEST:
        raise UnreadableFile(f"selections lie deeper than {DEEPEST} levels.", file_name)
    if len(node) > MOST_MEMBERS:
        raise UnreadableFile(f"something in it has more than {MOST_MEMBERS} members.", file_name)
    for key, value in node.items():
        if key in _ROWS and isinstance(value, list):
            holder = etree.SubElement(element, key)
            for row in value:
                if isinstance(row, dict):
                    _fill(etree.SubElement(holder, _ROWS[key]), row, file_name, depth + 1)
        elif key in _TEXTS and isinstance(value, str):
            etree.SubElement(element, key).text = _legal(value)
        elif key == "$text":
            element.text = _legal(str(value))
        elif isinstance(value, str | int | float | bool) and _is_attribute(key):
            element.set(key, str(value).lower() if isinstance(value, bool) else _legal(str(value)))


def _is_attribute(key: str) -> bool:
    """Whether a .ros file can have it: its own are plain Latin, and XML allows fewer letters than Python."""
    return key.isascii() and key.isidentifier() and key not in _NOT_OF_XML


def _legal(text: str) -> str:
    """A text without what XML cannot hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
