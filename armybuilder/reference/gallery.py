"""The gallery of public repositories of game data, by the name of their game; `gallery.toml` lists them."""

from functools import cache
from pathlib import Path

import msgspec


class Repository(msgspec.Struct, frozen=True):
    """A public repository.

    Attributes:
        repository: owner and name.
        address: of its archive; empty for the usual one.
    """

    repository: str
    game: str
    address: str = ""


class Gallery(msgspec.Struct, frozen=True):
    """The whole file; `address` is the usual one, with a place for the repository."""

    address: str
    repositories: tuple[Repository, ...]

    def address_of(self, name: str) -> str | None:
        """Where a repository of the gallery is fetched from; None for one that is not in it."""
        found = next((row for row in self.repositories if row.repository == name), None)
        return None if found is None else found.address or self.address.format(repository=name)


@cache
def gallery() -> Gallery:
    """What can be fetched with one press."""
    return msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=Gallery)
