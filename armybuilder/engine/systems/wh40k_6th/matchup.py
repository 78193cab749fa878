"""What 40k 6th edition simulates: a unit shooting at a unit, and a run, as one frozen Struct."""

from typing import ClassVar, Literal

from armybuilder.engine.systems.list_rules import StrictPart
from armybuilder.engine.systems.matchups import Matchup
from armybuilder.engine.systems.notation import Count, Items, Measure, Name, Names, RuleNames, SomeItems, TargetNumber
from armybuilder.engine.systems.wh40k_6th.army import Profile, Weapon


class FiringGroup(StrictPart, frozen=True):
    """Firing models of one kind.

    Attributes:
        snap_shots: these weapons make snap shots, whatever others of the unit do (L262).
    """

    name: Name
    count: Count
    profile: Profile = Profile()
    weapons: Items[Weapon] = ()
    rules: RuleNames = ()
    snap_shots: bool = False


class TargetGroup(StrictPart, frozen=True):
    """Target models of one kind."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"cover"})

    name: Name
    count: Count
    profile: Profile
    subtypes: Names = ()
    rules: RuleNames = ()
    cover: TargetNumber = None
    distance: Measure | None = None
    visible: bool = True
    in_range: bool = True
    comrades_within_6in: Names | None = None
    track: bool = False

    @property
    def is_character(self) -> bool:
        """Whether Look Out, Sir applies."""
        return any(subtype.casefold() == "character" for subtype in self.subtypes)


class Attacker(StrictPart, frozen=True):
    """The firing unit; its groups are resolved in the listed order."""

    models: SomeItems[FiringGroup]
    name: Name | None = None
    rules: RuleNames = ()
    moved: bool = False


class Defender(StrictPart, frozen=True):
    """The target unit."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"cover"})

    models: SomeItems[TargetGroup]
    name: Name | None = None
    rules: RuleNames = ()
    cover: TargetNumber = None
    gone_to_ground: bool = False


class RunningUnit(StrictPart, frozen=True):
    """The running unit."""

    models: SomeItems[FiringGroup]
    name: Name | None = None


class Conditions(StrictPart, frozen=True):
    """Circumstances of the attack."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"focus_fire"})

    snap_shots: bool = False
    distance: Measure | None = None
    focus_fire: TargetNumber = None


class MatchupOptions(StrictPart, frozen=True):
    """Readings of the rules."""

    look_out_sir: Literal["always", "never"] = "always"
    focus_fire_leftover_wounds: Literal["lost"] = "lost"
    gone_to_ground_until: Literal["end_of_current_turn", "end_of_own_next_turn"] = "end_of_current_turn"


class Wh40kMatchup(Matchup, frozen=True, kw_only=True):
    """The matchup document of 40k 6th edition."""

    attacker: Attacker | None = None
    defender: Defender | None = None
    unit: RunningUnit | None = None
    conditions: Conditions = Conditions()
    options: MatchupOptions = MatchupOptions()
