"""Zipped .gstz, .catz and .rosz files, opened with limits: a bomb is refused before it unpacks."""

import io
import struct
import zipfile
import zlib
from typing import Final

from armybuilder.engine.battlescribe_files.file_signs import is_cut_off, looks_like
from armybuilder.engine.errors import GameError

MAX_FILE_BYTES: Final = 64_000_000
"""Largest single file that is read; the largest known catalogue has 4 MB."""

MAX_MEMBERS: Final = 2_000
"""Most members of an archive."""

MAX_TOTAL_BYTES: Final = 400_000_000
"""Largest unpacked archive; the largest known data set has 52 MB."""


DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
"""What Python raises for an archive that is damaged, encrypted, or of a version or compression it does not know."""


class UnreadableFile(GameError):
    """A data or roster file that cannot be read.

    Args:
        message: what is wrong, in a sentence.
        file_name: name of the file as it was given.
        line: line in the file, from 1; None where no line can be named.
    """

    code = "unreadable-file"

    def __init__(self, message: str, file_name: str, line: int | None = None) -> None:
        where = f"{file_name}, line {line}" if line is not None else file_name
        super().__init__(f"{where}: {message}")
        self.message = message
        self.file_name = file_name
        self.line = line


def is_zip(data: bytes) -> bool:
    """Whether these bytes are a zip archive, whatever the file is called."""
    return data[:2] == b"PK"


def unzipped(data: bytes, *, file_name: str, most: int = MAX_FILE_BYTES) -> bytes:
    """The one file in a zipped data or roster file; other bytes come back as they are.

    Args:
        most: bytes that it may have.

    Raises:
        UnreadableFile: no archive, empty, encrypted, damaged, or larger than that.
    """
    if not is_zip(data):
        if len(data) > most:
            raise UnreadableFile(f"the file has {len(data)} bytes; {most} are allowed.", file_name)
        return data
    with _archive(data, file_name) as archive:
        return _content(archive, _only_file(archive, file_name), file_name, most)


def beginning(data: bytes, size: int, *, file_name: str) -> bytes:
    """The first bytes of the one file in a zipped data or roster file, the rest of it not unpacked.

    Raises:
        UnreadableFile: no archive, empty, encrypted, damaged, or too large.
    """
    if not is_zip(data):
        return data[:size]
    with _archive(data, file_name) as archive:
        return _content(archive, _only_file(archive, file_name), file_name, first=size)


def members(data: bytes, *, file_name: str) -> list[tuple[str, bytes]]:
    """Every data file (.gst, .cat, .gstz, .catz) of an archive, by its bare name.

    Folders are ignored, so a name cannot point outside; names come back without any path.

    Raises:
        UnreadableFile: no archive, damaged, too many members, or too large.
    """
    found: list[tuple[str, bytes]] = []
    total = 0
    with _archive(data, file_name) as archive:
        infos = archive.infolist()
        if len(infos) > MAX_MEMBERS:
            raise UnreadableFile(f"the archive has {len(infos)} members; {MAX_MEMBERS} are allowed.", file_name)
        for info in infos:
            name = info.filename.replace("\\", "/").rsplit("/", 1)[-1]
            if info.is_dir() or not name.lower().endswith((".gst", ".cat", ".gstz", ".catz")):
                continue
            content = _content(archive, info, file_name)
            total += len(content)
            if total > MAX_TOTAL_BYTES:
                raise UnreadableFile(f"the archive unpacks to more than {MAX_TOTAL_BYTES} bytes.", file_name)
            found.append((name, content))
    return found


def zipped(data: bytes, *, member_name: str) -> bytes:
    """A zip archive holding one file, the same bytes for the same content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(member_name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _only_file(archive: zipfile.ZipFile, file_name: str) -> zipfile.ZipInfo:
    files = [member for member in archive.infolist() if not member.is_dir()]
    if not files:
        raise UnreadableFile("the archive is empty.", file_name)
    return files[0]


def _archive(data: bytes, file_name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except DAMAGED as error:
        raise UnreadableFile(why_no_archive(data, error), file_name) from error


def why_no_archive(data: bytes, error: Exception) -> str:
    """What is wrong with bytes that are no readable archive, in a sentence."""
    if is_cut_off(data):
        return "the zip archive is cut off: its end is missing. Save or download it once more."
    seen = None if is_zip(data) else looks_like(data)
    return f"the file is no readable zip archive ({error})." if seen is None else f"the file is no zip but {seen.en}."


def _content(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    file_name: str,
    most: int = MAX_FILE_BYTES,
    *,
    first: int | None = None,
) -> bytes:
    """A member's bytes, or the first of them; never more than allowed, whatever the archive claims."""
    where = f"{file_name}/{info.filename[-80:]}"
    if info.flag_bits & 1:
        raise UnreadableFile("the archive is encrypted.", where)
    if info.file_size > most:
        raise UnreadableFile(f"the file unpacks to {info.file_size} bytes; {most} are allowed.", where)
    try:
        with archive.open(info) as member:
            content = member.read(most + 1 if first is None else first)
    except DAMAGED as error:
        raise UnreadableFile(f"the archive is damaged ({error}).", where) from error
    if len(content) > most:
        raise UnreadableFile(f"the file unpacks to more than {most} bytes.", where)
    return content
