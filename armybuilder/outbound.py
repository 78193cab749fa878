"""Requests to addresses that others have named: only to public ones, and to the very machine that was examined.

Only https is asked, and only hosts all of whose addresses are public; plain http, ports of one's own and private
addresses are for hosts that the operator lists. The connection goes to the address that was examined, so a name that
resolves differently the second time gains nothing. Nobody waits long for a name, whose owner may let that take minutes.
"""

import http.client
import ssl
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue
from socket import IPPROTO_TCP, SHUT_RDWR, create_connection, gaierror, getaddrinfo
from threading import BoundedSemaphore, Thread
from time import monotonic
from urllib.parse import SplitResult, quote, urlsplit

from armybuilder.engine.findings import Text

LOOKUP_SECONDS = 3.0
"""Longest wait for the addresses of a name; a system's own patience is half a minute and more."""

LOOKUPS_AT_ONCE = 16
"""Of one process: a lookup cannot be broken off, so whoever asks for slow names may hold no more than these."""

_lookups = BoundedSemaphore(LOOKUPS_AT_ONCE)


class AddressRefused(Exception):
    """An address that may not be asked.

    Attributes:
        reason: so that it reads on after the address.
        text: the whole sentence in both languages.
    """

    def __init__(self, address: str, reason: str, reason_in_russian: str) -> None:
        super().__init__(f"{address[:300]} {reason}.")
        self.address = address
        self.reason = reason
        self.text = Text(str(self), f"{address[:300]}: {reason_in_russian}.")


@dataclass(frozen=True, slots=True)
class Policy:
    """Hosts that may be asked by http, at ports of their own and at private addresses.

    Attributes:
        setting: the name under which the operator lists them.
    """

    hosts: Collection[str]
    setting: str


def permitted(address: str, *, allowed: Policy) -> SplitResult:
    """The parts of an address that may be asked at all. Raises AddressRefused for any other."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as broken:
        raise AddressRefused(address, f"is no address ({broken})", f"это не адрес ({broken})") from broken
    if parts.scheme not in {"https", "http"} or not host:
        raise AddressRefused(address, "is no https address", "это не адрес https")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused(address, "holds a user name or password", "в адресе имя или пароль")
    if any(ord(character) <= 32 or ord(character) == 127 for character in address):
        raise AddressRefused(address, "holds a space or control character", "в адресе пробел или управляющий знак")
    if not _is_listed(host, allowed.hosts):
        if parts.scheme != "https":
            raise AddressRefused(
                address,
                f"is not https; list the host in {allowed.setting} to permit http",
                f"это не https; чтобы разрешить http, впишите узел в {allowed.setting}",
            )
        if port not in {None, 443}:
            raise AddressRefused(
                address,
                f"asks for another port than 443; list the host in {allowed.setting}",
                f"порт не 443; впишите узел в {allowed.setting}",
            )
    return parts


def _is_listed(host: str, allowed: Collection[str]) -> bool:
    return host.lower() in {name.lower() for name in allowed}


def connection(parts: SplitResult, address: str, *, allowed: Policy, wait_seconds: float) -> "Pinned":
    """A connection to an address of the host that was examined. Raises AddressRefused where it is not public."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = _addresses(host, port)
    except (gaierror, UnicodeError) as unknown:
        raise AddressRefused(
            address, f"is at a host nobody knows ({host})", f"такого узла никто не знает ({host})"
        ) from unknown
    except TimeoutError as slow:
        raise AddressRefused(
            address,
            f"is at a host that was not found in {LOOKUP_SECONDS:g} seconds ({host}); try again later",
            f"узел не нашёлся за {LOOKUP_SECONDS:g} секунды ({host}); повторите позже",
        ) from slow
    if not _is_listed(host, allowed.hosts) and not all(map(_is_public, found)):
        raise AddressRefused(
            address,
            f"is at a private address ({host}); list it in {allowed.setting}",
            f"узел в частной сети ({host}); впишите его в {allowed.setting}",
        )
    context = ssl.create_default_context() if parts.scheme == "https" else None
    return Pinned(host, port, found[0], context, wait_seconds)


def _addresses(host: str, port: int) -> list[str]:
    """IP addresses of a host. Raises gaierror, UnicodeError, and TimeoutError after LOOKUP_SECONDS."""
    until = monotonic() + LOOKUP_SECONDS
    if not _lookups.acquire(timeout=LOOKUP_SECONDS):
        raise TimeoutError
    answers: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def look() -> None:
        try:
            answers.put([str(row[4][0]) for row in getaddrinfo(host, port, proto=IPPROTO_TCP)])
        except (OSError, UnicodeError) as failure:
            answers.put(failure)
        finally:
            _lookups.release()

    Thread(target=look, name="lookup", daemon=True).start()
    try:
        found = answers.get(timeout=max(until - monotonic(), 0.0))
    except Empty:
        raise TimeoutError from None
    if isinstance(found, Exception):
        raise found
    return found


def _is_public(text: str) -> bool:
    """Whether an IP address is one of the open internet, also where IPv6 wraps an IPv4 address."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if wrapped is not None:
            address = wrapped
        elif address not in _OPEN_INTERNET:
            return False
    if any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast


_OPEN_INTERNET = ip_network("2000::/3")
"""All of IPv6 that is given out. Beside it lie forms that gateways lead to IPv4, private addresses too (64:ff9b::/96,
64:ff9b:1::/48, ::ffff:0:0:0/96, ::/96), and what was private once (fec0::/10): Python takes most of them for public."""

_NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "192.0.0.0/24",  # of protocols (RFC 6890)
        "192.88.99.0/24",  # gateways to IPv6 that are no more (RFC 7526)
        "168.63.129.16/32",  # what a cloud tells its own machines only
        "2001::/23",  # of protocols (RFC 2928)
        "3fff::/20",  # of documents (RFC 9637)
    )
)
"""What is nobody's on the open internet, and public to one version of Python or another."""


class Pinned(http.client.HTTPConnection):
    """A connection to one IP address, under the name of its host."""

    def __init__(self, host: str, port: int, ip: str, context: ssl.SSLContext | None, wait_seconds: float) -> None:
        """Nothing is sent yet."""
        super().__init__(host, port, timeout=wait_seconds)
        self._ip = ip
        self._context = context
        self._is_broken_off = False
        self.default_port = 443 if context is not None else 80

    def break_off(self) -> None:
        """End every wait of another thread on this connection, or have it end when the connection stands.

        While both ends agree on how to encrypt, which has an end of its own, there is nothing here to be shut down.
        """
        self._is_broken_off = True
        with suppress(OSError):
            if self.sock is not None:
                self.sock.shutdown(SHUT_RDWR)

    def connect(self) -> None:
        """Connect to the address that was examined, whatever the name leads to by now."""
        self.sock = create_connection((self._ip, self.port), self.timeout)
        if self._context is not None:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)
        if self._is_broken_off:
            self.close()
            raise TimeoutError("It took too long to connect.")


def target(parts: SplitResult) -> str:
    """What is asked for, as it stands in the first line of a request."""
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    return path + (f"?{quote(parts.query, safe='/%:@!$&()*+,;=~-._?')}" if parts.query else "")
