"""Minimums, maximums, hidden selections, forces, categories and cost limits: the format guide's section 9."""

from decimal import Decimal
from typing import Any

import pytest

from armybuilder.engine.roster.data_findings import data_findings
from tests.engine.roster.builders import Data, Player, change, entry, group, limit, link, make_library, when


def test_a_root_entry_counts_its_copies_and_its_minimum_belongs_to_the_category() -> None:
    player = Player(make_library(entry("a", category="hq", least=1, most=2)))
    first = player.created["a"]
    assert player.errors == []
    player.drop(first)
    assert player.errors == ["category hq < a/a-min"]
    for _ in range(3):
        player.take("a")
    assert player.errors == ["selection a < a/a-max"]
    assert player.state.errors[0].message == "Patrol has 1 too many selections of A (maximum 2)"


@pytest.mark.parametrize(
    ("case", "rows", "copies", "errors"),
    [
        ("a negative maximum is none", [limit("c", "max", -1)], 3, []),
        ("a maximum of 0 is one", [limit("c", "max", 0)], 1, ["selection a < a/c"]),
        ("exactly is both", [limit("c", "exactly", 2)], 1, ["category (No Category) < a/c"]),
        ("exactly, too many", [limit("c", "exactly", 2)], 3, ["selection a < a/c"]),
        ("in the force", [limit("c", "max", 1, "force")], 2, ["selection a < a/c"]),
        ("in the roster", [limit("c", "max", 1, "roster")], 2, ["selection a < a/c"]),
        ("forces on an entry count 0", [limit("c", "min", 1, "roster", field="forces")], 1, ["roster < a/c"]),
        ("an unknown field is skipped", [limit("c", "max", 0, field="costs")], 1, []),
        ("an unknown scope is skipped", [limit("c", "max", 0, "nowhere")], 1, []),
        ("a cost", [limit("c", "max", 15, field="pts")], 2, ["selection a < a/c"]),
        ("a cost that fits", [limit("c", "max", 20, field="pts")], 2, []),
    ],
)
def test_root_limit(case: str, rows: list[Data], copies: int, errors: list[str]) -> None:
    player = Player(make_library(entry("a", pts=10, constraints=rows)))
    while len(player.state.forces[0].selections) > 0:
        player.drop(player.state.forces[0].selections[0].id)
    for _ in range(copies):
        player.take("a")
    assert player.errors == errors, case


def test_limits_inside_a_squad_count_per_model() -> None:
    weapon = entry("weapon", collective=True, most=2)
    player = Player(make_library(entry("squad", selectionEntries=[entry("man", selectionEntries=[weapon])])))
    man = player.take("man", player.take("squad"))
    chosen = player.take("weapon", man)
    player.amount(man, 5)
    player.amount(chosen, 2)
    assert player.node(chosen).number == 10
    assert player.errors == []
    player.amount(chosen, 3)
    assert player.errors == ["selection man < weapon/weapon-max"]


def test_a_group_counts_all_its_members_nested_ones_too() -> None:
    inner = group("inner", entry("c"))
    outer = group("outer", entry("b"), selectionEntryGroups=[inner], most=1)
    player = Player(make_library(entry("a", selectionEntryGroups=[outer])))
    chosen = player.take("a")
    player.take("b", chosen)
    assert player.errors == []
    player.take("c", chosen)
    assert player.errors == ["selection a < outer/outer-max"]


def test_groups_that_ask_do_so_in_the_order_of_the_data() -> None:
    names = [f"group-{number}" for number in range(8)]
    groups = [group(name, entry(f"of-{name}"), least=1) for name in names]
    player = Player(make_library(entry("a", selectionEntryGroups=groups)))
    player.take("a")
    assert [error.entry_id for error in player.state.errors] == names


def test_a_group_short_of_its_minimum_is_the_parents_error() -> None:
    player = Player(make_library(entry("a", selectionEntryGroups=[group("g", entry("b"), least=2)])))
    chosen = player.take("a")
    assert player.errors == ["selection a < g/g-min"]
    player.take("b", chosen)
    player.take("b", chosen)
    assert player.errors == []


def test_shared_counts_through_every_link_and_not_shared_only_the_same_path() -> None:
    rows = [limit("alone", "max", 1, "force", shared=False), limit("together", "max", 2, "force")]
    shared = {"sharedSelectionEntries": [entry("s", constraints=rows)]}
    player = Player(make_library(link("l1", "s"), link("l2", "s"), catalogue=shared))
    player.take("l1")
    player.take("l2")
    assert player.errors == []
    player.take("l1")
    assert player.errors == ["selection s < s/alone", "selection s < s/together"]


