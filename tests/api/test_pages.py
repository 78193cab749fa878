"""Collections: every one is ordered, cut and gone through in pages by the same parameters."""

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import Scope
from armybuilder.datafiles.models import PublishedSystem
from tests.api.conftest import Caller, caller_of
from tests.api.test_conventions import LISTS, new_list

UNITS = "/api/v1/systems/horus-heresy/units/"


@pytest.fixture
def as_everything(owner: User) -> Caller:
    """A program that may do whatever its user may."""
    return caller_of(owner, Scope.values)


@pytest.fixture
def as_administrator(administrator: User) -> Caller:
    return caller_of(administrator, Scope.values)


def test_every_collection_in_pages_takes_an_order_and_members() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    collections = 0
    for path, operations in paths.items():
        for operation in operations.values():
            taken = {parameter["name"] for parameter in operation.get("parameters", ())}
            if "page" in taken:
                collections += 1
                assert {"ordering", "fields", "page_size"} <= taken, path
    assert collections >= 14


@pytest.mark.parametrize("name", ["ordering", "fields"])
@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("lists/", {"ordering": "-created_at", "fields": "verdict"}),
        ("lists/deleted/", {"ordering": "-points", "fields": "verdict"}),
        ("account/tokens/", {"ordering": "last_used_at", "fields": "scopes"}),
        ("events/", {"ordering": "deadline", "fields": "unknown_names"}),
        ("simulations/", {"ordering": "title", "fields": "state"}),
        ("targets/", {"ordering": "-points", "fields": "side"}),
        ("webhooks/", {"ordering": "url", "fields": "happenings"}),
    ],
)
def test_names_that_there_are_not_are_refused_with_those_that_there_are(
    as_everything: Caller, name: str, address: str, allowed: dict[str, str]
) -> None:
    refused = as_everything("GET", f"/api/v1/{address}?{name}=colour")
    error = refused.json()["error"]
    assert (refused.status_code, error["at"]) == (400, f"/{name}")
    assert "'colour'" in error["message"]
    assert allowed[name] in error["message"]
    assert as_everything("GET", f"/api/v1/{address}?{name}={allowed[name]}").status_code == 200


def test_lists_come_in_the_order_and_with_the_members_that_are_asked_for(
    as_owner: Caller, game: PublishedSystem
) -> None:
    for name in ("Beta", "Alpha", "Gamma"):
        as_owner("POST", LISTS, new_list(name=name))
    found = as_owner("GET", f"{LISTS}?ordering=name&fields=name,points&page_size=2").json()
    assert found["results"] == [{"name": "Alpha", "points": 0}, {"name": "Beta", "points": 0}]
    assert "ordering=name" in found["next"]
    assert "fields=name" in found["next"]
    back = as_owner("GET", f"{LISTS}?ordering=-name&fields=name").json()
    assert [row["name"] for row in back["results"]] == ["Gamma", "Beta", "Alpha"]


def test_revisions_and_the_bin_too(as_owner: Caller, game: PublishedSystem) -> None:
    made = as_owner("POST", LISTS, new_list(name="First")).json()
    as_owner("PATCH", f"{LISTS}{made['id']}/", {"name": "Second"}, If_Match='"1"')
    rows = as_owner("GET", f"{LISTS}{made['id']}/revisions/?ordering=number&fields=number,name").json()["results"]
    assert rows == [{"number": 1, "name": "First"}, {"number": 2, "name": "Second"}]
    as_owner("DELETE", f"{LISTS}{made['id']}/", If_Match="*")
    assert as_owner("GET", f"{LISTS}deleted/?fields=name").json()["results"] == [{"name": "Second"}]


def test_units_are_cut_too(as_nobody: Caller, game: PublishedSystem) -> None:
    rows: list[dict[str, Any]] = as_nobody("GET", f"{UNITS}?ordering=-points&fields=entry_id,points").json()["results"]
    assert {tuple(row) for row in rows} == {("entry_id", "points")}
    points = [row["points"] for row in rows]
    assert points == sorted(points, reverse=True)


def test_what_comes_as_an_array_too(as_administrator: Caller, game: PublishedSystem) -> None:
    rows = as_administrator("GET", "/api/v1/releases/?ordering=-number&fields=number,system&page_size=1")
    assert rows.json() == [{"number": 1, "system": "horus-heresy"}]
    assert "Link" not in rows
