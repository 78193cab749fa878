"""A formation of a list as combat sees it."""

from decimal import Decimal

import msgspec

from armybuilder.engine.systems.epic.matchup import FormationSide


class Fighter(msgspec.Struct, frozen=True, kw_only=True):
    """A formation of a list, ready to fight.

    Attributes:
        unit: id of its selection in the roster.
        points: what it costs with its upgrades.
        unknown: special rules, critical effects and weapons that are in no figure, as the data writes them.
        riding: how many units of each group ride when the formation mounts its own transports.
    """

    unit: str
    name: str
    points: Decimal
    side: FormationSide
    unknown: tuple[str, ...] = ()
    riding: tuple[int, ...] = ()

    @property
    def models(self) -> int:
        """Units in the formation."""
        return sum(unit.count for unit in self.side.groups)

    @property
    def is_in_space(self) -> bool:
        """Whether some of it is off the table for good: the rules text lets nobody shoot at spacecraft."""
        return any(unit.type == "SC" for unit in self.side.groups)
