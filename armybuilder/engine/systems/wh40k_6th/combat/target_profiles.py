"""Units of 40k 6th edition that belong to no list: yardsticks for every army, and what is asked about a new one."""

from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.target_profiles import StandardTarget, TargetField, asks
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Squad

__all__ = ["FIELDS", "NAMES", "STANDARD"]


def _unit(name: str, count: int, weapon: Weapon, **profile: object) -> Squad:
    values: dict[str, object] = {"WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": "3+"}
    figures = Profile(**values | profile)  # type: ignore[arg-type]
    return Squad(models=(Group(name=name, count=count, profile=figures, weapons=(weapon,)),))


BOLTGUN = Weapon(name="Boltgun", type="Rapid Fire", range=24, S=4, AP=5)
LASGUN = Weapon(name="Lasgun", type="Rapid Fire", range=24, S=3, AP="-")
SHOOTA = Weapon(name="Shoota", type="Assault 2", range=18, S=4, AP=6)
STORM_BOLTER = Weapon(name="Storm bolter", type="Assault 2", range=24, S=4, AP=5)
HEAVY_GUN = Weapon(name="Heavy venom cannon", type="Assault 2", range=36, S=9, AP=4)

STANDARD: tuple[StandardTarget, ...] = (
    StandardTarget(
        key="guard",
        name=Text("20 guardsmen (T3, 5+)", "20 гвардейцев (стойкость 3, броня 5+)"),
        points=Decimal(100),
        side=_unit("Guardsmen", 20, LASGUN, WS=3, BS=3, S=3, T=3, I=3, Ld=7, Sv="5+"),
    ),
    StandardTarget(
        key="power-armour",
        name=Text("10 marines (T4, 3+)", "10 десантников (стойкость 4, броня 3+)"),
        points=Decimal(140),
        side=_unit("Marines", 10, BOLTGUN),
    ),
    StandardTarget(
        key="orks",
        name=Text("20 orks (T4, 6+)", "20 орков (стойкость 4, броня 6+)"),
        points=Decimal(120),
        side=_unit("Orks", 20, SHOOTA, BS=2, S=3, I=2, A=2, Ld=7, Sv="6+"),
    ),
    StandardTarget(
        key="terminators",
        name=Text("5 Terminators (T4, 2+, 5++)", "5 терминаторов (стойкость 4, 2+, 5++)"),
        points=Decimal(200),
        side=_unit("Terminators", 5, STORM_BOLTER, A=2, Ld=9, Sv="2+", Inv="5+"),
    ),
    StandardTarget(
        key="monster",
        name=Text("Monstrous creature (T6, W4, 3+)", "Чудовищное существо (стойкость 6, 4 раны, 3+)"),
        points=Decimal(160),
        side=_unit("Monstrous creature", 1, HEAVY_GUN, WS=3, BS=3, S=9, T=6, W=4, I=2, A=3, Ld=10),
    ),
)
"""Yardsticks with characteristics of the published game [carried]; points are round figures of it."""

NAMES = ("/models/0/name",)

UNIT = Text("The unit", "Отряд")
MODEL = Text("Each model", "Каждая модель")
RANGED = Text("What it shoots with", "Чем стреляет")
PROFILE = "/models/0/profile"
GUN = "/models/0/weapons/0"


FIELDS: tuple[TargetField, ...] = (
    asks("/models/0/count", "Models", "Моделей", UNIT, "10"),
    asks("/models/0/rules", "Special rules, by commas", "Особые правила через запятую", UNIT),
    asks(f"{PROFILE}/BS", "Ballistic Skill", "Навык стрельбы", MODEL, "4"),
    asks(f"{PROFILE}/S", "Strength", "Сила", MODEL, "4"),
    asks(f"{PROFILE}/T", "Toughness", "Стойкость", MODEL, "4"),
    asks(f"{PROFILE}/W", "Wounds", "Раны", MODEL, "1"),
    asks(f"{PROFILE}/Ld", "Leadership", "Лидерство", MODEL, "8"),
    asks(f"{PROFILE}/Sv", "Armour save, e.g. 3+", "Бросок брони, например 3+", MODEL, "3+"),
    asks(f"{PROFILE}/Inv", "Invulnerable save, e.g. 5+", "Неуязвимый бросок, например 5+", MODEL),
    asks(f"{GUN}/name", "Weapon", "Оружие", RANGED),
    asks(f"{GUN}/type", "Type, e.g. Heavy 2", "Тип, например Heavy 2", RANGED),
    asks(f"{GUN}/range", "Range, inches", "Дальность, дюймы", RANGED),
    asks(f"{GUN}/S", "Strength", "Сила", RANGED),
    asks(f"{GUN}/AP", "AP", "AP", RANGED),
    asks(f"{GUN}/rules", "Special rules, by commas", "Особые правила через запятую", RANGED),
)
"""A unit of equal models with a weapon; the rules text knows shooting alone."""
