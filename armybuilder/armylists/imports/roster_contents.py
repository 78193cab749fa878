"""What a roster file itself says of its units, for a game whose data is not published here: read, shown and printed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from armybuilder.armylists import limits
from armybuilder.armylists.imports.source_list import LINE_LENGTH, UNITS, SourceItem, SourceList, SourceUnit
from armybuilder.armylists.list_sheet import SheetProfile, visible
from armybuilder.engine.battlescribe_files.cat_xml import bare, line_of, parse_tree
from armybuilder.engine.battlescribe_files.ros_xml import MAX_ROSTER_BYTES
from armybuilder.engine.battlescribe_files.zipped import unzipped
from armybuilder.engine.gamedata.numbers import is_number
from armybuilder.engine.late_modules import etree

_POINTS = ("pts", "points", "point", "очки", "очков")
DEEPEST = 30


def read_roster_contents(data: bytes, *, file_name: str) -> SourceList:
    """The list as the file holds it, with profiles and names of rules. Raises UnreadableFile."""
    root = parse_tree(unzipped(data, file_name=file_name, most=MAX_ROSTER_BYTES), file_name=file_name)
    forces = list(_forces(root))
    limit = _cost(root, "costLimit")
    return SourceList(
        name=visible(root.get("name", ""))[:120],
        game=visible(root.get("gameSystemName", ""))[:120],
        head=tuple(visible(f"{force.get('catalogueName', '')} {force.get('name', '')}")[:200] for force in forces),
        points=_cost(root),
        limit=int(limit) if limit is not None and 0 < limit <= limits.POINTS else None,
        units=tuple(unit for force in forces for unit in _units(force))[:UNITS],
    )


def _forces(element: etree._Element) -> Iterator[etree._Element]:
    for force in _rows(element, "force"):
        yield force
        yield from _forces(force)


def _units(force: etree._Element) -> Iterator[SourceUnit]:
    heading = (line_of(force) or 0, visible(force.get("name", ""))[:120])
    for selection in _rows(force, "selection"):
        primary = [row for row in _rows(selection, "category") if row.get("primary") == "true"]
        role = visible(primary[0].get("name", "")) if primary else ""
        line = line_of(selection) or 0
        name, own = _words(selection, "name"), _words(selection, "customName")
        inside = [selection, *(row for row in selection.iter() if bare(row.tag) == "selection")]
        yield SourceUnit(
            line=line,
            text=name,
            name=f"{own} ({name})" if own else name,
            points=_total(selection),
            under=(heading, (line, role)) if role else (heading,),
            items=tuple(_items(selection, 0)),
            profiles=tuple(dict.fromkeys(row for part in inside for row in _profiles(part)))[:200],
            rules=tuple(dict.fromkeys(_words(row, "name") for part in inside for row in _rows(part, "rule")))[:200],
        )


def _items(selection: etree._Element, depth: int) -> Iterator[SourceItem]:
    if depth > DEEPEST:
        return
    for child in _rows(selection, "selection"):
        name, number = _words(child, "name"), child.get("number", "1")
        yield SourceItem(
            line=line_of(child) or 0,
            text=name,
            name=name,
            number=max(1, min(int(number), 1_000)) if number.isdecimal() and len(number) < 6 else 1,
            is_total=True,
            items=tuple(_items(child, depth + 1)),
        )


def _profiles(selection: etree._Element) -> Iterator[SheetProfile]:
    for profile in _rows(selection, "profile"):
        yield SheetProfile(
            type=_words(profile, "typeName") or _words(profile, "profileTypeName"),
            name=_words(profile, "name"),
            characteristics=tuple(
                (_words(row, "name"), visible(row.text or row.get("value", ""))[:400])
                for row in _rows(profile, "characteristic")
            )[:40],
        )


def _total(selection: etree._Element) -> Decimal | None:
    costs = [cost for row in (selection, *_below(selection)) if (cost := _cost(row)) is not None]
    return sum(costs, Decimal(0)) if costs else None


def _below(selection: etree._Element) -> Iterator[etree._Element]:
    for child in _rows(selection, "selection"):
        yield child
        yield from _below(child)


def _cost(element: etree._Element, item: str = "cost") -> Decimal | None:
    for row in _rows(element, item):
        value = row.get("value", "")
        if row.get("name", "").strip().casefold() in _POINTS and is_number(value):
            return Decimal(value)
    return None


def _rows(element: etree._Element, item: str) -> Iterator[etree._Element]:
    """The rows of the container that is named after them."""
    for container in element:
        if isinstance(container.tag, str):
            for row in container:
                if isinstance(row.tag, str) and bare(row.tag) == item:
                    yield row


def _words(element: etree._Element, name: str) -> str:
    return visible(element.get(name, ""))[: LINE_LENGTH // 4]
