"""The words of data authors: names with numbers, cells of datasheets, sentences about ratings and transports."""

from typing import Any

import pytest

from armybuilder.engine.roster.state import ProfileState, RuleState
from armybuilder.engine.systems.epic.army import Unit
from armybuilder.engine.systems.epic.roster import recognition as read
from armybuilder.engine.systems.epic.roster import rule_texts


def profile(type_name: str = "Unit", **cells: str) -> ProfileState:
    return ProfileState(
        id="p", name=cells.pop("name", "Squad"), type_id="t", type_name=type_name, characteristics=tuple(cells.items())
    )


@pytest.mark.parametrize(
    ("text", "speed", "kind", "war_engine"),
    [
        ("Infantry", "15cm", "INF", False),
        ("Armoured Vehicle", "30cm", "AV", False),
        ("War Engine", "15cm", "WE", False),
        ("War Engine, Aircraft", "Bomber", "AC", True),
        ("War Engine", "Bomber", "AC", True),
        ("Spaceship", "n/a", "SC", False),
        ("Pillbox", "Immobile", "Pillbox", False),
    ],
)
def test_types(text: str, speed: str, kind: str, war_engine: bool) -> None:
    found = read.unit_kind(text, speed)
    assert (found.type, found.war_engine) == (kind, war_engine)


def test_a_second_word_of_the_type_is_a_rule() -> None:
    assert read.unit_kind("War Engine, Support Craft").notes == ("Support Craft",)


@pytest.mark.parametrize(
    ("text", "value"),
    [("15cm", 15), ("20cm , Halved", 10), ("Immobile", 0), ("0cm", 0), ("n/a", "-"), ("-", "-"), ("Special", None)],
)
def test_speeds(text: str, value: object) -> None:
    assert read.speed(text) == value


@pytest.mark.parametrize(("text", "track"), [("3", (3,)), ("8/4/2", (8, 4, 2)), ("3+", (3,)), ("many", None)])
def test_damage_tracks(text: str, track: object) -> None:
    assert read.damage_track(text) == track


@pytest.mark.parametrize(
    ("text", "fire"),
    [
        ("AP5+/AT6+", "AP5+/AT6+"),
        ("4x AP5+/AT3+", "4xAP5+/4xAT3+"),
        ("D3x AP4+/AT4+/AA4+", "D3xAP4+/D3xAT4+/D3xAA4+"),
        ("4x AP3/AT5+", "4xAP3+/4xAT5+"),
        ("2x AP3+/AT4++", "2xAP3+/2xAT4+"),
        ("D6+3x AP5+/AA6+", "D6+3xAP5+/D6+3xAA6+"),
        ("1D3x AP5+", "D3xAP5+"),
        ("3BP", "3BP"),
        ("D6+3BP", "D6+3BP"),
        ("D3+1BPs", "D3+1BP"),
        ("3+D3BP", "D3+3BP"),
        ("D3BP", "D3BP"),
        ("BP10", "10BP"),
        ("2х МW2+", "2xMW2+"),  # Cyrillic х and М, as scans and keyboards leave them
        ("Small Arms", None),
        ("(Small Arms)", None),
        ("Assault Weapons", None),
    ],
)
def test_firepower(text: str, fire: str | None) -> None:
    assert read.firepower(text) == (fire, ())


@pytest.mark.parametrize("text", ["1D3-1 BP", "Flame Template", "D3x 2BP"])
def test_firepower_of_another_kind_is_said(text: str) -> None:
    assert read.firepower(text) == (None, (text,))


def test_what_can_be_read_of_several_values_counts() -> None:
    assert read.firepower("AP4+/AT57+") == ("AP4+", ("AP4+/AT57+",))


def test_half_a_point_of_a_barrage_is_one_of_every_second_weapon() -> None:
    shown = profile(Weapons="Mole Mortar", Range="45cm", Firepower="½ BP", Notes="Disrupt")
    [(weapon, unread)] = read.weapons(shown)
    assert (weapon.firepower, weapon.rules, unread) == ("1BP", ("Disrupt", read.HALF_A_POINT), ())


