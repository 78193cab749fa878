"""Reads .gst and .cat files of schema 2.x into columns; older files go through `old_cat_xml` first.

The reader is Expat with its own handlers and not an lxml tree: one pass without a tree takes half the time and no
memory (16 MB of Horus Heresy in 0.4 s). It refuses document types, so there are no entities to expand and nothing to
fetch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final
from xml.parsers import expat

from armybuilder.engine.battlescribe_files.file_signs import looks_like
from armybuilder.engine.battlescribe_files.old_cat_xml import upgrade
from armybuilder.engine.battlescribe_files.shape import (
    DOCUMENT,
    KEYS,
    MEANINGLESS,
    OLD_ATTRIBUTES,
    OLD_ELEMENTS,
    UNSAID,
    Shape,
)
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.gamedata.columns import NONE, Builder, FileInfo
from armybuilder.engine.late_modules import etree

MAX_DEPTH: Final = 200
"""Deeper nesting is refused; real data nests 30 deep."""

MAX_NODES: Final = 3_000_000
"""Most elements of one file; the largest known catalogue has 100,000."""

_ROOT = re.compile(rb"<\s*(?:[\w.-]+:)?(gameSystem|catalogue)\b([^>]*)>")
_VERSION = re.compile(rb"\bbattleScribeVersion\s*=\s*[\"']([^\"']*)[\"']")


class _Old(Exception):
    """The file holds something that only older revisions have."""


class _Stop(Exception):
    """The file is refused."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def read_data_file(data: bytes, *, file_name: str, builder: Builder) -> list[tuple[str, int]]:
    """Append one unzipped .gst or .cat file of any revision to the columns.

    Returns:
        Elements the reader does not know, with the line of the first of each name: they were skipped (§1).

    Raises:
        UnreadableFile: not XML, not a data file, wrong encoding, a document type, too deep or too many elements.
            The builder is as it was before.
    """
    size, attributes = len(builder), len(builder.key)
    if not data.strip(b"\0 \t\r\n"):
        raise UnreadableFile("the file is empty.", file_name)
    try:
        return _Reader(builder, file_name).read(data, old=_is_old(data))
    except _Old:
        builder.rewind(size, attributes)
        try:
            return _read_old(data, file_name, builder)
        except UnreadableFile:
            builder.rewind(size, attributes)
            raise
        except _Stop as refusal:
            builder.rewind(size, attributes)
            raise UnreadableFile(refusal.message, file_name) from refusal
    except _Stop as refusal:
        builder.rewind(size, attributes)
        raise UnreadableFile(refusal.message, file_name) from refusal
    except UnreadableFile:
        builder.rewind(size, attributes)
        raise


def read_json_data(root: str, data: Mapping[str, object], *, file_name: str, builder: Builder) -> None:
    """Append one game system or catalogue given in the JSON form of the adapter protocol (§15).

    Args:
        root: `gameSystem` or `catalogue`.
    """
    first = len(builder)
    _put_json(DOCUMENT.inside[root], data, NONE, builder, 0)
    builder.files.append(FileInfo(file_name, first, len(builder)))


def _is_old(data: bytes) -> bool:
    root = _ROOT.search(data[:8192])
    version = _VERSION.search(root.group(2)) if root else None
    if version is None:
        return False
    number = re.match(rb"(\d+)\.(\d+)", version.group(1))
    return number is not None and (int(number.group(1)), int(number.group(2))) < (2, 3)


