"""What New Recruit adds to the format: the format guide's section 13."""

from decimal import Decimal

import pytest

from armybuilder.engine.roster.available_options import offers
from armybuilder.engine.roster.data_findings import data_findings
from tests.engine.roster.builders import Data, Player, change, entry, group, limit, link, make_library, repeat, when


def _counting(kind: str, *conditions: Data, groups: tuple[Data, ...] = (), **fields: object) -> Data:
    return {"type": kind, "conditions": list(conditions), "conditionGroups": list(groups), **fields}


def _count_of(child: str) -> Data:
    """A condition as an operand: only what its query counts matters."""
    return when("atLeast", 0, child)


@pytest.mark.parametrize(
    ("case", "group_", "holds"),
    [
        ("more a than b", _counting("greater", _count_of("a"), _count_of("b")), True),
        ("more b than a", _counting("greater", _count_of("b"), _count_of("a")), False),
        ("as many", _counting("greaterOrEqual", _count_of("a"), _count_of("a")), True),
        ("fewer b", _counting("less", _count_of("b"), _count_of("a")), True),
        ("not fewer", _counting("lessOrEqual", _count_of("a"), _count_of("b")), False),
        ("equal", _counting("equal", _count_of("b"), _count_of("b"), _count_of("a")), False),
        ("not equal", _counting("notEqual", _count_of("b"), _count_of("a")), True),
        ("a = b + b + b", _counting("equal", _count_of("a"), groups=(_counting("add", *[_count_of("b")] * 3),)), True),
        ("a - b - b - b = 0", _counting("subtract", _count_of("a"), *[_count_of("b")] * 3), False),
        ("a modulo b = 0", _counting("modulo", _count_of("a"), _count_of("b")), False),
        ("a power b = a",
         _counting("equal", _count_of("a"), groups=(_counting("power", _count_of("a"), _count_of("b")),)), True),
        ("a divided by nothing is 0", _counting("divide", _count_of("a"), _count_of("x")), False),
        ("a times nothing is 0", _counting("multiply", _count_of("a"), _count_of("x")), False),
        ("the smaller", _counting("equal", _count_of("b"), groups=(_counting("min", _count_of("a"), _count_of("b")),)),
         True),
        ("the larger", _counting("equal", _count_of("b"), groups=(_counting("max", _count_of("a"), _count_of("b")),)),
         False),
        ("two of three hold",
         _counting("count", *(when("atLeast", 1, child) for child in "abx"), min="2", max="2"), True),
        ("not just one", _counting("count", when("atLeast", 1, "a"), when("atLeast", 1, "b"), max="1"), False),
        ("not both", _counting("not", when("atLeast", 1, "a"), when("atLeast", 1, "x")), True),
        ("not: both hold", _counting("not", when("atLeast", 1, "a"), when("atLeast", 1, "b")), False),
    ],
)  # fmt: skip
def test_condition_groups_calculate_and_compare(case: str, group_: Data, holds: bool) -> None:
    probe = entry("probe", name="no", modifiers=[change("set", "name", "yes", conditionGroups=[group_])])
    player = Player(make_library(entry("a"), entry("b"), entry("x"), probe))
    for _ in range(3):
        player.take("a")
    player.take("b")
    assert (player.node(player.take("probe")).name == "yes") is holds, case


@pytest.mark.long
def test_powers_of_powers_stay_calculable() -> None:
    deep = _counting("power", _count_of("a"), _count_of("a"))
    for _ in range(12):
        deep = _counting("power", groups=(deep, deep))
    probe = entry("a", name="no", modifiers=[change("set", "name", "yes", conditionGroups=[deep])])
    player = Player(make_library(probe))
    first = player.take("a")
    for _ in range(8):
        player.take("a")
    assert player.node(first).name == "yes"


def test_a_repeat_on_a_condition_group_counts_while_the_group_holds() -> None:
    inner = _counting("and", when("atLeast", 2, "b"), repeats=[repeat(1, "b")])
    probe = entry("a", pts=10, modifiers=[change("increment", "pts", 1, conditionGroups=[inner])])
    player = Player(make_library(probe, entry("b", pts=0)))
    chosen = player.take("a")
    player.take("b")
    assert player.node(chosen).cost("pts") == 10
    player.take("b")
    assert player.node(chosen).cost("pts") == 12


