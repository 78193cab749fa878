"""Roster files and explanations over the API: out, in, what is lost, and who may."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from armybuilder.accounts.models import User
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.share_links import new_token
from armybuilder.datafiles.models import DataImport, PublishedSystem
from tests.api.conftest import Caller, caller_of
from tests.armylists.conftest import fixture_library

IMPORTS = "/api/v1/lists/imports/"


@pytest.fixture(autouse=True)
def _known_by_its_data(game: PublishedSystem) -> None:
    game.battlescribe_id = fixture_library().system_id
    game.save()


def with_unit(caller: Caller, muster: dict[str, Any]) -> dict[str, Any]:
    """The list with its first unit on offer; the edit's answer."""
    force = muster["document"]["roster"]["forces"][0]
    offers = caller("GET", f"{muster['address']}offers/?under={force['id']}").json()
    offer = next(row for row in offers if row["is"] == "offer" and not row["hidden"])
    edit = {"edit": "add_unit", "force_id": force["id"], "entry_id": offer["entry_id"]}
    answer = caller("POST", f"{muster['address']}edits/", edit, If_Match='"1"')
    assert answer.status_code == 200, answer.content
    return {**answer.json(), "force": force["id"], "offer": offer}


def send(caller: Caller, data: bytes, query: str = "") -> Any:
    return caller.client.generic(
        "POST", IMPORTS + query, data, content_type="application/octet-stream", headers=caller.headers
    )


@pytest.mark.parametrize("zipped", ["false", "true"])
def test_a_list_goes_out_and_comes_back(as_owner: Caller, muster: dict[str, Any], zipped: str) -> None:
    with_unit(as_owner, muster)
    out = as_owner("GET", f"{muster['address']}file/?zipped={zipped}")
    ending = "rosz" if zipped == "true" else "ros"
    assert out.status_code == 200
    assert out["Content-Disposition"] == f'attachment; filename="Muster.{ending}"'
    back = send(as_owner, out.content, f"?file_name=Muster.{ending}&name=Again")
    assert back.status_code == 201, back.content
    body = back.json()
    assert (body["lost"], body["list"]["name"]) == ([], "Again")
    assert back["Location"] == body["list"]["address"]
    assert as_owner("GET", f"{body['list']['address']}file/?zipped=false").content == as_owner(
        "GET", f"{muster['address']}file/?zipped=false"
    ).content.replace(b'name="Muster"', b'name="Again"')


def test_what_is_lost_is_listed(as_owner: Caller, muster: dict[str, Any]) -> None:
    added = with_unit(as_owner, muster)
    out = as_owner("GET", f"{muster['address']}file/").content
    changed = out.replace(f'entryId="{added["offer"]["entry_id"]}"'.encode(), b'entryId="gone"')
    (lost,) = send(as_owner, changed).json()["lost"]
    assert lost["entry_id"] == "gone" and lost["name"]


@pytest.mark.parametrize(
    ("case", "data", "status"),
    [
        ("nothing", b"", 400),
        ("no roster", b"<a/>", 422),
        ("no XML", b"\x00\x01", 422),
        ("a cut zip", b"PK\x03\x04", 422),
    ],
)
def test_a_bad_file_is_refused_and_nothing_stored(
    as_owner: Caller, muster: dict[str, Any], case: str, data: bytes, status: int
) -> None:
    answer = send(as_owner, data, "?file_name=mine.ros")
    assert answer.status_code == status, case
    assert answer["Content-Type"] == "application/problem+json"
    assert status == 400 or "mine.ros" in answer.content.decode()
    assert ArmyList.objects.count() == 1