def test_weapons_of_a_datasheet() -> None:
    """Columns line by line, and a weapon that is used in two ways."""
    sheet = profile(
        Weapons="2x Missile Launcher<BR><BR>Multi-melta<BR>and",
        Range="45cm<BR><BR>15cm<BR>and (15cm)",
        Firepower="AP5+/AT6+<BR><BR>MW5+<BR>and Small Arms",
        Notes="-<BR><BR>-<BR>and Macro-weapon, +1A",
    )
    found = [read.weapon(line)[0] for line in read.weapon_lines(sheet)]
    assert [(w.count, w.name, w.range, w.firepower, w.rules) for w in found] == [
        (2, "Missile Launcher", 45, "AP5+/AT6+", ()),
        (1, "Multi-melta", 15, "MW5+", ()),
        (1, "Multi-melta", "small arms", "small arms", ("Macro Weapon", "Extra Attacks (+1)")),
    ]


def test_a_cell_with_a_line_for_each_weapon_multiplies_none() -> None:
    """Other cells part weapons by an empty line: one cannon was four, with the rules of all the others."""
    sheet = profile(
        Weapons="Cannon<BR><BR>2x Flamer<BR><BR>Claws",
        Range="30cm<BR><BR>15cm<BR><BR>(contact)",
        Firepower="2x AP3+/AT5+<BR><BR>AP4+<BR><BR>Assault Weapon",
        Notes="-<BR>Ignore Cover<BR>Macro-weapon, +1A",
    )
    assert [
        (one.name, one.count, one.rules) for one in (read.weapon(line)[0] for line in read.weapon_lines(sheet))
    ] == [
        ("Cannon", 1, ()),
        ("Flamer", 2, ("Ignore Cover",)),
        ("Claws", 1, ("Macro Weapon", "Extra Attacks (+1)")),
    ]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        pytest.param(
            ("Bombardment<BR>or 2x Pin-Point Attack", "n/a<BR>or n/a", "8BP<BR>or MW2+", "Macro-weapon<BR>or Lance"),
            [
                (1, "Bombardment", None, "8BP", ("Macro Weapon", "One Way at a Time (Bombardment)")),
                (2, "Pin-Point Attack", None, "MW2+", ("Lance", "One Way at a Time (Bombardment)")),
            ],
            id="a choice of two that are named",
        ),
        pytest.param(
            ("4x Missiles (Web)<BR>or (Haywire)", "45cm<BR>or 45cm", "AP4+<BR>or AT5+", ""),
            [
                (4, "Missiles (Web)", 45, "AP4+", ("One Way at a Time (Missiles)",)),
                (4, "Missiles (Haywire)", 45, "AT5+", ("One Way at a Time (Missiles)",)),
            ],
            id="a choice of ammunition",
        ),
        pytest.param(
            ("Fist<BR>or", "30cm<BR>or (contact)", "AP4+<BR>or Assault Weapons", "-<BR>or +1A"),
            [(1, "Fist", 30, "AP4+", ()), (1, "Fist", "base contact", None, ("Extra Attacks (+1)",))],
            id="what is fired and fought with is no choice",
        ),
        pytest.param(
            ("Autocannon<BR>2x Heavy Bolter", "45cm<BR>30cm", "AP5+<BR>AP4+", ""),
            [(1, "Autocannon", 45, "AP5+", ()), (2, "Heavy Bolter", 30, "AP4+", ())],
            id="a line for each weapon",
        ),
        pytest.param(
            ("Burst Cannon<BR>Missiles", "15cm<BR><BR>90cm", "AP5+<BR><BR>AT6+", "-<BR><BR>Lance"),
            [(1, "Burst Cannon", 15, "AP5+", ()), (1, "Missiles", 90, "AT6+", ("Lance",))],
            id="names line by line, the rest apart",
        ),
        pytest.param(
            ("Bolters<BR><BR>Strike<BR>and", "Small Arms<BR><BR>MW5+<BR>and Small Arms",
             "(15cm)<BR><BR>30cm<BR>and (15 cm)", ""),
            [
                (1, "Bolters", "small arms", "small arms", ()),
                (1, "Strike", 30, "MW5+", ()),
                (1, "Strike", "small arms", "small arms", ()),
            ],
            id="range and firepower mixed up",
        ),
        pytest.param(
            ("3x Lascannon", "45cm", "AT5+", "Ignore Cover, 1x Left Arc, 2x Right Arc"),
            [
                (1, "Lascannon", 45, "AT5+", ("Ignore Cover", "Left Arc")),
                (2, "Lascannon", 45, "AT5+", ("Ignore Cover", "Right Arc")),
            ],
            id="some on either side",
        ),
        pytest.param(
            ("Conversion Rifles<BR>and<BR>and", "(15cm)<BR>and 15-30cm<BR>and 30-60cm",
             "Small Arms<BR>and AP5+/AT6+<BR>and AP4+/AT4+", ""),
            [
                (1, "Conversion Rifles", "small arms", "small arms", ("One Way at a Time (Conversion Rifles)",)),
                (1, "Conversion Rifles", 30, "AP5+/AT6+",
                 ("Minimum Range (15cm)", "One Way at a Time (Conversion Rifles)")),
                (1, "Conversion Rifles", 60, "AP4+/AT4+",
                 ("Minimum Range (30cm)", "One Way at a Time (Conversion Rifles)")),
            ],
            id="a way for each distance",
        ),
        pytest.param(
            ("Missiles<BR>or 6x Seekers", "75cm<BR>or 6x 90cm", "MW6+<BR>or AT6+", ""),
            [
                (1, "Missiles", 75, "MW6+", ("One Way at a Time (Missiles)",)),
                (6, "Seekers", 90, "AT6+", ("One Way at a Time (Missiles)",)),
            ],
            id="a number before the range",
        ),
        pytest.param(
            ("Rifle<BR><BR>Arquebus", "30cm<BR><BR>30cm/60cm", "AP5+/AT6+<BR><BR>AP5+/AT5+", "-<BR><BR>Lance"),
            [(1, "Rifle", 30, "AP5+/AT6+", ()), (1, "Arquebus", 30, "AP5+/AT5+", ("Lance",))],
            id="two ranges of which a rule says when they hold",
        ),
        pytest.param(
            ("Desolator<BR><BR>Array<BR>and", "30cm<BR<BR>>45cm<BR>and (15cm)",
             "2BP<BR><BR>AP4+<BR>and Small Arms", "Disrupt<BR><BR>-<BR>and +2A"),
            [
                (1, "Desolator", 30, "2BP", ("Disrupt",)),
                (1, "Array", 45, "AP4+", ()),
                (1, "Array", "small arms", "small arms", ("Extra Attacks (+2)",)),
            ],
            id="broken line breaks",
        ),
        pytest.param(
            ("Meltaguns<BR>and", "(15cm)<BR>and 15cm", "MW5+<BR>and Small Arms", "-<BR>and Macro-weapon"),
            [
                (1, "Meltaguns", 15, "MW5+", ()),
                (1, "Meltaguns", "small arms", "small arms", ("Macro Weapon",)),
            ],
            id="ranges of two ways crossed",
        ),
        pytest.param(
            ("Flamer<BR><BR>Drill", "15cm<BR><BR>(contact)", "AP4+<BR>Assault Weapons", "-<BR><BR>Macro-weapon"),
            [(1, "Flamer", 15, "AP4+", ()), (1, "Drill", "base contact", None, ("Macro Weapon",))],
            id="firepower line by line, the rest apart",
        ),
        pytest.param(
            ("Drool Cannon<BR>and", "15cm<BR>and ", "AP4+<BR>and Small Arms, +1FF", "Disrupt<BR>and Ignore Cover"),
            [
                (1, "Drool Cannon", 15, "AP4+", ("Disrupt",)),
                (1, "Drool Cannon", "small arms", "small arms", ("Ignore Cover", "+1FF")),
            ],
            id="a way without a range, small arms with a rule",
        ),
        pytest.param(
            ("Lance<BR><BR>Melta<BR>and", "30cm<BR><BR>15cm<BR>and (15cm)", "1BP<BR><BR>MW5+<BR><BR>Small Arms", ""),
            [
                (1, "Lance", 30, "1BP", ()),
                (1, "Melta", 15, "MW5+", ()),
                (1, "Melta", "small arms", "small arms", ()),
            ],
            id="ways that stand apart as weapons do",
        ),
        pytest.param(
            ("Cannon<BR><BR>Gatling<BR><BR><BR><BR>Flak", "75cm<BR><BR>45cm<BR><BR>30cm<BR><BR>30cm",
             "AP3+<BR><BR>2x AP4+<BR><BR>AP6+<BR><BR>AA6+", ""),
            [
                (1, "Cannon", 75, "AP3+", ()),
                (1, "Gatling", 45, "2xAP4+", ()),
                (1, "Gatling", 30, "AP6+", ()),
                (1, "Flak", 30, "AA6+", ()),
            ],
            id="a name left out between two",
        ),
        pytest.param(
            ("Siege Car", "30cm<BR><BR>30cm", "AP5+<BR><BR>1BP", "-<BR><BR>Indirect"),
            [(1, "Siege Car", 30, "AP5+", ()), (1, "Siege Car", 30, "1BP", ("Indirect Fire",))],
            id="one name for two",
        ),
        pytest.param(
            ("Smite<BR><BR>Spray", "(30cm)<BR><BR>(15cm)", "MW4+<BR><BR>2x AP3+", "-<BR><BR>+1A"),
            [
                (1, "Smite", 30, "MW4+", ()),
                (1, "Spray", 15, "2xAP3+", ("Extra Attacks (+1)",)),
                (1, "Spray", "small arms", "small arms", ("Extra Attacks (+1)",)),
            ],
            id="what hits from afar though its range is in brackets",
        ),
        pytest.param(
            ("6x Missiles<BR><BR>Oath", "120cm<BR><BR>(contact)", "2BP, Macro-weapon, Indirect Fire<BR><BR>+1A", ""),
            [
                (6, "Missiles", 120, "2BP", ("Macro Weapon", "Indirect Fire")),
                (1, "Oath", "base contact", None, ("Extra Attacks (+1)",)),
            ],
            id="rules in the cell of firepower",
        ),
    ],
)  # fmt: skip
def test_weapons_of_several_lines(cells: tuple[str, ...], found: list[object]) -> None:
    sheet = profile(**dict(zip(("Weapons", "Range", "Firepower", "Notes"), cells, strict=True)))
    assert [
        (one.count, one.name, one.range, one.firepower, one.rules)
        for one in (read.weapon(line)[0] for line in read.weapon_lines(sheet))
    ] == found