def test_the_third_and_later_cost_more() -> None:
    """`before` asks of each selection that a local group finds whether it stands before the one that is priced."""
    earlier = {"type": "before", "value": 1, "field": "selections", "scope": "self", "childId": "any"}
    local = {"type": "atLeast", "value": 2, "scope": "parent", "childId": "a", "conditions": [earlier]}
    unit = entry("a", pts=10, modifiers=[change("increment", "pts", 5, localConditionGroups=[local])])
    player = Player(make_library(unit, entry("b", pts=0)))
    player.take("b")
    taken = [player.take("a") for _ in range(4)]
    assert [player.node(one).cost("pts") for one in taken] == [10, 10, 15, 15]


@pytest.mark.parametrize(
    ("case", "owner", "scope", "counted", "count"),
    [
        ("the nearest model", "grip", "model", "gun", 1),
        ("a model has no model above", "man", "model", "gun", 0),
        ("or the owner", "man", "model-self", "gun", 1),
        ("the nearest unit", "grip", "unit", "man", 3),
        ("model or unit", "man", "model-or-unit", "man", 3),
        ("no upgrade", "grip", "non-upgrade-entry", "gun", 1),
        ("the root entry", "grip", "root-entry", "man", 3),
        ("a root entry has none above", "unit", "root-entry", "man", 0),
        ("or itself", "unit", "root-entry-self", "man", 3),
        ("siblings in the same group", "gun", "group", "gun", 1),
        ("or in the group of what holds it", "grip", "group", "gun", 1),
        ("what a link leads to", "grip", "link", "grip", 1),
        ("nothing linked above", "gun", "link", "grip", 0),
        ("or the owner that a link leads to", "gun", "link-self", "grip", 1),
    ],
)
def test_scopes_of_the_nearest_of_a_kind(case: str, owner: str, scope: str, counted: str, count: int) -> None:
    """A unit of three men; two carry a gun from a group, and the gun of the last has a grip."""

    def asking(entry_id: str, **fields: object) -> Data:
        modifiers = [change("increment", "pts", 1, repeats=[repeat(1, counted, scope)])] if entry_id == owner else []
        return entry(entry_id, pts=0, modifiers=modifiers, **fields)

    shared = {"sharedSelectionEntries": [asking("gun", selectionEntries=[asking("grip")])]}
    man = asking("man", type="model", selectionEntryGroups=[group("arms", link("l", "gun"), entry("sword"))])
    player = Player(make_library(asking("unit", type="unit", selectionEntries=[man]), catalogue=shared))
    unit = player.take("unit")
    men = [player.take("man", unit) for _ in range(3)]
    guns = [player.take("gun", one) for one in men[1:]]
    at = {"unit": unit, "man": men[-1], "gun": guns[-1], "grip": player.take("grip", guns[-1])}
    assert player.node(at[owner]).cost("pts") == count, case


@pytest.mark.parametrize(
    ("case", "modifiers", "name"),
    [
        ("prepend", [change("prepend", "name", "The")], "The D6+1"),
        ("another joint", [change("append", "name", "x", join=", ")], "D6+1, x"),
        ("no joint", [change("append", "name", '"', join="")], 'D6+1"'),
        ("replace", [change("replace", "name", "2D6", arg="D6")], "2D6+1"),
        ("replace nothing in a text", [change("replace", "name", "9")], "D6+1"),
        ("replace nothing in no text", [change("set", "name", ""), change("replace", "name", "9")], "9"),
        ("the last number", [change("increment", "name", 2, position=-1)], "D6+3"),
        ("the first number", [change("decrement", "name", 2, position=1)], "D4+1"),
        ("a number that is not there", [change("increment", "name", 2, position=3)], "D6+1"),
        ("no position", [change("increment", "name", 2)], "D6+1"),
        ("present", [change("append", "name", "x", skipIfPresent="D6")], "D6+1"),
        ("not present", [change("append", "name", "x", skipIfPresent="D8")], "D6+1 x"),
        ("annotations stand in brackets",
         [change("append", "annotation", "a"), change("append", "annotation", "b", join=", ")], "D6+1 (a, b)"),
    ],
)  # fmt: skip
def test_texts(case: str, modifiers: list[Data], name: str) -> None:
    player = Player(make_library(entry("a", name="D6+1", modifiers=modifiers)))
    assert player.node(player.take("a")).name == name, case


