"""Formations of Epic that belong to no list: yardsticks for every army, and what is asked about a new one."""

from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic.army import Profile, Weapon
from armybuilder.engine.systems.epic.matchup import FormationSide, UnitGroup
from armybuilder.engine.systems.target_profiles import StandardTarget, TargetField, asks

__all__ = ["FIELDS", "NAMES", "STANDARD"]

SMALL_ARMS = Weapon(name="Small arms", range="small arms", firepower="small arms")
MISSILES = Weapon(name="Missile launcher", range=45, firepower="AP5+/AT6+")
BATTLE_CANNON = Weapon(name="Battle cannon", range=75, firepower="AP4+/AT4+")
TITAN_GUN = Weapon(name="Titan guns", range=60, firepower="3xAP4+/AT4+")


def _formation(name: str, kind: str, count: int, weapon: Weapon, **profile: object) -> FormationSide:
    figures = Profile(**profile)  # type: ignore[arg-type]
    unit = UnitGroup(name=name, type=kind, count=count, profile=figures, weapons=(weapon,))  # type: ignore[arg-type]
    return FormationSide(name=name, units=(unit,), initiative="2+")


STANDARD: tuple[StandardTarget, ...] = (
    StandardTarget(
        key="infantry",
        name=Text("10 infantry stands (no armour)", "10 отрядов пехоты (без брони)"),
        points=Decimal(200),
        side=_formation("Infantry", "INF", 10, SMALL_ARMS, speed=15, CC="5+", FF="5+"),
    ),
    StandardTarget(
        key="marines",
        name=Text("6 marine stands (4+)", "6 отрядов десанта (4+)"),
        points=Decimal(300),
        side=_formation("Marines", "INF", 6, MISSILES, speed=15, armour="4+", CC="4+", FF="4+"),
    ),
    StandardTarget(
        key="light-vehicles",
        name=Text("5 light vehicles (5+)", "5 лёгких машин (5+)"),
        points=Decimal(150),
        side=_formation("Light vehicles", "LV", 5, MISSILES, speed=30, armour="5+", CC="6+", FF="5+"),
    ),
    StandardTarget(
        key="tanks",
        name=Text("5 tanks (4+)", "5 танков (4+)"),
        points=Decimal(325),
        side=_formation("Tanks", "AV", 5, BATTLE_CANNON, speed=20, armour="4+", CC="6+", FF="4+"),
    ),
    StandardTarget(
        key="titan",
        name=Text("War engine (5+, DC 3)", "Машина войны (5+, уроноустойчивость 3)"),
        points=Decimal(275),
        side=_formation("War engine", "WE", 1, TITAN_GUN, speed=30, armour="5+", CC="4+", FF="4+", DC=3),
    ),
)
"""Yardsticks with datasheets as the published lists have them [carried]; points are round figures of them."""

NAMES = ("/name", "/units/0/name")

FORMATION = Text("The formation", "Формация")
UNIT = Text("Each unit", "Каждый юнит")
GUN = Text("What it shoots with", "Чем стреляет")
PROFILE = "/units/0/profile"


FIELDS: tuple[TargetField, ...] = (
    asks("/units/0/count", "Units", "Юнитов", FORMATION, "6"),
    asks("/units/0/type", "Type: INF, LV, AV, WE", "Тип: INF, LV, AV, WE", FORMATION, "INF"),
    asks("/initiative", "Initiative, e.g. 2+", "Инициатива, например 2+", FORMATION, "2+"),
    asks("/units/0/rules", "Special rules, by commas", "Особые правила через запятую", FORMATION),
    asks(f"{PROFILE}/speed", "Speed, cm", "Скорость, см", UNIT, "15"),
    asks(f"{PROFILE}/armour", "Armour, e.g. 4+", "Броня, например 4+", UNIT, "4+"),
    asks(f"{PROFILE}/CC", "Close combat, e.g. 4+", "Рукопашная, например 4+", UNIT, "4+"),
    asks(f"{PROFILE}/FF", "Firefight, e.g. 4+", "Огневой бой, например 4+", UNIT, "4+"),
    asks(f"{PROFILE}/DC", "Damage capacity", "Уроноустойчивость", UNIT),
    asks("/units/0/weapons/0/name", "Weapon", "Оружие", GUN),
    asks("/units/0/weapons/0/range", "Range, cm", "Дальность, см", GUN),
    asks("/units/0/weapons/0/firepower", "Firepower, e.g. AP5+/AT6+", "Огневая мощь, например AP5+/AT6+", GUN),
)
"""A formation of equal units with a weapon."""
