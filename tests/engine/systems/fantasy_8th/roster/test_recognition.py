"""How names of game data are understood: our own, and what the community wrote, slips of the pen included."""

from time import process_time

import pytest

from armybuilder.engine.systems.fantasy_8th.roster import recognition as read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Infantry", "infantry"),
        ("Infantry (Special Character, Black Orc)", "infantry"),
        ("Infantry, Special Character", "infantry"),
        ("Cavarly (Special Character)", "cavalry"),
        ("Monsterous Beast", "monstrous_beast"),
        ("Warmachine (Stone Thrower)", "war_machine"),
        ("War Machine", "war_machine"),
        ("Unique Unit", "unique"),
        ("- (Special Character", None),
        ("–", None),
        ("", None),
        ("Vehicle", None),
    ],
)
def test_troop_types(text: str, expected: str | None) -> None:
    assert read.troop_type(text) == expected


@pytest.mark.parametrize(
    "text", ["Infantry (Special Character)", "- (Special Charcter, Vampire)", "- (Special Character"]
)
def test_special_characters(text: str) -> None:
    assert read.is_special_character(text)
    assert not read.is_special_character("Infantry (Character)")


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("BRB - Talisman of Preservation", "Talisman of Preservation"),
        ("(BRB) Wizarding Hat", "Wizarding Hat"),
        ("BRB - Channeling Staff", "Channelling Staff"),
        ("BRB - Featherfoe Torc", "Featherfoe Torch"),
        ("BRB - Fozzirik's Folding Fortress", "Fozzrik's Folding Fortress"),
        ("BRB - The Terrifying Mask of Eee!", "Terrifying Mask of Eee!"),
        ("BRB - Pidgeon Plucker Pendant", "Pigeon Plucker Pendant"),
        ("BRB - War Banner (AB points)", "War Banner"),
        ("Sword of Anti-Heroes", "Sword of Anti-heroes"),
        ("Боевое знамя", "War Banner"),
    ],
)
def test_common_items(name: str, item: str) -> None:
    found = read.common_item(name)
    assert found is not None
    assert found.en == item


@pytest.mark.parametrize("name", ["AB - Runefang", "BRB - Ranger's Standard", "Barding"])
def test_items_the_rules_text_does_not_print(name: str) -> None:
    assert read.common_item(name) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Two/Additional Hand Weapons (Models on foot only) (FAQ'ed)", "Additional hand weapon"),
        ("Spear (Mounted) (crew)", "Cavalry spear"),
        ("Spear (Foot)", "Spear"),
        ("Lance (Mounted models only)", "Lance"),
        ("Brace of Pistols (Shooting) (FAQ'ed)", "Brace of pistols"),
        ("Hand Weapon (Engineer Commander)", "Hand Weapon"),
        ("Doom Diver (Stone Thrower)", "Doom Diver (Stone Thrower)"),
    ],
)
def test_weapons(name: str, expected: str) -> None:
    assert read.weapon_name(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Skirmishers (FAQ'ed)", "Skirmishers"),
        ("Ethereal (BRB-68)", "Ethereal"),
        ("Regeneration (*)", "Regeneration"),
        ("Impact Hits (D6)", "Impact Hits (D6)"),
        ("Hatred (Dwarfs)", "Hatred (Dwarfs)"),
    ],
)
def test_rules(name: str, expected: str) -> None:
    assert read.rule_name(name) == expected


@pytest.mark.parametrize(
    ("name", "level", "lore"),
    [
        ("Wizard Level 4", 4, None),
        ("Level 1 Wizard", 1, None),
        ("Wizard level 2", 2, None),
        ("Level 2 (Lore of Life)", 2, "Lore of Life"),
        ("Level 1 Wizard - Lore of Shadow", 1, "Lore of Shadow"),
        ("Lore of da Big Waaagh!", None, "Lore of da Big Waaagh!"),
        ("Loremaster (Lore of Metal)", None, "Lore of Metal"),
        ("Musician", None, None),
    ],
)
def test_levels_and_lores(name: str, level: int | None, lore: str | None) -> None:
    assert (read.wizard_level(name), read.lore_name(name)) == (level, lore)


@pytest.mark.parametrize(
    ("catalogue", "race"),
    [
        ("Orcs & Goblins - Army Book (2013-4) -V8.8.2.", "orcs_and_goblins"),
        ("Orcs and Goblins", "orcs_and_goblins"),
        ("Ogre Kindoms - Army Book (2013-4) -V8.8.1.", "ogre_kingdoms"),
        ("Dark Elves  - Army Book (2013-10) -V8.8.0.", "dark_elves"),
        ("Empire", "empire"),
        ("Chaos Dwarfs LoA - 8thBRB", "chaos_dwarfs_loa_8thbrb"),
    ],
)
def test_races(catalogue: str, race: str) -> None:
    assert read.race_of(catalogue) == race


@pytest.mark.parametrize(
    ("text", "value"), [("4", 4), ("-", None), ("2D6", None), ("special", None), (None, None), ("99999", None)]
)
def test_numbers(text: str | None, value: int | None) -> None:
    assert read.number(text) == value


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AB-Great weapon  (FAQ'ed)", "Great weapon"),
        ("Shield (*)", "Shield"),
        ("Mark (Khorne only) (2)", "Mark (2)"),
        ("Halberd ( on foot )", "Halberd ( on foot )"),
    ],
)
def test_remarks(name: str, expected: str) -> None:
    assert read.without_remarks(name) == expected


@pytest.mark.parametrize("name", [f"{' ' * 200_000}x", f"({'only' * 50_000}", "(only" * 40_000, f"AB{'(' * 200_000}"])
def test_long_names_are_read_in_time_of_their_length(name: str) -> None:
    """Each blank and each remark was tried against all that follow: eight seconds for 20,000 of them."""
    begun = process_time()
    read.without_remarks(name)
    read.weapon_name(name)
    assert process_time() - begun < 5


def test_a_characteristic_with_a_remark() -> None:
    texts = ("4 (5)", "4+2(charge)", "8/10", "3+*", "3+", "D6+1", "-")
    assert [read.first_number(text) for text in texts] == [4, 4, 8, 3, None, None, None]
