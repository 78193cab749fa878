"""Lists put together at random out as texts and in again: the same units, options, points, leader and verdict.

Each seed is one that found something lost.
"""

import re
from pathlib import Path

import pytest
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.exports import format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import Faction, review
from armybuilder.armylists.imports.review_lines import LineState
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.battlescribe_files.ros_xml import EXTENSION
from armybuilder.engine.gamedata.links import Library
from tests.armylists.named_lists import lists_of, published
from tests.armylists.random_lists import random_list
from tests.armylists.test_named_lists import DATA
from tests.armylists.test_named_round_trips import told
from tests.armylists.units_alone import library_in

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

FORMATS = (
    "text-gw",
    "text-owb",
    "text-owb-full",
    "text-wtc-full",
    "text-battlescribe",
    "text-new-recruit",
    "markdown",
    "plain",
)
SEVENTH = "wh40k-7th-edition"
WOOD_ELVES = ("Warhammer Fantasy 8th ed.gst", "Wood Elves - 8thBRB_6thAB.catz", "Wood Elves - 8thBRB_8thAB.catz")


def data_of(shared: Path, game: str) -> tuple[PublishedSystem, Library]:
    """A data set published; the 7th edition of 40k as a game without rules here."""
    folder, rules, files = {
        "horus-heresy": ("horus-heresy-2023-10-07", "horus-heresy", None),
        SEVENTH: (SEVENTH, "wh40k-6th", None),
        "epic": ("wh40k-epic-armageddon", "epic", None),
        "fantasy": ("whfb", "fantasy-8th", WOOD_ELVES),
    }[game]
    library = library_in(shared / "battlescribe" / "data" / folder, files)
    system = published(rules, library)
    if game == SEVENTH:
        system.rule_pack = ""
        system.save()
    return system, library


SEEDS = [
    # the same unit may stand in two roles; plain text has slots behind the name of a role
    ("horus-heresy", "LA -   VIII: Night Lords", 1),
    # a chainsword in the place of the bolter costs less than one more
    ("horus-heresy", "LA -  X: Iron Hands", 10),
    # a Valkyrie Squadron that begins without Valkyries; squads of a platoon, counted twice, of four models each
    (SEVENTH, "Astra", 2),
    # a player's own name before one that ends with brackets: "Ash Hounds (Macharius (FW))"
    (SEVENTH, "Astra", 3),
    # Boyz of a Big mob, which began as a Normal one
    ("epic", "Orks: Evil", 2),
    # two combi-weapons, which fill the group of the pistol and the sword that stood there
    (SEVENTH, "Space Marines: Codex (2015)", 11),
    # most of its units have a comma in their names, and bullets below them
    ("epic", "Orks: Gargant Bigmob", 10),
    # two Thunderfire Cannons, one of which costs more
    ("epic", "Space Marines: Imperial Fists", 11),
    # "Naestra and Arahan, Sisters of Twilight" named once more among what the unit has
    ("fantasy", "Wood Elves - Army Book (2013-4)", 10),
    # a lore in brackets, and in a line of its own
    ("fantasy", "Wood Elves - Army Book (2014-5)", 10),
]


@pytest.mark.parametrize(("game", "catalogue", "seed"), SEEDS)
def test_nothing_is_lost(game: str, catalogue: str, seed: int, shared: Path, viewer: Viewer) -> None:
    system, library = data_of(shared, game)
    row = random_list(viewer, system, library, catalogue, seed)
    for language in ("en", "ru"):
        with translation.override(language):
            before = told(row)
            for format_id in FORMATS:
                content = format_called(format_id).file_of(row).content
                back = import_file(viewer, content, file_name="army.txt")
                where = f"{format_id} in {language}"
                assert (where, back.dropped) == (where, ())
                after = told(back.army_list)
                assert (where, before["units"] - after["units"], after["units"] - before["units"]) == (where, {}, {})
                assert after == before, where


@pytest.mark.parametrize(
    ("name", "line", "models"),
    [
        ("Beastmen", "2 Razorgor Herd [110 pts] (Tusks, hooves and a bad attitude)", 2),
        ("Beastmen", "3 Ash Hounds (Razorgor Herd) [165 pts]", 3),
    ],
)
def test_the_number_before_a_unit_counts_the_models_that_it_is_called_after(
    name: str, line: str, models: int, shared: Path, viewer: Viewer
) -> None:
    """Its data calls a Razorgor an upgrade, of which there is one at first."""
    wanted = next(one for one in lists_of("fantasy-8th") if one.name == name)
    library = library_in(shared / "battlescribe" / "data" / DATA["fantasy-8th"], wanted.files or None)
    published("fantasy-8th", library)
    text = f"===\nMuster [200 pts]\nBeastmen\n===\n\n++ Special [200 pts] ++\n\n{line}\n"
    back = import_file(viewer, text.encode(), file_name="army.txt")
    (unit,) = (unit for unit in plain_sheet_of(back.army_list).units if unit.name == "Razorgor Herd")
    assert (back.dropped, unit.model_count, unit.points) == ((), models, 55 * models)


