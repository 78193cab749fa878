"""What models carry that game data names without a profile, or only where it is replaced: facts of ours."""

import re
import tomllib
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.roster_reading.counted_names import counted
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.roster.recognition import WEAPON_PROFILE, plain_name, weapon_of

EVERYBODY = "*"
ARTILLERY = "artillery"
"""The unit type of guns that somebody serves."""

CODEX_WARGEAR = "Codex wargear"
"""The rule that marks a weapon as one of ours, so that answers say where it is from."""

CODEX_CHARACTERISTICS = "Codex characteristics"
"""The same of models whose characteristics are ours."""

WARGEAR_PROFILE = "Wargear Item"
UNIT_PROFILE = "Unit"
_OURS = "codex-"
"""How the ids of rows begin that stand here and not in the data."""
_WAY = re.compile(r"\s{0,9}\(.*\)$")
_BESIDES = re.compile(r"^(?:twin[- ]?linked|single)\s+|\s{1,9}w/.*$", re.IGNORECASE)
"""What authors add to the name of a gun: it stays with the selection, or is named on its own."""
_FOR = re.compile(r"^(?:replace|exchange)s?\s.+?\s(?:w/|with|for)\s*", re.IGNORECASE)
"""What comes before the name of what is got: "Replace Ironclad Assault Launchers w/ Hurricane Bolter"."""


class Gunner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who serves a gun; so many do for each."""

    name: str
    count: int
    profile: Profile
    subtypes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The characteristics of a model that the data names without any."""

    profile: Profile
    type: str = "Infantry"


