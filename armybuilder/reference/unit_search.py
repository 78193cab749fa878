"""Units by the words players say: names, roles, rules, weapons in both languages; slang, beginnings, misspelt words."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place

LEAST_FUZZY, LONG = 4, 7
"""Letters from which one slip of the finger is forgiven, and from which two: one too many, few, other or swapped."""

DEEPEST = 5
"""Options of options are read down to this level."""

MOST_OPTIONS = 3000
"""Options of one unit that are read: links may lead in circles."""

NAMED = 100.0
"""Above this score every word stands in the name."""

KEPT = 200
"""Catalogues whose words one process keeps."""

_WORD = re.compile(r"\w+")
_LATIN = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхыэ", "abvgdeziiklmnoprstufhye", strict=True))
    | {"ж": "zh", "ц": "c", "ч": "ch", "ш": "sh", "щ": "sch", "ъ": "", "ь": "", "ю": "yu", "я": "ya"}
)

Words = frozenset[str]
_options: dict[tuple[str, str], Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Searched:
    """What a unit is found by.

    Attributes:
        name: in both languages.
        more: role, rules, profiles and what may be taken, in any language.
    """

    name: str
    more: str


def scores(units: Mapping[str, Searched], text: str) -> Mapping[str, float]:
    """How well units answer to what was typed, by their key; those that do not are left out.

    Every word must be found. What stands in the name counts twice as much as what stands elsewhere; 200 is best.
    """
    typed = _words(text)
    if not typed:
        return dict.fromkeys(units, 0.0)
    split = {key: (_words(unit.name) | _joined(unit.name), _words(unit.more)) for key, unit in units.items()}
    vocabulary: Words = frozenset().union(*(words for both in split.values() for words in both))
    found = dict.fromkeys(units, 200.0)
    for word in typed:
        meant = [[_like(one, vocabulary) for one in phrase] for phrase in _meanings(word)]
        for key, (name, more) in split.items():
            best = max(
                (min(max(2 * _best(likes, name), _best(likes, more)) for likes in phrase) for phrase in meant),
                default=0.0,
            )
            found[key] = min(found[key], best)
    return {key: score for key, score in found.items() if score}


def options_of_units(library: Library, catalogue_id: str) -> Mapping[str, str]:
    """Names of all that may be taken in a unit, by the path of its entry; read once a process for each catalogue."""
    key = (library.content_hash, catalogue_id)
    known = _options.get(key)
    if known is None:
        roots = _entries(library.roots(catalogue_id))
        known = {place.path: " ".join(dict.fromkeys(islice(_names(place, 0), MOST_OPTIONS))) for place in roots}
        while len(_options) >= KEPT:
            _options.pop(next(iter(_options)))
        _options[key] = known
    return known


def _entries(places: Iterable[Place]) -> Iterator[Place]:
    for place in places:
        if place.is_group:
            yield from _entries(place.children)
        else:
            yield place


def _names(place: Place, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    for child in place.children:
        yield child.spec.name
        yield from _names(child, depth + 1)


def _words(text: str) -> Words:
    return frozenset(_WORD.findall(text.casefold().replace("ё", "е")))


def _joined(name: str) -> Words:
    """Two words written as one: Land Raider as "landraider"."""
    words = _WORD.findall(name.casefold().replace("ё", "е"))
    return frozenset(before + after for before, after in pairwise(words))


def _best(likes: Mapping[str, float], words: Words) -> float:
    return max((likes[word] for word in words & likes.keys()), default=0.0)


def _meanings(word: str) -> list[tuple[str, ...]]:
    """What a word may stand for: itself, the same in Latin letters, and what slang means by it."""
    found: list[tuple[str, ...]] = [(word,)]
    if not word.isascii():
        found.append((word.translate(_LATIN),))
    found += [tuple(meant.split()) for meant in _slang().get(word, ())]
    return found


def _like(word: str, vocabulary: Words) -> Mapping[str, float]:
    """Words of the data that may have been meant, with their likeness: whole, begun, a plural, misspelt."""
    stem = word[:-1] if len(word) >= LEAST_FUZZY and word.endswith("s") else word
    found: dict[str, float] = {}
    if len(word) >= LEAST_FUZZY:
        from rapidfuzz import process  # noqa: PLC0415 - 3 MB of every process that nobody searches in
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - as above

        slips = 1 if len(word) < LONG else 2
        alike = process.extract(word, vocabulary, scorer=OSA.distance, score_cutoff=slips, limit=None)
        found = {other: 90.0 - 10 * distance for other, distance, _ in alike}
    for other in vocabulary:
        if other in (word, stem):
            found[other] = 100.0
        elif other.startswith(word):
            found[other] = 97.0
        elif other.startswith(stem) or (len(word) >= LEAST_FUZZY and word in other):
            found[other] = max(found.get(other, 0.0), 92.0)
    return found


@cache
def _slang() -> Mapping[str, list[str]]:
    text = (Path(__file__).parent / "slang.toml").read_text(encoding="utf-8")
    return {
        word.replace("ё", "е"): meanings for group in tomllib.loads(text).values() for word, meanings in group.items()
    }
