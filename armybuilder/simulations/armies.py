"""What meets in a fight: the units of a list, or a single target, ready to fight."""

from dataclasses import dataclass

from armybuilder.engine.systems.list_matchups import Combatant


@dataclass(frozen=True, slots=True)
class Army:
    """A list that fights, or a unit that belongs to none.

    Attributes:
        fighters: the game's own values (`fighters.Fighter`).
        absent: names of the units of the list that nothing is known of to fight with.
    """

    name: str
    system: str
    fighters: tuple[Combatant, ...]
    absent: tuple[str, ...] = ()
