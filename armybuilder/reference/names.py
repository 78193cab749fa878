"""Names of the game data in the language of the page: units, options, weapons, characteristics, special rules."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.utils.translation import get_language

from armybuilder.datafiles.bundles import TRANSLATIONS, IncomingFile
from armybuilder.datafiles.parsing import russian_names, translations
from armybuilder.engine.systems.game import GAMES
from armybuilder.reference import queries as reference
from armybuilder.reference.magic import spells_in_russian
from armybuilder.reference.tending import detachments_in_russian, plain_text, role_in_russian, role_name, tidied

_BRACKETS = re.compile(r"^(.*?)\s*\(([^()]*)\)(\s+V[\d.]+)?$")
"""The last of them is the version that some data authors give their book: `Empire (2013-4) V8.7.4`."""
LEAST_FOLDED = 4
"""Shorter names are abbreviations."""

_LATIN = re.compile(r"[A-Za-z]{2}")

_CENTIMETRES = re.compile(r"^(\(?\d+) ?cm(\)?)$")

_SHOTS = re.compile(r"^(.*?) (\d*D?\d+(?:[+*]\d+)?)$")

FRESH_SECONDS = 60
"""How long an army list may go by the name that it had before its data was published anew."""

_GROWN_TOGETHER = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
"""Where some data authors leave the space out: `ArmourSave`."""

_ENGLISH_SHORT = {
    "Move": "M",
    "Save": "Sv",
    "ArmourSave": "AS",
    "Transport Capacity": "Transport",
}
_RUSSIAN_SHORT = {
    "Move": "Дв",
    "M": "Дв",
    "LD": "Лд",
    "ArmourSave": "Бр",
    "WardSave": "ВС",
    "MR": "МУ",
    "WS": "НБ",
    "BS": "НС",
    "S": "С",
    "T": "Ст",
    "W": "Р",
    "I": "И",
    "A": "А",
    "Ld": "Лд",
    "Save": "Сп",
    "HP": "ПК",
    "AP": "ПБ",
    "Transport Capacity": "Мест",
    "Speed": "Скор",
    "Armour": "Бр",
    "Range": "Дист",
    "Firepower": "Огонь",
}
"""Headings of narrow columns, as the English data has them; the full name is the title."""


def russian() -> bool:
    """Whether players are being written to in Russian."""
    return (get_language() or "en").startswith("ru")


_BREAKS = re.compile(r"(?:\s*<br\s*/?>\s*)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the data as readers see them: tended (`reference.tending`), and in Russian where that is known.

    Attributes:
        army_lists: what players call army lists, in English and Russian, by the names of their catalogues.
        in_small_letters: `in_russian` for names that the data writes with other capitals than were translated.
    """

    in_russian: Mapping[str, str] = field(default_factory=dict)
    army_lists: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    in_small_letters: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, name: str) -> str:
        """One name, or several with commas, colons or plus signs between, each perhaps with brackets or a number."""
        army_list, army_list_ru = self.army_lists.get(name, ("", ""))
        if not name or not russian():
            return army_list or tidied(name)
        known = army_list_ru or self.in_russian.get(name)  # within rules "Dwarfs" is a people, "гномы"
        return known or self.value(army_list or tidied(name))

    def role(self, name: str) -> str:
        """The name of a battlefield role; the usual ones are known in both languages."""
        shown = self(name)
        if shown != tidied(name):
            return shown
        return (role_in_russian(name) if russian() else "") or role_name(name)

    def characteristic(self, name: str) -> str:
        """The whole name: "Armour Save" of `ArmourSave`, in Russian "Навык ближнего боя" of `WS`."""
        return _GROWN_TOGETHER.sub(" ", self(name))

    def heading(self, name: str) -> str:
        """What stands above a narrow column of figures: "WS" and "НБ"."""
        if russian():
            return _RUSSIAN_SHORT.get(name) or self.characteristic(name)
        return _ENGLISH_SHORT.get(name) or _GROWN_TOGETHER.sub(" ", name)

    def lines(self, value: str) -> list[str]:
        """A value line by line: some data authors write the weapons of a unit below each other, with `<BR>`."""
        return [self.value(line) for line in _BREAKS.split(value)]

    def value(self, name: str) -> str:
        """What stands in a table, or is tended already, in the language of the page."""
        name = plain_text(name)
        if not russian() or not name:
            return name
        known = self.in_russian.get(name)
        if known is None:
            known = self.in_small_letters.get(name.casefold())
        return self._by_parts(name) if known is None else known

    def _by_parts(self, name: str) -> str:
        """Several names, or one with something in brackets or a number."""
        for joint in (", ", " + ", ": "):
            if joint in name:
                return joint.join(self.value(part) for part in name.split(joint))
        if match := _CENTIMETRES.match(name):
            return f"{match.group(1)} см{match.group(2)}"
        if match := _BRACKETS.match(name):
            before = self.value(match.group(1))
            if before == match.group(1) and _LATIN.search(before):
                return name  # all of it as the data has it, rather than a Russian word behind an English name
            return f"{before} ({self.value(match.group(2))}){match.group(3) or ''}"
        if match := _SHOTS.match(name):
            return f"{self.value(match.group(1))} {match.group(2)}"
        return name

    def _quoted(self, name: str, text: str) -> str:
        """A name as a sentence shows it; in the marks that limits stand in it may be a battlefield role."""
        return self.role(name) if russian() and f"«{name}»" in text else self(name)

    def within(self, text: str, mentioned: Iterable[str]) -> str:
        """A sentence that mentions names of the data, with those names as readers see them.

        Args:
            mentioned: names that may stand in it; longer ones go before shorter ones that they contain, also one that
                stays as it is: within "Legion Praetor" no "Praetor" is translated.
        """
        known = {name: self._quoted(name, text) for name in mentioned if name and name in text}
        if all(shown == name for name, shown in known.items()):
            return text
        pattern = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
        told = re.sub(rf"(?<!\w)(?:{pattern})(?!\w| of [A-Z])", lambda match: known[match.group()], text)
        return inner_quotes(told) if russian() else told


