"""The Relic documents' common part: a saved hero with his cards, and the actions a player wants to take."""

from typing import Annotated, Literal

from msgspec import Meta, field

from armybuilder.engine.systems.list_rules import Document, StrictPart
from armybuilder.engine.systems.notation import MAX_NAMES, Count, Items, Name, Names, Number, Positive

AttributeName = Literal["strength", "willpower", "cunning"]
ATTRIBUTES: tuple[AttributeName, ...] = ("strength", "willpower", "cunning")

DIAL = range(1, 13)
"""Values of an attribute and of Life that the dials of a hero show."""

LEVELS = range(13)
POINTS_A_LEVEL = 6
"""Trophy points that buy one level. Source: L353 [text]."""

MISSIONS_A_RELIC = 3
"""Completed missions that buy a relic."""

START_INFLUENCE = 3
"""Influence that a hero has when the game starts."""

SKILL_COLORS = ("red", "blue", "yellow")
BATTLE_COLORS = (*SKILL_COLORS, "grey")
POWER_NUMBERS = range(1, 7)
"""What is printed on power cards, and on the bonuses of assets."""


class Attributes(StrictPart, frozen=True):
    """The three attributes; a missing one is not checked."""

    strength: Number | None = None
    willpower: Number | None = None
    cunning: Number | None = None

    def get(self, name: AttributeName) -> int | None:
        """The value of one attribute."""
        value: int | None = getattr(self, name)
        return value


class StartValues(Attributes, frozen=True):
    """What the character card prints: attributes and Life."""

    life: Number | None = None


class PowerLimit(StrictPart, frozen=True):
    """Power cards allowed from one level to another, both included."""

    first: Number = field(name="from")
    last: Number = field(name="to")
    limit: Number


class Character(StrictPart, frozen=True):
    """A character card."""

    name: Name | None = None
    start: StartValues | None = None
    asset_limit: Count | None = None
    power_limits: Items[PowerLimit] = ()

    def power_limit_at(self, level: int) -> int | None:
        """Power cards allowed at a level; None when the card's bands do not cover it."""
        return next((band.limit for band in self.power_limits if band.first <= level <= band.last), None)


class PowerCard(StrictPart, frozen=True):
    """A power card in hand."""

    number: Number
    name: Name | None = None


class Bonus(StrictPart, frozen=True):
    """A battle or skill bonus: it counts in battles or tests of its colour."""

    color: Name
    value: Number


class Asset(StrictPart, frozen=True):
    """An asset card: wargear, a relic or an asset of a Threat deck."""

    name: Name
    kind: Literal["wargear", "relic", "threat_asset"] | None = None
    asset_class: Literal["weapon", "armour", "equipment"] | None = field(default=None, name="class")
    battle_bonus: Bonus | None = None
    skill_bonus: Bonus | None = None
    charge_value: Count | None = None
    charges: Count | None = None


class Missions(StrictPart, frozen=True):
    """Mission cards, active and completed."""

    active: Count | None = None
    completed: Count | None = None


class CorruptionCard(StrictPart, frozen=True):
    """A corruption card, in the order of drawing."""

    activation: Number
    face: Literal["up", "down"] | None = None
    flipped_by_effect: bool = False


class Trophy(StrictPart, frozen=True):
    """A trophy: normally the Threat card of a defeated enemy."""

    points: Number
    source: Literal["threat", "scenario"] = "threat"


class Reroll(StrictPart, frozen=True):
    """A re-roll of the first die before it explodes; a natural 6 is never re-rolled."""

    policy: Literal["face_at_most", "if_not_winning", "if_failing"]
    face_at_most: Annotated[int, Meta(ge=1, le=5)] | None = None
    times: Positive = 1


class Hero(StrictPart, frozen=True):
    """A saved hero. Everything that is left out is not checked."""

    name: Name | None = None
    character: Character | None = None
    checkpoint: Literal["start", "mid_turn", "after_experience"] = "after_experience"
    experience_skipped: bool = False
    tier: Literal["outer", "middle", "inner", "scenario"] = "outer"
    level: Number = 0
    attributes: Attributes | None = None
    life: Number | None = None
    influence: Number = 0
    power_cards: Items[PowerCard] = ()
    assets: Items[Asset] = ()
    missions: Missions | None = None
    corruption: Items[CorruptionCard] = ()
    corruption_discarded: bool = False
    corruption_threshold: Number = 6
    trophies: Items[Trophy] = ()
    battle_kit: Names = ()
    skill_kit: Names = ()
    corrupted_characters: Names = ()
    dice: Positive = 1
    roll_modifier: Number = 0
    reroll: Reroll | None = None
    power_cards_in_hand: Count | None = None
    power_numbers: Annotated[tuple[Annotated[int, Meta(ge=1, le=6)], ...], Meta(max_length=MAX_NAMES)] = ()

    @property
    def limits_are_hard(self) -> bool:
        """Card limits bind only at the end of the hero's own Experience phase. Source: L363, L524, L602 [text]."""
        return self.checkpoint != "mid_turn" and not self.experience_skipped

    @property
    def relics(self) -> int:
        """How many relics he owns; relics count as assets too."""
        return sum(asset.kind == "relic" for asset in self.assets)


class Action(StrictPart, frozen=True):
    """Something the player wants to do, checked against the hero's present state."""

    action: Literal[
        "trade_missions_for_relic",
        "buy_wargear",
        "enter_inner_tier",
        "spend_charge",
        "use_power_card",
        "evade",
        "discard_asset",
        "use_movement_effect",
        "choose_character",
    ]
    phase: Literal["movement", "exploration", "engagement", "experience"] | None = None
    cost: Count | None = None
    space: Name | None = None
    free_gain: bool = False
    from_space: Name | None = None
    card: Name | None = None
    spent_this_turn: Count = 0
    use: Annotated[tuple[Literal["number", "effect"], ...], Meta(max_length=2)] = ()
    numbers_for_one_roll: Positive = 1
    ability: bool = False
    cannot_evade: bool = False
    required_by_effect: bool = False
    character: Name | None = None


class NoOptions(StrictPart, frozen=True):
    """The document offers no readings of the rules."""


class Loadout(Document, frozen=True):
    """The document that is checked: a hero, with optional actions."""

    hero: Hero
    actions: Items[Action] = ()
    players: Positive | None = None
    options: NoOptions = NoOptions()
