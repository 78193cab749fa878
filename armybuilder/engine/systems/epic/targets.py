"""Formations of Epic that belong to no list: yardsticks for every army, and what is asked about a new one."""

from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic.army import Profile, Weapon
from armybuilder.engine.systems.epic.matchup import Formation, Unit
from armybuilder.engine.systems.targets import StandardTarget, TargetField

__all__ = ["FIELDS", "NAMES", "STANDARD"]

AUTOCANNON = Weapon(name="Autocannon", range=45, firepower="AP5+/AT6+")
MISSILE = Weapon(name="Missile launcher", range=45, firepower="AP5+/AT6+")
BATTLE_CANNON = Weapon(name="Battle cannon", range=75, firepower="AP4+/AT4+")
LASCANNON = Weapon(name="Lascannon", range=45, firepower="AT5+")
PLASMA = Weapon(name="Plasma blastgun", range=45, firepower="2xMW2+", rules=("Slow Firing",))


def _target(key: str, name: Text, points: int, unit: Unit, initiative: str) -> StandardTarget:
    side = Formation(name=name.en, initiative=initiative, units=(unit,))
    return StandardTarget(key=key, name=name, points=Decimal(points), side=side)


STANDARD: tuple[StandardTarget, ...] = (
    _target(
        "company", Text("12 infantry squads (no save)", "12 отделений пехоты (без брони)"), 250,
        Unit(name="Infantry squad", type="INF", count=12,
             profile=Profile(speed=15, armour="-", CC="6+", FF="5+"), weapons=(AUTOCANNON,)), "2+",
    ),
    _target(
        "marines", Text("6 Space Marine squads (4+)", "6 отделений космодесанта (4+)"), 250,
        Unit(name="Tactical squad", type="INF", count=6,
             profile=Profile(speed=15, armour="4+", CC="4+", FF="4+"), weapons=(MISSILE,)), "1+",
    ),
    _target(
        "tanks", Text("10 battle tanks (4+, Reinforced Armour)", "10 основных танков (4+, усил. бронирование)"), 650,
        Unit(name="Battle tank", type="AV", count=10, rules=("Reinforced Armour",),
             profile=Profile(speed=20, armour="4+", CC="6+", FF="4+"), weapons=(BATTLE_CANNON, LASCANNON)), "2+",
    ),
    _target(
        "light-vehicles", Text("5 light vehicles (4+)", "5 единиц лёгкой техники (4+)"), 200,
        Unit(name="Light vehicle", type="LV", count=5,
             profile=Profile(speed=35, armour="4+", CC="6+", FF="5+"), weapons=(LASCANNON,)), "1+",
    ),
    _target(
        "titan", Text("Scout titan (5+, DC 3)", "Титан-разведчик (5+, УУ 3)"), 275,
        Unit(name="Scout titan", type="WE", count=1, rules=("Reinforced Armour", "Walker", "Fearless"),
             profile=Profile(speed=30, armour="5+", CC="4+", FF="4+", DC=3), weapons=(PLASMA,)), "1+",
    ),
)  # fmt: skip
"""Yardsticks with the values of published army lists [carried]; points are round figures of those lists."""

NAMES = ("/name", "/units/0/name")

FORMATION = Text("The formation", "Формация")
UNIT = Text("Each unit", "Каждый юнит")
WEAPON = Text("A weapon", "Оружие")
PROFILE = "/units/0/profile"
ARMS = "/units/0/weapons/0"


def _field(pointer: str, en: str, ru: str, group: Text, default: str = "") -> TargetField:
    return TargetField(pointer=pointer, label=Text(en, ru), group=group, default=default)


FIELDS: tuple[TargetField, ...] = (
    _field("/initiative", "Initiative, e.g. 2+", "Инициатива, например 2+", FORMATION, "2+"),
    _field("/units/0/count", "Units", "Юнитов", FORMATION, "6"),
    _field("/units/0/type", "Unit type", "Тип", FORMATION, "INF"),
    _field("/units/0/rules", "Special rules, by commas", "Особые правила через запятую", FORMATION),
    _field(f"{PROFILE}/armour", "Armour, e.g. 4+", "Броня, например 4+", UNIT, "4+"),
    _field(f"{PROFILE}/CC", "Close combat, e.g. 4+", "Ближний бой, например 4+", UNIT, "4+"),
    _field(f"{PROFILE}/FF", "Firefight, e.g. 5+", "Стрельба в ближнем бою, например 5+", UNIT, "5+"),
    _field(f"{ARMS}/name", "Weapon", "Оружие", WEAPON),
    _field(f"{ARMS}/range", "Range, centimetres", "Дальность, сантиметры", WEAPON),
    _field(
        f"{ARMS}/firepower", "Firepower, e.g. 2xAP4+/AT5+ or 3BP", "Огневая мощь, например 2xAP4+/AT5+ или 3BP", WEAPON
    ),
    _field(f"{ARMS}/rules", "Special rules, by commas", "Особые правила через запятую", WEAPON),
)
"""A formation of equal units with a weapon."""