def test_a_weapon_profile_is_one_weapon() -> None:
    shown = profile("Weapon", name="Volcano Cannon", Range="90cm", Firepower="MW2+", Notes="Titan Killer(D3)")
    [line] = read.weapon_lines(shown)
    weapon, unread = read.weapon(line)
    assert (weapon.name, weapon.range, weapon.firepower, weapon.rules, unread) == (
        "Volcano Cannon", 90, "MW2+", ("Titan Killer (D3)",), (),
    )  # fmt: skip


def test_stars_say_that_each_weapon_has_a_profile() -> None:
    """The notes of such a datasheet are about all of them."""
    for notes in ("*", "* Carapace has Fixed Forward Arc, Arms have Forward Arc"):
        sheet = profile(Weapons="* Gaze of Mork<BR>Soopagun", Range="*", Firepower="*", Notes=notes)
        assert read.weapon_lines(sheet) == ()


def test_a_broken_line_break_is_one() -> None:
    [line] = read.weapon_lines(profile(Weapons="Stubbers<BR", Range="30cm", Firepower="AP5+<BR", Notes="-"))
    assert (line.name, line.firepower) == ("Stubbers", "AP5+")


def test_rules_of_a_datasheet() -> None:
    found = read.rules("Fearless, Invulnerable Save, Titan Killer (5, -1 per 15cm to target), -")
    assert found == ("Fearless", "Invulnerable Save", "Titan Killer (5, -1 per 15cm to target)")


