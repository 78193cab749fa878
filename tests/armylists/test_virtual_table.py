"""Lists as saved objects of Tabletop Simulator: the shape of the file, what stands on the table, and nasty names."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.utils import translation

from armybuilder.armylists import edits as e
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.files import sheet_of
from armybuilder.armylists.exports.virtual_table import MOST_PAWNS, saved_object
from armybuilder.armylists.list_sheet import ListSheet, SheetOption, SheetProfile
from armybuilder.armylists.models import SignedVerdict
from armybuilder.armylists.signed_verdicts import printed
from armybuilder.engine.findings import Verdict
from tests.armylists.conftest import Muster

GOLDEN = Path(__file__).parents[1] / "golden" / "exports"
NASTY = '"}]=HYPERLINK("x")[b]**<script>alert(1)</script>[ff0000] ../../etc \u202egnp.exe\u200f \\u0000'


@pytest.fixture
def marching(legal: Muster) -> Muster:
    """A legal list with a name of the player's own for a unit."""
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.SetName(name="Autumn muster"), e.Rename(node_id=unit.id, name="Ash Hounds"))
    return legal


def objects_of(army: Muster) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FORMATS["tts"].file_of(army.row).content)["ObjectStates"]
    return found


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_list_is_the_golden_object(marching: Muster, language: str) -> None:
    with translation.override(language):
        file = FORMATS["tts"].file_of(marching.row)
    code = SignedVerdict.objects.latest("created").code
    content = file.content.replace(printed(code).encode(), b"VERDI-CTC0D")
    path = GOLDEN / f"tts.{language}.json"
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_bytes(content)
    assert content == path.read_bytes(), f"{path.name} has changed; if that is meant: make golden"


def test_every_unit_is_a_card_and_every_model_a_pawn(marching: Muster) -> None:
    sheet, found = sheet_of(marching.row), objects_of(marching)
    kinds = Counter(one["Name"] for one in found)
    assert kinds == {"Notecard": 1 + len(sheet.units), "PlayerPawn": sum(unit.model_count for unit in sheet.units)}
    card = next(one for one in found if "Ash Hounds" in one["Nickname"] and one["Name"] == "Notecard")
    assert card["Nickname"] == "10x Ash Hounds (Tactical Squad), 100 pts"
    unit = next(unit for unit in sheet.units if unit.own_name == "Ash Hounds")
    for row in (*unit.profiles, *unit.weapons):
        name, value = next((name, value) for name, value in row.characteristics if value)
        assert f"{row.name}: {name} {value}" in card["Description"]
    sergeant = next(one for one in found if one["Nickname"] == "Legion Tactical Sergeant (Ash Hounds)")
    assert sergeant["Name"] == "PlayerPawn" and "Bolt Pistol" in sergeant["Description"]


def test_the_objects_are_what_the_game_reads(marching: Muster) -> None:
    whole = json.loads(FORMATS["tts"].file_of(marching.row).content)
    assert whole["SaveName"] == "Autumn muster"
    found = whole["ObjectStates"]
    assert len({one["GUID"] for one in found}) == len(found)
    for one in found:
        assert re.fullmatch("[0-9a-f]{6}", one["GUID"])
        assert all(
            isinstance(one["Transform"][f"{part}{axis}"], float) for part in ("pos", "rot", "scale") for axis in "XYZ"
        )
        assert one["LuaScript"] == "" and not [key for key in one if "URL" in key]
    places = [(one["Transform"]["posX"], one["Transform"]["posZ"]) for one in found]
    assert len(set(places)) == len(places)
    assert objects_of(marching) == found


def test_the_card_of_an_illegal_list_says_so(muster: Callable[..., Muster]) -> None:
    army = muster(name="Too few", points_limit=2000)
    army.unit("hh-la-praetor")
    assert army.report.verdict is Verdict.ILLEGAL
    assert "NOT LEGAL" in objects_of(army)[0]["Description"]


def test_nasty_names_stay_names(marching: Muster) -> None:
    unit = marching.document.roster.forces[0].selections[1]
    marching.edit(e.Rename(node_id=unit.id, name=NASTY[:110]), e.SetName(name=NASTY[:110]))
    marching.edit(e.SetNotes(node_id=unit.id, notes="[b]loud\n\u202eturned"))
    file = FORMATS["tts"].file_of(marching.row)
    text = file.content.decode()
    whole = json.loads(text)
    assert "/" not in file.name and "\u202e" not in text and "\u200f" not in text
    for one in whole["ObjectStates"]:
        assert not re.search(r"[\[\]]", one["Nickname"] + one["Description"])
    assert any("(b)loud\nturned" in one["Description"] for one in whole["ObjectStates"])


