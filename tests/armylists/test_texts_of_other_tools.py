"""Texts as other tools, apps and people write them, all invented: which line is a unit, what belongs to it."""

from collections.abc import Iterator

import pytest

from armybuilder.armylists.imports.files import recognised
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import Faction, likely_faction
from armybuilder.armylists.imports.source_list import SourceItem, SourceList
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.reference.models import Faction as KnownFaction
from armybuilder.reference.models import UnitEntry

NEW_RECRUIT = """
Chaos - World Eaters - Red Tide - [1995 pts]

# ++ Army Roster ++ [1995 pts]
## Configuration
Battle Size: 2. Strike Force (2000 Point limit)

## Character [190 pts]
Master of Executions [100 pts]: Axe, Bolt pistol, Helm of Ire [+25 pts]
Lord on Juggernaut [90 pts]

## Battleline [180 pts]
Berzerkers [180 pts]
• 1x Champion: Plasma pistol
• 9x Berzerker
    • 7 with Bolt pistol, Chainblade
    • 2 with Eviscerator

Created with newrecruit.eu v35.2
"""

AGE_OF_SIGMAR = """
Storm Brewing 1990/2000 pts

Grand Alliance Order | Stormcast Eternals | Thunderhead Host
Drops: 3
Wounds: 88

General's Regiment
Lord on Dragon (390)
• General
• Great Hammer
Annihilators (200)

Regiment 1
Liberators (110)
• 2x Grandhammer

Faction Terrain
Portal of Storms

Created with The App
App: v1.7.0 (1) | Data: v261
"""

OLD_WORLD = """
===
River Muster [1998 pts]
The Old World, Empire of Man, Grand Army
===

++ Characters [520 pts] ++

General [210 pts]
- Hand weapon
- General
- Warhorse

Wizard [310 pts]
(Level 4 Wizard, On foot)

++ Core Units [250 pts] ++

30 State Troops [250 pts]
- Halberds

---
[https://old-world-builder.com]
"""

BATTLESCRIBE = """
++ Crusade Force (LA - XVI: Sons of Horus) [2,500 pts] ++

+ HQ: +

Praetor [150pts]: Iron Halo, Paragon Blade [10pts]
. Warlord: Bloody-Handed

+ Troops: +

Tactical Squad [185pts]
. Sergeant: Power Fist [15pts]

++ Total: [2,500pts] ++
"""

BATTLESCRIBE_HTML = """<html><head><style>ul { margin: 0 }</style></head><body class="battlescribe">
<div class="battlescribe">
<h1>Muster (The Horus Heresy) [2 PL, 1CP, 335pts]</h1><ul><li class="force">
<h2>Crusade Force (LA - XVI: Sons of Horus) [335pts]</h2>
<p class="rule-names"><span class="bold">Rules:</span> <span class="italic">Sworn</span></p>
<ul><li class="category"><h3>Configuration</h3><ul><li class="rootselection"><h4>Rite of War</h4>
<p><span class="bold">Selections:</span> Black Reaving</p></li></ul></li>
<li class="category"><h3>HQ [150pts]</h3><ul><li class="rootselection"><h4>Praetor [2 PL, 150pts]</h4>
<p><span class="bold">Selections:</span> Iron Halo,
  Paragon Blade [10pts], Warlord</p>
<p class="category-names"><span class="bold">Categories:</span> <span class="caps">HQ</span></p>
<table><tr><th>Unit</th><th>WS</th></tr><tr><td class="profile-name">Praetor</td><td>6</td></tr></table></li></ul></li>
<li class="category"><h3>Troops [185pts]</h3><ul><li class="rootselection"><h4>Tactical Squad [185pts]</h4>
<p><span class="bold">Selections:</span> Krak Grenades</p><ul><li><h4>9x Legionary &amp; Bolter [90pts]</h4></li>
<li><h4>Sergeant [25pts]</h4><p><span class="bold">Selections:</span> Power Fist [15pts]</p></li></ul>
</li></ul></li></ul>
</li></ul><p>Created with BattleScribe</p></div></body></html>"""

PRICED_OPTIONS = """
Blue Company 1850
HQ
Captain (145 pts)
- Power fist (25 pts)
- Jump pack (20 pts)
Troops
Tactical Squad (170 pts)
- 5 Marines (70 pts)
- Flamer (5 pts)
Scouts (55 pts)
"""

PRICED_UNDER_HEADINGS = """
# Muster (355 pts)
Core (355 pts)
- Spearmen (200 pts)
- Archers (155 pts)
"""

