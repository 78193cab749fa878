"""Game data over the API: administrators import, read the report and publish; nobody else does any of it."""

import zipfile
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.admin.models import LogEntry

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.reference import import_queue
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


def performed(caller: Caller, answer: Any) -> Any:
    """The import that an answer speaks of, after a worker took it up."""
    assert answer.status_code == 202, answer.content
    address = answer["Location"]
    assert caller("GET", address).json()["state"] == "queued"
    import_queue.perform(UUID(answer.json()["id"]))
    return caller("GET", address).json()


def imported(caller: Caller, data: bytes, query: str = "") -> list[Any]:
    """The releases an archive came to."""
    done = performed(caller, send(caller, data, query))
    assert done["state"] == "done", done
    return [caller("GET", f"{RELEASES}{release}/").json() for release in done["releases"]]


def test_an_archive_is_read_reported_and_published(as_administrator: Caller) -> None:
    assert as_administrator("GET", f"{RELEASES}imports/{uuid4()}/").status_code == 404
    (made,) = imported(as_administrator, archive(), "?file_name=mine.zip")
    assert (made["system"], made["number"], made["current"], made["origin"]) == ("invented-game", 1, False, "mine.zip")
    red = next(row for row in made["catalogues"] if row["id"] == "red")
    assert (red["units"], red["entries"], red["whole"], red["unresolved"], red["unsupported"]) == (2, 6, True, 0, 0)
    assert red["understood"] > 20
    assert not UnitEntry.objects.exists()

    published = as_administrator("POST", f"{RELEASES}{made['id']}/publish/")
    assert (published.status_code, published.json()["current"]) == (200, True)
    assert UnitEntry.objects.count() == 3
    again = imported(as_administrator, archive(), "?publish=true")
    assert [row["id"] for row in again] == [made["id"]] and DataRelease.objects.count() == 1
    assert as_administrator("GET", f"{RELEASES}?system=invented-game").json() == [published.json()]


def test_an_index_is_read_from_its_address(as_administrator: Caller, settings: Any) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    with data_server() as server:
        server.answers = {"/repo.bsr": archive()}
        answer = as_administrator("POST", f"{RELEASES}?publish=true", {"addresses": [server.address("/repo.bsr")]})
        done = performed(as_administrator, answer)
    (release_id,) = done["releases"]
    assert as_administrator("GET", f"{RELEASES}{release_id}/").json()["current"] is True


def test_an_import_is_stopped(as_administrator: Caller) -> None:
    answer = send(as_administrator, archive(), "?publish=true")
    stopped = as_administrator("DELETE", answer["Location"])
    assert (stopped.status_code, stopped.json()["state"]) == (200, "cancelled")
    import_queue.perform(UUID(answer.json()["id"]))
    assert not DataRelease.objects.exists()


def test_one_file_of_a_set_is_replaced_alone(as_administrator: Caller) -> None:
    imported(as_administrator, archive(), "?publish=true")
    blue = release()[2]
    changed = blue.content.replace(b'value="50"', b'value="70"')
    (made,) = imported(as_administrator, changed, "?publish=true&system=invented-game&file_name=blue.cat")
    assert made["number"] == 2 and {row["id"] for row in made["catalogues"]} == {"red", "blue"}
    assert sorted(UnitEntry.objects.filter(name="Line Squad").values_list("points", flat=True)) == [70, 90]


@pytest.mark.parametrize(
    ("case", "body", "status", "words"),
    [
        ("a path of the server", {"addresses": ["/etc/passwd"]}, 422, "is no https address"),
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
    before = imported(as_administrator, archive(), "?publish=true")
    cut = {name: release()[at].content[:700] for at, name in ((1, "red"), (2, "blue"))}
    done = performed(as_administrator, send(as_administrator, archive(**cut), "?publish=true"))
    assert done["state"] == "failed" and not done["releases"]
    assert [name for name in ("red.cat", "blue.cat") if any(name in text for text in done["problems"])] == [
        "red.cat", "blue.cat",
    ]  # fmt: skip
    assert as_administrator("GET", RELEASES).json() == before


def test_acts_of_administrators_are_kept_and_told(
    as_administrator: Caller, administrator: User, caplog: pytest.LogCaptureFixture
) -> None:
    """What was published over the API left no trail at all."""
    with caplog.at_level("INFO", logger="armybuilder.security"):
        (made,) = imported(as_administrator, archive())
        published = f"{RELEASES}{made['id']}/publish/"
        assert as_administrator("POST", published).status_code == 200
        assert as_administrator("POST", f"{RELEASES}{uuid4()}/publish/").status_code == 404
        as_administrator("GET", RELEASES)
    kept = [(entry.user, entry.object_repr) for entry in LogEntry.objects.order_by("pk")]
    assert kept == [(administrator, f"POST {RELEASES}"), (administrator, f"POST {published}")]
    told = [line for line in caplog.messages if line.startswith("administrator's act")]
    assert len(told) == 2 and published in told[1] and str(administrator.pk) in told[1]


@pytest.mark.parametrize("who", ["as_owner", "as_nobody", "staff", "an administrator's reading token"])
def test_nobody_else_reads_or_changes_game_data(
    request: pytest.FixtureRequest, administrator: User, stranger: User, who: str
) -> None:
    made = imported(caller_of(administrator), archive(), "?publish=true")[0]
    waiting = imported(caller_of(administrator), archive(names=b""), "")[0]
    stranger.is_staff = True
    stranger.save()
    if who == "staff":
        caller = caller_of(stranger)
    elif who.startswith("an"):
        caller = caller_of(administrator, READING)
    else:
        caller = request.getfixturevalue(who)
    expected = 401 if who == "as_nobody" else 403
    other = archive(blue=release(revision=7)[2].content)
    assert send(caller, other, "?publish=true").status_code == expected
    assert caller("POST", f"{RELEASES}{waiting['id']}/publish/").status_code == expected
    if not who.startswith("an"):
        for address in (RELEASES, f"{RELEASES}{made['id']}/", f"{RELEASES}imports/{uuid4()}/"):
            assert caller("GET", address).status_code == expected
    assert DataRelease.objects.count() == 2
    assert str(PublishedSystem.objects.get().current_release_id) == made["id"]
