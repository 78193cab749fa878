"""A list as it is handed over: one frozen value in one language, from which texts, tables and cards are made.

`list_sheet` asks the type of the list for it: `roster_sheet` for rosters, `heroes.list_sheet` for heroes. Nobody who
writes a list down reads its roster or its army document again.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from decimal import Decimal

import msgspec

from armybuilder.armylists.amounts import TIMES, counted_words, kinds_in
from armybuilder.armylists.open_choices import open_choices
from armybuilder.armylists.reports import ListReport
from armybuilder.datafiles.models import DataRelease
from armybuilder.engine.findings import Severity, Text, Verdict
from armybuilder.reference.names import Names, russian

_NOT_SHOWN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Unicode categories that a reader does not see and that turn or break lines: controls, direction marks, surrogates."""

NO_BREAK = "\N{NO-BREAK SPACE}"

_WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.INFO)


class SheetCost(msgspec.Struct, frozen=True):
    """What the list costs of one type, and the limit its owner agreed to; None without one."""

    name: str
    value: Decimal
    limit: Decimal | None = None


class SheetProfile(msgspec.Struct, frozen=True):
    """A row of a table of the game data."""

    type: str
    name: str
    characteristics: tuple[tuple[str, str], ...]

    @property
    def is_weapon(self) -> bool:
        """Whether it describes a weapon, and not a body with the weapons in the same row, as data of Epic does."""
        columns = {name.casefold() for name, _ in self.characteristics}
        return bool(columns & {"range", "дальность"}) and not columns & {"speed", "armour", "скорость", "броня"}