WITHOUT_A_TITLE = """
Char1: 1x Captain Odo (145 pts): Warlord, Master-crafted blade
Enhancement: Old Banner (+20 pts)
10x Line Squad (210 pts)
"""

ONE_LINE_EACH = """
Lord, full plate, shield, general, 210 pts
30 State Troops, halberds, 250 pts
10 Archers, 80 pts
"""

NUMBERS_ALONE = """
Sons of Horus, 2000pts
Praetor - 150
Tactical Squad x10 185
"""

COLLAPSED_IN_RUSSIAN = """
Осенний сбор — 1\u00a0500 очков
HQ:
Претор — 150\u2009очков
— Железный нимб
— Клинок (10 птс)
Линейные:
Отряд (185 очк.)
— 9 легионеров
"""

TABLE = {
    "New Recruit": (
        NEW_RECRUIT,
        [
            ("Master of Executions", 1, 100, ["Axe", "Bolt pistol", "Helm of Ire"]),
            ("Lord on Juggernaut", 1, 90, []),
            (
                "Berzerkers",
                1,
                180,
                ["Champion", "Plasma pistol", "9x Berzerker", "7x Bolt pistol", "7x Chainblade", "2x Eviscerator"],
            ),
        ],
    ),
    "Age of Sigmar": (
        AGE_OF_SIGMAR,
        [
            ("Lord on Dragon", 1, 390, ["Great Hammer"]),
            ("Annihilators", 1, 200, []),
            ("Liberators", 1, 110, ["2x Grandhammer"]),
        ],
    ),
    "The Old World": (
        OLD_WORLD,
        [
            ("General", 1, 210, ["Hand weapon", "Warhorse"]),
            ("Wizard", 1, 310, ["Level 4 Wizard", "On foot"]),
            ("State Troops", 30, 250, ["Halberds"]),
        ],
    ),
    "BattleScribe": (
        BATTLESCRIBE,
        [
            ("Praetor", 1, 150, ["Iron Halo", "Paragon Blade"]),
            ("Tactical Squad", 1, 185, ["Sergeant", "Power Fist"]),
        ],
    ),
    "priced options": (
        PRICED_OPTIONS,
        [
            ("Captain", 1, 145, ["Power fist", "Jump pack"]),
            ("Tactical Squad", 1, 170, ["5x Marines", "Flamer"]),
            ("Scouts", 1, 55, []),
        ],
    ),
    "priced bullets under priced headings": (
        PRICED_UNDER_HEADINGS,
        [("Spearmen", 1, 200, []), ("Archers", 1, 155, [])],
    ),
    "no title": (
        WITHOUT_A_TITLE,
        [("Captain Odo", 1, 145, ["Master-crafted blade", "Old Banner"]), ("Line Squad", 10, 210, [])],
    ),
    "a line each": (
        ONE_LINE_EACH,
        [("Lord", 1, 210, ["full plate", "shield"]), ("State Troops", 30, 250, ["halberds"]), ("Archers", 10, 80, [])],
    ),
    "numbers alone": (NUMBERS_ALONE, [("Praetor", 1, 150, []), ("Tactical Squad", 10, 185, [])]),
    "collapsed": (
        COLLAPSED_IN_RUSSIAN,
        [("Претор", 1, 150, ["Железный нимб", "Клинок"]), ("Отряд", 1, 185, ["9x легионеров"])],
    ),
}


def told(source: SourceList) -> list[tuple[str, int, int, list[str]]]:
    return [(one.name, one.number, int(one.points or 0), list(_names(one.items))) for one in source.units]


def _names(items: tuple[SourceItem, ...]) -> Iterator[str]:
    for item in items:
        yield f"{item.number}x {item.name}" if item.number > 1 else item.name
        yield from _names(item.items)


@pytest.mark.parametrize("case", TABLE)
def test_units_and_what_belongs_to_them(case: str) -> None:
    text, units = TABLE[case]
    assert told(read_text(text)) == units


def test_the_size_of_the_game_is_no_unit() -> None:
    assert read_text(NEW_RECRUIT).limit == 2000
    assert read_text(AGE_OF_SIGMAR).limit == 2000


def test_what_belongs_to_no_unit_is_told() -> None:
    assert [text for _, text in read_text(AGE_OF_SIGMAR).rest] == ["Faction Terrain", "Portal of Storms"]


