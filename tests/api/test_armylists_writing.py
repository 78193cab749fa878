"""Changing stored lists over the API: nothing is overwritten, nothing half done, every refusal points to its place."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from armybuilder.accounts.viewers import new_guest_key, signed_guest_key
from armybuilder.armylists.models import ArmyList, Revision
from armybuilder.datafiles.models import PublishedSystem
from tests.api.conftest import Caller
from tests.armylists.conftest import AUXILIA, SONS

pytestmark = pytest.mark.both_databases

LISTS = "/api/v1/lists/"
SQUAD, PRAETOR = "hh-la-assault-squad", "hh-la-praetor"


def new_list(**changes: Any) -> dict[str, Any]:
    return {"system": "horus-heresy", "name": "Muster", "catalogue_id": SONS, "points_limit": 2000} | changes


def force_of(army_list: dict[str, Any]) -> str:
    force: str = army_list["document"]["roster"]["forces"][0]["id"]
    return force


def add_unit(army_list: dict[str, Any], entry_id: str = SQUAD) -> dict[str, Any]:
    return {"edit": "add_unit", "force_id": force_of(army_list), "entry_id": entry_id}


def resolved(document: Any, pointer: str) -> Any:
    """What a JSON pointer leads to."""
    for token in pointer.split("/")[1:]:
        document = document[int(token)] if isinstance(document, list) else document[token]
    return document


def test_a_new_list(as_owner: Caller, game: PublishedSystem) -> None:
    response = as_owner("POST", LISTS, new_list(allegiance="traitor", folder="club", allied_catalogue_id=AUXILIA))
    body = response.json()
    assert (response.status_code, response.headers["ETag"]) == (201, '"1"')
    assert response.headers["Location"] == body["address"] == f"{LISTS}{body['id']}/"
    assert (body["name"], body["points"], body["points_limit"], body["folder"]) == ("Muster", 0, 2000, "club")
    assert (body["verdict"], body["finding_counts"]["errors"] > 0) == (
        "illegal",
        True,
    )  # nothing is in it yet
    assert [force["catalogue_id"] for force in body["document"]["roster"]["forces"]] == [SONS, AUXILIA]
    assert body["document"]["facts"]["allegiance"] == "traitor"
    assert as_owner("GET", response.headers["Location"]).json() == body


@pytest.mark.parametrize(
    ("case", "changes", "at"),
    [
        ("an unknown system", {"system": "chess"}, "/system"),
        ("an unknown catalogue", {"catalogue_id": "none"}, "/catalogue_id"),
        ("an unknown catalogue of the ally", {"allied_catalogue_id": "none"}, "/allied_catalogue_id"),
        ("an unknown detachment", {"force_entry_id": "none"}, "/force_entry_id"),
        ("an unknown field", {"colour": "red"}, "/colour"),
        ("text for points", {"points_limit": "2000"}, "/points_limit"),
        ("too many points", {"points_limit": 10**9}, "/points_limit"),
        ("no name", {"name": ""}, "/name"),
        ("a long name", {"name": "x" * 121}, "/name"),
        ("a NUL", {"name": "a\0"}, "/name"),
    ],
)
def test_a_new_list_that_cannot_be_is_refused_with_its_pointer(
    as_owner: Caller, game: PublishedSystem, case: str, changes: dict[str, Any], at: str
) -> None:
    response = as_owner("POST", LISTS, new_list(**changes))
    assert (response.status_code, response.json()["error"]["at"]) == (400, at), (case, response.json())
    assert ArmyList.objects.count() == 0


def test_a_limit_of_minus_one_is_a_finding_not_bad_input(as_owner: Caller, game: PublishedSystem) -> None:
    body = as_owner("POST", LISTS, new_list(points_limit=-1)).json()
    findings = as_owner("POST", f"{body['address']}check/").json()["findings"]
    assert "HH-04" in {finding["rule"] for finding in findings}


def test_a_guest_builds_with_the_cookie_and_csrf_token(game: PublishedSystem) -> None:
    browser, key = Client(enforce_csrf_checks=True), new_guest_key()
    browser.cookies["guest"] = signed_guest_key(key)
    assert browser.post(LISTS, data=new_list(), content_type="application/json").status_code == 403
    assert ArmyList.objects.count() == 0
    browser.cookies["csrftoken"] = secret = "a" * 32
    created = browser.post(LISTS, data=new_list(), content_type="application/json", headers={"X-CSRFToken": secret})
    assert created.status_code == 201
    assert ArmyList.objects.get().guest_key == key
    assert browser.get(created.headers["Location"]).status_code == 200


def test_an_edit_answers_with_the_list_and_its_verdict(as_owner: Caller, muster: dict[str, Any]) -> None:
    response = as_owner("POST", f"{muster['address']}edits/", add_unit(muster), If_Match='"1"')
    body = response.json()
    assert (response.status_code, response.headers["ETag"], body["list"]["revision"]) == (200, '"2"', 2)
    assert body["list"]["points"] == body["report"]["points"]["total"] == 145
    (unit,) = body["list"]["document"]["roster"]["forces"][0]["selections"]
    assert body["node_id"] == unit["id"]
    assert (body["summary"]["en"], body["summary"]["ru"]) != ("", "")
    assert (body["report"]["verdict"], body["report"]["legal"], body["report"]["unchecked"]) == ("illegal", False, [])
    assert as_owner("GET", muster["address"]).json() == body["list"]


def test_findings_point_into_the_stored_document(as_owner: Caller, muster: dict[str, Any]) -> None:
    edits = [add_unit(muster, PRAETOR)] * 4
    body = as_owner("POST", f"{muster['address']}edits/", edits, If_Match='"1"').json()
    findings = as_owner("POST", f"{muster['address']}check/").json()["findings"]
    assert findings == body["report"]["findings"]
    assert {finding["origin"] for finding in findings} <= {"rulebook", "data"}
    pointed = [finding for finding in findings if finding["at"] and finding["node_id"]]
    assert pointed
    for finding in pointed:
        assert resolved(body["list"]["document"], finding["at"])["id"] == finding["node_id"], finding


@pytest.mark.parametrize(
    ("case", "headers", "status", "code"),
    [
        ("missing", {}, 428, "precondition-required"),
        ("stale", {"If_Match": '"7"'}, 409, "revision-conflict"),
        ("weak", {"If_Match": 'W/"1"'}, 200, None),
        ("any", {"If_Match": "*"}, 200, None),
        ("no tag", {"If_Match": "1"}, 400, "bad-value"),
        ("too large", {"If_Match": f'"{"9" * 40}"'}, 400, "bad-value"),
    ],
)
@pytest.mark.parametrize(
    ("method", "part", "body"),
    [
        ("POST", "edits/", {"edit": "set_name", "name": "Renamed"}),
        ("PATCH", "", {"name": "Renamed"}),
        ("PATCH", "", {"folder": "club"}),
        ("POST", "undo/", None),
        ("POST", "revisions/1/restore/", None),
        ("DELETE", "", None),
    ],
)
def test_every_change_names_the_state_it_is_meant_for(
    as_owner: Caller,
    muster: dict[str, Any],
    method: str,
    part: str,
    body: object,
    case: str,
    headers: dict[str, str],
    status: int,
    code: str | None,
) -> None:
    before = ArmyList.objects.values().get()
    response = as_owner(method, f"{muster['address']}{part}", body, **headers)
    if code is None:
        allowed = {200, 204, 422} if part == "undo/" else {200, 204}  # nothing to undo is another refusal
        assert response.status_code in allowed, (case, response.content)
        return
    problem = response.json()
    assert (response.status_code, problem["code"]) == (status, code), case
    if code == "revision-conflict":
        assert (problem["current_revision"], response.headers["ETag"]) == (1, '"1"')
    assert ArmyList.objects.values().get() == before
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    ("case", "body", "at"),
    [
        ("one edit", {"edit": "add_unit", "force_id": "F", "entry_id": "none"}, "/entry_id"),
        ("a list of one", [{"edit": "add_unit", "force_id": "F", "entry_id": "none"}], "/0/entry_id"),
        (
            "the second of two",
            [{"edit": "set_name", "name": "Other"}, {"edit": "add_unit", "force_id": "F", "entry_id": "none"}],
            "/1/entry_id",
        ),
        ("in an object", {"edits": [{"edit": "remove", "node_id": "none"}]}, "/edits/0/node_id"),
        (
            "the second in an object",
            {"edits": [{"edit": "set_name", "name": "Other"}, {"edit": "remove", "node_id": "none"}]},
            "/edits/1/node_id",
        ),
        ("an unknown edit", {"edit": "fly"}, "/edit"),
        ("a missing member", {"edit": "remove"}, "/node_id"),
        ("an unknown member", {"edit": "remove", "node_id": "x", "mood": 1}, "/mood"),
        ("text for a number", {"edit": "set_amount", "selection_id": "x", "amount": "3"}, "/amount"),
        ("no edit", [], ""),
        ("an unknown fact", {"edit": "set_facts", "facts": {"mood": "good"}}, "/facts/mood"),
    ],
)
def test_a_refused_edit_points_to_the_place_and_changes_nothing(
    as_owner: Caller, muster: dict[str, Any], case: str, body: Any, at: str
) -> None:
    before = ArmyList.objects.values().get()
    for edit in body if isinstance(body, list) else body.get("edits", [body]):
        if edit.get("force_id") == "F":
            edit["force_id"] = force_of(muster)
    response = as_owner("POST", f"{muster['address']}edits/", body, If_Match='"1"')
    assert (response.status_code, response.json()["error"]["at"]) == (400, at), (case, response.json())
    assert ArmyList.objects.values().get() == before
    assert Revision.objects.count() == 1


def test_undo_and_redo(as_owner: Caller, muster: dict[str, Any]) -> None:
    address = muster["address"]
    as_owner("POST", f"{address}edits/", add_unit(muster), If_Match='"1"')
    undone = as_owner("POST", f"{address}undo/", If_Match='"2"').json()
    assert (undone["list"]["points"], undone["list"]["revision"]) == (0, 3)
    redone = as_owner("POST", f"{address}redo/", If_Match='"3"').json()
    assert (redone["list"]["points"], redone["list"]["revision"]) == (145, 4)
    response = as_owner("POST", f"{address}redo/", If_Match='"4"')
    assert (response.status_code, response.json()["code"]) == (422, "nothing-to-redo")
    restored = as_owner("POST", f"{address}revisions/1/restore/", If_Match='"4"').json()
    assert (restored["list"]["points"], restored["list"]["revision"]) == (0, 5)
    rows = as_owner("GET", f"{address}revisions/").json()["results"]
    assert [row["kind"] for row in rows] == ["restored", "redo", "undo", "edit", "created"]


def test_changing_name_limit_folder_and_tags(as_owner: Caller, muster: dict[str, Any]) -> None:
    change = {"name": "Spearhead", "points_limit": None, "folder": "club", "tags": ["fast"]}
    body = as_owner("PATCH", muster["address"], change, If_Match='"1"').json()
    assert {name: body[name] for name in change} == change
    assert body["revision"] == 2
    body = as_owner("PATCH", muster["address"], {"tags": []}, If_Match='"2"').json()
    assert (body["tags"], body["folder"], body["revision"]) == ([], "club", 2)  # filing is no change of the list
    for wrong, at in (({"tags": ["x" * 31]}, "/tags/0"), ({"verdict": "legal"}, "/verdict"), ({"name": None}, "/name")):
        response = as_owner("PATCH", muster["address"], wrong, If_Match='"2"')
        assert (response.status_code, response.json()["error"]["at"]) == (400, at)


def test_deleting_and_restoring(as_owner: Caller, as_nobody: Caller, muster: dict[str, Any]) -> None:
    address = muster["address"]
    link = as_owner("POST", f"{address}share-links/", {}).json()
    assert as_owner("DELETE", address, If_Match='"1"').status_code == 204
    assert as_owner("GET", address).status_code == 404
    assert as_nobody("GET", link["address"]).status_code == 404
    assert as_owner("POST", f"{address}restore/").json()["name"] == "Muster"
    assert as_owner("GET", address).status_code == 200
    assert as_nobody("GET", link["address"]).status_code == 200


def test_copies(as_owner: Caller, muster: dict[str, Any]) -> None:
    response = as_owner("POST", f"{muster['address']}copies/", {"name": "Second"})
    body = response.json()
    assert (response.status_code, body["name"], body["revision"]) == (201, "Second", 1)
    assert body["id"] != muster["id"]
    assert as_owner("GET", response.headers["Location"]).json()["name"] == "Second"


def test_a_unit_is_copied_into_another_list(as_owner: Caller, as_friend: Caller, muster: dict[str, Any]) -> None:
    (force,) = as_owner("GET", muster["address"]).json()["document"]["roster"]["forces"]
    add = {"edit": "add_unit", "force_id": force["id"], "entry_id": "hh-la-tactical-squad"}
    unit = as_owner("POST", f"{muster['address']}edits/", add, If_Match="*").json()["node_id"]
    other = as_owner("POST", f"{muster['address']}copies/", {"name": "Second"}).json()
    address = f"{muster['address']}units/{unit}/copies/"
    response = as_owner("POST", address, {"list_id": other["id"]})
    body = response.json()
    assert (response.status_code, body["list"]["id"], body["list"]["revision"]) == (200, other["id"], 2)
    assert body["summary"]["en"].startswith("Copied Tactical Squad from “Muster”")
    assert body["node_id"] not in (None, unit)
    problem = as_owner("POST", address, {"list_id": other["id"], "force_id": "nowhere"}).json()
    assert (problem["status"], problem["error"]["at"]) == (400, "/force_id")
    assert as_friend("POST", address, {"list_id": other["id"]}).status_code == 404


def test_share_links_are_made_read_copied_and_revoked(
    as_owner: Caller, as_friend: Caller, as_nobody: Caller, muster: dict[str, Any]
) -> None:
    links = f"{muster['address']}share-links/"
    response = as_owner("POST", links, {"expires_at": "2999-01-01T00:00:00Z"})
    link = response.json()
    assert (response.status_code, response.headers["Location"], link["is_open"]) == (201, link["address"], True)
    assert link["url"] == f"http://testserver/s/{link['token']}/"
    assert as_owner("GET", links).json() == [link]
    assert as_nobody("GET", link["address"]).json()["name"] == "Muster"
    report = as_nobody("POST", f"{link['address']}check/").json()
    assert report == as_owner("POST", f"{muster['address']}check/").json()
    copy = as_friend("POST", f"{link['address']}copies/")
    assert (copy.status_code, as_friend("GET", copy.headers["Location"]).status_code) == (201, 200)
    assert as_owner("DELETE", f"{links}{link['token']}/").status_code == 204
    assert as_nobody("GET", link["address"]).status_code == 404
    assert as_owner("GET", links).json()[0]["is_open"] is False
    odd = as_owner("POST", links, {"expires_at": "2999-01-01T00:00:00-17:12"})
    assert (odd.status_code, odd.json()["expires_at"]) == (201, "2999-01-01T17:12:00Z")
    for wrong in ("2001-01-01T00:00:00Z", "2999-01-01T00:00:00", "soon"):
        response = as_owner("POST", links, {"expires_at": wrong})
        assert (response.status_code, response.json()["error"]["at"]) == (400, "/expires_at")


def test_what_a_list_offers(as_owner: Caller, muster: dict[str, Any]) -> None:
    offers = f"{muster['address']}offers/"
    units = as_owner("GET", f"{offers}?under={force_of(muster)}").json()
    squad = next(unit for unit in units if unit.get("entry_id") == SQUAD)
    assert (squad["is"], squad["type"], squad["current"], squad["hidden"]) == ("offer", "unit", 0, False)
    assert squad["costs"] == [{"name": "Pts", "value": 37.0}]  # of one, without the nine that it brings along
    added = as_owner("POST", f"{muster['address']}edits/", add_unit(muster), If_Match='"1"').json()
    options = as_owner("GET", f"{offers}?under={added['node_id']}").json()
    group = next(item for item in options if item["is"] == "group")
    choice = next(
        offer
        for item in options
        for offer in item.get("offers", [item])
        if offer["is"] == "offer" and not offer["hidden"] and offer["current"] == 0
    )
    assert group["offers"]
    edit = {"edit": "select", "parent_id": added["node_id"], "entry_id": choice["entry_id"]}
    taken = as_owner("POST", f"{muster['address']}edits/", edit, If_Match='"2"')
    assert (taken.status_code, taken.json()["list"]["revision"]) == (200, 3)
    assert as_owner("GET", offers).json()["error"]["at"] == "/under"
    response = as_owner("GET", f"{offers}?under=none")
    assert (response.status_code, response.json()["code"]) == (404, "unknown-node")


def test_a_missing_list_is_not_found_by_any_method(as_owner: Caller, game: PublishedSystem) -> None:
    for method, part in (("GET", ""), ("POST", "edits/"), ("POST", "check/"), ("DELETE", "")):
        body = {"edit": "set_name", "name": "x"} if part == "edits/" else None
        response = as_owner(method, f"{LISTS}{uuid4()}/{part}", body, If_Match='"1"')
        assert (response.status_code, response.json()["code"]) == (404, "not-found"), part
