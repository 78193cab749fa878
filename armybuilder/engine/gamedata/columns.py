"""The stored form of a data set: flat columns and one string table, in one file that workers map into memory."""

import hashlib
import mmap
import os
import struct
import tempfile
from array import array
from collections.abc import Iterator
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
import numpy as np

LAYOUT: Final = 11
"""Raised when the meaning of the file changes; older files are built again."""

_BEGIN: Final = b"ABcols\0\0"
_END: Final = b"ABend\0\0\0"
_FOOT_BYTES: Final = hashlib.sha256().digest_size + len(_END)
"""A file ends with the SHA-256 of all before it, and the mark that it is whole."""

NONE: Final = 0xFFFFFFFF
"""No node, no string."""


class NodeKind(IntEnum):
    """What a node is. The `SHARED_` kinds stand in a root's shared lists: only links reach them."""

    GAME_SYSTEM = 0
    CATALOGUE = 1
    PUBLICATION = 2
    COST_TYPE = 3
    PROFILE_TYPE = 4
    CHARACTERISTIC_TYPE = 5
    CATEGORY_ENTRY = 6
    FORCE_ENTRY = 7
    SELECTION_ENTRY = 8
    GROUP = 9
    ENTRY_LINK = 10
    CATEGORY_LINK = 11
    CATALOGUE_LINK = 12
    COST = 13
    CONSTRAINT = 14
    MODIFIER = 15
    MODIFIER_GROUP = 16
    CONDITION = 17
    CONDITION_GROUP = 18
    REPEAT = 19
    PROFILE = 20
    CHARACTERISTIC = 21
    RULE = 22
    DESCRIPTION = 23
    INFO_GROUP = 24
    INFO_LINK = 25
    SHARED_ENTRY = 26
    SHARED_GROUP = 27
    SHARED_RULE = 28
    SHARED_PROFILE = 29
    SHARED_INFO_GROUP = 30
    LOCAL_CONDITION_GROUP = 31
    ASSOCIATION = 32
    ALIAS = 33
    SHARED_FORCE_ENTRY = 34
    FORCE_LINK = 35


class Key(IntEnum):
    """Attribute names that are kept."""

    ID = 0
    NAME = 1
    HIDDEN = 2
    TARGET_ID = 3
    TYPE = 4
    TYPE_ID = 5
    TYPE_NAME = 6
    VALUE = 7
    FIELD = 8
    SCOPE = 9
    CHILD_ID = 10
    SHARED = 11
    INCLUDE_CHILD_SELECTIONS = 12
    INCLUDE_CHILD_FORCES = 13
    PERCENT_VALUE = 14
    REPEATS = 15
    ROUND_UP = 16
    PRIMARY = 17
    COLLECTIVE = 18
    IMPORT = 19
    DEFAULT_SELECTION_ENTRY_ID = 20
    PUBLICATION_ID = 21
    PAGE = 22
    DEFAULT_COST_LIMIT = 23
    REVISION = 24
    LIBRARY = 25
    GAME_SYSTEM_ID = 26
    IMPORT_ROOT_ENTRIES = 27
    BATTLE_SCRIBE_VERSION = 28
    SHORT_NAME = 29
    NEGATIVE = 30
    AUTOMATIC = 31
    MESSAGE = 32
    DEFAULT_AMOUNT = 33
    ARG = 34
    JOIN = 35
    POSITION = 36
    AFFECTS = 37
    SKIP_IF_PRESENT = 38
    MIN = 39
    MAX = 40
    STEP = 41
    SORT_INDEX = 42
    FLATTEN = 43
    COLLAPSIBLE = 44
    EXPORTABLE = 45
    KIND = 46
    DEFAULT_VALUE = 47
    AUTHOR_NAME = 48
    PUBLISHER = 49
    LINE = 50
    BELOW_ROOT = 51
    SUB_TYPE = 52
    CHILD_NAME = 53
    CHILD_FORCES_LABEL = 54
    NO_INDEX = 55
    AUTHOR_CONTACT = 56


