"""What models ride by the text of a piece of wargear: "Change unit type to Bike, and gives +1 to Toughness"."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.wh40k_6th.army import Profile
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import rows_named

ON_FOOT = "infantry"

_KIND = re.compile(r"\bunit type (?:to )?((?:jet)?bike)\b", re.IGNORECASE)
_TOUGHER = re.compile(r"\+(\d) ?(?:to )?t(?:oughness)?\b", re.IGNORECASE)
_GUN = re.compile(r"\b(?:built-in|fitted with an?) ((?:[\w-]+ ?){1,4})", re.IGNORECASE)


class Bike(NamedTuple):
    """A bike: what it makes of its rider, and the rows of the gun that is built into it."""

    kind: str
    toughness: int
    gun: tuple[ProfileState, ...]

    def ridden_by(self, profile: Profile, subtypes: tuple[str, ...]) -> tuple[Profile, tuple[str, ...]]:
        """The rider; one whose row is that of a rider already stays as he is."""
        if self.kind in subtypes:
            return profile, subtypes
        tougher = profile.T if profile.T is None else profile.T + self.toughness
        return msgspec.structs.replace(profile, T=tougher), (self.kind, *(one for one in subtypes if one != ON_FOOT))


def bike_of(wargear: ProfileState) -> Bike | None:
    """The bike that a piece of wargear is; None for others."""
    text = " ".join(value for _, value in wargear.characteristics)
    kind, tougher, gun = _KIND.search(text), _TOUGHER.search(text), _GUN.search(text)
    if kind is None:
        return None
    return Bike(kind[1].casefold(), int(tougher[1]) if tougher else 0, rows_named(gun[1].strip()) if gun else ())


def bike_among(wargear: Iterable[ProfileState]) -> Bike | None:
    """The bike among what models wear."""
    return next(filter(None, map(bike_of, wargear)), None)
