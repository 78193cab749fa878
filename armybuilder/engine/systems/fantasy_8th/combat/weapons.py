"""Weapons as they are used: what a blow or a shot adds to its bearer, by name in both languages."""

from dataclasses import dataclass, replace
from typing import Literal

from armybuilder.engine.systems.fantasy_8th.matchup import Group, ListedWeapon, WeaponProfile, When
from armybuilder.engine.systems.fantasy_8th.reference import folded
from armybuilder.engine.systems.list_rules import Override
from armybuilder.engine.systems.notation import Strength


@dataclass(frozen=True, slots=True)
class Arm:
    """One weapon in use.

    Attributes:
        strength: of the hit, as documents write it.
        when: in which turns the strength is changed.
        reach: inches; None for close combat.
        template: whether it hits what its template covers instead of rolling to hit.
        grip: an ordinary hand weapon, which can parry; one that leaves no hand for the shield; a second one, which
            gives foot models one more attack.
        magic: a magic weapon.
        attacks, skill, initiative, hit_plus, wound_at_least: what magic weapons change.
        artillery_hits: hits by the artillery die.
        goes_on: to the rank behind, a point of Strength weaker, or to the model behind.
        alarms: whoever loses anybody to it tests for panic.
        least: inches below which it cannot fire.
        misfires: its shot depends on the artillery die, which may show a misfire.
        works_as: the machine that a weapon of an army book is.
    """

    name: str
    strength: Strength = "User"
    when: When = "always"
    reach: float | None = None
    template: bool = False
    centre: int | None = None
    rules: tuple[str, ...] = ()
    override: Override | None = None
    grip: Literal["hand_weapon", "two_hands", "second"] | None = None
    magic: bool = False
    attacks: int = 0
    skill: int | None = None
    initiative: int | None = None
    hit_plus: int = 0
    wound_at_least: int | None = None
    artillery_hits: bool = False
    known: bool = True
    machine: bool = False
    goes_on: Literal["ranks", "models"] | None = None
    alarms: bool = False
    least: float = 0
    misfires: bool = False
    works_as: str = ""


HAND_WEAPON = Arm("hand weapon", grip="hand_weapon")

MELEE: dict[str, Arm] = {
    "hand weapon": HAND_WEAPON,
    "flail": Arm("flail", "+2", "first_round", grip="two_hands"),
    "great weapon": Arm("great weapon", "+2", rules=("Always Strikes Last",), grip="two_hands"),
    "halberd": Arm("halberd", "+1", grip="two_hands"),
    "lance": Arm("lance", "+2", "charging"),
    "morning star": Arm("morning star", "+1", "first_round"),
    "spear": Arm("spear", rules=("Fight in Extra Ranks",)),
    "cavalry spear": Arm("cavalry spear", "+1", "charging"),
    "additional hand weapon": Arm("additional hand weapon", grip="second"),
    "brace of pistols": Arm("brace of pistols", grip="second"),
}
"""Close combat weapons. Source: L756-883 [text]."""

BALL = ("Multiple Wounds (D6)", "No Armour Saves")
"""Rules of a cannon ball."""

MISSILE: dict[str, Arm] = {
    "bow": Arm("bow", 3, reach=24, rules=("Volley Fire",)),
    "crossbow": Arm("crossbow", 4, reach=30, rules=("Move or Fire",)),
    "handgun": Arm("handgun", 4, reach=24, rules=("Armour Piercing", "Move or Fire")),
    "javelin": Arm("javelin", reach=12, rules=("Quick to Fire",)),
    "longbow": Arm("longbow", 3, reach=30, rules=("Volley Fire",)),
    "pistol": Arm("pistol", 4, reach=12, rules=("Armour Piercing", "Quick to Fire")),
    "brace of pistols": Arm(
        "brace of pistols", 4, reach=12, rules=("Armour Piercing", "Quick to Fire", "Multiple Shots (2)")
    ),
    "short bow": Arm("short bow", 3, reach=18, rules=("Volley Fire",)),
    "sling": Arm("sling", 3, reach=18, rules=("Multiple Shots (2)",)),
    "throwing weapons": Arm("throwing weapons", reach=6, rules=("Quick to Fire",)),
    "throwing axes": Arm("throwing axes", "+1", reach=6, rules=("Quick to Fire",)),
    "bolt thrower": Arm(
        "bolt thrower", 6, reach=48, rules=("Multiple Wounds (D3)", "No Armour Saves"), machine=True, goes_on="ranks"
    ),
    "cannon": Arm("cannon", 10, reach=48, template=True, rules=BALL, machine=True, goes_on="models", misfires=True),
    "great cannon": Arm(
        "great cannon", 10, reach=60, template=True, rules=BALL, machine=True, goes_on="models", misfires=True
    ),
    "grapeshot": Arm("grapeshot", 5, reach=12, rules=("Armour Piercing",), artillery_hits=True, machine=True),
    "fire thrower": Arm(
        "fire thrower", 5, template=True, rules=("Flaming Attacks",), machine=True, alarms=True, misfires=True
    ),
    "stone thrower": Arm(
        "stone thrower",
        3,
        reach=60,
        template=True,
        centre=9,
        rules=("Multiple Wounds (D6)",),
        machine=True,
        least=12,
        misfires=True,
    ),
}
"""Missile weapons and war machines. Source: L784-883, L1070-1146 [text]; cannons allow no armour save [carried]."""

