"""A hero's page as values: dials, level track, cards in their slots, and where each finding leads."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from armybuilder.armylists import queries as list_queries
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.systems.relic.card_set import CardSet
from armybuilder.engine.systems.relic.combat.trophies import worth_spending
from armybuilder.engine.systems.relic.hero import LEVELS, MISSIONS_A_RELIC, POINTS_A_LEVEL, Action, Asset, Hero, Loadout
from armybuilder.heroes.editing import dial_value
from armybuilder.heroes.list_type import HEROES
from armybuilder.heroes.wording import ACTION_NAMES, DIAL_NAMES, MOMENT_NAMES, PHASE_NAMES, TIER_NAMES
from armybuilder.reference.names import Names, after_colon
from armybuilder.web.charts.dials import COLORS, DialSegment, segments
from armybuilder.web.formatting import localized
from armybuilder.web.pages.finding_lines import FindingGroup, FindingLine, grouped, repair_query
from armybuilder.web.pages.hero_cards import REWARDS, USES, asset_words
from armybuilder.web.pages.hero_choices import ELSEWHERE, HeroChoices
from armybuilder.web.pages.rule_names import rule_name

DIALS = ("strength", "willpower", "cunning", "life")
COUNTERS = ("influence", "active_missions", "completed_missions")
MOST_EMPTY = 12
"""Empty slots that are drawn; a larger limit is said in figures."""


@dataclass(frozen=True, slots=True)
class Stepper:
    """A value with its buttons.

    Attributes:
        less, more: values of the buttons; `less` is empty where the document holds nothing lower.
        lowest: where the buttons stop.
        sign: severity of what the rules say about it; empty for nothing.
        index: of the card that it belongs to; None for a value of the hero himself.
    """

    key: str
    name: str
    value: int | None
    less: str
    more: str
    lowest: int
    sign: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class DialView:
    """One dial of the board: twelve segments like a clock, the start value marked."""

    stepper: Stepper
    color: str
    start: int | None
    segments: tuple[DialSegment, ...]


@dataclass(frozen=True, slots=True)
class LevelCell:
    """One place of the level track."""

    level: int
    do: str
    is_on: bool
    is_passed: bool
    rewards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """Levels that share a limit of Power cards; None where the card says nothing."""

    width: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class CardView:
    """A card in a slot.

    Attributes:
        anchor: id of its place on the page.
        tags: kind, class, bonuses in words.
        drop: value of the button that gives it back.
        turn: value of the button that turns it over; empty for cards that lie one way.
        charges: charges left with their buttons; None for a card without charges.
        kits: label, value of the button and whether it is on, for the kits it may be used in.
    """

    anchor: str
    title: str
    figure: str
    tags: tuple[str, ...]
    sign: str
    drop: str
    turn: str = ""
    is_down: bool = False
    charges: Stepper | None = None
    kits: tuple[tuple[str, str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of one kind in their slots."""

    key: str
    cards: tuple[CardView, ...]
    limit: int | None
    sign: str

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.cards)

    @property
    def empty(self) -> range:
        """Slots that are free."""
        return range(min(MOST_EMPTY, max(0, (self.limit or 0) - len(self.cards))))

    @property
    def is_over(self) -> bool:
        """Whether there are more than the limit."""
        return self.limit is not None and len(self.cards) > self.limit


