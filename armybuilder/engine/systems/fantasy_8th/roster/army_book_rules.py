"""What rules of published army books bring with them, of which game data prints no more than the name: facts of ours.

Documents say all of their rules themselves; only units of rosters are completed.
"""

from typing import NamedTuple

from msgspec.structs import replace

from armybuilder.engine.systems.fantasy_8th.army import Profile
from armybuilder.engine.systems.fantasy_8th.matchup import ListedGroup, needed
from armybuilder.engine.systems.fantasy_8th.reference import folded


class _Brings(NamedTuple):
    """What a rule brings.

    Attributes:
        ward: the save it gives where the row of the model prints none.
    """

    rules: tuple[str, ...]
    ward: int | None = None


_DEAD = _Brings(("Fear", "Unbreakable", "Unstable"))
ARMY_BOOK_RULES = {
    "undead": _DEAD,
    "nehekharan undead": _DEAD,
    "daemonic": _Brings(("Fear", "Immune to Psychology", "Magical Attacks", "Daemonic Instability"), ward=5),
    "protection of the horned rat": _Brings((), ward=5),
}
"""By the name that the data prints. [carried]"""

WARDS_OF_ROWS = frozenset({"warpaint", "talismanic tattoos", "protection of the horned rat"})
"""Rules that are a ward save and nothing else, which the row of the model prints. [carried]"""


def completed(group: ListedGroup) -> ListedGroup:
    """The same with what the rules of its army book bring."""
    rules, profile = list(group.rules), group.profile
    for rule in group.rules:
        brought = ARMY_BOOK_RULES.get(folded(rule))
        if brought is not None:
            rules += brought.rules
            profile = _warded(profile, brought.ward)
    if needed(profile.Ward) is not None:
        rules = [rule for rule in rules if folded(rule) not in WARDS_OF_ROWS]
    return replace(group, rules=tuple(dict.fromkeys(rules)), profile=profile)


def _warded(profile: Profile, ward: int | None) -> Profile:
    if ward is None or (needed(profile.Ward) or 7) <= ward:
        return profile
    return replace(profile, Ward=f"{ward}+")
