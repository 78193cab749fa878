"""What a hero's forms offer: cards of the release, words of fixed lists, and the fields of each planned action."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.card_set import CardSet
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, BATTLE_COLORS, POWER_NUMBERS, SKILL_COLORS, Hero
from armybuilder.engine.systems.relic.list_rules.rules import COLOR_NAMES
from armybuilder.heroes.wording import (
    ACTION_NAMES,
    ASSET_CLASS_NAMES,
    DIAL_NAMES,
    KIND_NAMES,
    MOMENT_NAMES,
    PHASE_NAMES,
    TIER_NAMES,
)
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized
from armybuilder.web.forms.fights import CARD_ROWS, FACES, OWN_ROWS, POWER_FIELDS
from armybuilder.web.forms.heroes import BANDS
from armybuilder.web.pages.hero_cards import asset_words

ELSEWHERE = "elsewhere"
"""What a planned action says of a space that is not the one the rules ask for."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a choice."""

    value: str
    label: str
    is_on: bool = False


@dataclass(frozen=True, slots=True)
class PlanField:
    """A field of a planned action.

    Attributes:
        kind: choice, number or switch.
        value: of a number at first, or of a switch among several of one name.
    """

    name: str
    label: str
    kind: str
    choices: tuple[tuple[str, str], ...] = ()
    minimum: int = 0
    value: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """An action that can be planned."""

    key: str
    label: str
    fields: tuple[PlanField, ...]


@dataclass(frozen=True, slots=True)
class OwnCharacter:
    """The character card as the form for one's own shows it.

    Attributes:
        figures: field, label and value of each figure.
        bands: row, last level and limit of each row of Power card limits.
    """

    name: str | None
    figures: tuple[tuple[str, str, int | None], ...]
    bands: tuple[tuple[str, int | None, int | None], ...]


