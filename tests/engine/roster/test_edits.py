"""Editing: what an edit adds by itself, what it refuses, and that the old roster stays as it was (section 10)."""

import gc
from decimal import Decimal

import msgspec
import pytest

from armybuilder.engine.gamedata.links import UnknownId
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.model import Roster, pointers
from armybuilder.engine.roster.nodes import Holder
from tests.engine.roster.builders import Player, change, entry, group, limit, link, make_library, when


def test_a_force_takes_its_minimums_hidden_ones_included() -> None:
    player = Player(
        make_library(
            entry("a", least=2),
            entry("b", hidden=True, least=1),
            entry("c", constraints=[limit("f", "min", 1, "force")]),
            entry("d", constraints=[limit("p", "min", 50, percentValue=True)]),
        )
    )
    assert player.tree() == ["1 A", "1 A", "1 B", "1 C"]
    assert set(player.created) == {"a", "b", "c"}


def test_a_minimum_of_the_roster_is_taken_once() -> None:
    player = Player(make_library(entry("a", constraints=[limit("r", "min", 1, "roster")])))
    player.add_force()
    assert player.tree() == ["1 A"]


def test_a_minimum_that_a_modifier_sets_is_taken() -> None:
    rises = [change("set", "c", 2, when("atLeast", 1, "squad", "roster"))]
    gun = entry("gun", constraints=[limit("c", "min", 0)], modifiers=rises)
    player = Player(make_library(entry("squad", selectionEntries=[gun])))
    player.take("squad")
    assert player.tree() == [["1 Squad", "2 Gun"]]


def test_groups_fill_members_first_and_then_the_default_for_the_rest() -> None:
    shared = {"sharedSelectionEntries": [entry("rifle", collective=True)]}
    arms = group(
        "arms", entry("knife", collective=True, least=1), link("to-rifle", "rifle"), least=3,
        defaultSelectionEntryId="to-rifle",
    )  # fmt: skip
    player = Player(make_library(entry("man", selectionEntryGroups=[arms]), catalogue=shared))
    player.take("man")
    assert player.tree() == [["1 Man", "1 Knife", "2 Rifle"]]
    assert {"to-rifle", "rifle", "to-rifle::rifle", "knife"} <= set(player.created)


def test_a_group_without_a_default_is_left_short() -> None:
    player = Player(make_library(entry("man", selectionEntryGroups=[group("arms", entry("knife"), least=1)])))
    player.take("man")
    assert player.tree() == ["1 Man"]


def test_merged_entries_grow_and_instanced_ones_are_copied() -> None:
    sergeant = entry("sergeant", selectionEntries=[entry("badge")])
    player = Player(make_library(entry("squad", selectionEntries=[entry("man"), sergeant])))
    squad = player.take("squad")
    assert player.take("man", squad) == player.take("man", squad)
    player.take("sergeant", squad)
    player.take("sergeant", squad)
    assert player.tree() == [["1 Squad", "2 Man", "1 Sergeant", "1 Sergeant"]]


def test_entries_are_found_by_path_entry_id_or_link_id() -> None:
    shared = {"sharedSelectionEntries": [entry("s")]}
    for wanted in ("s", "l", "l::s"):
        player = Player(make_library(link("l", "s"), catalogue=shared))
        assert player.node(player.take(wanted)).entry_id == "l::s"


def test_less_and_less_until_it_is_gone() -> None:
    player = Player(make_library(entry("squad", selectionEntries=[entry("man", least=2)])))
    squad = player.take("squad")
    man = player.node(squad).selections[0].id
    player.drop(man)
    assert player.tree() == [["1 Squad", "1 Man"]]
    player.drop(man)
    assert player.tree() == ["1 Squad"]


def test_a_copy_has_amounts_names_and_notes_and_ids_of_its_own() -> None:
    player = Player(make_library(entry("squad", selectionEntries=[entry("man")])))
    squad = player.take("squad")
    man = player.take("man", squad)
    player.amount(man, 4)
    player.roster = edits.customise(player.roster, node_id=man, name="Bob", notes="tall").roster
    edit = edits.duplicate(player.library, player.roster, node_id=squad, new_id=player.new_id)
    first, second = edit.roster.forces[0].selections
    assert edit.node_id == second.id != first.id
    assert second.selections[0].id != man
    assert (second.selections[0].amount, second.selections[0].custom_name, second.selections[0].notes) == (
        4,
        "Bob",
        "tall",
    )
    whole = edits.duplicate(player.library, edit.roster, node_id=player.force_id, new_id=player.new_id)
    assert len({node.id for node in whole.roster.all_selections()}) == 8