def test_roles_stand_over_their_units() -> None:
    """A heading in capitals is no detachment where headings are marked, and one without capitals is one as well."""
    assert [[name for _, name in unit.under] for unit in read_text(BATTLESCRIBE).units] == [
        ["Crusade Force (LA - XVI: Sons of Horus)", "HQ"],
        ["Crusade Force (LA - XVI: Sons of Horus)", "Troops"],
    ]
    assert [unit.under[0][1] for unit in read_text(PRICED_OPTIONS).units] == ["HQ", "Troops", "Troops"]
    assert [unit.under[0][1] for unit in read_text(COLLAPSED_IN_RUSSIAN).units] == ["HQ", "Линейные"]


def test_the_trait_of_the_warlord_may_stand_behind_a_colon() -> None:
    praetor = read_text(BATTLESCRIBE).units[0]
    assert (praetor.is_warlord, praetor.warlord_trait) == (True, "Bloody-Handed")


def test_a_page_of_battlescribe_is_read_like_its_text() -> None:
    source = recognised(BATTLESCRIBE_HTML.encode(), file_name="Muster.html").source
    assert source is not None and source.name == "Muster"
    assert told(source) == [
        ("Rite of War", 1, 0, ["Black Reaving"]),
        ("Praetor", 1, 150, ["Iron Halo", "Paragon Blade"]),
        ("Tactical Squad", 1, 185, ["Krak Grenades", "9x Legionary & Bolter", "Sergeant", "Power Fist"]),
    ]
    assert [unit.is_warlord for unit in source.units] == [False, True, False]
    assert [unit.under[-1][1] for unit in source.units] == ["Configuration", "HQ", "Troops"]


def test_what_costs_nothing_stands_without_a_price_among_the_units_of_battlescribe() -> None:
    free = BATTLESCRIBE.replace("+ HQ: +\n", "+ HQ: +\n\nRite of War: Black Reaving\n")
    assert [unit.name for unit in read_text(free).units] == ["Rite of War", "Praetor", "Tactical Squad"]


WTC_OF_NEW_RECRUIT = """
+++++++++++++++++++++++++++++++++++++++++++++++
+ FACTION KEYWORD: Imperium - Ashen Wardens
+ DETACHMENT: Ember\u00a0Vanguard (Some Variant)
+ TOTAL ARMY POINTS: 505pts
+
+ WARLORD: Char1: Warden Captain
+ ENHANCEMENT: Ember Blade (on Char1: Warden Captain)
& Aegis (on Char2: Warden Captain)
+ NUMBER OF UNITS: 2
+++++++++++++++++++++++++++++++++++++++++++++++

Char1: 1x Warden Captain (80 pts): Warlord, Flux pistol
Enhancement: Ember Blade (+15 pts)

5x Warden Squad (180 pts)
• 1x Warden Sergeant: Flux carbine
• 4x Warden: 3 with Flux carbine, Shock maul
  1 with Grenade launcher

END OF ROSTER
Created with newrecruit.eu v35.80
"""


def test_rows_that_go_on_belong_to_the_row_before() -> None:
    captain, squad = read_text(WTC_OF_NEW_RECRUIT).units
    assert (captain.is_warlord, [item.name for item in captain.items]) == (True, ["Flux pistol", "Ember Blade"])
    assert [(item.name, item.number) for item in squad.items] == [("Warden Sergeant", 1), ("Warden", 4)]
    worn = [(item.name, item.number) for item in squad.items[1].items]
    assert worn == [("Flux carbine", 3), ("Shock maul", 3), ("Grenade launcher", 1)]
    assert read_text(WTC_OF_NEW_RECRUIT).rest == ()


@pytest.mark.django_db
def test_a_data_set_is_known_by_the_name_that_players_write() -> None:
    """The community calls the catalogue "LA -  XVI: Sons of Horus"; our texts and theirs say Sons of Horus."""
    system = PublishedSystem(id="community", name="The Horus Heresy", rule_pack="horus-heresy")
    other = Faction(system, "ih", "LA -  X: Iron Hands")
    meant = Faction(system, "soh", "LA -  XVI: Sons of Horus")
    assert likely_faction(read_text(NUMBERS_ALONE), [other, meant]) is meant


@pytest.mark.django_db
def test_of_two_that_are_named_the_one_named_wholly_is_meant() -> None:
    """A sample called Empire is not what "Empire, Army Book 8" speaks of where that is here too."""
    system = PublishedSystem(id="community", name="Fantasy", rule_pack="fantasy-8th")
    sample, meant = Faction(system, "sample", "Empire"), Faction(system, "book", "Empire - Army Book 8")
    source = read_text("+++ Muster +++\n++ Standard (Empire, Army Book 8) ++\n+ Core +\nSwordsmen [75 pts]")
    for offered in ([sample, meant], [meant, sample]):
        assert likely_faction(source, offered) is meant


