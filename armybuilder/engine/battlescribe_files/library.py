"""Bytes -> Library: reads all files of a data set, upgrades, links, and lists what it could not use."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from armybuilder.engine.battlescribe_files.cat_xml import bare, read_data_file, read_json_data, why_no_xml
from armybuilder.engine.battlescribe_files.zipped import (
    MAX_TOTAL_BYTES,
    UnreadableFile,
    beginning,
    is_zip,
    members,
    unzipped,
)
from armybuilder.engine.gamedata.columns import LAYOUT, Builder, Key, NodeKind, open_columns
from armybuilder.engine.gamedata.linking import LoadProblem, compile_data
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.late_modules import etree

_HEAD_BYTES: Final = 16_384
"""As much of a file as nearly always holds its root element's start."""


def load_library(files: Sequence[SourceFile], *, cache_dir: Path | None = None, like: Library | None = None) -> Library:
    """A linked data set of one game system.

    With a cache folder the compiled form is kept there under the content's hash, and mapped from there the next
    time: nothing is parsed again, and worker processes share its memory.

    A file that cannot be read is refused with its name; see `load_readable` to go on without it.

    Args:
        like: a library that may hold some of the very same files: these are copied from it and not read again.

    Raises:
        UnreadableFile: a file is damaged or hostile, there is no game system or more than one, or the set is too large.
    """
    return _load(files, cache_dir, strict=True, like=like)


def load_readable(files: Sequence[SourceFile], *, cache_dir: Path | None = None) -> Library:
    """As `load_library`, but an unreadable catalogue becomes a problem of the library instead of a refusal.

    Raises:
        UnreadableFile: the game system itself is missing or unreadable, or there is more than one.
    """
    return _load(files, cache_dir, strict=False)


def load_compiled(content_hash: str, *, cache_dir: Path) -> Library | None:
    """The library with this `content_hash` from the cache, its files unread; None when it is not there."""
    columns = open_columns(cache_dir / f"{content_hash[:40]}-{LAYOUT}.columns")
    return Library(columns, content_hash[:40]) if columns is not None else None


def content_hash(files: Sequence[SourceFile]) -> str:
    """Names the content of a set: the same files in any order, zipped or not, give the same."""
    return _digest(_digests(files))


def _digests(files: Sequence[SourceFile]) -> list[tuple[str, bytes]]:
    """Name and hash of each file's content."""
    return [(unzipped_name(file.name), file.digest or hashlib.sha256(_plain(file)).digest()) for file in files]


def library_from_json(game_system: Mapping[str, object], catalogues: Sequence[Mapping[str, object]]) -> Library:
    """A library from the JSON form of the adapter protocol (§15)."""
    builder = Builder()
    read_json_data("gameSystem", game_system, file_name="gameSystem", builder=builder)
    for at, catalogue in enumerate(catalogues):
        read_json_data("catalogue", catalogue, file_name=f"catalogues/{at}", builder=builder)
    return Library(compile_data(builder, ()), "")


