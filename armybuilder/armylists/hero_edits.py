"""The edits a hero of Relic takes: what a player does with dials, cards and the level track."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from armybuilder.armylists import sizes
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
DialValue = Annotated[int, Meta(ge=-sizes.DIAL, le=sizes.DIAL)]
Place = Annotated[int, Meta(ge=0, le=sizes.CARDS)]
CardName = Annotated[str, Meta(min_length=1, max_length=sizes.NAME_LENGTH)]


class HeroEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="edit"):
    """An edit that only a hero takes."""


class SetDial(HeroEdit, frozen=True, kw_only=True, tag="set_dial"):
    """Turn a dial, move the marker of the level track, or count tokens and missions; None states nothing again."""

    dial: Dial
    value: DialValue | None


class SetMoment(HeroEdit, frozen=True, kw_only=True, tag="set_moment"):
    """Say at which moment of the game the hero is looked at: card limits bind only after the Experience phase."""

    checkpoint: Literal["start", "mid_turn", "after_experience"]
    experience_skipped: bool = False


class SetTier(HeroEdit, frozen=True, kw_only=True, tag="set_tier"):
    """Say where on the board the hero is."""

    tier: Literal["outer", "middle", "inner", "scenario"]


class SetCharacter(HeroEdit, frozen=True, kw_only=True, tag="set_character"):
    """Play another character card.

    Attributes:
        set_up: prepare the hero as at the start of a game: the card's values, level 0, 3 Influence, one mission;
            cards are given back, the Power cards of the start are to be drawn.
    """

    character: Character
    set_up: bool = False


class TakePowerCard(HeroEdit, frozen=True, kw_only=True, tag="take_power_card"):
    """Take a Power card into the hand."""

    card: PowerCard


class TakeAsset(HeroEdit, frozen=True, kw_only=True, tag="take_asset"):
    """Take wargear, a relic or an asset of a Threat deck; without `charges` it has its charge value."""

    card: Asset


class DrawCorruption(HeroEdit, frozen=True, kw_only=True, tag="draw_corruption"):
    """Draw a corruption card; without a face it lies as the rules say: up if its number is at most its place."""

    activation: DialValue
    face: Literal["up", "down"] | None = None


class TakeTrophy(HeroEdit, frozen=True, kw_only=True, tag="take_trophy"):
    """Take a defeated enemy as a trophy."""

    card: Trophy


class GiveBack(HeroEdit, frozen=True, kw_only=True, tag="give_back"):
    """Give back a card (or drop a planned action): the one at this place of its pile, counted from 0."""

    pile: Pile
    index: Place


class SetCharges(HeroEdit, frozen=True, kw_only=True, tag="set_charges"):
    """Say how many charges lie on an asset."""

    index: Place
    charges: Annotated[int, Meta(ge=0, le=sizes.DIAL)]


class TurnCorruption(HeroEdit, frozen=True, kw_only=True, tag="turn_corruption"):
    """Turn a corruption card over.

    Attributes:
        by_effect: an effect did it, so its face is not checked.
    """

    index: Place
    face: Literal["up", "down"]
    by_effect: bool = False


class SetKit(HeroEdit, frozen=True, kw_only=True, tag="set_kit"):
    """Name the assets used in a battle, or in a skill test."""

    kit: Literal["battle", "skill"]
    cards: Annotated[tuple[CardName, ...], Meta(max_length=sizes.CARDS)]


class PlanAction(HeroEdit, frozen=True, kw_only=True, tag="plan_action"):
    """Note something the player wants to do, to be checked against the hero as he is."""

    action: Action


class SetOutOfGame(HeroEdit, frozen=True, kw_only=True, tag="set_out_of_game"):
    """Name the characters that were corrupted earlier in this game."""

    characters: Annotated[tuple[CardName, ...], Meta(max_length=sizes.CARDS)]


class SpendTrophies(HeroEdit, frozen=True, kw_only=True, tag="spend_trophies"):
    """Buy levels with trophies, one for six points; beyond level 12 missions. Rewards are the player's to take."""

    places: Annotated[tuple[Place, ...], Meta(min_length=1, max_length=sizes.CARDS)]


class TradeMissions(HeroEdit, frozen=True, kw_only=True, tag="trade_missions"):
    """Give three completed missions for a relic."""

    card: Asset


class Fall(HeroEdit, frozen=True, kw_only=True, tag="fall"):
    """Resolve a corrupted hero: a new character inherits assets and missions and starts at level 0."""

    character: Character


class Recover(HeroEdit, frozen=True, kw_only=True, tag="recover"):
    """Resolve a vanquished hero: Power cards and trophies go, Influence is lost, Life is what the card prints."""
