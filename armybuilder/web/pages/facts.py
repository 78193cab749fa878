"""Form fields for what game data does not say, made from the types of the game's `Facts`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin

import msgspec
from django.utils.translation import gettext as _

from armybuilder.armylists.facts import FactType, list_fact_types, members_of, unit_fact_types, unwrapped
from armybuilder.armylists.own_points import OWN_POINTS
from armybuilder.armylists.wording import fact_name, fact_value
from armybuilder.web.formatting import localized

Choice = tuple[str, str, bool]
"""Value, words, and whether it is stated; the empty value states nothing."""


@dataclass(frozen=True, slots=True)
class FactField:
    """One fact as a form shows it.

    Attributes:
        name: of the form field without its prefix: the path of the fact, and how its text is read
            (`opponent.points_limit:number`; `forms.edits` reads it).
        kind: choice, number, text or words (several, with commas between them).
        group: words of the fact it is part of; empty at the top.
        choices: of a choice.
        value: what is stated, as the field shows it.
    """

    name: str
    label: str
    kind: str
    group: str
    choices: tuple[Choice, ...]
    value: str

    @property
    def root(self) -> str:
        """The fact of the list or unit that it is or is part of, as the report points at it."""
        return self.name.partition(":")[0].partition(".")[0]

    @property
    def stated(self) -> bool:
        """Whether anything is stated."""
        return bool(self.value)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Units that a fact may name, as node id and words."""

    units: Sequence[tuple[str, str]]
    carriers: Sequence[tuple[str, str]] = ()

    def of(self, kind: str) -> Sequence[tuple[str, str]]:
        """Those of a kind of reference."""
        return self.carriers if kind == "carrier" else self.units


def list_facts(
    rule_pack: str | None, facts: Mapping[str, Any], candidates: Candidates, *, without: Collection[str]
) -> tuple[FactField, ...]:
    """The fields for facts of a whole list.

    Args:
        without: facts that are chosen elsewhere on the page.
    """
    types = (fact for fact in list_fact_types(rule_pack or "") if fact.name not in without)
    return tuple(_fields(types, facts, candidates, rule_pack or ""))


def unit_facts(rule_pack: str | None, facts: Mapping[str, Any], candidates: Candidates) -> tuple[FactField, ...]:
    """The fields for facts of one unit but its price; `facts` are those stated of it."""
    types = (fact for fact in unit_fact_types(rule_pack or "") if fact.name != OWN_POINTS)
    return tuple(_fields(types, facts, candidates, rule_pack or ""))


def own_price(rule_pack: str | None, facts: Mapping[str, Any]) -> tuple[FactField, ...]:
    """The field for the price that the owner sets for a unit himself."""
    types = (fact for fact in unit_fact_types(rule_pack or "") if fact.name == OWN_POINTS)
    return tuple(_fields(types, facts, Candidates(()), rule_pack or ""))


def knows_fact(rule_pack: str | None, name: str) -> bool:
    """Whether lists of this game can state a fact of that name."""
    return any(fact.name == name for fact in list_fact_types(rule_pack or ""))


def _fields(
    types: Iterable[FactType],
    facts: Mapping[str, Any],
    candidates: Candidates,
    rule_pack: str,
    *,
    path: str = "",
    group: str = "",
) -> Iterator[FactField]:
    for fact in types:
        kind, stated = fact.kind, facts.get(fact.name)
        name, label = f"{path}{fact.name}", _label(rule_pack, fact.name)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            inner = stated if isinstance(stated, Mapping) else {}
            yield from _fields(members_of(kind), inner, candidates, rule_pack, path=f"{name}.", group=label)
        elif fact.refers_to is not None:
            yield _choice(name, label, group, candidates.of(fact.refers_to), stated=stated)
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            yield _choice(
                name,
                label,
                group,
                [(item.value, _value(rule_pack, item.value)) for item in kind],
                stated=stated,
                usual=fact.usual,
            )
        elif get_origin(kind) is Literal:
            yield _choice(
                name,
                label,
                group,
                [(item, _value(rule_pack, item)) for item in get_args(kind)],
                stated=stated,
                usual=fact.usual,
            )
        elif kind is bool:
            yes_no = [("true", _value(rule_pack, True)), ("false", _value(rule_pack, False))]
            chosen, usual = (str(value).lower() if isinstance(value, bool) else None for value in (stated, fact.usual))
            yield _choice(f"{name}:json", label, group, yes_no, stated=chosen, usual=usual)
        elif kind in (int, float):
            yield FactField(f"{name}:number", label, "number", group, (), "" if stated is None else str(stated))
        elif kind is str:
            yield FactField(name, label, "text", group, (), str(stated or ""))
        elif get_origin(kind) in (tuple, list) and unwrapped(get_args(kind)[0])[0] is str:
            yield FactField(f"{name}:words", label, "words", group, (), ", ".join(map(str, stated or ())))
        elif get_origin(kind) in (tuple, list) and unwrapped(get_args(kind)[0])[0] in (int, float):
            yield FactField(f"{name}:numbers", label, "words", group, (), ", ".join(map(str, stated or ())))


def _choice(
    name: str, label: str, group: str, offered: Sequence[tuple[str, str]], *, stated: Any, usual: Any = None
) -> FactField:
    """A choice whose empty value stands for the usual one, where there is one."""
    words_of = dict(offered)
    unstated = words_of.pop(str(usual), _("not stated"))
    value = "" if stated is None or stated == usual else str(stated)
    choices = [("", unstated, not value), *((key, words, key == value) for key, words in words_of.items())]
    return FactField(name, label, "choice", group, tuple(choices), value)


def _label(rule_pack: str, name: str) -> str:
    words = localized(fact_name(rule_pack, name)).replace("_", " ")
    return words[:1].upper() + words[1:]


def _value(rule_pack: str, value: Any) -> str:
    words = fact_value(rule_pack, value)
    return localized(words) if words is not None else str(value).replace("_", " ")