def test_names_and_notes_go_with_an_empty_text() -> None:
    player = Player(make_library(entry("a")))
    named = edits.customise(player.roster, node_id=player.force_id, name="Mine", notes="n").roster
    noted = edits.customise(named, node_id=player.force_id, category_id="hq", notes="bring two").roster
    assert (noted.forces[0].custom_name, noted.forces[0].category_notes) == ("Mine", {"hq": "bring two"})
    bare = edits.customise(noted, node_id=player.force_id, name="", notes="").roster
    assert (bare.forces[0].custom_name, bare.forces[0].notes) == (None, None)


def test_an_edit_leaves_the_old_roster_as_it_was_and_json_brings_it_back() -> None:
    player = Player(make_library(entry("squad", selectionEntries=[entry("man", least=2)])))
    before = player.roster
    stored = msgspec.json.encode(before)
    squad = player.take("squad")
    player.limit(Decimal("99.5"))
    assert msgspec.json.encode(before) == stored
    again = msgspec.json.decode(msgspec.json.encode(player.roster), type=Roster)
    assert again == player.roster
    assert pointers(again)[again.forces[0].selections[0].selections[0].id] == "/forces/0/selections/0/selections/0"
    assert pointers(again)[squad] == "/forces/0/selections/0"


@pytest.mark.parametrize(
    ("case", "act", "refusal"),
    [
        ("no such entry", lambda p: p.take("nothing"), UnknownId),
        ("no such parent", lambda p: p.take("a", "nobody"), edits.UnknownNode),
        ("no such force entry", lambda p: p.add_force("nothing"), UnknownId),
        ("no such catalogue", lambda p: p.add_force("patrol", "nothing"), UnknownId),
        ("no such selection", lambda p: p.drop("nobody"), edits.UnknownNode),
        ("a negative amount", lambda p: p.amount(p.take("a"), -1), edits.RefusedEdit),
        ("an absurd amount", lambda p: p.amount(p.take("a"), 10**9), edits.RefusedEdit),
        ("an infinite limit", lambda p: p.limit(Decimal("Infinity")), edits.RefusedEdit),
    ],
)
def test_refusal(case: str, act: object, refusal: type[Exception]) -> None:
    player = Player(make_library(entry("a")))
    with pytest.raises(refusal) as caught:
        act(player)  # type: ignore[operator]
    assert str(caught.value), case


@pytest.mark.long
def test_data_that_fills_itself_without_end_is_refused_in_bounded_time() -> None:
    shared = {"sharedSelectionEntries": [entry("s", entryLinks=[link("a", "s", least=2), link("b", "s", least=2)])]}
    player = Player(make_library(link("l", "s"), catalogue=shared))
    with pytest.raises(edits.RefusedEdit, match="5000"):
        player.take("l")


def test_selections_do_not_nest_without_end() -> None:
    shared = {"sharedSelectionEntries": [entry("s", entryLinks=[link("again", "s")])]}
    player = Player(make_library(link("l", "s"), catalogue=shared))
    node = player.take("l")
    with pytest.raises(edits.RefusedEdit, match="60 deep"):
        for _ in range(100):
            node = player.take("again", node)
    assert len(list(player.state.all_selections())) == 60


def test_child_forces_are_added_empty() -> None:
    system = {
        "forceEntries": [{"id": "patrol", "name": "Patrol", "forceEntries": [{"id": "scouts", "name": "Scouts"}]}]
    }
    player = Player(make_library(entry("a", least=1), system=system))
    scouts = player.add_force("scouts", parent=player.force_id)
    (force,) = player.state.forces
    assert [child.id for child in force.forces] == [scouts]
    assert (len(force.selections), force.forces[0].selections) == (1, ())
    gone = edits.remove(player.library, player.roster, node_id=scouts).roster
    assert gone.forces[0].forces == ()


@pytest.mark.long
def test_what_an_edit_evaluated_goes_with_it() -> None:
    asks = change("set", "f", 2, when("atLeast", 0, "any"))
    library = make_library(entry("a", constraints=[limit("f", "min", 1, "force")], modifiers=[asks]))
    player = Player(library, force=None)
    gc.collect()
    before = _nodes()
    gc.disable()
    try:
        player.add_force()
        left = _nodes() - before
    finally:
        gc.enable()
    assert player.tree() == ["1 A", "1 A"]
    assert left <= 0  # what else was thrown away meanwhile is not counted against it


def _nodes() -> int:
    # by type: to ask a dead weak proxy for its class is an error
    return sum(issubclass(type(one), Holder) for one in gc.get_objects())