class DefaultWargear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table.

    Attributes:
        weapons: "Missile launcher (frag)" and "Missile launcher (krak)" are ways to fire one.
        armour: what protects or is ridden by its name alone -> the saves it gives, what it makes of who rides it.
        armies: army -> unit, or `EVERYBODY` -> model, or `EVERYBODY` -> keys of weapons, one for each that it carries;
            empty for models that have no gun.
        keep: army -> vehicles that exchange none of theirs: options are guns besides them.
        arms: army -> unit -> group of options -> key of the weapon that it has where nothing of them was taken.
        numbers: army -> unit -> weapon -> how many a selection is, whose name does not say so.
        choose: army -> unit -> models whose weapons the data has chosen one by one: nothing else once they are.
        wear: army -> unit -> what everybody wears that the data does not name.
        crews: army -> unit -> who serves each gun of it, where the data has no row of them.
        rows: unit -> model -> its characteristics, where the data has none.
    """

    weapons: dict[str, Weapon]
    armour: dict[str, str]
    armies: dict[str, dict[str, dict[str, tuple[str, ...]]]]
    keep: dict[str, tuple[str, ...]]
    arms: dict[str, dict[str, dict[str, str]]]
    numbers: dict[str, dict[str, dict[str, int]]]
    choose: dict[str, dict[str, tuple[str, ...]]]
    wear: dict[str, dict[str, str]]
    crews: dict[str, dict[str, Gunner]]
    rows: dict[str, dict[str, Row]]


@cache
def _by_name() -> dict[str, tuple[ProfileState, ...]]:
    """Rows by plain names: of a gun each way to fire it, of armour its saves."""
    found: dict[str, tuple[ProfileState, ...]] = {}
    for key, weapon in table().weapons.items():
        name = plain_name(_WAY.sub("", weapon.name))
        found[name] = (*found.get(name, ()), _weapon_row(key, weapon))
    return found | {_armour_name(name): (_armour_row(name),) for name in table().armour}


def _weapon_row(key: str, weapon: Weapon) -> ProfileState:
    first = " ".join(str(part) for part in (weapon.type, weapon.shots) if part is not None)
    reach = f'{weapon.range}"' if isinstance(weapon.range, int) else str(weapon.range)
    values = {"Range": reach, "Strength": str(weapon.S), "AP": str(weapon.AP)}
    return ProfileState(
        id=f"{_OURS}{key}",
        name=weapon.name,
        type_id="",
        type_name=WEAPON_PROFILE,
        characteristics=(*values.items(), ("Type", ", ".join((first, *weapon.rules)))),
    )


def _armour_row(name: str) -> ProfileState:
    return ProfileState(
        id=f"{_OURS}{_armour_name(name)}",
        name=name,
        type_id="",
        type_name=WARGEAR_PROFILE,
        characteristics=(("Description", table().armour[name]),),
    )


def _armour_name(name: str) -> str:
    return re.sub(r"\W", "", name.casefold()).replace("armor", "armour")


@lru_cache(maxsize=1024)
def row_of_model(unit: str, model: str) -> ProfileState | None:
    """The characteristics that its codex prints of a model; None where we hold no fact."""
    row = table().rows.get(unit, {}).get(model)
    if row is None:
        return None
    return ProfileState(
        id=f"{_OURS}{unit}-{model}",
        name=model,
        type_id="",
        type_name=UNIT_PROFILE,
        characteristics=(
            ("Unit Type", row.type),
            *((name, str(getattr(row.profile, name))) for name in ("WS", "BS", "S", "T", "W", "I", "A", "Ld")),
            ("Save", f"{row.profile.Sv}/{row.profile.Inv}+" if row.profile.Inv else str(row.profile.Sv)),
        ),
    )


def is_of_codex(row: ProfileState) -> bool:
    """Whether a row is one of ours."""
    return row.id.startswith(_OURS)


@lru_cache(maxsize=1024)
def rows_named(name: str) -> tuple[ProfileState, ...]:
    """What a selection is by its name alone, where the data prints no profile of it; nothing for what is not known."""
    known = _by_name()
    for text in (name, _FOR.sub("", name), _BESIDES.sub("", name), counted(name)[0].name):
        if found := known.get(plain_name(text)) or known.get(_armour_name(text)):
            return found
    return ()


def readable(row: ProfileState) -> tuple[ProfileState, ...]:
    """A weapon as the data prints it; where that is in no table ("4 (Bolter)/ 8 (Melta)"), as its codex does."""
    return (row,) if weapon_of(row).weapon is not None else rows_named(row.name) or (row,)


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
    return tuple(table().weapons[key] for key in _keys(army, unit, model) or ())


def has_no_gun(army: str, unit: str, model: str) -> bool:
    """Whether a model has none by its codex, so that nothing of it is left out."""
    return _keys(army, unit, model) == ()


def _keys(army: str, unit: str, model: str) -> tuple[str, ...] | None:
    facts = table().armies.get(army, {})
    of_unit, of_all = facts.get(unit, {}), facts.get(EVERYBODY, {})
    return of_unit.get(model, of_unit.get(EVERYBODY, of_all.get(model)))


def chooses_guns(army: str, unit: str, model: str) -> bool:
    """Whether a model has nothing but what is chosen for it, as soon as something is."""
    models = table().choose.get(army, {}).get(unit, ())
    return model in models or EVERYBODY in models


def keeps_guns(army: str, vehicle: str) -> bool:
    """Whether no option of this vehicle replaces the guns that its codex gives it."""
    return vehicle in table().keep.get(army, ())


def guns_on_arms(army: str, unit: str, groups: Collection[str], *, taken: bool = False) -> tuple[Weapon, ...]:
    """The guns of a unit that stand for groups of options of which nothing was taken, or for the others.

    Args:
        groups: those of which something was.
        taken: ask for the guns that are gone.
    """
    arms = table().arms.get(army, {}).get(unit, {})
    return tuple(table().weapons[key] for group, key in arms.items() if (group in groups) is taken)


def number_of(army: str, unit: str, weapon: str) -> int:
    """How many weapons of a unit one of this name is."""
    return table().numbers.get(army, {}).get(unit, {}).get(weapon, 1)


def worn_by(army: str, unit: str) -> tuple[ProfileState, ...]:
    """What all models of a unit wear by their codex and the data does not name."""
    name = table().wear.get(army, {}).get(unit)
    return () if name is None else (_armour_row(name),)


def crew_of(army: str, unit: str, guns: int) -> Group | None:
    """Who serves so many guns of a unit by its codex, where the data has no row of them; they fire nothing else."""
    gunner = table().crews.get(army, {}).get(unit)
    if gunner is None:
        return None
    return Group(
        name=gunner.name,
        count=gunner.count * guns,
        profile=gunner.profile,
        subtypes=gunner.subtypes,
        rules=(*gunner.rules, CODEX_WARGEAR),
    )
