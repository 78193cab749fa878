"""Units of 40k 6th edition rosters as fighters: saves, weapons as authors write them, what is reported."""

# ruff: noqa: E501 - a row of a table is a line
from decimal import Decimal
from pathlib import Path

import pytest

from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter, is_a
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import is_gap, is_known, marker
from armybuilder.engine.systems.wh40k_6th.roster import fighters
from armybuilder.engine.systems.wh40k_6th.roster.fighters import sides_from_roster
from tests.conftest import ROOT
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures/wh40k-6th"
COMMUNITY = "battlescribe/data/wh40k-6th-1.14b"


def read_folder(folder: Path) -> ListBuilding:
    """An empty list on the data of a folder."""
    suffixes = (".gst", ".cat", ".gstz", ".catz")
    return ListBuilding(
        compiled_library([SourceFile(p.name, p.read_bytes()) for p in sorted(folder.iterdir()) if p.suffix in suffixes])
    )


def with_detachment(army: ListBuilding, catalogue: str) -> ListBuilding:
    """The same with the first detachment of a catalogue whose name contains these words."""
    found = next(one for one in army.library.catalogues if catalogue in one.name)
    army.detachment(army.library.force_entries(found.id)[0].id, found.id)
    return army


def fighters_of(army: ListBuilding) -> dict[str, Fighter]:
    """By name; of several the last."""
    return {fighter.name: fighter for fighter in sides_from_roster(army.state)}


@pytest.fixture(scope="module")
def marines() -> dict[str, Fighter]:
    """Some units of our own Space Marines."""
    army = with_detachment(read_folder(FIXTURES), "Space Marines")
    captain = army.add("Captain")
    army.swap(captain, "Bolt Pistol", "Plasma Pistol")
    for name in ("Tactical Squad", "Terminator Squad", "Predator"):
        army.add(name)
    return fighters_of(army)


def test_models_saves_and_points(marines: dict[str, Fighter]) -> None:
    squad, terminators, captain = marines["Tactical Squad"], marines["Terminator Squad"], marines["Captain"]
    assert squad.models == sum(group.count for group in squad.groups) >= 5
    assert [group.profile.T for group in squad.groups if group.profile] == [4] * len(squad.groups)
    assert is_a(squad.groups[-1], "character") and not is_a(squad.groups[0], "character"), "characters stand last"
    assert "Boltgun" in {weapon.name for weapon in squad.groups[0].weapons}
    saves = [(group.profile.Sv, group.profile.Inv) for group in terminators.groups if group.profile]
    assert set(saves) == {("2+", "5+")}
    assert captain.groups[0].profile is not None
    assert (captain.groups[0].profile.Sv, captain.groups[0].profile.Inv) == ("3+", "4+")
    assert [weapon.name for weapon in captain.groups[0].weapons] == ["Plasma Pistol"], "blades are not shot with"
    assert captain.points == Decimal(105)
    assert {"Independent Character", "Gets Hot"} <= set(captain.unknown), "what no figure knows is reported"


def test_vehicles_shoot_and_have_no_toughness(marines: dict[str, Fighter]) -> None:
    predator = marines["Predator"]
    assert predator.is_hull and not marines["Captain"].is_hull
    assert predator.groups[0].weapons and predator.groups[0].profile and predator.groups[0].profile.BS == 4


@pytest.mark.parametrize(("text", "found"), [
    ("Blast", "blast"), ('5" Blast', "large blast"), ('Apocalyptic Blast (10")', "apocalyptic blast"), ("Large Blast", "large blast"),
    ("Template", "template"), ("Hellstorm", "hellstorm"), ('7" Blast', "massive blast"), ("Rending", None), ("Ordnance", None),
])  # fmt: skip
def test_markers_as_authors_write_them(text: str, found: str | None) -> None:
    assert marker(text) == found


def test_known_rules() -> None:
    assert is_known("Twin-linked") and is_known("Master-crafted") and is_known("Blast")
    assert not is_known("Feel No Pain")
    assert is_gap("Feel No Pain") and not is_gap("Furious Charge") and not is_gap("Blast"), "it is for close combat"


def test_a_rule_on_a_weapon_explains_the_weapon(marines: dict[str, Fighter]) -> None:
    assert "Gets Hot" in marines["Captain"].groups[0].weapons[0].rules
    assert "Gets Hot" not in marines["Captain"].groups[0].rules


