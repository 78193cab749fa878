"""What a game shows of an army without being asked: its `Game.summary` gives one."""

from collections.abc import Mapping

from msgspec import Struct

from armybuilder.engine.findings import Text


class ListSummary(Struct, frozen=True):
    """Facts of an army in short words.

    Attributes:
        army: of the whole list.
        units: by node id of the unit.
        summarised_rules: rules whose remarks say nothing else; whoever shows the facts need not repeat them.
    """

    army: tuple[Text, ...]
    units: Mapping[str, tuple[Text, ...]]
    summarised_rules: frozenset[str] = frozenset()
