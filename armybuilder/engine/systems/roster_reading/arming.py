"""Groups of models with the weapons they fight with, as fighters have them."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from armybuilder.engine.systems.fighters import Mode

Group = TypeVar("Group")
"""Struct of a game with a `count` and `weapons`."""


class Armed(NamedTuple):
    """Models that are the same in everything; of each of their weapons the ways to use it."""

    group: Any
    weapons: list[list[Any]]


def joined(groups: Iterable[Armed]) -> list[Armed]:
    """Groups that differ in nothing but their number as one, unless some of their models carry what others do not."""
    found: dict[object, Armed] = {}
    for group, weapons in groups:
        armed_alike = all(weapon.count is None for ways in weapons for weapon in ways)
        key = (replace(group, count=0), tuple(map(tuple, weapons)), None if armed_alike else len(found))
        if key in found:
            first, kept = found[key]
            found[key] = Armed(replace(first, count=first.count + group.count), kept)
        else:
            found[key] = Armed(group, weapons)
    return list(found.values())


def with_weapons(groups: Iterable[Armed], is_fired: Callable[[Any], bool]) -> tuple[tuple[Any, ...], tuple[Mode, ...]]:
    """The groups with all profiles of their weapons, and which of those are ways to fire one weapon."""
    ready: list[Any] = []
    modes: list[Mode] = []
    for group, weapons in groups:
        flat: list[Any] = []
        for ways in weapons:
            fired = [len(flat) + place for place, weapon in enumerate(ways) if is_fired(weapon)]
            if len(fired) > 1:
                modes.append(Mode(len(ready), tuple(fired)))
            flat += ways
        ready.append(replace(group, weapons=tuple(flat)))
    return tuple(ready), tuple(modes)
