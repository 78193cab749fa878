"""A list as a saved object of Tabletop Simulator: a notecard for the list and each unit or card, a pawn for each model.

The layout is that of the game's save files (kb.tabletopsimulator.com, Save File Format). Only objects that the game
itself has are used, so nothing is fetched from elsewhere, and no object has a script.
"""

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from armybuilder.armylists.exports.bbcode import safe
from armybuilder.armylists.exports.files import ExportFormat, sheet_of
from armybuilder.armylists.exports.phrases import carried, ending, leading, phrases, price, times
from armybuilder.armylists.list_sheet import ListSheet, SheetModels, SheetProfile, SheetUnit
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.findings import Text

MOST_PAWNS = 60
"""Models of one kind in a unit that stand one by one; of more there is one pawn that tells their number."""

_COLUMNS = 4
_COLUMN = 18.0
_ROW = 10
_GAP = 1.2
_CARD = 5.0
_HEIGHT = 1.5

Place = tuple[float, float]
"""Where on the table something lies: to the right and forward, in the units of the game (an inch)."""


class Transform(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Place, turn in degrees and size of an object."""

    pos_x: float
    pos_y: float = _HEIGHT
    pos_z: float
    rot_x: float = 0.0
    rot_y: float = 180.0
    rot_z: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    scale_z: float = 1.0


class Tint(msgspec.Struct, frozen=True, kw_only=True):
    """Colour of an object, each part from 0 to 1; white leaves it as it is."""

    r: float = 1.0
    g: float = 1.0
    b: float = 1.0


class TableObject(msgspec.Struct, frozen=True, kw_only=True, rename="pascal"):
    """Something on the table; `name` is its kind, `nickname` and `description` are what players read on it."""

    guid: str = msgspec.field(name="GUID")
    name: str
    transform: Transform
    nickname: str
    description: str
    color_diffuse: Tint = Tint()
    locked: bool = False
    tooltip: bool = True
    lua_script: str = ""
    lua_script_state: str = ""


class SavedObject(msgspec.Struct, frozen=True, kw_only=True, rename="pascal"):
    """The file: objects that the game sets on the table together; what is of a whole table is empty, as in its own."""

    save_name: str
    object_states: tuple[TableObject, ...]
    game_mode: str = ""
    date: str = ""
    table: str = ""
    sky: str = ""
    note: str = ""
    rules: str = ""
    lua_script: str = ""
    lua_script_state: str = ""


def saved_object(sheet: ListSheet) -> SavedObject:
    """The whole list, in its language; the same list gives the same objects."""
    given: set[str] = set()
    objects = tuple(
        TableObject(
            guid=_guid(f"{sheet.name}/{number}/{nickname}", given),
            name=kind,
            transform=Transform(pos_x=round(right, 2), pos_z=round(forward, 2)),
            nickname=safe(nickname),
            description=safe(description),
        )
        for number, (kind, (right, forward), nickname, description) in enumerate(_objects(sheet))
    )
    return SavedObject(save_name=safe(sheet.name), object_states=objects)


def _objects(sheet: ListSheet) -> Iterator[tuple[str, Place, str, str]]:
    """Kind, place, nickname and description: the list's card in front, units in columns behind it."""
    yield "Notecard", (0.0, _CARD), sheet.name, _about_the_list(sheet)
    depths = [0.0] * _COLUMNS
    for number, unit in enumerate(sheet.units):
        column = number % _COLUMNS
        right, forward = column * _COLUMN, 0.0 - depths[column]
        yield "Notecard", (right, forward), _title(unit, sheet), _about_the_unit(unit, sheet)
        pawns = list(_pawns(unit))
        for place, (nickname, description) in enumerate(pawns):
            row, file = divmod(place, _ROW)
            yield "PlayerPawn", (right + _CARD + file * _GAP, forward - row * _GAP), nickname, description
        depths[column] += max(_CARD, (len(pawns) // _ROW + 2) * _GAP)


def _about_the_list(sheet: ListSheet) -> str:
    points = " / ".join(part for part in (price(sheet.points, sheet), price(sheet.limit, sheet)) if part)
    facts = (f"{name}: {value}" for name, value in sheet.facts)
    return "\n".join(
        filter(None, [", ".join((sheet.game, *sheet.factions)), points, *facts, sheet.notes, ending(sheet)])
    )


def _title(unit: SheetUnit, sheet: ListSheet) -> str:
    points = price(unit.points, sheet)
    return times(unit.model_count, unit.title) + (f", {points}" if points else "")


def _about_the_unit(unit: SheetUnit, sheet: ListSheet) -> str:
    lines = [unit.role, *leading(unit, sheet), ", ".join(phrases(unit.items)), *unit.facts]
    lines += [f"{times(kind.number, kind.name)}: {', '.join(carried(kind))}" for kind in unit.models if kind.items]
    lines += _rows([*unit.profiles, *unit.weapons])
    return "\n".join(filter(None, [*lines, ", ".join(unit.rules), unit.notes]))


def _pawns(unit: SheetUnit) -> Iterator[tuple[str, str]]:
    """Nickname and description of each model; cards of a hero have none."""
    if unit.is_card:
        return
    for kind in (*unit.models, *unit.attached):
        about = _about_the_model(kind, unit)
        for number, name in kind.kinds:
            if number > MOST_PAWNS:
                yield _of(unit, times(number, name)), about
            else:
                yield from [(_of(unit, name), about)] * number


def _of(unit: SheetUnit, model: str) -> str:
    return f"{model} ({unit.own_name})" if unit.own_name else model


def _about_the_model(kind: SheetModels, unit: SheetUnit) -> str:
    """What it carries, and the profiles of its name, or else its unit's, and of what it carries."""
    worn = {option.name.casefold() for option in kind.items}
    named = [
        [row for row in unit.profiles if row.name.casefold() == name.casefold()] for name in (kind.name, unit.name)
    ]
    own = list(unit.profiles) if unit.says_its_models else named[0] or named[1]
    weapons = [row for row in unit.weapons if row.name.casefold() in worn]
    return "\n".join(filter(None, [", ".join(carried(kind)), *_rows([*own, *weapons])]))


def _rows(profiles: Iterable[SheetProfile]) -> list[str]:
    return [
        f"{row.name}: {', '.join(f'{name} {value}' for name, value in row.characteristics if value)}"
        for row in profiles
    ]


def _guid(of: str, given: set[str]) -> str:
    """Six hexadecimal figures that nothing else in the file has."""
    attempt = 0
    while True:
        found = hashlib.sha256(f"{of}/{attempt}".encode()).hexdigest()[:6]
        if found not in given:
            given.add(found)
            return found
        attempt += 1


def _write(army_list: ArmyList) -> bytes:
    return msgspec.json.format(msgspec.json.encode(saved_object(sheet_of(army_list))), indent=2) + b"\n"


TTS = ExportFormat(
    id="tts",
    ending="json",
    media_type="application/json",
    label=Text("Tabletop Simulator", "Tabletop Simulator"),
    write=_write,
)