def test_a_sentence_behind_a_rule_is_none_of_it() -> None:
    found = read.rules("Transport (12 Vampires plus troops). Choose weapon system at the start of the battle.")
    assert found == ("Transport (12 Vampires plus troops)", "Choose weapon system at the start of the battle.")


def ratings(text: str) -> rule_texts.Ratings:
    return rule_texts.ratings([RuleState(id="r", name="Strategy Rating & Initiative (X)", description=text)])


CODEX = (
    "Codex Astartes Space Marine armies have Strategy Rating 5.\nSpace Marine formations have Initiative Rating 1+.\n"
    "Titan Legion formations have Initiative Rating 1+.\nImperial Navy aircraft formations have Initiative Rating 2+."
)
SORCERERS = (
    "Thousand Sons armies have a strategy rating of 4. Silver Towers, Doomwings and Chaos Navy have an initiative "
    "rating of 2+. All other formations have an initiative rating of 1+."
)


KRIEG = (
    "Death Korps armies have a strategy rating of 2. Titan Legion battlegroup formations have an initiative of 1+. "
    "All other formations have an initiative rating of 2+."
)
LEGION = (
    "Titan Legion armies have a strategy rating of 3. Battle and Scout Titan formations have an initiative of 1+. "
    "All other formations have an initiative rating of 2+."
)
EXCEPT = "All units in the army have an initiative rating of 2+, except Titans, which have an initiative rating of 1+."
CRAFTWORLD = (
    "Yme-Loc armies have Strategy Rating 4. Yme-Loc Avatars, Aspect Warriors and Phantom/Revenant Titans have an "
    "Initiative rating of 1+. All other formations have an Initiative rating of 2+."
)
SEPT = "Crisis Cadres, Exo Armour Riptide and KX-139 are Initiative 1+; all other formations are Initiative 2+."
HERETICS = (
    "Task Forces have a Strategy rating of 3, unless it has no guard, whereby it is 4+. Inquisitorial Forces and "
    "Inducted Titan Legions have an initiative of 1+. Inducted Imperial Guard and Imperial Navy have initiative 2+."
)
WATCH = (
    "All Watch Detachments and Aircraft have an initiative rating of 1+. Imperial Navy have an initiative rating of 2+."
)


