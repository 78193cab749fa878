"""Squads of the community's 6th edition data with what players buy for them, as fighters; compared with the codexes."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter, Squad
from armybuilder.engine.systems.wh40k_6th.combat.matrix import Shelter, Shooters, shooting_request
from armybuilder.engine.systems.wh40k_6th.roster import army_document
from armybuilder.engine.systems.wh40k_6th.roster.fighters import sides_from_roster, units_without_fighters
from tests.engine.systems.roster_reading.community_units import library_in, units
from tests.fixtures.building import ListBuilding

pytestmark = pytest.mark.shared

PRIMARY = "5374616e6461726423232344415441232323"


@pytest.fixture(scope="module")
def library(shared: Path) -> Library:
    return library_in(shared / "battlescribe" / "data" / "wh40k-6th-1.14b")


@pytest.fixture
def no_rows_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Squads of which neither the data nor we have characteristics."""
    monkeypatch.setattr("armybuilder.engine.systems.wh40k_6th.roster.units.row_of_model", lambda unit, model: None)


def bought(library: Library, army: str, unit: str, *options: str) -> ListBuilding:
    """A list of this unit alone; options as "model > option", "-option" for one that goes."""
    made = ListBuilding(library)
    made.detachment(PRIMARY, next(one.id for one in library.catalogues if one.name.startswith(army)))
    for selection in made.state.forces[0].selections:
        made.drop(selection.id)
    unit_id = made.add(unit)
    for option in options:
        model, _, name = option.rpartition(" > ")
        if option.startswith("-"):
            made.drop(made.child(unit_id, option[1:]))
            continue
        made.take(made.child(unit_id, model) if model else unit_id, name)
    return made


def fought(library: Library, army: str, unit: str, *options: str) -> Sequence[Fighter]:
    return sides_from_roster(bought(library, army, unit, *options).state)


def told(fighter: Fighter) -> list[str]:
    """The models of a fighter with their guns: "4 Space Marine: 1 Flamer, Boltgun"."""
    return [
        f"{group.count} {group.name}: "
        + ", ".join((f"{gun.count} " if gun.count else "") + gun.name for gun in group.weapons)
        for group in fighter.side.models
    ]


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


@pytest.mark.usefixtures("no_rows_of_ours")
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


@pytest.mark.parametrize(
    ("unit", "options", "guns"),
    [
        (
            "Land Raider",
            ("Multi-Melta", "Storm Bolter"),
            [
                "Multi Melta",
                "Storm Bolter",
                "Twin-linked heavy bolter",
                "Twin-linked lascannon",
                "Twin-linked lascannon",
            ],
        ),
        (
            "Land Raider Redeemer",
            ("Hunter-Killer Missile",),
            ["Flamestorm cannon", "Flamestorm cannon", "Hunter Killer Missile", "Twin-linked assault cannon"],
        ),
        ("Stalker", ("Storm Bolter",), ["Icarus stormcannon array", "Storm Bolter"]),
        (
            "Whirlwind",
            ("Hunter-Killer Missile",),
            ["Hunter Killer Missile", "Whirlwind multiple missile launcher (Vengeance)"],
        ),
        ("Predator", ("Storm Bolter",), ["Autocannon", "Storm Bolter"]),
    ],
)
def test_a_gun_that_is_bought_takes_none_away(
    library: Library, unit: str, options: tuple[str, ...], guns: list[str]
) -> None:
    """A Land Raider with a multi-melta had no lascannons any more, and nothing said so."""
    (fighter,) = fought(library, "Space Marines", unit, *options)
    assert sorted(gun.name for gun in fighter.side.models[0].weapons) == guns


def test_a_second_storm_bolter_of_a_rhino_is_the_second(library: Library) -> None:
    """It had none, and one when it had bought another."""
    _, rhino = fought(library, "Space Marines", "Tactical Squad", "Rhino")
    assert told(rhino) == ["1 Rhino: Storm bolter"]
    assert not any(text.startswith("Weapons: ") for text in rhino.unknown)
    _, rhino = fought(library, "Space Marines", "Tactical Squad", "Rhino", "Rhino > Storm Bolter")
    assert told(rhino) == ["1 Rhino: Storm Bolter, Storm bolter"]