@pytest.mark.parametrize(
    ("kind", "value", "price"),
    [
        ("multiply", 3, 30), ("divide", 4, Decimal("2.5")), ("modulo", 4, 2), ("power", 2, 100), ("exponent", 2, 20),
        ("triangular", 3, 13), ("floor", 12, 12), ("floor", 8, 10), ("ceil", 8, 8), ("ceil", 12, 10),
        ("power", 99, 10), ("divide", 0, 10),
    ],
)  # fmt: skip
def test_arithmetic(kind: str, value: int, price: Decimal) -> None:
    player = Player(make_library(entry("a", pts=10, modifiers=[change(kind, "pts", value)])))
    assert player.node(player.take("a")).cost("pts") == price


def _affecting(modifier: Data, **fields: object) -> Player:
    """A squad of two men with a gun each and a banner that holds the modifier, and another squad beside it."""
    gun = entry("gun", name="Gun", pts=1, profiles=[{"id": "p", "name": "Gun", "typeId": "weapon", "typeName": "Weapon",
                "characteristics": [{"typeId": "s", "name": "S", "value": "4"}]}])  # fmt: skip
    man = entry("man", name="Man", type="model", pts=10, selectionEntries=[gun], least=2, most=3, category="troops")
    banner = entry("banner", pts=0, modifiers=[modifier], **fields)
    secret = entry("secret", name="Secret", hidden=True)
    squad = entry("squad", name="Squad", type="unit", pts=100, selectionEntries=[man, banner, secret])
    types = [{"id": "weapon", "name": "Weapon", "characteristicTypes": [{"id": "s", "name": "S"}]}]
    player = Player(make_library(squad, entry("other", type="unit", pts=7), system={"profileTypes": types}))
    chosen = player.take("squad")
    for one in player.node(chosen).selections:
        player.take("gun", one.id)
    player.take("banner", chosen)
    player.take("other")
    return player


@pytest.mark.parametrize(
    ("case", "modifier", "costs"),
    [
        ("itself", change("increment", "pts", 5, affects="self"), {"Banner": 5}),
        ("the unit above", change("increment", "pts", 5, scope="unit", affects="self"), {"Squad": 105}),
        ("a scope alone means the node it leads to", change("increment", "pts", 5, scope="unit"), {"Squad": 105}),
        ("the root entry", change("increment", "pts", 5, scope="root-entry"), {"Squad": 105}),
        ("nothing of the kind above", change("increment", "pts", 5, scope="upgrade", affects="self"), {}),
        ("or itself", change("increment", "pts", 5, scope="upgrade-self", affects="self"), {"Banner": 5}),
        ("what stands below", change("increment", "pts", 5, scope="unit", affects="self.entries"),
         {"Man": 15, "Banner": 5}),
        ("at any depth", change("increment", "pts", 5, scope="unit", affects="self.entries.recursive"),
         {"Man": 15, "Gun": 6, "Banner": 5}),
        ("of a type", change("set", "pts", 5, scope="unit", affects="self.entries.recursive.e.model"), {"Man": 5}),
        ("of an id", change("increment", "pts", 5, scope="unit", affects="self.entries.recursive.gun"), {"Gun": 6}),
        ("of a category", change("increment", "pts", 5, scope="parent", affects="self.entries.troops"), {"Man": 15}),
        ("without saying from where", change("increment", "pts", 5, scope="unit", affects="entries.recursive.gun"),
         {"Gun": 6}),
        ("in the force", change("set", "pts", 5, scope="force", affects="self.entries"), {"Squad": 5, "Other": 5}),
        ("in the roster", change("set", "pts", 5, scope="roster", affects="self.entries.recursive.e.unit"),
         {"Squad": 5, "Other": 5}),
        ("on a condition of its own place", change("set", "pts", 5, when("atLeast", 1, "gun", "parent"), scope="unit",
                                                   affects="self.entries"), {}),
        ("on a true one", change("set", "pts", 5, when("atLeast", 2, "man", "parent"), scope="unit", affects="self"),
         {"Squad": 5}),
    ],
)  # fmt: skip
def test_modifiers_that_affect_other_nodes(case: str, modifier: Data, costs: dict[str, int]) -> None:
    usual = {"Squad": 100, "Man": 10, "Gun": 1, "Banner": 0, "Other": 7}
    player = _affecting(modifier)
    found = {node.name: node.cost("pts") / node.number for node in player.state.all_selections()}
    assert found == usual | costs, case
    assert player.library.problems == ()
    assert player.points == sum(node.cost("pts") for node in player.state.all_selections())


