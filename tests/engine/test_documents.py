"""Reading documents: every bad input is refused with the pointer to the culprit, and nothing else ever comes out."""

import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.inspect import (
    AnyType,
    CustomType,
    DictType,
    FrozenSetType,
    ListType,
    Metadata,
    RawType,
    SetType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from armybuilder.engine import documents
from armybuilder.engine.check import MAX_FINDINGS, check
from armybuilder.engine.documents import parse_army, read_army, read_json
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.horus_heresy.army import Army
from tests.engine.systems.horus_heresy.builders import Json, make_army, make_squad, make_unit
from tests.examples import examples

UNIT = "/detachments/0/units/3"


def read(document: Any) -> Army:
    army = parse_army(read_json(json.dumps(document)))
    assert isinstance(army, Army)
    assert read_army(json.dumps(document).encode()) == army
    return army


def refusal_of(data: bytes | str) -> BadDocument:
    with pytest.raises(BadDocument) as caught:
        parse_army(read_json(data))
    with pytest.raises(type(caught.value)) as of_text:
        read_army(data.encode() if isinstance(data, str) else data)
    assert (str(of_text.value), of_text.value.at) == (str(caught.value), caught.value.at)
    return caught.value


def with_unit(**facts: Any) -> Json:
    return make_army(make_unit(**facts))


def with_group(**facts: Any) -> Json:
    return with_unit(models=[{"name": "Legionary", "count": 9}, {"name": "Sergeant", "count": 1} | facts])


def without(document: Json, member: str) -> Json:
    return {key: value for key, value in document.items() if key != member}


def test_the_document_of_the_contract_is_read() -> None:
    army = read(make_army(make_squad(3, models=[{"name": "Legionary", "count": 9}]), name="First draft", version=1))
    assert (army.name, army.points_limit, len(army.detachments[0].units)) == ("First draft", 2500, 4)


EMPTY = {"type": "primary", "faction": "Sons of Horus", "units": []}

WRONG_SHAPES: list[tuple[str, Json, str]] = [
    ("no system", without(make_army(), "system"), "/system"),
    ("unknown system", make_army(system="chess"), "/system"),
    ("system of another shape", make_army(system=["horus-heresy"]), "/system"),
    ("no detachments", without(make_army(), "detachments"), "/detachments"),
    ("detachments of another shape", make_army(detachments={}), "/detachments"),
    ("unknown field", make_army(colour="green"), "/colour"),
    ("unknown field of a unit", with_unit(colour="green"), f"{UNIT}/colour"),
    ("unknown field with slashes", with_unit(**{"a/b~c": 1}), f"{UNIT}/a~1b~0c"),
    ("unknown field like a path", with_unit(**{"x - at `$.y`": 1}), f"{UNIT}/x - at `$.y`"),
    ("unknown field of a group", with_group(colour="green"), f"{UNIT}/models/1/colour"),
    ("unknown field of a profile", with_unit(profile={"Q": 1}), f"{UNIT}/profile/Q"),
    ("unknown option of the document", make_army(options={"colour": 1}), "/options/colour"),
    ("no name", make_army(without(make_unit(), "name")), f"{UNIT}/name"),
    ("no role", make_army(without(make_unit(), "role")), f"{UNIT}/role"),
    ("no points", make_army(without(make_unit(), "points")), f"{UNIT}/points"),
    ("text for points", with_unit(points="130"), f"{UNIT}/points"),
    ("true for points", with_unit(points=True), f"{UNIT}/points"),
    ("null for points", with_unit(points=None), f"{UNIT}/points"),
    ("text for the limit", make_army(points_limit="2500"), "/points_limit"),
    ("number for a name", with_unit(name=7), f"{UNIT}/name"),
    ("number for notes", make_army(notes=7), "/notes"),
    ("number for the id", make_army(id=7), "/id"),
    ("another version", make_army(version=2), "/version"),
    ("number for the schema", make_army(**{"$schema": 1}), "/$schema"),
    ("unknown play mode", make_army(play_mode="solo"), "/play_mode"),
    ("unknown detachment", make_army(detachments=[EMPTY | {"type": "third"}]), "/detachments/0/type"),
    ("unknown deployment", with_unit(deployment="orbit"), f"{UNIT}/deployment"),
    ("unknown alliance level", make_army(alliances={"A": "sworn_brothers", "B.c": "friends"}), "/alliances/B.c"),
    ("alliance level with slashes", make_army(alliances={"a/b": 3}), "/alliances/a~1b"),
    ("models of another shape", with_unit(models="ten"), f"{UNIT}/models"),
    ("half a model", with_unit(models=1.5), f"{UNIT}/models"),
    ("fewer than no models", with_unit(models=-1), f"{UNIT}/models"),
    ("true for models", with_unit(models=True), f"{UNIT}/models"),
    ("a group of another shape", with_unit(models=[3]), f"{UNIT}/models/0"),
    ("a group without count", with_unit(models=[{"name": "Legionary"}]), f"{UNIT}/models/0/count"),
    ("a group without name", with_unit(models=[{"count": 3}]), f"{UNIT}/models/0/name"),
    ("a negative group", with_group(count=-1), f"{UNIT}/models/1/count"),
    ("text for a group's count", with_group(count="1"), f"{UNIT}/models/1/count"),
    ("a characteristic as text", with_group(profile={"WS": "4"}), f"{UNIT}/models/1/profile/WS"),
    ("a broken characteristic", with_unit(profile={"T": 4.5}), f"{UNIT}/profile/T"),
    ("a save of 11+", with_unit(profile={"Sv": "11+"}), f"{UNIT}/profile/Sv"),
    ("a save without plus", with_unit(profile={"Inv": "4"}), f"{UNIT}/profile/Inv"),
    ("armour of another shape", with_unit(profile={"AV": "14"}), f"{UNIT}/profile/AV"),
    ("a facing of another shape", with_unit(profile={"AV": {"front": "14"}}), f"{UNIT}/profile/AV/front"),
    ("an unknown facing", with_unit(profile={"AV": {"top": 14}}), f"{UNIT}/profile/AV/top"),
    ("a text for rules", with_unit(rules="Fearless"), f"{UNIT}/rules"),
    ("a rule of no letters", with_unit(rules=["Fearless", ""]), f"{UNIT}/rules/1"),
    ("negative slots", with_unit(slots_used=-1), f"{UNIT}/slots_used"),
    ("an option without name", with_unit(options=[{"count": 1}]), f"{UNIT}/options/0/name"),
    ("a negative option", with_unit(options=[{"name": "x", "count": -1}]), f"{UNIT}/options/0/count"),
    ("negative reactions", make_army(base_reactions=-1), "/base_reactions"),
    ("the opponent's limit as text", make_army(opponent={"points_limit": "x"}), "/opponent/points_limit"),
    ("null where the contract has none", make_army(make_unit(id=None)), f"{UNIT}/id"),
    ("null for a faction", make_army(detachments=[EMPTY | {"faction": None}]), "/detachments/0/faction"),
    ("null within the opponent", make_army(opponent={"allegiance": None}), "/opponent/allegiance"),
    ("null for a group's trait", with_group(warlord_trait=None), f"{UNIT}/models/1/warlord_trait"),
    ("an id that stands twice", make_army(make_squad(1)), f"{UNIT}/id"),
    ("a host that does not exist", with_unit(joined_to="nobody"), f"{UNIT}/joined_to"),
    ("a transport that does not exist", with_unit(embarked_in="nothing"), f"{UNIT}/embarked_in"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "document", "at"), WRONG_SHAPES, ids=[case for case, _, _ in WRONG_SHAPES])
def test_a_wrong_shape_is_refused_with_its_pointer(case: str, document: Json, at: str) -> None:
    refused = refusal_of(json.dumps(document))
    assert refused.at == at
    assert str(refused).endswith(".")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"points": "a hundred"}, "A number is expected, not a text."),
        ({"slots_used": "one"}, "A whole number is expected, not a text."),
        ({"models": "ten"}, "A whole number or a list is expected, not a text."),
        ({"name": 5}, "A text is expected, not a whole number."),
        ({"rules": {}}, "A list is expected, not an object."),
    ],
)
def test_a_wrong_shape_is_named_in_words(facts: Json, message: str) -> None:
    assert refusal_of(json.dumps(with_unit(**facts))).message == message


