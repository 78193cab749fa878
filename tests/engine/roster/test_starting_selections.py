"""What a unit, a force and an army begin with by what New Recruit adds: the format guide's section 13."""

import pytest

from armybuilder.engine.roster import edits
from tests.engine.roster.builders import Data, Player, change, entry, group, limit, link, make_library, when


@pytest.mark.parametrize(
    ("case", "fields", "tree"),
    [
        ("one selection of that many", {"defaultAmount": 4, "entryLinks": [link("l", "s")]}, ["4 Man"]),
        ("one selection a number", {"defaultAmount": "1,2", "entryLinks": [link("l", "s")]}, ["1 Man", "2 Man"]),
        ("merged", {"defaultAmount": "1,2"}, ["3 Man"]),
        ("none", {"defaultAmount": 0}, []),
        ("the minimum all the same", {"defaultAmount": 1, "least": 3}, ["3 Man"]),
        ("a modifier", {"modifiers": [change("set", "defaultAmount", 2, when("atLeast", 1, "unit"))]}, ["2 Man"]),
        ("no modifier", {"modifiers": [change("set", "defaultAmount", 2, when("atLeast", 9, "unit"))]}, []),
    ],
)  # fmt: skip
def test_what_a_unit_starts_with(case: str, fields: Data, tree: list[str]) -> None:
    shared = {"sharedSelectionEntries": [entry("s", name="Own choice", selectionEntries=[entry("t")])]}
    unit = entry("unit", selectionEntries=[entry("man", **fields)])
    player = Player(make_library(unit, catalogue=shared))
    player.take("unit")
    assert [f"{one.number} {one.name}" for one in player.state.forces[0].selections[0].selections] == tree, case


def test_a_force_starts_with_default_amounts_too() -> None:
    player = Player(make_library(entry("a", defaultAmount=1), entry("b")))
    assert player.tree() == ["1 A"]


@pytest.mark.parametrize(
    ("case", "fields", "tree"),
    [
        ("hidden", {"hidden": True}, []),
        ("a minimum asks for it too", {"hidden": True, "least": 1}, []),
        ("shown by a modifier", {"hidden": True, "modifiers": [change("set", "hidden", "false")]}, ["1 A"]),
    ],
)
def test_nothing_hidden_is_started_with(case: str, fields: Data, tree: list[str]) -> None:
    player = Player(make_library(entry("a", defaultAmount=1, **fields)))
    assert player.tree() == tree, case


@pytest.mark.parametrize(
    ("case", "fields", "tree"),
    [
        ("a minimum that is lifted", {}, ["1 A"]),
        ("with a price", {"pts": 5}, []),
        ("of what may not be there", {"most": 0}, []),
        ("lifted under a condition alone", {"modifiers": [change("set", "a-min", 0, when("lessThan", 1, "b"))]}, []),
    ],
)
def test_what_a_list_begins_with_and_need_not_keep(case: str, fields: Data, tree: list[str]) -> None:
    """Data that hides units until "Daemons are visible" is there has a minimum of it that is always set to 0."""
    seen = entry("a", **{"least": 1, "most": 1, "modifiers": [change("set", "a-min", 0)], **fields})
    player = Player(make_library(seen, entry("b")))
    assert player.tree() == tree, case
    for selection in player.state.forces[0].selections:
        player.drop(selection.id)
    assert (player.tree(), player.state.errors) == ([], ())


@pytest.mark.parametrize(
    ("case", "fields", "kind", "tree"),
    [
        ("what sets the army up", {}, "upgrade", [["1 Above", "1 Shown"]]),
        ("hidden", {"hidden": True}, "upgrade", ["1 Above"]),
        ("with a price", {"pts": 15}, "upgrade", ["1 Above"]),
        ("a unit, whose minimum is lifted for a choice", {}, "unit", ["1 Above"]),
    ],
)
def test_what_stands_below_it_begins_the_same_way(case: str, fields: Data, kind: str, tree: list[object]) -> None:
    shown = entry("shown", least=1, most=1, modifiers=[change("set", "shown-min", 0)], **fields)
    player = Player(make_library(entry("above", type=kind, selectionEntries=[shown])))
    player.take("above")
    assert player.tree() == tree, case


def test_a_modifier_changes_which_option_a_group_starts_with() -> None:
    arms = group(
        "arms", entry("axe"), entry("bow"), least=1, defaultSelectionEntryId="axe",
        modifiers=[change("set", "defaultSelectionEntryId", "bow", when("atLeast", 1, "archer"))],
    )  # fmt: skip
    player = Player(make_library(entry("unit", selectionEntryGroups=[arms]), entry("archer")))
    player.take("unit")
    player.take("archer")
    player.take("unit")
    assert player.tree() == ["1 Archer", ["1 Unit", "1 Axe"], ["1 Unit", "1 Bow"]]


