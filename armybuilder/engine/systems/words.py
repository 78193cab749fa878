"""Words of a game in both languages: every game's `words.toml`, over those that several games share.

| table | holds |
|---|---|
| `conditions` | what a player states, by the member of the game's `MatchupConditions` |
| `attacks` | the attacks of one unit on another, by their names in `ATTACKS` and `OCCASIONS` |
| `values` | values of a condition, or of a field that describes a target |
| `special_cases` | headings of the conditions that most players leave as they are |
| `battle` | what both armies do in a whole battle |
| `facts`, `fact_values` | what a stored list says besides its roster, and values of it that are words |
| `messages.notes`, `messages.simplifications` | what an answer says of its model; what whole battles leave out |
| `messages.…` | what messages of the game's rules are filled in with, by the words of documents |
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from armybuilder.engine.findings import Text, in_figures

_SHARED = Path(__file__).with_name("words.toml")
_TABLES = ("conditions", "attacks", "values", "special_cases", "facts", "fact_values")


class ConditionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """One member of a game's `MatchupConditions`.

    Attributes:
        label: as a form asks for it.
        described: as a result repeats it, with {value} where the value stands; of a yes-or-no one, that it holds.
        negated: that it does not hold; None says nothing.
        special: the special case it belongs to; None for one that every player looks at.
    """

    label: Text
    described: Text
    negated: Text | None = None
    special: str | None = None


class AttackWords(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of attack.

    Attributes:
        name: as a choice.
        pair: what {a} does to {b}; without a verb, as the name of a unit may be one of many.
        mine, theirs: caption of the matrix in each direction.
    """

    name: Text
    pair: Text
    mine: Text
    theirs: Text


class GameWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of one game.

    Attributes:
        battle: what both armies do in a whole battle, said before one is asked for.
        shortened: the same, if a part of the game is missing in it; None where nothing is.
    """

    conditions: Mapping[str, ConditionWords]
    attacks: Mapping[str, AttackWords]
    values: Mapping[str, Text]
    special_cases: Mapping[str, Text]
    facts: Mapping[str, Text]
    fact_values: Mapping[str, Text]
    battle: Text
    shortened: Text | None = None

    def value(self, value: object) -> Text:
        """A value in words; one without any is shown as it is: 4+."""
        if isinstance(value, int | float):
            return in_figures(f"{value:g}")
        return self.values.get(str(value)) or Text(str(value), str(value))

    def fact_value(self, value: object) -> Text | None:
        """A value of a fact, where it is a word of a fixed list, or yes or no."""
        return self.fact_values.get(str(value).lower() if isinstance(value, bool) else str(value))


@cache
def _shared() -> Mapping[str, Any]:
    return tomllib.loads(_SHARED.read_text(encoding="utf-8"))


@cache
def shared_facts() -> Mapping[str, Text]:
    """Names of the facts that lists of every game may state."""
    return msgspec.convert(_shared()["facts"], dict[str, Text])


def read_words(path: Path, *, values: Mapping[str, Text] | None = None) -> GameWords:
    """The words of a game.

    Args:
        path: its `words.toml`.
        values: further values, which have their words elsewhere.

    Raises:
        msgspec.ValidationError: a row lacks a language or has a member too many.
    """
    own, shared = tomllib.loads(path.read_text(encoding="utf-8")), _shared()
    tables = {name: shared[name] | own.get(name, {}) for name in _TABLES}
    found = msgspec.convert({**tables, "battle": shared["battle"], "shortened": own.get("battle")}, GameWords)
    return msgspec.structs.replace(
        found, values={**found.values, **(values or {})}, battle=found.shortened or found.battle
    )


def message_words(path: Path, *names: str) -> Iterator[Mapping[str, Text]]:
    """Texts of a game that its code tells by name: the tables `messages.…` of its `words.toml`, as asked for.

    Raises:
        msgspec.ValidationError: a row lacks a language.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["messages"]
    return (msgspec.convert(tables[name], dict[str, Text]) for name in names)
