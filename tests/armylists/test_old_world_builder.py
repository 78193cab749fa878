"""Files of Old World Builder in the shape the tool saves them today: nested options, stacks, detachments, defaults."""

from typing import Any

from armybuilder.armylists.imports.old_world_builder import is_owb, read_owb


def option(name: str, **members: Any) -> dict[str, Any]:
    """An option, not taken unless told."""
    return {"name_en": name, "points": 5, "id": 1} | members


def army(**unit: Any) -> dict[str, Any]:
    """A list with one character."""
    return {
        "name": "Autumn",
        "game": "the-old-world",
        "army": "empire-of-man",
        "armyComposition": "empire-of-man",
        "points": 2000,
        "id": "qq1",
        "characters": [{"name_en": "Wizard Lord {empire}", "id": "wizard-lord.x", "strength": 1} | unit],
        "core": [],
        "special": [],
        "rare": [],
        "mercenaries": [],
        "allies": [],
    }


def items(**unit: Any) -> list[tuple[str, int]]:
    """What is read of a unit, with numbers."""
    parsed = army(**unit)
    assert is_owb(parsed)
    return [(item.name, item.number) for item in read_owb(parsed).units[0].items]


def test_options_within_options_are_read_where_both_are_taken() -> None:
    level = option("Level 4 Wizard", active=True, exclusive=True)
    wizard = option("Wizard", active=True, alwaysActive=True, options=[level, option("Level 3 Wizard")])
    assert items(options=[wizard]) == [("Wizard", 1), ("Level 4 Wizard", 1)]
    assert items(options=[wizard | {"active": False}]) == []
    dragon = option("Dragon", active=True, options=[option("Spare head", active=True)])
    assert items(mounts=[option("On foot", active=True), dragon]) == [("Dragon", 1), ("Spare head", 1)]
    banner = option("Standard bearer", active=True, magic={"selected": [option("War Banner")]})
    assert items(command=[banner]) == [("Standard bearer", 1), ("War Banner", 1)]


def test_counted_options_defaults_and_lists_in_one_line() -> None:
    assert items(options=[option("Outrider", stackable=True, stackableCount=3)]) == [("Outrider", 3)]
    assert items(options=[option("Outrider", stackable=True, stackableCount=0)]) == []
    assert items(equipment=[option("Hand weapon, Shield (if on foot, no lance)", equippedDefault=True)]) == [
        ("Hand weapon", 1),
        ("Shield (if on foot, no lance)", 1),
    ]
    assert items(armor=[option("Light armour", equippedDefault=True)]) == []


def test_magic_items_with_amounts_and_what_is_within_them() -> None:
    honours = option("Honours", selected=[option("Pure of Heart")])
    group = {"name_en": "Magic Items", "selected": [option("Dispel Scroll", amount=2), honours]}
    assert items(items=[group]) == [("Dispel Scroll", 2), ("Honours", 1), ("Pure of Heart", 1)]


def test_detachments_lore_general_and_own_name() -> None:
    detachment = {"name_en": "Handgunners {empire}", "strength": 8, "equipment": [option("Handgun", active=True)]}
    assert items(detachments=[detachment, detachment | {"strength": 0}]) == [("Handgunners", 8), ("Handgun", 1)]
    assert items(lores=["battle-magic", "dark-magic"]) == [("battle magic", 1)]
    assert items(lores=["battle-magic"], activeLore="dark-magic") == [("dark magic", 1)]
    unit = read_owb(army(name="Old Balthus", command=[option("General", active=True)])).units[0]
    assert (unit.name, unit.is_warlord) == ("Old Balthus (Wizard Lord)", True)
    assert read_owb(army(name="wizard lord")).units[0].name == "Wizard Lord"
    assert not read_owb(army(command=[option("General")])).units[0].is_warlord


def test_rows_of_the_wrong_shape_are_left_out() -> None:
    wrong: list[Any] = [None, 3, "x", {"name_en": 5, "active": True}, {"active": True}]
    shape = {"options": wrong, "mounts": {"a": 1}, "items": [{"selected": "x"}], "detachments": wrong, "lores": "x"}
    assert items(**shape, activeLore=4, command=[option("General", active=True, options=wrong)]) == [("General", 1)]