class _Reader:
    """One pass over one file. Handlers append to the builder's arrays directly: method calls would cost a third."""

    def __init__(self, builder: Builder, file_name: str) -> None:
        self.builder = builder
        self.file_name = file_name
        self.unknown: dict[str, int] = {}

    def read(self, data: bytes, *, old: bool) -> list[tuple[str, int]]:
        if old:
            raise _Old
        parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.buffer_text = True
        first = len(self.builder)
        self._install(parser)
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise UnreadableFile(
                why_no_xml(data, expat.ErrorString(error.code)), self.file_name, error.lineno
            ) from error
        except _Stop as refusal:
            raise UnreadableFile(refusal.message, self.file_name, parser.CurrentLineNumber) from refusal
        except (LookupError, UnicodeError, ValueError) as error:
            raise UnreadableFile(f"the encoding cannot be read ({error}).", self.file_name, 1) from error
        if len(self.builder) == first:
            raise UnreadableFile("the root element is neither gameSystem nor catalogue.", self.file_name)
        self.builder.files.append(FileInfo(self.file_name, first, len(self.builder)))
        return list(self.unknown.items())

    def _install(self, parser: expat.XMLParserType) -> None:  # noqa: PLR0915 - closures over the same locals
        builder = self.builder
        kinds, parents, ends, firsts = builder.kind, builder.parent, builder.end, builder.first
        keys, values, strings = builder.key, builder.value, builder.strings
        add_kind, add_parent, add_end, add_first = kinds.append, parents.append, ends.append, firsts.append
        add_key, add_value, number = keys.append, values.append, strings.setdefault
        known, unsaid, unusual = KEYS, UNSAID, self._unusual
        shapes: list[Shape | None] = [DOCUMENT]
        nodes: list[int] = [NONE]
        texts: list[str] = []
        limit = len(builder) + MAX_NODES

        def start(tag: str, attributes: list[str]) -> None:
            above = shapes[-1]
            shape = above.inside.get(tag) if above is not None else None
            if shape is None:
                shape = unusual(tag, above, parser)
            shapes.append(shape)
            if shape is None or shape.kind is None:
                nodes.append(nodes[-1])
                if len(shapes) > MAX_DEPTH:
                    raise _Stop(f"elements are nested deeper than {MAX_DEPTH} levels.")
                return
            node = len(kinds)
            add_kind(shape.kind)
            add_parent(nodes[-1])
            add_end(0)
            add_first(len(keys))
            pairs = iter(attributes)
            for pair in zip(pairs, pairs, strict=True):
                if pair in unsaid:
                    continue
                name, value = pair
                key = known.get(name)
                if key is not None:
                    add_key(key)
                    add_value(number(value, len(strings)))
                elif name in OLD_ATTRIBUTES:
                    raise _Old
            nodes.append(node)
            if shape.text_key is not None:
                texts.clear()
                parser.CharacterDataHandler = texts.append
            if node > limit or len(shapes) > MAX_DEPTH:
                raise _Stop(f"more than {MAX_NODES} elements or nested deeper than {MAX_DEPTH} levels.")

        def end(tag: str) -> None:
            shape = shapes.pop()
            node = nodes.pop()
            if shape is not None and shape.kind is not None:
                if shape.text_key is not None:
                    parser.CharacterDataHandler = None
                    text = "".join(texts)
                    if text:
                        add_key(shape.text_key)
                        add_value(number(text, len(strings)))
                ends[node] = len(kinds)

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.StartDoctypeDeclHandler = _refuse_entities
        parser.EntityDeclHandler = _refuse_entities

    def _unusual(self, tag: str, above: Shape | None, parser: expat.XMLParserType) -> Shape | None:
        """The shape of an element that may not stand where it does; None when it is skipped."""
        if above is None or tag in MEANINGLESS:
            return None
        if tag in OLD_ELEMENTS:
            raise _Old
        if ":" in tag:
            return above.inside.get(tag.rsplit(":", 1)[-1])
        if above is DOCUMENT:
            raise _Stop(f"the root element is {tag[:60]}, neither gameSystem nor catalogue.")
        if "Type" in tag and tag != "characteristicType":
            self.unknown.setdefault(tag[:60], parser.CurrentLineNumber)
            return None
        if tag == "characteristic":  # a profile type of 1.x lists characteristics, not characteristicTypes
            raise _Old
        if tag == "characteristics" and above.kind is not None and "characteristicTypes" in above.inside:
            raise _Old
        self.unknown.setdefault(tag[:60], parser.CurrentLineNumber)
        return None


def _refuse_entities(*_: object) -> None:
    raise _Stop("document types and entities are not allowed.")


_WHERE = re.compile(r", line \d{1,9}, column \d{1,9}$")


