"""An evaluation after an edit equals one from nothing, whatever the data asks and whatever the edits are."""

import random
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.renewal import renewed
from armybuilder.engine.roster.state import CategoryState, ForceState, RosterState, SelectionState
from bench import data_sets
from tests.breadth import some
from tests.engine.roster.builders import Player, change, entry, group, limit, link, make_library, when
from tests.examples import examples
from tests.libraries import compiled_library

FIXTURES = Path(__file__).parents[3] / "fixtures"
SECONDS_A_SET = 5
GAMES = ("epic", "fantasy-8th", "horus-heresy", "wh40k-6th")
SETS = (data_sets.HERESY, data_sets.EPIC, data_sets.TENTH, data_sets.SIGMAR, data_sets.OLD_WORLD)


def picture(state: RosterState) -> object:
    """Everything a state says, in its order."""
    return state.costs, state.cost_limits, state.errors, [_force(force) for force in state.forces]


def _force(force: ForceState) -> object:
    own = [
        getattr(force, name) for name in ForceState.__slots__ if name[0] != "_" and name not in {"selections", "forces"}
    ]
    more = (force.profiles, force.rules, force.available_entry_count)
    return own, more, [_selection(one) for one in force.selections], [_force(below) for below in force.forces]


def _selection(one: SelectionState) -> object:
    own = [getattr(one, name) for name in SelectionState.__slots__ if name[0] != "_" and name != "selections"]
    return own, one.profiles, one.rules, [_selection(below) for below in one.selections]


def random_edit(library: Library, state: RosterState, rng: random.Random, numbers: "count[int]") -> Roster:
    """The roster after something a player might do; itself when that is refused."""
    roster = state.roster

    def new_id() -> str:
        return f"e{next(numbers)}"

    forces = [force.id for force in roster.all_forces()]
    nodes = [node.id for node in roster.all_selections()] or forces
    try:
        match rng.choice(("add", "take", "take", "amount", "drop", "copy", "name")):
            case "add":
                return _taken(library, state, rng.choice(forces), rng, new_id)
            case "take":
                return _taken(library, state, rng.choice(nodes), rng, new_id)
            case "amount":
                amount = rng.choice((0, 1, 2, 3, 7))
                return edits.set_amount(
                    library, roster, selection_id=rng.choice(nodes), amount=amount, new_id=new_id
                ).roster
            case "drop":
                return edits.deselect(library, roster, selection_id=rng.choice(nodes)).roster
            case "copy" if len(nodes) < 80:
                return edits.duplicate(library, roster, node_id=rng.choice(nodes), new_id=new_id).roster
            case _:
                return edits.customise(roster, node_id=rng.choice(nodes), name=rng.choice(("Own", ""))).roster
    except GameError:
        return roster


def _taken(library: Library, state: RosterState, node_id: str, rng: random.Random, new_id: Any) -> Roster:
    rows = list(offers(library, state, node_id=node_id))
    for row in rows:
        if isinstance(row, OfferGroup):
            rows += row.offers
    entries = [row.entry_id for row in rows if isinstance(row, Offer)]
    if not entries:
        return state.roster
    chosen = rng.choice(entries)
    return edits.select(library, state.roster, parent_id=node_id, entry_id=chosen, new_id=new_id).roster


def replay(library: Library, roster: Roster, seed: int, steps: int, *, until: float | None = None) -> int:
    """Edit again and again and compare with a whole evaluation each time; how often something was taken over."""
    rng, numbers = random.Random(seed), count(1)
    state = evaluate(library, roster)
    kept = 0
    for step in range(steps):
        if until is not None and monotonic() > until:
            break
        edited = random_edit(library, state, rng, numbers)
        before = state.evaluation
        assert isinstance(before, Evaluation)
        kept += edited != state.roster and renewed(library, edited, before) is not None
        state = evaluate(library, edited, state)
        assert picture(state) == picture(evaluate(library, edited)), (seed, step)
    return kept


