"""How much of everything a walk takes: a fixed share of its places, or all of them where the whole is asked for.

A walk goes over everything there is: all pages, all units of a set of data, all lists that are kept. Neighbours differ
little, so `make test` takes a share, the same in every run, and `.ci/run` asks for the whole by BREADTH=whole.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

VARIABLE: Final = "BREADTH"
WHOLE: Final = "whole"

T = TypeVar("T")


def is_whole() -> bool:
    """Whether walks take all their places.

    Raises:
        ValueError: the variable holds another word.
    """
    asked = os.environ.get(VARIABLE, "")
    if asked not in ("", WHOLE):
        raise ValueError(f"{VARIABLE} is {asked!r}; it is {WHOLE!r}, or not set at all.")
    return asked == WHOLE


def share(places: Iterable[T], *, of: int) -> list[T]:
    """The places that a walk takes: the first, every `of`-th after it, and the last; or all of them, in their order."""
    every = list(places)
    if is_whole() or len(every) < 3:
        return every
    return [place for number, place in enumerate(every) if number % of == 0 or number == len(every) - 1]


def some(count: int, *, of: int) -> int:
    """How many made-up cases of so many are tried, the first ones: one in `of`, or all."""
    return count if is_whole() else -(-count // of)


def in_turn(number: int, places: Sequence[T], *, of: int) -> list[T]:
    """What is asked at one place of a walk, where each place after it asks the others; or all that there is to ask.

    Args:
        number: of the place, from 0; `of` places after each other ask everything once.
    """
    if is_whole():
        return list(places)
    return [place for step, place in enumerate(places) if (step - number) % of == 0]