@pytest.mark.django_db
def test_each_set_of_a_game_has_the_names_of_its_own_army_lists() -> None:
    """Texts name an army list as pages do; the names of the set that was there first are not those of the other."""
    first, second = (
        PublishedSystem.objects.create(id=name, name="Fantasy", rule_pack="fantasy-8th") for name in ("shipped", "sets")
    )
    for number, (system, catalogue, name) in enumerate(
        ((first, "Empire", "Empire"), (second, "Empire - Army Book (2013-4) -V8.8.2.", "Empire (2013-4) V8.8.2"))
    ):
        release = DataRelease.objects.create(system=system, number=1, content_hash=str(number) * 64)
        system.current_release = release
        system.save()
        KnownFaction.objects.create(system=system, key="empire", name=name, catalogue_name=catalogue)
    sample = Faction(first, "sample", "Empire")
    meant = Faction(second, "book", "Empire - Army Book (2013-4) -V8.8.2.")
    assert (sample.label, meant.label) == ("Empire", "Empire (2013-4) V8.8.2")
    source = read_text("Muster\nFantasy, Empire (2013-4) V8.8.2\n100 pts\n\nCore: 75 pts\n- 10x Swordsmen, 75 pts")
    for offered in ([sample, meant], [meant, sample]):
        assert likely_faction(source, offered) is meant


@pytest.mark.parametrize("line", ["  • Warlord (Warlord: Bearer of the Eye)", "  • Warlord: Bearer of the Eye"])
def test_a_colon_in_brackets_parts_no_name(line: str) -> None:
    (unit,) = read_text(f"Muster (100 Points)\n\nHQ\n\nMaloghurst (100 Points)\n{line}\n  • 1x Bolt Pistol").units
    assert unit.is_warlord and unit.warlord_trait.endswith("Bearer of the Eye")
    assert [item.text for item in unit.items] == ["Bolt Pistol"]


def test_units_behind_any_bullet_are_units() -> None:
    """Players bullet their units by what their keyboard has, below a title with the size of the game."""
    source = read_text(
        "Iron Road II — 1850 pts\n\nHQ\n• Captain [145 pts] – “Thunder Hammer”\nTroops\n"
        "● 5x Tactical Squad – 145 очков: Flamer, Rhino (Dozer Blade)\n▪ Tactical Sqad (115pts): Meltagun\n"
        "Scout Squad [90 pts]: Camo Cloaks"
    )
    assert [(unit.name, unit.number, unit.points) for unit in source.units] == [
        ("Captain", 1, 145),
        ("Tactical Squad", 5, 145),
        ("Tactical Sqad", 1, 115),
        ("Scout Squad", 1, 90),
    ]
    assert source.name == "Iron Road II"


def test_a_price_behind_a_row_of_dots_is_one() -> None:
    source = read_text("Hive War – 3000 pts\n\nTactical ........ 300\n  + Vindicator\nDevastators – 250 points")
    assert [(unit.name, unit.points) for unit in source.units] == [("Tactical", 300), ("Devastators", 250)]
    assert [item.text for item in source.units[0].items] == ["+ Vindicator"]


CHAT_IN_RUSSIAN = """
Привет! Вот мой ростер на субботу, 1500 очков:

Сыны Хоруса, предатели

HQ
– Претор — 120 очков
   Артефактная броня, силовой кулак
Войска:
– Отряд прорыва 155 очк.

Итого: 275 очков. Жду комментов)))
"""

CHAT = """
hey guys, sons of horus

praetor 140
tactical squad x10 100
breacher squad 10 men, 155 pts
land raider 220pts
"""

NUMBERED = """
ОРКИ (Bad Moons) 3000 очков

1) Warband, Normal — 225 очков
2) Stompamob – 225 очков
3. Gargant - 650 очков
"""

AT_SIGNS = """
Empire 1500
HEROES
Captain @ 66 pts, great weapon
CORE
20 Halberdiers @ 145 Pts
10 Bows, full command, @ 90
"""

APP_OF_TODAY = """
Ultra boys (1985 points)

Space Marines
Strike Force (2000 Point limit)

BATTLELINE

Hunter Squad (100 points)
  • 1x Hunter Sergeant
     • 1x Bolt pistol
       1x Close combat weapon
       1x Heavy rifle
  • 4x Hunter
     • 4x Bolt pistol
       4x Heavy rifle

Exported with App Version: v1.14.0 (44), Data Version: v509
"""