def test_what_else_a_modifier_can_do_to_other_nodes() -> None:
    def squad(modifier: Data) -> Player:
        return _affecting({**modifier, "scope": "unit"})

    named = squad(change("append", "name", "x", affects="self.entries.e.model"))
    assert [child.name for child in named.state.forces[0].selections[1].selections] == ["Banner", "Man x", "Man x"]
    noted = squad(change("set", "annotation", "elite", affects="self"))
    assert noted.state.forces[0].selections[1].name == "Squad (elite)"
    shown = squad(change("set", "hidden", "false", affects="self.entries.secret"))
    unit = shown.state.forces[0].selections[1]
    (secret,) = [row for row in offers(shown.library, shown.state, node_id=unit.id) if row.name == "Secret"]
    assert not secret.hidden
    sorted_in = squad(change("add", "category", "hq", affects="self"))
    assert [category.id for category in sorted_in.state.forces[0].selections[1].categories] == ["hq"]
    limited = squad(change("set", "man-max", 1, affects="self.entries.man"))
    assert limited.errors == ["selection squad < man/man-max"]
    stronger = squad(change("increment", "s", 2, affects="self.entries.recursive.profiles.Weapon"))
    profiles = [profile for node in stronger.state.all_selections() for profile in node.profiles]
    assert [profile.value("S") for profile in profiles] == ["6", "6"]
    weaker = squad(change("decrement", "s", 2, affects="self.entries.recursive.profiles.Armour"))
    assert {profile.value("S") for node in weaker.state.all_selections() for profile in node.profiles} == {"4"}


def _profile(kind: str, value: int, *modifiers: Data) -> Data:
    row = {"typeId": kind[0], "name": kind[0], "value": str(value)}
    return {"id": kind, "typeId": kind, "typeName": kind, "name": kind, "characteristics": [row],
            "modifiers": list(modifiers)}  # fmt: skip


def _mounted(*of_horse: Data, of_lance: tuple[Data, ...] = ()) -> list[str]:
    """What the profiles of a rider and of his lance show, after changes written on the horse and in the lance's."""
    lance = entry("ab-02", profiles=[_profile("weapon", 4, *of_lance)])
    horse = entry("ab-01", modifiers=list(of_horse), selectionEntries=[lance])
    rider = entry("rider", type="unit", profiles=[_profile("unit", 4)], selectionEntries=[horse])
    types = [
        {"id": kind, "name": kind, "characteristicTypes": [{"id": kind[0], "name": kind[0]}]}
        for kind in ("weapon", "unit")
    ]
    player = Player(make_library(rider, system={"profileTypes": types}))
    player.take("ab-02", player.take("ab-01", player.take("rider")))
    assert player.library.problems == ()
    return [
        profile.value(profile.type_name[0]) or "" for node in player.state.all_selections() for profile in node.profiles
    ]


