"""What a stored list says besides its roster, and how it names its units there: a form offers them to choose from."""

from typing import Annotated

from msgspec import Meta, Struct

UnitReference = Annotated[str, Meta(min_length=1, extra={"refers_to": "unit"})]
"""Node id of a unit, or of a model in it, in the roster the fact is stated of."""

CarrierReference = Annotated[str, Meta(min_length=1, extra={"refers_to": "carrier"})]
"""Node id of a unit or model that carries others."""


Price = Annotated[int, Meta(ge=0, le=100_000)]
"""Whole points."""

ShortText = Annotated[str, Meta(min_length=1, max_length=120)]


class PlayerFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something a player states, of the list or of a part of it; it outranks what the data says."""


class OwnUnit(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of the owner's own, which the data does not have.

    Attributes:
        force_id: node id of its detachment.
        role: id of its category in that detachment.
        points: of the whole unit.
        profile: characteristics of its models, name and value.
    """

    force_id: Annotated[str, Meta(min_length=1, max_length=100)]
    name: Annotated[str, Meta(min_length=1, max_length=120)]
    role: Annotated[str, Meta(max_length=400)] = ""
    points: Price = 0
    models: Annotated[int, Meta(ge=1, le=1_000)] = 1
    profile: Annotated[
        tuple[tuple[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=200)]], ...],
        Meta(max_length=40),
    ] = ()
    notes: Annotated[str, Meta(max_length=2_000)] = ""


class CommonListFacts(PlayerFacts, frozen=True, kw_only=True):
    """What a player may state of a list in every game.

    Attributes:
        own_units: units of the owner's own by their node ids.
    """

    own_units: dict[str, OwnUnit] = {}


class CommonUnitFacts(PlayerFacts, frozen=True, kw_only=True):
    """What a player may state of a unit in every game.

    Attributes:
        own_points: what the unit costs as a whole, whatever the data says.
        base_size: what its models stand on, as the player writes it: "32 mm", "25x50". Outranks what the data says.
        model_name: which miniatures stand for it, by maker or set; what the player calls the unit itself is its name.
    """

    own_points: Price | None = None
    base_size: ShortText | None = None
    model_name: ShortText | None = None