def test_an_arm_that_is_exchanged_is_gone(library: Library) -> None:
    (fighter,) = fought(library, "Space Marines", "Dreadnought (Heavy)", "Twin-Linked Lascannon", "Missile Launcher")
    assert "Multi-melta" not in {gun.name for gun in fighter.side.models[0].weapons}


@pytest.mark.parametrize(
    ("unit", "options", "models"),
    [
        ("Assault Squad", ("Flamer", "Flamer"), ["4 Space Marine: 2 Flamer, 2 Bolt pistol"]),
        (
            "Devastator Squad",
            ("Missile Launcher", "Missile Launcher", "Lascannon", "Lascannon"),
            [
                "4 Space Marine: 2 Lascannon, 2 Missile launcher (frag), 2 Missile launcher (krak), "
                "Boltgun, Bolt pistol",
            ],
        ),
        ("Dreadnought", ("-Multi-Melta", "Assault Cannon"), ["1 Dreadnought: Assault cannon, Storm Bolter"]),
        ("Scout Squad", ("Combat Blade", "Sniper Rifle"), ["4 Scouts: 1 Sniper Rifle, 2 Boltgun, Bolt pistol"]),
        ("Predator", ("Lascannons",), ["1 Predator: Autocannon, Lascannon, Lascannon"]),
        (
            "Predator Infernus (IA12)",
            ("Flamestorm Cannon", "Heavy Bolters"),
            ["1 Predator Infernus (IA12): Flamestorm Cannon, Heavy Bolter, Heavy Bolter"],
        ),
        (
            "Spartan Assault Tank (IA12)",
            ("Twin-linked Heavy Flamer", "Quad lascannon"),
            ["1 Spartan Assault Tank (IA12): Quad lascannon, Quad lascannon, Heavy Flamer"],
        ),
        (
            "Spartan Assault Tank (IA12)",
            ("Twin-linked Heavy Bolter", "Quad lascannon"),
            ["1 Spartan Assault Tank (IA12): Quad lascannon, Quad lascannon, Heavy bolter"],  # an empty Strength
        ),
        ("Servitors", ("Servitor", "Servitor", "Servitor", "Heavy Bolter"), ["4 Servitor: 1 Heavy bolter"]),
        (
            "Land Speeder Squadron",
            ("Land Speeder > Typhoon Missile Launcher",),
            [
                "1 Land Speeder: Heavy bolter, Typhoon missile launcher (frag), Typhoon missile launcher (krak)",
            ],
        ),
    ],
)
def test_guns_without_a_row_are_known_by_their_names(
    library: Library, unit: str, options: tuple[str, ...], models: list[str]
) -> None:
    """Four heavy weapons of a squad were two, and both lascannons of a Predator none: "Lascannon" had no row there."""
    fighter = fought(library, "Space Marines", unit, *options)[0]
    assert told(fighter)[: len(models)] == models
    assert not {option.rpartition(" > ")[2] for option in options} & set(fighter.unknown)


@pytest.mark.parametrize(
    ("unit", "options", "saves"),
    [
        ("Librarian", ("Terminator Armour",), ("2+", "5+")),
        ("Chapter Master", ("Terminator Armor",), ("2+", "4+")),  # his Iron Halo
        ("Chapter Master", ("Artificer Armor", "Storm Shield"), ("2+", "3+")),
        ("Captain", ("Storm Shield",), ("3+", "3+")),
        ("Terminator Squad", (), ("2+", "5+")),
        ("Tactical Squad", (), ("3+", None)),
        ("Command Squad", ("Storm Shield",), ("3+", None)),  # one of five
    ],
)
def test_armour_without_a_row_protects(
    library: Library, unit: str, options: tuple[str, ...], saves: tuple[str, str | None]
) -> None:
    """A Librarian in Terminator armour saved on 3+, and nothing was said of it."""
    fighter = fought(library, "Space Marines", unit, *options)[0]
    profile = fighter.side.models[0].profile
    assert profile is not None and (profile.Sv, profile.Inv) == saves
    assert (set(options) & set(fighter.unknown) == set()) == (unit != "Command Squad")
    assert "Bolt pistol" not in {gun.name for gun in fighter.side.models[0].weapons} or "Terminator" not in options


