"""Data files from an address on the web: a file, an archive, or a repository index, without reaching inwards.

What may be asked at all is told in `armybuilder/outbound.py`; each redirect is examined anew.
"""

import http.client
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from pathlib import PurePosixPath
from threading import Timer
from typing import TypeVar
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from django.conf import settings

from armybuilder.datafiles.errors import BadDataFile, SourceRefused, TooMuchData
from armybuilder.engine.battlescribe_files.cat_xml import bare, parse_tree
from armybuilder.engine.battlescribe_files.zipped import DAMAGED, UnreadableFile, is_zip, unzipped, why_no_archive
from armybuilder.outbound import AddressRefused, Pinned, Policy, connection, permitted, target

MOST_REDIRECTS = 5
INDEX_MEMBER = "index.xml"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ETAG = ('"', "W/")
_CHUNK = 1 << 16
Read = TypeVar("Read")

Progress = Callable[[int, int, str], None]
"""Told what is being done: how many are done, of how many, and the name of the one in hand."""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file that a repository index names, by its path beside the index."""

    path: str
    data_id: str


def is_address(text: str) -> bool:
    """Whether a source is an address on the web and no path of the server."""
    return text.lower().startswith(("https://", "http://"))


def files_at(address: str, *, progress: Progress | None = None) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files an address leads to: those an index lists, else the one file or archive itself.

    Raises:
        SourceRefused: an address that may not be asked, or that gave no answer.
        BadDataFile: an index that cannot be read, or a file that is not what the index says.
        TooMuchData: beyond the limits on size, number or time.
    """
    deadline = time.monotonic() + settings.DATA_SOURCE_SECONDS
    name = _file_name(address)
    content = fetch(address, deadline=deadline)
    index = index_in(content, file_name=name)
    if index is None:
        yield name, content
        return
    total = 0
    for done, file in enumerate(index):
        if progress is not None:
            progress(done, len(index), file.path)
        found = fetch(_beside(address, file.path), deadline=deadline)
        total += len(found)
        if total > settings.GAMEDATA_MAX_TOTAL_BYTES:
            raise TooMuchData(f"The files together are larger than {settings.GAMEDATA_MAX_TOTAL_BYTES:,} bytes.")
        if file.data_id and not _holds(found, file.data_id, file_name=file.path):
            raise BadDataFile(file.path, f"does not hold the id {file.data_id} that the index promises")
        yield PurePosixPath(file.path).name, found


def index_in(content: bytes, *, file_name: str) -> tuple[IndexedFile, ...] | None:
    """The files a repository index lists; None when this is no index, as an archive that brings its files along.

    Raises:
        BadDataFile: an index that is damaged, empty or names what does not lie beside it.
        TooMuchData: it names too many files.
    """
    try:
        if is_zip(content):
            names = names_in(content, file_name)
            # A .bsr holds the files themselves beside its index; a .bsi holds the index alone.
            if INDEX_MEMBER not in names or len(names) > 1:
                return None
            content = unzipped(content, file_name=file_name)
        elif not file_name.lower().endswith((".xml", ".bsi")):
            return None
        root = parse_tree(content, file_name=file_name)
    except UnreadableFile as broken:
        raise BadDataFile(file_name, f"is no readable repository index ({broken.message})") from broken
    if bare(root.tag) != "dataIndex":
        raise BadDataFile(file_name, f"is no repository index: its root element is {bare(root.tag)[:60]}")
    rows = [row for row in root.iter() if bare(row.tag) == "dataIndexEntry"]
    if len(rows) > settings.GAMEDATA_MAX_FILES:
        raise TooMuchData(f"{file_name} lists more than {settings.GAMEDATA_MAX_FILES} files.")
    found = tuple(
        IndexedFile(_plain_path(row.get("filePath", ""), file_name), row.get("dataId", ""))
        for row in rows
        if row.get("dataType", "").lower() in {"gamesystem", "catalogue"}
    )
    if not found:
        raise BadDataFile(file_name, "is a repository index without any game system or catalogue")
    return found


def mark_of(address: str, *, known: str) -> str:
    """The mark of what lies at an address now, by its headers alone; `known` where that has not changed.

    Its ETag, else the time it was changed; empty for a host that says neither, so that it is read each time.

    Raises:
        SourceRefused, TooMuchData: as `fetch`.
    """
    question = "If-None-Match" if known.startswith(_ETAG) else "If-Modified-Since"
    status, mark = _asked(address, None, {question: known} if known else {}, _mark)
    return known if known and status == HTTPStatus.NOT_MODIFIED else mark[:200]


def _mark(answer: http.client.HTTPResponse, _: str, __: float) -> tuple[int, str]:
    return answer.status, answer.getheader("ETag") or answer.getheader("Last-Modified") or ""


