"""What scopes, children and fields of a query count: one row a statement of the format guide's section 6 and 7."""

import pytest

from armybuilder.engine.gamedata.links import Library
from tests.engine.roster.builders import Data, Player, change, entry, group, link, make_library, repeat, when

HIT = "Hit"


def army(condition: Data, **system: object) -> Library:
    """A squad of troopers with rifles; the trooper, its rifle and the squad all carry the modifier under test."""
    renamed = [change("set", "name", HIT, condition)]
    rifle = entry("rifle", type="upgrade", collective=True, pts=2, modifiers=renamed)
    trooper = entry("trooper", type="model", pts=10, modifiers=renamed, entryLinks=[link("to-rifle", "rifle")])
    gear = group("gear", link("to-flag", "flag"), entry("horn"))
    squad = entry(
        "squad",
        type="unit",
        pts=50,
        category="troops",
        modifiers=renamed,
        selectionEntries=[trooper],
        selectionEntryGroups=[gear],
    )
    chief = entry("chief", type="unit", pts=100, category="hq")
    shared = [rifle, entry("flag", pts=5)]
    return make_library(squad, chief, catalogue={"sharedSelectionEntries": shared}, system=dict(system))


def build(library: Library) -> dict[str, str]:
    """One squad of 5 troopers with a rifle each, a flag and two horns; and a chief. Names by entry id."""
    player = Player(library)
    squad = player.take("squad")
    trooper = player.take("trooper", squad)
    rifle = player.take("rifle", trooper)
    player.amount(trooper, 5)
    player.take("flag", squad)
    horn = player.take("horn", squad)
    player.amount(horn, 2)
    player.take("chief")
    return {"squad": player.node(squad).name, "trooper": player.node(trooper).name, "rifle": player.node(rifle).name}