NOT_JSON: list[tuple[str, bytes]] = [
    ("nothing", b""),
    ("words", b"hello"),
    ("half an object", b'{"system": "horus-heresy"'),
    ("two documents", b"{} {}"),
    ("NaN", b'{"system": "horus-heresy", "points_limit": NaN}'),
    ("Infinity", b'{"system": "horus-heresy", "points_limit": -Infinity}'),
    ("a member twice", b'{"system": "horus-heresy", "system": "relic"}'),
    ("another encoding", '{"name": "Воитель"}'.encode("cp1251")),
    ("a list", b"[]"),
    ("a number", b"7"),
    ("null", b"null"),
    ("deep nesting", b"[" * 100 + b"]" * 100),
    ("deeper than Python parses", b"[" * 100_000 + b"]" * 100_000),
    ("more digits than Python reads", b'{"points_limit": ' + b"9" * 5000 + b"}"),
]


@pytest.mark.parametrize(("case", "data"), NOT_JSON, ids=[case for case, _ in NOT_JSON])
def test_what_is_no_document_is_refused(case: str, data: bytes) -> None:
    assert str(refusal_of(data))


@pytest.mark.parametrize(
    ("case", "text", "at"),
    [
        ("a number beyond every seed", '{"points_limit": 18446744073709551616}', "/points_limit"),
        ("a float that no total can hold", '{"points_limit": 1e15}', "/points_limit"),
        ("too many bytes", '"' + " " * documents.MAX_DOCUMENT_BYTES + '"', None),
    ],
)
def test_beyond_the_limits_is_refused_as_that(case: str, text: str, at: str | None) -> None:
    refused = refusal_of(text)
    assert (type(refused), refused.at) == (LimitExceeded, at), case


