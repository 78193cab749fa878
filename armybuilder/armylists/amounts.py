"""So many of something in words, where the name itself may say how many there are of it."""

import re

_COUNTED = re.compile(r"(?P<each>\d+)\s*[xх×]\s*(?P<name>.+)", re.IGNORECASE)
TIMES = "\u00a0×"
"""The sign behind a number of things on pages and paper, which heads no line; texts for other tools have an x."""

_BETWEEN_KINDS = re.compile(r",\s*(?=\d+\s*[xх×]\s)", re.IGNORECASE)
_SEVERAL = re.compile(r",\s*\d+\s*[xх×]", re.IGNORECASE)


def counted(number: int, name: str) -> str:
    """`so_many(2, "Rhino")` is "2 × Rhino", `so_many(1, "7x Chimera")` is "7 × Chimera".

    A name that counts several things ("1x Sniper Squad, 3x Scout Squads") stays as it is, twice of it is "2 × (...)".
    """
    if _SEVERAL.search(name):
        return name if number == 1 else f"{number} × ({name})"
    each, name = _split(name)
    return f"{number * each} × {name}"


def changed(before: int, after: int, name: str) -> str:
    """`changed(0, 1, "7x Chimera")` is "0 → 7 × Chimera"."""
    each, name = counted_parts(1, name)
    return f"{before * each} → {after * each} × {name}"


def counted_words(number: int, name: str, sign: str) -> str:
    """`counted_words(3, "Rhino", "x")` is "3x Rhino"; one is the name alone, nothing is counted twice.

    With the sign of texts `counted_words(2, "7x Chimera", "x")` is "2x (7x Chimera)": whoever reads "14x Chimera" again
    may take it for one option of that name, which has another price.
    """
    if counts_itself(name) and sign != TIMES:
        return name if number == 1 else f"{number}{sign} ({name})"
    amount, name = counted_parts(number, name)
    return f"{amount}{sign} {name}" if amount > 1 else name


def counts_itself(name: str) -> bool:
    """Whether a name says how many there are: "7x Chimera", "1x Sniper Squad, 3x Scout Squads"."""
    return _COUNTED.fullmatch(name) is not None


def counted_parts(number: int, name: str) -> tuple[int, str]:
    """How many there are and of what: `counted_parts(2, "7x Chimera")` is 14 and "Chimera"."""
    each, name = (1, name) if _SEVERAL.search(name) else _split(name)
    return number * each, name


def kinds_in(number: int, name: str) -> tuple[tuple[int, str], ...]:
    """What that many of a name are: `kinds_in(1, "4x Thunderers, 2x Warriors")` is 4 Thunderers and 2 Warriors."""
    return tuple((number * each, kind) for each, kind in map(_split, _BETWEEN_KINDS.split(name)))


def _split(name: str) -> tuple[int, str]:
    counted = _COUNTED.fullmatch(name)
    return (int(counted["each"]), counted["name"]) if counted else (1, name)
