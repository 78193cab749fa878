"""Guns that the community's data names only where they are replaced: facts of ours, and what has none says so."""

from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter
from armybuilder.engine.systems.wh40k_6th.combat.matrix import Shelter, Shooters, shooting_request
from armybuilder.engine.systems.wh40k_6th.combat.model_notes import note_rules
from armybuilder.engine.systems.wh40k_6th.roster import default_wargear
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import CODEX_WARGEAR
from armybuilder.engine.systems.wh40k_6th.roster.fighters import sides_from_roster
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

PRIMARY = "5374616e6461726423232344415441232323"


def test_every_fact_is_a_gun_of_the_tables() -> None:
    facts = default_wargear.table()
    squads = [models for units in facts.armies.values() for models in units.values()]
    used = {key for models in squads for keys in models.values() for key in keys}
    assert used <= set(facts.weapons)
    for weapon in facts.weapons.values():
        by_name = [read.weapon_of(row).weapon for row in default_wargear.rows_named(weapon.name.partition(" (")[0])]
        assert weapon in by_name, "what is written as a row is read as it was written"
    assert all(read.is_printed(weapon) and not weapon.is_melee for weapon in facts.weapons.values())


def test_whom_a_fact_is_about() -> None:
    assert [gun.name for gun in default_wargear.guns("Space Marines", "Tactical Squad", "Space Marine")] == [
        "Boltgun",
        "Bolt pistol",
    ]
    assert default_wargear.guns("Space Marines", "Command Squad", "Apothecary") == ()
    assert default_wargear.guns("Orks", "Tactical Squad", "Space Marine") == ()


def started(shared: Path) -> ListBuilding:
    folder = shared / "battlescribe" / "data" / "wh40k-6th-1.14b"
    files = [folder / "Warhammer40K.gst", folder / "Space Marines - Codex.catz"]
    army = ListBuilding(compiled_library([SourceFile(path.name, path.read_bytes()) for path in files]))
    army.detachment(PRIMARY, army.library.catalogues[0].id)
    return army


def alone(shared: Path, *units: str) -> dict[str, Fighter]:
    army = started(shared)
    for unit in units:
        army.add(unit)
    return {fighter.name: fighter for fighter in sides_from_roster(army.state)}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("unit", "guns"),
    [
        ("Devastator Squad", ["Boltgun", "Bolt pistol"]),
        ("Assault Squad", ["Bolt pistol"]),
        ("Land Raider", ["Twin-linked heavy bolter", "Twin-linked lascannon", "Twin-linked lascannon"]),
        ("Terminator Squad", ["Storm bolter"]),
        ("Hunter", ["Skyspear missile launcher"]),
        ("Stalker", ["Icarus stormcannon array"]),
        ("Dreadnought (Heavy)", ["Multi-melta", "Storm bolter"]),
    ],
)
def test_squads_have_the_guns_of_their_codex(shared: Path, unit: str, guns: list[str]) -> None:
    fighter = alone(shared, unit)[unit]
    most = max(fighter.side.models, key=lambda group: group.count)
    assert [weapon.name for weapon in most.weapons] == guns
    assert not any(text.startswith("Weapons: ") for text in fighter.unknown)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("unit", "guns"),
    [
        ("Dreadnought", ["Multi-melta", "Storm Bolter"]),
        ("Ironclad Dreadnought", ["Meltagun", "Storm Bolter"]),
        ("Stormtalon Gunship", ["Twin-linked heavy bolter", "Twin-linked Assault Cannon"]),
        ("Master of the Forge", ["Boltgun", "Bolt pistol"]),
    ],
)
def test_a_gun_is_known_by_its_name(shared: Path, unit: str, guns: list[str]) -> None:
    """The data prints no profile of it."""
    fighter = alone(shared, unit)[unit]
    assert sorted(weapon.name for weapon in fighter.side.models[0].weapons) == sorted(guns)
    assert not {text for text in fighter.unknown if read.plain_name(text) in map(read.plain_name, guns)}


def test_what_is_got_in_exchange_is_known_by_its_name() -> None:
    for name, guns in (
        ("Hurricane Bolters", ["Hurricane bolter"]),
        ("Replace Ironclad Assault Launchers w/ Hurricane Bolter", ["Hurricane bolter"]),
        ("Astartes Grenade Launcher", ["Astartes grenade launcher (frag)", "Astartes grenade launcher (krak)"]),
    ):
        assert [row.name for row in default_wargear.rows_named(name)] == guns