class HeroChoices:
    """What the forms of one hero's page offer."""

    def __init__(self, hero: Hero, cards: CardSet, names: Names) -> None:
        self.hero = hero
        self.cards = cards
        self.names = names

    @property
    def characters(self) -> tuple[Choice, ...]:
        """Character cards, the hero's own marked."""
        character = self.hero.character
        own = character.name if character else None
        return tuple(
            Choice(card.name, self.names(card.name), card.name == own) for card in self.cards.characters if card.name
        )

    @property
    def successors(self) -> tuple[Choice, ...]:
        """Characters that may take the place of a corrupted one."""
        out = self.hero.corrupted_characters
        return tuple(card for card in self.characters if not card.is_on and card.value not in out)

    @property
    def relics(self) -> tuple[Choice, ...]:
        """Relic cards with what they give."""
        return next((cards for kind, cards in self.assets if kind == localized(KIND_NAMES["relic"])), ())

    @property
    def moments(self) -> Sequence[tuple[str, str]]:
        """Moments a hero can be looked at."""
        return _choices(MOMENT_NAMES)

    @property
    def tiers(self) -> Sequence[tuple[str, str]]:
        """Parts of the board."""
        return _choices(TIER_NAMES)

    @property
    def kinds(self) -> Sequence[tuple[str, str]]:
        """Kinds of assets."""
        return _choices(KIND_NAMES)

    @property
    def classes(self) -> Sequence[tuple[str, str]]:
        """Classes of wargear."""
        return _choices(ASSET_CLASS_NAMES)

    @property
    def battle_colors(self) -> Sequence[tuple[str, str]]:
        """Colours of battle bonuses."""
        return [(color, localized(COLOR_NAMES[color])) for color in BATTLE_COLORS]

    @property
    def skill_colors(self) -> Sequence[tuple[str, str]]:
        """Colours of skill bonuses."""
        return [(color, localized(COLOR_NAMES[color])) for color in SKILL_COLORS]

    @property
    def power_cards(self) -> tuple[Choice, ...]:
        """Power cards with their numbers."""
        return tuple(
            Choice(card.name, f"{card.number} – {self.names(card.name)}")
            for card in self.cards.power_cards
            if card.name
        )

    @property
    def assets(self) -> Iterator[tuple[str, tuple[Choice, ...]]]:
        """Asset cards by kind, each with what it gives."""
        for kind, words in KIND_NAMES.items():
            cards = tuple(
                Choice(card.name, ": ".join([self.names(card.name), ", ".join(asset_words(card))]))
                for card in self.cards.assets
                if card.kind == kind
            )
            if cards:
                yield localized(words), cards

    @property
    def enemies(self) -> tuple[Choice, ...]:
        """Enemy cards with attribute and value."""
        return tuple(
            Choice(card.name, f"{self.names(card.name)}: {localized(DIAL_NAMES[card.attribute])} {card.value}")
            for card in self.cards.enemies
            if card.name
        )

    @property
    def attributes(self) -> Sequence[tuple[str, str]]:
        """The three attributes."""
        return [(name, localized(DIAL_NAMES[name])) for name in ATTRIBUTES]

    @property
    def hand(self) -> tuple[Choice, ...]:
        """The hero's Power cards whose number can stand for a die."""
        cards = [card for card in self.hero.power_cards if card.number in POWER_NUMBERS]
        return tuple(Choice(str(card.number), f"{card.number} {self.names(card.name or '')}".strip()) for card in cards)

    enemy_rows = CARD_ROWS
    own_enemy_rows = OWN_ROWS
    power_fields = POWER_FIELDS
    faces = FACES

    @property
    def own_character(self) -> OwnCharacter:
        """The present card in figures."""
        card = self.hero.character
        start = card.start if card else None
        figures: list[tuple[str, str, int | None]] = [
            (name, localized(DIAL_NAMES[name]), getattr(start, name, None)) for name in (*ATTRIBUTES, "life")
        ]
        figures.append(("asset_limit", _("Asset limit"), card.asset_limit if card else None))
        limits = card.power_limits if card else ()
        bands = [
            (row, limits[i].last, limits[i].limit) if i < len(limits) else (row, None, None)
            for i, row in enumerate(BANDS)
        ]
        return OwnCharacter(card.name if card else None, tuple(figures), tuple(bands))

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Every action, with its own fields."""
        fields = self._plan_fields()
        return tuple(Plan(key, capfirst(localized(words)), fields.get(key, ())) for key, words in ACTION_NAMES.items())

    def _plan_fields(self) -> Mapping[str, tuple[PlanField, ...]]:
        phase = PlanField("phase", _("Phase"), "choice", tuple(reversed(_choices(PHASE_NAMES))))
        wargear = [card for card in self.cards.assets if card.cost is not None]
        prices = tuple(
            (card.name, _("%(card)s (%(n)s Influence)") % {"card": self.names(card.name), "n": card.cost})
            for card in wargear
        )
        charged = tuple((a.name, self.names(a.name)) for a in self.hero.assets if a.charge_value is not None)
        owned = tuple((a.name, self.names(a.name)) for a in self.hero.assets)
        return {
            "trade_missions_for_relic": (phase,),
            "buy_wargear": (
                PlanField("card", _("Wargear"), "choice", prices),
                self._space("space", "Battlefleet Antias"),
                PlanField("free_gain", _("free by an effect"), "switch"),
            ),
            "enter_inner_tier": (self._space("from_space", "Guardian of the Rift"),),
            "spend_charge": (
                PlanField("card", _("Asset"), "choice", charged or (("", "–"),)),
                PlanField("spent_this_turn", _("Charges spent from it this turn"), "number", value="0"),
            ),
            "use_power_card": (
                PlanField("use", _("for its number"), "switch", value="number"),
                PlanField("use", _("for its effect"), "switch", value="effect"),
                PlanField("numbers_for_one_roll", _("Numbers for one roll"), "number", minimum=1, value="1"),
            ),
            "evade": (
                PlanField("ability", _("with an ability"), "switch"),
                PlanField("cannot_evade", _("an effect forbids it"), "switch"),
            ),
            "discard_asset": (
                PlanField("card", _("Asset"), "choice", owned or (("", "–"),)),
                phase,
                PlanField("required_by_effect", _("an effect demands it"), "switch"),
            ),
            "choose_character": (
                PlanField("character", _("Character"), "choice", tuple((c.value, c.label) for c in self.characters)),
            ),
        }

    def _space(self, name: str, wanted: str) -> PlanField:
        return PlanField(name, _("Space"), "choice", ((wanted, self.names(wanted)), (ELSEWHERE, _("elsewhere"))))


def _choices(texts: Mapping[str, Text]) -> list[tuple[str, str]]:
    return [(key, localized(words)) for key, words in texts.items()]
