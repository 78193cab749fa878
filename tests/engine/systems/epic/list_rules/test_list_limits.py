"""Objections of the data as rules of army lists: what is read so, and what keeps the data's words."""

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.systems.epic.list_rules.list_limits import list_findings
from tests.conftest import ROOT
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

FOLDER = ROOT / "fixtures" / "epic"
SQUADS = 'id="ea-sm-tactical-tactical-min"'


def army_of(*, catalogue: str | None = None) -> ListBuilding:
    """Space Marines; `catalogue` replaces the text of their file."""
    marines = catalogue or (FOLDER / "space-marines.cat").read_text()
    army = ListBuilding(
        compiled_library(
            [
                SourceFile("epic.gst", (FOLDER / "epic.gst").read_bytes()),
                SourceFile("space-marines.cat", marines.encode()),
            ]
        )
    )
    army.detachment("ea-force", "ea-space-marines")
    return army


def short_of_a_squad(army: ListBuilding) -> ListBuilding:
    army.models(army.add("Tactical"), "Tactical Squad", 5)
    return army


def said(army: ListBuilding) -> list[tuple[str, str]]:
    return [(found.rule, found.message.en) for found in list_findings(army.state, points_limit=3000)]


def test_a_broken_minimum_names_both_bounds() -> None:
    assert said(short_of_a_squad(army_of())) == [("EPL-01", "Tactical Squad: 5 taken, allowed: exactly 6.")]


def test_what_the_author_says_himself_stays_in_his_words() -> None:
    text = (FOLDER / "space-marines.cat").read_text().replace(SQUADS, f'{SQUADS} message="Six squads, no fewer."')
    army = short_of_a_squad(army_of(catalogue=text))
    assert [error.message for error in army.state.errors] == ["Six squads, no fewer."]
    assert said(army) == []


def test_a_list_within_its_numbers_says_nothing() -> None:
    army = army_of()
    army.add("Tactical")
    assert said(army) == []


def test_a_share_is_said_only_of_an_agreed_size() -> None:
    army = army_of()
    army.add("Warlord Titan")
    assert [found.rule for found in list_findings(army.state, points_limit=None)] == []
