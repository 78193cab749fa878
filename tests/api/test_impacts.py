"""Newer game data over the API: the impact, moving, staying, and that nobody else decides."""

from typing import Any

import pytest

from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.api.conftest import Caller
from tests.gamedata_files import SQUAD, catalogue, entry, release


@pytest.fixture
def address(as_owner: Caller) -> str:
    """A list with a captain, built on release 1, of which release 2 makes him 30 points dearer."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(), origin="a test")
    made = as_owner("POST", "/api/v1/lists/", {"system": "invented", "name": "Mine", "catalogue_id": "red"}).json()
    force = made["document"]["roster"]["forces"][0]["id"]
    edit = {"edit": "add_unit", "force_id": force, "entry_id": "captain"}
    assert as_owner("POST", f"{made['address']}edits/", edit, If_Match='"1"').status_code == 200
    assert as_owner("GET", f"{made['address']}impact/").status_code == 404
    dearer = catalogue("red", "Red Host", entry("captain", "Captain", category="hq", points=130), SQUAD)
    publishing.publish(system, release(dearer, revision=2), origin="newer")
    found: str = made["address"]
    return found


def test_the_impact_is_read_and_the_list_moved(as_owner: Caller, address: str) -> None:
    body = as_owner("GET", f"{address}impact/").json()
    assert (body["before"]["number"], body["after"]["number"], body["offered"]) == (1, 2, True)
    assert [(row["name"], row["after"] - row["before"]) for row in body["repriced"]] == [("Captain", 30.0)]
    assert (body["gone"], body["renamed"]) == ([], [])
    choice = {"release": body["after"]["id"]}
    assert as_owner("POST", f"{address}impact/move/", choice).status_code == 428
    assert as_owner("POST", f"{address}impact/move/", choice, If_Match='"1"').status_code == 409
    moved = as_owner("POST", f"{address}impact/move/", choice, If_Match='"2"')
    assert moved.status_code == 200, moved.content
    assert as_owner("GET", address).json()["release"] == body["after"]["id"]
    assert as_owner("POST", f"{address}undo/", If_Match='"3"').status_code == 200
    assert as_owner("GET", address).json()["release"] == body["before"]["id"]


def test_staying_ends_the_offer(as_owner: Caller, address: str) -> None:
    release_id = as_owner("GET", f"{address}impact/").json()["after"]["id"]
    assert as_owner("POST", f"{address}impact/stay/", {"release": release_id}).status_code == 200
    body = as_owner("GET", f"{address}impact/").json()
    assert body["offered"] is False


@pytest.mark.parametrize("who", ["as_stranger", "as_reader", "as_nobody"])
def test_nobody_else_decides(as_owner: Caller, address: str, request: pytest.FixtureRequest, who: str) -> None:
    choice = {"release": as_owner("GET", f"{address}impact/").json()["after"]["id"]}
    before: list[Any] = list(ArmyList.objects.values())
    expected = {"as_stranger": 404, "as_reader": 403, "as_nobody": 401}[who]
    caller = request.getfixturevalue(who)
    for part in ("move/", "stay/"):
        assert caller("POST", f"{address}impact/{part}", choice, If_Match='"2"').status_code == expected
    assert list(ArmyList.objects.values()) == before