@pytest.mark.parametrize(
    ("case", "condition", "owner", "true"),
    [
        ("self counts children", when("equalTo", 5, "trooper", "self"), "squad", True),
        ("self does not count the owner", when("atLeast", 1, "squad", "self"), "squad", False),
        ("self without children included", when("equalTo", 0, "rifle", "self"), "squad", True),
        ("self with children included counts numbers", when("equalTo", 5, "rifle", "self", includeChildSelections=True),
         "squad", True),
        ("parent counts amounts", when("equalTo", 1, "rifle", "parent"), "rifle", True),
        ("parent of a root entry is the force", when("equalTo", 1, "chief", "parent"), "squad", True),
        ("force counts its own selections", when("equalTo", 2, "any", "force"), "squad", True),
        ("force with children counts numbers", when("equalTo", 15, "any", "force", includeChildSelections=True),
         "squad", True),
        ("roster", when("equalTo", 1, "chief", "roster"), "rifle", True),
        ("an entry id is the nearest above", when("equalTo", 5, "trooper", "squad"), "rifle", True),
        ("an entry id may be the owner", when("equalTo", 5, "trooper", "squad"), "squad", True),
        ("an entry id that is not above does not resolve", when("equalTo", 0, "any", "chief"), "rifle", False),
        ("ancestors", when("equalTo", 1, "squad", "ancestor"), "rifle", True),
        ("what stands in ancestors", when("equalTo", 5, "trooper", "ancestor"), "rifle", True),
        ("what stands deeper in ancestors, each once", when("equalTo", 5, "rifle", "ancestor",
         includeChildSelections=True), "trooper", True),
        ("what stands beside the ancestors is none of theirs", when("atLeast", 1, "chief", "ancestor"), "rifle", False),
        ("costs of ancestors, each once", when("equalTo", 115, "any", "ancestor", field="pts",
         includeChildSelections=True), "rifle", True),
        ("primary category", when("equalTo", 1, "any", "primary-category"), "trooper", True),
        ("primary catalogue is the force", when("equalTo", 2, "any", "primary-catalogue"), "squad", True),
        ("a category as scope", when("equalTo", 1, "any", "hq"), "squad", True),
        ("a category as child", when("equalTo", 1, "hq", "force"), "squad", True),
        ("a type as child", when("equalTo", 5, "model", "force", includeChildSelections=True), "squad", True),
        ("a link's id as child", when("equalTo", 5, "to-rifle", "force", includeChildSelections=True), "squad", True),
        ("a group as child", when("equalTo", 3, "gear", "squad"), "squad", True),
        ("the bare id is not the path when not shared", when("equalTo", 0, "rifle", "squad", shared=False,
         includeChildSelections=True), "squad", True),
        ("the full path when not shared", when("equalTo", 5, "to-rifle::rifle", "squad", shared=False,
         includeChildSelections=True), "squad", True),
        ("no child id is never true", when("atLeast", 0, None, "force"), "squad", False),
        ("an unknown scope is never true", when("atLeast", 0, "any", "nowhere"), "squad", False),
        ("costs of a type, with all below it", when("equalTo", 60, "model", "force", field="pts",
         includeChildSelections=True), "squad", True),
        ("costs include the container's own", when("equalTo", 105, "any", "squad", field="pts"), "trooper", True),
        ("costs below, own included", when("equalTo", 115, "any", "squad", field="pts", includeChildSelections=True),
         "trooper", True),
        ("forces", when("equalTo", 1, "patrol", "roster", field="forces"), "squad", True),
        ("the limit when there is none", when("equalTo", -1, "any", "roster", field="limit::pts"), "squad", True),
        ("a share", when("equalTo", 50, "chief", "force", percentValue=True), "squad", True),
        ("instanceOf self by type", when("instanceOf", 1, "unit", "self"), "squad", True),
        ("instanceOf parent", when("instanceOf", 1, "squad", "parent"), "trooper", True),
        ("instanceOf an ancestor", when("instanceOf", 1, "squad", "ancestor"), "rifle", True),
        ("instanceOf an ancestor's category", when("instanceOf", 1, "troops", "ancestor"), "rifle", True),
        ("instanceOf the force entry", when("instanceOf", 1, "patrol", "force"), "rifle", True),
        ("instanceOf the force entry as ancestor", when("instanceOf", 1, "patrol", "ancestor"), "rifle", True),
        ("instanceOf the catalogue", when("instanceOf", 1, "army", "primary-catalogue"), "rifle", True),
        ("instanceOf a category of the force", when("instanceOf", 1, "hq", "force"), "rifle", True),
        ("instanceOf an entry of the force is false", when("instanceOf", 1, "chief", "force"), "rifle", False),
        ("instanceOf in the roster is false", when("instanceOf", 1, "squad", "roster"), "squad", False),
        ("notInstanceOf in the roster is true", when("notInstanceOf", 1, "squad", "roster"), "squad", True),
        ("instanceOf the primary category", when("instanceOf", 1, "troops", "primary-category"), "rifle", True),
        ("less than", when("lessThan", 6, "trooper", "squad"), "squad", True),
        ("at most", when("atMost", 4, "trooper", "squad"), "squad", False),
        ("not equal", when("notEqualTo", 4, "trooper", "squad"), "squad", True),
        ("greater", when("greaterThan", 5, "trooper", "squad"), "squad", False),
    ],
)  # fmt: skip
def test_condition(case: str, condition: Data, owner: str, true: bool) -> None:
    assert (build(army(condition))[owner] == HIT) is true, case


def test_child_forces_count_only_when_included() -> None:
    nested = {
        "forceEntries": [{"id": "patrol", "name": "Patrol", "forceEntries": [{"id": "scouts", "name": "Scouts"}]}],
    }
    seen = entry(
        "watcher",
        modifiers=[
            change("set", "name", "Alone", when("equalTo", 0, "spy")),
            change("append", "name", "Informed", when("equalTo", 1, "spy", includeChildForces=True)),
        ],
    )
    player = Player(make_library(seen, entry("spy"), system=nested))
    scouts = player.add_force("scouts", parent=player.force_id)
    watcher = player.take("watcher")
    player.take("spy", scouts)
    assert player.node(watcher).name == "Alone Informed"


