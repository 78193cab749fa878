"""A unit of a list as combat sees it."""

from armybuilder.engine.systems.fighters import ListFighter, Mode
from armybuilder.engine.systems.horus_heresy.matchup import Side
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment


class Fighter(ListFighter, frozen=True, kw_only=True):
    """A unit of a list, ready to fight.

    Attributes:
        modes: weapons with several profiles.
        rides: id of the unit that it begins a battle in; None walks.
        deployment: how it begins a battle, as the player says; None is as its rules ask.
    """

    side: Side
    rides: str | None = None
    deployment: Deployment | None = None
    modes: tuple[Mode, ...] = ()

    @property
    def models(self) -> int:
        """Models in the unit."""
        return self.side.count

    @property
    def has_hull(self) -> bool:
        """Whether it has hull points."""
        return any(group.profile.hull_points is not None for group in self.side.models)

    @property
    def has_several_wounds(self) -> bool:
        """Whether most models have several wounds, so that wounds tell more than models."""
        several = sum(group.count for group in self.side.models if (group.profile.wounds or 1) > 1)
        return 2 * several > self.models and not self.has_hull
