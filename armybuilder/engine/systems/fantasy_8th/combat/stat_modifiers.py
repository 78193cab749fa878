"""What an item, a spell in effect or special terrain changes of its bearer."""

from functools import cached_property

from msgspec import Struct, field

from armybuilder.engine.systems.fantasy_8th.combat.special_rules import read


class StatModifier(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """What an item, a spell in effect or special terrain changes.

    Attributes:
        add, put: characteristics raised or lowered, or set.
        gives: special rules given, as documents print them.
        hit, wound: added to the bearer's rolls; enemy_hit, enemy_wound: to the rolls against him.
        armour: added to the armour save; ward: a ward save.
        melee: what it does to rolls to hit it does in close combat only.
        cover: of the unit, against shooting: 1 soft, 2 hard.
        unit: for the whole unit, not only the bearer.
        lowered: characteristics lowered by one D3, rolled once.
    """

    add: dict[str, int] = field(default_factory=dict)
    put: dict[str, int] = field(default_factory=dict)
    gives: tuple[str, ...] = ()
    hit: int = 0
    wound: int = 0
    enemy_hit: int = 0
    enemy_wound: int = 0
    armour: int = 0
    ward: int | None = None
    melee: bool = False
    cover: int = 0
    unit: bool = False
    lowered: tuple[str, ...] = ()

    @cached_property
    def rules(self) -> tuple[tuple[str, str | None], ...]:
        """Special rules given: id of the row, and value."""
        return tuple((slug, value) for slug, value in map(read, self.gives) if slug is not None)


NO_CHANGE = StatModifier()