@pytest.mark.shared
def test_a_terminator_fires_his_cyclone_besides_his_storm_bolter(shared: Path) -> None:
    army = started(shared)
    squad = army.add("Terminator Squad")
    army.take(squad, "Cyclone Missile Launcher")
    army.add("Tactical Squad")
    fighters = {fighter.name: fighter for fighter in sides_from_roster(army.state)}
    request = shooting_request(
        fighters["Terminator Squad"], fighters["Tactical Squad"], shooters=Shooters(distance=20), shelter=Shelter()
    )
    assert request.attacker is not None
    fired = [weapon for group in request.attacker.models for weapon in group.weapons]
    assert sum(weapon.name.startswith("Cyclone") for weapon in fired) == 1
    bolters = sum(
        weapon.count or group.count
        for group in request.attacker.models
        for weapon in group.weapons
        if weapon.name == "Storm bolter"
    )
    assert bolters == sum(group.count for group in fighters["Terminator Squad"].groups)


@pytest.mark.shared
def test_a_gun_that_is_named_and_printed_is_one_gun(shared: Path) -> None:
    """The sergeant names his pistol, the unit prints it; two pistols would be fired together."""
    army = started(shared)
    squad = army.add("Legion of the Damned Squad")
    leader = army.child(squad, "Legionnaire Sergeant")
    for gun in ("Bolt Pistol", "Boltgun"):
        army.take(leader, gun)
    (fighter,) = (found for found in sides_from_roster(army.state) if found.unit == squad)
    sergeant = next(group for group in fighter.side.models if group.count == 1)
    assert sorted(read.plain_name(weapon.name) for weapon in sergeant.weapons) == ["boltgun", "boltpistol"]


CHAMPION, SWORD = (5, 4, 4, 4, 1, 4, 3, 9, "2+", None), (4, 4, 4, 4, 1, 4, 2, 9, "3+", None)
TERMINATOR, CENTURION = (4, 4, 4, 4, 1, 4, 2, 9, "2+", "5+"), (4, 4, 5, 5, 2, 4, 1, 8, "2+", None)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("unit", "models", "guns"),
    [
        ("Crusader Squad", {"Initiates": (5, (4, 4, 4, 4, 1, 4, 1, 8, "3+", None))}, ["Bolt pistol", "Boltgun"]),
        (
            "Honour Guard Squad",
            {"Honour Guard": (2, (4, 4, 4, 4, 1, 4, 2, 9, "2+", None)), "Chapter Champion": (1, CHAMPION)},
            ["Bolt Pistol", "Boltgun"],
        ),
        ("Terminator Assault Squad", {"Terminators": (4, TERMINATOR), "Terminator Sergeant": (1, TERMINATOR)}, []),
        (
            "Centurion Assault Squad",
            {"Centurion": (2, CENTURION), "Centurion Sergeant": (1, CENTURION)},
            ["Twin-linked flamer"],
        ),
        (
            "Centurion Devastator Squad",
            {"Centurion": (2, CENTURION), "Centurion Sergeant": (1, CENTURION)},
            ["Hurricane bolter", "Twin-linked heavy bolter"],
        ),
        (
            "High Marshal Helbrecht",
            {"High Marshal Helbrecht": (1, (6, 5, 4, 4, 4, 5, 4, 10, "2+", "4+"))},
            ["Combi-melta (boltgun)", "Combi-melta (meltagun)"],
        ),
    ],
)
def test_squads_of_which_the_data_has_no_characteristics(
    shared: Path, unit: str, models: dict[str, tuple[int, object]], guns: list[str]
) -> None:
    """They stayed out of every fight; his combi-melta, "4 (Bolter)/ 8 (Melta)" in the data, was left out as well."""
    fighter = alone(shared, unit)[unit]
    rows = {
        group.name: (group.count, (p.WS, p.BS, p.S, p.T, p.W, p.I, p.A, p.Ld, p.Sv, p.Inv))
        for group in fighter.side.models
        if (p := group.profile) is not None
    }
    assert rows == models
    assert sorted({weapon.name for group in fighter.side.models for weapon in group.weapons}) == guns
    request = shooting_request(
        alone(shared, "Devastator Squad")["Devastator Squad"],
        fighter,
        shooters=Shooters(distance=20),
        shelter=Shelter(),
    )
    notes = ModelNotes()
    note_rules(request, notes)
    assert [text.en for text in notes.assumptions if "characteristics" in text.en] == [
        f"The data has no characteristics of {name}; those of the published codex are taken." for name in models
    ]


@pytest.mark.shared
def test_who_has_no_gun_says_so(shared: Path) -> None:
    fighters = alone(shared, "Servitors", "Terminator Assault Squad")
    assert "Weapons: Servitor" in fighters["Servitors"].unknown
    assert not any(name.startswith("Weapons: ") for name in fighters["Terminator Assault Squad"].unknown), (
        "they need none"
    )


