"""Data files from an address on the web: a file, an archive, or a repository index, without reaching inwards.

Only https is fetched, and only from hosts all of whose addresses are public; plain http, other ports of one's own and
private addresses are for hosts listed in DATA_SOURCE_ALLOWED_HOSTS. The connection goes to the very address that was
examined, so a name that resolves differently the second time gains nothing, and each redirect is examined anew.
"""

import http.client
import ssl
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from ipaddress import IPv6Address, ip_address
from pathlib import PurePosixPath
from socket import IPPROTO_TCP, SHUT_RDWR, create_connection, gaierror, getaddrinfo
from threading import Timer
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from django.conf import settings

from armybuilder.datafiles.errors import BadDataFile, SourceRefused, TooMuchData
from armybuilder.engine.battlescribe_files.cat_xml import bare, parse_tree
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile, is_zip, unzipped

MOST_REDIRECTS = 5
INDEX_MEMBER = "index.xml"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CHUNK = 1 << 16

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
            names = _names_in(content, file_name)
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


def fetch(address: str, *, deadline: float | None = None) -> bytes:
    """What an address answers with.

    Args:
        deadline: of `time.monotonic`; by default as long as a whole source may take.

    Raises:
        SourceRefused: it may not be asked, cannot be reached, or does not answer 200.
        TooMuchData: more bytes or time than a file may take.
    """
    deadline = deadline if deadline is not None else time.monotonic() + settings.DATA_SOURCE_SECONDS
    current = address
    for _ in range(MOST_REDIRECTS + 1):
        parts = _permitted(current)
        connection = _connection(parts, current)
        # A host that sends a byte now and then never runs into the time limit of a single wait.
        alarm = Timer(max(0.0, deadline - time.monotonic()), connection.break_off)
        alarm.daemon = True
        alarm.start()
        try:
            connection.request("GET", _target(parts), headers=_HEADERS)
            answer = connection.getresponse()
            if answer.status in _REDIRECTS and (onward := answer.getheader("Location")):
                current = urljoin(current, onward)
                continue
            if answer.status != HTTPStatus.OK:
                raise SourceRefused(current, f"answered {answer.status} {answer.reason}"[:120])
            return _body(answer, current, deadline)
        except (OSError, http.client.HTTPException, ValueError) as failure:
            raise SourceRefused(current, f"gave no usable answer ({failure})"[:200]) from failure
        finally:
            alarm.cancel()
            connection.close()
    raise SourceRefused(address, f"redirects more than {MOST_REDIRECTS} times")


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


def _permitted(address: str) -> SplitResult:
    """The parts of an address that may be asked at all."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as broken:
        raise SourceRefused(address, f"is no address ({broken})") from broken
    if parts.scheme not in {"https", "http"} or not host:
        raise SourceRefused(address, "is no https address")
    if parts.username is not None or parts.password is not None:
        raise SourceRefused(address, "holds a user name or password")
    if any(ord(character) <= 32 or ord(character) == 127 for character in address):
        raise SourceRefused(address, "holds a space or control character")
    if not _is_listed(host):
        if parts.scheme != "https":
            raise SourceRefused(address, "is not https; list the host in DATA_SOURCE_ALLOWED_HOSTS to permit http")
        if port not in {None, 443}:
            raise SourceRefused(address, "asks for another port than 443; list the host in DATA_SOURCE_ALLOWED_HOSTS")
    return parts


def _is_listed(host: str) -> bool:
    return host.lower() in {name.lower() for name in settings.DATA_SOURCE_ALLOWED_HOSTS}


def _connection(parts: SplitResult, address: str) -> "_Pinned":
    """A connection to an address of the host that was examined."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = [str(row[4][0]) for row in getaddrinfo(host, port, proto=IPPROTO_TCP)]
    except (gaierror, UnicodeError) as unknown:
        raise SourceRefused(address, f"is at a host nobody knows ({host})") from unknown
    if not _is_listed(host) and not all(map(_is_public, found)):
        raise SourceRefused(address, f"is at a private address ({host}); list it in DATA_SOURCE_ALLOWED_HOSTS")
    context = ssl.create_default_context() if parts.scheme == "https" else None
    return _Pinned(host, port, found[0], context)


def _is_public(text: str) -> bool:
    """Whether an IP address is one of the open internet, also where IPv6 wraps an IPv4 address."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if wrapped is not None:
            return wrapped.is_global and not wrapped.is_multicast
        if address in _NAT64:
            return False
    return address.is_global and not address.is_multicast


class _Nat64:
    """64:ff9b::/96, through which a gateway reaches any IPv4 address, private ones too."""

    def __contains__(self, address: IPv6Address) -> bool:
        return address.packed[:12] == b"\x00\x64\xff\x9b" + bytes(8)


_NAT64 = _Nat64()


class _Pinned(http.client.HTTPConnection):
    """A connection to one IP address, under the name of its host."""

    def __init__(self, host: str, port: int, ip: str, context: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=settings.DATA_SOURCE_WAIT_SECONDS)
        self._ip = ip
        self._context = context
        self.default_port = 443 if context is not None else 80

    def break_off(self) -> None:
        """End every wait of another thread on this connection."""
        with suppress(OSError):
            if self.sock is not None:
                self.sock.shutdown(SHUT_RDWR)

    def connect(self) -> None:
        """Connect to the address that was examined, whatever the name leads to by now."""
        self.sock = create_connection((self._ip, self.port), self.timeout)
        if self._context is not None:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)


def _target(parts: SplitResult) -> str:
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    return path + (f"?{quote(parts.query, safe='/%:@!$&()*+,;=~-._?')}" if parts.query else "")


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


def _names_in(content: bytes, file_name: str) -> list[str]:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return [PurePosixPath(info.filename).name for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError) as broken:
        raise BadDataFile(file_name, f"is no readable zip archive ({broken})") from broken


def _holds(content: bytes, data_id: str, *, file_name: str) -> bool:
    """Whether the id stands in the head of a file, where its root element is."""
    try:
        head = unzipped(content, file_name=file_name)[:8192]
    except UnreadableFile as broken:
        raise BadDataFile(file_name, broken.message) from broken
    return data_id.encode() in head or b"\x00" in head  # UTF-16 is read by the parser