def test_a_horde_is_one_pawn_with_its_number(marching: Muster) -> None:
    sheet = _with_a_unit_of(sheet_of(marching.row), MOST_PAWNS + 1)
    pawns = [one for one in saved_object(sheet).object_states if one.name == "PlayerPawn"]
    assert [one.nickname for one in pawns] == [f"{MOST_PAWNS + 1}x Goblin (Mob)"]
    each = _with_a_unit_of(sheet_of(marching.row), MOST_PAWNS)
    assert len([one for one in saved_object(each).object_states if one.name == "PlayerPawn"]) == MOST_PAWNS


def test_models_without_a_profile_of_their_own_have_that_of_their_squad(marching: Muster) -> None:
    """Data of today tells troopers by a profile that bears the name of the squad; their pawns had none."""
    sheet = _with_a_unit_of(sheet_of(marching.row), 2)
    (unit,) = sheet.units
    boss = SheetOption(name="Boss", number=1, is_model=True)
    profiles = (SheetProfile("Unit", "Boss", (("W", "3"),)), SheetProfile("Unit", unit.name, (("W", "1"),)))
    squad = msgspec.structs.replace(unit, options=(*unit.options, boss), profiles=profiles, weapons=())
    detachment = sheet.detachments[0]
    role = msgspec.structs.replace(detachment.roles[0], units=(squad,))
    sheet = msgspec.structs.replace(sheet, detachments=(msgspec.structs.replace(detachment, roles=(role,)),))
    pawns = [one for one in saved_object(sheet).object_states if one.name == "PlayerPawn"]
    assert [(one.nickname, one.description) for one in pawns] == [
        ("Goblin (Mob)", f"{unit.name}: W 1"),
        ("Goblin (Mob)", f"{unit.name}: W 1"),
        ("Boss (Mob)", "Boss: W 3"),
    ]


def _with_a_unit_of(sheet: ListSheet, number: int) -> ListSheet:
    """The sheet with one unit alone, of that many models."""
    goblins = SheetOption(name="Goblin", number=number, is_model=True)
    unit = msgspec.structs.replace(sheet.units[0], is_model=False, own_name="Mob", options=(goblins,))
    detachment = sheet.detachments[0]
    role = msgspec.structs.replace(detachment.taken_roles[0], units=(unit,))
    return msgspec.structs.replace(sheet, detachments=(msgspec.structs.replace(detachment, roles=(role,)),))


PUBLISHED: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("SaveName", "GameMode", "Date", "Table", "Sky", "Note", "Rules"), str),
    **dict.fromkeys(("LuaScript", "LuaScriptState", "GUID", "Name", "Nickname", "Description"), str),
    **dict.fromkeys(("Locked", "Tooltip"), bool),
    **dict.fromkeys(
        ("posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ", "r", "g", "b"), float
    ),
    **dict.fromkeys(("Transform", "ColorDiffuse"), dict),
    "ObjectStates": list,
}
"""Members as the page of the game's makers names them (kb.tabletopsimulator.com, Save File Format)."""


def test_every_member_is_one_that_is_published(marching: Muster) -> None:
    """The game itself does not run here: what can be held is names, types, and that each object is one of its own."""

    def held(node: Any) -> None:
        for name, value in node.items():
            assert isinstance(value, PUBLISHED[name]), name
            for inner in [value] if isinstance(value, dict) else value if isinstance(value, list) else []:
                held(inner)

    file = json.loads(FORMATS["tts"].file_of(marching.row).content)
    held(file)
    assert {"SaveName", "ObjectStates", "Table", "Sky", "Note", "Rules"} <= set(file)
    assert {one["Name"] for one in file["ObjectStates"]} <= {"Notecard", "PlayerPawn"}
    assert all({"Transform", "ColorDiffuse", "GUID"} <= set(one) for one in file["ObjectStates"])
    assert len({one["GUID"] for one in file["ObjectStates"]}) == len(file["ObjectStates"])
