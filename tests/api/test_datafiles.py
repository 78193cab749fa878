"""Game data over the API: administrators import, read the report and publish; nobody else does any of it."""

import zipfile
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest

from armybuilder.accounts.models import User
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.reference.models import UnitEntry
from tests.api.conftest import Caller, caller_of
from tests.datafiles.data_server import data_server
from tests.gamedata_files import release

RELEASES = "/api/v1/releases/"


@pytest.fixture
def as_administrator(administrator: User) -> Caller:
    return caller_of(administrator)


def archive(**changed: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        for file in release():
            written.writestr(file.name, changed.get(file.name.partition(".")[0], file.content))
    return out.getvalue()


def send(caller: Caller, data: bytes, query: str = "") -> Any:
    return caller.client.generic("POST", RELEASES + query, data, content_type="application/zip", headers=caller.headers)


def test_an_archive_is_read_reported_and_published(as_administrator: Caller) -> None:
    key = uuid4()
    assert as_administrator("GET", f"{RELEASES}progress/{key}/").status_code == 404
    answer = send(as_administrator, archive(), f"?file_name=mine.zip&progress={key}")
    assert answer.status_code == 201, answer.content
    (made,) = answer.json()
    assert (made["system"], made["number"], made["current"], made["origin"]) == ("invented-game", 1, False, "mine.zip")
    red = next(row for row in made["catalogues"] if row["id"] == "red")
    assert (red["units"], red["entries"], red["whole"], red["unresolved"], red["unsupported"]) == (2, 6, True, 0, 0)
    assert red["understood"] > 20
    progress = as_administrator("GET", f"{RELEASES}progress/{key}/").json()
    assert (progress["done"], progress["total"]) == (1, 2)
    assert not UnitEntry.objects.exists()

    published = as_administrator("POST", f"{RELEASES}{made['id']}/publish/")
    assert (published.status_code, published.json()["current"]) == (200, True)
    assert UnitEntry.objects.count() == 3
    again = send(as_administrator, archive(), "?publish=true").json()
    assert [row["id"] for row in again] == [made["id"]] and DataRelease.objects.count() == 1
    assert as_administrator("GET", f"{RELEASES}?system=invented-game").json() == [published.json()]


def test_an_index_is_read_from_its_address(as_administrator: Caller, settings: Any) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    with data_server() as server:
        server.answers = {"/repo.bsr": archive()}
        answer = as_administrator("POST", f"{RELEASES}?publish=true", {"addresses": [server.address("/repo.bsr")]})
    assert answer.status_code == 201, answer.content
    assert answer.json()[0]["current"] is True


@pytest.mark.parametrize(
    ("case", "body", "status", "words"),
    [
        ("a path of the server", {"addresses": ["/etc/passwd"]}, 422, "is no https address"),
        ("a private address", {"addresses": ["https://127.0.0.1/a.zip"]}, 422, "private address"),
        ("a strange member", {"paths": []}, 400, "paths"),
    ],
)
def test_what_may_not_be_read_is_refused(
    as_administrator: Caller, case: str, body: object, status: int, words: str
) -> None:
    answer = as_administrator("POST", RELEASES, body)
    assert (answer.status_code, words in answer.content.decode()) == (status, True), case
    assert not PublishedSystem.objects.exists()


def test_a_broken_file_is_named_and_what_is_published_stays(as_administrator: Caller) -> None:
    before = send(as_administrator, archive(), "?publish=true").json()
    answer = send(as_administrator, archive(blue=release()[2].content[:700]), "?publish=true")
    assert answer.status_code == 422 and "blue.cat" in answer.content.decode()
    assert as_administrator("GET", RELEASES).json() == before


@pytest.mark.parametrize("who", ["as_owner", "as_nobody", "staff", "an administrator's reading token"])
def test_nobody_else_reads_or_changes_game_data(
    request: pytest.FixtureRequest, administrator: User, stranger: User, who: str
) -> None:
    made = send(caller_of(administrator), archive(), "?publish=true").json()[0]
    waiting = send(caller_of(administrator), archive(names=b""), "").json()[0]
    stranger.is_staff = True
    stranger.save()
    if who == "staff":
        caller = caller_of(stranger)
    elif who.startswith("an"):
        caller = caller_of(administrator, scope="read")
    else:
        caller = request.getfixturevalue(who)
    expected = 401 if who == "as_nobody" else 403
    other = archive(blue=release(revision=7)[2].content)
    assert send(caller, other, "?publish=true").status_code == expected
    assert caller("POST", f"{RELEASES}{waiting['id']}/publish/").status_code == expected
    if not who.startswith("an"):
        for address in (RELEASES, f"{RELEASES}{made['id']}/", f"{RELEASES}progress/{uuid4()}/"):
            assert caller("GET", address).status_code == expected
    assert DataRelease.objects.count() == 2
    assert str(PublishedSystem.objects.get().current_release_id) == made["id"]
