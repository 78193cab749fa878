"""What names in game data mean to the rulebook: roles, detachments, factions, unit types and characteristics.

Two spellings are known: that of our own fixtures and that of the community's data ("HQ:", "LA -  XVI: Sons of Horus",
"Vehicle (Flyer, Hover, Transport)"). Nothing here guesses; what is not recognised is None, and the caller says so.
docs/recognition.md shows the same as a table.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from armybuilder.engine.roster.state import ForceState, ProfileState, SelectionState
from armybuilder.engine.systems.horus_heresy import factions
from armybuilder.engine.systems.horus_heresy.army import ArmourValues, Profile
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole, DetachmentType, word
from armybuilder.engine.systems.roster_reading.role_names import CHART_ROLES

ROLES = {
    **{name: BattlefieldRole(key) for name, key in CHART_ROLES.items()},
    "primarch": BattlefieldRole.PRIMARCH,
    "primarchs": BattlefieldRole.PRIMARCH,
}
"""Battlefield roles by the name of the primary category."""

_MAY_EMBARK = re.compile(r"\bmay embark (?:freely )?(?:up)?on models with the transport\b", re.IGNORECASE)
_CARRIES = re.compile(r"\bmay transport a single model with the (\w{1,40}) unit type\b", re.IGNORECASE)
"""How rules of the data make exceptions to who embarks."""

NO_ROLE = "none"
"""What stands for the role of a unit whose data has no primary category; no slot is asked for it."""

UNIT_TYPES = frozenset(
    {"infantry", "cavalry", "automata", "dreadnought", "daemon", "primarch", "vehicle", "fortification"}
)
"""Unit types of the rulebook (L1550-L1610, L1815, L2606)."""

MODEL_PROFILES = frozenset({"Unit", "Vehicle", "Knights and Titans", "Fortification"})
"""Profile types that describe a model; whatever shows one of them is a model."""

NUMBERS = ("Move", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "Save", "HP")
FACINGS = ("Front", "Side", "Rear")
"""Characteristics of models that are numbers, or a dash."""

PSYCHIC_WEAPON = "Psychic Weapon"
WEAPON_PROFILES = frozenset({"Weapon", PSYCHIC_WEAPON})
WARGEAR_PROFILES = frozenset({"Wargear Item", "Ability"})
PSYCHIC_PROFILES = frozenset({PSYCHIC_WEAPON, "Psychic Power"})
TRAIT_PROFILE = "Warlord Trait"

_BEARER = (
    r"(?:^|[.,:•>\n]\s*|then )an? [^.]*?"
    r"\bwith (?:this (?:upgrade|dark blessing|special rule)|the [^.,]*? upgrade)"
)
_OPEN_CHOICE = re.compile(r"no \w+ chosen", re.IGNORECASE)

_GRANT = re.compile(_BEARER + r"(?:[^.]*?\sand)? gains? the ([\w, -]*?) (?:unit )?sub-types?\b", re.IGNORECASE)
_SHARED_RULE = re.compile(
    r"a unit that includes any models with the [\w -]+? (?:unit )?sub-type has the ([\w -]+?) special rule",
    re.IGNORECASE,
)
_JOINED_BY_NOBODY = re.compile(
    r"a unit that (?:includes any models|contains a model) with the [\w -]+? (?:unit )?sub-type (?:cannot|may never) "
    r"be joined by any other models",
    re.IGNORECASE,
)
_JOINED_BY_ITS_LIKE = re.compile(
    r"a unit that includes any models with this special rule may not (?:join or )?be joined by any model that does not "
    r"also have this special rule",
    re.IGNORECASE,
)
_MUST_LEAD = re.compile(
    rf"[^.]*(?:{_BEARER}|, it) must be (?:(?:chosen|selected) (?:as|is) )?the "
    r"(?:army.s warlord|warlord of an army that)",
    re.IGNORECASE,
)

_BOTH_WEAPONS = re.compile(
    r"\b(?:bonus for|additional) [^.]{0,60}\b(?:weapons|attacks) (?:has|have|is|are) already (?:been )?included",
    re.IGNORECASE,
)
_COMPULSORY = "Compulsory "
_NEVER_COMPULSORY = re.compile(
    r"\b(?:may|can)(?:not|\s(?:not|never)) be (?:taken|chosen|selected) as an? compulsory\b|\bnon-compulsory HQ\b",
    re.IGNORECASE,
)
_TRAIT_MARK = re.compile(r"^warlord(?: trait)?:\s*", re.IGNORECASE)

_TYPE_SPELLINGS = {
    "fortificaion": "fortification", "fortication": "fortification", "building": "fortification",
    "infanty": "infantry", "intantry": "infantry",
}  # fmt: skip
_SUBTYPE_SPELLINGS = {"skrimish": "skirmish"}
_ARMY_LISTS = {
    "solar auxilia": "Imperial Army",
    "imperialis militia": "Imperial Army",
    "warp cults": "Imperial Army",
    "mechanicum": "Mechanicum",
    "mech library": "Mechanicum",
    "questoris household": "Mechanicum",
    "titan legions": "Mechanicum",
    "custodes": "Agents of the Emperor",
    "legio custodes": "Agents of the Emperor",
    "sisters of silence": "Agents of the Emperor",
    "assassins and agents": "Agents of the Emperor",
    "assassins": "Agents of the Emperor",
}
_SHARED_BY_ALL = frozenset({"lords of war"})
"""Catalogues whose units belong to whatever faction the Primary Detachment has."""
ONLY_ALLIES = frozenset({"Bound Daemons"})
"""Army lists, by the choice that names them, of which data means to allow an Allied Detachment and no other."""


class ArmyList(NamedTuple):
    """What a catalogue's name says.

    Attributes:
        name: what players call the army list, e.g. Solar Auxilia.
        faction: of the alliance matrix; None when it is not recognised or is the Primary Detachment's.
        legion: for the catalogues of the Legions.
        of_primary: the catalogue goes with the Primary Detachment's faction.
    """

    name: str
    faction: str | None
    legion: str | None
    of_primary: bool = False


def plain(name: str) -> str:
    """A name without what data authors add for sorting: blanks, a colon at the end, numbers in front."""
    return re.sub(r"^\d+(\.\d+)?\)\s*", "", name.strip()).rstrip(":").strip()


def limitations(text: str) -> int:
    """How many limitations the text of a Rite of War lists after that word."""
    return text.partition("Limitations")[2].count("•")


def is_open_choice(name: str) -> bool:
    """Whether an option of the data says that nothing was chosen yet: "No Legion Chosen"."""
    return _OPEN_CHOICE.fullmatch(plain(name)) is not None


def is_model(row: ProfileState) -> bool:
    """Whether it describes a model."""
    return row.type_name in MODEL_PROFILES


def is_weapon(row: ProfileState) -> bool:
    """Whether it describes a weapon."""
    return row.type_name in WEAPON_PROFILES


def is_terminator(unit_name: str) -> bool:
    """Whether a unit is called after its Terminator armour, all of which is an invulnerable save too."""
    return "terminator" in unit_name.casefold().split()


def is_melee(row: ProfileState) -> bool:
    """Whether a weapon is one of close combat alone."""
    return (row.value("Type") or "").strip().casefold().startswith("melee")


def counts_both_weapons(text: str) -> bool:
    """Whether a text says that the attack for a second weapon stands in the profile already."""
    return _BOTH_WEAPONS.search(text) is not None


def is_wargear(row: ProfileState) -> bool:
    """Whether it describes other gear."""
    return row.type_name in WARGEAR_PROFILES


@lru_cache(maxsize=512)
def role_of(category_name: str) -> BattlefieldRole | None:
    """The battlefield role a primary category stands for."""
    return ROLES.get(plain(category_name).casefold())


@lru_cache(maxsize=256)
def army_list(catalogue_name: str) -> ArmyList:
    """The army list and faction behind a catalogue's name."""
    name = re.sub(r"^(\d{4}\s*-\s*)?((LA|LI)\s*-\s*)?", "", catalogue_name.strip())
    name = legion_label(name) or name.strip()
    if factions.legion(name) is not None:
        legion = factions.words(name).en
        return ArmyList(legion, legion, legion)
    key = name.casefold()
    if key in _SHARED_BY_ALL:
        return ArmyList(name, None, None, of_primary=True)
    return ArmyList(name, _ARMY_LISTS.get(key), None)