def after_colon(text: str, proper: Iterable[str]) -> str:
    """A sentence that goes on after a name and a colon: in Russian with a small letter.

    Args:
        proper: names, in the language of the page, that keep their capital.
    """
    if not russian() or not text[:1].isupper() or text[1:2].isupper() or any(text.startswith(name) for name in proper):
        return text
    return text[0].lower() + text[1:]


@cache
def vocabulary(rule_pack: str) -> Mapping[str, str]:
    """Russian names that ship with a game's samples; the community's data uses most of them too."""
    path = settings.BASE_DIR / "fixtures" / rule_pack / TRANSLATIONS
    if rule_pack not in GAMES or not path.is_file():
        return {}
    return translations([IncomingFile(TRANSLATIONS, path.read_bytes())])


def names_for(rule_pack: str, release_id: UUID | None) -> Names:
    """Names of a data release: its own Russian ones, then those of the game's samples and of its rulebook's spells."""
    return Names(
        _in_russian(rule_pack, release_id), called_by_players(release_id), _in_small_letters(rule_pack, release_id)
    )


@lru_cache(maxsize=64)
def _in_russian(rule_pack: str, release_id: UUID | None) -> Mapping[str, str]:
    own = russian_names(release_id) if release_id is not None else {}
    return {**detachments_in_russian(), **spells_in_russian(rule_pack), **vocabulary(rule_pack), **own}


@lru_cache(maxsize=64)
def _in_small_letters(rule_pack: str, release_id: UUID | None) -> Mapping[str, str]:
    return small_letters(_in_russian(rule_pack, release_id))


def small_letters(in_russian: Mapping[str, str]) -> Mapping[str, str]:
    """Russian names by small letters: some data says "Heavy armour" where "Heavy Armour" was translated.

    Abbreviations are themselves alone: "S" is Strength, and "s" is nothing.
    """
    return {name.casefold(): known for name, known in in_russian.items() if len(name) >= LEAST_FOLDED}


def called_by_players(release_id: UUID | None) -> Mapping[str, tuple[str, str]]:
    """What players call army lists, in English and Russian, by the names of their catalogues in a release.

    They come with the rows that are made when a release is published, by whatever process: a minute later all know.
    """
    return called_in_minute(release_id, int(monotonic() // FRESH_SECONDS)) if release_id is not None else {}


@lru_cache(maxsize=64)
def called_in_minute(release_id: UUID, minute: int) -> Mapping[str, tuple[str, str]]:
    """The same, as it was when that minute began to be asked for."""
    return reference.army_list_names(release_id)


def names_of(rule_pack: str) -> Names:
    """Names of a game, whatever release they are from."""
    system = next((system for system in reference.systems() if system.rule_pack == rule_pack), None)
    return names_for(rule_pack, system.current_release_id if system else None)


def inner_quotes(text: str) -> str:
    """Russian quotation marks inside others are low and high ones; a name that is all in marks needs no second pair."""
    written: list[str] = []
    depth = 0
    for mark in re.sub(r"««([^«»]*)»»", r"«\1»", text):
        depth += mark == "«"
        written.append({"«": "„", "»": "“"}.get(mark, mark) if depth > 1 else mark)
        depth = max(0, depth - (mark == "»"))
    return "".join(written)


AS_THEY_ARE = Names()
"""For data without translations."""
