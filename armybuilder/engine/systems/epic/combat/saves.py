"""Saves of Epic: the chance that one hit is not saved."""

from armybuilder.engine.systems.epic.army import Options, Weapon, rule_name
from armybuilder.engine.systems.epic.combat.special_rules import INVULNERABLE, save_roll
from armybuilder.engine.systems.epic.matchup import FormationSide, UnitGroup
from armybuilder.engine.systems.notation import TargetNumber

TERRAIN_SAVES = {
    "building": 4,
    "fortification": 3,
    "jungle": 4,
    "marsh": 6,
    "river": 6,
    "ruins": 4,
    "scrub": 6,
    "woods": 5,
}
"""Cover saves of infantry. Source: L258-324 [text]."""

OVERWATCH_SAVE = 5
JINK_SAVE = 4
JINKING_CLASSES = ("fighter", "fighter-bomber")
NO_SAVE = 7
ORDINARY, MACRO, TITAN_KILLER = range(3)
"""Classes of hits, in the order in which they are resolved. Source: L400-402, L794 [text]."""


def needed(save: TargetNumber) -> int | None:
    """The roll a save needs; None when there is none."""
    if save is None or isinstance(save, int):
        return save
    return int(save[:-1]) if save.endswith("+") else None


def made(need: int | None) -> float:
    """Chance of a roll of `need` or more; a natural 1 is nothing special (E-04)."""
    return 0.0 if need is None else min(1.0, max(0.0, (NO_SAVE - need) / 6))


def cover_of(formation: FormationSide, unit: UnitGroup, *, in_assault: bool, charged: bool) -> int | None:
    """The cover save of a unit; None when it has none.

    Args:
        charged: the formation charged or counter-charged, so it has no cover (L531).
    """
    if in_assault and charged:
        return None
    if unit.type != "INF":
        return needed(formation.cover_save)
    values = [TERRAIN_SAVES.get(formation.terrain), needed(formation.cover_save)]
    if formation.overwatch and formation.terrain == "open":
        values.append(OVERWATCH_SAVE)
    return min((value for value in values if value is not None), default=None)


def failing(
    formation: FormationSide,
    unit: UnitGroup,
    *,
    hit_class: int,
    options: Options,
    crossfire: bool = False,
    ignore_cover: bool = False,
    in_assault: bool = False,
    charged: bool = False,
    weapon: Weapon | None = None,
) -> float:
    """Chance that a unit does not save one hit.

    Args:
        weapon: what hits it, of which its rules count: a lance, and what is the bane of flesh or of armour.

    Source: L284, L400, L469, L676, L694-696, L790-808 [text]; options E-05, E-17; rules of weapons [carried].
    """
    crossed = crossfire and formation.terrain != "fortification"
    bane = weapon is not None and _is_bane(weapon, unit)
    worse = bane + (crossed and not unit.has_rule("thick rear armour"))
    armour = needed(unit.profile.armour)
    if unit.type == "AC" and formation.jink and (unit.aircraft_class or "").casefold() in JINKING_CLASSES:
        armour = JINK_SAVE
    armour_made = made(_worse(armour, by=worse))
    reinforced = unit.has_rule("reinforced armour")
    pierced = weapon is not None and any(rule_name(rule) == "lance" for rule in weapon.rules)
    twice = armour_made if pierced else 1.0 - (1.0 - armour_made) ** 2
    if hit_class == ORDINARY:
        cover = None if ignore_cover else cover_of(formation, unit, in_assault=in_assault, charged=charged)
        cover_worse = bane + (crossed and options.crossfire_affects_cover_saves)
        saved = max(twice if reinforced else armour_made, made(_worse(cover, by=cover_worse)))
    elif hit_class == MACRO and reinforced:
        saved = twice if options.ra_reroll_vs_mw else armour_made
    else:
        saved = 0.0
    return (1.0 - saved) * (1.0 - invulnerable(unit))


def invulnerable(unit: UnitGroup) -> float:
    """Chance of the Invulnerable Save, which nothing modifies, the best where several are. Source: L674-676 [text]."""
    return max((made(save_roll(rule)) for rule in unit.rules if rule_name(rule) == INVULNERABLE), default=0.0)


BANES = {"fleshbane": ("INF", "LV"), "armourbane": ("LV", "AV", "WE")}
"""Rules of weapons that make the saves of these types worse by one. [carried]"""


def _is_bane(weapon: Weapon, unit: UnitGroup) -> bool:
    return any(unit.type in BANES.get(rule_name(rule), ()) for rule in weapon.rules)


def _worse(save: int | None, *, by: int) -> int | None:
    return None if save is None else save + by
