"""Units of the Horus Heresy that belong to no list: yardsticks for every army, and what is asked about a new one."""

from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.matchup import ArmourFacings, Group, Side, Statline, Weapon
from armybuilder.engine.systems.target_profiles import StandardTarget, TargetField, asks

__all__ = ["FIELDS", "NAMES", "STANDARD"]

BOLTER = Weapon(name="Bolter", type="Rapid Fire", range=24, strength=4, armour_piercing=5)
LASRIFLE = Weapon(name="Lasrifle", type="Rapid Fire", range=30, strength=3, armour_piercing=None)
COMBI_BOLTER = Weapon(
    name="Combi-bolter", type="Rapid Fire", range=24, strength=4, armour_piercing=5, rules=("Twin-linked",)
)
POWER_AXE = Weapon(name="Power axe", type="Melee", strength="+1", armour_piercing=2, rules=("Unwieldy",))
DREADNOUGHT_FIST = Weapon(name="Gravis power fist", type="Melee", strength="x2", armour_piercing=2)
HEAVY_BOLTER = Weapon(name="Heavy bolter", type="Heavy 4", range=36, strength=5, armour_piercing=4)
AUTOCANNON = Weapon(name="Gravis autocannon", type="Heavy 4", range=48, strength=7, armour_piercing=4)
LASCANNON = Weapon(
    name="Gravis lascannon", type="Heavy 1", range=48, strength=9, armour_piercing=2, rules=("Twin-linked", "Sunder")
)


def _infantry(**profile: object) -> Statline:
    values: dict[str, object] = {
        "movement": 7, "weapon_skill": 4, "ballistic_skill": 4, "strength": 4, "toughness": 4, "wounds": 1,
        "initiative": 4, "attacks": 1, "leadership": 7, "armour_save": "3+",
    }  # fmt: skip
    return Statline(**values | profile)  # type: ignore[arg-type]


def _one_kind(name: str, count: int, profile: Statline, *weapons: Weapon, **facts: object) -> Side:
    return Side(
        name=name,
        models=(Group(name=name, count=count, profile=profile, weapons=weapons, **facts),),  # type: ignore[arg-type]
    )


STANDARD: tuple[StandardTarget, ...] = (
    StandardTarget(
        key="militia",
        name=Text("20 riflemen (T3, 5+)", "20 стрелков (стойкость 3, броня 5+)"),
        points=Decimal(100),
        side=_one_kind(
            "Riflemen", 20, _infantry(movement=6, weapon_skill=3, ballistic_skill=3, strength=3, toughness=3,
                                         initiative=3, leadership=7, armour_save="5+"), LASRIFLE,
        ),
    ),
    StandardTarget(
        key="power-armour",
        name=Text("10 Legionaries (T4, 3+)", "10 легионеров (стойкость 4, броня 3+)"),
        points=Decimal(100),
        side=_one_kind("Legionaries", 10, _infantry(), BOLTER),
    ),
    StandardTarget(
        key="terminators",
        name=Text("5 Terminators (T4, W2, 2+, 5++)", "5 терминаторов (стойкость 4, 2 раны, 2+, 5++)"),
        points=Decimal(175),
        side=_one_kind(
            "Terminators", 5,
            _infantry(movement=6, wounds=2, attacks=2, leadership=9, armour_save="2+", invulnerable_save="5+"),
            COMBI_BOLTER, POWER_AXE, subtypes=("heavy",),
        ),
    ),
    StandardTarget(
        key="dreadnought",
        name=Text("Dreadnought (T7, W6, 2+, 5++)", "Дредноут (стойкость 7, 6 ран, 2+, 5++)"),
        points=Decimal(205),
        side=_one_kind(
            "Dreadnought", 1,
            Statline(movement=8, weapon_skill=5, ballistic_skill=5, strength=7, toughness=7, wounds=6, initiative=4,
                    attacks=4, leadership=9, armour_save="2+", invulnerable_save="5+"),
            AUTOCANNON, DREADNOUGHT_FIST, type="dreadnought",
        ),
    ),
    StandardTarget(
        key="transport",
        name=Text("Transport (12/11/10, 3 HP)", "Транспорт (12/11/10, 3 единицы корпуса)"),
        points=Decimal(50),
        side=_one_kind(
            "Transport", 1,
            Statline(movement=14, ballistic_skill=4, armour=ArmourFacings(front=12, side=11, rear=10), hull_points=3),
            BOLTER, type="vehicle",
        ),
    ),
    StandardTarget(
        key="battle-tank",
        name=Text("Battle tank (13/12/10, 4 HP)", "Основной танк (13/12/10, 4 единицы корпуса)"),
        points=Decimal(115),
        side=_one_kind(
            "Battle tank", 1,
            Statline(movement=14, ballistic_skill=4, armour=ArmourFacings(front=13, side=12, rear=10), hull_points=4),
            AUTOCANNON, HEAVY_BOLTER, type="vehicle",
        ),
    ),
    StandardTarget(
        key="heavy-tank",
        name=Text("Heavy tank (14/14/14, 5 HP)", "Тяжёлый танк (14/14/14, 5 единиц корпуса)"),
        points=Decimal(250),
        side=_one_kind(
            "Heavy tank", 1,
            Statline(movement=12, ballistic_skill=4, armour=ArmourFacings(front=14, side=14, rear=14), hull_points=5),
            LASCANNON, HEAVY_BOLTER, type="vehicle",
        ),
    ),
)  # fmt: skip
"""Yardsticks with the characteristics of the published game [carried]; points are round figures of that game."""