@pytest.mark.parametrize(
    ("unit", "options", "guns"),
    [
        ("Tactical Squad", ("Space Marine Sergeant > Chainsword", "Space Marine Sergeant > Power Fist"), []),
        (
            "Tactical Squad",
            ("Space Marine Sergeant > Chainsword", "Space Marine Sergeant > Storm Bolter"),
            ["Storm Bolter"],
        ),
        ("Bike Squad", ("-Bolt pistol", "Biker Sergeant > Power Fist"), ["Twin-linked boltgun"]),
        ("Vanguard Veteran Squad", ("Veteran Sergeant > Lightning Claw", "Veteran Sergeant > Lightning Claw"), []),
        ("Captain", ("Power Fist",), []),
        ("Techmarine", ("Power Axe", "Bolter"), ["Boltgun"]),  # the axe in place of his pistol
        ("Master of the Forge", ("-Bolt pistol", "Power Fist"), ["Boltgun"]),
        ("Chaplain", ("Power Fist",), []),
        ("Chapter Master", ("replace Bolt Pistol with Boltgun",), ["Boltgun"]),
    ],
)
def test_who_gave_his_guns_away_has_none(
    library: Library, unit: str, options: tuple[str, ...], guns: list[str]
) -> None:
    """The Sergeant with a chainsword and a power fist still fired a boltgun."""
    fighter = fought(library, "Space Marines", unit, *options)[0]
    leader = next(group for group in fighter.side.models if group.name in (unit, options[-1].partition(" > ")[0]))
    assert [gun.name for gun in leader.weapons] == guns


@pytest.mark.parametrize("rider", ["Captain", "Chapter Master", "Chaplain", "Techmarine", "Command Squad"])
def test_a_bike_bears_and_shoots(library: Library, rider: str) -> None:
    """Its text changes type and Toughness and has a gun built in; where the data has its name alone, it is the codex's.

    The models of a Command Squad have the Toughness of riders by the data already.
    """
    options = {"Captain": "Bike", "Chapter Master": "Bike", "Command Squad": "Space Marine Bikes"}
    (fighter, *_) = fought(library, "Space Marines", rider, options.get(rider, "Space Marine Bike"))
    (group, *_) = fighter.side.models
    assert group.profile is not None and (group.profile.T, group.subtypes[0]) == (5, "bike")
    assert [gun.name for gun in group.weapons if "Twin-linked" in gun.rules] == ["Twin-linked boltgun"]
    assert "Space Marine Bike" not in fighter.unknown


@pytest.mark.parametrize(
    ("unit", "option", "guns"),
    [
        ("Stormtalon Gunship", "Typhoon Missle Launcher", ("Typhoon missile launcher (frag)", 1)),
        ("Storm Eagle Assault Gunship (IA12)", "Four Hellstrike missiles", ("Hellstrike missile", 4)),
        (
            "Storm Eagle Assault Gunship (IA12)",
            "Single typhoon missile launcher",
            ("Typhoon missile launcher (krak)", 1),
        ),
        ("Stormraven Gunship", None, ("Stormstrike missile", 4)),
    ],
)
def test_missiles_without_a_row_are_fired(
    library: Library, unit: str, option: str | None, guns: tuple[str, int]
) -> None:
    """Misspelled, counted in the name or of one launcher "single": they were named, and none was fired."""
    (fighter, *_) = fought(library, "Space Marines", unit, *filter(None, (option,)))
    name, number = guns
    assert [gun.name for gun in fighter.side.models[0].weapons].count(name) == number
    assert not any("missile" in one.casefold() or "missle" in one.casefold() for one in fighter.unknown)


def test_a_pilot_is_no_model_beside_his_tank(library: Library) -> None:
    """The gun drones on Longstrike's Hammerhead fired its ion cannon."""
    (fighter,) = fought(library, "Tau", "Hammerhead Gunship", "-Railgun", "Ion cannon", "Longstrike")
    assert told(fighter) == [
        "1 Hammerhead Gunship: Ion cannon (ovrchrg), Ion cannon (std), Pulse carbine, Pulse carbine"
    ]