def test_who_has_the_datas_option_of_that_name_leads(shared: Path, viewer: Viewer) -> None:
    """Where no rules are here, a list in which nobody was named had no warlord, and had one when it came back."""
    data_of(shared, SEVENTH)
    text = (
        "Muster [270 pts]\nAstra Militarum: Codex (2014)\n\n## HQ [270 pts]\n"
        "Tank Commander [270 pts]\n• 1x Command Battle Tank: Warlord\n"
    )
    made = import_file(viewer, text.encode(), file_name="army.txt").army_list
    before = told(made)
    assert plain_sheet_of(made).warlord == "Tank Commander" and plain_sheet_of(made).facts == ()
    for format_id in FORMATS:
        back = import_file(viewer, format_called(format_id).file_of(made).content, file_name="army.txt")
        assert (format_id, back.dropped, told(back.army_list)) == (format_id, (), before)


def test_a_text_that_tells_no_role_leaves_a_question(shared: Path, viewer: Viewer) -> None:
    """Lootas are Elites, or Troops of some army; a text without headings does not say, and was sure."""
    library = library_in(shared / "battlescribe" / "data" / "wh40k-6th-1.14b")
    system = published("wh40k-6th", library)
    orks = next(one for one in library.catalogues if one.name.startswith("Orks"))
    text = "Muster\nOrks\n\n{}Lootas [75 pts]\n{}Stormboyz [60 pts]\n"
    told = [
        review(read_text(text.format(*headings)), Faction(system, orks.id, orks.name)).lines
        for headings in (("", ""), ("## Elites\n", "## Fast Attack\n"))
    ]
    states = [{line.text.split(" [")[0]: line.state for line in lines if line.is_unit} for lines in told]
    assert states == [
        {"Lootas": LineState.LIKELY, "Stormboyz": LineState.SURE},
        {"Lootas": LineState.SURE, "Stormboyz": LineState.SURE},
    ]
    (lootas,) = (line for line in told[0] if line.text.startswith("Lootas"))
    assert [one.name for one in lootas.suggestions][:2] == ["Lootas (Elites)", "Lootas (Troops)"]


def test_the_trait_of_a_warlord_comes_back_where_no_rules_are_here(shared: Path, viewer: Viewer) -> None:
    data_of(shared, SEVENTH)
    text = (
        "Muster [130 pts]\nAstra Militarum: Codex (2014)\n\n## HQ [130 pts]\n"
        "Company Command Squad [60 pts]: Warlord (Bold Strategist)\n"
    )
    made = import_file(viewer, text.encode(), file_name="army.txt").army_list
    assert plain_sheet_of(made).warlord == "Company Command Squad (Bold Strategist)"
    for format_id in FORMATS:
        back = import_file(viewer, format_called(format_id).file_of(made).content, file_name="army.txt")
        assert (format_id, back.dropped, told(back.army_list)) == (format_id, (), told(made))


@pytest.mark.parametrize("line", ["Big Mek [35 pts]: Warlord", "Warboss [60 pts]"])
def test_the_warlord_of_a_roster_of_another_tool_comes_back(line: str, shared: Path, viewer: Viewer) -> None:
    """Its file has the data's option alone; a text of that list came back with a fact that it had not stated."""
    library = library_in(shared / "battlescribe" / "data" / "wh40k-6th-1.14b")
    system = published("wh40k-6th", library)
    system.battlescribe_id = library.system_id
    system.save()
    text = f"Waaagh [95 pts]\nOrks: Codex (2008) v18\n\n## HQ [95 pts]\n{line}\n"
    made = import_file(viewer, text.encode(), file_name="army.txt").army_list
    instruction = re.compile(rb"<\?%s.*?\?>" % EXTENSION.encode(), re.DOTALL)
    file, removed = instruction.subn(b"", format_called("ros").file_of(made).content)
    assert removed == 1
    row = import_file(viewer, file, file_name="army.ros").army_list
    before = told(row)
    assert bool(plain_sheet_of(row).warlord) == ("Warlord" in line)
    assert before["units"] == told(made)["units"]
    for format_id in FORMATS:
        back = import_file(viewer, format_called(format_id).file_of(row).content, file_name="army.txt")
        assert (format_id, back.dropped, told(back.army_list)) == (format_id, (), before)


def test_a_text_without_a_limit_has_none(shared: Path, viewer: Viewer) -> None:
    """Old data begins with a limit of 0 points, and every pasted list cost too much."""
    published("wh40k-6th", library_in(shared / "battlescribe" / "data" / "wh40k-6th-1.14b"))
    row = import_file(viewer, b"Waaagh\nOrks\n\nWarboss [60 pts]\n", file_name="army.txt").army_list
    report = services.check_army_list(row)
    assert row.points_limit is None and report.points.total == 60
    assert "BS-04" not in {finding.rule for finding in report.findings}
