"""A roster as Army Builder writes it ("Army Builder Roster"): units and what hangs below them, by their names.

Its files differ with the data they were made with, so elements are told by what they hold: a name, and for a unit a
cost. The folder of the game stands in the head.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from armybuilder.armylists.imports.source_list import ITEMS, LINE_LENGTH, UNITS, SourceItem, SourceList, SourceUnit
from armybuilder.armylists.list_sheet import visible
from armybuilder.engine.battlescribe_files.cat_xml import bare, line_of, parse_tree
from armybuilder.engine.late_modules import etree

SIGNATURE = "Army Builder Roster"
_UNITS = ("unit", "squad", "entity")
_ITEMS = (*_UNITS, "option", "item", "link", "gear", "weapon", "upgrade", "child", "model")
_COSTS = ("cost", "points", "pointcost", "totalcost", "value")
_NUMBERS = ("count", "models", "number", "quantity", "size")
DEEPEST = 8


def is_army_builder(data: bytes) -> bool:
    """Whether the first bytes say so."""
    return SIGNATURE.encode() in data[:2_000]


def read_army_builder(data: bytes, *, file_name: str) -> SourceList:
    """The list in such a file. Raises UnreadableFile."""
    root = parse_tree(data, file_name=file_name)
    head = [
        visible(str(value))[:120]
        for element in root.iter(etree.Element)
        if bare(element.tag) in ("game", "roster", "race", "army", "force", "program", "document")
        for name, value in element.attrib.items()
        if name in ("name", "folder", "game", "race")
    ]
    named = next((element for element in root.iter(etree.Element) if bare(element.tag) == "roster"), root)
    return SourceList(
        name=visible(named.get("name", ""))[:120],
        head=tuple(dict.fromkeys(word for word in head if word))[:20],
        units=tuple(_units(root, ()))[:UNITS],
    )


def _units(element: etree._Element, under: tuple[tuple[int, str], ...]) -> Iterator[SourceUnit]:
    for child in element:
        if not isinstance(child.tag, str):
            continue
        name = visible(child.get("name", ""))[: LINE_LENGTH // 4]
        if bare(child.tag) in _UNITS and name:
            line = line_of(child) or 0
            yield SourceUnit(
                line=line,
                text=name,
                name=name,
                number=_count(child),
                points=_cost(child),
                under=under,
                items=tuple(_items(child, 0))[:ITEMS],
            )
        else:
            heading = ((line_of(child) or 0, name),) if name else ()
            yield from _units(child, (*under, *heading)[-3:])


def _items(element: etree._Element, depth: int) -> Iterator[SourceItem]:
    for child in element:
        if not isinstance(child.tag, str) or depth > DEEPEST:
            continue
        name = visible(child.get("name", ""))[: LINE_LENGTH // 4]
        if bare(child.tag) in _ITEMS and name:
            yield SourceItem(
                line=line_of(child) or 0,
                text=name,
                name=name,
                number=_count(child),
                is_total=depth > 0,
                items=tuple(_items(child, depth + 1)),
            )
        else:
            yield from _items(child, depth + 1)


def _count(element: etree._Element) -> int:
    found = next((element.get(name) for name in _NUMBERS if element.get(name, "").isdecimal()), None)
    return max(1, min(int(found), 1_000)) if found is not None and len(found) < 6 else 1


def _cost(element: etree._Element) -> Decimal | None:
    held = [element.get(name) for name in _COSTS]
    held += [child.get(name) for child in element if bare(child.tag) in _COSTS for name in ("value", "cost", "total")]
    for text in held:
        try:
            value = Decimal(text or "")
        except InvalidOperation:
            continue
        if value.is_finite() and 0 <= value < 1_000_000:
            return value
    return None
