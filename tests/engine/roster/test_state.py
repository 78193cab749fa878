"""What a state says besides names and costs: order, categories, missing entries, rows of costs (section 11)."""

from decimal import Decimal

import msgspec
import pytest

from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import ForceState
from tests.engine.roster.builders import Player, change, entry, limit, link, make_library, when


def force_of(player: Player) -> ForceState:
    return player.state.forces[0]


def test_selections_stand_by_category_then_by_effective_name_with_digits_as_numbers() -> None:
    library = make_library(
        entry("t10", name="Troop 10", category="troops"),
        entry("t2", name="troop 2", category="troops"),
        entry("z", name="Zed", category="hq"),
        entry("n", name="None"),
        entry("r", name="Zulu", category="troops", modifiers=[change("set", "name", "Alpha")]),
    )
    player = Player(library)
    for one in ("t10", "t2", "z", "n", "r"):
        player.take(one)
    assert player.tree() == ["1 None", "1 Zed", "1 Alpha", "1 troop 2", "1 Troop 10"]


def test_forces_stand_by_name_and_child_forces_as_defined() -> None:
    nested = [{"id": "z", "name": "Zulu"}, {"id": "a", "name": "Alpha"}]
    forces = [{"id": "p10", "name": "Patrol 10"}, {"id": "p2", "name": "Patrol 2", "forceEntries": nested}]
    player = Player(make_library(entry("x"), system={"forceEntries": forces}), force="p10")
    second = player.add_force("p2")
    player.add_force("a", parent=second)
    player.add_force("z", parent=second)
    assert [force.name for force in player.state.forces] == ["Patrol 2", "Patrol 10"]
    assert [force.name for force in player.state.forces[0].forces] == ["Zulu", "Alpha"]


def test_a_forces_categories_say_their_limits_and_what_is_there() -> None:
    rows = [limit("low", "min", 1), limit("high", "max", 3)]
    grows = [change("increment", "high", 1, when("atLeast", 1, "a"))]
    links = [{"id": "l", "targetId": "hq", "constraints": rows, "modifiers": grows}]
    player = Player(
        make_library(
            entry("a", category="hq"), system={"forceEntries": [{"id": "patrol", "name": "P", "categoryLinks": links}]}
        )
    )
    player.take("a")
    none, hq = force_of(player).categories
    assert (none.id, none.current) == ("(No Category)", 0)
    assert (hq.id, hq.minimum, hq.maximum, hq.current) == ("hq", 1, 4, 1)


def test_available_entries_are_those_that_fit_and_are_not_hidden() -> None:
    library = make_library(entry("a", category="hq"), entry("b", category="fast"), entry("c", hidden=True), entry("d"))
    assert force_of(Player(library)).available_entry_count == 2


def test_a_roster_without_selections_shows_every_cost_type_at_0() -> None:
    types = [{"id": "pts", "name": "pts"}, {"id": "pl", "name": "PL", "hidden": True}]
    player = Player(make_library(entry("a", pts=5), system={"costTypes": types}))
    assert [(cost.type_id, cost.value, cost.hidden) for cost in player.state.costs] == [
        ("pts", 0, False),
        ("pl", 0, True),
    ]
    player.take("a")
    assert [(cost.type_id, cost.value) for cost in player.state.costs] == [("pts", 5)]


def test_totals_add_children_and_forces() -> None:
    player = Player(make_library(entry("squad", pts=50, selectionEntries=[entry("man", pts=Decimal("10.5"))])))
    squad = player.take("squad")
    player.amount(player.take("man", squad), 2)
    player.take("squad", player.add_force())
    assert (player.node(squad).cost("pts"), player.node(squad).total("pts"), player.points) == (50, 71, 121)


def test_an_entry_the_data_no_longer_has_is_kept_and_reported() -> None:
    squad = entry("squad", pts=50, selectionEntries=[entry("man", pts=10)])
    player = Player(make_library(squad, entry("old", pts=99)))
    chosen = player.take("squad")
    player.take("man", chosen)
    player.take("old")
    newer = make_library(entry("squad", pts=60))
    state = evaluate(newer, player.roster)
    assert state.cost("pts") == 60
    assert sorted(error.name for error in state.errors if error.kind == "missing") == ["Man", "Old"]
    (kept,) = [node for node in state.forces[0].selections if node.missing]
    assert kept.name == "Old"


