"""Nobody but the owner changes a list: every way of writing, tried by everybody else, leaves the database as it was."""

from typing import Any

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import new_guest_key, signed_guest_key
from armybuilder.armylists.models import ArmyList, Revision, ShareLink
from armybuilder.armylists.share_links import new_token
from tests.api.conftest import Caller, caller_of

pytestmark = pytest.mark.both_databases

WRITES = [
    ("PATCH", "", {"name": "Taken over"}),
    ("PATCH", "", {"folder": "mine"}),
    ("DELETE", "", None),
    ("POST", "restore/", None),
    ("POST", "edits/", {"edit": "set_name", "name": "Taken over"}),
    ("POST", "undo/", None),
    ("POST", "redo/", None),
    ("POST", "revisions/1/restore/", None),
    ("POST", "copies/", {}),
    ("POST", "share-links/", {}),
    ("DELETE", "share-links/TOKEN/", None),
]


def everything_stored() -> list[Any]:
    """All rows that a write to lists could touch."""
    return [list(model.objects.order_by("pk").values()) for model in (ArmyList, Revision, ShareLink)]


@pytest.fixture
def link(muster: dict[str, Any]) -> ShareLink:
    """What the friend was given."""
    return ShareLink.objects.create(token=new_token(), army_list_id=muster["id"])


def callers(request: pytest.FixtureRequest) -> dict[str, Caller]:
    """Everybody who must not change the owner's list."""
    guest = Caller()
    guest.client = Client()  # with a valid CSRF token, so that ownership alone decides
    guest.client.cookies["guest"] = signed_guest_key(new_guest_key())
    names = ("as_friend", "as_stranger", "as_nobody")
    return {name: request.getfixturevalue(name) for name in names} | {"another guest": guest}


@pytest.mark.parametrize(("method", "part", "body"), WRITES)
def test_others_find_nothing_and_nothing_changes(
    request: pytest.FixtureRequest, muster: dict[str, Any], link: ShareLink, method: str, part: str, body: object
) -> None:
    address = f"{muster['address']}{part.replace('TOKEN', link.token)}"
    before = everything_stored()
    for name, caller in callers(request).items():
        for path in (address, f"{address}?share={link.token}"):
            response = caller(method, path, body, If_Match='"1"')
            expected = (401, "not-signed-in") if name == "as_nobody" else (404, "not-found")
            assert (response.status_code, response.json()["code"]) == expected, (name, path)
    assert everything_stored() == before


@pytest.mark.parametrize(("method", "part", "body"), WRITES)
def test_a_read_only_token_of_the_owner_changes_nothing(
    as_reader: Caller, muster: dict[str, Any], link: ShareLink, method: str, part: str, body: object
) -> None:
    before = everything_stored()
    path = f"{muster['address']}{part.replace('TOKEN', link.token)}"
    response = as_reader(method, path, body, If_Match='"1"')
    assert (response.status_code, response.json()["code"]) == (403, "insufficient-scope")
    assert everything_stored() == before


@pytest.mark.parametrize(("method", "part", "body"), WRITES)
def test_the_session_of_the_owner_without_csrf_token_changes_nothing(
    owner: User, muster: dict[str, Any], link: ShareLink, method: str, part: str, body: object
) -> None:
    browser = Caller()
    browser.client.force_login(owner)
    before = everything_stored()
    path = f"{muster['address']}{part.replace('TOKEN', link.token)}"
    response = browser(method, path, body, If_Match='"1"')
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
    assert everything_stored() == before


def test_the_owner_may_do_all_of_it(as_owner: Caller, muster: dict[str, Any], link: ShareLink) -> None:
    """The same requests are good ones: what is refused above is refused for who asks."""
    for method, part, body in WRITES:
        path = f"{muster['address']}{part.replace('TOKEN', link.token)}"
        response = as_owner(method, path, body, If_Match="*")
        nothing_to_do = part in ("undo/", "redo/") and response.status_code == 422
        assert response.status_code < 300 or nothing_to_do, (method, part, response.content)


def test_new_lists_and_shared_copies_belong_to_somebody(
    as_nobody: Caller, as_reader: Caller, muster: dict[str, Any], link: ShareLink
) -> None:
    before = everything_stored()
    new = {"system": "horus-heresy", "name": "Nobody's", "catalogue_id": "hh-solar-auxilia"}
    for path, body in (("/api/v1/lists/", new), (f"/api/v1/shared/{link.token}/copies/", {})):
        assert as_nobody("POST", path, body).status_code == 401
        assert as_reader("POST", path, body).status_code == 403
    assert everything_stored() == before


def test_staff_without_permissions_read_nothing_of_others(stranger: User, muster: dict[str, Any]) -> None:
    stranger.is_staff = True
    stranger.save()
    assert caller_of(stranger)("GET", muster["address"]).status_code == 404


def test_an_administrator_reads_but_does_not_edit(administrator: User, muster: dict[str, Any]) -> None:
    keeper = caller_of(administrator)
    before = everything_stored()
    assert keeper("GET", muster["address"]).status_code == 200
    for method, part, body in WRITES[:6]:
        assert keeper(method, f"{muster['address']}{part}", body, If_Match='"1"').status_code == 404, (method, part)
    assert everything_stored() == before
