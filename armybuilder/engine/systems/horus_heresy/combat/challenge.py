"""Challenges: who meets whom, and the two sides of a combat taken apart into duellists and the others."""

from dataclasses import dataclass

import msgspec

from armybuilder.engine.systems.horus_heresy.matchup import Group, Side

MOST_TO_SPARE = 12
"""Wounds beyond a duellist's own that count in the combat result (L1743); more than these change nothing."""


@dataclass(frozen=True, slots=True)
class ChallengeSide:
    """One side of a challenge.

    Attributes:
        index: the group of the duellist.
        duellist: he alone, and models that only measure the wounds to spare.
        others: everybody else; None where he is alone.
        places: of the groups of `others` in the whole side.
    """

    index: int
    duellist: Side
    others: Side | None
    places: tuple[int, ...]


def duellist_of(side: Side) -> int | None:
    """The group of the Character who fights: a Primarch, else the most skilled one. Source: HH L1713-L1737 [text].

    Which of several Characters does is his owner's choice [decision].
    """
    able = [
        index
        for index, group in enumerate(side.models)
        if group.count and group.is_a("character", "primarch") and group.profile.weapon_skill and group.profile.attacks
    ]
    return max(able, key=lambda index: _merit(side.models[index]), default=None)


def _merit(group: Group) -> tuple[bool, int, int, int]:
    profile = group.profile
    return group.type == "primarch", profile.weapon_skill or 0, profile.wounds or 1, profile.attacks or 0


def taken_apart(side: Side, index: int) -> ChallengeSide:
    """The duellist and the others. Source: HH L1739-L1753 [text]."""
    replace = msgspec.structs.replace
    hero = side.models[index]
    alone = replace(hero, count=1)
    spare = replace(
        hero,
        name="wounds to spare",
        count=MOST_TO_SPARE,
        profile=replace(hero.profile, wounds=1, attacks=0),
        weapons=(),
        wounds_left=None,
    )
    groups = [replace(group, count=group.count - (i == index)) for i, group in enumerate(side.models)]
    places = tuple(i for i, group in enumerate(groups) if group.count)
    others = replace(side, models=tuple(groups[i] for i in places)) if places else None
    return ChallengeSide(index, replace(side, models=(alone, spare)), others, places)