@pytest.mark.parametrize("value", ["1e400", "-1e400"])
def test_a_number_that_overflows_is_refused(value: str) -> None:
    assert refusal_of(f'{{"points_limit": {value}}}').at == "/points_limit"


def test_half_a_character_is_refused_because_no_answer_could_repeat_it() -> None:
    assert refusal_of('{"system": "horus-heresy", "id": "\\ud800"}').at == "/id"
    assert read(make_army(id="😀")).id == "😀"


READ_AS_WELL: list[tuple[str, Json, Callable[[Army], object], object]] = [
    ("x- fields", make_army(**{"x-shop": {"a": [1]}}), lambda army: army.points_limit, 2500),
    ("x- fields of a unit", with_unit(**{"x-id": 1}), lambda army: army.total, 510),
    ("a whole number with a dot", with_unit(models=3.0), lambda army: army.detachments[0].units[3].models, 3),
    ("a broken price", with_unit(points=12.5), lambda army: army.detachments[0].units[3].points, 12.5),
    ("a limit of -1: HH-04 speaks", make_army(points_limit=-1), lambda army: army.points_limit, -1),
    ("no allegiance: HH-01 speaks", make_army(allegiance=None), lambda army: army.allegiance, None),
    ("an unknown role: HH-16 speaks", with_unit(role="war_machine"), lambda army: army.units[3].role, "war_machine"),
    ("an unknown type", with_unit(type="Walker"), lambda army: army.units[3].type, "walker"),
    ("an unknown chart: HH-08 speaks", make_army(chart="siege"), lambda army: army.chart, "siege"),
    ("a lone transport: HH-44", with_unit(dedicated_transport_for="nobody"), lambda army: len(army.units), 4),
    ("a dash for a save", with_unit(profile={"Sv": "–"}), lambda army: army.units[3].unit.profile.Sv, "–"),  # type: ignore[union-attr]
    ("null where the contract has it", with_unit(warlord_trait=None, allegiance=None), lambda army: len(army.units), 4),
    ("a schema address", make_army(**{"$schema": "army.json"}), lambda army: army.schema_address, "army.json"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "document", "part", "expected"), READ_AS_WELL, ids=[case for case, _, _, _ in READ_AS_WELL]
)
def test_what_a_rule_may_object_to_is_read(
    case: str, document: Json, part: Callable[[Army], object], expected: object
) -> None:
    assert part(read(document)) == expected