@pytest.mark.shared
def test_answers_say_whose_guns_they_are(shared: Path) -> None:
    """Only of guns that the data does not name: a Dreadnought prints its storm bolter."""
    fighters = alone(shared, "Devastator Squad", "Dreadnought")
    for name, gun in (("Devastator Squad", "Boltgun"), ("Dreadnought", "Multi-melta")):
        request = shooting_request(
            fighters[name], fighters["Devastator Squad"], shooters=Shooters(distance=20), shelter=Shelter()
        )
        notes = ModelNotes()
        note_rules(request, notes)
        told = [text.en for text in notes.assumptions if "codex" in text.en]
        assert told and all(f"the {gun} of " in text for text in told)
        assert CODEX_WARGEAR not in notes.not_simulated


@pytest.mark.shared
@pytest.mark.parametrize(
    ("unit", "model", "options", "guns"),
    [
        ("Tactical Squad", "Space Marine Sergeant", ["Melta Bombs"], ["Bolt pistol", "Boltgun"]),
        ("Tactical Squad", "Space Marine Sergeant", ["Teleport Homer"], ["Bolt pistol", "Boltgun"]),
        ("Devastator Squad", "Space Marine Sergeant", ["Veteran Sergeant"], ["Bolt pistol", "Boltgun"]),
        ("Tactical Squad", "Space Marine Sergeant", ["Power Weapon"], ["Boltgun"]),
        ("Tactical Squad", "Space Marine Sergeant", ["Plasma Pistol", "Power Weapon"], ["Plasma Pistol"]),
        ("Vanguard Veteran Squad", "Veteran Sergeant", ["Melta Bombs"], ["Bolt pistol"]),
        ("Vanguard Veteran Squad", "Veteran Sergeant", ["Power Fist"], ["Bolt pistol"]),
        ("Vanguard Veteran Squad", "Veteran Sergeant", ["Plasma Pistol"], ["Plasma Pistol"]),
        ("Vanguard Veteran Squad", "Veteran Sergeant", ["Replace bolt pistol/chainsword w/ relic blade"], []),
        ("Chaplain", "", ["Jump Pack", "Digital Weapons"], ["Bolt pistol"]),
        ("Chaplain", "", ["The Shield Eternal"], ["Bolt pistol"]),
        ("Chaplain", "", ["Power Fist"], []),
        ("Techmarine", "", [], ["Bolt pistol"]),
        ("Dreadnought (Heavy)", "", ["Twin-Linked Lascannon"], ["Storm bolter", "Twin-linked lascannon"]),
        ("Dreadnought (Heavy)", "", ["Twin Linked Autocannon"], ["Autocannon", "Multi-melta"]),
    ],
)
def test_what_is_taken_besides_the_weapons_takes_none_away(
    shared: Path, unit: str, model: str, options: list[str], guns: list[str]
) -> None:
    """A rank, melta bombs, a shield or the other arm's gun left a sergeant or a Dreadnought without any."""
    army = started(shared)
    squad = army.add(unit)
    for option in options:
        army.take(army.child(squad, model) if model else squad, option)
    (fighter,) = (found for found in sides_from_roster(army.state) if found.unit == squad)
    bearer = min(fighter.side.models, key=lambda group: group.count)
    assert sorted(weapon.name for weapon in bearer.weapons) == guns


@pytest.mark.shared
@pytest.mark.parametrize(
    ("unit", "carrier", "gun"),
    [
        ("Assault Squad", "Drop Pod", "Storm bolter"),
        ("Sternguard Veteran Squad", "Razorback", "Twin-linked heavy bolter"),
    ],
)
def test_a_transport_of_which_the_data_names_no_gun(shared: Path, unit: str, carrier: str, gun: str) -> None:
    army = started(shared)
    army.take(army.add(unit), carrier)
    (found,) = (fighter for fighter in sides_from_roster(army.state) if fighter.name == carrier)
    assert [weapon.name for weapon in found.side.models[0].weapons] == [gun]


@pytest.mark.shared
@pytest.mark.parametrize("unit", ["Dreadnought", "Dreadnought (Heavy)"])
def test_a_venerable_dreadnought_is_one(shared: Path, unit: str) -> None:
    """Its better row stood beside it as a second walker without a gun."""
    army = started(shared)
    squad = army.add(unit)
    army.take(squad, "Venerable")
    (fighter,) = sides_from_roster(army.state)
    ((count, skill),) = [(group.count, group.profile and group.profile.BS) for group in fighter.side.models]
    assert (count, skill) == (1, 5)