ALIASES = {
    "ручное оружие": "hand weapon",
    "sword": "hand weapon",
    "цеп": "flail",
    "большое оружие": "great weapon",
    "great weapons": "great weapon",
    "алебарда": "halberd",
    "рыцарское копьё": "lance",
    "рыцарское копье": "lance",
    "моргенштерн": "morning star",
    "копьё": "spear",
    "копье": "spear",
    "копьё для пехоты": "spear",
    "spear infantry": "spear",
    "infantry spear": "spear",
    "spear cavalry": "cavalry spear",
    "копьё для кавалерии": "cavalry spear",
    "дополнительное ручное оружие": "additional hand weapon",
    "два ручных оружия": "additional hand weapon",
    "two hand weapons": "additional hand weapon",
    "пара пистолетов": "brace of pistols",
    "лук": "bow",
    "арбалет": "crossbow",
    "аркебуза": "handgun",
    "дротик": "javelin",
    "javelins": "javelin",
    "длинный лук": "longbow",
    "long bow": "longbow",
    "пистолет": "pistol",
    "shortbow": "short bow",
    "короткий лук": "short bow",
    "праща": "sling",
    "throwing weapon": "throwing weapons",
    "throwing knives": "throwing weapons",
    "метательное оружие": "throwing weapons",
    "throwing axe": "throwing axes",
    "метательные топоры": "throwing axes",
    "стреломёт": "bolt thrower",
    "пушка": "cannon",
    "большая пушка": "great cannon",
    "картечь": "grapeshot",
    "огнемёт": "fire thrower",
    "камнемёт": "stone thrower",
}


def named(name: str) -> tuple[Arm | None, Arm | None]:
    """A weapon of the rulebook in close combat and in shooting; None where it has no use or is unknown."""
    key = folded(name)
    key = ALIASES.get(key, key)
    return MELEE.get(key), MISSILE.get(key)


def of_profile(profile: WeaponProfile) -> Arm:
    """A weapon with a profile of its own."""
    reach = profile.range
    rules = {folded(rule) for rule in profile.rules}
    own = Arm(
        profile.name,
        "User" if profile.S is None else profile.S,
        reach=float(reach) if isinstance(reach, int | float) else None,
        template=reach in ("Template", "Hellstorm"),
        centre=profile.centre_S,
        rules=profile.rules,
        override=profile.override,
        grip="two_hands" if rules & {"requires two hands", "занимает две руки"} else None,
        misfires=profile.centre_S is not None,
    )
    if not isinstance(profile, ListedWeapon):
        return own
    return replace(own, when=profile.when) if profile.works_as is None else _as_machine(own, profile.works_as)


def _as_machine(own: Arm, kind: str) -> Arm:
    """A weapon of an army book that is a machine of the rulebook, with its own range and Strength."""
    machine = MISSILE[kind]
    rules = () if machine.centre is not None else machine.rules
    return replace(
        machine,
        name=own.name,
        strength=machine.strength if own.strength == "User" else own.strength,
        reach=machine.reach if own.reach is None else own.reach,
        centre=own.centre,
        rules=(*own.rules, *(rule for rule in rules if rule not in own.rules)),
        override=own.override,
        works_as=kind,
    )


def is_missile(weapon: str | WeaponProfile) -> bool:
    """Whether the weapon is used in the shooting phase."""
    if isinstance(weapon, str):
        return named(weapon)[1] is not None
    return isinstance(weapon.range, int | float) or weapon.range in ("Template", "Hellstorm")


def melee_arms(group: Group) -> tuple[Arm, bool]:
    """The close combat weapon in use, and whether an additional weapon adds an attack.

    The first melee weapon is used; a hand weapon when there is none.
    """
    arms: list[Arm] = []
    extra = False
    for weapon in group.weapons:
        if isinstance(weapon, WeaponProfile):
            if not is_missile(weapon):
                arms.append(of_profile(weapon))
            continue
        melee, missile = named(weapon)
        if melee is not None and melee.grip == "second":
            extra = True
        elif melee is not None:
            mounted = group.mount is not None or group.troop_type in ("cavalry", "monstrous_cavalry")
            arms.append(MELEE["cavalry spear"] if melee.name == "spear" and mounted else melee)
        elif missile is None:
            arms.append(Arm(weapon, known=False))
    return (arms[0] if arms else HAND_WEAPON), extra


def missile_arm(group: Group) -> tuple[int, Arm] | None:
    """The weapon fired, with its place in the list; a weapon of its own profile will do when none is for shooting."""
    for index, weapon in enumerate(group.weapons):
        if is_missile(weapon):
            if isinstance(weapon, WeaponProfile):
                return index, of_profile(weapon)
            arm = named(weapon)[1]
            assert arm is not None
            return index, arm
    for index, weapon in enumerate(group.weapons):
        if isinstance(weapon, WeaponProfile):
            return index, of_profile(weapon)
    return None


def strength_of(strength: Strength, user: int | None) -> int | None:
    """The Strength of a hit: a number, or a change of the model's own; None when the weapon has none."""
    if isinstance(strength, int):
        return strength
    if strength in ("-", "–") or user is None:
        return None
    if strength is None or strength == "User":
        return user
    return user + int(strength[1:]) if strength.startswith("+") else user * int(strength[1:])