def why_no_xml(data: bytes, said: str) -> str:
    """What a parser objects to, without the line, which is told beside it; of another kind of file, what it is."""
    said = _WHERE.sub("", said)
    seen = None if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else looks_like(data)
    return f"not well-formed XML: {said}." if seen is None else f"this is no XML but {seen.en}."


def parse_tree(data: bytes, *, file_name: str) -> etree._Element:
    """An lxml tree of a file from outside: no entities, no network, bounded depth and text.

    Raises:
        UnreadableFile: not XML, a document type, too deep.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if error.msg is not None and error.msg.startswith("Excessive depth"):
            raise UnreadableFile(
                f"elements are nested deeper than {MAX_DEPTH} levels.", file_name, error.lineno
            ) from error
        raise UnreadableFile(why_no_xml(data, str(error.msg)), file_name, error.lineno) from error
    except (LookupError, ValueError) as error:
        raise UnreadableFile(f"the encoding cannot be read ({error}).", file_name, 1) from error
    if str(getattr(root.getroottree().docinfo, "doctype", "")):
        raise UnreadableFile("document types and entities are not allowed.", file_name, 1)
    return root


def line_of(element: etree._Element) -> int | None:
    """The line an element begins at, where the parser knows it."""
    line = element.sourceline
    return line if isinstance(line, int) else None


def bare(tag: object) -> str:
    """An element's name without its namespace."""
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def _read_old(data: bytes, file_name: str, builder: Builder) -> list[tuple[str, int]]:
    root = parse_tree(data, file_name=file_name)
    for element in root.iter():
        element.tag = bare(element.tag)
    if root.tag not in DOCUMENT.inside:
        raise UnreadableFile(f"the root element is {root.tag[:60]}, neither gameSystem nor catalogue.", file_name)
    upgrade(root)
    unknown: dict[str, int] = {}
    first = len(builder)
    _put_element(DOCUMENT.inside[root.tag], root, NONE, builder, unknown, 0)
    builder.files.append(FileInfo(file_name, first, len(builder)))
    return list(unknown.items())


def _put_element(  # noqa: PLR0917 - recursion over one tree
    shape: Shape, element: etree._Element, parent: int, builder: Builder, unknown: dict[str, int], depth: int
) -> None:
    if depth > MAX_DEPTH:
        raise _Stop(f"elements are nested deeper than {MAX_DEPTH} levels.")
    node = parent
    if shape.kind is not None:
        node = builder.open(shape.kind, parent)
        for name, value in element.attrib.items():
            key = KEYS.get(str(name))
            if key is not None and (name, value) not in UNSAID:
                builder.put(key, str(value))
        if shape.text_key is not None and element.text:
            builder.put(shape.text_key, element.text)
    for child in element:
        inside = shape.inside.get(child.tag)
        if inside is not None:
            _put_element(inside, child, node, builder, unknown, depth + 1)
        elif child.tag not in MEANINGLESS and (len(child) or child.attrib or (child.text or "").strip()):
            unknown.setdefault(str(child.tag)[:60], line_of(child) or 0)
    if shape.kind is not None:
        builder.close(node)


def _put_json(shape: Shape, data: Mapping[str, object], parent: int, builder: Builder, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise UnreadableFile(f"nested deeper than {MAX_DEPTH} levels.", "setup")
    assert shape.kind is not None
    node = builder.open(shape.kind, parent)
    for name, value in data.items():
        key = KEYS.get(name)
        if key is not None and value is not None and not isinstance(value, (list, dict)):
            text = _json_text(value)
            if (name, text) not in UNSAID:
                builder.put(key, text)
    for name, inside in shape.inside.items():
        for item_shape, item in _json_items(inside, data.get(name)):
            _put_json(item_shape, item, node, builder, depth + 1)
    builder.close(node)


def _json_items(inside: Shape, value: object) -> Iterator[tuple[Shape, Mapping[str, object]]]:
    if inside.kind is not None:  # a rule's description
        if isinstance(value, str) and value:
            yield inside, {"value": value}
    elif isinstance(value, list):
        item_shape = next(iter(inside.inside.values()))
        for item in value:
            if isinstance(item, dict):
                yield item_shape, item


def _json_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


__all__ = ["bare", "line_of", "parse_tree", "read_data_file", "read_json_data"]