@lru_cache(maxsize=1024)
def legion_label(name: str) -> str | None:
    """`Sons of Horus` of "XVI: Sons of Horus", the way the community marks a unit's Legion; else None."""
    found = re.fullmatch(r"[IVX]+:\s*(.+)", name.strip())
    if found is None or factions.legion(found.group(1)) is None:
        return None
    return factions.words(found.group(1)).en


def compulsory_role(category_name: str) -> BattlefieldRole | None:
    """The role of a category that only counts its compulsory choices: "Compulsory HQ:"."""
    name = plain(category_name)
    return role_of(name.removeprefix(_COMPULSORY)) if name.startswith(_COMPULSORY) else None


def may_be_compulsory(unit: SelectionState) -> bool:
    """Whether it is a character of his own whom no text keeps from being a compulsory choice (L3345, L3534)."""
    names = {rule.name.strip().casefold() for node in unit.walk() for rule in node.rules}
    of_his_own = not names.isdisjoint({"independent character", "master of the legion"})
    return of_his_own and not any(_NEVER_COMPULSORY.search(text) for node in unit.walk() for text in _texts(node))


def is_of_warlord(category_name: str) -> bool:
    """Whether a limit of a detachment counts warlords; HH-32 and HH-33 do that, and know whom the player named."""
    return plain(category_name).casefold() == "warlord"


