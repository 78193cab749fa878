"""Files -> Library: parsed once, compiled into var/cache, and kept at hand by every process for the releases in use."""

import tomllib
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType
from uuid import UUID

from django.conf import settings

from armybuilder import figures
from armybuilder.accounts.errors import NotFound
from armybuilder.datafiles.bundles import TRANSLATIONS, IncomingFile
from armybuilder.datafiles.errors import BadDataFile, BadDataFiles, NothingToPublish
from armybuilder.datafiles.models import DataFile, DataRelease
from armybuilder.engine.battlescribe_files.cat_xml import parse_tree
from armybuilder.engine.battlescribe_files.library import (
    group_by_system,
    load_compiled,
    load_library,
    unzipped_name,
)
from armybuilder.engine.battlescribe_files.zipped import unzipped
from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, SourceFile


@dataclass(frozen=True, slots=True)
class GameFiles:
    """The files of one game out of a set that may hold several.

    Attributes:
        battlescribe_id, name: as its game system file says.
    """

    battlescribe_id: str
    name: str
    files: tuple[IncomingFile, ...]


def parse(files: Sequence[IncomingFile], *, like: UUID | None = None) -> Library:
    """The library of these files; its `problems` list what did not resolve.

    Args:
        like: a release that may hold some of the very same files; what it has compiled of them is not read again.

    Raises:
        GameError: a file that cannot be read; the message names file and line or id.
    """
    settings.COMPILED_CACHE_DIR.mkdir(parents=True, exist_ok=True)
    before = _compiled(like) if like is not None else None
    known = _contents(like, before) if like is not None and before is not None else {}
    sources = [
        SourceFile(file.name, file.content, known.get((file.name, file.sha256))) for file in files if file.is_game_data
    ]
    return load_library(sources, cache_dir=settings.COMPILED_CACHE_DIR, like=before)


def _contents(release_id: UUID, library: Library) -> dict[tuple[str, str], bytes]:
    """Digests of what is in the files of a release, unzipped, by name and hash of each as it came."""
    stored = list(DataFile.objects.filter(release_id=release_id).values_list("name", "sha256"))
    inside = {file.name: file.digest for file in library.columns.files}
    often = Counter(unzipped_name(name) for name, _ in stored)
    return {
        (name, sha256): inside[plain]
        for name, sha256 in stored
        if often[plain := unzipped_name(name)] == 1 and inside.get(plain)
    }


def refuse_broken(files: Sequence[IncomingFile]) -> None:
    """Name every file that cannot be read, in one go; for a set of which one file was found broken.

    Raises:
        BadDataFiles: with what is wrong with each of them.
    """
    problems = []
    for file in files:
        if file.is_game_data:
            try:
                parse_tree(unzipped(file.content, file_name=file.name), file_name=file.name)
            except GameError as broken:
                problems.append(str(broken))
    if problems:
        raise BadDataFiles(problems)


def by_game(files: Sequence[IncomingFile]) -> tuple[GameFiles, ...]:
    """Sort files by the game system they belong to; what belongs to none of those given stays with the first.

    Raises:
        UnreadableFile: a file whose root element cannot be read.
        NothingToPublish: there is no game system among them.
    """
    groups = group_by_system([SourceFile(file.name, file.content) for file in files if file.is_game_data])
    if not groups:
        raise NothingToPublish("There is no game system (.gst) among the files.")
    placed = {source.name: group.system_id for group in groups for source in group.files}
    first = groups[0].system_id
    return tuple(
        GameFiles(
            group.system_id,
            group.name,
            tuple(file for file in files if not file.is_game_data or placed.get(file.name, first) == group.system_id),
        )
        for group in groups
    )


def translations(files: Sequence[IncomingFile]) -> dict[str, str]:
    """Russian names by the name in the data, from a `names.ru.toml` among the files; its tables only group them.

    Raises:
        BadDataFile: it is no TOML, or holds something else than texts.
    """
    names: dict[str, str] = {}
    for file in files:
        if file.name == TRANSLATIONS:
            try:
                names.update(_texts(file.name, tomllib.loads(file.content.decode())))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
                raise BadDataFile(file.name, f"is no readable TOML ({broken})") from broken
    return names


def _texts(file_name: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _texts(file_name, value)
        elif isinstance(value, str):
            yield name, value
        else:
            raise BadDataFile(file_name, f'the value of "{name}" is no text')


class _Shelf:
    """The libraries of the releases used last; each is loaded by one thread while others wait for it."""

    def __init__(self) -> None:
        self._libraries: OrderedDict[UUID, Library] = OrderedDict()
        self._names: dict[UUID, Mapping[str, str]] = {}
        self._loading: dict[UUID, Lock] = {}
        self._lock = Lock()

    def library(self, release_id: UUID) -> Library:
        with self._lock:
            if found := self._libraries.get(release_id):
                self._libraries.move_to_end(release_id)
                return found
            loading = self._loading.setdefault(release_id, Lock())
        with loading:
            with self._lock:
                if found := self._libraries.get(release_id):
                    return found
            figures.LIBRARY_LOADS.inc()
            library = _compiled(release_id) or parse(stored_files(release_id))
            self.keep(release_id, library)
            return library

    def keep(self, release_id: UUID, library: Library) -> None:
        with self._lock:
            self._libraries[release_id] = library
            self._libraries.move_to_end(release_id)
            while len(self._libraries) > settings.LIBRARIES_IN_MEMORY:
                dropped, _ = self._libraries.popitem(last=False)
                self._loading.pop(dropped, None)
                self._names.pop(dropped, None)

    def names(self, release_id: UUID) -> Mapping[str, str]:
        with self._lock:
            if (found := self._names.get(release_id)) is not None:
                return found
        files = DataFile.objects.filter(release_id=release_id, name=TRANSLATIONS)
        names = MappingProxyType(translations([IncomingFile(file.name, bytes(file.content)) for file in files]))
        with self._lock:
            self._names[release_id] = names
        return names


def _compiled(release_id: UUID) -> Library | None:
    """The library as it was compiled when the release was stored, if the cache still has it."""
    known = compiled_hash(release_id)
    return load_compiled(known, cache_dir=settings.COMPILED_CACHE_DIR) if known is not None else None


def compiled_hash(release_id: UUID) -> str | None:
    """Names what was compiled when a release was stored; None for releases of cards, and of long ago."""
    known = DataRelease.objects.filter(pk=release_id).values_list("report__compiled", flat=True).first()
    return known if isinstance(known, str) else None


_shelf = _Shelf()


def library_of(release_id: UUID) -> Library:
    """The library of a stored release, shared by all threads of the process.

    Raises:
        NotFound: there is no such release.
    """
    return _shelf.library(release_id)


def keep_library(release_id: UUID, library: Library) -> None:
    """Have a library that was just parsed at hand for its release."""
    _shelf.keep(release_id, library)


def russian_names(release_id: UUID) -> Mapping[str, str]:
    """Russian names of a release by the name in its data; what is missing has none."""
    return _shelf.names(release_id)


def stored_files(release_id: UUID) -> tuple[IncomingFile, ...]:
    """The files of a release, byte for byte.

    Raises:
        NotFound: there is no such release.
    """
    rows = DataFile.objects.filter(release_id=release_id).order_by("name").values_list("name", "content")
    files = tuple(IncomingFile(name, bytes(content)) for name, content in rows)
    if not files and not DataRelease.objects.filter(pk=release_id).exists():
        raise NotFound("There is no such data release.")
    return files