class SheetOption(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a unit: a model, or what was taken for the unit or a model.

    Attributes:
        number: how many there are in the whole unit.
        points: of all of them with what is below; None in a game without points.
        is_crew: models that the number of the unit leaves out: a crew, a mount.
        is_unit: a unit of its own that was bought for this one, as its transport.
        is_secret: a magic item, which is not told to the opponent before the game.
    """

    name: str
    number: int = 1
    points: Decimal | None = None
    is_model: bool = False
    is_crew: bool = False
    is_unit: bool = False
    is_secret: bool = False
    notes: str = ""
    options: tuple["SheetOption", ...] = ()

    @property
    def phrase(self) -> str:
        """It with what was taken below it, as texts for other tools say it: `2x Speeder (Melta, Searchlight)`."""
        return self.told("x")

    @property
    def words(self) -> str:
        """The same as pages and paper say it: `2 × Speeder (Melta, Searchlight)`."""
        return self.told(TIMES)

    def told(self, sign: str, *, is_in_model: bool = False) -> str:
        """The same with a sign between number and name.

        Args:
            is_in_model: models in a unit have it; what is in them is said of one of those that it belongs to.
        """
        is_each = self.is_model or is_in_model
        options = [option.of_one(self.number) for option in self.options] if is_each else self.options
        inside = ", ".join(option.told(sign, is_in_model=is_each) for option in options)
        return counted_words(self.number, self.name, sign) + (f" ({inside})" if inside else "")

    def walk(self) -> Iterator["SheetOption"]:
        """It and everything below it."""
        yield self
        for option in self.options:
            yield from option.walk()

    def of_one(self, bearers: int) -> "SheetOption":
        """It as one of its bearers has it, where they share it evenly."""
        if bearers < 2 or any(one.number % bearers for one in self.walk()):
            return self
        inside = tuple(inner.of_one(bearers) for inner in self.options)
        return msgspec.structs.replace(self, number=self.number // bearers, points=None, options=inside)

    def without_secrets(self) -> "SheetOption":
        """The same without magic items below it."""
        return msgspec.structs.replace(self, options=_open_only(self.options))


class SheetModels(msgspec.Struct, frozen=True):
    """Models of one kind in a unit, and what they carry; its numbers are those of the whole unit.

    Attributes:
        is_crew: the number of the unit leaves them out.
        is_unit: it is the unit itself, a single model.
    """

    name: str
    number: int
    items: tuple[SheetOption, ...]
    is_crew: bool = False
    is_unit: bool = False

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """How many there are of what: the data may offer "4x Thunderers, 2x Warriors" as one."""
        return kinds_in(self.number, self.name)


class SheetUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit, or a card of a hero.

    Attributes:
        own_name: what the player calls it; empty where he does not.
        is_model: it is a single model rather than a unit of some.
        is_card: a card that a hero has, where no model stands.
        is_character: a single model whose profiles or rules say so.
        not_of_data: what its owner has set himself where the data says otherwise, in words; empty for nothing.
        is_own: a unit of its owner's own, which the data does not have.
        warlord_trait: of the warlord; empty for none.
        stated: what the list states of it, by name, in words; no value where the name says it all: "General".
        facts: the same as sentences, and what the game shows of it.
        options: everything in it, as the data nests it.
    """

    id: str
    name: str
    own_name: str = ""
    role: str
    points: Decimal | None
    is_model: bool = False
    is_card: bool = False
    is_character: bool = False
    is_warlord: bool = False
    is_own: bool = False
    warlord_trait: str = ""
    not_of_data: str = ""
    notes: str = ""
    stated: tuple[tuple[str, str], ...] = ()
    facts: tuple[str, ...] = ()
    options: tuple[SheetOption, ...] = ()
    profiles: tuple[SheetProfile, ...] = ()
    weapons: tuple[SheetProfile, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Its name with the player's own in front: "Ash Hounds (Tactical Squad)"."""
        return f"{self.own_name} ({self.name})" if self.own_name else self.name

    @property
    def shown(self) -> tuple[str, ...]:
        """What the game shows of it and nobody stated."""
        said = {f"{name}: {value}" if value else name for name, value in self.stated}
        return tuple(fact for fact in self.facts if fact not in said)

    @property
    def models(self) -> tuple[SheetModels, ...]:
        """Its models, kind by kind; the unit itself where it is one."""
        inside = tuple(_models_in(self.options))
        return (SheetModels(self.name, 1, _upgrades(self.options), is_unit=True), *inside) if self.is_single else inside

    @property
    def attached(self) -> tuple[SheetModels, ...]:
        """The models of other units that were bought for it: its transport."""
        return tuple(models for models in _models_in(_units_in(self.options)) if not models.is_crew)

    @property
    def is_single(self) -> bool:
        """Whether it is itself its first model, and not a unit of some."""
        return self.is_model or not any(True for _ in _models_in(self.options))

    @property
    def items(self) -> tuple[SheetOption, ...]:
        """What was taken for the unit as a whole; empty for a single model, whose own it is."""
        return () if self.is_single else _upgrades(self.options)

    @property
    def says_its_models(self) -> bool:
        """Whether its own name tells what its models are: it is one, or "Halberdiers" of nothing but Halberdiers."""
        kinds = self.models
        alike = len(kinds) == 1 and self.name.casefold().startswith(kinds[0].name.casefold())
        return len(kinds) == 1 and (self.is_single or (alike and not self.attached))

    @property
    def model_count(self) -> int:
        """How many models it has, at least one; its crew and its transport are none of them."""
        return sum(number for models in self.models if not models.is_crew for number, _ in models.kinds) or 1

    def without_secrets(self) -> "SheetUnit":
        """The same without its magic items."""
        return msgspec.structs.replace(self, options=_open_only(self.options))


class SheetRole(msgspec.Struct, frozen=True, kw_only=True):
    """The units of one battlefield role in a detachment, with slots.

    Attributes:
        minimum, maximum: slots; maximum None without a limit.
        percent: share of the points limit, to a tenth; None without a limit.
        sets_up: what stands in it are settings of the army and no units.
        category: its name in the game data, the same in every language; empty where no category stands behind it.
    """

    name: str
    units: tuple[SheetUnit, ...]
    current: int = 0
    minimum: int = 0
    maximum: int | None = None
    points: Decimal | None = None
    percent: Decimal | None = None
    sets_up: bool = False
    category: str = ""


class SheetDetachment(msgspec.Struct, frozen=True, kw_only=True):
    """A detachment; `alliance` is the key of its level with the primary one, empty for none."""

    name: str
    faction: str
    points: Decimal | None
    roles: tuple[SheetRole, ...]
    alliance: str = ""
    notes: str = ""

    @property
    def taken_roles(self) -> tuple[SheetRole, ...]:
        """The roles that have units."""
        return tuple(role for role in self.roles if role.units)


class SheetFinding(msgspec.Struct, frozen=True):
    """A finding in words.

    Attributes:
        unit: the name of what it speaks of, empty for the whole list.
        unit_id: the unit of the sheet in which that stands; empty where it stands in none.
        source: lines of the rules text, or where else it comes from, e.g. "L3515-L3526".
        is_choice: an error that only says that something is still to be chosen.
    """

    severity: Severity
    rule: str
    message: str
    unit: str = ""
    unit_id: str = ""
    source: str = ""
    is_choice: bool = False

    @property
    def sign(self) -> str:
        """Its severity, or that a choice is open."""
        return "started" if self.is_choice else str(self.severity)

    @property
    def heading(self) -> str:
        """What it speaks of; empty where its words begin with that."""
        return "" if self.unit.casefold() in self.message[: len(self.unit) + 1].casefold() else self.unit


class SheetRelease(msgspec.Struct, frozen=True):
    """The game data a list was made with."""

    number: int
    revision: str

    @classmethod
    def of(cls, release: DataRelease) -> "SheetRelease":
        """What of a release is told."""
        return cls(release.number, release.revision)


class SheetVerdict(msgspec.Struct, frozen=True):
    """The signed verdict on the list: its code, and the page that tells it."""

    code: str
    url: str


class ListSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A whole list in one language.

    Attributes:
        language: en or ru.
        game: name of the game system.
        limit: the agreed points; None without.
        warlord: name of the unit that leads, with the trait; empty where nobody does.
        facts: what the list states besides its units, by name, in words.
        army_facts: those of them that stand beside no unit.
        summary: what the game shows of the whole list.
        unchecked: what the verdict does not cover.
        signed_verdict: None where the sheet is not handed out.
    """

    name: str
    language: str
    game: str
    rule_pack: str | None
    points: Decimal | None
    limit: Decimal | None
    costs: tuple[SheetCost, ...] = ()
    detachments: tuple[SheetDetachment, ...]
    warlord: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    army_facts: tuple[tuple[str, str], ...] = ()
    summary: tuple[str, ...] = ()
    notes: str = ""
    verdict: Verdict
    findings: tuple[SheetFinding, ...]
    unchecked: tuple[str, ...]
    release: SheetRelease
    revision: int
    signed_verdict: SheetVerdict | None = None

    @property
    def factions(self) -> tuple[str, ...]:
        """The factions of its detachments, each once."""
        return tuple(dict.fromkeys(detachment.faction for detachment in self.detachments if detachment.faction))

    @property
    def units(self) -> tuple[SheetUnit, ...]:
        """Every unit, in the order of the sheet."""
        return tuple(
            unit for block in self.detachments for role in block.roles if not role.sets_up for unit in role.units
        )

    @property
    def errors(self) -> tuple[SheetFinding, ...]:
        """The findings that make it illegal."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    @property
    def findings_once(self) -> tuple[tuple[SheetFinding, int], ...]:
        """The findings with how often each is said: five models that lack the same weapon make one line."""
        return tuple(Counter(self.findings).items())

    @property
    def choice_count(self) -> int:
        """How many of them are choices not made yet."""
        return sum(finding.is_choice for finding in self.findings)

    @property
    def error_count(self) -> int:
        """How many of them are more than that."""
        return len(self.errors) - self.choice_count

    @property
    def unchecked_besides(self) -> tuple[str, ...]:
        """What the verdict does not cover, and no finding tells of."""
        told = {finding.message for finding in self.findings}
        return tuple(part for part in self.unchecked if part not in told)


def visible(text: str | None) -> str:
    """A name on one line without marks that nobody sees and that turn the line around."""
    kept = (" " if char.isspace() else char for char in text or "" if char.isspace() or _is_shown(char))
    return re.sub(r" {2,}", " ", "".join(kept)).strip()


def unbroken(text: str | None) -> str:
    """Words of ours on one line, as in `visible`, with the spaces at which they must not break."""
    return NO_BREAK.join(map(visible, (text or "").split(NO_BREAK)))


def visible_lines(text: str | None) -> str:
    """Notes: lines stay, everything else as in `visible`."""
    return "\n".join(map(visible, (text or "").splitlines())).strip()


def in_language(text: Text) -> str:
    """A text in the language of the reader."""
    return text.ru if russian() else text.en


def told_findings(
    report: ListReport, names: Names, *, mentioned: Set[str] = frozenset(), beside_units: Set[str] = frozenset()
) -> tuple[SheetFinding, ...]:
    """The findings of a report in words, errors first, after them what is only still to be chosen.

    Args:
        mentioned: names of the data that they may hold, which are told in the reader's language.
        beside_units: rules whose remarks only repeat the facts that stand beside each unit; they are left out.
    """
    shown = (
        found for found in report.findings if found.severity is not Severity.INFO or found.rule not in beside_units
    )
    choices = {id(found) for found, _ in open_choices(report)}
    return tuple(
        SheetFinding(
            found.severity,
            found.rule,
            visible(names.within(in_language(found.message), mentioned)),
            visible(names(found.node_name or "")),
            found.unit_id or "",
            found.source,
            id(found) in choices,
        )
        for found in sorted(shown, key=lambda found: (_WORST_FIRST.index(found.severity), id(found) in choices))
    )


def _models_in(options: Iterable[SheetOption]) -> Iterator[SheetModels]:
    """Models, without those of other units below."""
    for option in options:
        if option.is_unit:
            continue
        if option.is_model:
            yield SheetModels(option.name, option.number, _upgrades(option.options), option.is_crew)
        yield from _models_in(option.options)


def _units_in(options: Iterable[SheetOption]) -> Iterator[SheetOption]:
    """What is told of other units below: themselves where they are models, else what is in them."""
    for option in options:
        if option.is_unit:
            within = msgspec.structs.replace(option, is_unit=False)
            yield within
            yield from _units_in(within.options)
        else:
            yield from _units_in(option.options)


def _upgrades(options: tuple[SheetOption, ...]) -> tuple[SheetOption, ...]:
    """What is no model, with what is below it as far as that is no model either; other units stay whole."""
    return tuple(
        option if option.is_unit else msgspec.structs.replace(option, options=_upgrades(option.options))
        for option in options
        if option.is_unit or not option.is_model
    )


def _open_only(options: tuple[SheetOption, ...]) -> tuple[SheetOption, ...]:
    return tuple(option.without_secrets() for option in options if not option.is_secret)


def _is_shown(char: str) -> bool:
    return unicodedata.category(char) not in _NOT_SHOWN
