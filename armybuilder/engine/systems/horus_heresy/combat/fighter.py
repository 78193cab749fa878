"""A unit of a list as combat sees it."""

from decimal import Decimal

import msgspec

from armybuilder.engine.systems.horus_heresy.matchup import Side


class Mode(msgspec.Struct, frozen=True):
    """Weapon profiles of one group of which a model fires one at a time: several profiles of the same weapon.

    Attributes:
        group: index of the group in the side.
        weapons: indices of its weapons.
    """

    group: int
    weapons: tuple[int, ...]


class Fighter(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a list, ready to fight.

    Attributes:
        unit: id of its selection in the roster.
        points: what it costs, transports of its own left out.
        modes: weapons with several profiles.
        unknown: special rules and wargear that no simulation understands, as the data writes them.
    """

    unit: str
    name: str
    points: Decimal
    side: Side
    modes: tuple[Mode, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def models(self) -> int:
        """Models in the unit."""
        return sum(group.count for group in self.side.models)
