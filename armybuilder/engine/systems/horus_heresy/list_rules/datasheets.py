"""Profiles and options as the army list entry prints them."""

from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import ArmourValues, Army, Model, PlacedUnit, Profile
from armybuilder.engine.systems.horus_heresy.list_rules.fortifications import book_extra
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.notation import TargetNumber

NEVER_NEGATIVE = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "HP", "Inv", "FNP")
_never_negative = attrgetter(*NEVER_NEGATIVE)
BEST_SAVE, WORST_SAVE = 2, 6
LEAST_ARMOUR, MOST_ARMOUR = 10, 14
FACINGS = ("front", "side", "rear")


def characteristics_in_bounds(army: Army) -> Iterator[Finding]:
    """HH-59: nothing is below 0, Initiative not below 1 (vehicles have none), armour saves are 2+ to 6+ or a dash."""
    for placed in army.units:
        if placed.unit.profile is not None:
            vehicle = all(model.type == "vehicle" for model in placed.models)
            for wrong in _out_of_bounds(placed.unit.profile, vehicle=vehicle):
                yield _wrong_value(*wrong, at=placed.at, model=placed.name)
        for model in placed.groups:
            if model.profile is not None:
                for wrong in _out_of_bounds(model.profile, vehicle=model.type == "vehicle"):
                    yield _wrong_value(*wrong, at=model.at, model=words.model_name(placed, model))


def _wrong_value(characteristic: str, value: int, *, at: str, model: str) -> Finding:
    return finding(
        "HH-59",
        at=f"{at}/profile/{characteristic}",
        model=model,
        characteristic=words.CHARACTERISTICS[characteristic],
        value=value,
    )


def _out_of_bounds(profile: Profile, *, vehicle: bool) -> tuple[tuple[str, int], ...]:
    """Names and numbers of the characteristics that are wrong."""
    return _wrong_values(_never_negative(profile), profile.I, profile.Sv, vehicle)


@lru_cache(maxsize=1024)
def _wrong_values(
    never_negative: tuple[object, ...], initiative: int | None, save: TargetNumber, vehicle: bool
) -> tuple[tuple[str, int], ...]:
    """The same of a profile's values: an army has a handful of profiles, each on many models."""
    least_initiative = 0 if vehicle else 1
    wrong: list[tuple[str, int]] = []
    for characteristic, value in zip(NEVER_NEGATIVE, never_negative, strict=True):
        number = _target(value) if isinstance(value, str) else value
        if isinstance(number, int) and number < 0:
            wrong.append((characteristic, number))
    if initiative is not None and initiative < least_initiative:
        wrong.append(("I", initiative))
    number = _target(save)
    if number is not None and not BEST_SAVE <= number <= WORST_SAVE:
        wrong.append(("Sv", number))
    return tuple(wrong)


def _target(value: TargetNumber) -> int | None:
    """The number of a save; None for a dash."""
    if isinstance(value, str):
        return int(value[:-1]) if value.endswith("+") else None
    return value


def armour_complete(army: Army) -> Iterator[Finding]:
    """HH-60: a vehicle has armour of 10 to 14 on each facing, and at least one Hull Point."""
    for placed in army.units:
        for model in placed.models:
            if model.type == "vehicle" and (at := _armour_problem(placed, model)) is not None:
                yield finding("HH-60", at=at, model=words.model_name(placed, model))


def _armour_problem(placed: PlacedUnit, model: Model) -> str | None:
    """Pointer to the first wrong or missing value of a vehicle; None when all is well or no profile is given."""
    profiles = [(model.profile, model.at), (placed.unit.profile, placed.at)]
    given = [(profile, at) for profile, at in profiles if profile is not None]
    if not given:
        return None
    armour, at = next(((profile.AV, at) for profile, at in given if profile.AV is not None), (None, given[0][1]))
    if (wrong := _wrong_armour(armour)) is not None:
        return f"{at}/profile/{wrong}"
    for profile, at in given:
        if profile.HP is not None:
            return f"{at}/profile/HP" if profile.HP < 1 else None
    return None


def _wrong_armour(armour: int | ArmourValues | None) -> str | None:
    if isinstance(armour, ArmourValues):
        for facing in FACINGS:
            value: int | None = getattr(armour, facing)
            if value is None or not LEAST_ARMOUR <= value <= MOST_ARMOUR:
                return f"AV/{facing}"
        return None
    return None if armour is not None and LEAST_ARMOUR <= armour <= MOST_ARMOUR else "AV"


def options_of_the_entry(army: Army) -> Iterator[Finding]:
    """HH-64: no option is taken more often than its entry allows; HH-47 speaks of the book's own fortifications."""
    for placed in army.units:
        for index, option in enumerate(placed.unit.options):
            if option.max is None or option.count <= option.max or book_extra(placed, option.name) is not None:
                continue
            yield finding(
                "HH-64",
                at=f"{placed.at}/options/{index}/count",
                unit=placed.name,
                option=option.name,
                n=option.count,
                max=option.max,
            )
