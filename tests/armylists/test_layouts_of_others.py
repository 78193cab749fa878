"""Texts laid out as tools and players of today write them, with names of ours: their units and what belongs to them."""

import pytest

from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.source_list import SourceList
from tests.armylists.test_texts_of_other_tools import told

APP_OF_ATTACHED_UNITS = """\
Ash Host (515 Points)

Greenskins
Scrap Mob (1 Detachment Points)
Strike Force (2,000 Points)
Force Dispositions: Purge

Attached Units
Attached Unit 1

Tinkerer (115 Points)
• Attached as: Leader (Character)
  • 1x Claw
    1x Pistol

Ladz (180 Points)
• Attached as: Bodyguard (Battleline)
  • 1x Boss
    • 1x Big axe
      1x Pistol
  • 9x Lad
    • 7x Axe
      2x Big gun

CHARACTERS

Warlord of Scrap (75 Points)
  • Warlord
  • 1x Squig
    1x Twin gun
  • Enhancement: Goggles (+25 Points)

Exported with App Version: v2.0.5 (128), Data Version: v886
"""

NUMBERS_IN_BRACKETS = """\
++ North Kingdom (Old Realms) [1,500pts] ++

+ Characters + [145pts]

Marshal [1] [145pts]
. Hand weapon
. Shield

+ Core + [240pts]

Pikes [20] [120pts]
. Full Command
Pikes [20] [120pts]

++ Total: [1,500pts] ++

Created with New Recruit
"""

ROWS_OF_WEARERS = """\
+++++++++++++++++++++++++++++++++++++++++++++++
+ FACTION KEYWORD: Imperium - Blue Knights
+ DETACHMENT: Spear of Ash (Purge)
+ TOTAL ARMY POINTS: 210pts
+ WARLORD: Char1: Captain in Plate
+++++++++++++++++++++++++++++++++++++++++++++++

CHARACTER

Char1: 1x Captain in Plate (110 pts)
1 with Warlord, Relic hammer, Twin gun
Enhancement: The Honour (+15 pts)

BATTLELINE

5x Scouts of Ash (100 pts)
• 4x Scout
    3 with Pistol, Carbine
    1 with Vox, Pistol
• 1x Scout Sergeant: Pistol
"""

DASHES = """\
- Army Faction: Storm Host
- Grand Strategy: Sorcery
LEADERS
Gard the Steel (160)
Arcanist on Drake (285)
- Artefacts of Power: Mirror
BATTLELINE
5 x Guardians (115)
OTHER
4 x Drakes (460)
TOTAL POINTS: 1020/2000
"""

PRICES_IN_FRONT = """\
Swarm of Vermin
685 - Legate, General, Paired Weapons (Heart), Crown
320 - Priest, Adept, Light Armour (Call)
575 - 50 Veterans, Champion, Musician
1580
"""

OTHER_COSTS = """\
++ Brigade +12CP (Imperium - Guard) [92 PL, 10CP, 319pts] ++

+ Configuration +

Battle-forged [3CP]

+ HQ +

Knight Marshal [13 PL, 234pts]: Battle gun, Plasma guns

Commander [2 PL, -1CP, 30pts]: Chain blade, Warlord

+ Troops +

Line Squad [3 PL, 55pts]
. 8x Guard
. Guard W/ Special: Flamer

++ Total: [92 PL, 10CP, 319pts] ++
"""

BOLD = """\
Alex - Xenos - Greenskins - My Mob - [155 pts]

**Configuration**
- **Detachment:** Scrap Mob

**Character** [75 pts]
- **Boss** [75 pts]: Claw, Warlord

**Battleline** [80 pts]
- **Ladz** [80 pts]
  - 1x Big Lad: Big axe
  - 9x Lad: Axe
"""

ROLES_WITHOUT_MARKS = """\
Ash Host
Battle Size: Strike Force
Total: 255 pts

Characters
Boss - 75 pts
  Claw
  Warlord
Battleline
Ladz x10 - 80 pts
  Big Lad: Big axe
Other
Truck - 100 pts

Created with WarOrgan
"""

DRAWN_LINES = """\
+==============================+
Ash Host
GREENSKINS - Scrap Mob
155 / 2000 pts
+==============================+
── CHARACTERS ──
Boss (75 pts)
  Weapons: Claw, Twin gun
── BATTLELINE ──
Ladz x10 (80 pts)
  Weapons: Axe, Pistol
"""

ROLES_IN_THE_LINE = """\
Primary Detachment: Ash Legion
HQ: Praetor 130 points - fine blade, iron halo
Troops: Line Squad x20 250 points - vexilla, sergeant w/ fist
1. Gun Battery, 2 guns = 110 pts
"""

RUSSIAN = """\
Ростер на 1850, Зелёные
HQ
Boss - 150 очков (claw, plate)
Troops
30 Ladz – 230 птс: Big Lad, claw
Elites
10 Gunners — 150
Всего: 530
"""

