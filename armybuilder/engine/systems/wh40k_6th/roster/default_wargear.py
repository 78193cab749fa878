"""What models carry that game data names without a profile, or only where it is replaced: facts of ours."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from armybuilder.engine.systems.wh40k_6th.army import Weapon
from armybuilder.engine.systems.wh40k_6th.roster.recognition import plain_name

EVERYBODY = "*"

CODEX_WARGEAR = "Codex wargear"
"""The rule that marks a weapon as one of ours, so that answers say where it is from."""


class DefaultWargear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table.

    Attributes:
        armies: army -> unit -> model, or `EVERYBODY` -> keys of weapons, one for each that it carries.
        keep: army -> vehicles that exchange none of theirs: options are guns besides them.
    """

    weapons: dict[str, Weapon]
    armies: dict[str, dict[str, dict[str, tuple[str, ...]]]]
    keep: dict[str, tuple[str, ...]]


@cache
def _by_name() -> dict[str, Weapon]:
    return {plain_name(weapon.name): weapon for weapon in table().weapons.values()}


def gun_named(name: str) -> Weapon | None:
    """The gun that a selection is by its name alone, where the data prints no profile of it."""
    return _by_name().get(plain_name(name))


@cache
def table() -> DefaultWargear:
    """The facts, read once; each weapon is marked."""
    path = Path(__file__).with_name("default_wargear.toml")
    facts = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), DefaultWargear)
    marked = {
        key: msgspec.structs.replace(weapon, rules=(*weapon.rules, CODEX_WARGEAR))
        for key, weapon in facts.weapons.items()
    }
    return msgspec.structs.replace(facts, weapons=marked)


def guns(army: str, unit: str, model: str) -> tuple[Weapon, ...]:
    """The guns of a model that its codex gives it; nothing where we hold no fact."""
    facts = table()
    models = facts.armies.get(army, {}).get(unit, {})
    return tuple(facts.weapons[key] for key in models.get(model, models.get(EVERYBODY, ())))


def keeps_guns(army: str, vehicle: str) -> bool:
    """Whether no option of this vehicle replaces the guns that its codex gives it."""
    return vehicle in table().keep.get(army, ())
