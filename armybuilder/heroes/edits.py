"""The edits a hero of Relic takes: what a player does with dials, cards and the level track."""

from typing import Annotated, Literal

from msgspec import Meta

from armybuilder.armylists import limits
from armybuilder.armylists.edits import Edit, RosterEdit
from armybuilder.engine.systems.relic.hero import Action, Asset, Character, PowerCard, Trophy

Dial = Literal[
    "strength",
    "willpower",
    "cunning",
    "life",
    "level",
    "influence",
    "active_missions",
    "completed_missions",
    "corruption_threshold",
    "players",
]
Pile = Literal["power_cards", "assets", "corruption", "trophies", "actions"]
DialValue = Annotated[int, Meta(ge=-limits.DIAL, le=limits.DIAL)]
Place = Annotated[int, Meta(ge=0, le=limits.CARDS)]
CardName = Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)]


class _HeroEdit(Edit, frozen=True, kw_only=True):
    """An edit that only a hero takes."""


class SetDial(_HeroEdit, frozen=True, kw_only=True, tag="set_dial"):
    """Turn a dial, move the marker of the level track, or count tokens and missions; None states nothing again."""

    dial: Dial
    value: DialValue | None


class SetMoment(_HeroEdit, frozen=True, kw_only=True, tag="set_moment"):
    """Say at which moment of the game the hero is looked at: card limits bind only after the Experience phase."""

    checkpoint: Literal["start", "mid_turn", "after_experience"]
    experience_skipped: bool = False


class SetTier(_HeroEdit, frozen=True, kw_only=True, tag="set_tier"):
    """Say where on the board the hero is."""

    tier: Literal["outer", "middle", "inner", "scenario"]


class SetCharacter(_HeroEdit, frozen=True, kw_only=True, tag="set_character"):
    """Play another character card.

    Attributes:
        set_up: prepare the hero as at the start of a game: the card's values, level 0, 3 Influence, one mission;
            cards are given back, the Power cards of the start are to be drawn.
    """

    character: Character
    set_up: bool = False


class TakePowerCard(_HeroEdit, frozen=True, kw_only=True, tag="take_power_card"):
    """Take a Power card into the hand."""

    card: PowerCard


class TakeAsset(_HeroEdit, frozen=True, kw_only=True, tag="take_asset"):
    """Take wargear, a relic or an asset of a Threat deck; without `charges` it has its charge value."""

    card: Asset


class DrawCorruption(_HeroEdit, frozen=True, kw_only=True, tag="draw_corruption"):
    """Draw a corruption card; without a face it lies as the rules say: up if its number is at most its place."""

    activation: DialValue
    face: Literal["up", "down"] | None = None


class TakeTrophy(_HeroEdit, frozen=True, kw_only=True, tag="take_trophy"):
    """Take a defeated enemy as a trophy."""

    card: Trophy


class GiveBack(_HeroEdit, frozen=True, kw_only=True, tag="give_back"):
    """Give back a card (or drop a planned action): the one at this place of its pile, counted from 0."""

    pile: Pile
    index: Place


class SetCharges(_HeroEdit, frozen=True, kw_only=True, tag="set_charges"):
    """Say how many charges lie on an asset."""

    index: Place
    charges: Annotated[int, Meta(ge=0, le=limits.DIAL)]


class TurnCorruption(_HeroEdit, frozen=True, kw_only=True, tag="turn_corruption"):
    """Turn a corruption card over.

    Attributes:
        by_effect: an effect did it, so its face is not checked.
    """

    index: Place
    face: Literal["up", "down"]
    by_effect: bool = False


class SetKit(_HeroEdit, frozen=True, kw_only=True, tag="set_kit"):
    """Name the assets used in a battle, or in a skill test."""

    kit: Literal["battle", "skill"]
    cards: Annotated[tuple[CardName, ...], Meta(max_length=limits.CARDS)]


class PlanAction(_HeroEdit, frozen=True, kw_only=True, tag="plan_action"):
    """Note something the player wants to do, to be checked against the hero as he is."""

    action: Action


class SetOutOfGame(_HeroEdit, frozen=True, kw_only=True, tag="set_out_of_game"):
    """Name the characters that were corrupted earlier in this game."""

    characters: Annotated[tuple[CardName, ...], Meta(max_length=limits.CARDS)]


class SpendTrophies(_HeroEdit, frozen=True, kw_only=True, tag="spend_trophies"):
    """Buy levels with trophies, one for six points; beyond level 12 missions. Rewards are the player's to take."""

    places: Annotated[tuple[Place, ...], Meta(min_length=1, max_length=limits.CARDS)]


class TradeMissions(_HeroEdit, frozen=True, kw_only=True, tag="trade_missions"):
    """Give three completed missions for a relic."""

    card: Asset


class Fall(_HeroEdit, frozen=True, kw_only=True, tag="fall"):
    """Resolve a corrupted hero: a new character inherits assets and missions and starts at level 0."""

    character: Character


class Recover(_HeroEdit, frozen=True, kw_only=True, tag="recover"):
    """Resolve a vanquished hero: Power cards and trophies go, Influence is lost, Life is what the card prints."""


HeroEdit = (
    SetDial
    | SetMoment
    | SetTier
    | SetCharacter
    | TakePowerCard
    | TakeAsset
    | DrawCorruption
    | TakeTrophy
    | GiveBack
    | SetCharges
    | TurnCorruption
    | SetKit
    | PlanAction
    | SetOutOfGame
    | SpendTrophies
    | TradeMissions
    | Fall
    | Recover
)
"""Every edit that heroes alone take."""

AnyEdit = RosterEdit | HeroEdit
"""Every edit of every list: what comes from outside before its list is known."""
