"""What Fantasy 8th edition simulates: combats, shooting, tests, magic, as one frozen Struct."""

from functools import cached_property
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from armybuilder.engine.combat.dice import Dice, parse
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.army import Profile, TroopType
from armybuilder.engine.systems.list_rules import Override, StrictPart
from armybuilder.engine.systems.matchups import (
    MAX_DICE,
    MAX_MODELS,
    MAX_SHOTS,
    Matchup,
    refuse_above,
    refuse_too_many_models,
)
from armybuilder.engine.systems.notation import (
    MAX_NAMES,
    Count,
    DiceText,
    Items,
    Measure,
    Name,
    Names,
    Number,
    Positive,
    Range,
    RuleName,
    RuleNames,
    SomeItems,
    Strength,
)

MAX_WOUNDS = 4_000
"""The service's limit for the wounds of all models of one side together."""

MAX_DICE_OF_A_NUMBER = 100
"""The service's limit for the dice of one number such as 2D6."""

When = Literal["always", "charging", "first_round"]
Machine = Literal["cannon", "great cannon", "bolt thrower", "stone thrower", "fire thrower", "grapeshot"]
CommandRole = Literal["champion", "standard_bearer", "musician"]


class WeaponProfile(StrictPart, frozen=True):
    """A weapon that the rulebook does not list."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"range", "S"})

    name: Name
    range: Range = None
    S: Strength = None
    centre_S: Positive | None = None  # noqa: N815 - the document's own name
    rules: RuleNames = ()
    override: Override | None = None


class Mount(StrictPart, frozen=True):
    """What a model rides; it fights with its own profile."""

    profile: Profile
    name: Name | None = None
    rules: RuleNames = ()


class Crew(StrictPart, frozen=True):
    """Crew of a war machine."""

    count: Count
    profile: Profile


class Group(StrictPart, frozen=True, dict=True):
    """Identical models."""

    name: Name
    count: Count
    troop_type: TroopType = "infantry"
    subtypes: Names = ()
    profile: Profile = Profile()
    weapons: Annotated[tuple[RuleName | WeaponProfile, ...], Meta(max_length=MAX_NAMES)] = ()
    armour: Names = ()
    magic_items: Names = ()
    rules: RuleNames = ()
    mount: Mount | None = None
    crew: Crew | None = None
    riders: Count | None = None
    handlers: Count | None = None

    @cached_property
    def is_character(self) -> bool:
        """Whether it is a character."""
        return any(subtype.casefold() in {"character", "персонаж"} for subtype in self.subtypes)

    @property
    def crews(self) -> tuple["ListedCrew", ...]:
        """Who drives or serves it, row by row; documents do not say what a crew fights with."""
        if self.crew is None:
            return ()
        if isinstance(self.crew, ListedCrew):
            return (self.crew, *self.crew.others)
        return (ListedCrew(count=self.crew.count, profile=self.crew.profile),)

    @property
    def ramming(self) -> Profile:
        """Whose Strength impact hits have: that of the chariot, also where a character rides it."""
        chassis: Profile | None = getattr(self, "chassis", None)
        return self.profile if chassis is None else chassis

    @property
    def rides_a_monster(self) -> bool:
        """Whether it is a character together with the monster he rides."""
        return self.is_character and self.troop_type == "monster" and self.mount is not None

    @property
    def body(self) -> Profile:
        """Whose Toughness and Wounds are struck as long as rider and monster are not told apart: the monster's."""
        return self.mount.profile if self.mount is not None and self.rides_a_monster else self.profile


class Side(StrictPart, frozen=True, dict=True):
    """One unit."""

    models: SomeItems[Group]
    name: Name | None = None
    width: Positive | None = None
    rules: RuleNames = ()
    command: Items[CommandRole] = ()
    army_standard: bool = False
    charged: bool = False
    moved: bool = False
    attacks_from: Literal["front", "flank", "rear"] = "front"
    higher_ground: bool = False
    models_in_contact: Count | None = None
    supporting_models: Count | None = None
    cover: Literal["none", "soft", "hard"] = "none"
    terrain: Literal["open", "forest", "building", "river"] = "open"
    effects: Names = ()
    wounds_inflicted: Count | None = None

    @cached_property
    def main_index(self) -> int:
        """Which group is the rank and file: the largest one without characters, else the first with models."""
        ranked = [i for i, group in enumerate(self.models) if group.count and not group.is_character]
        if ranked:
            return max(ranked, key=lambda i: (self.models[i].count, -i))
        return next((i for i, group in enumerate(self.models) if group.count), 0)

    @property
    def main(self) -> Group:
        """The rank and file."""
        return self.models[self.main_index]

    @property
    def count(self) -> int:
        """Models of all groups."""
        return sum(group.count for group in self.models)


