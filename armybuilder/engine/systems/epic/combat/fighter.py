"""A formation of a list as combat sees it."""

from armybuilder.engine.systems.epic.matchup import FormationSide
from armybuilder.engine.systems.fighters import ListFighter


class Fighter(ListFighter, frozen=True, kw_only=True):
    """A formation of a list, ready to fight.

    Attributes:
        riding: how many units of each group ride when the formation mounts its own transports.
    """

    side: FormationSide
    riding: tuple[int, ...] = ()

    @property
    def models(self) -> int:
        """Units in the formation."""
        return sum(unit.count for unit in self.side.groups)

    @property
    def is_in_space(self) -> bool:
        """Whether some of it is off the table for good: the rules text lets nobody shoot at spacecraft."""
        return any(unit.type == "SC" for unit in self.side.groups)