def is_trait_rule(rule_name: str) -> bool:
    """Whether a rule is a character's warlord trait, which the data prints as "Warlord: Defiant unto Death"."""
    return _TRAIT_MARK.match(rule_name) is not None


def trait_name(text: str) -> str:
    """A warlord trait without what the data puts before its name, or behind it in brackets."""
    return re.sub(r"\s{0,9}\(warlord trait\)\Z", "", _TRAIT_MARK.sub("", text), flags=re.IGNORECASE)


def is_of_trait(choice_name: str) -> bool:
    """Whether a choice of the data is the warlord's trait; HH-39 to HH-43 know the one that the player stated."""
    return plain(choice_name).casefold().startswith("warlord trait")


def is_of_legion(choice_name: str) -> bool:
    """Whether a choice of the data is the one Legion that a unit is of."""
    return plain(choice_name).casefold().rstrip(":") == "legion"


def is_of_cap(category_name: str) -> bool:
    """Whether a limit is the 25 % of Lords of War and Primarchs, which data can take of the list's cost alone.

    HH-28 to HH-31 know the agreed points (L3513-L3526).
    """
    return re.search(r"\(25 ?% limit\)", category_name, flags=re.IGNORECASE) is not None


def is_psychic(profile: ProfileState) -> bool:
    """A psychic weapon or power; a Cybertheurgic Rite stands among the powers of the data and is none."""
    return profile.type_name in PSYCHIC_PROFILES and "(cybertheurgic" not in profile.name.casefold()


def may_embark(unit: SelectionState, *, but_for: SelectionState) -> bool:
    """Whether an entry lets its models embark, whatever they are or wear: *Guardian*, an Incunabulan jet pack.

    Args:
        but_for: its transport, which stands among its selections.
    """
    aside = {node.id for node in but_for.walk()}
    return any(_MAY_EMBARK.search(text) for node in unit.walk() if node.id not in aside for text in _texts(node))


def types_carried(transport: SelectionState) -> frozenset[str]:
    """Unit types that a transport carries by a rule of its own besides Infantry: *Dreadnought Transport*."""
    found = (_CARRIES.search(text) for node in transport.walk() for text in _texts(node))
    return frozenset(word(match[1]) for match in found if match)


def _texts(node: SelectionState) -> Iterator[str]:
    yield from (rule.description or "" for rule in node.rules)
    yield from (text for profile in node.profiles for _, text in profile.characteristics)


def bars_all(text: str) -> bool:
    """Whether a text says that nobody joins the unit, as that of the sub-type *Inductii*."""
    return _JOINED_BY_NOBODY.search(text) is not None


def bars_others(text: str) -> bool:
    """Whether a rule lets only those who have it themselves join a unit that does (*Cults Abominatio*)."""
    return _JOINED_BY_ITS_LIKE.search(text) is not None


def detachment_type(force: ForceState) -> DetachmentType | None:
    """The detachment a force is: by its force entry, or by what marks it as a Lord of War Detachment."""
    marks = {plain(selection.name).casefold() for selection in force.selections}
    if "low detachment" in marks or army_list(force.catalogue_name).of_primary:
        return DetachmentType.LORD_OF_WAR
    name = force.name.casefold()
    if "allied" in name:
        return DetachmentType.ALLIED
    if re.search(r"lords? of war", name):
        return DetachmentType.LORD_OF_WAR
    if "primary" in name or "crusade" in name:
        return DetachmentType.PRIMARY
    return None


class UnitType(NamedTuple):
    """Type and sub-types as a profile writes them; type None when no type of the rulebook is among the words."""

    type: str | None
    subtypes: tuple[str, ...]


