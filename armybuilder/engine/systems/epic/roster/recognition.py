"""How game data writes Epic's datasheets: types, speeds, damage tracks, weapons and rules in the cells of a profile.

Our own fixtures and the community's data are read alike; docs/recognition.md says by what.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Literal, NamedTuple

from msgspec.structs import replace

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.epic.army import Weapon
from armybuilder.engine.systems.roster_reading.counted_names import counted

UNIT_PROFILES = ("Unit", "War Engine")
"""Profile types that are datasheets of units."""

WEAPON_PROFILE = "Weapon"

TYPES = {
    "character": "CH",
    "infantry": "INF",
    "light vehicle": "LV",
    "armoured vehicle": "AV",
    "war engine": "WE",
    "aircraft": "AC",
    "spacecraft": "SC",
    "spaceship": "SC",
}
CLASSES = {"fighter": "fighter", "bomber": "bomber", "fighterbomber": "fighter-bomber"}
NOTHING = frozenset({"", "-", "–", "n/a", "none", "*"})
"""What stands in a cell that says nothing."""

RULE_NAMES = {
    "macroweapon": "Macro Weapon",
    "titankiller": "Titan Killer",
    "indirect": "Indirect Fire",
    "slowfire": "Slow Firing",
    "ignorescover": "Ignore Cover",
}
"""Rules that data authors write in several ways, by their letters, as the rulebook's checks and dice know them."""

_NUMBER = re.compile(r"(\d+)(?:\.0+)?\s*(?:c?m)?", re.IGNORECASE)
_FOLDED = str.maketrans("АРТСМЕхХДВ×’", "APTCMExXDBx'")
_VALUE = re.compile(r"(AP|AT|AA|MW)\s?(\d)\+?", re.IGNORECASE)
_DICE = re.compile(r"(\d+|D3|D6)\s*x\s*", re.IGNORECASE)
_EXTRA = re.compile(r"\+\s?((?:\d*D)?\d+)\s?A", re.IGNORECASE)
_MODES = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)


class UnitKind(NamedTuple):
    """What a unit is.

    Attributes:
        type: code of the rulebook, or the words themselves where they are none of its types.
        war_engine: it has damage capacity besides, as some aircraft.
        notes: further words of the type that are rules of their own.
    """

    type: str
    war_engine: bool
    notes: tuple[str, ...]


@lru_cache(maxsize=512)
def is_datasheet(row: ProfileState) -> bool:
    """Whether it is the datasheet of a unit."""
    return row.type_name in UNIT_PROFILES


