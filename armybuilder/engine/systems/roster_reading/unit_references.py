"""Facts of a stored list that name one of its units: the type that tells a form to offer the units to choose from."""

from typing import Annotated

from msgspec import Meta

UnitReference = Annotated[str, Meta(min_length=1, extra={"refers_to": "unit"})]
"""Node id of a unit, or of a model in it, in the roster the fact is stated of."""

CarrierReference = Annotated[str, Meta(min_length=1, extra={"refers_to": "carrier"})]
"""Node id of a unit or model that carries others."""
