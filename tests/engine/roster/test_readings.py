"""Readings of the format that the public suite does not pin: one statement of the format guide's section 20 each."""

from decimal import Decimal

import pytest

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.evaluate import evaluate
from tests.engine.battlescribe_files.files import source
from tests.engine.roster.builders import Player, change, entry, group, limit, link, make_library, when


@pytest.mark.parametrize("scope", ["force", "roster", "patrol"])
@pytest.mark.parametrize(("models", "allowed"), [(1, 0), (2, 1)])
def test_what_a_force_costs_is_what_stands_below_too(scope: str, models: int, allowed: int) -> None:
    hundred = {"value": 100, "repeats": 1, "field": "pts", "scope": scope, "childId": "any"}
    badge = entry(
        "badge",
        constraints=[limit("most", "max", 0, "force", includeChildSelections=True)],
        modifiers=[change("increment", "most", 1, repeats=[hundred | {"includeChildSelections": False}])],
    )
    library = make_library(
        entry("squad", pts=10, selectionEntries=[entry("trooper", type="model", pts=45)]),
        badge,
    )
    player = Player(library)
    player.amount(player.take("trooper", player.take("squad")), models)
    player.take("badge")
    assert len(player.state.errors) == 1 - allowed


def test_a_share_of_the_limit_is_spent_by_all_that_stands_below() -> None:
    tank = entry(
        "tank",
        pts=200,
        constraints=[limit("share", "max", 25, "roster", field="limit::pts", percentValue=True)],
        selectionEntries=[entry("gun", pts=60)],
    )
    player = Player(make_library(tank))
    player.roster = edits.set_cost_limit(player.roster, type_id="pts", value=1000).roster
    gun_holder = player.take("tank")
    assert not player.state.errors
    player.take("gun", gun_holder)
    assert [(error.current, error.limit) for error in player.state.errors] == [(Decimal(26), Decimal(25))]


OLD_SYSTEM = """<gameSystem id="gs" name="Game" revision="1" battleScribeVersion="1.15">
  <forceTypes><forceType id="patrol" name="Patrol" minSelections="0" maxSelections="-1">
    <categories><category id="core" name="Core" minSelections="0" maxSelections="-1"/></categories>
  </forceType></forceTypes>
</gameSystem>"""

OLD_CATALOGUE = """<catalogue id="army" name="Army" revision="1" battleScribeVersion="1.15" gameSystemId="gs">
  <entries>
    <entry id="titan" name="Titan" points="700" categoryId="core" type="unit" minSelections="1" maxSelections="1"/>
    <entry id="squad" name="Squad" points="50" categoryId="core" type="unit" minSelections="0" maxSelections="-1"
           minInForce="1" maxInForce="2">
      <entries>
        <entry id="leader" name="Leader" points="5" type="upgrade" minSelections="1" maxSelections="1"/></entries>
    </entry>
  </entries>
  <links><link id="lw" targetId="wall" linkType="entry" categoryId="core"/></links>
  <sharedEntries>
    <entry id="wall" name="Wall" points="75" type="unit" minSelections="1" maxSelections="1"/></sharedEntries>
</catalogue>"""


def test_selections_of_old_root_entries_and_links_are_not_limited_by_min_and_max_selections() -> None:
    player = Player(load_library([source("Game.gst", OLD_SYSTEM), source("Army.cat", OLD_CATALOGUE)]))
    player.roster = edits.set_cost_limit(player.roster, type_id="points", value=None).roster
    squad = player.node(player.state.roster.forces[0].selections[0].id)
    assert [node.name for node in player.state.roster.forces[0].selections] == ["Squad"]  # minInForce
    assert [node.name for node in squad.selections] == ["Leader"]  # minSelections below a root
    for name in ("titan", "titan", "wall", "wall"):
        player.take(name)
    assert not player.state.errors
    player.take("squad")
    player.take("squad")
    assert [error.constraint_id for error in player.state.errors] == ["maxInForce"]


def test_a_default_is_taken_at_most_as_often_as_it_may_be() -> None:
    arms = group("arms", entry("pistol", most=1), entry("axe"), least=2, most=2, defaultSelectionEntryId="pistol")
    player = Player(make_library(entry("chief", selectionEntryGroups=[arms])))
    player.take("chief")
    [error] = player.state.errors
    assert (error.kind, error.name, error.current) == ("min", "Arms", 1)


def test_a_default_may_be_limited_in_the_whole_force() -> None:
    relic = entry("relic", constraints=[limit("one", "max", 1, "force", includeChildSelections=True)])
    arms = group("arms", relic, entry("axe"), least=1, most=1, defaultSelectionEntryId="relic")
    player = Player(make_library(entry("chief", selectionEntryGroups=[arms])))
    assert player.node(player.take("chief")).selections
    assert not player.node(player.take("chief")).selections


@pytest.mark.parametrize(("price", "taken"), [(0, ["Flag"]), (5, [])])
def test_a_new_force_starts_with_nothing_that_costs_and_nobody_chose(price: int, taken: list[str]) -> None:
    player = Player(
        make_library(entry("flag", defaultAmount="1", selectionEntries=[entry("pole", pts=price, least=1)]))
    )
    assert [node.name for node in player.state.roster.forces[0].selections] == taken


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(("kind", "name"), [("instanceOf", "Hit"), ("notInstanceOf", "Rifle")])
def test_what_a_node_is_does_not_ask_along_which_path(kind: str, name: str, shared: bool) -> None:
    rifle = entry("rifle", modifiers=[change("set", "name", "Hit", when(kind, 1, "squad", "parent", shared=shared))])
    squad = entry("squad", selectionEntries=[rifle])
    player = Player(make_library(catalogue={"sharedSelectionEntries": [squad], "entryLinks": [link("way", "squad")]}))
    assert player.node(player.take("rifle", player.take("squad"))).name == name


@pytest.mark.parametrize(("value", "name"), [(1, "Hit"), (2, "Rifle")])
def test_a_count_among_ancestors_without_a_child_counts_them_all(value: int, name: str) -> None:
    rifle = entry("rifle", modifiers=[change("set", "name", "Hit", when("equalTo", value, None, "ancestor"))])
    player = Player(make_library(entry("squad", selectionEntries=[rifle])))
    assert player.node(player.take("rifle", player.take("squad"))).name == name


def test_a_copy_stands_behind_the_last_sibling_of_its_name() -> None:
    library = make_library(entry("squad"), entry("tank"))
    player = Player(library)
    first = player.take("squad")
    player.take("squad")
    player.take("tank")
    found = edits.duplicate(library, player.roster, node_id=first, new_id=lambda: "copy")
    nodes = found.roster.forces[0].selections
    assert [node.name for node in nodes] == ["Squad", "Squad", "Squad", "Tank"]
    assert nodes[2].id == "copy"
    assert not evaluate(library, found.roster).errors