def unit_kind(text: str, speed_text: str = "") -> UnitKind:
    """`War Engine, Aircraft` -> an aircraft that is also a war engine, as is a war engine of a bomber's speed."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    codes = [TYPES.get(word.casefold()) for word in words]
    known = [code for code in codes if code]
    if known == ["WE"] and aircraft_class(speed_text):
        known.append("AC")
    flying = next((code for code in known if code in ("AC", "SC")), None)
    notes = tuple(word for word, code in zip(words, codes, strict=True) if code is None and known)
    return UnitKind(flying or next(iter(known), text.strip() or "?"), "WE" in known and flying is not None, notes)


def aircraft_class(text: str) -> str | None:
    """The class that stands where other units have a speed."""
    return CLASSES.get(re.sub(r"[\W_]", "", text.casefold()))


def speed(text: str) -> int | Literal["-"] | None:
    """Speed in cm; "-" where none is printed, 0 for what cannot move, None for what cannot be read."""
    if text.strip().casefold() in NOTHING:
        return "-"
    if text.strip().casefold() == "immobile":
        return 0
    found = _NUMBER.fullmatch(text.strip())
    return int(found[1]) if found else None


def target_number(text: str) -> str | None:
    """A roll to reach; "-" where none is printed, None for what cannot be read."""
    if text.strip().casefold() in NOTHING:
        return "-"
    found = re.fullmatch(r"([1-9]|10)\+?", text.strip())
    return f"{found[1]}+" if found else None


def damage_track(text: str) -> tuple[int, ...] | None:
    """`8/4/2` -> (8, 4, 2); None where there is none."""
    found = re.fullmatch(r"(\d+)((?:\s*/\s*\d+)*)\+?", text.strip())
    return tuple(int(number) for number in re.findall(r"\d+", text)) if found else None


@lru_cache(maxsize=4096)
def stem(name: str) -> str:
    """A name as it is compared with others: small letters, no plural, no words such as unit or squad."""
    words = re.findall(r"[^\W_]+", name.casefold().translate(_FOLDED))
    kept = [_singular(word) for word in words if _singular(word) not in _IDLE_WORDS]
    return " ".join(kept or [_singular(word) for word in words])


_IDLE_WORDS = frozenset({"unit", "squad", "squadron", "stand", "formation", "the", "of", "ork"})


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word[-1:] in ("s", "z") and len(word) > 3 and not word.endswith("ss") else word


def rules(text: str) -> tuple[str, ...]:
    """The rules of a notes cell, one by one, as the datasheet prints them."""
    if text.strip().casefold() in NOTHING:
        return ()
    found = [part.strip() for line in _MODES.split(text) for part in re.split(r",\s*(?![^()]*\))", line)]
    return tuple(dict.fromkeys(_rule(part) for part in found if part.casefold() not in NOTHING))


def _rule(text: str) -> str:
    if extra := _EXTRA.fullmatch(text):
        return f"Extra Attacks (+{extra[1]})"
    name, bracket, value = text.partition("(")
    known = RULE_NAMES.get(re.sub(r"[\W_]", "", name.casefold()))
    return f"{known}{f' ({value}' if bracket else ''}" if known else text


class Share(NamedTuple):
    """A weapon that not every unit of a kind has: one in so many."""

    one_in: int
    weapon: str


_SHARE = re.compile(
    r"(?:(?:one|1) (?:unit )?in (?:every )?|every )(two|second|2|three|third|3|four|fourth|4)(?: units?)?"
    r" has an? ([^.]+)\.?.*",
    re.IGNORECASE,
)
_ONE_IN = {"two": 2, "second": 2, "three": 3, "third": 3, "four": 4, "fourth": 4}


@lru_cache(maxsize=512)
def share(rule: str) -> Share | None:
    """`One unit in every two has an autocannon` -> 2, autocannon; None for any other rule."""
    found = _SHARE.fullmatch(rule.strip())
    if found is None:
        return None
    return Share(_ONE_IN.get(found[1].casefold()) or int(found[1]), found[2].strip())


def is_weapon_called(weapon: str, written: str) -> bool:
    """Whether a weapon's name is the one a text uses: "Autocannons" and "Hotshot Autocannon" are an autocannon."""
    return set(stem(written).split()) <= set(stem(weapon).split())


class WeaponLine(NamedTuple):
    """One way of using a weapon, as its cells say it."""

    name: str
    range: str
    firepower: str
    notes: str


def weapon_lines(profile: ProfileState) -> tuple[WeaponLine, ...]:
    """The weapons of a datasheet or of a weapon profile; a weapon used in two ways is there twice."""
    own = profile.type_name == WEAPON_PROFILE
    names = profile.name if own else profile.value("Weapons") or ""
    if names.strip().casefold() in NOTHING:
        return ()
    cells = [names, *((profile.value(column) or "") for column in ("Range", "Firepower", "Notes"))]
    if not own and all(cell.strip() == "*" for cell in cells[1:]):
        return ()  # each weapon has a profile of its own
    found: list[WeaponLine] = []
    for group in zip_longest(*_aligned([[_block(one) for one in _blocks(cell)] for cell in cells]), fillvalue=("",)):
        name = re.sub(r"\s+(and|or)$", "", group[0][0])
        ways = max(len(lines) for lines in group[1:])
        columns = [_spread(lines, ways) for lines in group[1:]]
        found += [WeaponLine(name, *(column[way] for column in columns)) for way in range(ways)]
    return tuple(line for line in found if line.name)


def _aligned(cells: list[list[tuple[str, ...]]]) -> list[list[tuple[str, ...]]]:
    """The same, where authors break a cell of several weapons by single lines, one for each weapon."""
    names = cells[0]
    several = len(names) > 1 and all(len(name) == 1 for name in names)
    return [
        [(line,) for line in cell[0]] if several and len(cell) == 1 and len(cell[0]) == len(names) else cell
        for cell in cells
    ]


