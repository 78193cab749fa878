"""Lists without prices: which lines are units the names of the data tell; what names none of them is no list."""

import re
from time import process_time

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.imports.files import import_file, source_of
from armybuilder.armylists.imports.names_alone import KnownNames
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import factions, known_names, likely_faction, review
from armybuilder.armylists.imports.review_lines import LineState
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import Faction, UnitEntry
from tests.armylists.conftest import AUXILIA, SONS
from tests.armylists.test_texts_of_other_tools import told

KNOWN = KnownNames(frozenset({"captain", "line squad", "rhino", "gun squad"}), frozenset({"hq", "troops"}))


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Captain\nLine Squad\nRhino", [("Captain", 1, []), ("Line Squad", 1, []), ("Rhino", 1, [])]),
        ("Rhino\n", [("Rhino", 1, [])]),
        (
            "my list\n\nHQ\nCaptain - fine armour, relic blade\nTroops:\n10 Line Squad with flamer and fist\n2 x Rhino",
            [
                ("Captain", 1, ["fine armour", "relic blade"]),
                ("Line Squad", 10, ["flamer", "fist"]),
                ("Rhino", 2, []),
            ],
        ),
        (
            "Ash Legion 1500 pts\nCaptain w/ blade & halo\nLine Squad (10), flamer\nGun squad (5)\nRhinoo",
            [
                ("Captain", 1, ["blade", "halo"]),
                ("Line Squad", 10, ["flamer"]),
                ("Gun squad", 5, []),
                ("Rhinoo", 1, []),
            ],
        ),
        (
            "Captain\n- blade\n- halo\nLine Squad x10\n* Sergeant w/ fist\n",
            [("Captain", 1, ["blade", "halo"]), ("Line Squad", 10, ["Sergeant w/ fist"])],
        ),
        (
            "• Captain\n  • Relic blade\n• Line Squad\n",
            [("Captain", 1, ["Relic blade"]), ("Line Squad", 1, [])],
        ),
        ("CAPTAIN\nLINE SQUAD\n", [("CAPTAIN", 1, []), ("LINE SQUAD", 1, [])]),
    ],
)
def test_names_tell_the_units(text: str, units: list[tuple[str, int, list[str]]]) -> None:
    source = read_text(text, lambda: KNOWN)
    assert source.is_of_names
    assert [(name, number, items) for name, number, _, items in told(source)] == units


@pytest.mark.parametrize(
    "text",
    [
        "Dear diary,\nnothing happened.",
        "hi all, I played my captain today\nit was fun\nwe drew 10-10\nsee you next week\nand then\nRhino\nbye\n",
        "2000\n",
    ],
)
def test_what_names_no_units_is_no_list(text: str) -> None:
    with pytest.raises(EditRefused, match="looks like a unit") as refused:
        read_text(text, lambda: KNOWN)
    assert refused.value.text.ru.startswith("Ни одна строка")


def test_prices_go_before_names() -> None:
    """What a unit has may be called like another unit."""
    source = read_text("Muster\n\nCaptain 100 pts\nRhino\nLine Squad 150 pts\nRhino", lambda: KNOWN)
    assert not source.is_of_names
    assert [(one[0], one[3]) for one in told(source)] == [("Captain", ["Rhino"]), ("Line Squad", ["Rhino"])]


@pytest.mark.long
@pytest.mark.parametrize("filling", [" with", " - ", "(", ", ", " and "])
def test_long_lines_are_read_soon(filling: str) -> None:
    row = f"Captain{filling * 1_900}"[:1_900]
    began = process_time()
    source = read_text("\n".join(["Captain", *[row] * 190]), lambda: KNOWN)
    assert source.units[0].name == "Captain"
    assert process_time() - began < 5


@pytest.fixture
def rows(heresy: PublishedSystem) -> PublishedSystem:
    """Rows of units as publishing makes them."""
    for key, catalogue, name, units in (
        ("sons", SONS, "Sons of Horus", ("Praetor", "Tactical Squad", "Rapier Battery")),
        ("auxilia", AUXILIA, "Solar Auxilia", ("Legate Marshal",)),
    ):
        faction = Faction.objects.create(
            system=heresy,
            key=key,
            name=name,
            catalogue_id=catalogue,
            catalogue_name=name,
            release_id=heresy.current_release_id,
        )
        for unit in units:
            UnitEntry.objects.create(
                faction=faction,
                release_id=heresy.current_release_id,
                entry_id=unit,
                name=unit,
                points=1,
                category_name="HQ",
            )
    return heresy


LINES = "Praetor with paragon blade\n10 Tactical Squad\nRapier Battry\n"


def test_a_list_of_names_is_reviewed_with_doubt(rows: PublishedSystem, viewer: Viewer) -> None:
    """Every unit is marked as likely, and a slip of the pen is offered what it may be."""
    assert known_names().is_unit("tactical squad") and known_names().is_role("HQ")
    source = source_of(LINES.encode(), file_name="list.txt")
    found = review(source, likely_faction(source, factions()))
    assert [(line.text, line.state, line.name) for line in found.lines if line.is_unit] == [
        ("Praetor: paragon blade", LineState.LIKELY, "Praetor"),
        ("10 Tactical Squad", LineState.LIKELY, "Tactical Squad"),
        ("Rapier Battry", LineState.LIKELY, "Rapier Battery"),
    ]
    made = import_file(viewer, LINES.encode(), file_name="list.txt")
    assert made.dropped == () and made.army_list.points > 0


def test_the_page_takes_names_and_refuses_prose(rows: PublishedSystem, client: Client) -> None:
    page = client.post("/lists/open/", {"text": LINES})
    assert page.status_code == 200
    assert re.search(r"Rapier Battery", page.content.decode())
    refused = client.post("/lists/open/", {"text": "Dear diary,\nnothing happened."})
    assert refused.status_code == 422
    assert "looks like a unit" in refused.content.decode()
