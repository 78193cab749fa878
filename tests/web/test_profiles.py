"""Profiles as tables: grouped, figures first, twins once, headings in the page's language."""

from django.utils import translation

from armybuilder.reference.names import Names
from armybuilder.web.pages.profiles import key_figures, profile_tables

BOLTER = {
    "type": "Weapon",
    "name": "Bolter",
    "characteristics": [("Range", '24"'), ("Type", "Rapid Fire"), ("AP", "5")],
}
FIST = {"type": "Weapon", "name": "Power Fist", "characteristics": [("Range", ""), ("Type", "Melee"), ("AP", "2")]}
LEADER = {"type": "Unit", "name": "Leader", "characteristics": [("WS", "5")]}


def test_profiles_of_one_type_stand_together_and_twins_once() -> None:
    weapons, units = profile_tables([BOLTER, LEADER, FIST, BOLTER])
    assert [name for name, _ in weapons.rows] == ["Bolter", "Power Fist"]
    assert (units.type_name, [name for name, _ in units.rows]) == ("Unit", ["Leader"])


def test_what_the_data_describes_with_a_dash_is_no_row() -> None:
    armour = {"type": "Wargear", "name": "Armour", "characteristics": [("Description", "3+ Armour Save")]}
    smoke = {"type": "Wargear", "name": "Smoke Launchers", "characteristics": [("Description", "-")]}
    (table,) = profile_tables([smoke, armour])
    assert table.texts == (("Armour", "3+ Armour Save"),)
    assert profile_tables([smoke]) == ()


def test_figures_come_before_words_and_nothing_is_empty() -> None:
    (table,) = profile_tables([BOLTER, FIST])
    assert [(column.label, column.words) for column in table.columns] == [
        ("Range", False),
        ("AP", False),
        ("Type", True),
    ]
    assert [cell.value for cell in table.rows[1][1]] == ["–", "2", "Melee"]


def test_short_headings_in_russian_keep_their_full_name() -> None:
    with translation.override("ru"):
        (table,) = profile_tables([LEADER], Names({"WS": "Навык ближнего боя", "Unit": "Боевая единица"}))
    assert table.type_name == "Боевая единица"
    assert (table.columns[0].label, table.columns[0].title) == ("НБ", "Навык ближнего боя")


def test_weapons_below_each_other_stay_below_each_other() -> None:
    titan = {"type": "Unit", "name": "Titan", "characteristics": [("Weapons", "2x Cannon<BR><BR>Melta<BR>and")]}
    with translation.override("ru"):
        (table,) = profile_tables([titan], Names({"2x Cannon": "2× Пушка", "Melta": "Мельта"}))
    assert table.rows[0][1][0].value == "2× Пушка\nМельта\nand"


def test_figures_of_a_unit_in_one_line_are_in_the_pages_language() -> None:
    walker = [("Speed", "15cm"), ("Armour", "4+"), ("CC", "3+"), ("FF", "5+"), ("Notes", "Walker")]
    unit = {"type": "Unit", "name": "Dreadnought", "characteristics": walker}
    names = Names({"Speed": "Скорость", "15cm": "15 см", "Walker": "шагоход"})
    assert ("Speed", "15cm") in key_figures([unit], names)
    with translation.override("ru"):
        line = key_figures([unit], names)
    assert line == (("Скор", "15 см"), ("Бр", "4+"), ("CC", "3+"), ("FF", "5+"))


def test_a_profile_with_weapons_in_it_is_still_of_those_who_fight() -> None:
    """Formations of Epic tell armour and weapons in one row: it is the strip that a unit's pane begins with."""
    tank = [
        ("Speed", "20cm"),
        ("Armour", "4+"),
        ("CC", "6+"),
        ("FF", "4+"),
        ("Weapons", "Battle Cannon"),
        ("Range", "75cm"),
    ]
    gun = [("Range", "75cm"), ("Firepower", "AP4+"), ("S", "8"), ("AP", "3"), ("Shots", "1")]
    profiles = [
        {"type": "Unit", "name": "Leman Russ", "characteristics": tank},
        {"type": "Gun", "name": "Battle Cannon", "characteristics": gun},
    ]
    assert [table.is_of_models for table in profile_tables(profiles)] == [True, False]


def test_names_of_characteristics_have_their_spaces_and_dashes_are_no_figures() -> None:
    figures = [("M", "4"), ("WS", "3"), ("BS", "-"), ("S", "3"), ("T", "4"), ("ArmourSave", "-1"), ("LD", "8")]
    knight = {"type": "Model", "name": "Knight", "characteristics": figures}
    (table,) = profile_tables([knight])
    assert [column.label for column in table.columns] == ["M", "WS", "BS", "S", "T", "AS", "LD"]
    assert table.columns[5].title == "Armour Save"
    assert _line(knight) == "M 4 · WS 3 · S 3 · T 4 · AS -1 · LD 8"


