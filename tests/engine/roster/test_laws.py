"""Laws that hold for any roster of a small but crooked data set, under any sequence of edits."""

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armybuilder.engine.battlescribe_files.ros_xml import read_roster, settle, write_roster
from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.line_protocol import state_json
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from tests.engine.roster.builders import Player, change, entry, group, limit, link, make_library, repeat, when
from tests.examples import examples

EXAMPLES = settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def crooked_library() -> Library:
    """Conditions on counts, categories and costs, shared and not, through links, groups and child forces.

    Some of what New Recruit adds is in it too: places in a row, numbers compared, changes to other nodes.
    """
    shared = {
        "sharedSelectionEntries": [
            entry(
                "rifle",
                pts=3,
                collective=True,
                constraints=[limit("r", "max", 6, "force", includeChildSelections=True)],
            ),
            entry(
                "flag", pts=7, constraints=[limit("f", "max", 1, "roster", shared=False, includeChildSelections=True)]
            ),
        ],
        "sharedSelectionEntryGroups": [group("arms", link("to-rifle", "rifle"), entry("axe", pts=2), least=1)],
    }
    man = entry(
        "man",
        type="model",
        pts=10,
        entryLinks=[link("to-arms", "arms", to_group=True)],
        modifiers=[change("append", "name", "x", when("atLeast", 2, "flag", "roster", includeChildSelections=True))],
    )
    earlier = {"type": "before", "value": 1, "scope": "self", "childId": "any"}
    later = {"type": "atLeast", "value": 2, "scope": "parent", "childId": "squad", "conditions": [earlier]}
    crowded = {
        "type": "greater",
        "conditions": [when("atLeast", 0, "man", "self"), when("atLeast", 0, "chief", "roster")],
    }
    squad = entry(
        "squad",
        type="unit",
        pts=50,
        category="troops",
        least=1,
        most=3,
        selectionEntries=[man],
        entryLinks=[link("to-flag", "flag")],
        modifiers=[
            change("add", "category", "fast", when("atLeast", 3, "model", "self")),
            change("increment", "squad-max", 1, when("atLeast", 1, "chief")),
            change("increment", "pts", 5, repeats=[repeat(2, "man", "self")]),
            change("increment", "pts", 4, localConditionGroups=[later]),
            change("add", "warning", "{this} is large", conditionGroups=[crowded]),
        ],
    )
    chief = entry(
        "chief",
        type="unit",
        pts=100,
        category="hq",
        entryLinks=[link("to-flag-2", "flag")],
        modifiers=[
            change("set", "hidden", "true", when("atLeast", 2, "fast", "force")),
            change("set-primary", "category", "troops", when("lessThan", 1, "squad")),
            change("increment", "pts", 1, repeats=[repeat(50, "squad", field="pts")]),
            change("increment", "pts", 2, scope="force", affects="self.entries.recursive.man"),
            change("append", "annotation", "led", scope="force", affects="self.entries.e.unit"),
        ],
    )
    limits = [limit("quarter", "max", 60, percentValue=True)]
    forces = [
        {
            "id": "patrol",
            "name": "Patrol",
            "categoryLinks": [{"id": "a", "targetId": "hq", "constraints": limits}, {"id": "b", "targetId": "troops"}],
            "forceEntries": [{"id": "scouts", "name": "Scouts", "categoryLinks": [{"id": "c", "targetId": "troops"}]}],
        }
    ]
    return make_library(squad, chief, entry("camp", pts=-5), catalogue=shared, system={"forceEntries": forces})


LIBRARY = crooked_library()
Moves = list[tuple[int, int]]
MOVES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1000)), max_size=14)


def offered(roster: Roster, node_id: str) -> list[str]:
    """Full paths of everything that may be put under a node."""
    found: list[str] = []
    todo = list(offers(LIBRARY, evaluate(LIBRARY, roster), node_id=node_id))
    for row in todo:
        if isinstance(row, OfferGroup):
            todo.extend(row.offers)
        elif isinstance(row, Offer):
            found.append(row.entry_id)
    return found