@pytest.mark.parametrize("path", ["/api/v1/lists/imports/", "/api/v1/lists/imports/reviews/", "/api/v1/releases/"])
def test_a_form_is_no_file(as_owner: Caller, administrator: User, path: str) -> None:
    """`curl --form` was read as a zip that is none, or as the lines of a text."""
    caller = caller_of(administrator, ["data"]) if "releases" in path else as_owner
    for language, words in (("en", "Send the file itself"), ("ru", "Отправьте телом запроса сам файл")):
        headers = caller.headers | {"Accept-Language": language}
        answer = caller.client.post(path, {"files": SimpleUploadedFile("list.ros", b"<roster/>")}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-document")
        assert words in answer.json()["detail"]
    assert not ArmyList.objects.exists() and not DataImport.objects.exists()


def test_who_may_save_a_list_as_a_file(
    as_owner: Caller, as_reader: Caller, as_friend: Caller, as_stranger: Caller, muster: dict[str, Any]
) -> None:
    link = ShareLink.objects.create(token=new_token(), army_list_id=muster["id"])
    assert as_reader("GET", f"{muster['address']}file/").status_code == 200
    assert as_stranger("GET", f"{muster['address']}file/").status_code == 404
    assert as_friend("GET", f"{muster['address']}file/?share={link.token}").status_code == 200
    assert as_friend("GET", f"/api/v1/shared/{link.token}/file/").status_code == 200
    out = as_owner("GET", f"{muster['address']}file/").content
    assert send(as_reader, out).status_code == 403
    assert send(Caller(), out).status_code == 401
    assert ArmyList.objects.count() == 1


def test_offers_explain_what_cannot_be_taken(as_owner: Caller, muster: dict[str, Any]) -> None:
    force = muster["document"]["roster"]["forces"][0]["id"]
    before = as_owner("GET", f"{muster['address']}offers/?under={force}").json()
    only = next(row["entry_id"] for row in before if row["is"] == "offer" and row["room"] == 1)
    edit = {"edit": "add_unit", "force_id": force, "entry_id": only}
    assert as_owner("POST", f"{muster['address']}edits/", edit, If_Match="*").status_code == 200
    plain = as_owner("GET", f"{muster['address']}offers/?under={force}").json()
    told = as_owner("GET", f"{muster['address']}offers/?under={force}&explain=true").json()
    assert all(row["explanation"] is None for row in plain if row["is"] == "offer")
    blocked = [row for row in told if row["is"] == "offer" and (row["hidden"] or row["room"] == 0)]
    assert only in [row["entry_id"] for row in blocked]
    for row in blocked:
        assert row["explanation"]["blocked"] is True
        assert all(set(reason["text"]) == {"en", "ru"} for reason in row["explanation"]["reasons"])
    assert all(row["explanation"] is None for row in told if row["is"] == "offer" and row not in blocked)


def test_objections_of_the_data_are_explained_with_repairs(
    as_owner: Caller, as_stranger: Caller, muster: dict[str, Any]
) -> None:
    found = as_owner("GET", f"{muster['address']}explanations/").json()
    assert {row["rule"] for row in found} == {"BS-01"}
    assert all(row["at"] == "/roster/forces/0" for row in found)
    force = muster["document"]["roster"]["forces"][0]["id"]
    offers = as_owner("GET", f"{muster['address']}offers/?under={force}").json()
    entry = next(row["entry_id"] for row in offers if row["is"] == "offer")
    (one,) = as_owner("GET", f"{muster['address']}explanations/?under={force}&entry={entry}").json()
    assert (one["rule"], one["explanation"]["entry_id"]) == (None, entry)
    assert as_owner("GET", f"{muster['address']}explanations/?under={force}").status_code == 400
    assert as_owner("GET", f"{muster['address']}explanations/?under={force}&entry=x").status_code == 404
    assert as_stranger("GET", f"{muster['address']}explanations/").status_code == 404


def test_every_format_is_listed_and_at_its_address(
    as_owner: Caller, as_friend: Caller, as_stranger: Caller, muster: dict[str, Any]
) -> None:
    with_unit(as_owner, muster)
    link = ShareLink.objects.create(token=new_token(), army_list_id=muster["id"])
    listed = as_owner("GET", f"{muster['address']}exports/").json()
    assert [row["id"] for row in listed] == list(FORMATS)
    for row in listed:
        assert row["address"] == f"{muster['address']}exports/{row['id']}/"
        answer = as_owner("GET", row["address"])
        assert (answer.status_code, answer["Content-Type"]) == (200, row["media_type"]), row["id"]
        assert as_friend("GET", f"/api/v1/shared/{link.token}/exports/{row['id']}/").content == answer.content
    through_link = as_friend("GET", f"{muster['address']}exports/?share={link.token}").json()
    assert as_friend("GET", through_link[0]["address"]).status_code == 200
    assert as_stranger("GET", f"{muster['address']}exports/").status_code == 404
    assert as_stranger("GET", f"{muster['address']}exports/json/").status_code == 404
    assert as_owner("GET", f"{muster['address']}exports/exe/").status_code == 404
    assert "Вердикт" in as_owner("GET", f"{muster['address']}exports/plain/?language=ru").content.decode()


def test_the_sites_own_format_comes_back_with_its_verdict(as_owner: Caller, muster: dict[str, Any]) -> None:
    with_unit(as_owner, muster)
    file = as_owner("GET", f"{muster['address']}exports/json/")
    back = send(as_owner, file.content, "?file_name=mine.json")
    assert back.status_code == 201, back.content
    made = back.json()["list"]
    for path in ("verdict", "points", "points_limit", "name", "finding_counts", "release"):
        assert made[path] == as_owner("GET", muster["address"]).json()[path], path
    refused = send(as_owner, b'{"format": "x", "version": 1, "game": {"id": "x"}, "document": {}}')
    assert refused.status_code == 400 and "/format" in refused.content.decode()