def test_the_page_of_a_book_is_no_figure() -> None:
    figures = [("WS", "5"), ("BS", "2"), ("S", "4"), ("T", "5"), ("Pg", "97")]
    boss = {"type": "Unit", "name": "Big Mek", "characteristics": figures}
    assert _line(boss) == "WS 5 · BS 2 · S 4 · T 5"
    (table,) = profile_tables([boss])
    assert [column.label for column in table.columns] == ["WS", "BS", "S", "T"]


def test_a_vehicle_says_its_armour_in_one_figure_and_no_words() -> None:
    figures = [("BS", "4"), ("Front", "13"), ("Side", "12"), ("Rear", "10"), ("Fire Points", "None"), ("HP", "3")]
    tank = {"type": "Vehicle", "name": "Predator", "characteristics": figures}
    assert _line(tank) == "BS 4 · AV 13/12/10 · HP 3"
    with translation.override("ru"):
        assert _line(tank) == "НС 4 · Броня 13/12/10 · ПК 3"


def test_a_formation_says_how_it_moves_and_is_armoured_not_how_far_one_of_its_guns_fires() -> None:
    told = [("Speed", "Bomber"), ("Armour", "4+"), ("CC", "6+"), ("FF", "4+"), ("Range", "30cm"), ("Crit", "Crash")]
    aircraft = {"type": "Unit", "name": "Thunderhawk", "characteristics": told}
    assert _line(aircraft) == "Speed Bomber · Armour 4+ · CC 6+ · FF 4+"
    ship = {"type": "Unit", "name": "Cruiser", "characteristics": [(name, "n/a") for name, _ in told]}
    assert _line(ship) == ""


def test_a_profile_with_more_columns_than_a_phone_shows_is_told_as_cards() -> None:
    tank = [("Speed", "20cm"), ("Armour", "4+"), ("CC", "6+"), ("FF", "4+")]
    armed = [*tank, ("Weapons", "Battle Cannon"), ("Range", "75cm"), ("Firepower", "AP4+/AT4+"), ("Notes", "-")]
    plain = [*armed[:-1], ("Notes", "Ignore Cover")]
    profiles = [{"type": "Unit", "name": "Leman Russ", "characteristics": cells} for cells in (tank, armed, plain)]
    narrow, wide = profile_tables(profiles)
    assert (narrow.is_wide, wide.is_wide) == (False, True)
    notes = [cell for block in wide.blocks for cell in block.lines[0] if cell.label == "Notes"]
    assert [(cell.value, cell.says_nothing) for cell in notes] == [("-", True), ("Ignore Cover", False)]


def _line(profile: dict[str, object]) -> str:
    return " · ".join(f"{name} {value}" for name, value in key_figures([profile]))


def test_weapons_below_each_other_stand_beside_their_own_ranges() -> None:
    """A name that takes two lines stood beside the range of the weapon after it."""
    cells = [
        ("Armour", "4+"),
        ("Weapons", "Decimator Cannon<BR>Lascannon"),
        ("Range", "45cm<BR>30cm"),
        ("Crit", "Explosion"),
    ]
    walker = {"type": "Unit", "name": "Decimator", "characteristics": cells}
    titan = {
        "type": "Unit",
        "name": "Feral",
        "characteristics": [("Armour", "5+"), ("Weapons", "Claw<BR>Horn"), ("Range", "*"), ("Crit", "–")],
    }
    (table,) = profile_tables([walker, titan])
    decimator, feral = table.blocks
    assert [[cell.value for cell in line] for line in decimator.lines] == [
        ["4+", "Decimator Cannon", "45cm", "Explosion"],
        ["Lascannon", "30cm"],
    ]
    assert [cell.height for cell in decimator.lines[0]] == [2, 1, 1, 2]
    assert [[cell.value for cell in line] for line in feral.lines] == [["5+", "Claw\nHorn", "*", "–"]]


def test_a_column_with_nothing_but_dashes_is_text_where_its_heading_is_a_word() -> None:
    """On a phone a card had "Notes" above a lonely dash, as if it were a figure."""
    bike = {"type": "Unit", "name": "Bike", "characteristics": [("Unit Notes", "-"), ("Speed", "35cm"), ("AS", "-")]}
    (table,) = profile_tables([bike])
    assert [(column.label, column.words) for column in table.columns] == [
        ("Speed", False),
        ("AS", False),
        ("Unit Notes", True),
    ]
    assert [cell.says_nothing for _, cells in table.rows for cell in cells] == [False, False, True]