@lru_cache(maxsize=2048)
def unit_type(text: str) -> UnitType:
    """`Infantry (Character, Line)` -> infantry, (character, line)."""
    words = [word(part).strip("*").rstrip(".") for part in re.split(r"[(),;:\n]", text)]
    words = [part for part in words if part]
    found: str | None = None
    subtypes: list[str] = []
    for part in words:
        named = _TYPE_SPELLINGS.get(part, part)
        if found is None and named in UNIT_TYPES:
            found = named
            subtypes.clear()  # "Legionary (Infantry)": what stands before the type is the model's name
        elif named not in UNIT_TYPES:
            subtypes.append(_SUBTYPE_SPELLINGS.get(part, part))
    return UnitType(found, tuple(dict.fromkeys(subtypes)))


@lru_cache(maxsize=512)
def category_type(category_name: str) -> str | None:
    """The unit type a category stands for: "Infantry:", "Cavalry Unit-type:", "Vehicle:"."""
    name = word(re.sub(r"[\s-]*unit([\s-]*type)?$", "", plain(category_name), flags=re.IGNORECASE))
    return name if name in UNIT_TYPES else None


@lru_cache(maxsize=512)
def category_subtype(category_name: str) -> str | None:
    """The sub-type a category stands for: "Line Sub-type:", "Character", "Psyker:"."""
    name = plain(category_name)
    found = re.fullmatch(r"(.+?)[\s-]*(?:unit )?sub[\s-]*type", name, flags=re.IGNORECASE)
    if found is not None:
        return word(found.group(1))
    if name.casefold() == "independent character":  # every one is a Character
        return "character"
    return word(name) if name.casefold() in {"character", "psyker"} else None


@lru_cache(maxsize=4096)
def granted_subtypes(text: str) -> tuple[str, ...]:
    """What an upgrade's text gives whoever takes it: "A model with this upgrade gains the Character Unit Sub-type"."""
    found = _GRANT.search(text)
    return tuple(word(name) for name in re.split(r",| and ", found.group(1)) if name.strip()) if found else ()


@lru_cache(maxsize=4096)
def rules_of_subtype(text: str) -> tuple[str, ...]:
    """What a sub-type's text gives the unit: "A unit that includes any models with ... has the Support Squad ..."."""
    return tuple(found.group(1) for found in _SHARED_RULE.finditer(text))


@lru_cache(maxsize=4096)
def must_lead(text: str, *, in_primary: bool) -> bool:
    """Whether a rule's text makes its bearer the warlord; some do so in the Primary Detachment only."""
    found = _MUST_LEAD.search(text)
    return found is not None and (in_primary or "the primary detachment" not in found.group().casefold())


@lru_cache(maxsize=4096)
def _number(text: str) -> int | None:
    found = re.match(r"\s*(-?\d+)", text)
    return int(found.group(1)) if found else None


def capacity(profile: ProfileState) -> int | None:
    """Transport capacity of a vehicle or building; None for none."""
    return _number(profile.value("Transport Capacity") or "")


def model_profile(profile: ProfileState) -> Profile:
    """The characteristics of a model profile, those of vehicles as armour values and Hull Points.

    A dash and an empty cell both mean that the characteristic plays no part; a Movement of "-" is kept as a dash.
    """
    values = dict(profile.characteristics)

    def number(name: str) -> int | None:
        return _number(values.get(name, ""))

    movement: int | UnsetType | None = UNSET
    if values.get("Move", "").strip():
        movement = number("Move")
    facings = [number(name) for name in ("Front", "Side", "Rear")]
    armour = ArmourValues(front=facings[0], side=facings[1], rear=facings[2]) if any(facings) else None
    save = re.match(r"\s*(\d+)\+?", values.get("Save", ""))
    return Profile(
        M=movement,
        WS=number("WS"),
        BS=number("BS"),
        S=number("S"),
        T=number("T"),
        W=number("W"),
        I=number("I"),
        A=number("A"),
        Ld=number("Ld"),
        Sv=f"{save.group(1)}+" if save else None,
        AV=armour,
        HP=number("HP"),
    )


def unreadable(profile: ProfileState) -> tuple[str, ...]:
    """Characteristics whose text is neither a number nor a dash nor empty, as "name: text"."""
    return tuple(
        f"{name}: {value}"
        for name, value in profile.characteristics
        if name in (*NUMBERS, *FACINGS)
        and value.strip() not in ("", "-", "–", "—", "n/a", "N/A")
        and _number(value) is None
    )


def left_empty(profile: ProfileState) -> tuple[str, ...]:
    """Characteristics whose cell the author left empty, where a model that has none shows a dash.

    HH-60 speaks of the armour of vehicles.
    """
    return tuple(name for name, value in profile.characteristics if name in NUMBERS and not value.strip())
