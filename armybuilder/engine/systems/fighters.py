"""What the fighters of all games have in common: a unit of a list as combat sees it."""

from decimal import Decimal

import msgspec


class Mode(msgspec.Struct, frozen=True):
    """Weapon profiles of one group of which a model fires one at a time: several profiles of the same weapon.

    Attributes:
        group: index of the group in the side.
        weapons: indices of its weapons.
    """

    group: int
    weapons: tuple[int, ...]


class ListFighter(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a list, ready to fight.

    Attributes:
        unit: id of its selection in the roster.
        points: what it costs, units of its own that were bought with it left out.
        unknown: special rules, wargear and weapons that are in no figure, as the data writes them.
    """

    unit: str
    name: str
    points: Decimal
    unknown: tuple[str, ...] = ()