Array = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Array]


class FileInfo(msgspec.Struct, frozen=True, array_like=True):
    """One file of the set: its root node, and its nodes `first` up to `last`.

    Attributes:
        digest: SHA-256 of its content as plain XML; empty where it is not known.
    """

    name: str
    first: int
    last: int
    digest: bytes = b""


class Builder:
    """Collects nodes in document order; `freeze` makes columns of them.

    A parser that wants speed appends to the arrays itself (`cat_xml`); the invariants are: `kind`, `parent`, `end`
    and `first` grow by one a node, attributes of a node stand together, `end` is the number after its last descendant.
    """

    def __init__(self) -> None:
        self.kind = array("B")
        self.parent = array("I")
        self.end = array("I")
        self.first = array("I")
        self.key = array("B")
        self.value = array("I")
        self.strings: dict[str, int] = {}
        self.files: list[FileInfo] = []
        self._copied: tuple[Columns, Array] | None = None
        self._texts: list[str] = []

    def __len__(self) -> int:
        return len(self.kind)

    def open(self, kind: int, parent: int) -> int:
        """Begin a node; its attributes follow at once."""
        node = len(self.kind)
        self.kind.append(kind)
        self.parent.append(parent)
        self.end.append(0)
        self.first.append(len(self.key))
        return node

    def put(self, key: int, text: str) -> None:
        """One attribute of the node opened last."""
        self.key.append(key)
        self.value.append(self.strings.setdefault(text, len(self.strings)))

    def close(self, node: int) -> None:
        """End a node: everything opened since is below it."""
        self.end[node] = len(self.kind)

    def append(self, columns: "Columns", file: FileInfo) -> None:
        """Copy a file that was read before, out of the columns it is in: the same as reading it once more."""
        nodes = slice(file.first, file.last)
        first = columns.columns["first"]
        pairs = slice(int(first[file.first]), int(first[file.last]))
        values = columns.columns["value"][pairs]
        shift, size = len(self.kind) - file.first, len(self.key)
        at = self._numbers_of(columns, values)
        parent = columns.columns["parent"][nodes]
        self.kind.frombytes(columns.columns["kind"][nodes].tobytes())
        self.parent.frombytes(np.where(parent == NONE, parent, parent + np.uint32(shift % 2**32)).tobytes())
        self.end.frombytes((columns.columns["end"][nodes] + np.uint32(shift % 2**32)).tobytes())
        self.first.frombytes((first[nodes] + np.uint32((size - pairs.start) % 2**32)).tobytes())
        self.key.frombytes(columns.columns["key"][pairs].tobytes())
        self.value.frombytes(at[values].tobytes())
        self.files.append(FileInfo(file.name, file.first + shift, file.last + shift, file.digest))

    def _numbers_of(self, columns: "Columns", values: Array) -> Array:
        """The numbers that strings of other columns have here, by their numbers there; these values get one."""
        if self._copied is None or self._copied[0] is not columns:
            self._copied = columns, np.full(len(columns.columns["offset"]) - 1, NONE, np.uint32)
        at = self._copied[1]
        fresh = values[at[values] == NONE]
        fresh = fresh[np.sort(np.unique(fresh, return_index=True)[1])]  # each once, in the order of the file
        strings = self.strings
        at[fresh] = [strings.setdefault(text, len(strings)) for text in columns.texts(fresh)]
        return at

    def rewind(self, size: int, attributes: int) -> None:
        """Forget nodes and attributes beyond these counts: a file turned out to be unreadable."""
        for column in (self.kind, self.parent, self.end, self.first):
            del column[size:]
        for column in (self.key, self.value):
            del column[attributes:]

    def attributes(self, node: int) -> dict[int, str]:
        """Attributes of a node that is already written, for roots: it looks through the strings that came last."""
        fresh = islice(reversed(self.strings), len(self.strings) - len(self._texts))
        self._texts += reversed(tuple(fresh))  # the whole table anew for each of many files costs more than they do
        texts = self._texts
        stop = self.first[node + 1] if node + 1 < len(self.first) else len(self.key)
        return {self.key[at]: texts[self.value[at]] for at in range(self.first[node], stop)}

    def freeze(self, extra: Arrays | None = None, note: bytes = b"") -> "Columns":
        """The finished columns, in memory.

        Args:
            extra: further columns to store, by name (resolved links, indexes).
            note: anything small the owner wants back (`Columns.note`).
        """
        texts = [text.encode("utf-8", "surrogatepass") for text in self.strings]
        offsets = np.zeros(len(texts) + 1, np.uint32)
        np.cumsum([len(text) for text in texts], out=offsets[1:])
        columns: Arrays = {
            "kind": np.frombuffer(self.kind, np.uint8),
            "parent": np.frombuffer(self.parent, np.uint32),
            "end": np.frombuffer(self.end, np.uint32),
            "first": np.append(np.frombuffer(self.first, np.uint32), np.uint32(len(self.key))),
            "key": np.frombuffer(self.key, np.uint8),
            "value": np.frombuffer(self.value, np.uint32),
            "offset": offsets,
            "blob": np.frombuffer(b"".join(texts) or b"\0", np.uint8),
        }
        return Columns(columns | (extra or {}), tuple(self.files), note)


