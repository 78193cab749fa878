"""The rules of list building of a game: what its folder `list_rules/` must supply.

| file | holds |
|---|---|
| `../army.py` | its army document: a `Document` of frozen Structs, with questions that several rules ask of an army |
| `rules.toml` | every rule id: severity, source lines, English and Russian message; `settings`: doubtful readings |
| `rules.py` | `TABLE = RuleTable(Path(__file__).with_name("rules.toml"))` and `finding = TABLE.finding` |
| one module a concern | the rules: generators `(army) -> Iterator[Finding]`, or `(army, *, settings)` if asked for |
| `__init__.py` | `RULES = ListRules(...)` with the rules in `CHECKS` |
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from armybuilder.engine.findings import Finding, Points, Text, has_error
from armybuilder.engine.systems.notation import Characteristic, DiceText, Name, TargetNumber
from armybuilder.engine.systems.rule_table import RuleTable, Setting


class RuleSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a document cannot hold: switches and data that an administrator keeps.

    Attributes:
        conventions: whether conventions outside the rules text (WFX) are reported.
        alliance_levels: by system id, the level of each recorded (from, to) pair.
    """

    conventions: bool = True
    alliance_levels: Mapping[str, Mapping[tuple[str, str], str]] = {}


MAX_NOTES = 20_000
"""Characters of a document's notes, which nothing reads."""

SHIPPED = RuleSettings()
"""The settings of the command line: nothing an administrator has changed."""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """An object inside a document; `remembered` properties hold what rules ask for again and again.

    Attributes:
        nulls: members that may be null; None leaves nulls to the types of the members.
    """

    nulls: ClassVar[frozenset[str] | None] = None


class StrictPart(Part, frozen=True):
    """An object inside a document; unless it says otherwise no member may be null."""

    nulls: ClassVar[frozenset[str] | None] = frozenset()


class Characteristics(Part, frozen=True):
    """Characteristics of one model, as several games print them; what plays no part is left out."""

    M: Characteristic | None = None
    WS: Characteristic | None = None
    BS: Characteristic | None = None
    S: Characteristic | None = None
    T: Characteristic | None = None
    W: Characteristic | None = None
    I: Characteristic | None = None  # noqa: E741 - the characteristic's own name
    A: Characteristic | None = None
    Ld: Characteristic | None = None
    Sv: TargetNumber = None


class Override(StrictPart, frozen=True):
    """Replaces steps of an attack that has no profile behind it."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"to_hit", "to_wound"})

    to_hit: TargetNumber = None
    to_wound: TargetNumber = None
    hits: DiceText | None = None
    wounds: DiceText | None = None


class Document(Part, frozen=True, kw_only=True):
    """The envelope of every document: `notes` are ignored, `id` is echoed, `x-` fields were dropped before."""

    system: Name
    name: Name | None = None
    notes: Annotated[str, msgspec.Meta(max_length=MAX_NOTES)] | None = None
    id: Name | None = None
    version: Literal[1] = 1
    schema_address: Name | None = msgspec.field(default=None, name="$schema")

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """What the types cannot refuse, e.g. an id that stands twice: sentence and JSON pointer.

        The first one is bad input. Whatever a rule objects to is a finding instead.
        """
        return iter(())


Check = Callable[..., Iterator[Finding]]
"""A rule or a family of rules: army document in, findings out."""


def no_errors(army: Any, findings: tuple[Finding, ...]) -> bool | None:
    """Legal if and only if nothing of severity error was found."""
    return not has_error(findings)


def all_findings(army: Any, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Every finding is told."""
    return findings


def points_of_army(army: Any) -> Points:
    """The sum of all prices, and the limit as it is written."""
    return Points.of(army.total, limit=army.points_limit)


ALLIANCE_LEVELS = Setting(
    asks=Text(
        en="The alliance table of this site; a cell that nobody has recorded is unknown.",
        ru="Таблица союзов этого сайта; незаполненная клетка – уровень неизвестен.",
    ),
    values=("unknown",),
    of_the_site=True,
)
"""The doubtful reading of every game whose text leaves its alliance table to the site."""


@dataclass(frozen=True)
class ListRules:
    """The native rules of one game.

    Attributes:
        system: the game's id in documents and URLs.
        rules: every rule with severity, source and messages: what a page about a rule shows.
        army_type: Struct an army document is read into.
        checks: in the order they run; each takes the army, and the settings if it asks for `settings`.
        points: total and limit of an army.
        legality: army and findings to legal, illegal or not established.
        usual_limit: points that a new list begins with.
        more_settings: doubtful readings besides those that rules.toml holds, by the ids it names.
        simulations: dotted name of the module that holds this game's `KINDS` (loaded when first needed).
        unknown_parts: findings that name something nobody could check, and the part they stand for.
        restatements: by id of an objection of the data (BS-01, BS-02, BS-04), the rules that say the same of slots
            and points in the words of the rulebook.
        told_in_lists: army and findings to those that a list shows: of two that have one cause, the one that tells it.
            Documents are answered with both.
        roleless: those of them that name no battlefield role, and so restate what the data says of any.
        of_kinds: those that count all units of one kind, whichever of them they stand on.
        says_of: by rule, how the names end that the data gives what it speaks of in other words.
        alliance_level: army, place of an allied detachment in it and settings to the level between it and the primary
            detachment; None where the level is unknown. Games without an alliance table have none.
        most_detachments: army to how many detachments of each type it may have; one of a type that is not named.
    """

    system: str
    rules: RuleTable
    army_type: type[Document]
    checks: tuple[Check, ...]
    points: Callable[[Any], Points] = points_of_army
    legality: Callable[[Any, tuple[Finding, ...]], bool | None] = no_errors
    more_settings: Mapping[str, Setting] = field(default_factory=dict)
    usual_limit: int = 2000
    simulations: str | None = None
    unknown_parts: Mapping[str, str] = field(default_factory=dict)
    restatements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    says_of: Mapping[str, str] = field(default_factory=dict)
    told_in_lists: Callable[[Any, tuple[Finding, ...]], tuple[Finding, ...]] = all_findings
    roleless: frozenset[str] = frozenset()
    of_kinds: frozenset[str] = frozenset()
    alliance_level: Callable[[Any, int, RuleSettings], str | None] | None = None
    most_detachments: Callable[[Any], Mapping[str, int]] | None = None

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """Doubtful readings by their ids."""
        return {**self.rules.settings, **self.more_settings}

    @cached_property
    def prepared_checks(self) -> tuple[tuple[Check, bool], ...]:
        """The checks, and whether each wants the settings."""
        return tuple((check, "settings" in signature(check).parameters) for check in self.checks)