@pytest.mark.parametrize(
    ("case", "modifier", "expected"),
    [
        ("of the unit above", change("set", "u", 8, scope="root-entry", affects="profiles.unit"), ["8", "4"]),
        ("of another type", change("set", "u", 8, scope="root-entry", affects="profiles.weapon"), ["4", "4"]),
        ("of what stands below", change("set", "w", 6, affects="entries.profiles.weapon"), ["4", "6"]),
        ("at any depth", change("set", "w", 6, scope="unit", affects="self.entries.recursive.profiles"), ["4", "6"]),
        ("of a node that is another", change("set", "u", 8, scope="unit", affects="ab-01.profiles.unit"), ["4", "4"]),
        ("of a node that is it", change("set", "w", 6, affects="entries.ab-02.profiles.weapon"), ["4", "6"]),
    ],
)
def test_profiles_that_a_mount_changes(case: str, modifier: Data, expected: list[str]) -> None:
    assert _mounted(modifier) == expected, case


def test_what_a_profile_says_of_others_its_entry_does() -> None:
    gallop = change("increment", "u", 2, scope="unit", affects="profiles.unit")
    assert _mounted(of_lance=(gallop,)) == ["6", "4"]


def test_a_root_entry_is_its_own_root() -> None:
    """Units put themselves among those that lead, by a modifier whose scope is the root entry."""
    moved = change("set-primary", "category", "hq", scope="root-entry")
    for written in ({"modifiers": [moved]}, {"modifierGroups": [{"type": "and", "modifiers": [moved]}]}):
        player = Player(make_library(entry("a", category="troops", **written)))
        player.take("a")
        categories = player.state.forces[0].selections[0].categories
        assert [one.id for one in categories if one.primary] == ["hq"]


def test_a_group_can_affect_other_nodes_too() -> None:
    dearer = change("increment", "pts", 5, scope="unit", affects="self")
    arms = group("arms", entry("axe", pts=1), entry("bow", pts=1), modifiers=[dearer])
    player = Player(make_library(entry("squad", type="unit", pts=10, selectionEntryGroups=[arms])))
    chosen = player.take("squad")
    assert player.points == 10
    player.take("axe", chosen)
    player.take("bow", chosen)
    assert player.points == 17


@pytest.mark.parametrize("path", ["self.associations", "self.forces.recursive", "nonsense", "self.entries.rules.x"])
def test_a_path_that_is_not_understood_is_kept_and_listed(path: str) -> None:
    player = Player(make_library(entry("a", pts=10, modifiers=[change("increment", "pts", 100, affects=path)])))
    assert player.node(player.take("a")).cost("pts") == 10
    assert [(one.kind, one.node_id, one.target_id) for one in player.library.problems] == [
        ("unsupported", "a", "modifier that affects other nodes")
    ]


def test_exponent_and_triangular_grow_with_every_repeat() -> None:
    def price(kind: str, value: int) -> Decimal:
        tax = change(kind, "pts", value, repeats=[repeat(1, "b")])
        player = Player(make_library(entry("a", pts=2, modifiers=[tax]), entry("b", pts=0)))
        chosen = player.take("a")
        player.take("b")
        player.take("b")
        return player.node(chosen).cost("pts")

    assert (price("exponent", 3), price("triangular", 3)) == (18, 11)


def test_exactly_is_a_minimum_and_a_maximum_and_a_negative_maximum_can_be_real() -> None:
    unit = entry("a", constraints=[limit("two", "exactly", 2)])
    player = Player(make_library(unit, entry("b", constraints=[limit("none", "max", -1, negative=True)])))
    assert (player.tree(), player.errors) == (["1 A", "1 A"], [])
    player.drop(player.state.forces[0].selections[0].id)
    assert player.errors == ["category (No Category) < a/two"]
    player.take("a")
    player.take("a")
    player.take("b")
    assert player.errors == ["selection a < a/two", "selection b < b/none"]


def test_a_constraint_speaks_in_its_own_words() -> None:
    words = "{of}: {current} of {value}{%}, {difference} too many {field} in {scope}; ask {boss}, not {nobody}"
    unit = entry("a", name="Guns", constraints=[limit("few", "max", 1, message=words)])
    player = Player(make_library(unit, entry("boss", name="The Boss")))
    player.take("a")
    player.take("a")
    (error,) = player.state.errors
    assert error.message == "Guns: 2 of 1, 1 too many selections in Patrol; ask The Boss, not {nobody}"
    (finding,) = data_findings(player.state)
    assert (finding.rule, finding.message.en.endswith("not {nobody}")) == ("BS-02", True)


