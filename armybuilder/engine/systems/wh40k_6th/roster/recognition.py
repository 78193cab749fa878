"""What names in game data mean to 40k 6th edition: roles, detachments, armies, characteristics and weapons.

Two spellings are known: that of our own fixtures and that of the community's data of the 6th and 7th editions ("LD" and
"Ld", "2+/4++", "Space Marines: Codex (2013) v60"). Nothing here guesses; what is not recognised is None, and the caller
says so. docs/recognition.md shows the same as a table.
"""

import re
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Literal, NamedTuple

from msgspec.structs import replace

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.list_rules import Override
from armybuilder.engine.systems.roster_reading.role_names import CHART_ROLES
from armybuilder.engine.systems.wh40k_6th.army import Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.list_rules.allies import canonical

NO_SLOT = "no_slot"
"""Role of units that the data lets an army have without a slot; any role outside the chart takes none."""

TRANSPORT = "dedicated_transport"

ROLES = {**CHART_ROLES, "no force org slot": NO_SLOT}
"""Roles by the name of the primary category."""

SLOTS = frozenset(ROLES.values()) - {NO_SLOT}
"""Roles that the chart has slots for."""

WEAPON_PROFILE = "Weapon"

SAVES = range(2, 7)
TABLE = range(1, 11)
PENETRATIONS = range(1, 7)
UNLIMITED = 120
"""Inches of a range without an end: more than any table is long."""

MOST_DIGITS = 2
"""Digits of a Strength or AP that a document holds."""

DetachmentType = Literal["primary", "allied", "fortification", "lord_of_war", "other"]

_MODELS = ("unit", "vehicle", "walker", "monstrous creature", "flyer", "flying monstrous creature", "building")
_HULLS = ("vehicle", "walker", "flyer")
_DETACHMENTS: dict[str, DetachmentType] = {
    "primary detachment": "primary",
    "combined arms detachment": "primary",
    "allied detachment": "allied",
    "fortification": "fortification",
    "fortification detachment": "fortification",
    "lord of war detachment": "lord_of_war",
    "lords of war detachment": "lord_of_war",
}


def detachment_type(force_name: str) -> DetachmentType | None:
    """The detachment of the standard chart a force entry is; None for any other chart."""
    return _DETACHMENTS.get(force_name.strip().casefold())


def is_a_chart_of_its_own(force_name: str) -> bool:
    """Whether an army may consist of such a detachment instead of a primary one of the standard chart.

    The Knights have their own, "Primary Knight Detachment"; so have battles of other books.
    """
    return _OWN_CHARTS.match(force_name.strip()) is not None and detachment_type(force_name) is None


_OWN_CHARTS = re.compile(r"primary\b|apocalypse\b|spearhead\b|planetstrike\b|zone mortalis\b", re.IGNORECASE)


def role_of(category_name: str) -> str | None:
    """The role a primary category stands for."""
    return ROLES.get(category_name.strip().rstrip(":").casefold())


def is_extra_chart(name: str) -> bool:
    """Whether a selection doubles the chart of its force, as the community's "Extra Detachment" does."""
    return bool(re.fullmatch(r"(extra|second|additional)\b.*\bdetachment", name.strip(), re.IGNORECASE))


@lru_cache(maxsize=256)
def army_name(catalogue_name: str) -> str:
    """The codex army behind a catalogue's name: `Tau` of "Tau Empire: Codex (2013) v22"."""
    return canonical(re.sub(r"\s{0,9}:\s{0,9}codex\b.*$", "", catalogue_name.strip(), flags=re.IGNORECASE))


# Profiles of models


@lru_cache(maxsize=256)
def _kind_of(type_name: str) -> str:
    """`vehicle` of the profile types "Vehicle", "Vehicle (Transport)" and "Vehicle (Super Heavy)"."""
    return type_name.partition("(")[0].strip().casefold()


def _kind(profile: ProfileState) -> str:
    return _kind_of(profile.type_name)


def is_model(profile: ProfileState) -> bool:
    """Whether it describes a model, and has figures; authors leave some profiles empty."""
    return _kind(profile) in _MODELS and any(
        value.strip() not in ("", "-") for name, value in profile.characteristics if name not in ("Unit Type", "Pg")
    )


def is_weapon(profile: ProfileState) -> bool:
    """Whether it describes a weapon."""
    return profile.type_name == WEAPON_PROFILE


def is_wargear(profile: ProfileState) -> bool:
    """Whether it describes other gear."""
    return not is_weapon(profile) and not is_model(profile)


def is_hull(profile: ProfileState) -> bool:
    """Whether it describes a vehicle, a walker or a flyer."""
    return _kind(profile) in _HULLS and "building" not in (profile.value("Type") or "").casefold()


@lru_cache(maxsize=2048)
def words_of_type(text: str) -> tuple[str, ...]:
    """`Infantry (Character)` -> infantry, character; "(Ch)" is the community's short form."""
    words = [part.strip().casefold() for part in re.split(r"[(),;:/]", text)]
    return tuple(dict.fromkeys("character" if part == "ch" else part for part in words if part))


