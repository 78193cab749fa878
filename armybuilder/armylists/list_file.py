"""The site's own exchange format: a list as JSON with everything it knows, and the same facts inside roster files.

`exports.list_file` writes it, `imports.list_file` reads it. `docs/list-file.schema.json` is its published schema, made
of the Structs here; a member that is not known is passed over, so that newer files stay readable.
"""

import json
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from armybuilder.armylists import limits
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.datafiles.models import DataRelease
from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.points import Number

FORMAT: Final = "army-builder-list"
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


class FileGame(msgspec.Struct, frozen=True):
    """The game a list is of: its id on the site, and the id of its game system in BattleScribe's data."""

    id: Annotated[str, Meta(max_length=100)]
    battlescribe_id: Annotated[str, Meta(max_length=100)] = ""
    name: str = ""


class FileRelease(msgspec.Struct, frozen=True):
    """The data release a list was made with; `content_hash` is the same wherever the same files are published."""

    number: int
    revision: str = ""
    content_hash: str = ""


class FileVerdict(msgspec.Struct, frozen=True):
    """What the check said when the file was written; whoever reads the file checks the list again."""

    verdict: Verdict
    points: Number | None
    errors: int
    warnings: int
    unchecked_parts: int


class ListFile(msgspec.Struct, frozen=True, kw_only=True):
    """A list as a file.

    Attributes:
        points_limit: agreed points; null without a limit.
        document: an object with `roster` and `facts`, or for a game of heroes the army document itself.
        verdict: for readers that cannot check the list.
    """

    format: Literal["army-builder-list"]
    version: Literal[1]
    name: Annotated[str, Meta(max_length=limits.NAME_LENGTH)]
    game: FileGame
    release: FileRelease
    points_limit: Annotated[int, Meta(ge=-limits.POINTS, le=limits.POINTS)] | None = None
    document: dict[str, Any]
    verdict: FileVerdict | None = None


class RosterExtension(msgspec.Struct, frozen=True):
    """What a roster file says in its instruction: what the site knows of the list and the layout has no place for.

    Attributes:
        detachments: ids of the detachments in the order they were added; the file has them by name.
        units: ids of their units, likewise.
    """

    version: Literal[1] = 1
    points_limit: Annotated[int, Meta(ge=-limits.POINTS, le=limits.POINTS)] | None = None
    release: FileRelease | None = None
    detachments: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    facts: dict[str, Any] = {}

    def written(self) -> str:
        """Printable ASCII that ends no instruction."""
        return json.dumps(msgspec.to_builtins(self), sort_keys=True, separators=(",", ":")).replace(">", "\\u003e")


def read_roster_extension(text: str) -> RosterExtension | None:
    """What `RosterExtension.written` wrote; None for no such text, or one of a version that is not known."""
    try:
        return msgspec.json.decode(text, type=RosterExtension) if text else None
    except msgspec.DecodeError:
        return None


def file_release(army_list: ArmyList) -> FileRelease:
    """The release a stored list is pinned to."""
    release = army_list.release
    return FileRelease(release.number, release.revision, release.content_hash)


def list_file_of(army_list: ArmyList, report: ListReport) -> ListFile:
    """A stored list as a file."""
    return ListFile(
        format=FORMAT,
        version=1,
        name=army_list.name,
        game=FileGame(army_list.system_id, army_list.system.battlescribe_id or "", army_list.system.name),
        release=file_release(army_list),
        points_limit=army_list.points_limit,
        document=msgspec.json.decode(army_list.document),
        verdict=FileVerdict(
            report.verdict,
            report.points.total,
            report.count(Severity.ERROR),
            report.count(Severity.WARNING),
            len(report.unchecked),
        ),
    )


def schema() -> dict[str, Any]:
    """The JSON schema of `ListFile`, as it is published."""
    (made, roster), parts = msgspec.json.schema_components((ListFile, ListDocument), ref_template="#/$defs/{name}")
    members = parts[ListFile.__name__]["properties"]
    members["document"] = {"anyOf": [roster, {"type": "object", "required": ["system", "hero"]}]}
    return {"$schema": SCHEMA_ID, "title": "Army Builder list file, version 1", **made, "$defs": parts}


def release_with(content_hash: str, system_id: str) -> UUID | None:
    """The release of a game with the same files; None where it is not here."""
    rows = DataRelease.objects.filter(system_id=system_id, content_hash=content_hash)
    return rows.values_list("pk", flat=True).first() if content_hash else None
