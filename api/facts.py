"""What a list of a game may state besides its units: names, types and legal values, and the warlord's traits."""

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC, ref
from armybuilder.armylists.documents import OWN_UNITS, UNITS
from armybuilder.armylists.facts import FactType, list_fact_types, unit_fact_types, warlord_traits
from armybuilder.armylists.wording import fact_name, fact_value, same
from armybuilder.engine.findings import Text
from armybuilder.reference import queries


class FactValueOut(msgspec.Struct, frozen=True):
    """A value that a fact may have."""

    value: str | int | bool
    label: Text


class FactOut(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a list may state, by `set_facts` or `set_unit_facts`; null always takes it back.

    Attributes:
        name: member of `facts`.
        values: all it may be; null where any value of its type will do.
        refers_to: `unit` for the id of a selection in another unit, `carrier` for that of a transport; null for values.
        usual: what holds where nothing is stated.
        json_schema: of the value, as JSON Schema.
    """

    name: str
    label: Text
    values: tuple[FactValueOut, ...] | None
    refers_to: str | None
    usual: Any
    json_schema: dict[str, Any]

    @classmethod
    def of(cls, fact: FactType, rule_pack: str) -> "FactOut":
        """A fact of a game."""
        (schema,), components = msgspec.json.schema_components([fact.kind], ref_template="#/$defs/{name}")
        (usual,) = msgspec.to_builtins([fact.usual if fact.usual is not msgspec.NODEFAULT else None])
        return cls(
            name=fact.name,
            label=fact_name(rule_pack, fact.name),
            values=_values(schema, components, rule_pack),
            refers_to=fact.refers_to,
            usual=usual,
            json_schema=schema | ({"$defs": components} if components else {}),
        )


class TraitOut(msgspec.Struct, frozen=True):
    """A warlord trait of the rulebook; `name` is what `warlord_trait` takes."""

    name: str
    label: Text


class FactsOut(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a list of a game may state.

    Attributes:
        army: of the list as a whole, for `set_facts`.
        units: of one unit, for `set_unit_facts`.
        warlord_traits: those of the rulebook, for `set_warlord`; units may bring others.
    """

    army: tuple[FactOut, ...]
    units: tuple[FactOut, ...]
    warlord_traits: tuple[TraitOut, ...]


class Facts(APIView):
    """What lists may state."""

    @extend_schema(operation_id="list_facts", tags=["systems"], responses={200: ref(FactsOut)}, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """What a list of a game may state besides its units, with legal values, and the warlord traits."""
        pack = queries.system(system).rule_pack
        return Response(
            FactsOut(
                army=tuple(
                    FactOut.of(fact, pack) for fact in list_fact_types(pack) if fact.name not in (UNITS, OWN_UNITS)
                ),
                units=tuple(FactOut.of(fact, pack) for fact in unit_fact_types(pack)),
                warlord_traits=tuple(TraitOut(name, label) for name, label in warlord_traits(pack).items()),
            )
        )


def _values(schema: dict[str, Any], components: dict[str, Any], rule_pack: str) -> tuple[FactValueOut, ...] | None:
    if "$ref" in schema:
        schema = components[schema["$ref"].rpartition("/")[2]]
    values = [True, False] if schema.get("type") == "boolean" else schema.get("enum")
    if values is None:
        return None
    return tuple(FactValueOut(value, fact_value(rule_pack, value) or same(str(value))) for value in values)