def unit_type(profile: ProfileState) -> tuple[str, ...]:
    """Unit type and sub-types: those of the profile, led by what the type of profile says of vehicles."""
    written = words_of_type(profile.value("Unit Type") or profile.value("Type") or profile.value("Building Type") or "")
    kind = _kind(profile)
    if kind == "building" or any("building" in word for word in written):
        return ("building", *written)
    return tuple(dict.fromkeys((kind, *written))) if kind != "unit" else written


def names_no_type(profile: ProfileState) -> bool:
    """Whether a figure stands where the type of a unit should: "4" for a sergeant on a bike."""
    return (profile.value("Unit Type") or "").strip().isdecimal()


def with_type_of(profile: ProfileState, other: ProfileState) -> ProfileState:
    """A row with the unit type of another."""
    written = other.value("Unit Type") or ""
    told = tuple((name, written if name == "Unit Type" else value) for name, value in profile.characteristics)
    return replace(profile, characteristics=told)


@lru_cache(maxsize=4096)
def _number(text: str) -> int | None:
    found = re.match(r"\s*(-?\d{1,4})\s*(?:\(\d{1,4}\))?\s*$", text)
    return int(found.group(1)) if found else None


def _need(text: str) -> str | None:
    found = re.fullmatch(r"\s*([1-9]|10)\+*\s*", text)
    return f"{found.group(1)}+" if found else None


def model_profile(profile: ProfileState) -> Profile:
    """The characteristics of a model; armour values are no part of the army document.

    A dash and an empty cell mean that the characteristic plays no part, and so does a Ballistic Skill of 0. A save
    written "2+/4++" is an armour save and an invulnerable one; a Toughness written "4(5)" is that on the bike.
    """
    values = dict(profile.characteristics)
    armour, _, invulnerable = values.get("Save", "").partition("/")

    def number(*names: str) -> int | None:
        return next((found for name in names if (found := _number(values.get(name, ""))) is not None), None)

    return Profile(
        WS=number("WS"),
        BS=number("BS") or None,
        S=number("S"),
        T=_number(re.sub(r"^\s*\d{1,4}\s*\((\d{1,4})\)", r"\1", values.get("T", ""))),
        W=number("W"),
        I=number("I"),
        A=number("A"),
        Ld=number("LD", "Ld"),
        Sv=_need(armour),
        Inv=_need(invulnerable),
    )


_NUMBERS = ("WS", "BS", "S", "T", "W", "I", "A", "LD", "Ld")
_NOTHING = ("", "-", "–", "—", "n/a", "*")


def unreadable(profile: ProfileState) -> tuple[str, ...]:
    """Characteristics whose text is neither a number nor a dash nor empty, as "name: text"."""
    found = []
    for name, value in profile.characteristics:
        text = value.strip()
        if text.casefold() in _NOTHING:
            continue
        if (name in _NUMBERS and _number(text) is None) or (
            name == "Save" and any(_need(part) is None for part in text.split("/") if part.strip() not in _NOTHING)
        ):
            found.append(f"{name}: {text}")
    return tuple(found)


# Weapons


class ReadWeapon(NamedTuple):
    """A weapon profile as far as it can be read: the weapon, or what stands in the way, as "name: text"."""

    weapon: Weapon | None
    unreadable: str


_SHOTS = re.compile(r"\s(?P<shots>\d{1,4}|\d{0,2}D[36](?:[+-]\d{1,2})?)\Z", re.IGNORECASE)
_SEVERAL = re.compile(r"(?P<guns>[1-9]\d?)\s*[x×]\s*(?P<type>rapid fire)", re.IGNORECASE)
_MELEE_RANGE = ("-", "–", "")
_NO_STRENGTH = ("-", "–", "", "X", "x", "*")
_SHORT_TYPES = {"ord.": "Ordnance"}
_SHOOTING_TYPES = ("assault", "heavy", "pistol", "rapid fire", "ordnance", "salvo")


def _wounds_on(rule: str) -> str | None:
    """The roll to wound of a rule that needs no Strength: Sniper 4+ and Poisoned, 4+ without a value. [carried]"""
    found = re.fullmatch(r"(sniper)|poison(?:ed)?\s*(?:\(?([2-6])\+\)?)?", rule.strip(), re.IGNORECASE)
    if found is None:
        return None
    return f"{found[2] or 4}+"


@lru_cache(maxsize=1024)
def plain_name(weapon: str) -> str:
    """A weapon's name as it is compared: "Bolter" is a boltgun, "Bolt Pistol" and "Bolt pistols" are one.

    Authors misspell missiles.
    """
    name = re.sub(r"[\W_]", "", weapon.casefold()).removesuffix("s").replace("missle", "missile")
    return name.removesuffix("bolter") + "boltgun" if name in ("bolter", "twinlinkedbolter") else name


def is_printed(weapon: Weapon) -> bool:
    """Whether the tables of the rules have all its values, so that it can be fired."""
    strength = not isinstance(weapon.S, int) or weapon.S in TABLE
    penetration = not isinstance(weapon.AP, int) or weapon.AP in PENETRATIONS
    aimless = not weapon.is_melee and (weapon.range == 0 or (weapon.S == "-" and weapon.override is None))
    return strength and penetration and not aimless


