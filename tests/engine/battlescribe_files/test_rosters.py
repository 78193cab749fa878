"""Roster files: what is written comes back, and what others write is understood."""

from decimal import Decimal

import msgspec
import pytest
from lxml import etree

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.battlescribe_files.ros_xml import (
    BATTLESCRIBE,
    NEW_RECRUIT,
    Layout,
    read_roster,
    settle,
    write_roster,
    write_zipped_roster,
)
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.model import Tag
from tests.engine.battlescribe_files.files import army_file, system_file
from tests.engine.roster.builders import Player, entry, group, link, make_library


def well_kept() -> Player:
    """A roster with everything a roster can hold."""
    shared = {"sharedSelectionEntries": [entry("rifle", pts=3, collective=True)]}
    arms = group("arms", link("to-rifle", "rifle"))
    man = entry("man", type="model", pts=Decimal("10.5"), selectionEntryGroups=[arms])
    nested = [{"id": "patrol", "name": "Patrol <1>", "categoryLinks": [{"id": "x", "targetId": "hq"}],
               "forceEntries": [{"id": "scouts", "name": "Scouts"}]}]  # fmt: skip
    library = make_library(
        entry("squad", type="unit", pts=50, category="hq", selectionEntries=[man]),
        catalogue=shared,
        system={"forceEntries": nested},
    )
    player = Player(library)
    player.limit(Decimal("1000.5"))
    squad = player.take("squad")
    men = player.take("man", squad)
    player.take("rifle", men)
    player.amount(men, 3)
    player.add_force("scouts", parent=player.force_id)
    for node_id, name, notes in (
        (squad, 'The "Best" & <Bravest>', "line 1\nline 2"),
        (player.force_id, "Мой отряд", "n"),
    ):
        player.roster = edits.customise(player.roster, node_id=node_id, name=name, notes=notes).roster
    player.roster = edits.customise(player.roster, node_id=player.force_id, category_id="hq", notes="leaders").roster
    tags = (Tag("t1", "Tournament"), Tag("", "Draft & co."))
    player.roster = msgspec.structs.replace(player.roster, notes="The whole list", tags=tags)
    return player


@pytest.mark.parametrize("layout", [BATTLESCRIBE, NEW_RECRUIT])
def test_written_and_read_it_is_the_same(layout: Layout) -> None:
    player = well_kept()
    written = write_roster(player.library, player.state, layout=layout)
    settled = settle(player.library, read_roster(written, file_name="list.ros"))
    assert settled.dropped == ()
    assert settled.roster == player.roster
    zipped = write_zipped_roster(player.library, player.state, layout=layout)
    assert settle(player.library, read_roster(zipped, file_name="list.rosz")).roster == player.roster


def test_a_file_has_what_readers_without_the_data_need() -> None:
    player = well_kept()
    root = etree.fromstring(write_roster(player.library, player.state))
    spaces = {"r": "http://www.battlescribe.net/schema/rosterSchema"}

    def attributes(path: str) -> list[dict[str, str]]:
        found = root.xpath(path, namespaces=spaces)
        assert isinstance(found, list)
        return [dict(element.attrib) for element in found if isinstance(element, etree._Element)]

    assert attributes("r:costs/r:cost") == [{"name": "pts", "typeId": "pts", "value": "90.5"}]
    assert attributes("r:costLimits/r:costLimit")[0]["value"] == "1000.5"
    (force,) = attributes("r:forces/r:force")
    assert (force["entryId"], force["catalogueId"], force["catalogueName"]) == ("patrol", "army", "Army")
    rows = [(row["name"], row["entryId"], row.get("entryGroupId"), row["number"], row["type"])
            for row in attributes("//r:selection")]  # fmt: skip
    assert rows == [
        ("Squad", "squad", None, "1", "unit"),
        ("Man", "man", None, "3", "model"),
        ("Rifle", "to-rifle::rifle", "arms", "3", "upgrade"),
    ]
    assert [row["value"] for row in attributes("//r:selection/r:costs/r:cost")] == ["9.0", "31.5", "50.0"]
    assert [row["entryId"] for row in attributes("//r:force[@entryId='patrol']/r:categories/r:category")] == [
        "(No Category)",
        "hq",
    ]


def test_profiles_and_rules_are_written() -> None:
    player = Player(load_library([army_file(), system_file()]))
    player.take("boss")
    text = write_roster(player.library, player.state).decode()
    assert '<characteristic name="WS" typeId="ws">4+ &lt;best&gt;</characteristic>' in text
    assert "<description>Never\nruns.</description>" in text
    assert 'publicationId="book" page="12"' in text


def test_what_the_data_no_longer_has_is_dropped_and_named() -> None:
    player = well_kept()
    written = write_roster(player.library, player.state)
    newer = make_library(entry("squad", category="hq"))
    settled = settle(newer, read_roster(written, file_name="list.ros"))
    assert [(lost.name, lost.entry_id) for lost in settled.dropped] == [("Man", "man"), ("Scouts", "scouts")]
    assert [node.entry_id for node in settled.roster.all_selections()] == ["squad"]


def test_a_roster_of_another_game_loses_its_forces_and_says_so() -> None:
    force = '<force id="f" name="F" entryId="e" catalogueId="c"/>'
    text = f'<roster id="r" name="R" gameSystemId="x"><forces>{force}</forces></roster>'
    settled = settle(make_library(), read_roster(text.encode(), file_name="list.ros"))
    assert settled.roster.forces == ()
    assert [lost.entry_id for lost in settled.dropped] == ["e"]


def test_rosters_up_to_2_00_keep_selections_in_categories_and_other_programs_repeat_ids() -> None:
    text = """<roster id="r" name="R" gameSystemId="gs" unknown="x"><costLimits>
      <costLimit costTypeId="pts" value="500.0"/><costLimit typeId="pl" value="-1"/></costLimits><forces>
      <force id="f" forceTypeId="patrol" catalogueId="army"><tags/><categories><category id="c" categoryId="hq">
        <selections>
        <selection id="s" name="Squad" entryId="squad" number="2"><selections>
          <selection id="s" name="Man" entryId="man" number="6"/></selections></selection>
      </selections></category></categories></force></forces></roster>"""
    player = well_kept()
    settled = settle(player.library, read_roster(text.encode(), file_name="list.ros"))
    assert [(node.id, node.entry_id, node.amount) for node in settled.roster.all_selections()] == [
        ("s", "squad", 2),
        ("s-2", "man", 3),
    ]
    assert settled.roster.cost_limits == {"pts": 500}


@pytest.mark.parametrize(("agreed", "limits"), [("1850.0", {"points": 1850}), ("0.0", {}), ("-1", {}), ("many", {})])
def test_rosters_up_to_1_15_hold_one_limit(agreed: str, limits: dict[str, int]) -> None:
    text = (
        f'<roster id="r" name="R" gameSystemId="gs" points="12.0" pointsLimit="{agreed}" battleScribeVersion="1.15b"/>'
    )
    assert read_roster(text.encode(), file_name="list.ros").cost_limits == limits