MINISTRY = (
    "An army has a Strategy Rating of 3. Formations of Orders Militant, Incinerator and Cathedral have an initiative "
    "of 1+. All other formations have an initiative of 2+."
)
REVOLT = (
    "Revolts have a strategy rating of 5. Formations that include one or more Insurgent or Civilian units have an "
    "initiative rating of 3+, all other formations have an initiative rating of 2+."
)
DAEMONS = (
    "A Legion has a strategy rating of 4. Lesser Daemons and Daemon Knight formations have an initiative rating of 2+. "
    "Lesser Daemon formations which include a Greater Daemon, and all other formations, have an initiative of 1+."
)
RAIDERS = (
    "Raiders have Strategy Rating 4. Titans and any formations containing Aspect Warriors have an Initiative rating of "
    "1+. All other formations have an Initiative rating of 2+."
)


@pytest.mark.parametrize(
    ("text", "names", "flags", "initiative"),
    [
        (MINISTRY, ("Cathedral of Purification",), {}, "1+"),
        (MINISTRY, ("Frateris Militia",), {}, "2+"),
        (REVOLT, ("Insurgent Mob", "Insurgents"), {}, "3+"),
        (REVOLT, ("Stolen Tanks", "Leman Russ"), {}, "2+"),
        (DAEMONS, ("Lesser Daemons", "Plaguebearers"), {}, "2+"),
        (DAEMONS, ("Lesser Daemons", "Plaguebearers", "Great Unclean One: Greater Daemon of Nurgle"), {}, "1+"),
        (DAEMONS, ("Retinue", "Chaos Space Marines"), {}, "1+"),
        (RAIDERS, ("Far Rider Troupe", "Jetbikes", "Aspect Warriors"), {}, "1+"),
        (RAIDERS, ("Far Rider Troupe", "Jetbikes"), {}, "2+"),
        (KRIEG, ("Reaver Battle Titan",), {}, "1+"),
        (KRIEG, ("Titan Hunter Company",), {}, "2+"),
        (LEGION, ("Warlord Battle Titan",), {}, "1+"),
        (LEGION, ("Warhound Battlegroup", "Warhound Scout Titan"), {}, "1+"),
        (LEGION, ("Cataphract Cohort", "Main Battle Tank"), {}, "2+"),
        (LEGION.replace("and Scout Titan", "Titan"), ("Chaos Reaver Titan",), {}, "1+"),
        (LEGION.replace("and Scout Titan", "Titan"), ("Chaos Warhound Titan",), {}, "2+"),
        (LEGION, ("Titan Clan Air Squadron",), {"aircraft": True}, "2+"),
        (EXCEPT, ("Warhound Titan Pack",), {}, "1+"),
        (EXCEPT, ("Dragoons",), {}, "2+"),
        (CRAFTWORLD, ("Avatar",), {}, "1+"),
        (CRAFTWORLD, ("Phantom Titan",), {}, "1+"),
        (CRAFTWORLD, ("Wind Riders",), {}, "2+"),
        (SEPT, ("Crisis Suit Cadre",), {}, "1+"),
        (SEPT, ("Heavy Group", "XV104 Riptide Exo Armour"), {}, "1+"),
        (SEPT, ("Supremacy", "KX139 Supremacy"), {}, "1+"),
        (SEPT, ("Breacher Cadre",), {}, "2+"),
        (HERETICS, ("Inquisitor",), {}, "1+"),
        (HERETICS, ("Reaver Titan",), {}, "1+"),
        (HERETICS, ("Imperial Guard Company",), {}, "2+"),
        (WATCH, ("Thunderbolt Fighters",), {"aircraft": True}, "2+"),
        (WATCH, ("Thunderhawk",), {"aircraft": True}, "1+"),
        (CODEX, ("Tactical", "Tactical Squad"), {}, "1+"),
        (CODEX, ("Thunderbolt Fighter Formation",), {"aircraft": True}, "2+"),
        (CODEX, ("Thunderhawk",), {"aircraft": True}, "1+"),
        (SORCERERS, ("Silver Tower",), {}, "2+"),
        (SORCERERS, ("Rubric Marines",), {}, "1+"),
        (SORCERERS, ("Hell Talons",), {"aircraft": True}, "2+"),
        ("A warband has a strategy rating of 3. All formations have an initiative rating of 1.", ("X",), {}, "1+"),
        ("Strategy rating: 3. Initiative rating: 1+ (Inner Circle), 2+ (all other formations).", ("Cells",), {}, "2+"),
        ("The army has a strategy rating of 2.", ("X",), {}, None),
    ],
)
def test_initiatives(text: str, names: tuple[str, ...], flags: dict[str, bool], initiative: str | None) -> None:
    known: dict[str, Any] = {"aircraft": False, "spacecraft": False} | flags
    assert ratings(text).initiative(names, **known) == initiative