def test_bombs_thrown_by_hand_are_named(library: Library) -> None:
    """Every Tankbusta threw one, as no unit may; of grenades the same was said already."""
    (fighter,) = fought(library, "Orks", "Tankbustas", "Tankbusta w/ Tankhammer")
    assert {gun.name for group in fighter.side.models for gun in group.weapons} == {"Rokkit Launcha"}
    assert "Tankbusta Bombz" in fighter.unknown


def test_a_nob_among_boyz_has_a_slugga(library: Library) -> None:
    """The data asks only for what he strikes with."""
    (fighter,) = fought(library, "Orks", "Ork Boyz", "Nob", "Nob > Power Klaw")
    assert told(fighter)[-1] == "1 Nob: Slugga"


def test_toughness_on_a_bike_is_the_one_in_brackets(library: Library) -> None:
    (fighter,) = fought(library, "Space Marines", "Bike Squad", "Attack Bike")
    assert {group.profile.T for group in fighter.side.models if group.profile} == {5}


def test_models_are_not_named_as_gear(library: Library) -> None:
    (fighter,) = fought(library, "Space Marines", "Scout Bike Squad")
    assert "Scout Biker" not in fighter.unknown


def test_a_demolisher_cannon_is_ordnance(library: Library) -> None:
    (fighter,) = fought(library, "Space Marines", "Vindicator")
    assert [(gun.type, gun.shots, gun.cannot_snap) for gun in fighter.side.models[0].weapons][-1] == (
        "Ordnance",
        1,
        True,
    )


def test_arms_of_a_veteran_sergeant_of_scouts_are_his_own(library: Library) -> None:
    """His row stands on his rank, his arms on himself: they were the whole squad's."""
    (fighter,) = fought(
        library, "Space Marines", "Scout Squad", "Scout Sergeant > Veteran Sergeant", "Scout Sergeant > Plasma Pistol"
    )
    assert told(fighter) == ["4 Scouts: Boltgun, Bolt pistol", "1 Scout Sergeant: Bolt Pistol, Plasma Pistol"]
    assert [group.profile.Ld for group in fighter.side.models if group.profile] == [8, 9]


def test_a_combi_weapon_is_a_boltgun_at_least(library: Library) -> None:
    (fighter,) = fought(library, "Space Marines", "Scout Squad", "Scout Sergeant > Combi-weapon")
    assert "Combi-weapon (boltgun)" in {gun.name for gun in fighter.side.models[-1].weapons}
    assert "Combi-weapon" in fighter.unknown, "what the other half is the data does not say"


def test_models_named_with_what_they_carry_are_models(shared: Path) -> None:
    """Nine "Veteran w/ Lasgun" were lasguns of one model, as the row of a Veteran stands on the squad."""
    folder = shared / "battlescribe" / "data" / "wh40k-7th-edition"
    found = units(library_in(folder), "Astra Militarum")
    (fighter,) = sides_from_roster(next(unit.state for unit in found if unit.name == "Veterans"))
    assert told(fighter) == ["9 Veteran w/ Lasgun: Lasgun", "1 Veteran Sergeant: Laspistol"]


def test_text_says_what_is_fired_besides_another_weapon(shared: Path) -> None:
    """ "A Terminator can fire his cyclone missile launcher in addition to his storm bolter." """
    folder = shared / "battlescribe" / "data" / "wh40k-7th-edition"
    data = library_in(folder)
    marines = next(one for one in data.catalogues if one.name.startswith("Space Marines"))
    found = next(units(data, "Space Marines", named="Terminator Squad")).state
    made = ListBuilding(data)
    made.detachment(found.forces[0].entry_id, marines.id)
    squad = made.add("Terminator Squad")
    gunner = made.take(squad, "Terminator (Heavy Weapon)")
    made.take(gunner, "Cyclone Missile Launcher")
    fighter = next(one for one in sides_from_roster(made.state) if one.unit == squad)
    besides = {gun.name for group in fighter.groups for gun in group.weapons if "Fired besides" in gun.rules}
    assert besides == {"Cyclone Missile Launcher (Frag Missile)", "Cyclone Missile Launcher (Krak Missile)"}
    assert "Cyclone Missile Launcher (Details)" not in fighter.unknown


