"""What Relic simulates: battles, sequences of battles, skill tests, rolls and bookkeeping, as one frozen Struct."""

from collections.abc import Iterator

from msgspec import field

from armybuilder.engine.systems.list_rules import StrictPart
from armybuilder.engine.systems.matchups import Matchup, refuse_above
from armybuilder.engine.systems.notation import Count, Items, Name, Names, Number, Positive, SomeItems
from armybuilder.engine.systems.relic.hero import AttributeName, Character, Hero

MAX_DICE = 100
MAX_HERO_DICE = 12
MAX_BATTLES = 50
"""The service's limits: dice of a plain roll, dice of a hero's roll, battles of one sequence."""

ROLLED = frozenset({"battle", "battle_sequence", "skill_test", "movement_roll"})
"""Kinds in which the hero rolls, or plays a power number instead."""


class Enemy(StrictPart, frozen=True):
    """A Threat enemy or a scenario sheet."""

    attribute: AttributeName
    value: Count
    name: Name | None = None
    modifier: Number = 0
    modifier_per_power_card_in_hand: Number = 0
    evaded: bool = False
    scenario_sheet: bool = False


class Battle(StrictPart, frozen=True):
    """One battle of a sequence; without `assets_used` the best legal choice counts."""

    enemies: SomeItems[Enemy]
    assets_used: Names | None = None


class Draw(StrictPart, frozen=True):
    """A corruption card that is drawn."""

    activation: Number


class Colors(StrictPart, frozen=True):
    """A number for each colour of Threat cards."""

    red: Count = 0
    blue: Count = 0
    yellow: Count = 0


class Override(StrictPart, frozen=True):
    """Dice as they fell."""

    hero_roll: Number | None = None
    enemy_roll: Number | None = None


class Options(StrictPart, frozen=True):
    """Readings of the rules: a 1 on the extra die of an exploded 6 fails a skill test too (L510)."""

    explosion_one_fails: bool = True


class Conditions(StrictPart, frozen=True):
    """This game knows no circumstances between the sides."""


class Encounter(Matchup, frozen=True, kw_only=True):
    """The matchup document of Relic."""

    hero: Hero | None = None
    enemies: SomeItems[Enemy] | None = None
    battles: SomeItems[Battle] | None = None
    attribute: AttributeName | None = None
    target: Number | None = None
    dice: Positive = 1
    exploding: bool = True
    draw: Items[Draw] | None = None
    new_character: Character | None = None
    conditions_met: Count | None = None
    threat_icons: Colors | None = None
    cards_on_space: Colors = Colors()
    override: Override = Override()
    options: Options = field(default_factory=Options)
    conditions: Conditions = Conditions()

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """A battle is fought with one attribute; power numbers replace a single die."""
        rounds = [("/enemies", self.enemies)] if self.enemies else []
        rounds += [(f"/battles/{index}/enemies", battle.enemies) for index, battle in enumerate(self.battles or ())]
        for at, enemies in rounds:
            for index, enemy in enumerate(enemies):
                if enemy.attribute != enemies[0].attribute:
                    yield "Enemies of different attributes are fought in separate battles.", f"{at}/{index}/attribute"
        if self.kind in ROLLED and self.hero and self.hero.power_numbers and self.hero.dice > 1:
            yield "Power numbers replace a single die, not a roll of several dice.", "/hero/power_numbers"
        if self.hero and self.hero.reroll:
            reroll = self.hero.reroll
            if reroll.policy == "face_at_most" and reroll.face_at_most is None:
                yield "Missing field 'face_at_most': the policy needs it.", "/hero/reroll/face_at_most"


def within_limits(encounter: Encounter) -> None:
    """Refuse more dice or battles than the service takes.

    Raises:
        LimitExceeded: naming the number and the place.
    """
    refuse_above(encounter.dice, MAX_DICE, "dice", "/dice")
    refuse_above(len(encounter.battles or ()), MAX_BATTLES, "battles", "/battles")
    if encounter.hero:
        refuse_above(encounter.hero.dice, MAX_HERO_DICE, "dice", "/hero/dice")
        if encounter.hero.reroll:
            refuse_above(encounter.hero.reroll.times, MAX_DICE, "re-rolls", "/hero/reroll/times")