WORDS = ("any", "model", "unit", "upgrade", "squad", "chief", "man", "rifle", "flag", "arms", "hq", "troops", "fast")
SCOPES = (
    "self", "parent", "force", "roster", "ancestor", "primary-category", "squad", "man", "hq", "arms", "patrol",
    "unit", "root-entry", "model-self",
)  # fmt: skip
FLAGS = st.fixed_dictionaries(
    {},
    optional={
        "includeChildSelections": st.booleans(),
        "percentValue": st.booleans(),
        "shared": st.booleans(),
        "field": st.sampled_from(("selections", "selections", "selections", "pts", "limit::pts")),
    },
)
KINDS = ("atLeast", "lessThan", "equalTo", "instanceOf", "notInstanceOf")
CONDITIONS = st.builds(
    lambda kind, value, word, scope, flags: when(kind, value, word, scope, **flags),
    st.sampled_from(KINDS), st.integers(0, 4), st.sampled_from(WORDS), st.sampled_from(SCOPES), FLAGS,
)  # fmt: skip
CHANGES = ("hidden", "name", "pts", "category", "primary", "limit", "page", "regroup")


@st.composite
def modifiers(draw: st.DrawFn, owner: str) -> dict[str, Any]:
    """A change of one thing an entry has, under one or two conditions."""
    conditions = draw(st.lists(CONDITIONS, min_size=1, max_size=2))
    field = draw(st.sampled_from(CHANGES))
    more: dict[str, Any] = {}
    if draw(st.integers(0, 9)) == 0:
        more = {"scope": "model-or-unit", "affects": "self.entries.recursive"}
    if field == "hidden":
        return change("set", "hidden", "true", *conditions, **more)
    if field == "name":
        return change("append", "name", "x", *conditions, **more)
    if field == "page":
        return change("set", "page", "12", *conditions)
    if field == "pts":
        return change("increment", "pts", 3, *conditions, **more)
    if field == "regroup":
        far = {"scope": draw(st.sampled_from(("roster", "force", "unit"))), "affects": "self.entries.recursive"}
        return change("add", "category", draw(st.sampled_from(("hq", "fast"))), *conditions, **far)
    if field == "category":
        return change(
            draw(st.sampled_from(("add", "remove"))), "category", draw(st.sampled_from(("hq", "fast"))), *conditions
        )
    if field == "primary":
        return change("set-primary", "category", draw(st.sampled_from(("hq", "fast"))), *conditions)
    return change("increment", f"{owner}-own", 2, *conditions)


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    """Squads of men with arms, and chiefs, whose limits and modifiers ask for anything anywhere."""

    def fields(owner: str, **known: Any) -> dict[str, Any]:
        own = limit(
            f"{owner}-own",
            draw(st.sampled_from(("min", "max"))),
            draw(st.integers(1, 3)),
            draw(st.sampled_from(SCOPES)),
            **draw(FLAGS),
        )
        return {"modifiers": draw(st.lists(modifiers(owner), max_size=3)), "constraints": [own], **known}

    rifle, flag = entry("rifle", pts=3, collective=True, **fields("rifle")), entry("flag", pts=7, **fields("flag"))
    arms = group("arms", link("to-rifle", "rifle"), entry("axe", pts=2, **fields("axe")), most=1)
    arms["modifiers"] = draw(st.lists(modifiers("arms"), max_size=2))
    man = entry("man", **fields("man", type="model", pts=10, entryLinks=[link("to-arms", "arms", to_group=True)]))
    more = {"selectionEntries": [man], "entryLinks": [link("to-flag", "flag")]}
    squad = entry("squad", **fields("squad", type="unit", pts=50, category="troops", **more))
    below = {"entryLinks": [link("to-flag-2", "flag"), link("to-rifle-2", "rifle")]}
    chief = entry("chief", **fields("chief", type="unit", pts=100, category="hq", **below))
    shared = {"sharedSelectionEntries": [rifle, flag], "sharedSelectionEntryGroups": [arms]}
    return make_library(squad, chief, entry("camp", **fields("camp", pts=5)), catalogue=shared)


@settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(libraries(), st.integers(0, 10_000))
@pytest.mark.long
def test_whatever_the_data_asks_an_edit_gives_what_a_whole_evaluation_gives(library: Library, seed: int) -> None:
    player = Player(library)
    player.limit(300)
    for unit in ("squad", "chief", "squad"):
        node = player.take(unit)
        if unit == "squad":
            player.take("man", node)
    replay(library, player.roster, seed, 12)