def test_terminators_are_relentless(library: Library) -> None:
    """After a move their assault cannon was left for a storm bolter; the text of the armour says what they are."""
    for unit in ("Terminator Squad", "Terminator Captain"):
        (fighter,) = fought(library, "Space Marines", unit)
        assert all("Relentless" in group.rules for group in fighter.side.models)
        assert "Relentless" not in fighter.unknown


def shots_at(fighter: Fighter, *, distance: float) -> dict[str, tuple[object, object]]:
    """Shots of each weapon that a fighter fires at ten Boyz, and hits of those that use a marker."""
    boyz = Group(name="Boy", count=10, profile=Profile(T=4, W=1, Sv="6+"))
    target = Fighter(unit="boyz", name="Boyz", points=Decimal(60), side=Squad(models=(boyz,)))
    matchup = shooting_request(fighter, target, shooters=Shooters(distance), shelter=Shelter())
    assert matchup.attacker is not None
    fired = [gun for group in matchup.attacker.models for gun in group.weapons]
    return {gun.name: (gun.shots, gun.override.hits if gun.override else None) for gun in fired}


def test_blazing_weapons_shoot_twice_each(library: Library) -> None:
    (cypher,) = fought(library, "Space Marines", "Cypher")
    assert shots_at(cypher, distance=10) == {"Cypher's Bolt Pistol": (2, None), "Cypher's Plasma Pistol": (2, None)}
    assert "Blazing Weapons" not in cypher.unknown


def test_a_barrage_whose_size_the_data_leaves_out_covers_models(library: Library) -> None:
    """The Demolisher cannon is printed as "Ord. 1, Barrage": one shot at one model."""
    (vindicator,) = fought(library, "Space Marines", "Vindicator")
    assert shots_at(vindicator, distance=20) == {"Vindicator: Demolisher Cannon": (1, 4)}


@pytest.mark.usefixtures("no_rows_of_ours")
def test_who_has_no_characteristics_is_no_fighter_and_named(library: Library) -> None:
    for unit in ("Terminator Assault Squad", "Honour Guard Squad", "Centurion Assault Squad"):
        army = bought(library, "Space Marines", unit)
        assert sides_from_roster(army.state) == ()
        assert units_without_fighters(army.state) == (unit,)


def test_a_least_range_is_named(library: Library) -> None:
    """A conversion beamer has a row for each distance; the far ones are fired at what is near too."""
    (tank,) = fought(library, "Space Marines", "Deimos Pattern Predator Executioner", "Heavy Conversion Beamer")
    assert {name for name in tank.unknown if "Beamer" in name} == {
        "Heavy Conversion Beamer (2)",
        "Heavy Conversion Beamer (3)",
    }


@pytest.mark.parametrize(
    ("unit", "options"),
    [("Bike Squad", ("Biker Sergeant > Biker Veteran Sgt",)), ("Scout Bike Squad", ())],
)
def test_a_sergeant_whose_type_is_a_figure_rides_with_the_others(
    library: Library, unit: str, options: tuple[str, ...]
) -> None:
    """The data prints his Weapon Skill as his unit type: he was of the type "4"."""
    army = bought(library, "Space Marines", unit, *options)
    (fighter,) = sides_from_roster(army.state)
    assert {group.subtypes for group in fighter.side.models} == {("bike",)}
    reading = army_document.Translator.translate(
        army.state, army_document.Facts(), points_limit=None, alliance_levels={}
    )
    assert {group.subtypes for group in reading.army.detachments[0].units[0].models} == {("bike",)}
    assert ["“4”; it counts as bike" in finding.message.en for finding in reading.findings] == [True]


