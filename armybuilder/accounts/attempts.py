"""Counts what may be done only so many times: failed sign-ins by name and address, new accounts, pages that store."""

import re
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address, ip_network
from time import time

from django.conf import settings
from django.core.cache import caches
from django.utils.crypto import salted_hmac

_WITH_PORT = re.compile(r"^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$")


def client_address(meta: Mapping[str, str]) -> str:
    """The address a request came from, seen past the trusted proxies.

    Args:
        meta: variables of the WSGI environment.
    """
    hops = [hop.strip() for hop in meta.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
    if settings.PROXIES and len(hops) >= settings.PROXIES:
        return hops[-settings.PROXIES]
    return meta.get("REMOTE_ADDR", "")


def neighbourhood(address: str) -> str:
    """What counts as one address: of IPv6 everything one household is given (/64), which one machine may use up.

    IPv4 written as IPv6, as a server that listens to both sees it, is what it is; a port, which some proxies add, says
    nothing.
    """
    bare = _WITH_PORT.sub(r"\1\2", address)
    try:
        parsed = ip_address(bare)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    mapped = parsed.ipv4_mapped
    return str(mapped) if mapped is not None else str(ip_network((parsed.packed, 64), strict=False))


def address_mark(address: str) -> str:
    """An address as it is stored: told apart from others, and not to be read back. Empty stays empty."""
    return salted_hmac("armybuilder.address", neighbourhood(address)).hexdigest()[:32] if address else ""


def count(what: str, who: str, *, seconds: int) -> int:
    """Note that somebody does something once more; how often he did within the present window of time."""
    key = f"{what}:{sha256(who.encode()).hexdigest()}:{int(time()) // seconds}"
    if caches["counts"].add(key, 1, seconds):
        return 1
    try:
        return int(caches["counts"].incr(key))
    except ValueError:  # it ran out, or the cache made room, between the two calls
        return 1


def too_many(username: str, address: str) -> bool:
    """Whether this name from this address, or either alone, has failed too often of late."""
    counts = caches["counts"].get_many([key for key, _ in _limits(username, address)])
    return any(counts.get(key, 0) >= limit for key, limit in _limits(username, address))


def note_failure(username: str, address: str) -> None:
    """Count one failed sign-in."""
    for key, _ in _limits(username, address):
        if not caches["counts"].add(key, 1, settings.SIGN_IN_WINDOW_SECONDS):
            try:
                caches["counts"].incr(key)
            except ValueError:  # it ran out between the two calls
                caches["counts"].add(key, 1, settings.SIGN_IN_WINDOW_SECONDS)


def forget(username: str, address: str) -> None:
    """Begin anew for this name from this address, after a sign-in that succeeded."""
    caches["counts"].delete(_limits(username, address)[0][0])


def _limits(username: str, address: str) -> list[tuple[str, int]]:
    """Cache key and limit of the three counts; a stranger's failures must not soon lock a player out everywhere."""
    most = settings.SIGN_IN_ATTEMPTS
    name = username.strip().lower()
    counted = [(f"{name}@{address}", most), (f"{name}@", most * 10)]
    if address:
        counted.append((f"@{neighbourhood(address)}", most * 5))
    return [(f"sign-in:{sha256(who.encode()).hexdigest()}", limit) for who, limit in counted]
