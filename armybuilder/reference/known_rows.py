"""Unit rows that were worked out before, kept beside the compiled library: only what changed is worked out again."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from armybuilder.engine.gamedata.dependence import Dependence, UnitKeys
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.default_units import UnitRow
from armybuilder.reference.unit_rows import ArmyListRow

_SOURCES: Final = ("engine/gamedata", "engine/roster", "engine/systems/roster_reading", "reference")
"""Folders of the code that unit rows come of."""
_DIGEST_BYTES: Final = 32


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """The units of an army list, and a key of each.

    Attributes:
        shape: key of what decides which they are; `whole`: of that and of everything they lead to.
    """

    units: tuple[UnitRow, ...]
    keys: tuple[str, ...]
    shape: str
    whole: str


class Known:
    """What was worked out for earlier libraries, as far as it holds for this one; and the keys of what is kept of it.

    Two catalogues of one key, read by the same code, have the same units; two units of one key are the same row.

    Args:
        folder: where rows are kept; content_hashes: of the libraries whose rows are asked.
        rule_pack: the game that reads units.
    """

    def __init__(self, library: Library, folder: Path, content_hashes: Iterable[str], *, rule_pack: str = "") -> None:
        self._folder = folder
        self._library = library
        self._dependence = Dependence(library, worked_out_by=_code(rule_pack))
        self.catalogue_keys = self._dependence.of_catalogues(price=points_type(library.cost_types))
        self._kept = _read(folder, content_hashes)
        self._found: dict[str, _Kept | None] = {}
        self._units: dict[str, UnitRow] | None = None

    def of_catalogue(self, catalogue_id: str) -> tuple[tuple[UnitRow, ...], tuple[str, ...]] | None:
        """The units of a catalogue with the key of each, where they are as they were."""
        if catalogue_id not in self._found:
            self._found[catalogue_id] = self._find(catalogue_id)
        kept = self._found[catalogue_id]
        return None if kept is None else (kept.units, kept.keys)

    def _find(self, catalogue_id: str) -> _Kept | None:
        """What is kept of a catalogue of which nothing has changed, or only names that no unit of it shows."""
        key = self.catalogue_keys.get(catalogue_id)
        if key is None or key in self._kept:
            return self._kept.get(key or "")
        shape = self._dependence.without_names(catalogue_id) if self._kept else ""
        alike = (kept for kept in self._kept.values() if kept.shape == shape)
        return next((kept for kept in alike if kept.whole == self._whole(catalogue_id, kept.units)), None)

    def _whole(self, catalogue_id: str, units: Iterable[UnitRow]) -> str:
        """A key of all that these units of a catalogue lead to; empty where one of them is not there."""
        places = [self._library.find_root(catalogue_id, unit.entry_id) for unit in units]
        keys = self.keys(catalogue_id)
        if keys is None or None in places:
            return ""
        return keys.of_all([place for place in places if place is not None])

    def of_unit(self, key: str) -> UnitRow | None:
        """The unit of a key."""
        if self._units is None:
            self._units = {
                key: row for kept in self._kept.values() for key, row in zip(kept.keys, kept.units, strict=True)
            }
        return self._units.get(key)

    def keys(self, catalogue_id: str) -> UnitKeys | None:
        """What gives the units of a catalogue their keys; None where they have none."""
        return self._dependence.of_units(catalogue_id)

    def keep(self, lists: Iterable[ArmyListRow]) -> None:
        """Keep the rows of the library for the next release; readers see all of them or none."""
        rows = {}
        for row in lists:
            if (key := self.catalogue_keys.get(row.catalogue_id)) is not None:
                rows[key] = self._found.get(row.catalogue_id) or self._new(row)
        data = msgspec.msgpack.encode(rows)
        handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=".rows-")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(data).digest() + data)
        Path(temporary).replace(_file(self._folder, self._library.content_hash))

    def _new(self, row: ArmyListRow) -> _Kept:
        shape = self._dependence.without_names(row.catalogue_id)
        return _Kept(row.units, row.keys, shape, self._whole(row.catalogue_id, row.units))


@cache
def _code(rule_pack: str) -> str:
    """Hash of the code that works rows out, so that another version of it finds none of them, nor another game."""
    package = Path(__file__).resolve().parent.parent
    found = hashlib.sha256(rule_pack.encode())
    folders = [*_SOURCES, f"engine/systems/{rule_pack.replace('-', '_')}/roster"] if rule_pack else _SOURCES
    for folder in folders:
        for path in sorted((package / folder).glob("*.*")):
            if path.suffix in {".py", ".toml"}:
                found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _read(folder: Path, content_hashes: Iterable[str]) -> dict[str, _Kept]:
    """Rows by the keys of catalogues; what is absent, damaged or of an older form gives none."""
    found: dict[str, _Kept] = {}
    for content_hash in content_hashes:
        try:
            data = _file(folder, content_hash).read_bytes()
            if hashlib.sha256(data[_DIGEST_BYTES:]).digest() == data[:_DIGEST_BYTES]:
                found |= msgspec.msgpack.decode(data[_DIGEST_BYTES:], type=dict[str, _Kept])
        except (OSError, msgspec.MsgspecError):
            continue
    return found


def _file(folder: Path, content_hash: str) -> Path:
    return folder / f"{content_hash[:40]}.units"