@pytest.mark.parametrize(
    ("unit", "option", "carried"),
    [
        ("Tactical Squad", "Space Marine Sergeant > Combi-weapon", "1 Space Marine Sergeant: Combi-weapon (boltgun)"),
        ("Librarian", "Power Armour > Combi-weapon", "1 Librarian: Combi-weapon (boltgun)"),
        (
            "Sternguard Veteran Squad",
            "Space Marine Sergeant > Combi-Grav",
            "1 Space Marine Sergeant: Combi-grav (boltgun)",
        ),
    ],
)
def test_a_combi_weapon_fires_as_a_boltgun_where_the_data_does_not_say_as_what_else(
    library: Library, unit: str, option: str, carried: str
) -> None:
    """The Librarian kept the pistol that he gave for it; a combi-grav was no gun at all."""
    (fighter,) = fought(library, "Space Marines", unit, option)
    assert any(line.startswith(carried) for line in told(fighter))
    assert "Bolt pistol" not in next(line for line in told(fighter) if line.startswith(carried))
    assert "Combi-weapon" in fighter.unknown


@pytest.mark.parametrize(
    ("option", "second"),
    [("Combi-Flamer", "flamer"), ("Combi-Melta", "meltagun"), ("Combi-Plasma", "plasma gun")],
)
def test_a_combi_weapon_is_one_gun_with_two_ways_to_fire(library: Library, option: str, second: str) -> None:
    (fighter,) = fought(library, "Space Marines", "Chaplain", option)
    name = option.capitalize()
    assert told(fighter) == [f"1 Chaplain: {name} (boltgun), {name} ({second})"]
    assert [mode.weapons for mode in fighter.modes] == [(0, 1)]
    assert "One Use Only" in fighter.side.models[0].weapons[1].rules


@pytest.mark.parametrize(
    ("army", "unit", "options", "first"),
    [
        (  # the drone has its own gun, and the suit one cannon, not that of its codex beside the chosen one
            "Tau",
            "Riptide Wing",
            ("XV104 Riptide > Ion accelerator", "XV104 Riptide > Shielded Missile Drone"),
            [
                "1 XV104 Riptide: Ion accelerator (std), Ion accelerator (Nova), Ion accelerator (ovrchrg), "
                "Smart missile system",
                "1 Shielded Missile Drone: Missile pod",
            ],
        ),
        (
            "Tau",
            "Riptide Wing",
            ("XV104 Riptide > Twin-linked fusion blaster",),
            ["1 XV104 Riptide: Fusion blaster, Heavy burst cannon"],
        ),
        (  # "armed with four stormstrike missiles", a hurricane bolter on each side
            "Space Marines",
            "Stormraven Gunship",
            ("Hurricane Bolters",),
            [
                "1 Stormraven Gunship: Hurricane bolter, Hurricane bolter, Stormstrike missile, Stormstrike missile, "
                "Stormstrike missile, Stormstrike missile, Assault Cannon, Multimelta",
            ],
        ),
    ],
)
def test_guns_of_suits_and_gunships_are_counted(
    library: Library, army: str, unit: str, options: tuple[str, ...], first: list[str]
) -> None:
    found = next(units(library, army, named=unit))
    made = ListBuilding(library)
    made.roster, made.count = found.state.roster, 1000  # ids of its own
    for option in options:
        model, _, name = option.rpartition(" > ")
        made.take(made.child(found.node.id, model) if model else found.node.id, name)
    assert told(sides_from_roster(made.state)[0]) == first


def test_a_champion_who_gave_his_boltgun_has_not_that_of_his_squad(library: Library) -> None:
    army = bought(library, "Space Marines", "Honour Guard Squad")
    (unit,) = army.state.forces[0].selections
    army.swap(army.child(unit.id, "Chapter Champion"), "Boltgun", "Close combat weapon")
    (squad,) = sides_from_roster(army.state)
    assert told(squad) == ["2 Honour Guard: Bolt Pistol, Boltgun", "1 Chapter Champion: Bolt Pistol"]


def test_a_flakk_missile_is_a_third_way_to_fire_the_launcher(library: Library) -> None:
    """It was not fired, and nothing said so; at what is on the ground the others are better anyway."""
    (squad,) = fought(library, "Space Marines", "Devastator Squad", "Missile Launcher w/ flakk")
    fired = {gun.name: (gun.S, gun.AP, gun.rules) for gun in squad.side.models[0].weapons if gun.count == 1}
    assert fired["Missile launcher w/ flakk (flakk)"] == (7, 4, ("Skyfire", "Codex wargear"))
    assert (len(fired), len(squad.modes)) == (3, 1)
