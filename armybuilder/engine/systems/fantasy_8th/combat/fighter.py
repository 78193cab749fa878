"""A unit of a list as combat sees it."""

from armybuilder.engine.systems.fantasy_8th.matchup import ListedSide
from armybuilder.engine.systems.fighters import ListFighter


class Fighter(ListFighter, frozen=True, kw_only=True):
    """A unit of a list, ready to fight; characters fight on their own, as the table decides whom they join.

    Attributes:
        destruction: it is of the forces of Destruction.
        wizard_level, lore: what it casts with; the slug of one of the eight lores, None for any other.
    """

    side: ListedSide
    wizard_level: int = 0
    lore: str | None = None
    destruction: bool = False

    @property
    def models(self) -> int:
        """Models in the unit."""
        return self.side.count