class ListedWeapon(WeaponProfile, frozen=True):
    """A weapon of an army book.

    Attributes:
        works_as: the machine of the rulebook that it is, with a range and Strength of its own.
        when: in which turns its Strength counts; else its user's own does.
    """

    works_as: Machine | None = None
    when: When = "always"


class ListedCrew(Crew, frozen=True):
    """Who drives or serves it, as rosters tell it; documents have no word for what a crew fights with.

    Attributes:
        weapons: of each of them; rules: of their blows.
        others: in the same model, of other characteristics: a Gor beside a Bestigor.
    """

    name: Name | None = None
    weapons: Annotated[tuple[RuleName | ListedWeapon, ...], Meta(max_length=MAX_NAMES)] = ()
    rules: RuleNames = ()
    others: Items["ListedCrew"] = ()


class ListedGroup(Group, frozen=True, dict=True):
    """Identical models of a list.

    Attributes:
        chassis: the chariot that a character rides: its Strength is that of his impact hits.
    """

    weapons: Annotated[tuple[RuleName | ListedWeapon, ...], Meta(max_length=MAX_NAMES)] = ()
    crew: ListedCrew | None = None
    chassis: Profile | None = None


class ListedSide(Side, frozen=True, dict=True):
    """One unit of a list."""

    models: SomeItems[ListedGroup]


class Friends(StrictPart, frozen=True):
    """A friendly unit near a lone character."""

    count: Count = 0
    distance: Measure = 0


class Wizard(StrictPart, frozen=True):
    """Caster or dispeller; without a level the army dispels."""

    wizard_level: Count | None = None
    wizards: Count | None = None
    race: Name | None = None
    Ld: Number | None = None


class Aura(StrictPart, frozen=True):
    """General or army standard near the unit."""

    distance: Measure
    Ld: Number | None = None
    large_target: bool = False

    @property
    def reaches(self) -> bool:
        """Whether the unit is within 12, or of a Large Target 18, inches. Source: L511-513, L1019-1031 [text]."""
        return self.distance <= (18 if self.large_target else 12)


class Conditions(StrictPart, frozen=True):
    """Circumstances.

    Attributes:
        dispel_dice: against a spell; misfires: war machines may misfire. No document says either, see
            `ListedConditions`.
    """

    dispel_dice: ClassVar[int | None] = None
    misfires: ClassVar[bool] = False

    combat_round: Positive = 1
    distance: Measure | None = None
    long_range: bool | None = None
    stand_and_shoot: bool = False
    shooting_mode: Literal["normal", "multiple_shots", "volley_fire"] = "normal"
    models_covered: DiceText | None = None
    centre_model_hit: bool = False
    in_close_combat: bool = True
    test: Literal["panic", "fear", "rally", "other"] = "other"
    lost_combat_by: Count | None = None
    steadfast: bool | None = None
    general: Aura | None = None
    army_standard: Aura | None = None
    reroll_failed_charge: bool = False
    by_end_of_turn: Positive | None = None
    terrain: Literal["forest", "marsh", "river", "obstacle", "ruins"] | None = None
    move: Literal["charge", "march", "flee", "pursue"] | None = None
    hit_by: Literal["template", "cannon", "bolt_thrower", "sniper", "shooting"] | None = None
    irresistible_cast: bool = False


class ListedConditions(Conditions, frozen=True):
    """Circumstances between two lists, as far as documents have no word for them."""

    dispel_dice: Number | None = None  # type: ignore[misc]
    misfires: bool = False  # type: ignore[misc]