LAYOUTS = {
    "units attached in the app": APP_OF_ATTACHED_UNITS,
    "numbers in square brackets": NUMBERS_IN_BRACKETS,
    "rows of who carries what": ROWS_OF_WEARERS,
    "dashes in the head": DASHES,
    "prices in front": PRICES_IN_FRONT,
    "costs beside points": OTHER_COSTS,
    "bold headings": BOLD,
    "roles without marks": ROLES_WITHOUT_MARKS,
    "drawn lines": DRAWN_LINES,
    "roles in the line": ROLES_IN_THE_LINE,
    "Russian prices, English roles": RUSSIAN,
}


def roles(source: SourceList) -> list[str]:
    return [unit.under[0][1] if unit.under else "" for unit in source.units]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        (
            APP_OF_ATTACHED_UNITS,
            [
                ("Tinkerer", 1, 115, ["Claw", "Pistol"]),
                ("Ladz", 1, 180, ["Boss", "Big axe", "Pistol", "9x Lad", "7x Axe", "2x Big gun"]),
                ("Warlord of Scrap", 1, 75, ["Squig", "Twin gun", "Goggles"]),
            ],
        ),
        (
            NUMBERS_IN_BRACKETS,
            [
                ("Marshal", 1, 145, ["Hand weapon", "Shield"]),
                ("Pikes", 20, 120, ["Full Command"]),
                ("Pikes", 20, 120, []),
            ],
        ),
        (
            ROWS_OF_WEARERS,
            [
                ("Captain in Plate", 1, 110, ["Relic hammer", "Twin gun", "The Honour"]),
                (
                    "Scouts of Ash",
                    5,
                    100,
                    ["4x Scout", "3x Pistol", "3x Carbine", "Vox", "Pistol", "Scout Sergeant", "Pistol"],
                ),
            ],
        ),
        (
            DASHES,
            [
                ("Gard the Steel", 1, 160, []),
                ("Arcanist on Drake", 1, 285, ["Artefacts of Power", "Mirror"]),
                ("Guardians", 5, 115, []),
                ("Drakes", 4, 460, []),
            ],
        ),
        (
            PRICES_IN_FRONT,
            [
                ("Legate", 1, 685, ["Paired Weapons", "Heart", "Crown"]),
                ("Priest", 1, 320, ["Adept", "Light Armour", "Call"]),
                ("Veterans", 50, 575, ["Champion", "Musician"]),
            ],
        ),
        (
            OTHER_COSTS,
            [
                ("Battle-forged", 1, 0, []),
                ("Knight Marshal", 1, 234, ["Battle gun", "Plasma guns"]),
                ("Commander", 1, 30, ["Chain blade"]),
                ("Line Squad", 1, 55, ["8x Guard", "Guard W/ Special", "Flamer"]),
            ],
        ),
        (
            BOLD,
            [
                ("Boss", 1, 75, ["Claw"]),
                ("Ladz", 1, 80, ["Big Lad", "Big axe", "9x Lad", "Axe"]),
            ],
        ),
        (
            ROLES_WITHOUT_MARKS,
            [
                ("Boss", 1, 75, ["Claw"]),
                ("Ladz", 10, 80, ["Big Lad", "Big axe"]),
                ("Truck", 1, 100, []),
            ],
        ),
        (DRAWN_LINES, [("Boss", 1, 75, ["Claw", "Twin gun"]), ("Ladz", 10, 80, ["Axe", "Pistol"])]),
        (
            ROLES_IN_THE_LINE,
            [
                ("HQ: Praetor", 1, 130, ["fine blade", "iron halo"]),
                ("Troops: Line Squad", 20, 250, ["vexilla", "sergeant w/ fist"]),
                ("Gun Battery, 2 guns", 1, 110, []),
            ],
        ),
        (
            RUSSIAN,
            [
                ("Boss", 1, 150, ["claw", "plate"]),
                ("Ladz", 30, 230, ["Big Lad", "claw"]),
                ("Gunners", 10, 150, []),
            ],
        ),
    ],
    ids=LAYOUTS,
)
def test_units_of_other_layouts(text: str, units: list[tuple[str, int, int, list[str]]]) -> None:
    assert told(read_text(text)) == units


def test_heads_and_roles_of_other_layouts() -> None:
    """The price of a heading was taken for the size of the game; a usual role without a colon was an option."""
    assert read_text(BOLD).limit is None
    assert read_text(APP_OF_ATTACHED_UNITS).limit == read_text(DRAWN_LINES).limit == 2000
    assert roles(read_text(RUSSIAN)) == ["HQ", "Troops", "Elites"]
    assert roles(read_text(ROLES_WITHOUT_MARKS)) == ["Characters", "Battleline", "Other"]
    assert roles(read_text(DRAWN_LINES)) == ["CHARACTERS", "BATTLELINE"]
    leaders = [[unit.name for unit in read_text(text).units if unit.is_warlord] for text in (BOLD, OTHER_COSTS)]
    assert leaders == [["Boss"], ["Commander"]]