@pytest.mark.shared
def test_wargear_and_names_of_community_data(shared: Path) -> None:
    army = with_detachment(read_folder(shared / COMMUNITY), "Tau")
    for name in ("XV104 Riptide", "Fire Warrior Team", "Commander Farsight", "Piranhas", "Aun'Shi"):
        army.add(name)
    units = fighters_of(army)
    riptide = units["XV104 Riptide"]
    assert riptide.groups[0].profile and (riptide.groups[0].profile.Sv, riptide.groups[0].profile.Inv) == ("2+", "5+")
    assert len(riptide.modes) == 1 and len(riptide.modes[0].weapons) == 2, "one of the two profiles of its cannon"
    twin = {weapon.name: weapon.rules for weapon in riptide.groups[0].weapons}
    assert "Twin-linked" in twin["Smart missile system"], "as the name of its selection says"
    assert units["Fire Warrior Team"].groups[0].weapons[0].name == "Pulse rifle"
    assert "Photon grenades" in units["Fire Warrior Team"].unknown
    farsight = units["Commander Farsight"].groups[0].profile
    assert farsight and farsight.Inv == "4+"


@pytest.mark.shared
def test_a_selection_without_words_is_reported(shared: Path) -> None:
    army = with_detachment(read_folder(shared / COMMUNITY), "Space Marines")
    army.add("Techmarine")
    assert {"Servo Arm"} <= set(fighters_of(army)["Techmarine"].unknown), "the data says nothing of it"


@pytest.mark.shared
def test_a_gun_is_aimed_by_who_serves_it(shared: Path) -> None:
    """The data has no row of the Techmarine who does, and a cannon has no Ballistic Skill: it never fired."""
    army = with_detachment(read_folder(shared / COMMUNITY), "Space Marines")
    army.add("Thunderfire Cannon")
    fighter = fighters_of(army)["Thunderfire Cannon"]
    assert [(group.name, group.count) for group in fighter.groups] == [
        ("Thunderfire Cannon", 1),
        ("Techmarine Gunner", 1),
    ]
    assert [group.profile and (group.profile.BS, group.profile.T, group.profile.W) for group in fighter.groups] == [
        (4, 7, 2),
        (4, 4, 1),
    ]
    assert [len(group.weapons) for group in fighter.groups] == [3, 0], "he fires nothing else meanwhile"
    assert "TFC Surface Detonation" not in fighter.unknown
    assert "Servo-harness" in fighter.unknown


@pytest.mark.shared
def test_a_gun_is_aimed_by_a_crew_of_the_data(shared: Path) -> None:
    """The Mek Guns of 2014 have a row without a Ballistic Skill beside that of their Gretchin, and never fired."""
    army = with_detachment(read_folder(shared / "battlescribe/data/wh40k-7th-edition"), "Orks")
    army.add("Mek Gunz")
    fighter = fighters_of(army)["Mek Gunz"]
    gun = next(group for group in fighter.groups if group.weapons)
    assert gun.profile and (gun.profile.BS, [weapon.name for weapon in gun.weapons]) == (
        3,
        ["Kannon (Frag)", "Kannon (Shell)"],
    )
    assert fighter.unknown == ()


@pytest.mark.shared
def test_a_rolled_strength_or_ap_is_its_average_and_said(shared: Path) -> None:
    """Flash Gitz and whoever has Zzap Guns shot with nothing."""
    army = with_detachment(read_folder(shared / COMMUNITY), "Orks")
    army.add("Flash Gitz")
    army.add("Kustom Battle Fortress (FW)")
    units = fighters_of(army)
    [snazzgun] = units["Flash Gitz"].groups[0].weapons
    zzap = units["Kustom Battle Fortress (FW)"].groups[0].weapons
    assert (snazzgun.S, snazzgun.AP, {gun.S for gun in zzap}, len(zzap)) == (5, 4, {7}, 3)
    assert "Snazzgun" in units["Flash Gitz"].unknown
    assert "Zzap Gun" in units["Kustom Battle Fortress (FW)"].unknown


@pytest.mark.shared
def test_guns_that_nobody_can_aim_are_named(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    army = with_detachment(read_folder(shared / COMMUNITY), "Space Marines")
    army.add("Thunderfire Cannon")
    monkeypatch.setattr(fighters, "crew_of", lambda *_: None)
    assert "TFC Surface Detonation" in fighters_of(army)["Thunderfire Cannon"].unknown
