"""A list as Old World Builder saves it (.owb.json): units by category, with what was made active."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from armybuilder.armylists.imports.source_list import LINE_LENGTH, UNITS, SourceItem, SourceList, SourceUnit
from armybuilder.armylists.list_sheet import visible

CATEGORIES = ("characters", "lords", "heroes", "core", "special", "rare", "mercenaries", "allies")
_CHOSEN = ("command", "equipment", "armor", "options", "mounts")
_NO_MOUNT = ("on foot", "none")
_LISTED = re.compile(r",\s*(?![^(]*\))")
"""Between things that stand in one option: "Hand weapon, Shield (if on foot, no lance)" are two."""
_DEEPEST = 3
"""Levels of options within options."""
MOST = 80


def is_owb(parsed: Any) -> bool:
    """Whether parsed JSON is a list of Old World Builder."""
    return (
        isinstance(parsed, dict)
        and isinstance(parsed.get("army"), str)
        and any(isinstance(parsed.get(category), list) for category in CATEGORIES)
    )


def read_owb(parsed: dict[str, Any]) -> SourceList:
    """The list in it; numbers of lines count units and options, as such a file has none."""
    units: list[SourceUnit] = []
    line = 0
    for category in CATEGORIES:
        rows = parsed.get(category)
        for row in rows[:UNITS] if isinstance(rows, list) else ():
            if not isinstance(row, dict):
                continue
            line += 1
            name = _name(row)
            if not name or len(units) >= UNITS:
                continue
            number = _count(row.get("strength")) or 1
            own = row.get("name") if row.get("name_en") else None
            custom = visible(str(row.get("customName") or own or ""))[:100]
            if custom.casefold() == name.casefold():
                custom = ""
            titled = f"{custom} ({name})" if custom else name
            units.append(
                SourceUnit(
                    line=line,
                    text=f"{number} {titled}" if number > 1 else titled,
                    name=titled,
                    number=number,
                    under=((0, category),),
                    items=tuple(_items(row, line))[:MOST],
                    is_warlord=_is_general(row),
                    notes=visible(str(row.get("customNote") or ""))[:1_000],
                )
            )
    limit = _number(parsed.get("points"))
    army = str(parsed.get("army") or "").replace("-", " ")
    composition = str(parsed.get("armyComposition") or "").replace("-", " ")
    return SourceList(
        name=visible(str(parsed.get("name") or ""))[:120],
        game=visible(str(parsed.get("game") or "").replace("-", " "))[:120],
        head=(visible(army)[:120], visible(composition)[:120]),
        limit=None if limit is None else int(limit),
        units=tuple(units),
        notes=visible(str(parsed.get("description") or ""))[:1_000],
    )


def _is_general(row: dict[str, Any]) -> bool:
    return any(option.get("active") and _name(option).casefold() == "general" for option in _rows(row, "command"))


def _items(row: dict[str, Any], line: int) -> Iterator[SourceItem]:
    for kind in _CHOSEN:
        for option in _rows(row, kind):
            is_default = kind == "equipment" and bool(option.get("equippedDefault"))
            if not (kind == "mounts" and _name(option).casefold() in _NO_MOUNT):
                yield from _option(option | {"active": True} if is_default else option, line)
    for group in _rows(row, "items"):
        yield from _selected(group, line)
    for detachment in _rows(row, "detachments"):
        number, name = _count(detachment.get("strength")), _name(detachment)
        if number and name:
            yield SourceItem(line=line, text=f"{number}x {name}", name=name, number=number)
            yield from _items({kind: detachment.get(kind) for kind in ("equipment", "armor", "options")}, line)
    lores = row.get("lores")
    lore = row.get("activeLore") or (lores[0] if isinstance(lores, list) and lores else None)
    if isinstance(lore, str) and lore and lore != "none":
        words = visible(lore.replace("-", " "))[:100]
        yield SourceItem(line=line, text=words, name=words)


def _option(option: dict[str, Any], line: int, depth: int = 0) -> Iterator[SourceItem]:
    """An option that was taken, with what was taken of the options and magic items below it."""
    number, name = _count(option.get("stackableCount", option.get("stackCount"))), _name(option)
    if not name or not (option.get("active") or number):
        return
    for part in _LISTED.split(name):
        yield SourceItem(line=line, text=part, name=part, number=number or 1)
    magic = option.get("magic")
    yield from _selected(magic if isinstance(magic, dict) else {}, line)
    if depth < _DEEPEST:
        for inner in _rows(option, "options"):
            yield from _option(inner, line, depth + 1)


def _selected(group: dict[str, Any], line: int, depth: int = 0) -> Iterator[SourceItem]:
    """Magic items that were bought, and what was chosen within one of them."""
    for item in _rows(group, "selected"):
        if name := _name(item):
            yield SourceItem(line=line, text=name, name=name, number=_count(item.get("amount")) or 1)
        if depth < _DEEPEST:
            yield from _selected(item, line, depth + 1)


def _rows(row: dict[str, Any], member: str) -> Iterator[dict[str, Any]]:
    found = row.get(member)
    return (one for one in (found[:MOST] if isinstance(found, list) else ()) if isinstance(one, dict))


def _count(value: Any) -> int:
    """A number of models or copies; 0 where there is none."""
    return value if isinstance(value, int) and 1 <= value <= 1_000 else 0


def _name(row: dict[str, Any]) -> str:
    """Its English name without the note in brackets that the tool writes behind some."""
    name = row.get("name_en") or row.get("name")
    return visible(name.split("{")[0])[: LINE_LENGTH // 4] if isinstance(name, str) else ""


def _number(value: Any) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() and 0 < number < 1_000_000 else None
