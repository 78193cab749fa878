"""Names of game data as readers see them."""

import pytest
from django.utils.translation import override

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.reference.names import Names
from armybuilder.reference.tending import (
    Edition,
    army_list_names,
    edition_of,
    is_bookkeeping,
    model_count,
    plain_text,
    tidied,
)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Space Marines: Codex (2013) v60", "Space Marines"),
        ("HQ:", "HQ"),
        ("- Army Size", "Army Size"),
        ("- 1 to hit", "- 1 to hit"),
        ("May take one::", "May take one"),
        ("LA -  XIII: Ultramarines", "Ultramarines"),
        ("LA - Shadowsword", "Shadowsword"),
        ("2022 - LI - Custodes", "Custodes"),
        ("1. Open War", "Open War"),
        ("✦ General's Handbook 2026-27", "General's Handbook 2026-27"),
        ("۞ Regiments of Renown", "Regiments of Renown"),
        ("- Army Size", "Army Size"),
        ("-Legion-", "Legion"),
        ("-1 to hit", "-1 to hit"),
        ("Beasts of Chaos [LEGENDS]", "Beasts of Chaos (Legends)"),
        ("Despoilers (collective)", "Despoilers"),
        ("'Firestorm Nexus'", "Firestorm Nexus"),
        ("'Imperial Stronghold', Imperial", "'Imperial Stronghold', Imperial"),
        ('"Boss Snikrot\'s Red Skull Kommandos"', "Boss Snikrot's Red Skull Kommandos"),
        ("*Reaver Mechanicus Battle Titan", "Reaver Mechanicus Battle Titan"),
        ("*Kustom Wazmob*", "Kustom Wazmob"),
        ("Empire - Army Book (2013-4)", "Empire - Army Book (2013-4)"),
        ("Empire - Army Book (2013-4) -V8.8.2.", "Empire - Army Book (2013-4)"),
        ("v2", "v2"),
        ("-", "-"),
        ("1.5", "1.5"),
        ("2D6", "2D6"),
        ("", ""),
        ("Two lines:\nthe second:", "Two lines:\nthe second:"),
    ],
)
def test_codes_versions_and_trailing_marks_go(raw: str, shown: str) -> None:
    assert tidied(raw) == shown
    assert tidied(shown) == shown


def test_army_lists_are_called_as_shortly_as_tells_them_apart() -> None:
    called = {
        "Beastmen - Army Book (2013-4) -V8.7.4.": "Beastmen",
        "Chaos Dwarfs LoA - 8thBRB": "Chaos Dwarfs LoA",
        "Legions of Chaos - 8thBRB Glottkin": "Legions of Chaos",
        "Bretonnia 5ed": "Bretonnia",
        "Dark Elves  - Army Book (2013-10) -V8.8.0.": "Dark Elves",
        "Empire - Army Book (2013-4) -V8.7.4.": "Empire (2013-4) V8.7.4",
        "Empire - Army Book (2013-4) -V8.8.2.": "Empire (2013-4) V8.8.2",
        "Wood Elves - Army Book (2013-4) -V8.6.3.": "Wood Elves (2013-4)",
        "Wood Elves - Army Book (2014-5) -V8.8.0.": "Wood Elves (2014-5)",
        "Lizardmen - Armybook (2009)": "Lizardmen",
        "Skaven - Armybook (2002)": "Skaven (2002)",
        "Skaven - Armybook (2009)": "Skaven (2009)",
        "LA - XX: Alpha Legion": "Alpha Legion",
        "Imperium - Grey Knights": "Imperium - Grey Knights",
        "Fortifications and Stronghold Assault (2013)": "Fortifications and Stronghold Assault (2013)",
    }
    assert army_list_names(called) == called


@pytest.mark.parametrize(
    ("name", "edition"),
    [
        ("Empire - Army Book (2013-4) -V8.8.2.", Edition("Empire", (2013, 4, 8, 8, 2))),
        ("Skaven - Armybook (2002)", Edition("Skaven", (2002,))),
        ("High Elves 4ed", Edition("High Elves")),
        ("LA - XX: Alpha Legion", Edition("Alpha Legion")),
    ],
)
def test_the_edition_of_an_army_book(name: str, edition: Edition) -> None:
    assert edition_of(name) == edition


