"""What an event asks, and what became of the lists handed in, in the language of the page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from armybuilder.armylists.list_types import Changes
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.events.packs import EventPack
from armybuilder.events.queries import Row
from armybuilder.reference import queries as reference
from armybuilder.reference.names import Names, names_for
from armybuilder.web.formatting import localized


@dataclass(frozen=True, slots=True)
class AskedOfLists:
    """The names in a pack as readers know them, whichever language its organiser writes.

    Attributes:
        bans: names, each with why.
        caps: names, each with the most there may be.
    """

    factions: tuple[str, ...]
    detachments: tuple[str, ...]
    bans: tuple[tuple[str, str], ...]
    caps: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, pack: EventPack, system: PublishedSystem) -> "AskedOfLists":
        """What a pack asks of lists of a game."""
        name_of = names_for(system.rule_pack, system.current_release_id).role
        rows = reference.factions(system.pk) if pack.factions else ()
        known = {name.casefold(): row.label for row in rows for name in (row.name, row.name_ru)}
        return cls(
            factions=tuple(known.get(name.casefold()) or name_of(name) for name in pack.factions),
            detachments=tuple(dict.fromkeys(map(name_of, pack.detachments))),
            bans=tuple((name_of(ban.name), ban.why) for ban in pack.bans),
            caps=tuple((name_of(cap.name), cap.most) for cap in pack.caps),
        )


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of the organiser's table.

    Attributes:
        row: as it is compared.
        changes: since the list was handed in, a line each.
        answers: to what the event asks of a player besides the list.
    """

    row: Row
    changes: tuple[str, ...]
    answers: tuple[str, ...]


def table_rows(rows: Sequence[Row], pack: EventPack) -> list[TableRow]:
    """The organiser's table, in words."""
    asked = [(field.name, localized(field.label)) for field in pack.fields]
    return [
        TableRow(
            row,
            tuple(_lines(row)) if row.changes is not None else (),
            tuple(f"{label}: {said}" for name, label in asked if (said := row.submission.fields.get(name))),
        )
        for row in rows
    ]


def _lines(row: Row) -> Iterator[str]:
    kept = row.submission.army_list
    assert row.changes is not None
    yield from _changes_told(row.changes, names_for(kept.system.rule_pack, kept.release_id))


def _changes_told(changes: Changes, names: Names) -> Iterator[str]:
    yield from (f"+ {names(name)}" for name in changes.added)
    yield from (f"− {names(name)}" for name in changes.removed)
    for unit in changes.changed:
        yield f"{names(unit.name)}: {', '.join(_line_told(line, names) for line in unit.lines)}"
    yield from map(localized, changes.facts)


def _line_told(line: str, names: Names) -> str:
    """A line of a changed unit, `5 → 10 × Legionary` or `Bolter Squad → Veterans`, with its names told."""
    numbers, times, name = line.rpartition(" × ")
    return f"{numbers}{times}{names(name)}" if times else " → ".join(map(names, line.split(" → ")))
