"""What a program may do for its user: the scopes of tokens, and which of them a part of the API asks for."""

from collections.abc import Iterable
from functools import lru_cache

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """One thing a token allows."""

    LISTS_READ = "lists:read", _("read your lists, simulations, targets and events")
    LISTS_WRITE = "lists:write", _("make, change, share and delete lists")
    CHECK = "check", _("check army documents")
    SIMULATE = "simulate", _("ask for simulations and keep targets")
    EVENTS = "events", _("organise events and hand lists in")
    DATA = "data", _("import and publish game data, if you look after it")
    ADMIN = "admin", _("look after the account: tokens, webhooks, a copy of your data")


READING = (Scope.LISTS_READ, Scope.CHECK)
"""Of a program that changes nothing."""

WRITING = (Scope.LISTS_READ, Scope.LISTS_WRITE, Scope.CHECK, Scope.SIMULATE, Scope.EVENTS, Scope.DATA)
"""All but the account itself."""

PARTS: dict[str, Scope | None] = {
    "lists": Scope.LISTS_WRITE,
    "shared": Scope.LISTS_WRITE,
    "check": Scope.CHECK,
    "checks": Scope.CHECK,
    "simulations": Scope.SIMULATE,
    "targets": Scope.SIMULATE,
    "events": Scope.EVENTS,
    "releases": Scope.DATA,
    "account": Scope.ADMIN,
    "webhooks": Scope.ADMIN,
    "": None,
    "systems": None,
    "verdicts": None,
    "verdict-keys": None,
    "problems": None,
    "schema": None,
    "docs": None,
    "reference": None,
}
"""By the first word of an address below /api/v1/: the scope that changes what is there; None: anybody may read it."""


def sufficient(part: str, *, reads: bool) -> tuple[Scope, ...]:
    """The scopes any one of which allows a request; empty where every token, and nobody, may send it.

    Args:
        part: the first word of the address.
        reads: whether the request stores nothing.
    """
    scope = PARTS[part]
    if scope is None or (reads and part == "shared"):
        return ()
    if reads and scope not in (Scope.CHECK, Scope.ADMIN):
        return (Scope.LISTS_READ, scope)
    return (scope,)


@lru_cache(maxsize=256)
def written(scopes: str) -> tuple[Scope, ...]:
    """The scopes of a text as tokens keep it, separated by blanks."""
    return in_order(scopes.split())


def in_order(scopes: Iterable[str]) -> tuple[Scope, ...]:
    """Each scope once, in the order they are shown. Raises ValueError for a word that is none."""
    wanted = {Scope(scope) for scope in scopes}
    return tuple(scope for scope in Scope if scope in wanted)
