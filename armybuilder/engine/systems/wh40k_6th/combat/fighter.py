"""A unit of a list as combat sees it."""

from typing import Annotated

from msgspec import Meta

from armybuilder.engine.systems.fighters import ListFighter, Mode
from armybuilder.engine.systems.list_rules import StrictPart
from armybuilder.engine.systems.notation import RuleName
from armybuilder.engine.systems.wh40k_6th.army import Group

CHARACTER = "character"
HULLS = ("vehicle", "walker", "flyer", "building")


class Squad(StrictPart, frozen=True):
    """A unit as it shoots and is shot at; its models stand in the order in which wounds reach them."""

    models: Annotated[tuple[Group, ...], Meta(min_length=1)]
    rules: tuple[RuleName, ...] = ()


class Fighter(ListFighter, frozen=True, kw_only=True):
    """A unit of a list, ready to fight.

    Attributes:
        side: its models, the most numerous first and characters last, and the rules of the whole unit.
        modes: weapons with several profiles.
    """

    side: Squad
    modes: tuple[Mode, ...] = ()

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its models, the nearest first."""
        return self.side.models

    @property
    def rules(self) -> tuple[str, ...]:
        """Special rules of the whole unit."""
        return self.side.rules

    @property
    def models(self) -> int:
        """Models in the unit."""
        return sum(group.count for group in self.groups)

    @property
    def is_hull(self) -> bool:
        """Whether some of it has armour values, against which the rules text has no rules."""
        return any(is_a(group, *HULLS) or group.profile is None or group.profile.T is None for group in self.groups)


def is_a(group: Group, *types: str) -> bool:
    """Whether the models have one of these types or sub-types, in lower case."""
    return not set(types).isdisjoint(subtype.casefold() for subtype in group.subtypes)
