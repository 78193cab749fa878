"""A list as text that its player types: written out line by line, read again, and stored as one edit of the same list.

A unit whose lines are as they were written stays as it is, with everything that text does not say: notes, facts, a
price of its own. A unit whose lines were changed is looked up anew and keeps its place and what was stated of it. What
the data does not know stays in the notes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits
from armybuilder.armylists.comparison import Comparison, compared
from armybuilder.armylists.documents import UNITS, ListDocument
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.facts import list_fact_types, merged, without_the_gone
from armybuilder.armylists.imports.line_prices import without_prices
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import trait_called
from armybuilder.armylists.imports.review_lines import ReviewLine
from armybuilder.armylists.imports.source_list import SourceList
from armybuilder.armylists.imports.stated_facts import FactWords
from armybuilder.armylists.imports.typed_matching import TypedUnit, Typing
from armybuilder.armylists.list_sheet import ListSheet, SheetOption, SheetUnit
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList, DocumentKind, RevisionKind
from armybuilder.armylists.reports import EditResult
from armybuilder.armylists.revising import NewContent, judged, opened, revised
from armybuilder.armylists.services import check_army_list, new_id
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.findings import Text
from armybuilder.reference.names import names_for

_DASHES = re.compile(r"^(\s*)[-*–—]\s+")

_BEFORE_NAMES = re.compile(r"^[-+*•◦–—\s.]+")
"""Signs that some data begins names with, and that say here what a line is."""


@dataclass(frozen=True, slots=True)
class TypedList:
    """A text looked up: what the list would be; nothing is stored.

    Attributes:
        lines: those that are not certain, each with what it may mean.
        comparison: the list as it is, beside it as it was typed.
        left_to_choose: how many things it would lack, where nothing else is wrong; else 0.
    """

    document: ListDocument
    sheet: ListSheet
    lines: tuple[ReviewLine, ...]
    comparison: Comparison
    left_to_choose: int


def text_of(army_list: ArmyList) -> str:
    """The list as the text in which it is typed, in the language of the reader.

    Raises:
        EditRefused: a hero, who is no roster.
    """
    return "\n".join(_written(_sheet(army_list))) + "\n"


def typed(army_list: ArmyList, text: str) -> TypedList:
    """What the list would be by a text.

    Raises:
        EditRefused: a hero, or no line looks like a unit.
        TooLarge: more text than a list can be, or a larger list than one may be.
    """
    present = _sheet(army_list)
    before = list_type_of(army_list).read(army_list.document)
    lines = [_plain(line) for line in text.splitlines()]
    source = read_text("\n".join(lines))
    work = Typing(
        library_of(army_list.release_id),
        names_for(army_list.system.rule_pack, army_list.release_id),
        {},
        new_id,
        before.roster,
        words=FactWords(
            army_list.system.rule_pack, names_for(army_list.system.rule_pack, army_list.release_id).in_russian
        ),
    )
    work.adopt([_plain(_heading(block.name, block.faction)).strip("+ ,:") for block in present.detachments])
    work.rebuild(source, list(_typed_units(source, lines)), _written_units(present))
    roster = work.roster
    name = lines[0].strip("+ ")[: limits.NAME_LENGTH] if lines else ""
    if name and name != _plain(present.name):
        roster = msgspec.structs.replace(roster, name=name)
    document = ListDocument(roster=roster, facts=_facts(army_list, before, present, source, work))
    document = without_the_gone(document, rule_pack=army_list.system.rule_pack)
    report = judged(
        document,
        system=army_list.system,
        release_id=army_list.release_id,
        points_limit=army_list.points_limit,
        revision=army_list.revision,
    ).report
    kind = list_type_of(army_list)
    sheet = kind.sheet(army_list, report, document)
    sheet = msgspec.structs.replace(sheet, name=roster.name)
    return TypedList(document, sheet, work.doubtful(source), compared(present, sheet), kind.left_to_choose(report))


def save_typed(viewer: Viewer, list_id: UUID, text: str, *, expected_revision: int) -> EditResult:
    """Make the list what a text says, as one revision that one undo takes back.

    Raises:
        NotFound, RevisionConflict: no such list of the viewer's, or it is no longer at that revision.
        EditRefused, TooLarge: as `typed`.
    """
    present = opened(viewer, list_id, expected_revision=expected_revision)
    new = typed(present.row, text)
    if new.document == present.type.read(present.row.document):
        return EditResult(army_list=present.row, report=check_army_list(present.row), node_id=None, summary=None)
    changed = sum(not pair.is_same for pair in new.comparison.pairs)
    return revised(
        present,
        NewContent(
            kind=RevisionKind.EDIT,
            document=new.document,
            points_limit=present.row.points_limit,
            sentences=[
                Text(f"Typed as text, units changed: {changed}", f"Набрано текстом, изменено отрядов: {changed}")
            ],
        ),
    )


def replaced_line(text: str, line: int, words: str, name: str) -> str:
    """A text in which one line says a name of the data instead of its own words; as it was where it has none."""
    lines = text.splitlines()
    if 0 < line <= len(lines):
        lines[line - 1] = lines[line - 1].replace(words, name, 1)
    return "\n".join(lines) + "\n"


def _sheet(army_list: ArmyList) -> ListSheet:
    if army_list.document_kind != DocumentKind.ROSTER:
        raise EditRefused(
            Text(
                en="A hero is no list of units: he is not typed as text.",
                ru="Герой – не список отрядов: его не набирают текстом.",
            )
        )
    return plain_sheet_of(army_list)


def _written(sheet: ListSheet) -> Iterator[str]:
    yield f"+++ {sheet.name} +++"
    for block in sheet.detachments:
        yield from ("", _heading(block.name, block.faction))
        for role in block.taken_roles:
            units = [unit for unit in role.units if not unit.is_own]
            if units:
                yield from ("", f"+ {role.name} +")
            for number, unit in enumerate(units):
                yield from ("",) if number else ()
                yield from _unit(unit, sheet.language)


def _heading(name: str, faction: str) -> str:
    return f"++ {name} ({faction}) ++"


def _unit(unit: SheetUnit, language: str) -> Iterator[str]:
    trait = f" ({unit.warlord_trait})" if unit.warlord_trait else ""
    warlord = "Военачальник" if language == "ru" else "Warlord"
    title = _BEFORE_NAMES.sub("", unit.title)
    title = title.capitalize() if title == title.upper() else title  # in capitals it would be a heading
    yield f"{title}: {warlord}{trait}" if unit.is_warlord else title
    yield from _options(unit.options)


def _options(options: Sequence[SheetOption], indent: str = "", bearers: int = 0) -> Iterator[str]:
    """Models with their number in the whole unit; what a model has with its number for one of them.

    Args:
        bearers: how many there are of what has these, within a model; 0 for the unit itself.
    """
    for option in options:
        shown = option.number // bearers if bearers and not option.is_model else option.number
        number = f"{shown}x " if shown > 1 or option.is_model else ""
        yield f"{indent}• {number}{option.name}"
        within = option.number if bearers or option.is_model else 0
        yield from _options(option.options, indent + "   ", within)


def _plain(line: str) -> str:
    """A line without prices, and with one sort of bullet: a dash would be taken for that of a unit."""
    return _DASHES.sub(r"\1• ", without_prices(line)).rstrip()


def _written_units(sheet: ListSheet) -> dict[tuple[str, ...], list[str]]:
    """Units by their lines."""
    found: dict[tuple[str, ...], list[str]] = {}
    for block in sheet.detachments:
        for role in block.roles:
            for unit in role.units:
                if not unit.is_own:
                    found.setdefault(tuple(_plain(line).strip() for line in _unit(unit, sheet.language)), []).append(
                        unit.id
                    )
    return found


def _typed_units(source: SourceList, lines: Sequence[str]) -> Iterator[TypedUnit]:
    """Every unit of the text with its lines: up to the next one, or to a heading."""
    starts = {unit.line for unit in source.units}
    for unit in source.units:
        block = [lines[unit.line - 1].strip()]
        for number in range(unit.line + 1, len(lines) + 1):
            line = lines[number - 1].strip()
            if number in starts or line.startswith("+"):
                break
            if line:
                block.append(line)
        yield TypedUnit(unit, tuple(block))


def _facts(
    army_list: ArmyList, before: ListDocument, present: ListSheet, source: SourceList, work: Typing
) -> dict[str, object]:
    """The facts with what the text states, and with its warlord where the game has that fact and it names another."""
    known = before.facts
    if work.facts:
        units = {**(before.facts.get(UNITS) or {})}
        for node_id, stated in (work.facts.get(UNITS) or {}).items():
            units[node_id] = merged(before.facts_of(node_id), stated)
        known = merged(before.facts, {**work.facts, UNITS: units or None})
    built = work.nodes
    if "warlord" not in {fact.name for fact in list_fact_types(army_list.system.rule_pack)}:
        return known
    written = next((unit for unit in present.units if unit.is_warlord), None)
    place = next((place for place, unit in enumerate(source.units) if unit.is_warlord), None)
    if place is None:
        return merged(known, {"warlord": None, "warlord_trait": None}) if written is not None else known
    leader, trait = built.get(place), source.units[place].warlord_trait
    if leader is None:
        return known
    if written is not None and leader == written.id and trait == written.warlord_trait:
        return known
    changes: dict[str, object] = {}
    if written is None or leader != written.id:
        changes["warlord"] = leader
    if written is None or trait != written.warlord_trait:
        changes["warlord_trait"] = trait_called(army_list.system.rule_pack, trait) if trait else None
    return merged(known, changes)