def test_a_percentage_speaks_of_the_whole() -> None:
    words = "{total} of {field} at most"
    share = limit("half", "max", 50, "roster", field="limit::pts", percentValue=True, message=words)
    player = Player(make_library(entry("a", pts=600, constraints=[share])))
    player.limit(1000)
    player.take("a")
    assert [error.message for error in player.state.errors] == ["500 of pts at most"]


def test_modifiers_add_messages_to_the_roster() -> None:
    modifiers = [
        change("add", "error", "{this} hates {b}", when("atLeast", 1, "b")),
        change("add", "warning", "Careful"),
        change("add", "info", "By the way", when("atLeast", 9, "b")),
    ]
    player = Player(make_library(entry("a", name="Orc", modifiers=modifiers), entry("b", name="Goblin")))
    player.take("a")
    assert [error.message for error in player.state.errors] == ["Careful"]
    player.take("b")
    found = data_findings(player.state)
    assert [(one.rule, one.severity.value, one.message.en) for one in found] == [
        ("BS-08", "error", "Orc: Orc hates Goblin"),
        ("BS-09", "warning", "Orc: Careful"),
    ]


def test_forces_can_be_shared_and_cost_something() -> None:
    fort = {"id": "fort", "name": "Fort", "costs": [{"name": "pts", "typeId": "pts", "value": 40}]}
    fort["modifiers"] = [change("increment", "pts", 5, when("atLeast", 1, "a"))]
    dearer = {"id": "fl", "targetId": "fort", "costs": [{"name": "pts", "typeId": "pts", "value": 50}]}
    loop = {"id": "again", "targetId": "camp"}
    camp = {"id": "camp", "name": "Camp", "forceEntryLinks": [loop, {"id": "in", "targetId": "fort"}]}
    catalogue = {"sharedForceEntries": [fort, camp], "forceEntryLinks": [dearer, {"id": "cl", "targetId": "camp"}]}
    library = make_library(entry("a", pts=7), catalogue=catalogue)
    offered = {info.id: [below.id for below in info.forces] for info in library.force_entries("army")}
    assert offered == {"patrol": [], "fl::fort": [], "cl::camp": ["again::camp", "in::fort"]}
    player = Player(library, force="fl")
    player.take("a")
    assert [(force.entry_id, force.name) for force in player.state.forces] == [("fl::fort", "Fort")]
    assert player.points == 62
    outer = player.add_force("cl")
    player.add_force("fort", parent=outer)
    assert player.points == 102
    player.limit(100)
    assert player.errors == ["roster < costLimits/pts"]
    assert Player(library, force="fort").state.forces[0].entry_id == "fl::fort"


def test_a_shared_force_that_nothing_links_to_is_known_but_not_offered() -> None:
    library = make_library(catalogue={"sharedForceEntries": [{"id": "fort", "name": "Fort"}]})
    assert [info.id for info in library.force_entries("army")] == ["patrol"]
    assert [force.name for force in Player(library, force="fort").state.forces] == ["Fort"]


LED = [
    {"id": "patrol", "name": "Patrol", "categoryLinks": [{"id": name, "targetId": name} for name in ("hq", "troops")]}
]


def test_a_leader_makes_its_troops_what_they_are() -> None:
    """Who leads is counted in the force, and the troops' category hangs on it: neither may be asked too early."""
    lead = change("set-primary", "category", "hq", when("lessThan", 1, "hq"))
    train = change("add", "category", "fast", when("instanceOf", 1, "hq", "self"), scope="force",
                   affects="self.entries.recursive.troops")  # fmt: skip
    hide = change("set", "hidden", "true", when("notInstanceOf", 1, "fast", "self"))
    captain = entry("captain", category="troops", modifiers=[lead, train])
    squads = [entry(name, category="troops", modifiers=[hide]) for name in ("archers", "bowmen", "zealots")]
    player = Player(make_library(captain, *squads, system={"forceEntries": LED}))
    for name in ("archers", "bowmen", "captain", "zealots"):
        player.take(name)
    hidden = {one.name: one.hidden for one in player.state.forces[0].selections}
    assert hidden == {"Archers": False, "Bowmen": False, "Captain": False, "Zealots": False}
    assert player.state.errors == ()