class HeroPage:
    """Everything the templates of a hero need."""

    has_game_data: ClassVar[bool] = False
    """Whether findings come from game data too, and can be explained and repaired."""

    def __init__(self, army_list: ArmyList, report: ListReport) -> None:
        self.army_list = army_list
        self.report = report
        release_id = army_list.system.current_release_id or army_list.release_id
        self.cards: CardSet = cards_of(release_id)
        self.names = Names(russian_names(release_id))

    @cached_property
    def choices(self) -> HeroChoices:
        """What the forms offer."""
        return HeroChoices(self.hero, self.cards, self.names)

    @property
    def document(self) -> Loadout:
        """The army document."""
        document: Loadout = self.report.army
        return document

    @property
    def hero(self) -> Hero:
        """The hero."""
        return self.document.hero

    @property
    def character(self) -> str:
        """The name of the character, as the page writes names."""
        return self.names((self.hero.character.name or "") if self.hero.character else "")

    @cached_property
    def edit_url(self) -> str:
        """Where edits are sent."""
        return reverse("web:hero-edit", args=[self.army_list.id])

    @cached_property
    def steps(self) -> list_queries.Steps:
        """Whether undo and redo lead anywhere."""
        return list_queries.steps_of(self.army_list)

    @property
    def verdict(self) -> str:
        """legal, illegal or not_checked."""
        return str(self.report.verdict)

    @cached_property
    def to_do(self) -> int:
        """How many Power cards a hero who begins has still to draw, if he lacks nothing else; else 0."""
        return HEROES.left_to_choose(self.report)

    have: frozenset[str] = frozenset()
    """Nothing of a hero's page is left out of an answer."""

    @property
    def finding_groups(self) -> tuple[FindingGroup, ...]:
        """The findings by what they are about."""
        return grouped(self.findings)

    @property
    def error_count(self) -> int:
        """How many errors the badge of the findings tells."""
        return self.errors

    choice_count: ClassVar[int] = 0
    """Nothing of a hero is a choice that his data leaves open."""

    @property
    def unsettled(self) -> int:
        """How many things keep the hero from being legal."""
        return self.errors

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return self.report.count(Severity.ERROR)

    @cached_property
    def unchecked(self) -> tuple[str, ...]:
        """What the verdict does not cover, in words."""
        return tuple(localized(part.text) for part in self.report.unchecked)

    @property
    def unchecked_besides(self) -> tuple[str, ...]:
        """All of it: no finding tells of it."""
        return self.unchecked

    @cached_property
    def findings(self) -> tuple[FindingLine, ...]:
        """All findings, errors first."""
        order = (Severity.ERROR, Severity.WARNING, Severity.INFO)
        ranked = sorted(self.report.findings, key=lambda finding: order.index(finding.severity))
        return tuple(self._line(finding) for finding in ranked)

    @property
    def findings_once(self) -> tuple[tuple[FindingLine, int], ...]:
        """The findings with how often each is said, as a sheet tells them."""
        return tuple(Counter(self.findings).items())

    @cached_property
    def signs(self) -> Mapping[str, str]:
        """By anchor, the severest of what is said about that place."""
        signs: dict[str, str] = {}
        for line in self.findings:
            signs.setdefault(line.anchor, line.severity)
        return signs

    def describe(self, text: Text) -> str:
        """A sentence in the language of the page, names of cards included."""
        return self.names.within(localized(text), self._mentioned)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        names = [card.name for card in self.hero.power_cards] + [asset.name for asset in self.hero.assets]
        for action in self.document.actions:
            names += [action.character, action.card]
        return frozenset(name for name in names if name)

    def _line(self, finding: ListFinding) -> FindingLine:
        anchor, name = self._place_of(finding.at or "")
        text = self.describe(finding.message)
        text = (
            text[len(name) :] if text.startswith(name) else f": {after_colon(text, map(self.names, self._mentioned))}"
        )
        return FindingLine(
            severity=str(finding.severity),
            name=name,
            text=text,
            rule=finding.rule,
            source=finding.source,
            href="",
            anchor=anchor,
            origin=str(finding.origin),
            repair=repair_query(finding),
            rule_name=rule_name(self.report.rule_pack, finding.rule),
        )

    def _place_of(self, at: str) -> tuple[str, str]:
        """Id of the place on the page, and what it is called."""
        head, *rest = at.removeprefix("/hero").split("/")[1:] or [""]
        dial = {"attributes": rest[0] if rest else "", "missions": f"{rest[0]}_missions" if rest else ""}.get(
            head, head
        )
        if dial in DIAL_NAMES:
            return f"dial-{dial}", localized(DIAL_NAMES[dial])
        if head in ("battle_kit", "skill_kit"):
            return self._in_kit(head, rest), _("Assets")
        anchor = f"{head}-{rest[0]}" if rest else head
        if head == "tier":
            return "place", capfirst(localized(TIER_NAMES[self.hero.tier]))
        if head == "assets" and rest:
            return anchor, self.names(self.hero.assets[int(rest[0])].name)
        if head == "actions" and rest:
            return anchor, capfirst(localized(ACTION_NAMES[self.document.actions[int(rest[0])].action]))
        return (anchor, self.pile_titles[head]) if head in self.pile_titles else ("hero", _("Hero"))

    @property
    def pile_titles(self) -> Mapping[str, str]:
        """What the piles are called."""
        return {
            "power_cards": _("Power cards"),
            "assets": _("Assets"),
            "corruption": _("Corruption"),
            "trophies": _("Trophies"),
        }

    def _in_kit(self, kit: str, rest: Sequence[str]) -> str:
        """The card of a kit that a finding speaks of; without a place in the kit, all assets."""
        if not rest:
            return "assets"
        name = getattr(self.hero, kit)[int(rest[0])]
        places = [index for index, asset in enumerate(self.hero.assets) if asset.name == name]
        return f"assets-{places[0]}" if places else "assets"

    @cached_property
    def dials(self) -> tuple[DialView, ...]:
        """Strength, Willpower, Cunning and Life."""
        start = self.hero.character.start if self.hero.character else None
        return tuple(
            DialView(
                stepper=self._stepper(name),
                color=COLORS[name],
                start=(begins := getattr(start, name) if start else None),
                segments=segments(dial_value(self.document, name), begins),
            )
            for name in DIALS
        )

    @cached_property
    def counters(self) -> tuple[Stepper, ...]:
        """Influence and missions."""
        return tuple(self._stepper(name) for name in COUNTERS)

    @cached_property
    def players(self) -> Stepper:
        """How many play."""
        return self._stepper("players", lowest=1)

    @cached_property
    def threshold(self) -> Stepper:
        """Corruption cards that corrupt."""
        return self._stepper("corruption_threshold", lowest=1)

    @cached_property
    def level(self) -> Stepper:
        """The marker of the level track."""
        return self._stepper("level")

    @property
    def track(self) -> Iterator[LevelCell]:
        """The level track, the start first."""
        card = self.cards.character(self.hero.character.name if self.hero.character else None)
        rewards = card.rewards if card is not None else ()
        for level in LEVELS:
            yield LevelCell(
                level,
                _do("set_dial", dial="level", value=level),
                is_on=level == self.hero.level,
                is_passed=level < self.hero.level,
                rewards=tuple(REWARDS[reward]() for reward in rewards[level - 1]) if 0 < level <= len(rewards) else (),
            )

    @property
    def bands(self) -> Iterator[Band]:
        """The limits of Power cards under the track, side by side."""
        limits = [self.hero.character.power_limit_at(level) if self.hero.character else None for level in LEVELS]
        width = 0
        for level, limit in enumerate(limits):
            width += 1
            if level + 1 == len(limits) or limits[level + 1] != limit:
                yield Band(width, limit)
                width = 0

    def _stepper(self, dial: str, *, lowest: int = 0) -> Stepper:
        value = dial_value(self.document, dial)
        less = "" if value is None or value <= lowest else _do("set_dial", dial=dial, value=value - 1)
        more = _do("set_dial", dial=dial, value=lowest if value is None else value + 1)
        return Stepper(dial, localized(DIAL_NAMES[dial]), value, less, more, lowest, self.signs.get(f"dial-{dial}", ""))

    @cached_property
    def power(self) -> Pile:
        """The hand of Power cards."""
        limit = self.hero.character.power_limit_at(self.hero.level) if self.hero.character else None
        cards = tuple(
            self._card("power_cards", index, self.names(card.name or _("Power card")), str(card.number), ())
            for index, card in enumerate(self.hero.power_cards)
        )
        return Pile("power_cards", cards, limit, self.signs.get("power_cards", ""))

    @cached_property
    def assets(self) -> Pile:
        """Wargear, relics and other assets."""
        limit = self.hero.character.asset_limit if self.hero.character else None
        cards = tuple(self._asset(index, asset) for index, asset in enumerate(self.hero.assets))
        return Pile("assets", cards, limit, self.signs.get("assets", ""))

    @cached_property
    def corruption(self) -> Pile:
        """Corruption cards in the order of drawing."""
        cards = tuple(
            CardView(
                anchor=f"corruption-{index}",
                title=_("face down") if card.face == "down" else _("face up") if card.face == "up" else _("not stated"),
                figure=str(card.activation),
                tags=(_("turned by an effect"),) if card.flipped_by_effect else (),
                sign=self.signs.get(f"corruption-{index}", ""),
                drop=_do("give_back", pile="corruption", index=index),
                turn=_do("turn_corruption", index=index, face="up" if card.face == "down" else "down"),
                is_down=card.face == "down",
            )
            for index, card in enumerate(self.hero.corruption)
        )
        return Pile("corruption", cards, self.hero.corruption_threshold - 1, self.signs.get("corruption", ""))

    @cached_property
    def trophies(self) -> Pile:
        """Defeated enemies."""
        cards = tuple(
            self._card(
                "trophies",
                index,
                _("scenario sheet") if card.source == "scenario" else _("Threat card"),
                str(card.points),
                (),
            )
            for index, card in enumerate(self.hero.trophies)
        )
        return Pile("trophies", cards, None, self.signs.get("trophies", ""))

    @property
    def trophy_points(self) -> int:
        """What the trophies are worth."""
        return sum(card.points for card in self.hero.trophies)

    @property
    def trophy_levels(self) -> int:
        """Levels they would buy."""
        return self.trophy_points // POINTS_A_LEVEL

    @property
    def spend(self) -> str:
        """Value of the button that buys levels with the trophies, at the least waste; empty if they buy none."""
        places = worth_spending([card.points for card in self.hero.trophies])
        return urlencode([("edit", "spend_trophies"), *(("places", place) for place in places)]) if places else ""

    @property
    def may_trade(self) -> bool:
        """Whether there are missions enough for a relic."""
        return ((self.hero.missions.completed if self.hero.missions else None) or 0) >= MISSIONS_A_RELIC

    @property
    def is_corrupted(self) -> bool:
        """Whether the threshold of corruption is reached."""
        return len(self.hero.corruption) >= self.hero.corruption_threshold

    @cached_property
    def actions(self) -> Pile:
        """What the player would like to do."""
        cards = tuple(
            self._card(
                "actions", index, capfirst(localized(ACTION_NAMES[action.action])), "", tuple(self._details(action))
            )
            for index, action in enumerate(self.document.actions)
        )
        return Pile("actions", cards, None, "")

    @property
    def is_vanquished(self) -> bool:
        """Whether Life has run out and the card says what he starts anew with."""
        start = self.hero.character.start if self.hero.character else None
        return self.hero.life is not None and self.hero.life < 1 and start is not None and start.life is not None

    @property
    def moment(self) -> str:
        """When the hero is looked at, in words."""
        return localized(MOMENT_NAMES[self.hero.checkpoint])

    @property
    def tier(self) -> str:
        """Where he is, in words."""
        return localized(TIER_NAMES[self.hero.tier])

    @property
    def kits(self) -> Iterator[tuple[str, str]]:
        """What is used in battle and in tests, in words."""
        for label, kit in ((_("In battle"), self.hero.battle_kit), (_("In skill tests"), self.hero.skill_kit)):
            if kit:
                yield label, ", ".join(self.names(name) for name in kit)

    def _card(self, pile: str, index: int, title: str, figure: str, tags: tuple[str, ...]) -> CardView:
        anchor = f"{pile}-{index}"
        drop = _do("give_back", pile=pile, index=index)
        return CardView(anchor, title, figure, tags, self.signs.get(anchor, ""), drop)

    def _asset(self, index: int, asset: Asset) -> CardView:
        anchor = f"assets-{index}"
        title, charges = self.names(asset.name), None
        if asset.charge_value is not None or asset.charges is not None:
            left = asset.charges
            charges = Stepper(
                f"charges-{index}",
                f"{title}, {_('Charges')}",
                left,
                _do("set_charges", index=index, charges=left - 1) if left else "",
                _do("set_charges", index=index, charges=(left or 0) + 1),
                0,
                "",
                index,
            )
        return CardView(
            anchor,
            title,
            "",
            tuple(asset_words(asset)),
            self.signs.get(anchor, ""),
            _do("give_back", pile="assets", index=index),
            charges=charges,
            kits=tuple(self._kit_buttons(asset)),
        )

    def _kit_buttons(self, asset: Asset) -> Iterator[tuple[str, str, bool]]:
        for kit, label, helps in (
            ("battle", _("in battle"), asset.battle_bonus is not None or asset.asset_class is not None),
            ("skill", _("in tests"), asset.skill_bonus is not None),
        ):
            used = getattr(self.hero, f"{kit}_kit")
            is_on = asset.name in used
            if helps or is_on:
                rest = [name for name in used if name != asset.name]
                members = [("edit", "set_kit"), ("kit", kit)]
                members += [("cards", name) for name in (rest if is_on else [*used, asset.name])]
                yield label, urlencode(members), is_on

    def _details(self, action: Action) -> Iterator[str]:
        if action.phase is not None:
            yield localized(PHASE_NAMES[action.phase])
        for name in (action.card, action.character, action.space, action.from_space):
            if name:
                yield _("elsewhere") if name == ELSEWHERE else self.names(name)
        if action.cost is not None:
            yield _("cost %(n)s") % {"n": action.cost}
        if action.spent_this_turn:
            yield _("spent this turn: %(n)s") % {"n": action.spent_this_turn}
        if action.numbers_for_one_roll > 1:
            yield _("numbers for one roll: %(n)s") % {"n": action.numbers_for_one_roll}
        yield from (USES[use]() for use in action.use)
        for is_said, words in (
            (action.free_gain, _("free by an effect")),
            (action.ability, _("with an ability")),
            (action.cannot_evade, _("an effect forbids it")),
            (action.required_by_effect, _("an effect demands it")),
        ):
            if is_said:
                yield words


def hero_page(army_list: ArmyList, report: ListReport) -> HeroPage:
    """The page of a hero."""
    return HeroPage(army_list, report)


def _do(edit: str, **members: Any) -> str:
    return urlencode({"edit": edit, **members})