def _blocks(cell: str) -> list[str]:
    return re.split(r"(?:<br\s*/?>\s*){2,}", cell, flags=re.IGNORECASE)


def _block(block: str) -> tuple[str, ...]:
    """The ways of one weapon in one cell: `15cm<BR>and (15cm)` -> ("15cm", "(15cm)")."""
    return tuple(re.sub(r"^(and|or)\s+", "", way.strip(), flags=re.IGNORECASE) for way in _MODES.split(block.strip()))


def _spread(lines: tuple[str, ...], ways: int) -> tuple[str, ...]:
    return (*lines, *[lines[-1] if len(lines) == 1 else ""] * (ways - len(lines)))


@lru_cache(maxsize=4096)
def weapons(profile: ProfileState) -> tuple[tuple[Weapon, tuple[str, ...]], ...]:
    """The weapons of a datasheet or of a weapon profile, each with what of it could not be read.

    Lists show the same datasheets at every edit, so they are read once.
    """
    found = []
    for line in weapon_lines(profile):
        read_weapon, unread = weapon(line)
        found.append((read_weapon, tuple(f"{line.name} {text}" for text in unread)))
    return tuple(_with_remarks(found))


def _with_remarks(
    found: Sequence[tuple[Weapon, tuple[str, ...]]],
) -> Iterator[tuple[Weapon, tuple[str, ...]]]:
    """Without lines that have notes alone: they are remarks about the weapon of that name, no weapons."""
    fired = {one.name for one, _ in found if one.range is not None or one.firepower is not None}
    remarks: dict[str, tuple[str, ...]] = {}
    for one, unread in found:
        if one.name in fired and one.range is None and one.firepower is None and one.rules and not unread:
            remarks[one.name] = (*remarks.get(one.name, ()), *one.rules)
    for one, unread in found:
        if one.range is not None or one.firepower is not None or one.name not in remarks:
            yield replace(one, rules=tuple(dict.fromkeys((*one.rules, *remarks.get(one.name, ()))))), unread


def weapon(line: WeaponLine) -> tuple[Weapon, tuple[str, ...]]:
    """A weapon of the army document, and the texts of it that could not be read."""
    count, name = counted(line.name)[0]
    reach, unread = weapon_range(line.range)
    fire, doubtful = firepower(line.firepower)
    close = fire is None and not doubtful
    return Weapon(
        name=name if name == line.name.strip() else name.translate(_FOLDED),
        range="small arms" if close and reach == "small arms" else reach,
        firepower="small arms" if close and reach == "small arms" else fire,
        rules=rules(line.notes),
        count=count,
    ), (*unread, *doubtful)


def weapon_range(text: str) -> tuple[int | Literal["base contact", "small arms"] | None, tuple[str, ...]]:
    """`45cm` -> 45, `(15cm)` -> small arms, `(contact)` -> base contact; and what could not be read."""
    written = text.strip().strip(".").casefold()
    if written in NOTHING or written == "unlimited":
        return None, ()
    if "contact" in written:
        return "base contact", ()
    if written.startswith("("):
        return "small arms", ()
    found = _NUMBER.fullmatch(written)
    return (int(found[1]), ()) if found else (None, (text.strip(),))


def firepower(text: str) -> tuple[str | None, tuple[str, ...]]:
    """`4x AP5+/AT3+` -> `4xAP5+/4xAT3+`: each value with its dice; None for small arms and assault weapons."""
    written = text.strip().translate(_FOLDED)
    if written.casefold() in NOTHING or re.fullmatch(r"(small arms?|assault weapons?)", written, re.IGNORECASE):
        return None, ()
    if barrage := re.fullmatch(r"(\d+)\s?BPs?", written, re.IGNORECASE):
        return f"{barrage[1]}BP", ()
    dice = _DICE.match(written)
    prefix, rest = (f"{dice[1].upper()}x", written[dice.end() :]) if dice else ("", written)
    values = list(_values(rest))
    if not values or None in values:
        return None, (text.strip(),)
    return "/".join(f"{prefix}{value}" for value in values), ()


def _values(text: str) -> Iterator[str | None]:
    for part in text.split("/"):
        found = _VALUE.fullmatch(part.strip())
        yield f"{found[1].upper()}{found[2]}+" if found else None
