"""Heroes over the API: the endpoints of lists, with the army document itself as the stored document."""

from typing import Any

import pytest

from armybuilder.datafiles.models import PublishedSystem
from tests.api.conftest import Caller
from tests.heroes.hero import CAPTAIN, relic

__all__ = ["relic"]

pytestmark = pytest.mark.both_databases

LISTS = "/api/v1/lists/"
SWORD = {"name": "Power Sword", "kind": "wargear", "class": "weapon", "charge_value": 3}


@pytest.fixture
def hero(as_owner: Caller, relic: PublishedSystem) -> dict[str, Any]:
    """A hero of the owner's, as the API answers."""
    response = as_owner("POST", LISTS, {"system": "relic", "name": "Voyage", "character": CAPTAIN})
    assert response.status_code == 201
    made: dict[str, Any] = response.json()
    return made


def test_a_new_hero(hero: dict[str, Any], as_owner: Caller) -> None:
    assert (hero["document_kind"], hero["system"], hero["factions"]) == ("army", "relic", CAPTAIN)
    assert (hero["points"], hero["points_limit"], hero["revision"]) == (None, None, 1)
    assert hero["document"]["hero"]["attributes"] == {"strength": 4, "willpower": 3, "cunning": 2}
    checked = as_owner("POST", "/api/v1/check/", hero["document"]).json()
    assert [finding["rule"] for finding in checked["findings"]] == ["RL-13"]
    assert as_owner("GET", f"{LISTS}?system=relic").json()["results"][0]["id"] == hero["id"]


def test_a_hero_out_of_a_document(as_owner: Caller, relic: PublishedSystem) -> None:
    document = {"system": "relic", "x-tool": 1, "hero": {"level": 3, "life": 0}}
    made = as_owner("POST", LISTS, {"system": "relic", "name": "Mine", "document": document}).json()
    assert (made["name"], made["document"]["hero"]["level"], made["verdict"]) == ("Mine", 3, "illegal")


HERO = {"system": "relic", "name": "A"}


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"character": "Nobody"}, "/character"),
        ({"document": {"system": "relic", "hero": {"level": "x"}}}, "/document/hero/level"),
        ({"document": {"system": "relic", "hero": {"speed": 1}}}, "/document/hero/speed"),
        ({"document": {"system": "horus-heresy", "detachments": []}}, "/document/system"),
        ({"document": {"system": "chess"}}, "/document/system"),
        ({"system": "nowhere"}, "/system"),
    ],
)
def test_what_is_no_hero(changes: dict[str, Any], at: str, as_owner: Caller, relic: PublishedSystem) -> None:
    response = as_owner("POST", LISTS, HERO | changes)
    assert (response.status_code, response.json()["error"]["at"]) == (400, at)
    assert as_owner("GET", LISTS).json()["count"] == 0


def test_an_army_needs_a_catalogue(as_owner: Caller, game: PublishedSystem) -> None:
    response = as_owner("POST", LISTS, {"system": "horus-heresy", "name": "A"})
    assert response.json()["error"]["at"] == "/catalogue_id"


def test_edits_undo_and_the_verdict(hero: dict[str, Any], as_owner: Caller) -> None:
    address = hero["address"]
    cards = [{"edit": "take_power_card", "card": {"number": number}} for number in (5, 3)]
    response = as_owner("POST", f"{address}edits/", cards, If_Match='"1"')
    body = response.json()
    assert (response.status_code, response.headers["ETag"]) == (200, '"2"')
    assert (body["report"]["verdict"], body["report"]["points"]) == ("legal", {"total": None, "limit": None})
    assert body["summary"]["ru"] == "Взята карта Силы 5; Взята карта Силы 3"
    assert as_owner("POST", f"{address}edits/", cards[0], If_Match='"1"').status_code == 409
    broken = as_owner("POST", f"{address}edits/", {"edit": "take_asset", "card": SWORD}, If_Match='"2"').json()
    assert [finding["at"] for finding in broken["report"]["findings"]] == ["/hero/assets"]
    assert as_owner("POST", f"{address}undo/", If_Match='"3"').json()["report"]["legal"] is True
    report = as_owner("POST", f"{address}check/").json()
    assert (report["rule_pack"], report["verdict"], report["findings"]) == ("relic", "legal", [])


def test_edits_of_armies_are_refused(hero: dict[str, Any], as_owner: Caller) -> None:
    for edit in ({"edit": "set_points_limit", "points_limit": 100}, {"edit": "remove", "node_id": "a"}):
        response = as_owner("POST", f"{hero['address']}edits/", edit, If_Match="*")
        assert (response.status_code, response.json()["error"]["at"]) == (400, "/edit")
    assert as_owner("PATCH", hero["address"], {"name": "Other"}, If_Match="*").json()["document"]["name"] == "Other"


def test_a_shared_hero_is_read_and_checked_by_anybody_and_changed_by_nobody(
    hero: dict[str, Any], as_owner: Caller, as_stranger: Caller, as_nobody: Caller
) -> None:
    address = hero["address"]
    assert as_stranger("GET", address).status_code == 404
    token = as_owner("POST", f"{address}share-links/", {}).json()["token"]
    assert as_nobody("GET", f"{address}?share={token}").json()["document"] == hero["document"]
    assert as_nobody("POST", f"{address}check/?share={token}").json()["verdict"] == "illegal"
    edit = {"edit": "set_dial", "dial": "life", "value": 1}
    assert as_stranger("POST", f"{address}edits/?share={token}", edit, If_Match="*").status_code == 404


def test_what_belongs_to_rosters_only(hero: dict[str, Any], as_owner: Caller) -> None:
    assert as_owner("GET", f"{hero['address']}offers/?under=x").json() == []
    assert as_owner("GET", f"{hero['address']}explanations/").json() == []


def test_every_edit_is_a_revision(hero: dict[str, Any], as_owner: Caller) -> None:
    as_owner("POST", f"{hero['address']}edits/", {"edit": "take_asset", "card": SWORD}, If_Match="*")
    revisions = as_owner("GET", f"{hero['address']}revisions/").json()["results"]
    assert [row["number"] for row in revisions] == [2, 1]


def test_the_cards_on_offer(as_nobody: Caller, relic: PublishedSystem) -> None:
    cards = as_nobody("GET", "/api/v1/systems/relic/cards/").json()
    assert CAPTAIN in {card["name"] for card in cards["characters"]}
    sword = next(card for card in cards["assets"] if card["name"] == "Power Sword")
    assert (sword["class"], sword["cost"], sword["battle_bonus"]) == ("weapon", 4, {"color": "grey", "value": 3})


def test_a_game_of_armies_has_no_cards(as_nobody: Caller, game: PublishedSystem) -> None:
    assert as_nobody("GET", "/api/v1/systems/horus-heresy/cards/").json()["characters"] == []
