"""Unit rows that were worked out before, kept beside the compiled library: only what changed is worked out again."""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from armybuilder.engine.gamedata.dependence import catalogue_keys
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.unit_rows import ArmyListRow, UnitRow

Rows = tuple[UnitRow, ...]

_SOURCES: Final = ("engine/gamedata", "engine/roster", "engine/systems/roster_reading", "reference")
"""Folders of the code that unit rows come of."""
_DIGEST_BYTES: Final = 32


def row_keys(library: Library) -> dict[str, str]:
    """Keys by catalogue id: two catalogues of one key, read by the same code, have the same unit rows."""
    return {
        catalogue_id: hashlib.sha256(f"{_code()} {key}".encode()).hexdigest()
        for catalogue_id, key in catalogue_keys(library, price=points_type(library.cost_types)).items()
    }


@cache
def _code() -> str:
    """Hash of the code that works rows out, so that another version of it finds none of them."""
    package = Path(__file__).resolve().parent.parent
    found = hashlib.sha256()
    for folder in _SOURCES:
        for path in sorted((package / folder).glob("*.*")):
            if path.suffix in {".py", ".toml"}:
                found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def read_rows(folder: Path, content_hashes: Iterable[str]) -> dict[str, Rows]:
    """Rows by key, of the libraries with these content hashes; what is absent or damaged gives none."""
    found: dict[str, Rows] = {}
    for content_hash in content_hashes:
        try:
            data = _file(folder, content_hash).read_bytes()
            if hashlib.sha256(data[_DIGEST_BYTES:]).digest() == data[:_DIGEST_BYTES]:
                found |= msgspec.msgpack.decode(data[_DIGEST_BYTES:], type=dict[str, Rows])
        except (OSError, msgspec.MsgspecError):
            continue
    return found


def write_rows(folder: Path, library: Library, keys: Mapping[str, str], lists: Iterable[ArmyListRow]) -> None:
    """Keep the rows of a library for the next release; readers see all of them or none."""
    rows = {keys[row.catalogue_id]: row.units for row in lists if row.catalogue_id in keys}
    data = msgspec.msgpack.encode(rows)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".rows-")
    with os.fdopen(handle, "wb") as file:
        file.write(hashlib.sha256(data).digest() + data)
    Path(temporary).replace(_file(folder, library.content_hash))


def _file(folder: Path, content_hash: str) -> Path:
    return folder / f"{content_hash[:40]}.units"
