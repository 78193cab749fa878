"""Lists of the community's data out as texts and in again: the same units, options, points, facts and verdict.

Each is the one in which a whole sweep (forty lists, thirteen formats, two languages) found something lost.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.exports import format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.list_sheet import SheetOption, SheetUnit
from armybuilder.armylists.models import ArmyList
from tests.armylists.named_lists import Clerk, NamedList, lists_of, published
from tests.armylists.test_community_round_trips import TEXTS
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

SWEPT = [
    # an option called Warlord behind the trait of the warlord; "Allegiance: Loyalist" below the unit Allegiance
    ("horus-heresy", "Dark Angels", "en", ("text-new-recruit", "text-wtc-full")),
    # "9x Grey Slayer w/Combat Shield, Fenrisian Axe" is one name
    ("horus-heresy", "Space Wolves", "en", ("text-gw", "text-owb")),
    # of 20 lasguns 19 are the squad's and one the sergeant's
    ("horus-heresy", "Imperialis Militia", "en", ("text-battlescribe",)),
    # two arms with the same weapons; a trait of the data, told in Russian
    ("horus-heresy", "Custodes", "ru", ("text-battlescribe", "markdown")),
    # "Подтип: бомбарда (No)" is one name; a faction named in Russian
    ("horus-heresy", "Emperor's Children", "ru", ("plain", "text-wtc")),
    # what the game says of a unit is the name of its option
    ("fantasy-8th", "Dark Elves", "en", ("plain", "text-owb-full")),
    # an option that is called like its unit
    ("fantasy-8th", "Empire", "en", ("text-wtc-full",)),
    # "attached Poisoned Wind Mortar" begins like a sentence
    ("fantasy-8th", "Skaven", "en", ("plain",)),
    # "4x Thunderers, 2x Warriors" is one name; one of two options of a name is hidden
    ("epic", "Squats", "en", ("text-new-recruit", "markdown")),
    # the group is full: what is named belongs to the upgrade that still needs it
    ("epic", "Tau", "en", ("text-wtc",)),
    # "Vindicator" and "1x Vindicator" are two options; "10 places needed" is a sentence
    ("epic", "Space Marines", "en", ("text-battlescribe", "plain")),
    # the header of WTC names list and faction
    ("wh40k-6th", "Orks 1", "ru", ("text-wtc", "text-wtc-full")),
]


FOUND_LATER = [
    # "Command Squad" is an option too; brackets belong to "(1 in 5)"; two arms have two weapons each; a Librarian is
    # what a Centurion was raised to, and what the data calls his model then
    NamedList(
        name="Sons of Horus",
        catalogue="LA -  XVI: Sons of Horus",
        force="Crusade Force Organisation Chart",
        limit=2500,
        points=0,
        allegiance="traitor",
        leader="Maloghurst the Twisted",
        units=(
            ("Centurion", "Centurion > Librarian"),
            ("Maloghurst the Twisted", "Maloghurst the Twisted > Command Squad, Tartaros"),
            (
                "Justaerin Terminator Squad",
                "Justaerin Terminator Squad > Justaerin w/Heavy Weapon (1 in 5)",
                "Justaerin w/Heavy Weapon (1 in 5) > Reaper Autocannon",
            ),
        ),
        spoils=(),
    ),
    # models that are upgrades, named by the line of their unit alone
    NamedList(
        name="Empire",
        catalogue="Empire - Army Book (2013-4) -V8.8.2.",
        force="Standard",
        limit=2000,
        points=0,
        files=("Warhammer Fantasy 8th ed.gst", "Empire - 8thBRB_8thAB.catz"),
        units=(("Handgunners", "Handgunners > Champion", "Handgunners > Handgunners"),),
        spoils=(),
    ),
]


@pytest.mark.parametrize("wanted", FOUND_LATER, ids=lambda wanted: wanted.name)
def test_units_come_back_with_all_they_have(wanted: NamedList, shared: Path, viewer: Viewer) -> None:
    game = "fantasy-8th" if wanted.files else "horus-heresy"
    library = library_in(shared / "battlescribe" / "data" / DATA[game], wanted.files or None)
    army = Clerk(viewer, published(game, library), library, wanted)
    before = told(army.row)["units"]
    for format_id in (*TEXTS, "text-gw", "text-owb", "text-owb-full", "text-wtc", "text-wtc-full"):
        back = import_file(viewer, format_called(format_id).file_of(army.row).content, file_name="army.txt")
        assert (format_id, back.dropped) == (format_id, ())
        assert told(back.army_list)["units"] == before, format_id


@pytest.mark.parametrize(
    ("game", "name", "language", "formats"), [pytest.param(*row, id=f"{row[0]}: {row[1]}") for row in SWEPT]
)
def test_nothing_is_lost(
    game: str, name: str, language: str, formats: tuple[str, ...], shared: Path, viewer: Viewer
) -> None:
    wanted = next(one for one in lists_of(game) if one.name == name)
    library = library_in(shared / "battlescribe" / "data" / DATA[game], wanted.files or None)
    army = Clerk(viewer, published(game, library), library, wanted)
    with translation.override(language):
        before = told(army.row)
        for format_id in formats:
            file = format_called(format_id).file_of(army.row)
            back = import_file(viewer, file.content, file_name="army.txt")
            assert (format_id, back.dropped) == (format_id, ())
            assert told(back.army_list) == before, format_id


def test_the_secret_text_does_not_say_who_has_magic_items(shared: Path, viewer: Viewer) -> None:
    """An empty "Ancestral Heirlooms and Runes" told that there are some."""
    wanted = next(one for one in lists_of("fantasy-8th") if one.name == "Dwarfs")
    library = library_in(shared / "battlescribe" / "data" / DATA["fantasy-8th"], wanted.files or None)
    army = Clerk(viewer, published("fantasy-8th", library), library, wanted)
    assert "Grudge Rune" in format_called("plain").file_of(army.row).content.decode()
    secret = format_called("secret").file_of(army.row).content.decode()
    assert "Runesmith" in secret and "Great Weapon" in secret and "Runes\n" not in secret and "Rune " not in secret


def told(row: ArmyList) -> dict[str, object]:
    """Everything a reader sees of a list, and its verdict."""
    sheet, report = plain_sheet_of(row), services.check_army_list(row)
    units = Counter(
        (block.name, role.name, _told_of(unit))
        for block in sheet.detachments
        for role in block.roles
        for unit in role.units
    )
    return {
        "units": units,
        "list": (sheet.name, sheet.limit, sheet.facts, sheet.warlord, sheet.notes),
        "verdict": (report.verdict, report.points.total),
    }


def _told_of(unit: SheetUnit) -> tuple[object, ...]:
    said = unit.name, unit.points, unit.stated, unit.is_warlord, unit.warlord_trait, unit.notes
    return (*said, *sorted(_options(unit.options)))


def _options(options: tuple[SheetOption, ...], path: str = "") -> Iterator[tuple[str, int]]:
    for option in options:
        yield f"{path}/{option.name}", option.number
        yield from _options(option.options, f"{path}/{option.name}")


def test_what_the_source_says_of_a_model_may_be_its_units(shared: Path, viewer: Viewer) -> None:
    """Apps list a squad's flamer below the model that carries it; the data offers it to the squad."""
    library = library_in(shared / "battlescribe" / "data" / DATA["wh40k-6th"])
    published("wh40k-6th", library)
    text = (
        "Iron Road (145 Points)\n\nSpace Marines: Codex (2013) v60\nPrimary Detachment\n\nTROOPS\n\n"
        "Tactical Squad (145 Points)\n  • 1x Space Marine Sergeant\n     ◦ 1x Melta Bombs\n"
        "  • 4x Space Marine\n     ◦ 1x Flamer\n  • 1x Rhino\n     ◦ 1x Dozer Blade\n"
    )
    back = import_file(viewer, text.encode(), file_name="army.txt")
    assert back.dropped == ()
    (squad,) = (unit for unit in plain_sheet_of(back.army_list).units if unit.name == "Tactical Squad")
    assert {"Flamer", "Rhino", "Space Marine Sergeant"} <= {option.name for option in squad.options}
    assert squad.model_count == 5


def test_choices_of_the_whole_army_have_russian_names(shared: Path, viewer: Viewer) -> None:
    wanted = next(one for one in lists_of("horus-heresy") if one.name == "Emperor's Children")
    library = library_in(shared / "battlescribe" / "data" / DATA["horus-heresy"], wanted.files or None)
    army = Clerk(viewer, published("horus-heresy", library), library, wanted)
    with translation.override("ru"):
        text = format_called("text-battlescribe").file_of(army.row).content.decode()
    assert "Верность [" in text and "Обряд войны [" in text
    assert "Allegiance" not in text and "Rite of War" not in text
