"""What a modifier changes: numbers, texts, the hidden flag and categories, in the order of the data (§8)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from armybuilder.engine.gamedata.model import Modifier, Modifiers, Number, is_number, number, plain
from armybuilder.engine.roster.conditions import times
from armybuilder.engine.roster.scopes import Categories, Counting, Owner

MAX_TEXT: Final = 20_000
"""Texts do not grow longer, however often a modifier appends."""


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
    if kind == "multiply":
        return value * by ** min(often, 20)
    if kind == "divide" and by:
        return _tidy(Decimal(value) / Decimal(by) ** min(often, 20))
    if kind == "modulo" and by:
        return value % by
    if kind == "floor":
        return max(value, by)
    if kind == "ceil":
        return min(value, by)
    return value


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


def _text_step(modifier: Modifier, text: str, often: int) -> str:
    kind, value = modifier.kind, modifier.value
    if kind == "set":
        return value
    if kind in {"append", "prepend"}:
        for _ in range(min(often, 1000)):
            if len(text) > MAX_TEXT:
                break
            text = f"{text}{modifier.join}{value}" if kind == "append" else f"{value}{modifier.join}{text}"
        return text
    if kind == "replace" and value:
        return text
    if is_number(text) and is_number(value):
        return plain(_number_step(kind, number(text), number(value), often))
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
