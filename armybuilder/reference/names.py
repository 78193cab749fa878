"""Names of the game data in the language of the page: units, options, weapons, characteristics, special rules."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import get_language

from armybuilder.datafiles.parsing import russian_names
from armybuilder.reference import queries as reference
from armybuilder.reference.magic import spells_in_russian

_BRACKETS = re.compile(r"^(.*?)\s*\(([^()]*)\)$")
_SHOTS = re.compile(r"^(.*?) (\d*D?\d+(?:[+*]\d+)?)$")


def russian() -> bool:
    """Whether players are being written to in Russian."""
    return (get_language() or "en").startswith("ru")


@dataclass(frozen=True, slots=True)
class Names:
    """Russian names by the name in the data; a name that is not among them stays as it is."""

    in_russian: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, name: str) -> str:
        """One name, or several with commas or plus signs between them, each perhaps with brackets or a number."""
        if not russian() or not name:
            return name
        known = self.in_russian.get(name)
        if known is not None:
            return known
        for joint in (", ", " + "):
            if joint in name:
                return joint.join(self(part) for part in name.split(joint))
        if match := _BRACKETS.match(name):
            return f"{self(match.group(1))} ({self(match.group(2))})"
        if match := _SHOTS.match(name):
            return f"{self(match.group(1))} {match.group(2)}"
        return name

    def within(self, text: str, mentioned: Iterable[str]) -> str:
        """A sentence that mentions names of the data, with those names in the language of the page.

        Args:
            mentioned: names that may stand in it; longer ones go before shorter ones that they contain.
        """
        if not russian():
            return text
        known = {name: self(name) for name in mentioned if name and self(name) != name}
        if not known:
            return text
        pattern = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
        return inner_quotes(re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: known[match.group()], text))


def after_colon(text: str, proper: Iterable[str]) -> str:
    """A sentence that goes on after a name and a colon: in Russian with a small letter.

    Args:
        proper: names, in the language of the page, that keep their capital.
    """
    if not russian() or not text[:1].isupper() or text[1:2].isupper() or any(text.startswith(name) for name in proper):
        return text
    return text[0].lower() + text[1:]


def names_of(rule_pack: str) -> Names:
    """Russian names of the current release of the game with this rule pack, and of the spells in its rulebook."""
    system = next((system for system in reference.systems() if system.rule_pack == rule_pack), None)
    data = russian_names(system.current_release_id) if system and system.current_release_id else {}
    return Names({**spells_in_russian(rule_pack), **data})


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
