"""Names of the game data in the language of the page: units, options, weapons, characteristics, special rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from armybuilder.web.templatetags.site import russian

_BRACKETS = re.compile(r"^(.*?)\s*\(([^()]*)\)$")
_SHOTS = re.compile(r"^(.*?) (\d*D?\d+(?:[+*]\d+)?)$")


@dataclass(frozen=True, slots=True)
class Names:
    """Russian names by the name in the data; a name that is not among them stays as it is."""

    in_russian: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, name: str) -> str:
        """One name, or a comma-separated list of them, each perhaps with a value in brackets or a number of shots."""
        if not russian() or not name:
            return name
        known = self.in_russian.get(name)
        if known is not None:
            return known
        if ", " in name:
            return ", ".join(self(part) for part in name.split(", "))
        if match := _BRACKETS.match(name):
            return f"{self(match.group(1))} ({self(match.group(2))})"
        if match := _SHOTS.match(name):
            return f"{self(match.group(1))} {match.group(2)}"
        return name


AS_THEY_ARE = Names()
"""For data without translations."""
