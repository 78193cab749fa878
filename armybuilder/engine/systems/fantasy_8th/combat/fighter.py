"""A unit of a list as combat sees it."""

from decimal import Decimal

import msgspec

from armybuilder.engine.systems.fantasy_8th.matchup import Side


class Fighter(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a list, ready to fight; characters fight on their own, as the table decides whom they join.

    Attributes:
        unit: id of its selection in the roster.
        points: what it costs, detachments left out.
        unknown: special rules, weapons and items that no simulation understands, as the data writes them.
        destruction: it is of the forces of Destruction.
        wizard_level, lore: what it casts with; the slug of one of the eight lores, None for any other.
    """

    unit: str
    name: str
    points: Decimal
    side: Side
    unknown: tuple[str, ...] = ()
    wizard_level: int = 0
    lore: str | None = None
    destruction: bool = False

    @property
    def models(self) -> int:
        """Models in the unit."""
        return self.side.count