HANDBOOK = """
Grand Strike 990/1000 pts

Stormcast Eternals | Vanguard Wing
General's Handbook 2025-26
Drops: 2

Regiment 1
Liberators (110)
• 2x Grandhammer
"""


@pytest.mark.parametrize(
    ("text", "name", "units"),
    [
        (
            CHAT_IN_RUSSIAN,
            "Привет! Вот мой ростер на субботу",
            [("Претор", 1, 120, ["Артефактная броня", "силовой кулак"]), ("Отряд прорыва", 1, 155, [])],
        ),
        (
            CHAT,
            "hey guys, sons of horus",
            [
                ("praetor", 1, 140, []),
                ("tactical squad", 10, 100, []),
                ("breacher squad 10 men", 1, 155, []),
                ("land raider", 1, 220, []),
            ],
        ),
        (
            NUMBERED,
            "ОРКИ (Bad Moons)",
            [("Warband, Normal", 1, 225, []), ("Stompamob", 1, 225, []), ("Gargant", 1, 650, [])],
        ),
        (
            AT_SIGNS,
            "Empire 1500",
            [
                ("Captain", 1, 66, ["great weapon"]),
                ("Halberdiers", 20, 145, []),
                ("Bows, full command", 10, 90, []),
            ],
        ),
        (
            APP_OF_TODAY,
            "Ultra boys",
            [
                (
                    "Hunter Squad",
                    1,
                    100,
                    [
                        *("Hunter Sergeant", "Bolt pistol", "Close combat weapon", "Heavy rifle"),
                        *("4x Hunter", "4x Bolt pistol", "4x Heavy rifle"),
                    ],
                )
            ],
        ),
        (HANDBOOK, "Grand Strike", [("Liberators", 1, 110, ["2x Grandhammer"])]),
    ],
    ids=["chat in Russian", "chat", "numbered", "at signs", "app of today", "handbook"],
)
def test_texts_as_people_paste_them(text: str, name: str, units: list[tuple[str, int, int, list[str]]]) -> None:
    """Greetings, lists with numbers, prices behind a space or an @, options that go on below the one with a bullet."""
    source = read_text(text)
    assert (source.name, told(source)) == (name, units)


def test_a_line_with_the_size_of_the_game_is_no_unit() -> None:
    source = read_text("Muster\nWarhammer 40,000, 2000 points\n\nCaptain 90 points\nSquad 100 points\n")
    assert (source.limit, [unit.name for unit in source.units]) == (2000, ["Captain", "Squad"])


@pytest.mark.django_db
def test_who_has_all_the_units_goes_before_who_is_named() -> None:
    """ "Orks" is a faction of another game, too, which has none of these."""
    faction_rows = []
    for number, name in enumerate(("Orks", "Orks: Bad Moons Klan")):
        system = PublishedSystem.objects.create(id=f"game-{number}", name=f"Game {number}")
        release = DataRelease.objects.create(system=system, number=1, content_hash=str(number) * 64)
        system.current_release = release
        system.save()
        row = KnownFaction.objects.create(system=system, key="orks", name=name, catalogue_name=name, catalogue_id=name)
        faction_rows.append(row)
    for name in ("Stompamob", "Gargant"):
        UnitEntry.objects.create(faction=row, release=release, entry_id=name, name=name, points=1)
    offered = [Faction(row.system, row.catalogue_id, row.name) for row in faction_rows]
    source = read_text("Orks 3000\n\n1) Stompamob - 225 pts\n2) Gargant - 650 pts\n3) Warband - 225 pts\n")
    assert likely_faction(source, offered) is offered[1]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("High Elves", "V8.8.0"),
        ("High Elves (2013-4)", "V8.8.0"),
        ("High Elves - Army Book (2013-4) -V8.7.4.", "V8.7.4"),
        ("", "V8.8.0"),
    ],
)
def test_of_two_editions_of_one_book_the_newer_is_meant_where_none_is_told(line: str, version: str) -> None:
    """And its army goes before another one that has units of these names; the first published was meant."""
    system = PublishedSystem(id="community", name="Fantasy", rule_pack="fantasy-8th")
    books = (f"High Elves - Army Book (2013-4) -V8.{number}." for number in ("7.4", "8.0"))
    offered = [Faction(system, name, name) for name in ("Dwarfs", *books)]
    if not line:
        offered = offered[1:]
    source = read_text(f"Muster [100 pts]\n{line}\n\n## Core\nSpearmen [60 pts]\n")
    for order in (offered, offered[::-1]):
        assert version in likely_faction(source, order).name