@pytest.mark.parametrize(("text", "rating"), [(CODEX, 5), (SORCERERS, 4), ("Strategy rating of D6", None)])
def test_strategy_ratings(text: str, rating: int | None) -> None:
    assert ratings(text).strategy == rating


def capacity(line: str) -> rule_texts.Capacity | None:
    rule = RuleState(id="r", name="Transport (X)", description=f"As follows-\n{line}")
    return rule_texts.capacity([rule], ["Carrier"])


def unit(name: str, *rules: str, type: str = "INF") -> tuple[Unit, tuple[str, ...]]:
    return Unit(id=name, name=name, type=type, rules=rules), (name,)


@pytest.mark.parametrize(
    ("line", "slots", "takes", "leaves"),
    [
        ("2 Infantry units.", 2, ["Boyz", "Jump"], ["Tank"]),
        ("2 infantry units without Jump Packs or Mounted.", 2, ["Boyz"], ["Jump"]),
        ("1 infantry unit (except Terminators) without Jump Packs or Mounted.", 1, ["Boyz"], ["Terminators", "Jump"]),
        ("2 of the following units: Boyz, Tank.", 2, ["Boyz", "Tank"], ["Jump"]),
        ("up to 8 units of Boyz or Nobz. May carry 4 Grotz in addition to any other units.", 8, ["Boyz"], ["Tank"]),
        ("1 Terminator unit or 2 infantry units.", 2, ["Terminators", "Boyz"], ["Tank"]),
        ("2 units.", 2, ["Boyz", "Tank"], []),
        ("12 of the following: Tanks (take 2 places), Boyz.", 12, ["Boyz", "Tank"], ["Jump"]),
        ("up to 8 units of Boyz. 1 unit transported may be a Tank.", 8, ["Boyz", "Tank"], ["Jump"]),
        ("up to 8 units of Boyz. May carry 4 Jump in addition to any other units.", 8, ["Boyz", "Jump"], ["Tank"]),
        (
            "8 of the following: Stealth Suits, or 4 of the following: Crisis Battlesuits.",
            8,
            ["Stealth", "Crisis"],
            ["Boyz"],
        ),
    ],
)
def test_what_a_carrier_takes(line: str, slots: int, takes: list[str], leaves: list[str]) -> None:
    everybody = {
        "Boyz": unit("Boyz"),
        "Jump": unit("Jump", "Jump Packs"),
        "Terminators": unit("Terminators"),
        "Tank": unit("Tank", type="AV"),
        "Stealth": unit("XV15 Stealthsuit Team"),
        "Crisis": unit("XV8 Crisis Battlesuits", type="LV"),
    }
    found = capacity(f"Carrier: {line}")
    assert found is not None
    assert found.slots == slots
    assert [name for name in takes if not found.takes(*everybody[name])] == []
    assert [name for name in leaves if found.takes(*everybody[name])] == []


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("2 infantry units. Ogryns count as 2.", 2),
        ("1 Ogryn unit or 2 infantry units.", 2),
        ("8 Tactical, Scout or Ogryn units. Ogryns or Dreadnoughts use 2 spaces each.", 2),
        ("2 infantry units.", None),
        ("12 of the following: Boyz, Ogryns (take 2 places), Tanks.", 2),
        ("up to 2 units of Boyz. May carry 4 Ogryns in addition to any other units.", 0),
        ("4 units of Boyz. Plus 2 Ogryns in addition to other units.", 0),
    ],
)
def test_places_of_large_units(line: str, places: int | None) -> None:
    found = capacity(f"Carrier: {line}")
    assert found is not None
    assert found.places_of(["Ogryn Squad"]) == places