def test_of_a_link_and_its_target_both_limits_are_checked_and_one_reported_when_both_are_broken() -> None:
    shared = {"sharedSelectionEntries": [entry("s", most=2)]}
    player = Player(make_library(link("l", "s", most=1), catalogue=shared))
    player.take("l")
    player.take("l")
    assert player.errors == ["selection s < l/l-max"]
    player.take("l")
    assert player.errors == ["selection s < s/s-max"]


def test_a_force_limit_broken_by_five_copies_is_one_error() -> None:
    flag = entry("flag", constraints=[limit("one", "max", 1, "force", includeChildSelections=True)])
    player = Player(make_library(entry("squad", selectionEntries=[flag])))
    for _ in range(5):
        player.take("flag", player.take("squad"))
    assert player.errors == ["selection flag < flag/one"]


def test_an_id_scope_counts_inside_the_nearest_such_selection() -> None:
    banner = entry("banner", constraints=[limit("one", "max", 1, "squad", includeChildSelections=True)])
    squad = entry("squad", selectionEntries=[entry("man", selectionEntries=[banner])])
    player = Player(make_library(squad))
    for _ in range(2):
        chosen = player.take("squad")
        man = player.take("man", chosen)
        player.take("banner", man)
    assert player.errors == []
    player.amount(man, 2)
    assert player.errors == ["selection squad < banner/one"]


def test_hidden_entries_are_not_checked_but_selections_of_them_are_an_error() -> None:
    hides = [change("set", "hidden", "true", when("atLeast", 1, "chief"))]
    player = Player(make_library(entry("a", category="hq", most=0, modifiers=hides), entry("chief", least=0)))
    player.take("a")
    assert player.errors == ["selection a < a/a-max"]
    player.take("chief")
    player.take("a")
    assert player.errors == ["selection a < a/hidden"]


def test_minimums_inside_a_hidden_group_ask_for_nothing() -> None:
    secret = group("g", entry("b", constraints=[limit("b-min", "min", 1)]), hidden=True, least=1)
    player = Player(make_library(entry("a", selectionEntryGroups=[secret])))
    chosen = player.take("a")
    for child in player.node(chosen).selections:
        player.drop(child.id)
    assert player.errors == []


def test_entries_of_a_category_the_force_lacks_are_neither_taken_nor_missed() -> None:
    player = Player(make_library(entry("a", category="fast", least=1)))
    assert player.tree() == []
    assert player.errors == []


@pytest.mark.parametrize(
    ("case", "rows", "error"),
    [
        ("minimum", [limit("c", "min", 2, "parent")], "category hq < patrol-hq/c"),
        ("maximum in the force", [limit("c", "max", 0, "force")], "category hq < patrol-hq/c"),
        ("maximum in the roster", [limit("c", "max", 0, "roster")], "category hq < patrol-hq/c"),
        ("a share of the selections", [limit("c", "max", 25, percentValue=True)], "category hq < patrol-hq/c"),
        ("a share that fits", [limit("c", "max", 50, percentValue=True)], None),
    ],
)
def test_category_limit(case: str, rows: list[Data], error: str | None) -> None:
    forces = [
        {
            "id": "patrol",
            "name": "Patrol",
            "categoryLinks": [{"id": "patrol-hq", "targetId": "hq", "constraints": rows}],
        }
    ]
    player = Player(make_library(entry("a", category="hq"), entry("b"), system={"forceEntries": forces}))
    player.take("a")
    player.take("b")
    assert player.errors == ([error] if error else []), case


def percent_of_the_game(percent: int = 25, name: str = "HQ") -> Player:
    """HQ may cost at most 25 % of the agreed points, wargear included."""
    row = limit("quarter", "max", percent, "roster", field="limit::pts", percentValue=True, includeChildSelections=True)
    forces = [
        {
            "id": "patrol",
            "name": "Patrol",
            "categoryLinks": [{"id": "patrol-hq", "targetId": "hq", "constraints": [row]}],
        }
    ]
    lord = entry("lord", category="hq", pts=200, selectionEntries=[entry("sword", pts=50)])
    return Player(make_library(lord, system={"forceEntries": forces, "categoryEntries": [{"id": "hq", "name": name}]}))


def test_a_share_of_the_game_size_is_not_checked_without_a_limit() -> None:
    player = percent_of_the_game()
    player.take("lord")
    assert player.errors == []


