"""Addresses that come again and again are not looked for again among all that there are."""

from functools import lru_cache
from typing import Any

from django.urls import ResolverMatch, URLResolver

KEPT = 2_000


class URLResolverWithMemory(URLResolver):
    """A part of the site's addresses that remembers which view the last ones lead to.

    A program asks for the same lists, checks and tables, and a player for the same pages; finding out anew that
    `lists/<uuid>/` is a list, past four levels of patterns, took longer than the database takes to find the list.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is remembered yet."""
        super().__init__(*args, **kwargs)
        self._found = lru_cache(maxsize=KEPT)(self._looked_for)

    def resolve(self, path: str) -> ResolverMatch:
        """The view of an address. Raises Resolver404, each time anew, where none has it."""
        return self._found(str(path))

    def _looked_for(self, path: str) -> ResolverMatch:
        found = super().resolve(path)
        found.tried = None  # all patterns that came before: three quarters of what an address takes
        return found