def test_an_automatic_minimum_is_filled_when_it_changes() -> None:
    grows = [change("set", "need", 2, when("atLeast", 1, "banner"))]
    guard = entry("guard", constraints=[limit("need", "min", 0, automatic=True)], modifiers=grows)
    arms = group(
        "arms", entry("axe"), entry("bow"), defaultSelectionEntryId="bow",
        modifiers=[change("set", "armed", 1, when("atLeast", 1, "banner"))],
    )  # fmt: skip
    arms["constraints"] = [limit("armed", "min", 0, automatic=True)]
    library = make_library(entry("unit", selectionEntries=[guard], selectionEntryGroups=[arms]), entry("banner"))
    player = Player(library)
    player.take("unit")
    player.take("banner")
    assert player.tree() == ["1 Banner", "1 Unit"]
    before = player.errors
    edit = edits.fill_automatic(library, player.roster, new_id=player.new_id)
    player.roster = edit.roster
    assert (len(before), player.errors) == (2, [])
    assert player.tree() == ["1 Banner", ["1 Unit", "1 Bow", "2 Guard"]]
    assert set(edit.created) == {"guard", "bow"}
    assert edits.fill_automatic(library, player.roster, new_id=player.new_id).roster == player.roster


def test_a_hidden_automatic_minimum_is_not_filled() -> None:
    guard = entry("guard", hidden=True, constraints=[limit("need", "min", 1, automatic=True)])
    library = make_library(entry("unit", selectionEntries=[guard]))
    player = Player(library)
    unit = player.take("unit")
    player.drop(player.node(unit).selections[0].id)
    assert edits.fill_automatic(library, player.roster, new_id=player.new_id).roster == player.roster


def crew(amounts: str | None, *, champion: object = "1,0,0", staff: object = "0,1,0") -> list[str]:
    """Models that a unit starts with, each with what it carries: "3 Man (Sword)"."""
    fields: Data = {"defaultAmount": amounts} if amounts else {"least": 1}
    arms = [entry("champion", defaultAmount=champion), entry("staff", defaultAmount=staff)]
    man = entry("man", entryLinks=[link("l", "s")], selectionEntries=arms, **fields)
    shared = {"sharedSelectionEntries": [entry("s", name="Own choice", selectionEntries=[entry("t")])]}
    player = Player(make_library(entry("unit", selectionEntries=[man]), catalogue=shared))
    player.take("unit")
    men = player.state.forces[0].selections[0].selections
    return [
        f"{one.number} {one.name} {' '.join(f'{x.number} {x.name}' for x in one.selections)}".strip() for one in men
    ]


@pytest.mark.parametrize(
    ("case", "found", "men"),
    [
        ("one number a copy of the parent", crew("1,1,3"), ["1 Man 1 Champion", "1 Man 1 Staff", "3 Man"]),
        (
            "more copies than numbers",
            crew("1,1,1,2", staff="0,2"),
            ["1 Man 1 Champion", "1 Man 2 Staff", "1 Man", "2 Man"],
        ),
        ("one number for all copies", crew("1,1", staff=1), ["1 Man 1 Champion 1 Staff", "1 Man 1 Staff"]),
        ("a parent of one copy is the first", crew("4"), ["4 Man 4 Champion"]),
        ("so is one that a minimum asks for", crew(None), ["1 Man 1 Champion"]),
    ],
)
def test_each_copy_of_a_model_starts_with_its_own(case: str, found: list[str], men: list[str]) -> None:
    assert found == men, case


@pytest.mark.parametrize(
    ("hidden_by", "taken"),
    [
        ({}, True),
        ({"hidden": True}, True),
        ({"modifiers": [change("set", "hidden", "true", conditions=[when("lessThan", 1, "other")])]}, False),
        ({"modifiers": [change("set", "hidden", "true", conditions=[when("atLeast", 1, "other")])]}, True),
    ],
)
def test_an_army_starts_without_what_a_condition_hides(hidden_by: Data, taken: bool) -> None:
    """The oath of one army in the list of another that may take it as an ally would only be objected to."""
    player = Player(make_library(entry("oath", least=1, **hidden_by), entry("other")))
    assert [row.name for row in player.state.forces[0].selections] == (["Oath"] if taken else [])
