"""The layer between game data and eyes: names without codes and versions, roles in both languages, what is no unit.

One home for pages, prints, exports' texts and the display names of the API. Ids and roster files keep the data's names.
The tables stand in `tending.toml`.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from armybuilder.engine.roster.available_options import Offer
from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.game import roster_reader_of
from armybuilder.engine.systems.roster_reading.parts import walk_without
from armybuilder.engine.systems.roster_reading.unit_reader import Standing

LONGEST_NAME = 120
"""What is longer is a text, and stays as it is written."""


LONGEST_ABBREVIATION = 3
_MARKS = re.compile(r"\*\*|\^\^")
_SMALL_WORDS = frozenset({"of", "and", "the", "in", "for"})


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(row["pattern"]), row["replacement"]) for row in _tables()["names"])


@lru_cache(maxsize=32_768)
def tidied(name: str) -> str:
    """A name as players write it: "LA -  XIII: Ultramarines" is Ultramarines, "May take one::" is May take one.

    What would leave nothing stays; so do texts of several lines, and long ones.
    """
    if not name or len(name) > LONGEST_NAME or "\n" in name:
        return name
    found, before = " ".join(name.split()), ""
    while found != before:
        before = found
        for pattern, replacement in _patterns():
            shorter = pattern.sub(replacement, found).strip()
            found = shorter if any(char.isalnum() for char in shorter) else found
    return found


def plain_text(text: str) -> str:
    """A text without the marks that New Recruit sets bold and small capitals with: "**^^Hero^^**" is Hero."""
    return _MARKS.sub("", text)


def is_bookkeeping(characteristic: str) -> bool:
    """Whether a characteristic serves its author's layout or indexes, and tells players nothing."""
    return tidied(characteristic).casefold() in _bookkeeping()


@lru_cache(maxsize=4096)
def role_name(name: str) -> str:
    """A battlefield role as players write it: "WAR MACHINE" is War Machine; HQ stays."""
    shown = tidied(name)
    if not shown.isupper() or not any(len(word) > LONGEST_ABBREVIATION for word in shown.split()):
        return shown
    words = (word if word in _SMALL_WORDS else word[:1].upper() + word[1:] for word in shown.lower().split())
    return " ".join(words)


@lru_cache(maxsize=4096)
def role_in_russian(name: str) -> str:
    """The Russian name of a battlefield role by the tended English one; empty where it has none."""
    found: str = _tables()["roles"].get(tidied(name).casefold(), "")
    return found


def is_usual_role(words: str) -> bool:
    """Whether a battlefield role that several games have is called so in either language."""
    return words.strip(" :").casefold() in _usual_roles()


@cache
def _usual_roles() -> frozenset[str]:
    return frozenset(name.casefold() for pair in _tables()["roles"].items() for name in pair)


def detachments_in_russian() -> Mapping[str, str]:
    """Russian names of detachments that several games have, by the tended English ones."""
    found: Mapping[str, str] = _tables()["detachments"]
    return found


def army_list_names(catalogue_names: Iterable[str]) -> dict[str, str]:
    """What players call the army lists of a data set, by the names of their catalogues.

    Years, codes of two or three capitals and numbers in front are the author's order: "2022 - LA - Alpha Legion" is
    Alpha Legion. Book and version are told only where several lists have one name: "Empire (2013-4) V8.7.4". Where an
    author sorts most lists under headings, the headings go: "Imperium - Adeptus Astartes - Salamanders".
    """
    found: dict[str, str] = {}
    left = {name: list(_calls(name)) for name in catalogue_names}
    while left:
        now = {name: calls.pop(0) for name, calls in left.items()}
        often = Counter(now.values())
        found |= {name: call for name, call in now.items() if often[call] == 1 or not left[name]}
        left = {name: calls for name, calls in left.items() if name not in found}
    plain = {name: _below_headings(call, set(found.values())) for name, call in found.items()}
    sorted_in = sum(plain[name] != call for name, call in found.items())
    return plain if 2 * sorted_in > len(found) and len(set(plain.values())) == len(found) else found


@dataclass(frozen=True, slots=True)
class Edition:
    """An army book: whose it is, and the numbers of its years and version, in their order."""

    army: str
    version: tuple[int, ...] = ()


def edition_of(catalogue_name: str) -> Edition:
    """What the name of a catalogue tells of its book: "Empire - Army Book (2013-4) -V8.8.2" is the Empire's."""
    found = _edition().match(catalogue_name)
    if found is None:
        return Edition(tidied(catalogue_name))
    numbers = re.findall(r"\d+", f"{found['book']} {found['version']}")
    return Edition(tidied(found["name"]), tuple(map(int, numbers)))