@pytest.mark.parametrize(
    ("name", "army", "plain"),
    [
        ("Goff Boyz", "Orks: Goff Klan", "Boyz"),
        ("Boyz", "Orks: Goff Klan", "Boyz"),
        ("Ke'lshan Warriors", "Tau: Ke'lshan Force", "Warriors"),
        ("Attack Bike", "Marines", "Attack Bike"),
    ],
)
def test_names_without_that_of_the_army(name: str, army: str, plain: str) -> None:
    assert rule_texts.without_army(name, army) == plain


@pytest.mark.parametrize("line", ["Carrier: see codex", "Other: 2 infantry units.", "Carrier: 1 formation."])
def test_a_text_without_a_number_of_units_says_nothing(line: str) -> None:
    assert capacity(line) is None


@pytest.mark.parametrize(("written", "rule"), [
    ("Slow Fire", "Slow Firing"), ("Ignores Cover", "Ignore Cover"),
    ("Macro-weapon", "Macro Weapon"), ("Lance", "Lance"), ("6 Sh", "Void Shields (6)"),
    ("D3+3 Power Fields", "Power Fields (D3+3)"), ("+D3+1A", "Extra Attacks (+D3+1)"),
])  # fmt: skip
def test_rules_that_are_written_in_several_ways(written: str, rule: str) -> None:
    assert read.rules(written) == (rule,)


def test_a_line_of_notes_alone_is_a_remark_about_the_weapon() -> None:
    """A Reaver's gatling blaster was three weapons, of which two fired nothing."""
    shown = profile(
        "Weapon",
        name="Gatling Blaster",
        Range="60cm <BR>- <BR>-",
        Firepower="6x AP4+/AT4+ <BR>- <BR>-",
        Notes="- <BR>Carapace has Fixed Forward Arc <BR>Arms have Forward Arc",
    )
    ((weapon, unread),) = read.weapons(shown)
    assert (weapon.range, weapon.firepower, unread) == (60, "6xAP4+/6xAT4+", ())
    assert weapon.rules == ("Carapace has Fixed Forward Arc", "Arms have Forward Arc")


