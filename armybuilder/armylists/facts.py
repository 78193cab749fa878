"""Facts of a list that its game data does not hold: their types, which of them name a unit, and what they say."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from armybuilder.armylists.documents import OWN_UNITS, UNITS, ListDocument
from armybuilder.armylists.validation import shaped
from armybuilder.armylists.wording import fact_name, fact_value, same
from armybuilder.engine.documents import escaped
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import GAMES, roster_reader_of
from armybuilder.engine.systems.roster_reading.stored_facts import CommonListFacts, CommonUnitFacts

LONGEST_VALUE = 120
"""Characters of a fact in words that are shown: as many as a player may write of a model."""


@dataclass(frozen=True, slots=True)
class FactType:
    """What a fact may be.

    Attributes:
        kind: its type without None and annotations; int stands for any number.
        refers_to: "unit" or "carrier" for a fact that names one (`engine/systems/roster_reading/unit_references.py`).
        usual: what holds where nothing is stated.
    """

    name: str
    kind: Any
    refers_to: str | None
    usual: Any


def read_facts(rule_pack: str, facts: Mapping[str, Any], *, at: str = "") -> Any:
    """Plain facts as the game's Struct; without a rule pack they stay what they are.

    Raises:
        BadDocument: a fact the game does not know or a value it cannot have; `at` is where the facts stand.
    """
    reader = roster_reader_of(rule_pack)
    if reader is not None:
        return shaped(dict(facts), reader.facts, at=at)
    for node_id, stated in (facts.get(UNITS) or {}).items():
        known = {name: value for name, value in stated.items() if name in CommonUnitFacts.__struct_fields__}
        shaped(known, CommonUnitFacts, at=f"{at}/{UNITS}/{escaped(node_id)}")
    shaped({OWN_UNITS: facts.get(OWN_UNITS) or {}}, CommonListFacts, at=at)
    return dict(facts)


def warlord_traits(rule_pack: str) -> Mapping[str, Text]:
    """The warlord traits of a game's rulebook by the name a list records; none for a game without any."""
    return GAMES[rule_pack].warlord_traits if rule_pack in GAMES else {}


@cache
def list_fact_types(rule_pack: str) -> tuple[FactType, ...]:
    """The facts of a whole list; none for a game that reads no rosters."""
    reader = roster_reader_of(rule_pack)
    return members_of(reader.facts) if reader is not None else ()


@cache
def unit_fact_types(rule_pack: str) -> tuple[FactType, ...]:
    """The facts of one unit; a game that reads no rosters knows those of every game."""
    units = next((fact for fact in list_fact_types(rule_pack) if fact.name == UNITS), None)
    return members_of(get_args(units.kind)[1] if units is not None else CommonUnitFacts)


def members_of(shape: type[msgspec.Struct]) -> tuple[FactType, ...]:
    """The members of a Struct of facts."""
    return tuple(
        FactType(member.name, *unwrapped(member.type), None if member.default is msgspec.NODEFAULT else member.default)
        for member in msgspec.structs.fields(shape)
    )


def unwrapped(kind: Any) -> tuple[Any, str | None]:
    """A type without None and annotations, and what it refers to."""
    refers_to = None
    while True:
        if get_origin(kind) is Annotated:
            for note in kind.__metadata__:
                refers_to = (getattr(note, "extra", None) or {}).get("refers_to", refers_to)
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, UnionType):
            kinds = [item for item in get_args(kind) if item is not NoneType]
            if len(kinds) > 1 and not all(unwrapped(item)[0] in (int, float) for item in kinds):
                return kind, refers_to
            kind = kinds[0]
        else:
            return kind, refers_to


def references(types: tuple[FactType, ...]) -> tuple[str, ...]:
    """Names of the facts that name a unit."""
    return tuple(fact.name for fact in types if fact.refers_to is not None)


def merged(facts: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Facts with changes; a change to None takes a fact back."""
    return {name: value for name, value in {**facts, **changes}.items() if value is not None}


def without_the_gone(document: ListDocument, *, rule_pack: str) -> ListDocument:
    """A document without facts about what is no longer in its roster."""
    places, facts = document.places, document.facts
    of_unit = references(unit_fact_types(rule_pack))
    units = {
        node_id: merged(stated, {name: None for name in of_unit if stated.get(name) not in (None, *places)})
        for node_id, stated in (facts.get(UNITS) or {}).items()
        if node_id in places
    }
    gone: dict[str, Any] = {UNITS: {node_id: stated for node_id, stated in units.items() if stated} or None}
    own = {
        node_id: unit
        for node_id, unit in (facts.get(OWN_UNITS) or {}).items()
        if unit.get("force_id") in places and places[unit["force_id"]].is_force
    }
    gone[OWN_UNITS] = own or None
    gone |= {name: None for name in references(list_fact_types(rule_pack)) if facts.get(name) not in (None, *places)}
    if "warlord" in gone:
        gone["warlord_trait"] = None
    return msgspec.structs.replace(document, facts=merged(facts, gone))


def describe(
    document: ListDocument,
    changes: Mapping[str, Any],
    *,
    rule_pack: str,
    unit: str | None,
    name_of: Callable[[str], str],
) -> Text:
    """What stating these facts did.

    Args:
        unit: name of the unit they are about; None for the whole list.
        name_of: node id to name.
    """
    head = f"{unit}: " if unit else ""
    parts = list(stated(document, changes, rule_pack=rule_pack, name_of=name_of))
    return Text(
        en=head + ", ".join(f"{name.en} – {value.en}" for name, value in parts),
        ru=head + ", ".join(f"{name.ru} – {value.ru}" for name, value in parts),
    )


def stated(
    document: ListDocument, facts: Mapping[str, Any], *, rule_pack: str, name_of: Callable[[str], str]
) -> Iterator[tuple[Text, Text]]:
    """Names and values of facts in words; `name_of` leads from node id to name."""
    for name, value in facts.items():
        if name == OWN_UNITS and isinstance(value, dict):
            yield fact_name(rule_pack, name), same(", ".join(str(unit.get("name", "")) for unit in value.values()))
            continue
        yield fact_name(rule_pack, name), _value(document, value, rule_pack, name_of)


def _value(document: ListDocument, value: Any, rule_pack: str, name_of: Callable[[str], str]) -> Text:
    if value is None:
        return Text("not stated", "не указано")
    if (word := fact_value(rule_pack, value)) is not None:
        return word
    if isinstance(value, str) and value in document.places:
        return same(name_of(value))
    if isinstance(value, list):
        return same(", ".join(map(str, value)))
    if isinstance(value, dict):
        parts = list(stated(document, value, rule_pack=rule_pack, name_of=name_of))
        return Text(
            en=", ".join(f"{name.en} {part.en}" for name, part in parts),
            ru=", ".join(f"{name.ru} {part.ru}" for name, part in parts),
        )
    return same(str(value)[:LONGEST_VALUE])
