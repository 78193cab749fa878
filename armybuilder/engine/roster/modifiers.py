"""What a modifier changes: numbers, texts, the hidden flag and categories, in the order of the data (§8)."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

from armybuilder.engine.gamedata.model import Modifier, Modifiers
from armybuilder.engine.gamedata.numbers import Number, is_number, number, plain
from armybuilder.engine.roster.conditions import times
from armybuilder.engine.roster.nodes import Categories, Owner
from armybuilder.engine.roster.scopes import Counting

MAX_TEXT: Final = 20_000
"""Texts do not grow longer, however often a modifier appends."""

MAX_NUMBER: Final = 10**18
MAX_POWER: Final = 64
"""Numbers and exponents do not grow larger, however often a modifier multiplies."""

_NUMBER: Final = r"[0-9]{1,15}(?:\.[0-9]{1,15})?"


def changed_number(base: Number, modifiers: Modifiers, owner: Owner, run: Counting) -> Number:
    """A cost or limit after its modifiers."""
    value = base
    for modifier in modifiers:
        often = times(modifier, owner, run)
        if not often:
            continue
        if modifier.steps:
            for _ in range(min(often, 1000)):
                value = changed_number(value, modifier.steps, owner, run)
        else:
            value = _number_step(modifier.kind, value, number(modifier.value), often)
    return value


def _number_step(kind: str, value: Number, by: Number, often: int) -> Number:  # noqa: PLR0911
    if kind == "set":
        return by
    if kind == "increment":
        return value + by * often
    if kind == "decrement":
        return value - by * often
    if kind in {"multiply", "exponent"}:
        return _bounded(value * by ** min(often, 20))
    if kind == "divide" and by:
        return _tidy(Decimal(value) / Decimal(by) ** min(often, 20))
    if kind == "modulo" and by:
        return value % by
    if kind == "power":
        return _power(value, by, often)
    if kind == "triangular":
        return value + by * (often * (often + 1) // 2)
    if kind == "floor":
        return max(value, by)
    if kind == "ceil":
        return min(value, by)
    return value


def _power(value: Number, by: Number, often: int) -> Number:
    """The value to the power `by`, again and again; what grows beyond all sense stays where it is."""
    for _ in range(min(often, 20)):
        if not -MAX_POWER <= by <= MAX_POWER or by != int(by) or (not value and by < 0):
            break
        value = _bounded(_tidy(Decimal(value) ** int(by)))
    return value


def _bounded(value: Number) -> Number:
    return value if -MAX_NUMBER <= value <= MAX_NUMBER else MAX_NUMBER if value > 0 else -MAX_NUMBER


def _tidy(value: Decimal) -> Number:
    return int(value) if value == value.to_integral_value() else value


def changed_flag(base: bool, modifiers: Modifiers, owner: Owner, run: Counting) -> bool:
    """The hidden flag after its modifiers."""
    value = base
    for modifier in modifiers:
        if modifier.steps:
            if times(modifier, owner, run):
                value = changed_flag(value, modifier.steps, owner, run)
        elif modifier.kind == "set" and times(modifier, owner, run):
            value = modifier.value.strip().lower() == "true"
    return value


def changed_text(base: str, modifiers: Modifiers, owner: Owner, run: Counting) -> str:
    """A name, page, description or characteristic after its modifiers."""
    text = base
    for modifier in modifiers:
        often = times(modifier, owner, run)
        if not often:
            continue
        if modifier.steps:
            for _ in range(min(often, 1000)):
                text = changed_text(text, modifier.steps, owner, run)
        else:
            text = _text_step(modifier, text, often)
    return text


def _text_step(modifier: Modifier, text: str, often: int) -> str:  # noqa: PLR0911 - a return for each kind
    kind, value = modifier.kind, modifier.value
    if kind == "set":
        return value
    if kind in {"append", "prepend"}:
        return _added(modifier, text, often)
    if kind == "replace":
        if not modifier.arg:
            return text or value
        return _at_position(re.escape(modifier.arg), modifier.position, text, lambda _: value)[:MAX_TEXT]
    if not is_number(value):
        return text
    by = number(value)
    if modifier.position:
        return _at_position(
            _NUMBER, modifier.position, text, lambda found: plain(_number_step(kind, number(found), by, often))
        )
    return plain(_number_step(kind, number(text), by, often)) if is_number(text) else text


def _added(modifier: Modifier, text: str, often: int) -> str:
    value = modifier.value
    join = modifier.join if text or modifier.field != "annotation" else ""
    for _ in range(min(often, 1000)):
        if len(text) > MAX_TEXT or (modifier.unless_present and modifier.unless_present in text):
            break
        text = f"{text}{join}{value}" if modifier.kind == "append" else f"{value}{join}{text}"
        join = modifier.join
    return text


def _at_position(pattern: str, position: int, text: str, change: Callable[[str], str]) -> str:
    """The text with one place of the pattern changed: counted from 1, or from the end below 0; all of them at 0."""
    places = list(re.finditer(pattern, text))
    if position:
        at = position - 1 if position > 0 else len(places) + position
        places = places[at : at + 1] if at >= 0 else []
    for place in reversed(places):
        text = f"{text[: place.start()]}{change(place[0])}{text[place.end() :]}"
    return text


def changed_categories(base: Categories, modifiers: Sequence[Modifier], owner: Owner, run: Counting) -> Categories:
    """The categories of a selection after its modifiers: (id, primary)."""
    rows = list(base)
    for modifier in modifiers:
        if not times(modifier, owner, run):
            continue
        if modifier.steps:
            rows = list(changed_categories(tuple(rows), modifier.steps, owner, run))
            continue
        wanted = modifier.value
        present = any(category_id == wanted for category_id, _ in rows)
        if modifier.kind == "add" and not present:
            rows.append((wanted, False))
        elif modifier.kind == "remove":
            rows = [row for row in rows if row[0] != wanted]
        elif modifier.kind == "set-primary":
            rows = [(category_id, category_id == wanted) for category_id, _ in rows]
            if not present:
                rows.append((wanted, True))
        elif modifier.kind == "unset-primary":
            rows = [(category_id, primary and category_id != wanted) for category_id, primary in rows]
    return tuple(rows)
