"""What modifiers, links and categories make of an entry: the format guide's sections 4.3, 5 and 8."""

from decimal import Decimal

import pytest

from tests.engine.roster.builders import Data, Player, change, entry, group, limit, link, make_library, repeat, when


@pytest.mark.parametrize(
    ("case", "modifiers", "name"),
    [
        ("set", [change("set", "name", "B")], "B"),
        ("append adds a blank", [change("append", "name", "B")], "A B"),
        ("in list order", [change("append", "name", "B"), change("set", "name", "C")], "C"),
        ("append after a number", [change("set", "name", "5"), change("append", "name", "x")], "5 x"),
        ("increment a number", [change("set", "name", "5"), change("increment", "name", "1.50")], "6.5"),
        ("increment no number", [change("increment", "name", "1")], "A"),
        ("a false condition", [change("set", "name", "B", when("atLeast", 9, "any"))], "A"),
        ("an unknown kind", [change("juggle", "name", "B")], "A"),
    ],
)
def test_name(case: str, modifiers: list[Data], name: str) -> None:
    player = Player(make_library(entry("a", name="A", modifiers=modifiers)))
    assert player.node(player.take("a")).name == name, case


@pytest.mark.parametrize(
    ("case", "modifiers", "price"),
    [
        ("set", [change("set", "pts", "7")], 7),
        ("increment", [change("increment", "pts", "0.2")], Decimal("0.3")),
        ("decrement", [change("decrement", "pts", "1")], Decimal("-0.9")),
        ("a number that is none counts as 0", [change("set", "pts", "NaN")], 0),
    ],
)
def test_cost(case: str, modifiers: list[Data], price: Decimal) -> None:
    player = Player(make_library(entry("a", pts=Decimal("0.1"), modifiers=modifiers)))
    assert player.node(player.take("a")).cost("pts") == price, case


def test_costs_are_exact_decimals_and_scale_with_the_number() -> None:
    squad = entry("squad", selectionEntries=[entry("man", pts=Decimal("0.1"))])
    player = Player(make_library(squad))
    man = player.take("man", player.take("squad"))
    player.amount(man, 3)
    assert player.points == Decimal("0.3")


def test_a_links_cost_replaces_the_targets_by_type() -> None:
    types = [{"id": "pts", "name": "pts"}, {"id": "pl", "name": "PL"}]
    costs = [{"typeId": "pts", "value": 220, "name": "pts"}, {"typeId": "pl", "value": 4, "name": "PL"}]
    shared = {"sharedSelectionEntries": [entry("carrier", costs=costs)]}
    player = Player(make_library(link("l", "carrier", pts=205), catalogue=shared, system={"costTypes": types}))
    node = player.node(player.take("l"))
    assert [(cost.type_id, cost.value) for cost in node.costs] == [("pts", 205), ("pl", 4)]
    assert node.entry_id == "l::carrier"


def test_a_cost_only_a_modifier_gives_has_a_row() -> None:
    player = Player(make_library(entry("a", modifiers=[change("set", "pts", "3")])))
    assert [(cost.type_id, cost.value) for cost in player.node(player.take("a")).costs] == [("pts", 3)]


def test_members_of_a_cost_loop_keep_their_base_cost_and_are_one_error() -> None:
    loop = change("increment", "pts", 10, repeats=[repeat(50, "a", field="pts")])
    player = Player(make_library(entry("a", pts=100, modifiers=[loop]), entry("b", pts=1)))
    player.take("a")
    player.take("a")
    player.take("b")
    assert player.points == 201
    assert [error.kind for error in player.state.errors] == ["cycle"]


def test_a_cost_that_reads_other_costs_without_a_loop() -> None:
    tax = change("increment", "pts", 10, repeats=[repeat(100, "b", field="pts")])
    player = Player(make_library(entry("a", pts=5, modifiers=[tax]), entry("b", pts=150)))
    chosen = player.take("a")
    player.take("b")
    player.take("b")
    assert player.node(chosen).cost("pts") == 35
    assert player.errors == []


def test_hidden_is_true_if_link_or_target_is_and_children_are_not_hidden_with_it() -> None:
    shared = {"sharedSelectionEntries": [entry("s", selectionEntries=[entry("child", least=1)])]}
    player = Player(make_library(link("l", "s", hidden=True), catalogue=shared))
    node = player.node(player.take("l"))
    assert (node.hidden, node.selections[0].hidden) == (True, False)
    assert player.errors == ["selection s < s/hidden"]


@pytest.mark.parametrize(
    ("case", "modifiers", "categories"),
    [
        ("as written", [], [("hq", True), ("fast", False)]),
        ("add", [change("add", "category", "troops")], [("hq", True), ("fast", False), ("troops", False)]),
        ("add what is there", [change("add", "category", "fast")], [("hq", True), ("fast", False)]),
        ("remove", [change("remove", "category", "fast")], [("hq", True)]),
        ("set-primary", [change("set-primary", "category", "fast")], [("hq", False), ("fast", True)]),
        ("set-primary adds", [change("set-primary", "category", "troops")],
         [("hq", False), ("fast", False), ("troops", True)]),
        ("unset-primary", [change("unset-primary", "category", "hq")], [("hq", False), ("fast", False)]),
    ],
)  # fmt: skip
def test_categories(case: str, modifiers: list[Data], categories: list[tuple[str, bool]]) -> None:
    unit = entry("a", category="hq", categoryLinks=[{"id": "x", "targetId": "fast"}], modifiers=modifiers)
    player = Player(make_library(unit))
    node = player.node(player.take("a"))
    assert [(category.id, category.primary) for category in node.categories] == categories, case