def expand_archives(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The same files with every archive (.zip, .bsr) replaced by the data files inside it."""
    found: list[SourceFile] = []
    for file in files:
        if is_zip(file.data) and not file.name.lower().endswith((".gstz", ".catz", ".gst", ".cat")):
            found.extend(SourceFile(name, data) for name, data in members(file.data, file_name=file.name))
        else:
            found.append(file)
    return found


class SystemFiles(msgspec.Struct, frozen=True):
    """The files of one game system out of a mixed folder; the name is the one in its file."""

    system_id: str
    name: str
    files: tuple[SourceFile, ...]


def group_by_system(files: Sequence[SourceFile]) -> tuple[SystemFiles, ...]:
    """Sort files by the game system they belong to; catalogues whose system is not there are left out.

    Raises:
        UnreadableFile: a file is damaged or hostile.
    """
    heads = [_head_of(file) for file in files]
    systems = {head[1]: head[2] for head in heads if head[0] == NodeKind.GAME_SYSTEM}
    return tuple(
        SystemFiles(
            system_id,
            name,
            tuple(file for file, head in zip(files, heads, strict=True) if head[1] == system_id),
        )
        for system_id, name in systems.items()
    )


def _head_of(file: SourceFile) -> tuple[int, str, str]:
    """Kind, game system and name in a file's root element; hardly anything behind it is unpacked or read."""
    data = beginning(file.data, _HEAD_BYTES, file_name=file.name)
    head = _root_in(data, file.name)
    if head is None and len(data) == _HEAD_BYTES:
        head = _root_in(_plain(file), file.name)
    if head is None:
        raise UnreadableFile("the file has no root element.", file.name)
    return head


def _root_in(data: bytes, file_name: str) -> tuple[int, str, str] | None:
    """What the first element says, where it ends within these bytes of the file's beginning."""
    parser = etree.XMLPullParser(events=("start",), resolve_entities=False, no_network=True, load_dtd=False)
    try:
        for start in range(0, len(data), 4096):
            parser.feed(data[start : start + 4096])
            for _, root in parser.read_events():
                assert isinstance(root, etree._Element)  # only starts of elements are asked for
                kind = {"gameSystem": NodeKind.GAME_SYSTEM, "catalogue": NodeKind.CATALOGUE}.get(bare(root.tag), -1)
                owner = root.get("id" if kind == NodeKind.GAME_SYSTEM else "gameSystemId")
                return kind, owner or "", root.get("name") or ""
    except etree.XMLSyntaxError as error:
        raise UnreadableFile(why_no_xml(data, str(error.msg)), file_name, error.lineno) from error
    return None


def _plain(file: SourceFile) -> bytes:
    return unzipped(file.data, file_name=file.name)


def unzipped_name(name: str) -> str:
    """What a file is called without its folder, unzipped."""
    name = name.replace("\\", "/").rsplit("/", 1)[-1]
    return name[:-1] if name.lower().endswith((".gstz", ".catz")) else name


def _load(files: Sequence[SourceFile], cache_dir: Path | None, *, strict: bool, like: Library | None = None) -> Library:
    if not files:
        raise UnreadableFile("the set has no file.", "(nothing)")
    if sum(len(file.data) for file in files) > MAX_TOTAL_BYTES:
        raise UnreadableFile(f"the set is larger than {MAX_TOTAL_BYTES} bytes.", files[0].name)
    if cache_dir is None:
        return _compile([(file, None) for file in files], None, strict=strict, like=like)
    digests = _digests(files)
    path = cache_dir / f"{_digest(digests)[:40]}-{LAYOUT}.columns"
    columns = open_columns(path)
    if columns is not None:
        return Library(columns, path.name[:40])
    known = [(file, digest) for file, (_, digest) in zip(files, digests, strict=True)]
    return _compile(known, path, strict=strict, like=like)


class _Read:
    """The files of a library that was made before, and what was not understood when they were read."""

    def __init__(self, library: Library | None) -> None:
        whole = library is not None and not any(problem.kind == "too-many" for problem in library.problems)
        self._columns = library.columns if library is not None and whole else None
        self._files = {(file.name, file.digest): file for file in self._columns.files} if self._columns else {}
        self._unknown: dict[str, list[tuple[str, int]]] = {}
        for problem in library.problems if library is not None and whole else ():
            if problem.kind == "unknown-element":
                self._unknown.setdefault(problem.file_name, []).append((problem.target_id, problem.line or 0))

    def copied(self, name: str, digest: bytes, builder: Builder) -> list[tuple[str, int]] | None:
        """Append a file with this name and content; its unknown elements, or None when the library has none such."""
        file = self._files.get((name, digest))
        if file is None or self._columns is None:
            return None
        builder.append(self._columns, file)
        return self._unknown.get(name, [])


def _compile(
    files: Sequence[tuple[SourceFile, bytes | None]], path: Path | None, *, strict: bool, like: Library | None = None
) -> Library:
    """The library of files, each with the hash of its content where that is known, kept in this place."""
    builder = Builder()
    read = _Read(like)
    problems: list[LoadProblem] = []
    digests = []
    system_id = ""
    seen: set[str] = set()
    for file, known in sorted(
        files, key=lambda file: (".gst" not in file[0].name.lower(), unzipped_name(file[0].name))
    ):
        name = unzipped_name(file.name)
        nodes, attributes = len(builder), len(builder.key)
        try:
            data = _plain(file) if known is None else b""
            digest = known or hashlib.sha256(data).digest()
            digests.append((name, digest))
            unknown = read.copied(name, digest, builder)
            if unknown is None:
                unknown = read_data_file(data or _plain(file), file_name=name, builder=builder)
                builder.files[-1] = msgspec.structs.replace(builder.files[-1], digest=digest)
            root = _root_of(builder, nodes, attributes, name)
        except UnreadableFile as refusal:
            if strict:
                raise
            problems.append(LoadProblem(name, "", "unreadable-file", "", "", refusal.message, refusal.line))
            continue
        root_id = root[Key.ID]
        if builder.kind[nodes] == NodeKind.GAME_SYSTEM:
            if system_id:
                raise UnreadableFile("the set has more than one game system; load each by itself.", name)
            system_id = root_id
        refused = _misplaced(name, root, system_id, seen)
        if refused is not None:
            problems.append(refused)
            builder.rewind(nodes, attributes)
            builder.files.pop()
            continue
        seen.add(root_id)
        problems += [
            LoadProblem(
                name, root_id, "unknown-element", "", tag, f"The element {tag} is not known and was skipped.", line
            )
            for tag, line in unknown
        ]
    if not system_id:
        raise UnreadableFile("the set has no readable game system file (.gst).", files[0][0].name)
    columns = compile_data(builder, problems)
    if path is not None:
        columns.save(path)
        columns = open_columns(path) or columns
    return Library(columns, path.name[:40] if path is not None else _digest(digests)[:40])


def _root_of(builder: Builder, nodes: int, attributes: int, name: str) -> dict[int, str]:
    """Attributes of the root element of the file read last; a file without an id leaves nothing behind."""
    root = builder.attributes(nodes)
    if not root.get(Key.ID):
        builder.rewind(nodes, attributes)
        builder.files.pop()
        raise UnreadableFile("its root element has no id; take the file from where it comes from once more.", name)
    return root


def _misplaced(name: str, root: Mapping[int, str], system_id: str, seen: set[str]) -> LoadProblem | None:
    """Why a file does not belong into the set: another game system, or the id of a file that is already there."""
    root_id = root.get(Key.ID, "")
    other = root.get(Key.GAME_SYSTEM_ID, "")
    if other not in {"", system_id}:
        message = f"This catalogue belongs to another game system ({other}) and was left out."
        return LoadProblem(name, root_id, "wrong-game-system", root_id, other, message)
    if root_id in seen:
        message = f"Another file of the set has the id {root_id} too; this one was left out."
        return LoadProblem(name, root_id, "duplicate-file", root_id, root_id, message)
    return None


def _digest(parts: Sequence[tuple[str, bytes]]) -> str:
    whole = hashlib.sha256()
    for name, digest in sorted(parts):
        whole.update(name.encode("utf-8", "surrogatepass") + b"\0" + digest)
    return whole.hexdigest()
