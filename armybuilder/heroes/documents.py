"""A stored hero: the army document itself, read and written."""

from typing import Any

import msgspec

from armybuilder.engine.documents import parse_army
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.relic.hero import Hero, Loadout

SYSTEM = "relic"
"""The rule pack whose lists are heroes."""


def read_hero(text: str) -> Loadout:
    """The document kept in a row."""
    return msgspec.json.decode(text, type=Loadout)


def plain(document: object) -> Any:
    """A hero or a part of him as plain values, without the members that are not stated."""
    return _stated(msgspec.to_builtins(document))


def _stated(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _stated(member) for name, member in value.items() if member is not None}
    return [_stated(item) for item in value] if isinstance(value, list | tuple) else value


def written_hero(document: Loadout) -> str:
    """The JSON text to keep, which is the army document itself; equal heroes give equal texts."""
    return msgspec.json.encode(plain(document), order="deterministic").decode()


def parse_hero(raw: object) -> Loadout:
    """An army document from outside as a hero.

    Args:
        raw: parsed JSON, `x-` members dropped (`documents.without_extensions`).

    Raises:
        BadDocument: it cannot be read, or is the army of another game; with its pointer.
    """
    document = parse_army(raw)
    if not isinstance(document, Loadout):
        raise BadDocument("This is an army document of another game.", "/system")
    return document


def new_hero(name: str) -> Loadout:
    """A hero of whom nothing is known yet."""
    return Loadout(system=SYSTEM, name=name, hero=Hero())