class Columns:
    """A frozen data set. Scalars are read through memory views (a NumPy scalar costs three times as much)."""

    def __init__(self, columns: Arrays, files: tuple[FileInfo, ...], note: bytes) -> None:
        self.columns = columns
        self.files = files
        self.note = note
        self.kind = columns["kind"].data
        self.parent = columns["parent"].data
        self.end = columns["end"].data
        self._first = columns["first"].data
        self._key = columns["key"].data
        self._value = columns["value"].data
        self._offset = columns["offset"].data
        self._blob = columns["blob"].data
        self._texts: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.kind)

    def text(self, string: int) -> str:
        """The string with this number."""
        text = self._texts.get(string)
        if text is None:
            raw = bytes(self._blob[self._offset[string] : self._offset[string + 1]])
            text = self._texts[string] = raw.decode("utf-8", "surrogatepass")
        return text

    def texts(self, strings: Array) -> Iterator[str]:
        """The strings with these numbers, each decoded anew: for many that are asked for once."""
        blob, offset = self._blob, self.columns["offset"]
        for start, stop in zip(offset[strings].tolist(), offset[strings + 1].tolist(), strict=True):
            yield str(blob[start:stop], "utf-8", "surrogatepass")

    def attributes(self, node: int) -> dict[int, str]:
        """Attributes of a node by `Key`."""
        start, stop = self._first[node], self._first[node + 1]
        text = self.text
        value = self._value
        key = self._key
        return {key[at]: text(value[at]) for at in range(start, stop)}

    def get(self, node: int, wanted: int) -> str | None:
        """One attribute of a node; None when it is absent."""
        key = self._key
        for at in range(self._first[node], self._first[node + 1]):
            if key[at] == wanted:
                return self.text(self._value[at])
        return None

    def children(self, node: int) -> list[int]:
        """Child nodes in document order."""
        end = self.end
        stop = end[node]
        at = node + 1
        found = []
        while at < stop:
            found.append(at)
            at = end[at]
        return found

    def owner_of(self, node: int) -> int:
        """The node that a modifier, perhaps in groups, is written on; of what stands in none, itself."""
        while self.kind[node] in {NodeKind.MODIFIER, NodeKind.MODIFIER_GROUP}:
            node = self.parent[node]
        return node

    def content(self, node: int) -> tuple[bytes, ...]:
        """What is written at a node and below it; equal for two nodes at which the same is written."""
        stop = self.end[node]
        first, last = self._first[node], self._first[stop]
        ends: tuple[bytes, ...] = ()
        if stop > node + 1:  # where each node ends, and its attributes
            at = slice(node, stop)
            columns = self.columns
            ends = ((columns["end"][at] - node).tobytes(), (columns["first"][at] - first).tobytes())
        return (
            self.kind[node:stop].tobytes(),
            self._key[first:last].tobytes(),
            self._value[first:last].tobytes(),
            *ends,
        )

    def file_of(self, node: int) -> int:
        """Position in `files` of the file a node stands in."""
        low, high = 0, len(self.files)
        while high - low > 1:
            middle = (low + high) // 2
            if self.files[middle].first <= node:
                low = middle
            else:
                high = middle
        return low

    def strings_of(self, key: int) -> Array:
        """For every node the string number of its attribute `key`, or NONE."""
        found = np.full(len(self.kind), NONE, np.uint32)
        at = np.flatnonzero(self.columns["key"] == key)
        owner = np.searchsorted(self.columns["first"], at, side="right") - 1
        found[owner] = self.columns["value"][at]
        return found

    def number_of(self, text: str) -> int | None:
        """The number of a string; None when the data has no such string. Searches the whole table."""
        wanted = text.encode("utf-8", "surrogatepass")
        blob = self.columns["blob"].tobytes()
        offsets = self.columns["offset"]
        at = blob.find(wanted) if wanted else -1
        while at >= 0:
            number = int(np.searchsorted(offsets, at))
            if number + 1 < len(offsets) and offsets[number] == at and offsets[number + 1] == at + len(wanted):
                return number
            at = blob.find(wanted, at + 1)
        return None

    @property
    def nbytes(self) -> int:
        """Size of all columns."""
        return sum(column.nbytes for column in self.columns.values())

    def save(self, path: Path) -> None:
        """Write the file; readers see the old one or the whole new one, never a part, even after a power cut."""
        names = list(self.columns)
        head = msgspec.msgpack.encode(
            {
                "layout": LAYOUT,
                "files": self.files,
                "note": self.note,
                "columns": [(name, self.columns[name].dtype.str, len(self.columns[name])) for name in names],
            }
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".compiling-")
        try:
            with os.fdopen(handle, "wb") as file:
                summed = hashlib.sha256()

                def write(data: bytes) -> None:
                    summed.update(data)
                    file.write(data)

                write(struct.pack("<8sQ", _BEGIN, len(head)))
                write(head)
                for name in names:
                    write(b"\0" * (-file.tell() % 8))
                    write(self.columns[name].tobytes())
                file.write(summed.digest() + _END)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
            _sync_folder(path.parent)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _sync_folder(folder: Path) -> None:
    """Have the disk know the new name of a file too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class _Head(msgspec.Struct):
    layout: int
    files: tuple[FileInfo, ...]
    note: bytes
    columns: list[tuple[str, str, int]]


def open_columns(path: Path) -> Columns | None:
    """Map a saved file into memory; None when it is absent, of another layout, cut short or altered.

    Its sum is made of what is read, not of what is mapped: the pages a process touches count as its memory.
    """
    try:
        with path.open("rb") as file:
            if not _is_whole(file):
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    magic, size = struct.unpack_from("<8sQ", mapped, 0) if len(mapped) > 24 else (b"", 0)
    if magic != _BEGIN:
        return None
    try:
        head = msgspec.msgpack.decode(mapped[16 : 16 + size], type=_Head)
    except msgspec.MsgspecError:
        return None
    if head.layout != LAYOUT:
        return None
    at = 16 + size
    columns: Arrays = {}
    for name, dtype, length in head.columns:
        at += -at % 8
        columns[name] = np.frombuffer(mapped, np.dtype(dtype), length, at)
        at += columns[name].nbytes
    return Columns(columns, head.files, head.note)


def _is_whole(file: BinaryIO) -> bool:
    """Whether a file is, byte for byte, what was saved."""
    left = os.fstat(file.fileno()).st_size - _FOOT_BYTES
    summed = hashlib.sha256()
    while left > 0 and (chunk := file.read(min(left, 2**20))):
        summed.update(chunk)
        left -= len(chunk)
    return left == 0 and file.read() == summed.digest() + _END