def fetch(address: str, *, deadline: float | None = None) -> bytes:
    """What an address answers with.

    Args:
        deadline: of `time.monotonic`; by default as long as a whole source may take.

    Raises:
        SourceRefused: it may not be asked, cannot be reached, or does not answer 200.
        TooMuchData: more bytes or time than a file may take.
    """
    return _asked(address, deadline, {}, _body)


def _asked(
    address: str,
    deadline: float | None,
    headers: Mapping[str, str],
    read: Callable[[http.client.HTTPResponse, str, float], Read],
) -> Read:
    """What is read of the answer of an address, redirects followed."""
    deadline = deadline if deadline is not None else time.monotonic() + settings.DATA_SOURCE_SECONDS
    current = address
    for _ in range(MOST_REDIRECTS + 1):
        parts, asked = _opened(current)
        # A host that sends a byte now and then never runs into the time limit of a single wait.
        alarm = Timer(max(0.0, deadline - time.monotonic()), asked.break_off)
        alarm.daemon = True
        alarm.start()
        try:
            asked.request("GET", target(parts), headers={**_HEADERS, **headers})
            answer = asked.getresponse()
            if answer.status in _REDIRECTS and (onward := answer.getheader("Location")):
                current = urljoin(current, onward)
                continue
            if answer.status != HTTPStatus.OK and not (headers and answer.status == HTTPStatus.NOT_MODIFIED):
                raise SourceRefused(current, f"answered {answer.status} {answer.reason}"[:120])
            return read(answer, current, deadline)
        except (OSError, http.client.HTTPException, ValueError) as failure:
            raise SourceRefused(current, f"gave no usable answer ({failure})"[:200]) from failure
        finally:
            alarm.cancel()
            asked.close()
    raise SourceRefused(address, f"redirects more than {MOST_REDIRECTS} times")


def _opened(address: str) -> tuple[SplitResult, Pinned]:
    """The parts of an address and a connection to its host. Raises SourceRefused where it may not be asked."""
    allowed = Policy(settings.DATA_SOURCE_ALLOWED_HOSTS, "DATA_SOURCE_ALLOWED_HOSTS")
    try:
        parts = permitted(address, allowed=allowed)
        return parts, connection(parts, address, allowed=allowed, wait_seconds=settings.DATA_SOURCE_WAIT_SECONDS)
    except AddressRefused as refused:
        raise SourceRefused(refused.address, refused.reason) from refused


_HEADERS = {"User-Agent": "army-builder", "Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close"}


def _body(answer: http.client.HTTPResponse, address: str, deadline: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read1(_CHUNK):
        size += len(chunk)
        if size > settings.GAMEDATA_MAX_FILE_BYTES:
            raise TooMuchData(f"{address} is larger than {settings.GAMEDATA_MAX_FILE_BYTES:,} bytes.")
        if time.monotonic() >= deadline:
            break
        parts.append(chunk)
    if time.monotonic() >= deadline:  # an answer that was broken off can look like one that has ended
        raise TooMuchData(f"{address} took longer than {settings.DATA_SOURCE_SECONDS} seconds.")
    if answer.length:
        raise SourceRefused(address, "broke off in the middle of its answer")
    return b"".join(parts)


def _file_name(address: str) -> str:
    return unquote(PurePosixPath(urlsplit(address).path).name)[:255] or "download"


def _beside(address: str, path: str) -> str:
    """The address of a file beside the index, with the query of the index, as `?raw=true` belongs to each file."""
    parts = urlsplit(address)
    folder = parts.path.rpartition("/")[0]
    return urlunsplit((parts.scheme, parts.netloc, f"{folder}/{quote(path)}", parts.query, ""))


def _plain_path(path: str, file_name: str) -> str:
    """A path that leads to the folder of the index or deeper."""
    plain = path.replace("\\", "/")
    steps = plain.split("/")
    if not plain or ":" in plain or any(step in {"", ".", ".."} for step in steps):
        raise BadDataFile(file_name, f'lists a file that does not lie beside it: "{path[:200]}"')
    return plain


def names_in(content: bytes, file_name: str) -> list[str]:
    """The names in a zip archive, without folders. Raises BadDataFile where it cannot be read."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return [PurePosixPath(info.filename).name for info in archive.infolist() if not info.is_dir()]
    except DAMAGED as broken:
        raise BadDataFile(file_name, why_no_archive(content, broken)) from broken


def _holds(content: bytes, data_id: str, *, file_name: str) -> bool:
    """Whether the id stands in the head of a file, where its root element is."""
    try:
        head = unzipped(content, file_name=file_name)[:8192]
    except UnreadableFile as broken:
        raise BadDataFile(file_name, broken.message) from broken
    return data_id.encode() in head or b"\x00" in head  # UTF-16 is read by the parser
