"""How game data writes Epic's datasheets: types, speeds, damage tracks, weapons and rules in the cells of a profile.

Our own fixtures and the community's data are read alike; docs/recognition.md says by what.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import Literal, NamedTuple

from msgspec.structs import replace

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.epic.army import Weapon
from armybuilder.engine.systems.epic.special_rule_rows import ONE_WAY, SPECIAL_RULES
from armybuilder.engine.systems.roster_reading.counted_names import counted

UNIT_PROFILES = ("Unit", "War Engine")
"""Profile types that are datasheets of units."""

WEAPON_PROFILE = "Weapon"

STRUCTURE_PROFILE = "Structure"
"""Trenches, bunkers and portals, which are no units."""

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
FIREFIGHT = 15
"""Centimetres that small arms reach."""

NOTHING = frozenset({"", "-", "–", "n/a", "none", "*"})
"""What stands in a cell that says nothing."""

RULE_NAMES = {
    "macroweapon": "Macro Weapon",
    "titankiller": "Titan Killer",
    "indirect": "Indirect Fire",
    "slowfire": "Slow Firing",
    "ignorescover": "Ignore Cover",
    "reinforcedarmor": "Reinforced Armour",
    "invunerablesave": "Invulnerable Save",
    "invulerablesave": "Invulnerable Save",
    "scoutss": "Scout",
}
"""Rules that data authors write in several ways, by their letters, as the rulebook's checks and dice know them."""