@pytest.mark.parametrize(("game", "broken"), [(1000, False), (999, True), (0, False)])
def test_a_share_of_the_game_size_counts_with_everything_below(game: int, broken: bool) -> None:
    player = percent_of_the_game()
    player.take("sword", player.take("lord"))
    player.limit(game)
    rules = [error.constraint_id for error in player.state.errors]
    assert ("quarter" in rules) is broken


def test_a_share_of_the_game_size_is_said_in_points_too() -> None:
    player = percent_of_the_game()
    player.take("sword", player.take("lord"))
    player.limit(900)
    (finding,) = data_findings(player.state)
    assert finding.message.en == "Patrol: HQ – 250 pts (27.78%), at most 225 (25% of 900) allowed. Remove 25."
    assert finding.message.ru == "Patrol: «HQ» – 250 очк. (27,78 %), можно не больше 225 (25 % от 900). Уберите 25."


def test_a_share_of_what_is_there_is_said_to_be_one() -> None:
    scarce = entry("a", pts=50, constraints=[limit("m", "min", 25, "roster", field="pts", percentValue=True)])
    player = Player(make_library(scarce, entry("b", pts=350)))
    player.take("a")
    player.take("b")
    (finding,) = data_findings(player.state)
    assert "12.5% of all pts, at least 25% needed" in finding.message.en
    assert "12,5 % от всего (очк.), нужно не меньше 25 %" in finding.message.ru


@pytest.mark.parametrize(
    ("case", "kind", "value", "forces", "errors"),
    [
        ("too few", "min", 2, 1, ["roster < patrol/c"]),
        ("enough", "min", 2, 2, []),
        ("too many, one error for each", "max", 1, 2, ["roster < patrol/c", "roster < patrol/c"]),
    ],
)
def test_force_limit(case: str, kind: str, value: int, forces: int, errors: list[str]) -> None:
    row = limit("c", kind, value, "roster", field="forces")
    player = Player(make_library(system={"forceEntries": [{"id": "patrol", "name": "Patrol", "constraints": [row]}]}))
    for _ in range(forces - 1):
        player.add_force()
    assert player.errors == errors, case


@pytest.mark.parametrize(
    ("case", "default", "asked", "errors"),
    [
        ("no limit in the data", None, None, []),
        ("a default of 0 is a limit", 0, None, ["roster < costLimits/pts"]),
        ("a negative default is none", -2, None, []),
        ("just enough", None, Decimal("10.5"), []),
        ("a fraction over", None, Decimal("10.4"), ["roster < costLimits/pts"]),
        ("none, over a default", 0, -1, []),
    ],
)
def test_cost_limit(case: str, default: int | None, asked: Any, errors: list[str]) -> None:
    kind: Data = {"id": "pts", "name": "pts"}
    if default is not None:
        kind["defaultCostLimit"] = default
    player = Player(make_library(entry("a", pts=Decimal("10.5")), system={"costTypes": [kind]}))
    if asked is not None:
        player.limit(asked)
    player.take("a")
    assert player.errors == errors, case


def test_a_modified_limit_may_appear_and_vanish() -> None:
    grows = [change("increment", "c", 2, when("atLeast", 1, "chief"))]
    player = Player(make_library(entry("a", constraints=[limit("c", "max", 0)], modifiers=grows), entry("chief")))
    player.take("a")
    assert player.errors == ["selection a < a/c"]
    player.take("chief")
    assert player.errors == []


def test_a_minimum_that_rises_later_only_reports() -> None:
    rises = [change("set", "c", 1, when("atLeast", 1, "chief"))]
    player = Player(make_library(entry("a", constraints=[limit("c", "min", 0)], modifiers=rises), entry("chief")))
    player.take("chief")
    assert player.tree() == ["1 Chief"]
    assert player.errors == ["category (No Category) < a/c"]


@pytest.mark.parametrize(("name", "percent", "game", "broken"), [
    ("a third", 33, 750, False), ("a third, one point over", 33, 749, True),
    ("two thirds are less than the 67 % of the data", 67, 374, True), ("two thirds", 67, 375, False),
    ("a section that says no third", 33, 757, True),
])  # fmt: skip
def test_a_third_in_the_name_is_a_third(name: str, percent: int, game: int, broken: bool) -> None:
    section = "Allies" if "no third" in name else ("Two Thirds - 67%" if percent == 67 else "One Third - 33%")
    player = percent_of_the_game(percent, section)
    player.take("sword", player.take("lord"))
    player.limit(game)
    assert ("quarter" in [error.constraint_id for error in player.state.errors]) is broken
