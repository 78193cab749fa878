"""Sources of game data, what a release would change before it is published, and all units in one answer."""

import gzip
import json
from typing import Any
from uuid import UUID

import pytest

from armybuilder.accounts.models import User
from armybuilder.datafiles.models import DataImport, DataSource, PublishedSystem
from armybuilder.reference import import_queue
from tests.api.conftest import Caller, caller_of
from tests.api.test_datafiles import archive, imported
from tests.datafiles.data_server import data_server
from tests.gamedata_files import release

SOURCES = "/api/v1/releases/sources/"
UNITS = {
    ("2022 - Red Host", "Captain"),
    ("2022 - Red Host", "Line Squad"),
    ("2022 - Red Host", "Long Wall"),
    ("Blue Host", "Line Squad"),
    ("Blue Host", "Long Wall"),
}
"""Of the data of ours, fortifications included."""

NEW = {"system": "horus-heresy", "name": "community", "origin": "https://example.org/a.zip", "every_hours": 24}


@pytest.fixture
def as_administrator(administrator: User) -> Caller:
    return caller_of(administrator)


def test_what_a_release_would_change_is_told_before_it_is_published(as_administrator: Caller) -> None:
    (first,) = imported(as_administrator, archive())
    everything = as_administrator("GET", f"/api/v1/releases/{first['id']}/changes/").json()
    names = {(unit["catalogue"], unit["name"]) for unit in everything["added"]}
    assert (everything["against"], names, everything["removed"]) == (None, UNITS, [])
    assert as_administrator("POST", f"/api/v1/releases/{first['id']}/publish/").status_code == 200
    blue = release()[2]
    dearer = blue.content.replace(b'value="50"', b'value="70"')
    (second,) = imported(as_administrator, archive(blue=dearer))
    changes = as_administrator("GET", f"/api/v1/releases/{second['id']}/changes/").json()
    assert changes["against"] == first["id"]
    ((unit),) = changes["repriced"]
    assert (unit["name"], unit["after"] - unit["before"]) == ("Line Squad", 20)
    assert (changes["added"], changes["removed"]) == ([], [])
    assert changes["lists"] == {"looked_at": 0, "more": 0, "repriced": 0, "verdicts": 0, "illegal": 0}
    same = as_administrator("GET", f"/api/v1/releases/{first['id']}/changes/").json()
    assert same["added"] == same["removed"] == same["repriced"] == []


def test_a_source_is_added_read_and_removed(as_administrator: Caller, game: PublishedSystem, settings: Any) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    system = PublishedSystem.objects.create(id="invented-game", name="Invented", rule_pack="")
    with data_server() as server:
        server.answers = {"/repo.bsr": archive()}
        new = NEW | {"system": system.pk, "origin": server.address("/repo.bsr"), "publishes": True}
        made = as_administrator("POST", SOURCES, new)
        assert made.status_code == 201, made.content
        address = made["Location"]
        assert as_administrator("GET", SOURCES).json() == [made.json()] == [as_administrator("GET", address).json()]
        asked = as_administrator("POST", f"{address}imports/")
        assert asked.status_code == 202
        import_queue.perform(UUID(asked.json()["id"]))
    done = as_administrator("GET", asked["Location"]).json()
    assert (done["state"], len(done["releases"])) == ("done", 1), done
    assert as_administrator("GET", "/api/v1/systems/invented-game/units/").json()["count"] == 3
    assert as_administrator("DELETE", address).status_code == 204
    assert as_administrator("GET", address).status_code == 404
    assert as_administrator("GET", f"/api/v1/releases/{done['releases'][0]}/").status_code == 200


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"origin": "/etc/passwd"}, 422, "source-refused"),
        ({"system": "chess"}, 404, "not-found"),
        ({"every_hours": -1}, 400, "bad-document"),
        ({"name": ""}, 400, "bad-document"),
        ({"name": "taken"}, 422, "source-refused"),
    ],
)
def test_a_source_that_cannot_be(
    as_administrator: Caller, game: PublishedSystem, change: dict[str, Any], status: int, code: str
) -> None:
    assert as_administrator("POST", SOURCES, NEW | {"name": "taken"}).status_code == 201
    answer = as_administrator("POST", SOURCES, NEW | change)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert DataSource.objects.count() == 1


def test_nobody_else_looks_after_sources(
    as_administrator: Caller, as_owner: Caller, as_nobody: Caller, game: PublishedSystem
) -> None:
    address = as_administrator("POST", SOURCES, NEW)["Location"]
    (made,) = imported(as_administrator, archive())
    for caller, status in ((as_owner, 403), (as_nobody, 401)):
        assert caller("POST", SOURCES, NEW).status_code == status
        for way in (f"GET {SOURCES}", f"GET {address}", f"DELETE {address}", f"POST {address}imports/"):
            assert caller(*way.split()).status_code == status, way
        assert caller("GET", f"/api/v1/releases/{made['id']}/changes/").status_code == status
    assert DataSource.objects.count() == 1 and DataImport.objects.count() == 1


def test_all_units_in_one_answer(as_nobody: Caller, game: PublishedSystem) -> None:
    answer = as_nobody("GET", "/api/v1/systems/horus-heresy/units/all/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson")
    units = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    pages = as_nobody("GET", "/api/v1/systems/horus-heresy/units/").json()
    assert [unit["id"] for unit in units] == [unit["id"] for unit in pages["results"]]
    assert all(unit["profiles"] for unit in units) and pages["count"] == 2
    known = as_nobody("GET", "/api/v1/systems/horus-heresy/units/all/", If_None_Match=answer["ETag"])
    assert (known.status_code, known.content) == (304, b"")
    packed = as_nobody("GET", "/api/v1/systems/horus-heresy/units/all/", Accept_Encoding="gzip")
    lines = gzip.decompress(b"".join(packed.streaming_content)).splitlines()
    assert (packed["Content-Encoding"], packed["ETag"]) == ("gzip", f"W/{answer['ETag']}")
    assert [json.loads(line) for line in lines] == units
    assert as_nobody("GET", "/api/v1/systems/chess/units/all/").status_code == 404