_NUMBER = re.compile(r"(\d{1,5})(?:\.0{1,9})?\s{0,9}(?:c?m)?", re.IGNORECASE)
_REACH = re.compile(
    r"(?:\d{1,2}\s?[xх]\s?|(?P<low>\d{1,5})\s?(?:cm)?\s?[-–]\s?)?"
    r"(?P<far>\d{1,5})(?:\.0{1,9})?\s{0,9}(?:c?m)?(?:\s?/\s?\d{1,5}\s?cm)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"\(?(small arms?|assault weapons?)\)?(?:,\s{0,9}(?P<more>.+))?", re.IGNORECASE)
_FOLDED = str.maketrans("АРТСМЕхХДВ×’", "APTCMExXDBx'")
_VALUE = re.compile(r"(AP|AT|AA|MW)\s?(\d)\+{0,2}", re.IGNORECASE)
_DICE = re.compile(r"(?:1(?=D))?(\d{1,4}|D[36](?:\+\d{1,2})?)\s{0,9}x\s*", re.IGNORECASE)
_POINTS = re.compile(
    r"(?:(?P<number>\d{1,3})|1?(?P<dice>D[36])(?:\s?\+\s?(?P<more>\d{1,2}))?|(?P<first>\d{1,2})\s?\+\s?(?P<then>D[36]))"
    r"\s?BPs?|BP\s?(?P<behind>\d{1,3})",
    re.IGNORECASE,
)
_HALF = re.compile(r"(?:½|1/2)\s?BPs?", re.IGNORECASE)
_SALVO = re.compile(r"(\d{1,2})\s?x\s*(?=\d{1,2}\s?BPs?$)", re.IGNORECASE)
_EXTRA = re.compile(r"\+\s?((?:\d{0,2}D)?\d{1,3}(?:\+\d{1,3})?)\s?A", re.IGNORECASE)
_SHIELDS = re.compile(r"(\d{1,4})\s?Sh|((?:D|\d)\S{0,20}) Power Fields", re.IGNORECASE)
_MODES = re.compile(r"\s{0,9}<br\s{0,9}/?>{0,3}\s*", re.IGNORECASE)
_BRACKETED = re.compile(r"\(((\d{1,3})\s?cm)\)", re.IGNORECASE)
_SHOT = re.compile(r"(?:AP|AT|AA|MW)\s?\d|\dBP", re.IGNORECASE)
_OR = re.compile(r"or\b", re.IGNORECASE)
_SIDES = re.compile(r"(?<!\d)(\d{1,4})x ((?:Left|Right) (?:Fire )?Arc)", re.IGNORECASE)
_ONE_SIDE = re.compile(r"\s{0,9}(?:Left|Right) (?:Fire )?Arc\s{0,9}", re.IGNORECASE)
_FURTHER = re.compile(r"(?:and|or)\b|\(", re.IGNORECASE)

Ways = tuple[str, ...]
"""Lines of a cell: each is a way to use one weapon, as it is written."""


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
    """Speed in cm; "-" where none is printed, 0 for what cannot move, None for what cannot be read.

    What an option appends counts: `20cm, Halved`.
    """
    if text.strip().casefold() in NOTHING:
        return "-"
    if text.strip().casefold() == "immobile":
        return 0
    number, comma, appended = text.partition(",")
    found = _NUMBER.fullmatch(number.strip())
    if found is None or (comma and appended.strip().casefold() != "halved"):
        return None
    return int(found[1]) // (2 if comma else 1)


def target_number(text: str) -> str | None:
    """A roll to reach; "-" where none is printed, None for what cannot be read."""
    if text.strip().casefold() in NOTHING:
        return "-"
    found = re.fullmatch(r"([1-9]|10)\+?", text.strip())
    return f"{found[1]}+" if found else None


def damage_track(text: str) -> tuple[int, ...] | None:
    """`8/4/2` -> (8, 4, 2); None where there is none."""
    found = re.fullmatch(r"(\d{1,5})((?:\s{0,9}/\s{0,9}\d{1,5})*)\+?", text.strip())
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
    listed = [part.strip() for line in _MODES.split(text) for part in _apart(line)]
    found = [part for rule in listed for part in _sentences(rule)]
    return tuple(dict.fromkeys(_rule(part) for part in found if part.casefold() not in NOTHING))


def _apart(text: str) -> list[str]:
    """What stands between commas, but those in brackets; looked through from the end, and so only once."""
    found: list[str] = []
    end, bracket = len(text), ""
    for place in range(len(text) - 1, -1, -1):
        if text[place] in "()":
            bracket = text[place]
        elif text[place] == "," and bracket != ")":
            found.append(text[place + 1 : end])
            end = place
    return [text[:end], *reversed(found)]


def _sentences(text: str) -> tuple[str, ...]:
    """`Transport. Choose weapon system …` is a rule and what is said behind it."""
    head, _, behind = text.partition(". ")
    return (head.strip(), behind.strip()) if behind and SPECIAL_RULES.find(head.strip()) else (text,)


def _rule(text: str) -> str:
    if extra := _EXTRA.fullmatch(text):
        return f"Extra Attacks (+{extra[1]})"
    if shields := _SHIELDS.fullmatch(text):
        return f"Void Shields ({shields[1]})" if shields[1] else f"Power Fields ({shields[2]})"
    name, bracket, value = text.partition("(")
    known = RULE_NAMES.get(re.sub(r"[\W_]", "", name.casefold()))
    return f"{known}{f' ({value}' if bracket else ''}" if known else text


HALF_A_POINT = "Half a barrage point"
"""The rule of a weapon that is written with one point where two of them have it together."""


def is_about_halves(rule: str) -> bool:
    """Whether a rule says how such points are added up: `Calculate BP by counting … and divide by two`."""
    return rule.casefold().startswith("calculate bp")


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


def is_choice_of_others(profile: ProfileState) -> bool:
    """Whether a weapon profile only says that one of those beside it is taken: "Support Missile Warheads"."""
    return (profile.value("Firepower") or "").strip().casefold() == f"{profile.name.strip().casefold()} warheads"


def as_one_way(one: Weapon, whole: str) -> Weapon:
    """A weapon as one way to fire another, which is taken instead of the others."""
    return replace(one, rules=(*one.rules, f"{ONE_WAY} ({whole})"))


class WeaponLine(NamedTuple):
    """One way of using a weapon, as its cells say it.

    Attributes:
        instead: the weapon of which this is one way to fire and another is taken instead; empty where it is fired
            whatever else is.
        beyond: what stands beside it that is of no weapon the author named, and of no way that is counted.
    """

    name: str
    range: str
    firepower: str
    notes: str
    instead: str = ""
    beyond: tuple[str, ...] = ()


def weapon_lines(profile: ProfileState) -> tuple[WeaponLine, ...]:
    """The weapons of a datasheet or of a weapon profile; a weapon used in two ways is there twice."""
    own = profile.type_name == WEAPON_PROFILE
    names = profile.name if own else profile.value("Weapons") or ""
    if names.strip().casefold() in NOTHING:
        return ()
    cells = [names, *((profile.value(column) or "") for column in ("Range", "Firepower", "Notes"))]
    if not own and all(cell.strip() == "*" for cell in cells[1:3]):
        return ()  # each weapon has a profile of its own, and the notes are about all of them
    found: list[WeaponLine] = []
    for group in zip_longest(
        *_aligned([[_ways(one) for one in part] for part in _apart_alike(_on_each_side(cells))]), fillvalue=("",)
    ):
        called, *columns = group
        if found and called[0].strip().casefold() in ("", "and", "or"):  # one of the weapon before, set apart
            called = (found[-1].name, *called[1:]) if all(map(_says_something, columns[:2])) else called
        if found and not called[0].strip():
            said = (text for column in columns for text in column if text.strip().casefold() not in NOTHING)
            found[-1] = found[-1]._replace(beyond=(*found[-1].beyond, *said))
        found += _used(called, *columns)
    return tuple(line for line in found if line.name)


def _on_each_side(cells: Sequence[str]) -> list[str]:
    """The cells of two weapons of one kind whose arcs stand apart: `Left Arc<BR><BR>Right Arc` is one on each side."""
    *others, notes = cells
    arcs = _blocks(notes)
    alone = len(_blocks(cells[0])) == 1 < len(arcs) == counted(cells[0].strip())[0].number
    if not alone or not all(map(_ONE_SIDE.fullmatch, arcs)):
        return list(cells)
    return [*others, ", ".join(f"1x {arc.strip()}" for arc in arcs)]


def _says_something(ways: Ways) -> bool:
    return any(line.strip().casefold() not in NOTHING for line in ways)


def _used(names: Ways, *columns: Ways) -> Iterator[WeaponLine]:
    """A weapon in all the ways that its cells say; several weapons where each line has a name of its own."""
    number = max(len(lines) for lines in columns)
    first = re.sub(r"\s{1,9}(and|or)$", "", _plain(names[0]))
    called = [first]
    for text in names[1:]:
        called.append(_way_name(called[-1], text))
    called += [called[-1]] * (number - len(called))
    spread = _uncrossed(*(_spread(lines, number) for lines in columns))
    shot = sum(_SHOT.search(text) is not None for text in spread[1])
    chosen = shot > 1 and (
        any(_OR.match(line) for lines in (names, *columns) for line in lines[1:]) or any(map(_at_least, spread[0]))
    )
    copies, whole = counted(first)[0].number, counted(first)[0].name.partition(" (")[0]
    is_headed = shot > 0 and all(column[0].strip().casefold() in NOTHING for column in spread)
    ways: list[WeaponLine] = []
    for way in range(1 if is_headed else 0, number):
        reach, fire, notes = (column[way] for column in spread)
        name = f"{copies}x {called[way]}" if is_headed and copies > 1 else called[way]
        line = WeaponLine(name, reach, fire, notes, whole if chosen else "")
        instead = any(_OR.match(lines[way].strip()) for lines in (names, *columns) if way < len(lines))
        alike = next(
            (other for other in ways if _is_close(line) and weapon_range(other.range) == weapon_range(reach)), None
        )
        if instead and alike is not None:  # hits in an assault are struck in one way or the other
            ways[ways.index(alike)] = alike._replace(beyond=(*alike.beyond, f"or {notes}"))
        else:
            ways.append(line)
    for line in ways:
        for kind in _by_kind(line, whole):
            for one in _by_reach(kind):
                yield from _by_sides(one)


def _is_close(line: WeaponLine) -> bool:
    return _CLOSE.fullmatch(line.firepower.strip()) is not None


def _uncrossed(ranges: Ways, fires: Ways, notes: Ways) -> tuple[Ways, Ways, Ways]:
    """The columns of two ways, without the range of small arms beside what is shot and the other way round."""
    close = [_CLOSE.fullmatch(fire) is not None for fire in fires]
    near = [reach.startswith("(") for reach in ranges]
    crossed = sorted(near) == [False, True] and [not one for one in near] == close
    return ranges[::-1] if crossed else ranges, fires, notes


def _by_kind(line: WeaponLine, whole: str) -> Iterator[WeaponLine]:
    """`AP5+/AT5+/1BP` as two ways to fire one weapon: directly, or with the barrages of the formation."""
    values = [part.strip() for part in line.firepower.split("/")]
    points = [part for part in values if _POINTS.fullmatch(part.translate(_FOLDED))]
    if not points or len(points) == len(values):
        yield line
        return
    direct = [part for part in values if part not in points]
    yield line._replace(firepower="/".join(direct), instead=whole)
    yield line._replace(firepower="/".join(points), instead=whole)


def _by_reach(line: WeaponLine) -> Iterator[WeaponLine]:
    """A range in brackets, as small arms have it, beside what hits from afar: a shot, and small arms up to 15 cm."""
    reach = _BRACKETED.fullmatch(line.range.strip())
    if reach is None or not _SHOT.search(line.firepower):
        yield line
        return
    yield line._replace(range=reach[1])
    if int(reach[2]) <= FIREFIGHT:
        yield line._replace(firepower="Small Arms")


def _by_sides(line: WeaponLine) -> Iterator[WeaponLine]:
    """`2x Lascannon` of which one is on either side, as two weapons that are told apart by their arcs."""
    sides = _SIDES.findall(line.notes)
    count, name = counted(line.name)[0]
    if not sides or sum(int(number) for number, _ in sides) != count:
        yield line
        return
    others = [part for part in line.notes.split(",") if not _SIDES.fullmatch(part.strip())]
    for number, arc in sides:
        yield line._replace(name=f"{number}x {name}", notes=",".join((*others, arc)))


def _way_name(weapon: str, line: str) -> str:
    """The name of another way: that of the way before, with a remark in brackets; its own where it has one."""
    plain = _plain(line)
    if not plain or plain.casefold() in ("and", "or"):
        return weapon
    return f"{weapon.partition(' (')[0]} {plain}" if plain.startswith("(") else plain


def _aligned(cells: list[list[Ways]]) -> list[list[Ways]]:
    """The same, where authors break a cell of several weapons by single lines, one for each weapon."""
    names, others = cells[0], cells[1:]
    longest = max(len(cell) for cell in others)
    apart = [part for name in names for part in _named_apart(name)]
    if len(names) < longest == len(apart):
        names = apart
    several = len(names) > 1 and all(len(name) == 1 for name in names)
    found = [names]
    for cell in (_ways_joined(cell, names) for cell in others):
        lines: list[Ways] = [(line,) for ways in cell for line in ways]
        found.append(lines if several and len(cell) < len(names) == len(lines) else cell)
    return found


def _ways_joined(cell: list[Ways], names: list[Ways]) -> list[Ways]:
    """A cell whose author set each way apart as a weapon is, by the ways that the names have."""
    ways = [len(name) for name in names]
    if len(cell) <= len(names) or len(cell) != sum(ways) or any(len(one) > 1 for one in cell):
        return cell
    return [tuple(line for (line,) in cell[at - many : at]) for at, many in zip(accumulate(ways), ways, strict=True)]


def _named_apart(names: Ways) -> list[Ways]:
    """The weapons whose names stand line under line, each with its further ways."""
    found: list[Ways] = []
    for line in names:
        if found and (not line or _FURTHER.match(line)):
            found[-1] = (*found[-1], line)
        else:
            found.append((line,))
    return found


def _apart_alike(cells: Sequence[str]) -> list[list[str]]:
    """The weapons of each cell; where a name was left out between two others, its place is kept."""
    names, *others = map(_blocks, cells)
    kept = _blocks(cells[0], empty=True)
    longest = max(map(len, others))
    return [kept if len(names) < len(kept) == longest else names, *others]


def _blocks(cell: str, *, empty: bool = False) -> list[str]:
    """What stands between empty lines.

    Args:
        empty: two of them have nothing between them, and that is kept.
    """
    whole = re.sub(r"<br\s*$", "", cell, flags=re.IGNORECASE)  # a line break that its author left open
    many = "2" if empty else "2,"
    return re.split(rf"(?:<br\s{{0,9}}/?>{{0,3}}\s*){{{many}}}", whole, flags=re.IGNORECASE)


def _ways(block: str) -> Ways:
    """The ways of one weapon in one cell: `15cm<BR>and (15cm)` -> ("15cm", "and (15cm)")."""
    return tuple(_MODES.split(block.strip()))


def _plain(line: str) -> str:
    """A line without the word that joins it to the one before."""
    return re.sub(r"^(and|or)(?:\s+|$)", "", line.strip(), flags=re.IGNORECASE)


def _spread(lines: Ways, number: int) -> Ways:
    return (*map(_plain, lines), *[_plain(lines[-1]) if len(lines) == 1 else ""] * (number - len(lines)))


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
    written, remarks = _without_remarks(line.firepower.strip())
    salvo = _SALVO.match(written)
    shown = written[salvo.end() :] if salvo else written
    half = _HALF.fullmatch(shown.strip()) is not None
    fire, doubtful = firepower("1BP" if half else shown)
    if unread and doubtful:  # some authors mix the two columns up
        swapped = weapon_range(shown), firepower(line.range)
        if not any(left for _, left in swapped):
            (reach, unread), (fire, doubtful) = swapped
    close = fire is None and not doubtful
    besides = _CLOSE.fullmatch(shown.strip())
    if reach is None and not unread and besides and besides[1].casefold().startswith("small"):
        reach = "small arms"  # a range that its author left out
    return Weapon(
        name=name if name == line.name.strip() else name.translate(_FOLDED),
        range="small arms" if close and reach == "small arms" else reach,
        firepower="small arms" if close and reach == "small arms" else fire,
        rules=(
            *rules(line.notes),
            *rules(remarks),
            *_at_least(line.range),
            *(rules(besides["more"]) if besides and besides["more"] else ()),
            *((f"{ONE_WAY} ({line.instead})",) if line.instead else ()),
            *((HALF_A_POINT,) if half else ()),
        ),
        count=count * int(salvo[1]) if salvo else count,
    ), tuple(dict.fromkeys((*unread, *doubtful, *line.beyond)))


def _without_remarks(text: str) -> tuple[str, str]:
    """`2BP, Macro-weapon, Single Shot` -> the points, and rules; an extra attack alone is a rule."""
    if _EXTRA.fullmatch(text):
        return "", text
    shown, comma, behind = text.partition(",")
    return (shown.strip(), behind.strip()) if comma and _SHOT.search(shown) else (text, "")


def weapon_range(text: str) -> tuple[int | Literal["base contact", "small arms"] | None, tuple[str, ...]]:
    """`45cm` -> 45, `(15cm)` -> small arms, `(contact)` -> base contact; and what could not be read.

    Of `15-30cm` the end counts; of `30cm/60cm`, of which a rule of its own says when it is which, the shorter.
    """
    written = text.strip().strip(".").casefold()
    if written in NOTHING or written == "unlimited":
        return None, ()
    if "contact" in written:
        return "base contact", ()
    if written.startswith("(") and any(map(str.isdigit, written)):
        return "small arms", ()
    found = _REACH.fullmatch(written)
    return (int(found["far"]), ()) if found else (None, (text.strip(),))


def _at_least(reach: str) -> tuple[str, ...]:
    """The rule of a weapon that does not shoot from near: `15-30cm`."""
    found = _REACH.fullmatch(reach.strip())
    return (f"Minimum Range ({found['low']}cm)",) if found and found["low"] else ()


def firepower(text: str) -> tuple[str | None, tuple[str, ...]]:
    """`4x AP5+/AT3+` -> `4xAP5+/4xAT3+`: each value with its dice; None for small arms and assault weapons.

    What can be read of several values counts: `AP4+/AT57+` still fires at infantry.
    """
    written = text.strip().translate(_FOLDED)
    if written.casefold() in NOTHING or _CLOSE.fullmatch(written):
        return None, ()
    dice = _DICE.match(written)
    each, rest = (dice[1].upper(), written[dice.end() :]) if dice else ("", written)
    values = [_value(part.strip(), each) for part in rest.split("/")]
    return "/".join(filter(None, values)) or None, (text.strip(),) if None in values else ()


def _value(text: str, each: str) -> str | None:
    """One value with the dice written before it, or before all of them; points of barrages have none."""
    if points := _POINTS.fullmatch(text):
        plain = points["number"] or points["behind"]
        rolled = (points["dice"] or points["then"] or "").upper()
        more = points["more"] or points["first"]
        return None if each else f"{plain or (f'{rolled}+{more}' if more else rolled)}BP"
    own = _DICE.match(text)
    found = _VALUE.fullmatch(text[own.end() :] if own else text)
    if found is None:
        return None
    number = own[1].upper() if own else each
    return f"{number}x{found[1].upper()}{found[2]}+" if number else f"{found[1].upper()}{found[2]}+"
