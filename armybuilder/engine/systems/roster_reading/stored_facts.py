"""What a stored list says besides its roster, and how it names its units there: a form offers them to choose from."""

from typing import Annotated

from msgspec import Meta, Struct

UnitReference = Annotated[str, Meta(min_length=1, extra={"refers_to": "unit"})]
"""Node id of a unit, or of a model in it, in the roster the fact is stated of."""

CarrierReference = Annotated[str, Meta(min_length=1, extra={"refers_to": "carrier"})]
"""Node id of a unit or model that carries others."""


Price = Annotated[int, Meta(ge=0, le=100_000)]
"""Whole points."""


class Stated(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something a player states, of the list or of a part of it; it outranks what the data says."""


class StatedOfUnit(Stated, frozen=True, kw_only=True):
    """What a player may state of a unit in every game.

    Attributes:
        own_points: what the unit costs as a whole, whatever the data says.
    """

    own_points: Price | None = None