def test_forces_on_offer_are_those_neither_hidden_nor_full() -> None:
    most = limit("two", "max", 2, "roster", field="forces")
    below = [
        {"id": "regiment", "name": "Regiment", "constraints": [most]},
        {"id": "secret", "name": "Secret", "hidden": True},
        {
            "id": "allies",
            "name": "Allies",
            "modifiers": [change("set", "hidden", "true", when("atLeast", 1, "spy", "roster"))],
        },
    ]
    forces = [{"id": "patrol", "name": "Patrol", "forceEntries": below}]
    player = Player(make_library(entry("spy"), system={"forceEntries": forces}))

    def offered() -> list[str]:
        return [offer.name for offer in player.state.forces[0].forces_on_offer]

    assert offered() == ["Regiment", "Allies"]
    player.add_force("regiment", parent=player.force_id)
    assert offered() == ["Regiment", "Allies"]
    player.add_force("regiment", parent=player.force_id)
    assert offered() == ["Allies"]
    player.take("spy")
    assert offered() == []
    assert player.state.forces[0].forces[0].forces_on_offer == ()


def test_force_entries_stand_where_their_author_put_them() -> None:
    places = {"old": 21, "none": None, "new": 1, "last": None}
    forces = [{"id": name, "name": name, **({"sortIndex": place} if place else {})} for name, place in places.items()]
    library = make_library(system={"forceEntries": forces})
    assert [info.name for info in library.force_entries("army")] == ["new", "old", "none", "last"]


@pytest.mark.parametrize(("written", "often"), [("3.3333333333333335", 3), ("0.30000000000000004", 33), ("2.5", 4)])
def test_fractions_that_a_tool_wrote_in_full_count_as_meant(written: str, often: int) -> None:
    """Thirty in a hundred are written as one in 3.3333333333333335: of ten that is three."""
    dearer = change("increment", "pts", 1, repeats=[repeat(written, "b")])
    player = Player(make_library(entry("a", pts=1, modifiers=[dearer]), entry("b", pts=0)))
    chosen = player.take("a")
    for _ in range(10):
        player.take("b")
    assert player.library.problems == ()
    assert player.node(chosen).cost("pts") == 1 + often


@pytest.mark.parametrize(
    ("sub_type", "models", "mounts"), [(None, "2", "no"), ("mount", "1", "yes"), ("crew", "1", "no")]
)
def test_a_mount_or_crew_is_counted_as_that_and_not_as_a_model(sub_type: str | None, models: str, mounts: str) -> None:
    counted = change("set", "name", "yes", conditions=[when("atLeast", 1, "mount", scope="self", deep=True)])
    priced = change("increment", "pts", 1, repeats=[repeat(1, "model", scope="self", deep=True)])
    knight = entry("knight", type="model", least=1, most=1)
    horse = entry("horse", type="model", least=1, most=1, **({"subType": sub_type} if sub_type else {}))
    unit = entry("unit", name="no", type="unit", pts=0, selectionEntries=[knight, horse], modifiers=[counted, priced])
    player = Player(make_library(unit))
    node = player.node(player.take("unit"))
    assert (node.name, str(node.costs[0].value)) == (mounts, models)
    (file,) = [row.type for row in node.selections if row.entry_id.endswith("horse")]
    assert file == (sub_type or "model")


def test_options_stand_as_their_author_numbered_them_and_flat_groups_say_so() -> None:
    plain = group("free", entry("a"), flatten=True)
    limited = group("limited", entry("b"), flatten=True, most=1)
    unit = entry(
        "unit",
        type="unit",
        selectionEntries=[entry("x", sortIndex=2), entry("y"), entry("z", sortIndex=1)],
        selectionEntryGroups=[limited, plain | {"sortIndex": 1}],
    )
    player = Player(make_library(unit))
    node_id = player.take("unit")
    found = offers(player.library, player.state, node_id=node_id)
    assert [(row.name, getattr(row, "is_flat", None)) for row in found] == [
        ("Z", None), ("X", None), ("Y", None), ("Free", True), ("Limited", False),
    ]  # fmt: skip