def test_a_force_whose_catalogue_is_gone_is_kept_and_reported() -> None:
    player = Player(make_library(entry("a")))
    player.take("a")
    other = make_library(catalogue={"id": "another"})
    state = evaluate(other, player.roster)
    assert [(force.missing, len(force.selections)) for force in state.forces] == [(True, 1)]
    assert [error.kind for error in state.errors] == ["missing"]


@pytest.mark.parametrize("copies", [0, 1, 30])
def test_evaluating_with_a_previous_state_gives_the_same(copies: int) -> None:
    unit = entry("a", pts=5, most=3, modifiers=[change("append", "name", "x", when("greaterThan", 2, "a"))])
    player = Player(make_library(unit, link("l", "s"), catalogue={"sharedSelectionEntries": [entry("s")]}))
    before = player.state
    for _ in range(copies):
        player.take("a")
    with_it = evaluate(player.library, player.roster, before)
    without = evaluate(player.library, player.roster)
    assert with_it.errors == without.errors
    assert with_it.costs == without.costs
    assert [node.name for node in with_it.all_selections()] == [node.name for node in without.all_selections()]


def test_imported_root_entries_come_once_and_import_false_only_at_home() -> None:
    """§4.2: root entries of linked catalogues with importRootEntries, recursively, each catalogue once."""
    lent = [entry("lent"), {**entry("kept"), "import": False}]
    deep = {"id": "deep", "name": "Deep", "gameSystemId": "gs", "selectionEntries": [entry("far")],
            "catalogueLinks": [{"id": "x", "targetId": "army", "importRootEntries": True}]}  # fmt: skip
    base = {"id": "base", "name": "Base", "gameSystemId": "gs", "library": True, "selectionEntries": lent,
            "catalogueLinks": [{"id": "y", "targetId": "deep", "importRootEntries": True}]}  # fmt: skip
    closed = {"id": "closed", "name": "Closed", "gameSystemId": "gs", "selectionEntries": [entry("never")],
              "sharedSelectionEntries": [entry("s", name="Shared")]}  # fmt: skip
    links = [
        {"id": "a", "targetId": "base", "importRootEntries": True},
        {"id": "b", "targetId": "deep", "importRootEntries": True},
        {"id": "c", "targetId": "closed", "importRootEntries": False},
    ]
    library = make_library(entry("own"), link("l", "s"), catalogue={"catalogueLinks": links}, more=[base, deep, closed])
    names = [place.spec.name for place in library.roots("army")]
    assert names == ["Own", "Shared", "Lent", "Far"]
    assert [place.spec.name for place in library.roots("base")] == ["Lent", "Kept", "Far", "Own", "Shared"]


def test_ids_are_looked_up_in_the_own_catalogue_first() -> None:
    """§4.1: copied units keep their ids, with different content."""
    base = {"id": "base", "name": "Base", "gameSystemId": "gs", "sharedSelectionEntries": [entry("s", name="Theirs")]}
    links = [{"id": "a", "targetId": "base", "importRootEntries": False}]
    mine = {"sharedSelectionEntries": [entry("s", name="Ours")], "catalogueLinks": links}
    assert make_library(link("l", "s"), catalogue=mine, more=[base]).roots("army")[0].spec.name == "Ours"
    without = {"catalogueLinks": links}
    assert make_library(link("l", "s"), catalogue=without, more=[base]).roots("army")[0].spec.name == "Theirs"


def test_the_stored_form_leaves_out_what_is_usual() -> None:
    player = Player(make_library(entry("a")))
    player.take("a")
    stored = msgspec.json.decode(msgspec.json.encode(player.roster))
    assert stored["forces"][0]["selections"] == [{"id": "n3", "entry_id": "a", "name": "A"}]


def test_a_game_system_keeps_root_entries_to_itself() -> None:
    """Authors warn players of other programs by such an entry, at 500 points."""
    warning = {**entry("warning"), "import": False}
    library = make_library(entry("own"), system={"selectionEntries": [entry("everybody"), warning]})
    assert [place.spec.name for place in library.roots("army")] == ["Own", "Everybody"]
