"""Squads of the community's 6th edition data with what players buy for them, as fighters; compared with the codexes."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter
from armybuilder.engine.systems.wh40k_6th.roster import army_document
from armybuilder.engine.systems.wh40k_6th.roster.fighters import sides_from_roster
from tests.engine.systems.roster_reading.community_units import library_in
from tests.fixtures.building import ListBuilding

pytestmark = pytest.mark.shared

PRIMARY = "5374616e6461726423232344415441232323"


@pytest.fixture(scope="module")
def library(shared: Path) -> Library:
    return library_in(shared / "battlescribe" / "data" / "wh40k-6th-1.14b")


def bought(library: Library, army: str, unit: str, *options: str) -> ListBuilding:
    """A list of this unit alone; options as "model > option"."""
    made = ListBuilding(library)
    made.detachment(PRIMARY, next(one.id for one in library.catalogues if one.name.startswith(army)))
    for selection in made.state.forces[0].selections:
        made.drop(selection.id)
    unit_id = made.add(unit)
    for option in options:
        model, _, name = option.rpartition(" > ")
        made.take(made.child(unit_id, model) if model else unit_id, name)
    return made


def fought(library: Library, army: str, unit: str, *options: str) -> Sequence[Fighter]:
    return sides_from_roster(bought(library, army, unit, *options).state)


def test_vehicles_with_drones_are_one_squadron(library: Library) -> None:
    """The drones on them were taken for the squadron, and the Piranhas for its transports."""
    army = bought(library, "Tau", "Piranhas", "Piranha", "Piranha > Fusion blaster")
    (fighter,) = sides_from_roster(army.state)
    assert (fighter.name, fighter.models, fighter.points) == ("Piranhas", 2, 90)
    reading = army_document.Translator.translate(
        army.state, army_document.Facts(), points_limit=None, alliance_levels={}
    )
    (unit,) = reading.army.detachments[0].units
    assert (unit.name, unit.role, [group.count for group in unit.models]) == ("Piranhas", "fast_attack", [1, 1])
    assert reading.findings == ()


@pytest.mark.parametrize(
    ("unit", "options", "transport"),
    [
        ("Crusader Squad", ("Meltagun", "Rhino"), "Rhino"),
        ("Terminator Assault Squad", ("Land Raider Crusader",), "Land Raider Crusader"),
    ],
)
def test_a_transport_has_no_guns_of_a_squad_without_characteristics(
    library: Library, unit: str, options: tuple[str, ...], transport: str
) -> None:
    """The meltagun of the Initiates, of whom the data has no row, was fired by their Rhino."""
    army = bought(library, "Space Marines", unit, *options)
    (fighter,) = sides_from_roster(army.state)
    assert fighter.name == transport
    assert not {"Meltagun", "Boltgun", "Bolt Pistol"} & {gun.name for gun in fighter.side.models[0].weapons}
    reading = army_document.Translator.translate(
        army.state, army_document.Facts(), points_limit=None, alliance_levels={}
    )
    assert [unit.role for unit in reading.army.detachments[0].units][1:] == ["dedicated_transport"]
    assert f"{unit}: its models are not recognised." in [finding.message.en for finding in reading.findings]


def test_only_the_gun_that_is_named_so_is_twin_linked(library: Library) -> None:
    """The lascannon of "Lascannon and Twin-Linked Plasma Gun" hit as often as the plasma gun."""
    squad, razorback = fought(
        library, "Space Marines", "Tactical Squad", "Razorback", "Razorback > Lascannon and Twin-Linked Plasma Gun"
    )
    twin = {gun.name: "Twin-linked" in gun.rules for gun in razorback.side.models[0].weapons}
    assert (squad.models, twin) == (5, {"Lascannon": False, "Plasma Gun": True})
