"""Special rules: how a printed one is read, and the rows of a game's special_rules.toml, one for each rule.

Everything a game knows of a special rule stands in its row: how it is called, whether the figures have it, in which
parts of the game it counts, and how roughly. Code asks the row; lists, pages and docs are made of the rows.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from armybuilder.engine.findings import Text

LONGEST_PRINTED = 200
"""Characters of a printed rule that is read; a longer text is no rule of any game."""

_SIGNS = str.maketrans(dict.fromkeys("'’‘`!.,*†") | dict.fromkeys("-‐‑‒–—_()[]", " ") | {"“": '"', "”": '"'})
_NUMBER = re.compile(r"[xх×]?(\d{0,3}[dкд]?\d{1,4}\+?(?:\+\d{1,4})?)", re.IGNORECASE)
_TIMES = frozenset("xх×")
_PLACEHOLDER = "x"


class PrintedRule(NamedTuple):
    """A special rule as players write it, taken apart.

    Attributes:
        name: in the normal form, or the id of its row; empty for a text too long for a rule.
        value: as written in brackets or behind the name; None without one.
    """

    name: str
    value: str | None


def normal_name(name: str) -> str:
    """The one form in which printed names are compared: case, hyphens, apostrophes, stops and brackets do not matter.

    Empty for a text too long for a rule.
    """
    return " ".join(name.casefold().translate(_SIGNS).split()) if len(name) <= LONGEST_PRINTED else ""


def singular_name(name: str) -> str:
    """A normal name without plurals, for names that authors write in either number: "leaders", "jump packs"."""
    return " ".join(map(_singular, name.split()))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


@lru_cache(maxsize=8192)
def parse_rule(text: str) -> PrintedRule:
    """A printed rule as name and value: "Rending (6+)", "Feel No Pain 5+", "Counter-Attack (X) (1) [1 if charged]".

    Of several brackets the first that is no placeholder counts; remarks in square brackets are left out. The time it
    takes grows with the length of the text and no faster.
    """
    if len(text) > LONGEST_PRINTED:
        return PrintedRule("", None)
    name, groups = _trailing_groups(text.strip())
    if groups:
        values = [inside for inside in groups if inside.casefold() != _PLACEHOLDER]
        return PrintedRule(normal_name(name), (values or groups)[0] or None)
    words = name.split()
    number = _NUMBER.fullmatch(words[-1]) if len(words) > 1 else None
    if number is None:
        return PrintedRule(normal_name(name), None)
    words.pop()
    if len(words) > 1 and words[-1].casefold() in _TIMES:
        words.pop()
    return PrintedRule(normal_name(" ".join(words)), number[1])


def _trailing_groups(text: str) -> tuple[str, list[str]]:
    """A text without the brackets at its end, and what stands in the round ones."""
    groups: list[str] = []
    while text.endswith((")", "]")):
        start = _opening(text)
        if start is None:
            break
        if text.endswith(")"):
            groups.insert(0, text[start + 1 : -1].strip())
        text = text[:start].rstrip()
    return text, groups


def _opening(text: str) -> int | None:
    """Where the bracket opens that the text ends with; None where none does."""
    closing = text[-1]
    opening = "(" if closing == ")" else "["
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == closing) - (text[place] == opening)
        if depth == 0:
            return place
    return None


Status = Literal["modelled", "approximated", "not_simulated", "no_part"]
BattleStatus = Literal["modelled", "approximated", "left_out"]


class BadSpecialRules(ValueError):
    """A special_rules.toml whose rows cannot be used; the message names the file and the row."""


class SpecialRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a special_rules.toml.

    Attributes:
        id: what code calls it, the key of the row.
        name: as the rulebook prints it.
        aliases: other spellings, in both languages; those that differ in case, hyphens or apostrophes need none.
        status: whether the figures of one attack or fight have it, exactly or roughly; `no_part` is a rule that could
            not change them: it speaks of lists, deployment or moves.
        source: lines of the rules text; [carried] where it is only in the published game, [decision] where ours.
        counts: the parts of the game in which it changes a number, in the game's own words.
        how: how roughly it is in the figures, in those parts of the game where it is.
        battle: how it stands in whole battles; None where as in a single fight.
        battle_how: how roughly it is in whole battles.
        default: what it is worth when its brackets are missing.
        models: assumed under its marker or template when a document gives no number.
        stands_for: the id of the rule that it is in the figures, worth `value`: one that an army book calls its own.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    status: Status
    source: str
    counts: tuple[str, ...] = ()
    how: Text | None = None
    battle: BattleStatus | None = None
    battle_how: Text | None = None
    default: str | None = None
    models: int | None = None
    stands_for: str | None = None
    value: str | None = None

    @property
    def is_in_figures(self) -> bool:
        """Whether the figures have it, at least roughly."""
        return self.status in ("modelled", "approximated")

    @property
    def affects_combat(self) -> bool:
        """Whether it could change a number of an attack or a fight, known or not."""
        return self.status != "no_part"

    @property
    def is_carried(self) -> bool:
        """Whether only the published game has it, not the rules text."""
        return "[carried]" in self.source

    def counts_in(self, *places: str) -> bool:
        """Whether it changes a number in one of these parts of the game."""
        return any(place in self.counts for place in places)

    def faults(self, places: Collection[str]) -> Iterable[str]:
        """What is wrong with the row, in words."""
        for place in self.counts:
            if place not in places:
                yield f"counts in {place!r}, which is none of {', '.join(sorted(places))}"
        if self.is_in_figures and not self.counts and self.stands_for is None:
            yield "is in the figures but counts nowhere"
        if not self.is_in_figures and (self.counts or self.how is not None):
            yield "is not in the figures but counts somewhere"
        if self.status == "approximated" and self.how is None:
            yield "is approximated, but not said how"
        if (self.battle == "approximated") is not (self.battle_how is not None):
            yield "battle_how is for rules that are approximated in whole battles, and for all of these"
        for text in (self.how, self.battle_how):
            if text is not None and not (text.en and text.ru):
                yield "lacks words in one language"
        for name in (self.name, *self.aliases):
            if not normal_name(name):
                yield f"has a name that nobody can print: {name[:LONGEST_PRINTED]!r}"


class SpecialRuleTable:
    """All special rules of one game, by id and by any printed name.

    Attributes:
        rules: the rows by id.
        read: takes a printed rule apart: the id of the rule it is in the figures, else its normal name, and its value.
    """

    def __init__(self, rows: Mapping[str, Mapping[str, Any]], places: Collection[str], *, at: str) -> None:
        """Read the rows.

        Args:
            places: the words of the game for where a rule counts.
            at: how errors call the table.

        Raises:
            BadSpecialRules: a row lacks a part, has one too many or contradicts itself, or two share a name.
        """
        self.rules: dict[str, SpecialRule] = {}
        self._ids: dict[str, str] = {}
        self._singular_ids: dict[str, str] = {}
        self._printed = lru_cache(maxsize=8192)(self._look_up)
        self.read = lru_cache(maxsize=8192)(self._in_figures)
        for key, row in rows.items():
            try:
                rule = msgspec.convert({**row, "id": key}, SpecialRule)
            except (msgspec.ValidationError, TypeError) as broken:
                raise BadSpecialRules(f"{at}: [{key}]: {broken}") from broken
            if (fault := next(iter(rule.faults(places)), None)) is not None:
                raise BadSpecialRules(f"{at}: [{key}] {fault}.")
            self.rules[key] = rule
            for name in dict.fromkeys(map(normal_name, (rule.name, *rule.aliases))):
                if (other := self._ids.setdefault(name, key)) != key:
                    raise BadSpecialRules(f"{at}: [{key}] and [{other}] are both called {name!r}.")
                self._singular_ids.setdefault(singular_name(name), key)
        for rule in self.rules.values():
            if rule.stands_for is not None and not self._is_plain(rule.stands_for):
                raise BadSpecialRules(f"{at}: [{rule.id}] stands for {rule.stands_for!r}, which has no row of its own.")

    def _is_plain(self, key: str) -> bool:
        return key in self.rules and self.rules[key].stands_for is None

    @classmethod
    def load(cls, path: Path, places: Collection[str]) -> "SpecialRuleTable":
        """The table in a file.

        Raises:
            BadSpecialRules: as the table itself; a file that is no TOML.
        """
        with path.open("rb") as file:
            try:
                rows = tomllib.load(file)
            except tomllib.TOMLDecodeError as broken:
                raise BadSpecialRules(f"{path.name}: {broken}") from broken
        return cls(rows, places, at=path.name)

    def _in_figures(self, text: str) -> PrintedRule:
        printed = self._printed(text)
        row = self.rules.get(printed.name)
        return printed if row is None or row.stands_for is None else PrintedRule(row.stands_for, row.value)

    def _look_up(self, text: str) -> PrintedRule:
        printed, whole = parse_rule(text), self._id_of(normal_name(text))
        if whole is not None and (printed.value is None or normal_name(printed.value)):
            return PrintedRule(whole, None)  # a name with brackets or a number of its own, but not "Regeneration (*)"
        return PrintedRule(self._id_of(printed.name) or printed.name, printed.value)

    def _id_of(self, name: str) -> str | None:
        """The row of a normal name; the number it is written in does not matter where no row is called just so."""
        return self._ids.get(name) or self._singular_ids.get(singular_name(name))

    def find(self, text: str) -> SpecialRule | None:
        """The row of a printed rule as it is called; None for one that has none."""
        return self.rules.get(self._printed(text).name)

    def is_gap(self, text: str) -> bool:
        """Whether a printed rule could change a number but is in none: unknown, or known and not simulated."""
        rule = self.find(text)
        return rule is None or rule.status == "not_simulated"

    def counting_in(self, *places: str) -> frozenset[str]:
        """Ids of the rules that change a number in one of these parts of the game."""
        return frozenset(rule.id for rule in self.rules.values() if rule.counts_in(*places))

    def with_status(self, *statuses: Status) -> frozenset[str]:
        """Ids of the rules of one of these statuses."""
        return frozenset(rule.id for rule in self.rules.values() if rule.status in statuses)

    @cached_property
    def in_figures(self) -> frozenset[str]:
        """Ids of the rules that the figures have, at least roughly."""
        return self.with_status("modelled", "approximated")
