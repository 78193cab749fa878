"""Numbers in the names of selections and rows."""

import pytest

from armybuilder.engine.systems.roster_reading.counted_names import are_several, copies, counted


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Tactical Squad", ((1, "Tactical Squad"),)),
        ("4x Scout Squads", ((4, "Scout Squads"),)),
        ("4х Scout Squads", ((4, "Scout Squads"),)),
        ("1x Sniper Squad, 3x Scout Squads", ((1, "Sniper Squad"), (3, "Scout Squads"))),
        ("3x Land Raider,1x Redeemer", ((3, "Land Raider"), (1, "Redeemer"))),
        ("Vanquisher Command Tank, 9x Leman Russ", ((1, "Vanquisher Command Tank"), (9, "Leman Russ"))),
        ("Pair of Land Raiders", ((2, "Land Raiders"),)),
        ("Bloodthirster, Greater Daemon of Khorne", ((1, "Bloodthirster, Greater Daemon of Khorne"),)),
        ("Two Sponson Mounted Lascannons", ((2, "Sponson Mounted Lascannons"),)),
        ("6 Hellstrike missiles", ((6, "Hellstrike missiles"),)),
        ("4x Bomms + 2x Grot Bomms", ((4, "Bomms"), (2, "Grot Bomms"))),
        ("Destroyer w/2x Bolt Pistols", ((1, "Destroyer"), (2, "Bolt Pistols"))),
        ("Atramentar w/Pair of Lightning Claws", ((1, "Atramentar"), (2, "Lightning Claws"))),
        ("Gravis Power Fist , Pair", ((2, "Gravis Power Fist"),)),
        ("Hull (Left) & Hull (Right) Mounted Heavy Bolter", ((2, "Hull Mounted Heavy Bolter"),)),
        ("Hull (Front, Right/Left) Mounted Lascannons", ((2, "Hull (Front) Mounted Lascannons"),)),
        ("3x Hull (Left) and 3x Hull (Right) Mounted Multi-Lasers", ((6, "Hull Mounted Multi-Lasers"),)),
        ("Sea Guard Crew x3", ((3, "Sea Guard Crew"),)),
        ("War Lions x2", ((2, "War Lions"),)),
        ("14x Gun Drones", ((14, "Gun Drones"),)),
        ("Twin-linked Heavy Bolter", ((1, "Twin-linked Heavy Bolter"),)),
        ("Quad ion turret", ((1, "Quad ion turret"),)),
        ("Two-handed warhammer", ((1, "Two-handed warhammer"),)),
        ("Two Hand Weapons", ((1, "Two Hand Weapons"),)),
        ("Two Hand Flamers", ((2, "Hand Flamers"),)),
        ("2 - Frazzle", ((1, "2 - Frazzle"),)),
        ("2) Grenadier", ((1, "2) Grenadier"),)),
        ("01 Warrior Elite", ((1, "01 Warrior Elite"),)),
        ("1-3x Camo Netting", ((1, "1-3x Camo Netting"),)),
    ],
)
def test_numbers_in_names(name: str, parts: tuple[tuple[int, str], ...]) -> None:
    assert counted(name) == parts


@pytest.mark.parametrize(
    ("selection", "weapon", "number"),
    [
        ("Lascannon", "Lascannon", 1),
        ("2x Heavy Bolters", "Heavy Bolter", 2),
        ("2x Hull (Front) Gorgon Mortar Batteries", "Gorgon Mortar Battery", 2),
        ("Two twin-linked Lascannons", "Lascannon", 2),
        ("2x Sponson Mounted Heavy Flamers & Lascannons", "Heavy Flamer", 2),
        ("2x Sponson Mounted Heavy Flamers & Lascannons", "Lascannon", 2),
        ("4x Bomms + 2x Grot Bomms", "Bomm", 4),
        ("4x Bomms + 2x Grot Bomms", "Grot Bomm", 2),
        ("Destroyer w/2x Bolt Pistols, Chainsword", "Bolt Pistol", 2),
        ("Destroyer w/2x Bolt Pistols, Chainsword", "Chainsword", 1),
        ("2 Twin-linked missile pods, Velocity tracker", "Missile pod", 2),
        ("Four Heavy Bolters (1 Front, 1 Left, 1 Right, 1 Rear)", "Heavy Bolter", 4),
        ("14x Gun Drones", "Pulse carbine", 1),
        ("Two Falax Blades", "Two Falax Blades", 1),
    ],
)
def test_copies_of_a_weapon(selection: str, weapon: str, number: int) -> None:
    assert copies(selection, weapon) == number


@pytest.mark.parametrize(
    ("selection", "weapons", "several"),
    [
        ("2x Sponson Mounted Heavy Flamers & Lascannons", ("Heavy Flamer", "Lascannon"), True),
        ("4x Bomms + 2x Grot Bomms", ("Bomm", "Grot Bomm"), True),
        ("2x Missile Launchers", ("Missile Launcher (Frag)", "Missile Launcher (Krak)"), False),
        ("Missile Launcher", ("Frag", "Krak"), False),
        (
            "Rapid-Fire Battle Cannon with In-Built Heavy Stubber",
            ("Rapid-Fire Battle Cannon", "Heavy Stubber"),
            True,
        ),
        ("Combi-grav", ("Bolter (Primary)", "Graviton gun (Secondary)"), False),
        ("Plasma Cannon with Cooling", ("Plasma Cannon - Sustained", "Plasma Cannon - Maximal"), False),
    ],
)
def test_one_selection_of_several_weapons(selection: str, weapons: tuple[str, ...], several: bool) -> None:
    assert are_several(selection, weapons) is several