def test_headings_that_sort_most_lists_are_no_part_of_their_names() -> None:
    called = army_list_names(
        ["Xenos - Orks", "Xenos - T'au Empire", "Imperium - Adeptus Astartes - Salamanders", "Imperium - Grey Knights",
         "Chaos - Daemons", "Unaligned"]
    )  # fmt: skip
    assert list(called.values()) == ["Orks", "T'au Empire", "Salamanders", "Grey Knights", "Daemons", "Unaligned"]
    of_one_army = ["Lizardmen", "Lizardmen - Hunting Pack", "Path to Glory - Ascension", "Skaven"]
    assert list(army_list_names(of_one_army).values()) == of_one_army
    twice = ["Xenos - Titans", "Chaos - Titans", "Xenos - Orks"]
    assert list(army_list_names(twice).values()) == twice


def test_roles_are_known_in_both_languages_without_any_translation_of_the_data() -> None:
    with override("ru"):
        assert Names().role("Heavy Support:") == "Тяжёлая поддержка"
        assert Names().role("WAR MACHINE") == "Боевые машины"
        assert Names({"Heavy Support": "Орудия"}).role("Heavy Support:") == "Орудия"
        assert Names().role("3 per 2 Formations - Extra") == "Три на две формации, дополнительно"
    with override("en"):
        assert Names().role("Heavy Support:") == "Heavy Support"
        assert Names().role("WAR MACHINE") == "War Machine"
        assert Names().role("REGIMENTS OF RENOWN") == "Regiments of Renown"
        assert [Names().role(name) for name in ("HQ", "LoW", "ЛВ")] == ["HQ", "LoW", "ЛВ"]


def test_a_sentence_names_things_as_lists_do() -> None:
    with override("en"):
        text = Names().within("LA -  XIII: Ultramarines: HQ: – at most 3.", ["LA -  XIII: Ultramarines", "HQ:"])
    assert text == "Ultramarines: HQ – at most 3."


def model(name: str, *below: SelectionState, row: str = "", number: int = 1) -> SelectionState:
    """An evaluated selection of type model, with a row of some type where one is named."""
    rows = [ProfileState(id=name, name=name, type_id=row, type_name=row, characteristics=())] if row else []
    made = SelectionState(lambda: (tuple(rows), ()))
    made.id, made.name, made.type, made.number, made.selections = name, name, "model", number, below
    return made


def test_a_frame_around_a_model_is_no_second_model() -> None:
    captain = model("Centurion", model("Legion Centurion", model("Warlord"), row="Unit"))
    assert model_count(captain) == 1
    squad = model("Infantry Squad", model("Auxiliary", row="Unit", number=19), model("Sergeant", row="Unit"))
    assert model_count(squad) == 20


def test_whoever_has_a_row_or_nobody_inside_who_has_one_is_a_model() -> None:
    assert model_count(model("Rider", model("Steed", row="Unit"), row="Unit")) == 2
    assert model_count(model("Old data", model("without rows"))) == 2
    assert model_count(model("Gunner", model("Gun", row="Weapon"))) == 2


def test_army_lists_are_called_what_the_menu_calls_them() -> None:
    names = Names(army_lists={"Imperium - Adeptus Astartes - Space Marines": ("Space Marines", "Космодесант")})
    with override("en"):
        assert names("Imperium - Adeptus Astartes - Space Marines") == "Space Marines"
    with override("ru"):
        assert names("Imperium - Adeptus Astartes - Space Marines") == "Космодесант"
        assert names("Imperium - Adeptus Astartes - Salamanders") == "Imperium - Adeptus Astartes - Salamanders"


def test_texts_have_no_marks_of_another_builder() -> None:
    assert (
        plain_text("If this **^^Hero^^** is **^^Infantry^^**, 3+* counts.") == "If this Hero is Infantry, 3+* counts."
    )
    assert [is_bookkeeping(name) for name in ("Color", "Parent Node", "Keywords")] == [True, True, False]