@pytest.mark.parametrize(
    ("case", "group_kind", "members", "true"),
    [
        ("and needs all", "and", [when("atLeast", 1, "a"), when("atLeast", 1, "none")], False),
        ("or needs one", "or", [when("atLeast", 1, "a"), when("atLeast", 1, "none")], True),
        ("or of nothing true", "or", [when("atLeast", 1, "none")], False),
        ("an empty or holds", "or", [], True),
        ("an empty and holds", "and", [], True),
    ],
)
def test_condition_group(case: str, group_kind: str, members: list[Data], true: bool) -> None:
    modifier = change("set", "name", HIT, conditionGroups=[{"type": group_kind, "conditions": members}])
    player = Player(make_library(entry("a", modifiers=[modifier])))
    assert (player.node(player.take("a")).name == HIT) is true, case


@pytest.mark.parametrize(
    ("case", "row", "price"),
    [
        ("once for each", repeat(1, "b"), 13),
        ("rounds down", repeat(2, "b"), 11),
        ("rounds up", repeat(2, "b", roundUp=True), 12),
        ("several times each", repeat(1, "b", repeats=2), 16),
        ("value 0 is never", repeat(0, "b"), 10),
        ("a share", repeat(25, "b", percentValue=True), 13),
        ("nothing there", repeat(1, "c"), 10),
    ],
)
def test_repeat(case: str, row: Data, price: int) -> None:
    payer = entry("a", pts=10, modifiers=[change("increment", "pts", 1, repeats=[row])])
    player = Player(make_library(payer, entry("b")))
    chosen = player.take("a")
    for _ in range(3):
        player.take("b")
    assert player.node(chosen).cost("pts") == price, case


def test_a_group_that_repeats_runs_its_members_in_order() -> None:
    group_modifier = {
        "repeats": [repeat(1, "b")],
        "modifiers": [change("append", "name", "x"), change("append", "name", "y")],
    }
    player = Player(make_library(entry("a", name="A", modifierGroups=[group_modifier]), entry("b")))
    chosen = player.take("a")
    player.take("b")
    player.take("b")
    assert player.node(chosen).name == "A x y x y"


@pytest.mark.parametrize(
    ("case", "local", "price"),
    [
        ("two squads have a flag", {"type": "atLeast", "value": 2}, 11),
        ("not three", {"type": "atLeast", "value": 3}, 10),
        ("once for each", {"type": "atLeast", "value": 1, "repeats": 1}, 12),
    ],
)
def test_local_condition_group(case: str, local: Data, price: int) -> None:
    """Several tests on one and the same selection: squads with a flag and without a horn (New Recruit)."""
    tests = [when("atLeast", 1, "flag", "self"), when("equalTo", 0, "horn", "self")]
    rule = {"field": "selections", "scope": "force", "childId": "squad", "conditions": tests, **local}
    payer = entry("payer", pts=10, modifiers=[change("increment", "pts", 1, localConditionGroups=[rule])])
    player = Player(make_library(payer, entry("squad", selectionEntries=[entry("flag"), entry("horn")])))
    chosen = player.take("payer")
    for gear in (("flag",), ("flag",), ("flag", "horn"), ()):
        squad = player.take("squad")
        for one in gear:
            player.take(one, squad)
    assert player.node(chosen).cost("pts") == price, case


@pytest.mark.parametrize(
    ("case", "condition", "true"),
    [
        ("the nearest unit above", when("equalTo", 5, "trooper", "unit"), True),
        ("the nearest model or unit above", when("equalTo", 5, "rifle", "model-or-unit"), True),
        ("the root entry", when("equalTo", 5, "trooper", "root-entry"), True),
        ("always", when("always", 0, None), True),
        ("never", when("never", 0, None), False),
    ],
)
def test_scopes_and_conditions_of_new_recruit(case: str, condition: Data, true: bool) -> None:
    assert (build(army(condition))["rifle"] == HIT) is true, case
