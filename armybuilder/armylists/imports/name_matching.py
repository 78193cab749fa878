"""Names that people wrote, compared with names of the data: how alike two are, and which of many is meant."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

SURE = 100
LIKELY = 62
"""From here a name is taken, and shown as not sure."""
SHORT = LIKELY - 1
"""Of a name told by its initials or some of its words; where it is the only such it is taken."""
FAINT = 25
"""From here a name is offered."""
OFFERED = 5
_SHORTEST = 4
"""Letters of a word that is looked for within names."""
KEPT_LENGTH = 200
"""Signs of a name that is kept in memory once it was looked at; what is longer is a text."""

T = TypeVar("T")

_WORDS = re.compile(r"[^\W_]+")
_NUMBERS = re.compile(r"\d+")


def normal(name: str) -> str:
    """A name without case, punctuation and the difference between ё and е."""
    return _kept_normal(name) if len(name) <= KEPT_LENGTH else _normal(name)


def _normal(name: str) -> str:
    return " ".join(_WORDS.findall(name.casefold().replace("ё", "е").replace("'", "")))


def own_and_known(title: str) -> tuple[str, str]:
    """A player's own name and what stands in brackets behind it: "Ash Hounds" and "Bomber (FW)"; nothing without."""
    if not title.endswith(")"):
        return "", ""
    depth = 0
    for place in range(len(title) - 1, 0, -1):
        depth += (title[place] == ")") - (title[place] == "(")
        if not depth:
            return (title[: place - 1], title[place + 1 : -1]) if title[place - 1] == " " else ("", "")
    own, _, inside = title.rpartition(" (")  # "Ash :) Hounds (Bomber)"
    return own, inside.removesuffix(")")


def _is_short_for(wanted: str, name: str) -> bool:
    """Whether a name is told by its initials, "kff" of "kustom force field", or by some of its words, "klaw"."""
    words = name.split()
    if len(words) > 1 and wanted == "".join(word[0] for word in words):
        return True
    asked = wanted.split()
    return len(wanted) >= _SHORTEST and all(any(word.startswith(one) for word in words) for one in asked)


def _pieces(name: str) -> frozenset[str]:
    """Every three signs in a row; the ends of the name count."""
    padded = f" {name} "
    return frozenset(padded[at : at + 3] for at in range(max(1, len(padded) - 2)))


_kept_normal = lru_cache(maxsize=20_000)(_normal)
_pieces_of_data = lru_cache(maxsize=20_000)(_pieces)
_pieces_asked_for = lru_cache(maxsize=64)(_pieces)
"""Of what somebody pasted only the last: it never comes again, and a process would keep megabytes of it."""


@dataclass(frozen=True, slots=True)
class Guess(Generic[T]):
    """What a name may mean; `confidence` from 0 to 100: then nothing but case and punctuation differs."""

    meant: T
    confidence: int


@dataclass(slots=True)
class Directory(Generic[T]):
    """Things by their names, of which each may have several."""

    _exact: dict[str, list[T]] = field(default_factory=dict)
    _all: list[tuple[str, T]] = field(default_factory=list)

    def add(self, thing: T, names: Iterable[str]) -> None:
        """One more thing under these names."""
        for name in dict.fromkeys(normal(name) for name in names):
            if name:
                self._exact.setdefault(name, []).append(thing)
                self._all.append((name, thing))

    def things(self) -> list[T]:
        """Everything, once for each of its names."""
        return [thing for _, thing in self._all]

    def names(self, of: Callable[[T], bool]) -> frozenset[str]:
        """The names of such things as lookups compare them (`normal`)."""
        return frozenset(name for name, thing in self._all if of(thing))

    def exact(self, name: str) -> list[T]:
        """Everything called so, but for case and punctuation."""
        return self._exact.get(normal(name), [])

    def guesses(self, name: str, *, key: Callable[[T], object], takes_short: bool = False) -> list[Guess[T]]:
        """The likeliest, best first, each thing once.

        Args:
            takes_short: initials or a word of one name only are taken for it; of a unit they are too little.
        """
        wanted = normal(name)[:200]
        pieces, numbers, words = _pieces_asked_for(wanted), _NUMBERS.findall(wanted), sorted(wanted.split())
        found: dict[object, Guess[T]] = {}
        shortened: set[object] = set()
        for other, thing in self._all:
            if other == wanted:
                score = SURE
            else:
                others = _pieces_of_data(other)
                score = min(99, round(200 * len(pieces & others) / (len(pieces) + len(others))))
                if score >= FAINT and sorted(other.split()) == words:
                    score = 99
                elif score < LIKELY and _is_short_for(wanted, other):
                    score = SHORT
                    shortened.add(key(thing))
                elif score >= LIKELY and numbers and _NUMBERS.findall(other) not in ([], numbers):
                    score = SHORT - 1  # "Wizard Level 1" is not what "Level 4 Wizard" means
            known = found.get(key(thing))
            if score >= FAINT and (known is None or known.confidence < score):
                found[key(thing)] = Guess(thing, score)
        alike = [thing for thing, guess in found.items() if guess.confidence >= SHORT]
        if takes_short and len(alike) == 1 and alike[0] in shortened:
            found[alike[0]] = Guess(found[alike[0]].meant, LIKELY)
        return sorted(found.values(), key=lambda guess: -guess.confidence)[:OFFERED]