def test_what_an_edit_does_not_touch_is_the_very_same_object() -> None:
    far = change("set", "name", "Guard", when("atLeast", 1, "chief"))
    squad = entry("squad", type="unit", pts=50, category="troops", selectionEntries=[entry("flag"), entry("horn")])
    guard = entry("guard", type="unit", pts=20, category="troops", modifiers=[far])
    player = Player(make_library(squad, guard, entry("chief", type="unit", category="hq")))
    first, second, third = player.take("squad"), player.take("squad"), player.take("guard")
    before = player.state
    player.take("flag", first)
    after = evaluate(player.library, player.roster, before)
    assert after.node(second) is before.node(second)
    assert after.node(third) is before.node(third)
    assert after.node(first) is not before.node(first)
    player.take("chief")
    later = evaluate(player.library, player.roster, after)
    assert later.node(second) is after.node(second)
    changed = later.node(third)
    assert isinstance(changed, SelectionState)
    assert changed.name == "Guard"


def test_profiles_asked_for_late_are_those_of_the_roster_they_were_evaluated_for() -> None:
    row = {"id": "p", "name": "Man", "typeId": "t", "typeName": "Type", "hidden": False}
    bold = {**row, "modifiers": [change("set", "name", "Bold", when("atLeast", 1, "chief"))]}
    squad = entry("squad", type="unit", category="troops", profiles=[bold])
    player = Player(make_library(squad, entry("chief", type="unit", category="hq"), entry("camp")))
    unit = player.take("squad")
    plain = player.state
    player.take("camp")
    same = evaluate(player.library, player.roster, plain)
    player.take("chief")
    led = evaluate(player.library, player.roster, same)
    names = [[profile.name for profile in _node(state, unit).profiles] for state in (led, same, plain)]
    assert names == [["Bold"], ["Man"], ["Man"]]


def test_a_category_of_a_force_keeps_its_limits_and_counts_anew() -> None:
    links = [{"id": "b", "targetId": "troops", "constraints": [limit("two", "max", 2)]}]
    system = {"forceEntries": [{"id": "patrol", "name": "Patrol", "categoryLinks": links}]}
    player = Player(make_library(entry("squad", type="unit", category="troops"), system=system))
    state = player.state
    counts = []
    for _ in range(3):
        player.take("squad")
        state = evaluate(player.library, player.roster, state)
        counts.append([(row.current, row.maximum, len(state.errors)) for row in _troops(state)])
    assert counts == [[(1, 2, 0)], [(2, 2, 0)], [(3, 2, 1)]]


def test_a_group_that_limits_itself_is_objected_to_in_every_unit() -> None:
    arms = {**group("arms", entry("axe")), "constraints": [limit("own", "max", 1, "self")]}
    player = Player(make_library(entry("squad", type="unit", category="troops", selectionEntryGroups=[arms])))
    for _ in range(3):
        unit = player.take("squad")
        player.take("axe", unit)
        player.take("axe", unit)
    assert [error.constraint_id for error in player.state.errors] == ["own"] * 3


def _node(state: RosterState, node_id: str) -> SelectionState:
    found = state.node(node_id)
    assert isinstance(found, SelectionState)
    return found


def _troops(state: RosterState) -> list[CategoryState]:
    return [row for row in state.forces[0].categories if row.id == "troops"]


@pytest.mark.parametrize("game", GAMES)
def test_edits_of_shipped_data(game: str) -> None:
    files = [SourceFile(path.name, path.read_bytes()) for path in sorted((FIXTURES / game).glob("*.*t"))]
    library = compiled_library([file for file in files if file.name.endswith((".gst", ".cat"))])
    catalogue = library.catalogues[-1]
    roster, _ = data_sets.roster_of(library, catalogue.name, 15, seed=3)
    assert replay(library, roster, 5, 12) > 0


@pytest.mark.shared
@pytest.mark.long
@pytest.mark.parametrize("folder", SETS)
def test_edits_of_real_data(shared: Path, folder: str) -> None:
    assert shared.is_dir()
    library = compiled_library(data_sets.sources(folder))
    armies = [info.name for info in library.catalogues if not info.library and len(library.roots(info.id)) > 3]
    kept = 0
    for number, name in enumerate(random.Random(folder).sample(armies, 2)):
        roster, _ = data_sets.roster_of(library, name, 40, seed=number)
        kept += replay(library, roster, number, some(200, of=4), until=monotonic() + SECONDS_A_SET)
    assert kept > 0
