"""Units of 40k 6th edition that belong to no list: yardsticks for every army, and what is asked about a new one.

Vehicles are no yardsticks: the rules text does not say how they are damaged.
"""

from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.targets import StandardTarget, TargetField
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.fighters import Squad

__all__ = ["FIELDS", "NAMES", "STANDARD"]

LASGUN = Weapon(name="Lasgun", type="Rapid Fire", range=24, S=3, AP="-")
BOLTGUN = Weapon(name="Boltgun", type="Rapid Fire", range=24, S=4, AP=5)
STORM_BOLTER = Weapon(name="Storm bolter", type="Assault", shots=2, range=24, S=4, AP=5)
SHOOTA = Weapon(name="Shoota", type="Assault", shots=2, range=18, S=4, AP=6)
CANNON = Weapon(name="Venom cannon", type="Assault", shots=1, range=36, S=6, AP=4, rules=("Blast",))


def _target(
    key: str, name: Text, points: int, *, count: int, profile: Profile, weapon: Weapon, kind: str
) -> StandardTarget:
    group = Group(name=name.en, count=count, profile=profile, subtypes=(kind,), weapons=(weapon,))
    return StandardTarget(key=key, name=name, points=Decimal(points), side=Squad(models=(group,)))


STANDARD: tuple[StandardTarget, ...] = (
    _target(
        "guardsmen", Text("10 Guardsmen (T3, 5+)", "10 гвардейцев (стойкость 3, броня 5+)"), 50,
        count=10, profile=Profile(BS=3, S=3, T=3, W=1, Ld=7, Sv="5+"), weapon=LASGUN, kind="infantry",
    ),
    _target(
        "marines", Text("10 Space Marines (T4, 3+)", "10 космодесантников (стойкость 4, броня 3+)"), 140,
        count=10, profile=Profile(BS=4, S=4, T=4, W=1, Ld=8, Sv="3+"), weapon=BOLTGUN, kind="infantry",
    ),
    _target(
        "boyz", Text("20 Ork Boyz (T4, 6+)", "20 орков-бойзов (стойкость 4, броня 6+)"), 120,
        count=20, profile=Profile(BS=2, S=3, T=4, W=1, Ld=7, Sv="6+"), weapon=SHOOTA, kind="infantry",
    ),
    _target(
        "terminators", Text("5 Terminators (T4, 2+, 5++)", "5 терминаторов (стойкость 4, 2+, 5++)"), 200,
        count=5, profile=Profile(BS=4, S=4, T=4, W=1, Ld=9, Sv="2+", Inv="5+"), weapon=STORM_BOLTER, kind="infantry",
    ),
    _target(
        "bikers", Text("5 bikers (T5, 3+)", "5 мотоциклистов (стойкость 5, броня 3+)"), 105,
        count=5, profile=Profile(BS=4, S=4, T=5, W=1, Ld=8, Sv="3+"), weapon=BOLTGUN, kind="bike",
    ),
    _target(
        "monster", Text("Monstrous creature (T6, W4, 3+)", "Чудовище (стойкость 6, 4 раны, 3+)"), 160,
        count=1, profile=Profile(BS=3, S=6, T=6, W=4, Ld=10, Sv="3+"), weapon=CANNON, kind="monstrous creature",
    ),
)  # fmt: skip
"""Yardsticks with the characteristics of the published game [carried]; points are round figures of that game."""

NAMES = ("/models/0/name",)

UNIT = Text("The unit", "Отряд")
MODEL = Text("Each model", "Каждая модель")
RANGED = Text("What it shoots with", "Чем стреляет")
PROFILE = "/models/0/profile"
WEAPON = "/models/0/weapons/0"


def _field(pointer: str, en: str, ru: str, group: Text, default: str = "") -> TargetField:
    return TargetField(pointer=pointer, label=Text(en, ru), group=group, default=default)


FIELDS: tuple[TargetField, ...] = (
    _field("/models/0/count", "Models", "Моделей", UNIT, "10"),
    _field("/models/0/subtypes", "Unit type, e.g. infantry, character", "Тип, например infantry, character", UNIT),
    _field("/rules", "Special rules, by commas", "Особые правила через запятую", UNIT),
    _field(f"{PROFILE}/BS", "Ballistic Skill", "Навык стрельбы", MODEL, "4"),
    _field(f"{PROFILE}/S", "Strength", "Сила", MODEL, "4"),
    _field(f"{PROFILE}/T", "Toughness", "Стойкость", MODEL, "4"),
    _field(f"{PROFILE}/W", "Wounds", "Раны", MODEL, "1"),
    _field(f"{PROFILE}/Sv", "Armour save, e.g. 3+", "Бросок брони, например 3+", MODEL, "3+"),
    _field(f"{PROFILE}/Inv", "Invulnerable save, e.g. 5+", "Неуязвимый бросок, например 5+", MODEL),
    _field(f"{WEAPON}/name", "Weapon", "Оружие", RANGED),
    _field(f"{WEAPON}/type", "Type, e.g. Heavy", "Тип, например Heavy", RANGED),
    _field(f"{WEAPON}/shots", "Shots, e.g. 2 or D3", "Выстрелов, например 2 или D3", RANGED),
    _field(f"{WEAPON}/range", "Range, inches", "Дальность, дюймы", RANGED),
    _field(f"{WEAPON}/S", "Strength", "Сила", RANGED),
    _field(f"{WEAPON}/AP", "AP", "AP", RANGED),
    _field(f"{WEAPON}/rules", "Special rules, by commas", "Особые правила через запятую", RANGED),
)
"""A unit of equal models with a weapon."""