class MatchupOptions(StrictPart, frozen=True):
    """Readings of the rules; the first value is the default."""

    poison: Literal["wounds_automatically", "hits_automatically"] = "wounds_automatically"
    fear_mode: Literal["minus_one", "set_to_one"] = "minus_one"
    parry_on_foot_only: bool = False
    support_into_flank_or_rear: bool = True
    both_destroyed_result: Literal["draw"] = "draw"

    def listed(self) -> dict[str, object]:
        """Every option with the value in force."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class FantasyMatchup(Matchup, frozen=True, kw_only=True):
    """The matchup document of Fantasy 8th edition."""

    attacker: Side | None = None
    defender: Side | None = None
    unit: Side | None = None
    enemy: Side | None = None
    winner: Side | None = None
    loser: Side | None = None
    friends: Friends | None = None
    caster: Wizard | None = None
    dispeller: Wizard | None = None
    spell: Name | None = None
    machine: Literal["black_powder", "stone_thrower"] | None = None
    dice: Annotated[int, Meta(ge=1, le=6)] | None = None
    casting_value: Positive | None = None
    casting_total: Positive | None = None
    hits: Count | None = None
    unsaved_wounds: Count | None = None
    conditions: Conditions = Conditions()
    options: MatchupOptions = MatchupOptions()

    def sides(self) -> dict[str, Side]:
        """The sides the document names, by the name of the member."""
        named = {name: getattr(self, name) for name in ("attacker", "defender", "unit", "enemy", "winner", "loser")}
        return {name: side for name, side in named.items() if side is not None}


class ListedMatchup(FantasyMatchup, frozen=True, kw_only=True):
    """A fight between units of two lists, with choices of the players that no document holds.

    Attributes:
        at_characters: blows of both sides go for characters and champions first.
        challenge: a character or champion of each side fight each other.
    """

    at_characters: bool = False
    challenge: bool = False


def needed(save: str | int | None) -> int | None:
    """The roll a save needs; None when there is none."""
    if save is None or isinstance(save, int):
        return save
    return int(save[:-1]) if save.endswith("+") else None


def number_of(text: int | str, at: str) -> Dice:
    """Dice of a document or of a rule's brackets.

    Raises:
        BadDocument: the text is neither a number nor dice.
        LimitExceeded: more dice, or a larger number, than the service rolls.
    """
    try:
        dice = parse(text)
    except ValueError as error:
        raise BadDocument(f"{error}.", at) from error
    refuse_above(dice.count, MAX_DICE_OF_A_NUMBER, "dice in one number", at)
    refuse_above(dice.highest, MAX_SHOTS, "as one number", at)
    return dice


def within_limits(matchup: FantasyMatchup) -> None:
    """Refuse more models, wounds, attacks or dice than the service takes.

    Raises:
        LimitExceeded: naming the number and the place.
    """
    for name, side in matchup.sides().items():
        refuse_too_many_models([group.count for group in side.models], f"/{name}/models")
        wounds = 0
        for index, group in enumerate(side.models):
            at = f"/{name}/models/{index}"
            wounds += group.count * max(1, group.profile.W or 1)
            refuse_above(wounds, MAX_WOUNDS, "wounds on one side", f"{at}/profile/W")
            _group_within_limits(group, at)
        refuse_above(side.wounds_inflicted or 0, MAX_SHOTS, "wounds", f"/{name}/wounds_inflicted")
    for member in ("hits", "unsaved_wounds", "casting_value", "casting_total"):
        refuse_above(getattr(matchup, member) or 0, MAX_SHOTS, "as one number", f"/{member}")
    for member in ("caster", "dispeller"):
        wizard: Wizard | None = getattr(matchup, member)
        if wizard is not None:
            refuse_above(wizard.wizards or 0, MAX_MODELS, "wizards", f"/{member}/wizards")
            refuse_above(wizard.wizard_level or 0, MAX_MODELS, "levels", f"/{member}/wizard_level")
    if matchup.conditions.models_covered is not None:
        number_of(matchup.conditions.models_covered, "/conditions/models_covered")
    if matchup.method == "montecarlo":
        dice = max((most_dice(side) for side in matchup.sides().values()), default=1)
        refuse_above(matchup.trials * dice, MAX_DICE, "dice in one run", "/trials")


def _group_within_limits(group: Group, at: str) -> None:
    mount = group.mount
    refuse_above(group.count * (group.profile.A or 1), MAX_SHOTS, "attacks", f"{at}/profile/A")
    if mount is not None:
        refuse_above(group.count * (mount.profile.A or 1), MAX_SHOTS, "attacks", f"{at}/mount/profile/A")
        refuse_above(group.count * (mount.profile.W or 1), MAX_WOUNDS, "wounds", f"{at}/mount/profile/W")
    for crew in group.crews:
        models = max(1, group.count) * crew.count
        refuse_above(models, MAX_MODELS, "models of a crew", f"{at}/crew/count")
        refuse_above(models * (crew.profile.W or 1), MAX_WOUNDS, "wounds of a crew", f"{at}/crew/profile/W")
        refuse_above(models * (crew.profile.A or 1), MAX_SHOTS, "attacks of a crew", f"{at}/crew/profile/A")
    refuse_above(group.riders or 0, MAX_MODELS, "riders", f"{at}/riders")
    refuse_above(group.handlers or 0, MAX_MODELS, "handlers", f"{at}/handlers")
    for number, weapon in enumerate(group.weapons):
        if isinstance(weapon, WeaponProfile) and weapon.override is not None:
            for member in ("hits", "wounds"):
                count = getattr(weapon.override, member)
                if count is not None:
                    number_of(count, f"{at}/weapons/{number}/override/{member}")


def most_dice(side: Side) -> int:
    """About how many dice this side can roll in one trial, for the service's limit."""
    fighting = side.count if side.width is None else min(side.count, 4 * side.width)
    per_model = max(
        (group.profile.A or 1) + (group.mount.profile.A or 1 if group.mount else 0) for group in side.models
    )
    return max(1, fighting * max(1, per_model))