def test_points_of_a_barrage_beside_other_values_are_another_way_to_fire() -> None:
    """A Looted Basilisk had no gun, and six missiles were none."""
    shown = profile("Weapon", name="Earthshaker", Range="120cm", Firepower="AP5+/AT5+/1BP", Notes="Indirect Fire")
    found = [(weapon.firepower, weapon.rules, unread) for weapon, unread in read.weapons(shown)]
    one_way = ("Indirect Fire", "One Way at a Time (Earthshaker)")
    assert found == [("AP5+/AT5+", one_way, ()), ("1BP", one_way, ())]
    flak = profile("Weapon", name="Mortar", Range="30cm", Firepower="1BP/4xAA6+", Notes="-")
    assert [weapon.firepower for weapon, _ in read.weapons(flak)] == ["4xAA6+", "1BP"]
    rack = profile("Weapon", name="Missile Rack", Range="60cm", Firepower="6x 2BP", Notes="Single Shot")
    ((missiles, unread),) = read.weapons(rack)
    assert (missiles.count, missiles.firepower, unread) == (6, "2BP", ())


def test_a_way_that_is_set_apart_is_no_weapon_called_and() -> None:
    shown = profile(
        "Unit",
        Weapons="Lasguns<BR><BR>Dirty Tricks<BR><BR>and",
        Range="15cm<BR><BR>(15cm)<BR><BR>and (contact)",
        Firepower="AP5+/AT6+<BR><BR>Small Arms<BR><BR>and Assault Weapon",
        Notes="-<BR><BR>Ignore Cover, +1A<BR><BR>and -",
    )
    found = [(weapon.name, weapon.range) for weapon, _ in read.weapons(shown)]
    assert found == [("Lasguns", 15), ("Dirty Tricks", "small arms"), ("Dirty Tricks", "base contact")]


@pytest.mark.parametrize(
    ("name", "rolled"),
    [
        ("2D6+3x Plague Zombie Hordes", ("2D6+3", 10)),
        ("2D6+2 Militia", ("2D6+2", 9)),
        ("3D6x Hordes", ("3D6", 11)),
        ("4x Scouts", None),
        ("Dreadnought", None),
    ],
)
def test_numbers_that_are_rolled(name: str, rolled: object) -> None:
    assert rule_texts.rolled_number(name) == rolled


@pytest.mark.parametrize(
    ("text", "asked", "unread"),
    [
        (
            "At least a third of the detachments chosen must be Grey Tactical detachments.",
            [("1/3", "Grey Tactical")],
            [],
        ),
        ("At least half of the formations in it must be Swarm formations.", [("1/2", "Swarm")], []),
        ("No more than one third of the host’s points may buy Titans.", [], ["third"]),
        ("One-quarter of the points can be spent on ships. Roll a die.", [], ["quarter"]),
        ("You must include one additional Titan for every full 500 points over 2,000.", [], [""]),
        ("A third unit falls back; formations regain half of their points.", [], []),
    ],
)
def test_shares_of_an_army_in_words(text: str, asked: list[tuple[str, str]], unread: list[str]) -> None:
    rules = [RuleState(id="note", name="Note", description=text)]
    assert [(str(share.part), share.formation) for share in rule_texts.asked_shares(rules)] == asked
    assert [part for _, _, part in rule_texts.unread_shares(rules)] == unread


def test_formations_that_a_text_demands() -> None:
    texts = (
        "Every force must include a Rogue Trader, who is an option, and must also include a Rogue Trader Cruiser.",
        "The army must include one Battle Titan. Every Ork army must include a supreme commander called a Warlord.",
        "To do so the army must include a strike cruiser.",
    )
    rules = [RuleState(id=str(number), name="Note", description=text) for number, text in enumerate(texts)]
    assert rule_texts.demanded(rules) == ("Rogue Trader Cruiser", "Battle Titan")
