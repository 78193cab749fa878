"""Units of Fantasy 8th edition that belong to no list: yardsticks for every army, and what is asked about a new one."""

from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.army import Profile
from armybuilder.engine.systems.fantasy_8th.matchup import Group, Mount, Side
from armybuilder.engine.systems.target_profiles import StandardTarget, TargetField, asks

__all__ = ["FIELDS", "NAMES", "STANDARD"]

MAN = Profile(M=4, WS=3, BS=3, S=3, T=3, W=1, I=3, A=1, Ld=7)
KNIGHT = Profile(M=4, WS=4, BS=3, S=4, T=3, W=1, I=3, A=1, Ld=8)
HORSE = Profile(M=8, WS=3, BS=0, S=3, T=3, W=1, I=3, A=1, Ld=5)
OGRE = Profile(M=6, WS=3, BS=2, S=4, T=4, W=3, I=2, A=3, Ld=7)
BEAST = Profile(M=6, WS=5, BS=0, S=6, T=6, W=6, I=4, A=5, Ld=8)
CHARIOT = Profile(WS=3, S=5, T=5, W=4, I=3, Ld=7, Sv="4+")
ELITE = Profile(M=4, WS=5, BS=4, S=4, T=4, W=1, I=4, A=1, Ld=8)

STANDARD: tuple[StandardTarget, ...] = (
    StandardTarget(
        key="infantry",
        name=Text("20 infantry (T3, 5+, shields)", "20 пехотинцев (стойкость 3, 5+, щиты)"),
        points=Decimal(140),
        side=Side(
            name="Infantry",
            models=(Group(name="Infantry", count=20, profile=MAN, weapons=("Hand weapon",),
                          armour=("Light armour", "Shield")),),
            command=("champion", "musician", "standard_bearer"),
        ),
    ),
    StandardTarget(
        key="elite",
        name=Text("15 elite infantry (T4, 4+, great weapons)", "15 отборных бойцов (стойкость 4, двуручное оружие)"),
        points=Decimal(210),
        side=Side(
            name="Elite infantry",
            models=(Group(name="Elite infantry", count=15, profile=ELITE, weapons=("Great weapon",),
                          armour=("Full plate armour",)),),
            command=("musician", "standard_bearer"),
        ),
    ),
    StandardTarget(
        key="knights",
        name=Text("5 knights (T3, 1+)", "5 рыцарей (стойкость 3, 1+)"),
        points=Decimal(120),
        side=Side(
            name="Knights",
            models=(Group(name="Knights", count=5, troop_type="cavalry", profile=KNIGHT, weapons=("Lance",),
                          armour=("Full plate armour", "Shield", "Barding"),
                          mount=Mount(profile=HORSE, name="Warhorse")),),
        ),
    ),
    StandardTarget(
        key="ogres",
        name=Text("3 ogres (T4, W3, 6+)", "3 огра (стойкость 4, 3 раны, 6+)"),
        points=Decimal(100),
        side=Side(
            name="Ogres",
            models=(Group(name="Ogres", count=3, troop_type="monstrous_infantry", profile=OGRE,
                          weapons=("Hand weapon",), armour=("Light armour",)),),
        ),
    ),
    StandardTarget(
        key="chariot",
        name=Text("Chariot (T5, W4, 4+)", "Колесница (стойкость 5, 4 раны, 4+)"),
        points=Decimal(90),
        side=Side(
            name="Chariot",
            models=(Group(name="Chariot", count=1, troop_type="chariot", profile=CHARIOT,
                          mount=Mount(profile=HORSE, name="Warhorse"), rules=("Impact Hits (D6)",)),),
        ),
    ),
    StandardTarget(
        key="monster",
        name=Text("Monster (T6, W6, 4+, terror)", "Чудовище (стойкость 6, 6 ран, 4+, ужас)"),
        points=Decimal(250),
        side=Side(
            name="Monster",
            models=(Group(name="Monster", count=1, troop_type="monster", profile=BEAST,
                          rules=("Terror", "Large Target", "Scaly Skin (4+)")),),
        ),
    ),
)  # fmt: skip
"""Yardsticks with characteristics that are usual in the published game [carried]; points are round figures of it."""

NAMES = ("/name", "/models/0/name")

UNIT = Text("The unit", "Отряд")
MODEL = Text("Each model", "Каждая модель")
GEAR = Text("What they carry, by commas", "Что они несут, через запятую")
PROFILE = "/models/0/profile"


FIELDS: tuple[TargetField, ...] = (
    asks("/models/0/count", "Models", "Моделей", UNIT, "20"),
    asks("/width", "Models in a rank", "Моделей в шеренге", UNIT, "5"),
    asks("/models/0/troop_type", "Troop type", "Тип войск", UNIT, "infantry"),
    asks(f"{PROFILE}/WS", "Weapon Skill", "Навык рукопашной", MODEL, "3"),
    asks(f"{PROFILE}/BS", "Ballistic Skill", "Навык стрельбы", MODEL, "3"),
    asks(f"{PROFILE}/S", "Strength", "Сила", MODEL, "3"),
    asks(f"{PROFILE}/T", "Toughness", "Стойкость", MODEL, "3"),
    asks(f"{PROFILE}/W", "Wounds", "Раны", MODEL, "1"),
    asks(f"{PROFILE}/I", "Initiative", "Инициатива", MODEL, "3"),
    asks(f"{PROFILE}/A", "Attacks", "Атаки", MODEL, "1"),
    asks(f"{PROFILE}/Ld", "Leadership", "Лидерство", MODEL, "7"),
    asks(f"{PROFILE}/Sv", "Armour save of the sheet, e.g. 4+", "Бросок брони, например 4+", MODEL),
    asks(f"{PROFILE}/Ward", "Ward save, e.g. 5+", "Защитный бросок, например 5+", MODEL),
    asks("/models/0/weapons", "Weapons", "Оружие", GEAR, "Hand weapon"),
    asks("/models/0/armour", "Armour", "Броня", GEAR, "Light armour"),
    asks("/models/0/rules", "Special rules", "Особые правила", GEAR),
)
"""A unit of equal models on foot or with a troop type of its own."""
