"""What an event asks of lists, as data: read from JSON or from the shipped examples."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text

Name = Annotated[str, Meta(min_length=1, max_length=200)]
MOST = 100
FOLDER = Path(__file__).parent / "packs"


class Cap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At most so many of a unit or option, or of a battlefield role, in a list."""

    name: Name
    most: Annotated[int, Meta(ge=0, le=1000)]


class Ban(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit or option that the event does not take, and why."""

    name: Name
    why: Annotated[str, Meta(max_length=300)] = ""


class ExtraField(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something a player says besides the list: team, painting, a link."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,29}$")]
    label: Text
    required: bool = True


class EventPack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event asks of lists. Names are those of the game data, in either language; case does not count.

    Attributes:
        points_limit: of every list; null leaves it to the players.
        releases: numbers of the data releases that are taken; empty takes all.
        detachments: names of the detachments that are taken; empty takes all.
        factions: that may take part; empty lets all.
        must_be_legal: whether a list must be legal by the book and the data.
        take_unchecked: whether a list may have parts that could not be checked.
        layout: id of the export format all lists are handed out in.
    """

    points_limit: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    releases: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(max_length=MOST)] = ()
    detachments: Annotated[tuple[Name, ...], Meta(max_length=MOST)] = ()
    factions: Annotated[tuple[Name, ...], Meta(max_length=MOST)] = ()
    bans: Annotated[tuple[Ban, ...], Meta(max_length=MOST)] = ()
    caps: Annotated[tuple[Cap, ...], Meta(max_length=MOST)] = ()
    fields: Annotated[tuple[ExtraField, ...], Meta(max_length=20)] = ()
    must_be_legal: bool = True
    take_unchecked: bool = True
    layout: Name = "plain"


class ExamplePack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shipped pack: to be taken as it is or changed."""

    system: str
    name: Text
    pack: EventPack


def read_pack(raw: object, *, at: str = "/pack") -> EventPack:
    """Parsed JSON as a pack. Raises BadDocument with the pointer to what is wrong."""
    pack = shaped(raw, EventPack, at=at)
    if pack.layout not in FORMATS or FORMATS[pack.layout].pieces is None:
        texts = ", ".join(one.id for one in FORMATS.values() if one.pieces is not None)
        raise BadDocument(f"There is no layout '{pack.layout}'; there are {texts}.", f"{at}/layout")
    names = [one.name for one in pack.fields]
    if len(set(names)) < len(names):
        raise BadDocument("Two fields have the same name.", f"{at}/fields", russian="Два поля названы одинаково.")
    return pack


@cache
def example_packs() -> dict[str, ExamplePack]:
    """The shipped packs by the names of their files."""
    return {
        path.stem: msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), ExamplePack)
        for path in sorted(FOLDER.glob("*.toml"))
    }
