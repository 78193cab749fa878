"""Files, folders and zip archives from outside -> the data files of one release, within this server's limits."""

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath

from django.conf import settings

from armybuilder.datafiles.errors import BadDataFile, NothingToPublish, TooMuchData
from armybuilder.datafiles.remote import Progress, files_at, is_address, names_in
from armybuilder.engine.battlescribe_files.file_signs import looks_like
from armybuilder.engine.battlescribe_files.zipped import DAMAGED, is_zip, why_no_archive

GAME_DATA = (".gst", ".cat", ".gstz", ".catz")
"""Endings of what the engine reads."""
ARCHIVES = (".zip", ".bsr")
"""Endings of archives of them; a .bsr is what BSData calls a whole repository."""
CARDS = "cards.toml"
"""What a game of heroes has instead of them."""
TRANSLATIONS = "names.ru.toml"
"""An optional file beside them: names in Russian, by the name in the data."""

NAMES_SAID = 5
"""Of files without use, in a refusal."""


@dataclass(frozen=True)
class IncomingFile:
    """A file from outside under its own name, without folders."""

    name: str
    content: bytes

    @cached_property
    def sha256(self) -> str:
        """Hash of the content, in hexadecimal."""
        return sha256(self.content).hexdigest()

    @property
    def is_game_data(self) -> bool:
        """Whether the engine reads it, judged by its name."""
        return self.name.lower().endswith(GAME_DATA)


def content_hash(files: Iterable[IncomingFile]) -> str:
    """One hash for a set of files: the same names with the same bytes give the same hash in any order."""
    lines = sorted(f"{file.name}\0{file.sha256}" for file in files)
    return sha256("\n".join(lines).encode()).hexdigest()


def bundle_of_sources(sources: Iterable[str], *, progress: Progress | None = None) -> tuple[IncomingFile, ...]:
    """The data files of paths on the server and of addresses on the web, which may lead to a repository index.

    Raises:
        SourceRefused: an address that may not be asked, or that gave no answer.
        GameError: as `bundle_of_paths`.
    """
    return _bundle(_files_of_sources(sources, progress))


def _files_of_sources(sources: Iterable[str], progress: Progress | None) -> Iterator[tuple[str, bytes]]:
    for source in sources:
        yield from files_at(source, progress=progress) if is_address(source) else _files_of_paths([Path(source)])


def bundle_of_paths(paths: Iterable[Path]) -> tuple[IncomingFile, ...]:
    """The data files among these files, folders (without what lies deeper) and zip archives.

    Raises:
        BadDataFile: a path that does not exist, or an archive that cannot be read.
        NothingToPublish: no data file among them.
        TooMuchData: beyond the limits.
    """
    return _bundle(_files_of_paths(paths))


def bundle_of_uploads(uploads: Iterable[tuple[str, bytes]]) -> tuple[IncomingFile, ...]:
    """The data files among uploaded files, given as name and content; raises as `bundle_of_paths` does."""
    return _bundle(uploads)


def _files_of_paths(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        if path.is_dir():
            candidates = sorted(p for p in path.iterdir() if p.is_file() and _is_wanted(p.name))
        elif path.is_file():
            candidates = [path]
        else:
            raise BadDataFile(str(path), "there is no such file or folder")
        for candidate in candidates:
            _refuse_if_large(candidate.name, candidate.stat().st_size)
            yield candidate.name, candidate.read_bytes()


def _bundle(given: Iterable[tuple[str, bytes]]) -> tuple[IncomingFile, ...]:
    files: dict[str, IncomingFile] = {}
    seen: list[str] = []
    total = 0
    for name, content in given:
        _refuse_if_large(name, len(content))
        seen += names_in(content, name) if _is_archive(name, content) else [_plain_name(name)]
        members = _members(name, content) if _is_archive(name, content) else [(name, content)]
        for member, data in members:
            file = IncomingFile(_plain_name(member), data)
            if not _is_wanted(file.name):
                if member == name:
                    raise BadDataFile(name, _why_no_data_file(data))
                continue
            if file.name in files and files[file.name] != file:
                raise BadDataFile(file.name, "was given twice with different content")
            total += len(data)
            if total > settings.GAMEDATA_MAX_TOTAL_BYTES:
                raise TooMuchData(f"The files together are larger than {settings.GAMEDATA_MAX_TOTAL_BYTES:,} bytes.")
            files[file.name] = file
            if len(files) > settings.GAMEDATA_MAX_FILES:
                raise TooMuchData(f"There are more than {settings.GAMEDATA_MAX_FILES} files.")
    if CARDS not in files and not any(file.is_game_data for file in files.values()):
        raise NothingToPublish(f"There is no .gst or .cat file among what was given{_names(seen)}.")
    return tuple(sorted(files.values(), key=lambda file: file.name))


def _members(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The wanted members of a zip archive, each read no further than the limit, whatever its header claims."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            wanted = [
                info
                for info in archive.infolist()
                if _is_wanted(_plain_name(info.filename)) and not info.filename.lower().endswith(ARCHIVES)
            ]
            if len(wanted) > settings.GAMEDATA_MAX_FILES:
                raise TooMuchData(f"{name}: there are more than {settings.GAMEDATA_MAX_FILES} files in it.")
            for info in wanted:
                with archive.open(info) as member:
                    data = member.read(settings.GAMEDATA_MAX_FILE_BYTES + 1)
                _refuse_if_large(f"{name}/{info.filename}", len(data))
                yield info.filename, data
    except DAMAGED as broken:
        raise BadDataFile(name, why_no_archive(content, broken)) from broken


def _names(seen: list[str]) -> str:
    """The first few names, to be read on after a sentence; nothing where there are none."""
    more = f" and {len(seen) - NAMES_SAID} more" if len(seen) > NAMES_SAID else ""
    return f": {', '.join(seen[:NAMES_SAID])}{more}" if seen else ""


def _why_no_data_file(content: bytes) -> str:
    seen = looks_like(content)
    what = "is no data file" if seen is None else f"is no data file but {seen.en}"
    return f"{what}; expected one that ends in {', '.join(GAME_DATA)} or .zip"


def _is_archive(name: str, content: bytes) -> bool:
    """An archive of data files, also under a name that does not say so, as downloads have."""
    return name.lower().endswith(ARCHIVES) or (is_zip(content) and not _is_wanted(name))


def _plain_name(name: str) -> str:
    """The last part of a name from any system; folders, and what climbs out of them, are dropped."""
    return PurePosixPath(name.replace("\\", "/").replace("\0", "")).name[:255]


def _is_wanted(name: str) -> bool:
    if name in (CARDS, TRANSLATIONS):
        return True
    return not name.startswith(".") and name.lower().endswith((*GAME_DATA, *ARCHIVES))


def _refuse_if_large(name: str, size: int) -> None:
    if size > settings.GAMEDATA_MAX_FILE_BYTES:
        raise TooMuchData(f"{name} is larger than {settings.GAMEDATA_MAX_FILE_BYTES:,} bytes.")