def weapon_of(profile: ProfileState, *, name: str | None = None) -> ReadWeapon:
    """A Weapon profile as the document writes it.

    A weapon without a range is a close combat weapon. One whose range, Strength or AP is no value of any document
    ("D", "2D6", "8 (Melta)") is left out, as is a gun whose Strength the data leaves empty; numbers that the tables do
    not print are W6-02, W6-04 and W6-05. A gun without Strength wounds as its rule says (Sniper, Poisoned), or has a
    rule of its own and is left out.
    """
    values = {key: value.strip() for key, value in profile.characteristics}
    type_, shots, rules = _weapon_type(_thrown(values.get("Type", "")))
    reach = _range(_thrown(values.get("Range", "")))
    strength, penetration = _strength(values.get("Strength", "")), _penetration(values.get("AP", ""))
    melee = reach == "-"
    wounds_on = None
    if strength is None and values.get("Strength", "") in _NO_STRENGTH:
        wounds_on = next((need for rule in rules if (need := _wounds_on(rule))), None)
        plain = values.get("Strength") and reach is not None and not rules and type_.casefold() in _SHOOTING_TYPES
        strength = "-" if melee or plain or wounds_on is not None else None
    if reach is None or strength is None or penetration is None:
        cell = "Range" if reach is None else "Strength" if strength is None else "AP"
        return ReadWeapon(None, f"{cell}: {values.get(cell, '')}")
    if melee and not type_.casefold().startswith("melee"):
        rules = tuple(dict.fromkeys((type_, *rules))) if type_ else rules
        type_ = "Melee"
    return ReadWeapon(
        Weapon(
            name=name or profile.name,
            range=reach,
            S=strength,
            AP=penetration,
            type=type_ or None,
            shots=shots,
            rules=rules,
            override=Override(to_wound=wounds_on) if wounds_on is not None else None,
        ),
        "",
    )


_ROLLED = re.compile(r"(\d?)D6(?:\+(\d))?", re.IGNORECASE)


def without_dice(profile: ProfileState) -> ProfileState:
    """A weapon whose Strength or AP is rolled, with the average: `2D6` is 7, a D6 of AP is 4; the same without one."""
    changed = tuple(
        (key, str(ceil(int(found[1] or 1) * Fraction(7, 2)) + int(found[2] or 0)))
        if key in ("Strength", "AP") and (found := _ROLLED.fullmatch(value.strip()))
        else (key, value)
        for key, value in profile.characteristics
    )
    return profile if changed == profile.characteristics else replace(profile, characteristics=changed)


def _thrown(text: str) -> str:
    """Of a grenade that is thrown or set by hand, the throw: `8" (thrown)/-(Melee)` is 8"."""
    return re.sub(r"\s{0,9}\(thrown\)\s{0,9}/.*", "", text, flags=re.IGNORECASE)


def has_least_range(profile: ProfileState) -> bool:
    """Whether a gun cannot be fired at what is near: "42-72"" of a conversion beamer, not its "0-18""."""
    return re.match(r"[1-9]\d{0,3}\"?\s{0,9}[-–]\s{0,9}\d", (profile.value("Range") or "").strip()) is not None


def _range(text: str) -> Literal["Template", "Hellstorm", "-"] | int | None:
    """`24"`, "18-96" (its maximum), "Template", "Unlimited" or "Infinite"; a dash is close combat; else None."""
    if text in _MELEE_RANGE or text.casefold() == "melee":
        return "-"
    if text.casefold() in ("unlimited", "infinite"):
        return UNLIMITED
    for word in ("Template", "Hellstorm"):
        if text.casefold() == word.casefold():
            return word
    found = re.fullmatch(r"(?:\d{1,4}\"?\s{0,9}[-–]\s{0,9})?(\d{1,4})\s{0,9}[\"”]?", text)
    return int(found.group(1)) if found else None


def _strength(text: str) -> int | str | None:
    if text.isdecimal():
        return int(text) if len(text) <= MOST_DIGITS else None
    if re.fullmatch(r"\+\d{1,4}|[x×]\d{1,4}", text, re.IGNORECASE):
        return text.lower()
    return "User" if text.casefold() == "user" else None


def _penetration(text: str) -> int | str | None:
    if text in _MELEE_RANGE:
        return "-"
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


@lru_cache(maxsize=1024)
def _weapon_type(text: str) -> tuple[str, int | str | None, tuple[str, ...]]:
    """`Heavy 4, Rending` -> Heavy, 4 shots, (Rending); of "3x Rapid Fire" the shots are guns, each fired so."""
    first, *rest = [part.strip() for part in re.split(r",\s*", text)]
    rules = tuple(dict.fromkeys(part for part in rest if part))
    if several := _SEVERAL.fullmatch(first):
        return several["type"], int(several["guns"]), rules
    found = _SHOTS.search(first)
    if found is None:
        return first, None, rules
    type_, shots = first[: found.start()].rstrip(), found["shots"].upper()
    return _SHORT_TYPES.get(type_.casefold(), type_), int(shots) if shots.isdecimal() else shots, rules