def play(moves: Moves) -> tuple[Player, list[Roster]]:
    """A player who makes these moves; every roster on the way."""
    player = Player(LIBRARY)
    player.limit(400)
    way = [player.roster]
    for kind, pick in moves:
        forces = list(player.roster.all_forces())
        nodes = list(player.roster.all_selections())
        holder = [*forces, *nodes][pick % (len(forces) + len(nodes))]
        try:
            if kind <= 2:
                open_to = offered(player.roster, holder.id)
                if open_to:
                    player.take(open_to[pick % len(open_to)], holder.id)
            elif kind == 3 and nodes:
                player.drop(nodes[pick % len(nodes)].id)
            elif kind == 4 and nodes:
                player.amount(nodes[pick % len(nodes)].id, pick % 5)
            elif kind == 5 and len(nodes) < 60:
                edit = edits.duplicate(LIBRARY, player.roster, node_id=holder.id, new_id=player.new_id)
                player.roster = edit.roster
            elif kind == 6 and forces and len(forces) < 5:
                player.add_force("scouts", parent=forces[pick % len(forces)].id)
        except GameError:
            continue
        way.append(player.roster)
    return player, way


@EXAMPLES
@given(MOVES)
def test_read_write_is_the_identity(moves: Moves) -> None:
    player, _ = play(moves)
    written = write_roster(LIBRARY, player.state)
    again = settle(LIBRARY, read_roster(written, file_name="list.ros"))
    assert again.dropped == ()
    assert write_roster(LIBRARY, evaluate(LIBRARY, again.roster)) == written
    assert {node.id: node.amount for node in again.roster.all_selections()} == {
        node.id: node.amount for node in player.roster.all_selections()
    }


@EXAMPLES
@given(MOVES)
def test_a_state_taken_over_from_the_one_before_equals_a_fresh_one(moves: Moves) -> None:
    _, way = play(moves)
    state = None
    for roster in way:
        state = evaluate(LIBRARY, roster, state)
        fresh = evaluate(LIBRARY, roster)
        assert state_json(state, LIBRARY) == state_json(fresh, LIBRARY)
        assert state.errors == fresh.errors


@EXAMPLES
@given(MOVES, st.sampled_from(["squad", "chief"]))
def test_adding_a_unit_never_lowers_the_cost(moves: Moves, unit: str) -> None:
    player, _ = play(moves)
    before = player.points
    player.take(unit)
    assert player.points > before


@EXAMPLES
@given(MOVES)
def test_totals_are_the_sum_of_what_is_shown_and_numbers_are_products(moves: Moves) -> None:
    player, _ = play(moves)
    state = player.state
    assert state.cost("pts") == sum(node.cost("pts") for node in state.all_selections())
    for node in state.all_selections():
        for child in node.selections:
            assert child.number == child.amount * node.number


@EXAMPLES
@given(MOVES)
def test_evaluating_twice_gives_the_same_and_the_stored_form_comes_back(moves: Moves) -> None:
    player, _ = play(moves)
    stored = msgspec.json.encode(player.roster)
    again = msgspec.json.decode(stored, type=Roster)
    assert again == player.roster
    assert state_json(evaluate(LIBRARY, again), LIBRARY) == state_json(player.state, LIBRARY)


@EXAMPLES
@given(MOVES, st.integers(0, 1000))
def test_taking_back_what_was_just_added_changes_nothing(moves: Moves, pick: int) -> None:
    """Removing what was just added brings every error and cost back."""
    player, _ = play(moves)
    before = state_json(player.state, LIBRARY)
    added = player.take(("squad", "chief", "camp")[pick % 3])
    player.roster = edits.remove(LIBRARY, player.roster, node_id=added).roster
    assert state_json(player.state, LIBRARY) == before