def test_a_links_primary_category_wins_and_groups_lend_their_categories() -> None:
    shared = {
        "sharedSelectionEntries": [entry("s", category="hq")],
        "sharedSelectionEntryGroups": [
            group("g", entry("member"), categoryLinks=[{"id": "gc", "targetId": "fast", "primary": True}])
        ],
    }
    unit = entry("unit", entryLinks=[link("lg", "g", to_group=True)])
    own = link("l", "s", categoryLinks=[{"id": "lc", "targetId": "troops", "primary": True}])
    player = Player(make_library(own, unit, catalogue=shared))
    chosen = player.node(player.take("l"))
    assert [(category.id, category.primary) for category in chosen.categories] == [("hq", False), ("troops", True)]
    member = player.node(player.take("member", player.take("unit")))
    assert [category.id for category in member.categories] == ["fast"]
    assert member.group_id == "lg::g"


def test_rules_of_a_category_show_on_its_selections_and_hidden_ones_do_not() -> None:
    rules = [
        {"id": "r", "name": "Fearless", "description": "No fear."},
        {"id": "h", "name": "Secret", "description": "", "hidden": True},
        {
            "id": "c",
            "name": "Alone",
            "description": "",
            "modifiers": [change("set", "hidden", "true", when("greaterThan", 1, "any"))],
        },
    ]
    system = {"categoryEntries": [{"id": "hq", "name": "HQ", "rules": rules}]}
    player = Player(make_library(entry("a", category="hq"), entry("b"), system=system))
    chosen = player.take("a")
    assert [rule.name for rule in player.node(chosen).rules] == ["Fearless", "Alone"]
    player.take("b")
    assert [rule.name for rule in player.node(chosen).rules] == ["Fearless"]


def test_profiles_through_info_links_change_with_modifiers_of_both_and_keep_the_targets_page() -> None:
    profile = {
        "id": "p",
        "name": "Gun",
        "typeId": "weapon",
        "page": "12",
        "characteristics": [{"typeId": "range", "name": "Range", "value": "24"}],
        "modifiers": [change("increment", "range", 6)],
    }
    info = {
        "id": "il",
        "targetId": "p",
        "type": "profile",
        "page": "99",
        "hidden": True,
        "modifiers": [change("append", "range", "inch")],
    }
    types = [{"id": "weapon", "name": "Weapon", "characteristicTypes": [{"id": "range", "name": "Range"}]}]
    library = make_library(
        entry("a", infoLinks=[info]), catalogue={"sharedProfiles": [profile]}, system={"profileTypes": types}
    )
    player = Player(library)
    (found,) = player.node(player.take("a")).profiles
    assert (found.type_name, found.value("Range"), found.page, found.id) == ("Weapon", "30 inch", "12", "il::p")


def test_a_condition_in_an_info_node_is_never_true_for_the_parent() -> None:
    rule = {"id": "r", "name": "R", "modifiers": [change("set", "name", "X", when("atLeast", 0, "any", "parent"))]}
    player = Player(make_library(entry("a", rules=[rule])))
    assert [rule.name for rule in player.node(player.take("a")).rules] == ["R"]


def test_a_modifier_means_the_constraint_of_its_own_node_first() -> None:
    """Upgraded files call every maximum `maxSelections`."""
    shared = {
        "sharedSelectionEntries": [
            entry(
                "s",
                constraints=[limit("maxSelections", "max", 5)],
                modifiers=[change("set", "maxSelections", 1)],
            )
        ]
    }
    own = link("l", "s", constraints=[limit("maxSelections", "max", 9)])
    player = Player(make_library(own, catalogue=shared))
    player.take("l")
    player.take("l")
    assert player.errors == ["selection s < s/maxSelections"]


def test_modifiers_of_the_target_run_before_those_of_the_link() -> None:
    shared = {"sharedSelectionEntries": [entry("s", name="S", modifiers=[change("set", "name", "T")])]}
    player = Player(make_library(link("l", "s", modifiers=[change("append", "name", "L")]), catalogue=shared))
    assert player.node(player.take("l")).name == "T L"


def test_children_of_a_link_are_not_prefixed_with_its_id() -> None:
    shared = {"sharedSelectionEntries": [entry("s", selectionEntries=[entry("inner")])]}
    own = link("l", "s", selectionEntries=[entry("extra")])
    player = Player(make_library(own, catalogue=shared))
    chosen = player.take("l")
    player.take("inner", chosen)
    player.take("extra", chosen)
    assert [child.entry_id for child in player.node(chosen).selections] == ["extra", "l::inner"]


def test_a_cycle_of_links_is_legal_and_only_what_is_chosen_exists() -> None:
    shared = {"sharedSelectionEntries": [entry("s", entryLinks=[link("again", "s")])]}
    player = Player(make_library(link("l", "s"), catalogue=shared))
    node = player.take("l")
    for _ in range(5):
        node = player.take("again", node)
    assert player.node(node).entry_id == "l::again::again::again::again::again::s"


@pytest.mark.long
def test_hundreds_whose_categories_hang_on_one_another_are_evaluated() -> None:
    """A regiment of a hundred and forty kinds was the end of what Python allows: each waited for the next one's."""
    lacking = change("add", "category", "fast", when("lessThan", 1, "troops"))
    kinds = [entry(f"kind-{number}", category="hq", modifiers=[lacking]) for number in range(300)]
    player = Player(make_library(*kinds))
    for kind in kinds:
        player.take(kind["id"])
    units = player.state.forces[0].selections
    assert len(units) == len(kinds)
    assert {tuple(category.id for category in unit.categories) for unit in units} == {("hq", "fast")}