NAMES = ("/name", "/models/0/name")

UNIT = Text("The unit", "Отряд")
MODEL = Text("Each model", "Каждая модель")
VEHICLE = Text("Vehicles only", "Только для техники")
RANGED = Text("What it shoots with", "Чем стреляет")
BLADE = Text("What it fights with", "Чем сражается")
PROFILE = "/models/0/profile"


FIELDS: tuple[TargetField, ...] = (
    asks("/models/0/count", "Models", "Моделей", UNIT, "10"),
    asks("/models/0/type", "Unit type", "Тип", UNIT, "infantry"),
    asks("/models/0/rules", "Special rules, by commas", "Особые правила через запятую", UNIT),
    asks(f"{PROFILE}/WS", "Weapon Skill", "Навык рукопашной", MODEL, "4"),
    asks(f"{PROFILE}/BS", "Ballistic Skill", "Навык стрельбы", MODEL, "4"),
    asks(f"{PROFILE}/S", "Strength", "Сила", MODEL, "4"),
    asks(f"{PROFILE}/T", "Toughness", "Стойкость", MODEL, "4"),
    asks(f"{PROFILE}/W", "Wounds", "Раны", MODEL, "1"),
    asks(f"{PROFILE}/I", "Initiative", "Инициатива", MODEL, "4"),
    asks(f"{PROFILE}/A", "Attacks", "Атаки", MODEL, "1"),
    asks(f"{PROFILE}/Ld", "Leadership", "Лидерство", MODEL, "7"),
    asks(f"{PROFILE}/Sv", "Armour save, e.g. 3+", "Бросок брони, например 3+", MODEL, "3+"),
    asks(f"{PROFILE}/Inv", "Invulnerable save, e.g. 5+", "Неуязвимый бросок, например 5+", MODEL),
    asks(f"{PROFILE}/AV/front", "Armour, front", "Броня спереди", VEHICLE),
    asks(f"{PROFILE}/AV/side", "Armour, side", "Броня с борта", VEHICLE),
    asks(f"{PROFILE}/AV/rear", "Armour, rear", "Броня с кормы", VEHICLE),
    asks(f"{PROFILE}/HP", "Hull points", "Пункты корпуса", VEHICLE),
    asks("/models/0/weapons/0/name", "Weapon", "Оружие", RANGED),
    asks("/models/0/weapons/0/type", "Type, e.g. Heavy 2", "Тип, например Heavy 2", RANGED),
    asks("/models/0/weapons/0/range", "Range, inches", "Дальность, дюймы", RANGED),
    asks("/models/0/weapons/0/S", "Strength", "Сила", RANGED),
    asks("/models/0/weapons/0/AP", "AP", "AP", RANGED),
    asks("/models/0/weapons/0/rules", "Special rules, by commas", "Особые правила через запятую", RANGED),
    asks("/models/0/weapons/1/name", "Weapon", "Оружие", BLADE),
    TargetField(
        pointer="/models/0/weapons/1/type", label=Text("Type", "Тип"), group=BLADE, default="Melee", follows=True
    ),
    asks("/models/0/weapons/1/S", "Strength, e.g. User or +1", "Сила, например User или +1", BLADE),
    asks("/models/0/weapons/1/AP", "AP", "AP", BLADE),
    asks("/models/0/weapons/1/rules", "Special rules, by commas", "Особые правила через запятую", BLADE),
)
"""A unit of equal models with a weapon to shoot with and one to fight with."""
