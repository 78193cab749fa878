"""How many things a name in game data says it is: "2x Heavy Bolters", "Two Sponson Mounted Lascannons", "War Lions x2".

Authors write a pair of guns as one selection, and a crew of three as one row of characteristics.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "pair of": 2, "pairs of": 2, "a pair of": 2,
}  # fmt: skip
_TIMES = r"\s{0,9}[xх×]\s{0,9}"  # Latin and Cyrillic
_LEADING = re.compile(
    rf"(?P<figure>\d{{1,4}}){_TIMES}(?P<a>\D.*)"
    r"|(?P<plain>[2-9]|1\d)\s+(?P<b>[^\W\d].*)"
    rf"|(?P<word>{'|'.join(_WORDS)})\s+(?!-|handed\b|hand\s{{1,9}}weapons?\b)(?P<c>.+)",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"\s[xх×]\s?(?P<figure>\d{1,4})\Z|\s{0,9},\s{0,9}pair\Z", re.IGNORECASE)
_NEXT = re.compile(
    rf"\s{{0,9}}(?:\+\s{{1,9}}|,\s{{0,9}})(?=\d{{1,4}}{_TIMES}\D)|\s{{1,9}}w/\s{{0,9}}(?=\d{{1,4}}{_TIMES}\D|pair of )",
    re.IGNORECASE,
)
_ON_BOTH_SIDES = re.compile(
    rf"(?:(?P<left>\d{{1,2}}){_TIMES})?(?P<part>\w+) \(left\) (?:&|and) "
    rf"(?:(?P<right>\d{{1,2}}){_TIMES})?(?P=part) \(right\) (?P<what>mounted .+)",
    re.IGNORECASE,
)
_ON_EITHER_SIDE = re.compile(r"(?P<part>\w+ \(front), right/left\) (?P<what>mounted .+s)", re.IGNORECASE)
_BETWEEN = re.compile(r"\s{0,9}(?:&|,|\band\b)\s*")
_AND = re.compile(r"\s{1,9}(?:&|and|with)\s+", re.IGNORECASE)


def carried_in_name(name: str) -> list[str]:
    """What a model carries by its name alone: a power lance and a vexilla of "Guard w/ Power Lance & Vexilla"."""
    _, with_, carried = name.partition("w/")
    return _BETWEEN.split(carried.strip()) if with_ else []


class Counted(NamedTuple):
    """So many of what a name, or a part of it, stands for."""

    number: int
    name: str


@lru_cache(maxsize=8192)
def counted(name: str) -> tuple[Counted, ...]:
    """What a name stands for, part by part: `1x Sniper Squad, 3x Scout Squads`, `4x Bomms + 2x Grot Bomms`.

    A name without a number is one thing; "twin-linked", "quad" and the numbers of a list ("2 - Frazzle", "1) Sergeant",
    "1-3x Camo Netting") say nothing. "Destroyer w/2x Bolt Pistols" is a Destroyer and two pistols, "Hull (Left) & Hull
    (Right) Mounted Heavy Bolter" one on each side, and so are "Hull (Front, Right/Left) Mounted Heavy Bolters".
    """
    return tuple(map(_one, _NEXT.split(name.strip())))


def _one(text: str) -> Counted:
    if (sides := _ON_BOTH_SIDES.fullmatch(text.strip())) is not None:
        return Counted(int(sides["left"] or 1) + int(sides["right"] or 1), f"{sides['part']} {sides['what']}")
    if (front := _ON_EITHER_SIDE.fullmatch(text.strip())) is not None:
        return Counted(2, f"{front['part']}) {front['what']}")
    leading = _LEADING.fullmatch(text.strip())
    if leading is not None:
        count = int(leading["figure"] or leading["plain"] or _WORDS[leading["word"].casefold()])
        return Counted(max(1, count), (leading["a"] or leading["b"] or leading["c"]).strip())
    trailing = _TRAILING.search(text.strip())
    if trailing is not None and any(map(str.isalnum, name := text.strip()[: trailing.start()])):
        return Counted(max(1, int(trailing["figure"] or 2)), name.strip())
    return Counted(1, text.strip())


def copies(selection: str, thing: str) -> int:
    """How many of a thing, a weapon by its profile's name, a selection's name says it is; 1 where it says nothing.

    "2x Sponson Mounted Heavy Flamers & Lascannons" are two of each. A profile that is named with the number itself
    ("Two Falax Blades") stands for all of them.
    """
    if counted(thing)[0].number > 1:
        return 1
    named = words(thing)
    found = [(_likeness(named, name), count) for part in counted(selection) for count, name in _each(part)]
    best = max(found, key=lambda pair: pair[0], default=(0.0, 1))
    return best[1] if best[0] else 1


def are_several(selection: str, things: Sequence[str]) -> bool:
    """Whether a name lists different things ("2x Flamers & Lascannons"), not ways to use one of them.

    Without a number it does so where each part is one of them: "Battle Cannon with In-Built Heavy Stubber".
    """
    parts = [one for part in counted(selection) for one in _each(part)]
    if len(parts) < 2:
        return False
    likest = [_likest(parts, thing) for thing in things]
    if all(count == 1 for count, _ in counted(selection)) and len(counted(selection)) < 2:
        alike = all(_likeness(words(thing), part.name) for thing, part in zip(things, likest, strict=True))
        return alike and len(set(likest)) == len(things)
    return len(set(likest)) > 1


def part_about(selection: str, thing: str) -> str:
    """The part of a selection's name that is about a thing; all of it where none is.

    Of "Lascannon and Twin-Linked Plasma Gun" only the plasma gun is twin-linked.
    """
    parts = [one for part in counted(selection) for one in _each(part)]
    if not parts:
        return selection
    part = _likest(parts, thing)
    return part.name if _likeness(words(thing), part.name) else selection


def is_same(name: str, other: str) -> bool:
    """Whether two names call the same thing, one or several of it: "their bolt pistols", "Bolt Pistol"."""
    return words(name) == words(other) != frozenset()


def _likest(parts: Sequence[Counted], thing: str) -> Counted:
    return max(parts, key=lambda part: _likeness(words(thing), part.name))


def _likeness(own: frozenset[str], name: str) -> float:
    other = words(name)
    return len(own & other) / len(own | other) if own & other else 0.0


def _each(part: Counted) -> Iterator[Counted]:
    """`2x Flamers & Lascannons, Dozer Blade` are two, two and one."""
    first, *more = part.name.split(", ")
    yield from (Counted(part.number, name) for name in _AND.split(first) if name)
    yield from (Counted(1, name) for name in more if name)


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[str]:
    """The words of a name in small letters and the singular; a boltgun is a bolter."""
    return frozenset(
        _singular(word).replace("boltgun", "bolter")
        for word in re.findall(r"[^\W\d_]+", name.casefold().replace("’", "'"))
    )


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
