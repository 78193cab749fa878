"""What a text states besides names: "Allegiance: Traitor" in its head, "joins (Halberdiers)" behind a unit.

`exports/phrases.py` writes such words; here they are found again by the names of facts in either language.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache, cached_property
from typing import Any, Literal, get_args, get_origin

import msgspec

from armybuilder.armylists.documents import UNITS
from armybuilder.armylists.facts import FactType, list_fact_types, members_of, read_facts, unit_fact_types, unwrapped
from armybuilder.armylists.imports.name_matching import normal
from armybuilder.armylists.imports.named_items import split_at_commas
from armybuilder.armylists.imports.source_list import SourceItem
from armybuilder.armylists.wording import fact_name, fact_value, fact_values
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text

PART = " – "
"""Between a part of a unit and what is stated of it."""
_LONGEST_NAME = 100
"""Characters that the name of a fact may have: a line of colons and brackets is not read in a thousand ways."""
_JOINED = 3
"""So many parts that a comma divides may be the name of one fact."""

Refer = Callable[[str], str | None]
"""Node id of what is called so."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact that a line states of a unit, before its words are read.

    Attributes:
        key: of the line, as in a review.
        part: what in the unit it is stated of; empty for the unit itself.
        of_list: it is a fact of the list, which names the unit.
    """

    key: str
    text: str
    node_id: str
    part: str
    fact: FactType
    words: str
    of_list: bool = False


@dataclass(frozen=True)
class FactWords:
    """The facts of a game by their names.

    Attributes:
        in_russian: Russian names of what values name, by the English ones, which are kept.
    """

    rule_pack: str = ""
    in_russian: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def in_english(self) -> Mapping[str, str]:
        """English names by the Russian ones."""
        return {normal(russian): name for name, russian in self.in_russian.items()}

    @property
    def list_facts(self) -> Mapping[str, FactType]:
        """Facts of the list by their names in either language."""
        return _of_list(self.rule_pack)

    @property
    def unit_facts(self) -> Mapping[str, FactType]:
        """Facts of a unit, likewise."""
        return _of_unit(self.rule_pack)

    def stated(self, text: str, *, key: str, node_id: str) -> StatedFact | None:
        """What a line says of a unit: `name (value)`, `name: value` or a name alone; None where it is no fact."""
        part, dash, rest = text.partition(PART)
        for whose, said in (("", text), *(((part, rest),) if dash else ())):
            for name, value in _readings(said):
                if (fact := self.unit_facts.get(normal(name))) is not None:
                    return StatedFact(key, text, node_id, whose, fact, value)
                known = self.list_facts.get(normal(name))
                if known is not None and known.refers_to is not None and not value:
                    return StatedFact(key, text, node_id, whose, known, "", of_list=True)
        return None

    def stated_by(self, items: tuple[SourceItem, ...], *, key: str, node_id: str) -> tuple[StatedFact | None, int]:
        """What the first items say together, where the name of a fact has commas in it, and how many they are."""
        for count in range(1, _JOINED + 1):
            taken = items[:count]
            if len(taken) < count or any(item.line != items[0].line for item in taken):
                break
            text = ", ".join(map(as_written, taken))
            if (found := self.stated(text, key=key, node_id=node_id)) is not None:
                return found, count
        return None, 1

    def of_head(self, lines: tuple[str, ...]) -> dict[str, Any]:
        """The facts of the list that lines of its head state, without those that name a unit."""
        found: dict[str, Any] = {}
        for line in lines:
            for name, words in _readings(line):
                fact = self.list_facts.get(normal(name)) if words else None
                if fact is not None and fact.refers_to is None and fact.name not in found:
                    value = self.value(fact, words, lambda _: None)
                    if value is not None and self._may_be({**found, fact.name: value}):
                        found[fact.name] = value
                    break
        return found

    def value(self, fact: FactType, words: str, refer: Refer) -> Any:
        """What words say of a fact; None where they say nothing it may be."""
        value = _value(self.rule_pack, fact.kind, fact.refers_to, words, refer)
        if isinstance(value, list):
            return [self.in_english.get(normal(one), one) if isinstance(one, str) else one for one in value]
        return value

    def may_state(self, node_id: str, stated: Mapping[str, Any]) -> bool:
        """Whether a unit may have these facts."""
        return self._may_be({UNITS: {node_id: dict(stated)}})

    def _may_be(self, facts: dict[str, Any]) -> bool:
        try:
            read_facts(self.rule_pack, facts)
        except BadDocument:
            return False
        return True


@dataclass(slots=True)
class ReadFacts:
    """Facts with node ids, and the lines whose words said nothing.

    Attributes:
        of_list: facts of the list, each naming a unit.
        units: facts by the node they are stated of.
    """

    of_list: dict[str, Any] = field(default_factory=dict)
    units: dict[str, dict[str, Any]] = field(default_factory=dict)
    unread: list[StatedFact] = field(default_factory=list)

    @property
    def all(self) -> dict[str, Any]:
        """As a list states them."""
        return {**self.of_list, **({UNITS: self.units} if self.units else {})}


def read_stated(
    words: FactWords, stated: list[StatedFact], *, refer: Callable[[str, str], str | None], part_of: Callable[..., Any]
) -> ReadFacts:
    """What the lines of all units say, once every unit is there.

    Args:
        refer: node id of what is called so, and of which unit that is said.
        part_of: node ids of what is called so in a unit, in order.
    """
    found = ReadFacts()
    for one in stated:
        nodes = [one.node_id] if not one.part else list(part_of(one.node_id, one.part))
        free = [node for node in nodes if one.fact.name not in found.units.get(node, {})]
        if not free:
            found.unread.append(one)
            continue
        if one.of_list:
            found.of_list.setdefault(one.fact.name, free[0])
            continue
        value = words.value(one.fact, one.words, lambda name, of=one.node_id: refer(name, of))  # type: ignore[misc]
        known = {**found.units.get(free[0], {}), one.fact.name: value}
        if value is None or not words.may_state(free[0], known):
            found.unread.append(one)
        else:
            found.units[free[0]] = known
    return found


@cache
def _of_list(rule_pack: str) -> Mapping[str, FactType]:
    return dict(_named(rule_pack, list_fact_types(rule_pack)))


@cache
def _of_unit(rule_pack: str) -> Mapping[str, FactType]:
    return dict(_named(rule_pack, unit_fact_types(rule_pack)))


def _named(rule_pack: str, types: tuple[FactType, ...]) -> Iterator[tuple[str, FactType]]:
    for fact in types:
        name = fact_name(rule_pack, fact.name)
        yield from ((normal(words), fact) for words in (name.en, name.ru))


def _readings(text: str) -> Iterator[tuple[str, str]]:
    """The ways a line may be a name and a value."""
    head, colon, tail = text.partition(": ")
    while colon and len(head) <= _LONGEST_NAME:
        yield head, tail.strip()
        more, colon, tail = tail.partition(": ")
        head = f"{head}: {more}"
    if text.endswith(")"):
        at = text.find(" (")
        while 0 < at <= _LONGEST_NAME:
            yield text[:at], text[at + 2 : -1]
            at = text.find(" (", at + 1)
    yield text, ""


def as_written(item: SourceItem) -> str:
    """An item as its line has it, without a number in front of its name."""
    if item.items and item.text == item.name:
        return f"{item.text}: {', '.join(map(as_written, item.items))}"
    return item.text if item.number == 1 else f"{item.number} {item.text}"


def _value(  # noqa: PLR0911 - a return for each type
    rule_pack: str, kind: Any, refers_to: str | None, words: str, refer: Refer
) -> Any:
    if refers_to is not None:
        return refer(words)
    if kind is bool:
        return True if not words else _chosen(rule_pack, (True, False), words)
    if get_origin(kind) is Literal:
        return _chosen(rule_pack, get_args(kind), words)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _chosen(rule_pack, tuple(one.value for one in kind), words)
    if get_origin(kind) is tuple:
        inner, refers = unwrapped(get_args(kind)[0])
        values = [_value(rule_pack, inner, refers, part, refer) for part in split_at_commas(words)]
        return None if None in values or not values else values
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _members(rule_pack, kind, words, refer)
    return _plain(rule_pack, kind, words)


def _plain(rule_pack: str, kind: Any, words: str) -> Any:
    if kind is str:
        known = fact_values(rule_pack)
        keys = (key for key, told in known.items() if normal(words) in (normal(told.en), normal(told.ru)))
        return next(keys, words) or None
    try:
        number = Decimal(words.replace(" ", "").replace(",", ""))
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number) > 1_000_000_000:
        return None
    return int(number) if number == int(number) else float(number)


def _chosen(rule_pack: str, values: tuple[Any, ...], words: str) -> Any:
    wanted = normal(words)
    for value in values:
        told = fact_value(rule_pack, value) or Text(str(value), str(value))
        if wanted in (normal(told.en), normal(told.ru), normal(str(value))):
            return value
    return None


def _members(rule_pack: str, shape: type[msgspec.Struct], words: str, refer: Refer) -> dict[str, Any] | None:
    """A fact of several parts: "turn of arrival 2, bombardment points (as 60x30, cm) 75x90"."""
    names = sorted(_named_members(rule_pack, shape), key=lambda pair: -len(pair[0]))
    said: list[tuple[FactType, str]] = []
    for token in split_at_commas(words):
        found = next(((fact, name) for name, fact in names if token.casefold().startswith(f"{name.casefold()} ")), None)
        if found is not None:
            said.append((found[0], token[len(found[1]) :].strip()))
        elif said:
            said[-1] = said[-1][0], f"{said[-1][1]}, {token}"
        else:
            return None
    values = {fact.name: _value(rule_pack, fact.kind, fact.refers_to, told, refer) for fact, told in said}
    return None if None in values.values() else values


def _named_members(rule_pack: str, shape: type[msgspec.Struct]) -> Iterator[tuple[str, FactType]]:
    for fact in members_of(shape):
        name = fact_name(rule_pack, fact.name)
        yield from ((words, fact) for words in (name.en, name.ru))