def _below_headings(call: str, calls: Set[str]) -> str:
    """A name without what stands before it and is no army list itself."""
    parts = call.split(" - ")
    headings = 0
    while headings < len(parts) - 1 and " - ".join(parts[: headings + 1]) not in calls:
        headings += 1
    return " - ".join(parts[headings:])


def _calls(catalogue_name: str) -> Iterator[str]:
    """From the shortest to the longest."""
    if edition := _edition().match(catalogue_name):
        words = (tidied(edition["name"]), edition["book"], edition["version"])
        for count in range(1, len(words) + 1):
            yield " ".join(word for word in words[:count] if word)
    name = tidied(catalogue_name)
    first, _, rest = name.partition(" - ")
    yield rest if rest and first in rest else name


@cache
def _bookkeeping() -> frozenset[str]:
    return frozenset(_tables()["bookkeeping"])


@cache
def _edition() -> re.Pattern[str]:
    return re.compile(_tables()["edition"])


_OF_SETTINGS = frozenset({"army rules", "reference", "manifestation lore", "no force org slot"})
"""Roles of the data in which settings of the army stand, beside units or alone."""


def sets_up_the_army(state: SelectionState) -> bool:
    """Whether a selection of a detachment is a setting of the army rather than a unit: free, and without any model.

    What stands in a role of the chart is a unit also while its models are still to be chosen.
    """
    category = state.primary_category
    if (
        category is not None
        and is_usual_role(category.name)
        and role_name(category.name).casefold() not in _OF_SETTINGS
    ):
        return False
    return not any(
        part.type in _UNITS or any(cost.value for cost in part.costs) or any(shows_model(row) for row in part.profiles)
        for part in state.walk()
    )


def may_be_unit(offer: Offer) -> bool:
    """Whether an entry of an army list is something to field, as far as can be told before it is taken.

    Authors of old data call many a squad an upgrade; one that has nothing but settings in it costs nothing.
    """
    return offer.type in _UNITS or any(cost.value for cost in offer.costs)


def model_count(unit: SelectionState, rule_pack: str | None = None) -> int:
    """Models of a unit, itself included where it is one; its transport, which is a unit of its own, is none of them.

    Args:
        rule_pack: the game that reads the unit; None where none does.
    """
    found = standing(unit, rule_pack)
    return sum(part.number for part in walk_without(unit, set(found.apart)) if part.id in found.models)


def standing(unit: SelectionState, rule_pack: str | None) -> Standing:
    """Which selections of a unit stand on the table: as its game reads them, else as the data types them.

    By types, badges and ranks that data types as models are none, and a unit inside one is where it has no models.
    """
    reader = roster_reader_of(rule_pack or "")
    found = reader.standing(unit) if reader is not None and reader.standing is not None else None
    return found or Standing(frozenset(part.id for part in unit.walk() if _stands(part, unit)), frozenset())


def _stands(part: SelectionState, unit: SelectionState) -> bool:
    if part.type != "unit":
        return is_model(part)
    return part is not unit and not any(map(is_model, part.walk()))


def is_model(part: SelectionState) -> bool:
    """Whether a selection of type model stands for a model: no badge or rank, and no mere frame around one.

    Authors wrap a character into a second entry of type model; only the inner one has the profile of a model.
    """
    if part.type != "model":
        return False
    if any(shows_model(row) for row in part.profiles):
        return True
    if _badges().fullmatch(tidied(part.name).casefold()) is not None:
        return bool(part.profiles)
    inside = (below for below in part.walk() if below.type == "model" and below.id != part.id)
    return not any(shows_model(row) for below in inside for row in below.profiles)


def answers(fact: str) -> Mapping[str, frozenset[str]]:
    """Names of the choices in the data that a fact answers, tended and in small letters, by its value."""
    asked: Mapping[str, list[str]] = _tables()["asked"].get(fact, {})
    return {value: frozenset(names) for value, names in asked.items()}


_UNITS = ("unit", "model")


def shows_model(row: ProfileState) -> bool:
    """Whether a profile is of a model or unit itself, and not of a weapon or ability."""
    return (
        re.search(r"\b(unit|model|vehicle|datasheet|formation|war engine|walker)s?\b", row.type_name, re.I) is not None
    )


@cache
def _badges() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _tables()["no_models"]))