@pytest.mark.parametrize("system", LIST_RULES)
def test_every_number_of_an_army_has_bounds(system: str) -> None:
    """So `read_army` need not look for numbers that no answer could repeat."""

    def unbounded(node: Any) -> Iterator[Any]:
        if isinstance(node, dict) and node.get("type") in ("integer", "number"):
            yield from () if {"minimum", "maximum"} <= node.keys() else (node,)
        for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from unbounded(inner)

    assert list(unbounded(msgspec.json.schema(LIST_RULES[system].army_type))) == []


def test_a_byte_order_mark_is_no_text() -> None:
    assert read_json(b"\xef\xbb\xbf{}") == {}


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=5), st.just("reserve")
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


def _places(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every member and item of a document."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [place for key, member in inner for place in [(*at, key), *_places(member, (*at, key))]]


FULL = make_army(
    make_squad(
        3,
        models=[{"name": "Legionary", "count": 9, "profile": {"M": 7, "Sv": "3+"}}, {"name": "Sergeant", "count": 1}],
        options=[{"name": "Meltagun", "count": 1, "max": 2}],
        joined_to="praetor",
        deployment="table",
        transport_options=["Rhino"],
        psychic_disciplines=["Telepathy"],
    ),
    make_unit(name="Tank", type="vehicle", profile={"AV": {"front": 13, "side": 12, "rear": 10}, "HP": 4}),
    opponent={"allegiance": "loyalist", "points_limit": 2500},
    allowed_warlord_traits=["Sire"],
    base_reactions=1,
    notes="",
    options={},
)


@settings(max_examples=examples(300), deadline=None)
@given(place=st.sampled_from(_places(FULL)), value=VALUES)
def test_no_value_anywhere_gives_anything_but_an_answer_or_a_refusal(place: tuple[str | int, ...], value: Any) -> None:
    document = json.loads(json.dumps(FULL))
    target = document
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    try:
        army = parse_army(read_json(json.dumps(document)))
    except BadDocument as refused:
        assert refused.at is None or refused.at.startswith("/") or refused.at == ""
        return
    assert isinstance(army, Army)
    assert check(army).system == "horus-heresy"


@pytest.mark.shared
def test_the_same_documents_are_refused_as_by_the_published_schema(shared: Path) -> None:
    """Beyond the schema only what it cannot say is refused: ids, half characters, sizes of numbers."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((shared / "contracts" / "army.horus-heresy.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)

    @settings(max_examples=examples(600), deadline=None)
    @given(place=st.sampled_from(_places(FULL)), value=VALUES)
    def compare(place: tuple[str | int, ...], value: Any) -> None:
        document = json.loads(json.dumps(FULL))
        target = document
        for step in place[:-1]:
            target = target[step]
        target[place[-1]] = value
        text = json.dumps(document)
        try:
            parse_army(read_json(text))
        except LimitExceeded:
            return
        except BadDocument as refused:
            if not re.search("stands twice|No unit has the id|lone surrogate|not a number", str(refused)):
                assert not validator.is_valid(json.loads(text)), (place, value, str(refused))
        else:
            assert validator.is_valid(json.loads(text)), (place, value)

    compare()


@settings(max_examples=examples(200), deadline=None)
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_bytes_give_anything_but_a_refusal(data: bytes) -> None:
    with pytest.raises(BadDocument):
        parse_army(read_json(data))


def test_the_size_of_a_document_is_no_weapon() -> None:
    """Texts have an end, and what multiplies is refused or counted only as far as needed."""
    assert refusal_of(json.dumps(make_army(make_unit(name="x" * 100_000)))).at == "/detachments/0/units/3/name"
    powers = make_unit(name="x" * 200, psychic_powers=[str(number) for number in range(200)])
    army = make_army(make_unit(models=[{"name": "a", "count": 10**5, "warlord": True}]), powers)
    findings = check(read(army)).findings
    assert {finding.rule for finding in findings} == {"HH-33", "HH-57"}
    assert max(len(finding.message.en) for finding in findings) < 500
    assert read(make_army(make_unit(rules=["Bulky (" + "9" * 190 + ")"]))).units[3].models[0].size == 1


def test_an_army_no_table_holds_is_refused() -> None:
    assert refusal_of(json.dumps(make_army(*[make_unit()] * 998))).at == "/detachments/0/units"
    assert len(read(make_army(*[make_unit()] * 997)).units) == 1000


def test_more_findings_than_any_army_has_are_refused() -> None:
    with pytest.raises(LimitExceeded):
        check(read(make_army(*[make_unit(psychic_powers=["Hallucination"] * 200)] * (MAX_FINDINGS // 200 + 1))))


def test_the_offending_key_is_found_among_many() -> None:
    alliances = {f"Faction {number}": "sworn_brothers" for number in range(5000)} | {"Last": "friends"}
    assert refusal_of(json.dumps(make_army(alliances=alliances))).at == "/alliances/Last"


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '{"a": {"b": 1, "b": ":"}}', '{"a": "::", "a": "::"}', '{"a:": 1, "a:": 2}']
)
def test_a_member_that_comes_twice_is_refused_wherever_colons_are(text: str) -> None:
    with pytest.raises(BadDocument):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a:b": "c:d", "e": [null, true, -0]}', {"a:b": "c:d", "e": [None, True, 0]}),
        ('\ufeff{"a": 1}'.encode(), {"a": 1}),
        ('{"a": 2.0, "x-b": {"c": 1}}', {"a": 2}),
        ('["é"]', ["é"]),
        ('{"\\u0078-b": 1, "c": "x-d", "\\u0436": "ж"}', {"c": "x-d", "ж": "ж"}),
        ('{ "a" : [ "b\\/c" , 18446744073709551615 ] }', {"a": ["b/c", 2**64 - 1]}),
        ("[" * 64 + "1" + "]" * 64, None),
    ],
)
def test_what_the_quick_parser_does_not_read_is_read_all_the_same(text: str | bytes, value: object) -> None:
    assert read_json(text) == (json.loads(text) if value is None else value)


@pytest.mark.parametrize("text", ["[" * 65 + "1" + "]" * 65, '{"a":' * 65 + "{}" + "}" * 65, "[18446744073709551616]"])
def test_what_is_too_deep_or_too_large_is_refused_however_short_it_is_written(text: str) -> None:
    with pytest.raises((BadDocument, LimitExceeded)):
        read_json(text)


@pytest.mark.parametrize("depth", [60, 900])
@pytest.mark.long
def test_a_long_row_deep_inside_takes_no_memory_for_its_lines(depth: int) -> None:
    text = b"[" * depth + b"1," * 900_000 + b"1" + b"]" * depth
    tracemalloc.start()
    try:
        with suppress(BadDocument):
            read_json(text)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("system", LIST_RULES)
def test_a_document_that_is_a_struct_is_not_too_deep(system: str) -> None:
    """Why `read_army` need not look: nothing of it holds itself, or just anything."""
    assert deepest(type_info(LIST_RULES[system].army_type), ()) < documents.MAX_DEPTH


def deepest(part: Type, around: tuple[Type, ...]) -> int:
    """How many arrays and objects can stand in one another."""
    assert part not in around
    assert not isinstance(part, AnyType | CustomType | RawType)
    match part:
        case StructType():
            assert part.forbid_unknown_fields
            return 1 + max((deepest(field.type, (*around, part)) for field in part.fields), default=0)
        case VarTupleType() | ListType() | SetType() | FrozenSetType():
            return 1 + deepest(part.item_type, around)
        case DictType():
            return 1 + deepest(part.value_type, around)
        case UnionType():
            return max(deepest(one, around) for one in part.types)
        case Metadata():
            return deepest(part.type, around)
        case TupleType():
            return 1 + max(deepest(one, around) for one in part.item_types)
        case _:
            return 0
