"""How many models players read of a unit of the community's data: its own, without its transport, mounts and badges."""

from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.collection import models_of
from armybuilder.armylists.exports import format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.exports.paper import PaperOptions, paper_data
from armybuilder.armylists.list_sheet import SheetUnit
from armybuilder.reference.names import AS_THEY_ARE
from armybuilder.web.pages.play_page import PlayPage
from armybuilder.web.pages.roster_view import roster_view_of
from tests.armylists.named_lists import Clerk, NamedList, published
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

LISTS = {
    # models are upgrades that show a profile; a Rhino, a Drop Pod and a Storm are upgrades below their squads
    "wh40k-6th": (
        NamedList(
            name="Iron Road",
            catalogue="Space Marines: Codex (2013)",
            force="Primary Detachment",
            limit=1850,
            points=0,
            units=(
                ("Terminator Captain",),
                ("Tactical Squad", "Rhino", "Rhino > Dozer Blade"),
                ("Scout Squad", "Land Speeder Storm"),
                ("Dreadnought", "Drop Pod"),
            ),
            spoils=(),
        ),
        {"Terminator Captain": 1, "Tactical Squad": 5, "Scout Squad": 5, "Dreadnought": 1},
    ),
    # a Rhino is a unit below its squad; a Termite is one that stands around a model; gunners are upgrades
    "horus-heresy": (
        NamedList(
            name="Road to Terra",
            catalogue="LA -  XVI: Sons of Horus",
            force="Crusade Force Organisation Chart",
            limit=2500,
            points=0,
            allegiance="traitor",
            units=(
                ("Tactical Squad", "Rhino Transport"),
                ("Veteran Squad", "Termite Assault Drill"),
                ("Rapier Battery",),
            ),
            spoils=(),
        ),
        {"Tactical Squad": 10, "Veteran Squad": 5, "Rapier Battery": 3},
    ),
    # a lance is typed as a unit; the Handgunners' models have a frame around them; three crew serve one cannon
    "fantasy-8th": (
        NamedList(
            name="Waldheim",
            catalogue="Empire - Army Book (2013-4) -V8.8.2.",
            force="Standard",
            limit=2000,
            points=0,
            files=("Warhammer Fantasy 8th ed.gst", "Empire - 8thBRB_8thAB.catz"),
            units=(("Knightly Orders",), ("Handgunners",), ("Demigryph Knights",), ("Great Cannon",)),
            spoils=(),
        ),
        {"Knightly Orders": 5, "Handgunners": 10, "Demigryph Knights": 3, "Great Cannon": 1},
    ),
}


@pytest.fixture(params=LISTS)
def counted(request: pytest.FixtureRequest, shared: Path, viewer: Viewer) -> tuple[Clerk, dict[str, int]]:
    wanted, models = LISTS[request.param]
    library = library_in(shared / "battlescribe" / "data" / DATA[request.param], wanted.files or None)
    return Clerk(viewer, published(request.param, library), library, wanted), models


def test_the_same_number_everywhere(counted: tuple[Clerk, dict[str, int]]) -> None:
    army, models = counted
    assert {unit.name: unit.model_count for unit in _units(army)} == models
    assert {name: number for name, number in models_of(army.row).items() if name in models} == models
    view = roster_view_of(army.report, AS_THEY_ARE)
    rows = [row for block in view.detachments for role in block.roles for row in role.units if row.models]
    assert {row.name: row.models for row in rows} == {row.name: models.get(row.name, 1) for row in rows}
    text = format_called("text-wtc").file_of(army.row).content.decode()
    assert all(f"{number}x {name} (" in text for name, number in models.items()), text


def _units(army: Clerk) -> list[SheetUnit]:
    wanted = {name for name, *_ in army.wanted.units}
    return [unit for unit in plain_sheet_of(army.row).units if unit.name in wanted]


@pytest.mark.parametrize("counted", ["wh40k-6th"], indirect=True)
def test_a_transport_is_told_beside_its_squad(counted: tuple[Clerk, dict[str, int]]) -> None:
    """It is no character for its sergeant, stands on the table, and its loss does not weaken the squad."""
    army, _ = counted
    squad = next(unit for unit in _units(army) if unit.name == "Tactical Squad")
    assert not squad.is_character
    assert [kind.name for kind in squad.attached] == ["Rhino"]
    assert "Rhino (Dozer Blade)" in format_called("plain").file_of(army.row).content.decode()
    assert '"Nickname": "Rhino"' in format_called("tts").file_of(army.row).content.decode()
    kinds = next(row.models for row in PlayPage(plain_sheet_of(army.row)).units if row.unit.id == squad.id)
    assert [(kind.models.name, kind.models.is_apart) for kind in kinds] == [
        ("Space Marine", False),
        ("Space Marine Sergeant", False),
        ("Rhino", True),
    ]


@pytest.mark.parametrize("counted", ["horus-heresy"], indirect=True)
def test_a_card_has_boxes_for_the_transport_once(counted: tuple[Clerk, dict[str, int]]) -> None:
    """A Termite is named twice, as what was bought and as its model; a Rhino by its row: Legion Rhino Transport."""
    army, _ = counted
    cards = paper_data(plain_sheet_of(army.row), PaperOptions(), kind="cards", names=AS_THEY_ARE)["cards"]
    boxes = {card["title"]: [(row["name"], row["each"]) for row in card["wounds"]] for card in cards}
    assert boxes["Tactical Squad"] == [("Legion Tactical Sergeant", 1), ("Legionaries", 1), ("Rhino Transport", 3)]
    assert [name for name, _ in boxes["Veteran Squad"]].count("Termite Assault Drill") == 1
