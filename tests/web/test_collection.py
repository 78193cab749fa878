"""What a player owns: by hand and from lists, what lists lack, units found by it, and whose it is."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer, new_guest_key
from armybuilder.armylists import collection, limits, services
from armybuilder.armylists.errors import EditRefused, NotFound, TooLarge
from armybuilder.armylists.models import ArmyList, OwnedUnit
from armybuilder.reference.models import Faction, UnitEntry
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.django_db

PAGE = "/collection/horus-heresy/"
GAME = "horus-heresy"
HTMX = {"HX-Request": "true", "HX-Target": "detail"}


def owned(viewer: Viewer) -> dict[str, tuple[int, int]]:
    """Models and painted ones by unit."""
    return {row.name: (row.owned, row.painted) for row in collection.collection_of(viewer, GAME)}


def lacked(page: str) -> dict[str, list[str]]:
    """The table of what lists lack: needed, owned, missing, to be painted."""
    rows = re.findall(r'<th scope="row">([^<]+)</th>((?:\s*<td class="number">.*?</td>){4})', page, re.DOTALL)
    return {name: re.findall(r"[\d–]+", re.sub(r"<[^>]+>", " ", cells)) for name, cells in rows}


def test_a_list_says_what_it_lacks_and_is_owned_with_one_press(built: Muster, as_owner: Client) -> None:
    address = f"{PAGE}?list={built.list_id}"
    assert lacked(as_owner.get(address).content.decode()) == {
        "Praetor": ["1", "0", "1", "–"],
        "Tactical Squad": ["10", "0", "10", "–"],
    }
    answer = as_owner.post(f"/lists/{built.list_id}/own/")
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert owned(built.viewer) == {"Praetor": (1, 0), "Tactical Squad": (10, 0)}
    page = as_owner.get(address).content.decode()
    assert "You own everything." in page and "I own all of this list" not in page
    assert lacked(page)["Tactical Squad"] == ["10", "10", "–", "10"]


def test_lists_count_together_or_one_after_the_other(built: Muster, as_owner: Client) -> None:
    copy = services.duplicate_list(built.viewer, built.list_id)
    collection.keep_units(built.viewer, GAME, {"Tactical Squad": (15, 5)})
    both = f"{PAGE}?list={built.list_id}&list={copy.pk}"
    assert lacked(as_owner.get(both).content.decode())["Tactical Squad"] == ["20", "15", "5", "10"]
    assert lacked(as_owner.get(f"{both}&together=0").content.decode())["Tactical Squad"] == ["10", "15", "–", "5"]


def test_lists_stay_ticked_when_what_is_owned_is_saved(built: Muster, as_owner: Client) -> None:
    address = f"{PAGE}?list={built.list_id}&together=0"
    page = as_owner.get(address).content.decode()
    action = re.search(r'method="post" action="([^"]*/collection/[^"]*)"', page)
    assert action
    page = as_owner.post(
        unescape(action[1]), {"unit-1": "Tactical Squad", "owned-1": "20", "painted-1": "7"}, follow=True
    ).content.decode()
    assert re.search(rf'name="list" value="{built.list_id}" checked', page)
    assert re.search(r'name="together" value="0" checked', page)


def test_numbers_are_typed_and_a_unit_is_added_by_its_name(built: Muster, as_owner: Client) -> None:
    faction = Faction.objects.get(key="sons-of-horus")
    UnitEntry.objects.create(
        faction=faction, release=faction.system.current_release, entry_id="t", name="Tactical Squad", points=0
    )
    as_owner.post(PAGE, {"name": "tactical squad", "owned": "12"})
    assert owned(built.viewer) == {"Tactical Squad": (12, 0)}
    as_owner.post(PAGE, {"unit-1": "Tactical Squad", "owned-1": "20", "painted-1": "7"})
    assert owned(built.viewer) == {"Tactical Squad": (20, 7)}
    as_owner.post(PAGE, {"unit-1": "Tactical Squad", "owned-1": "0", "painted-1": "0"})
    assert owned(built.viewer) == {}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "Squat Berserkers", "owned": "3"}, "No unit of this game is called “Squat Berserkers”"),
        ({"unit-1": "Tactical Squad", "owned-1": "5", "painted-1": "9"}, "9 painted of 5 models cannot be"),
        ({"unit-1": "Tactical Squad", "owned-1": "10001"}, "up to 10000 models"),
    ],
)
def test_what_cannot_be_is_said_and_keeps_what_was_typed(
    built: Muster, as_owner: Client, fields: dict[str, str], said: str
) -> None:
    collection.keep_units(built.viewer, GAME, {"Tactical Squad": (4, 4)})
    answer = as_owner.post(PAGE, fields)
    page = answer.content.decode()
    assert answer.status_code == 422 and said in page
    assert all(f'value="{typed}"' in page for typed in fields.values() if typed != "3")
    assert owned(built.viewer) == {"Tactical Squad": (4, 4)}


def test_units_that_are_owned_are_found_on_the_add_screen(built: Muster, as_owner: Client) -> None:
    address = f"/lists/{built.list_id}/?add={built.force_id}"
    assert 'id="only-owned"' not in as_owner.get(address, headers=HTMX).content.decode()
    collection.keep_units(built.viewer, GAME, {"Tactical Squad": (15, 0)})
    page = as_owner.get(f"{address}&only=owned", headers=HTMX).content.decode()
    assert 'id="only-owned" checked' in page and "15 owned" in page
    assert re.findall(r'offer__name"[^>]*><strong>([^<]+)<', page) == ["Tactical Squad"]


def test_a_collection_is_its_owner_s_alone(built: Muster, as_owner: Client, as_stranger: Client) -> None:
    as_owner.post(f"/lists/{built.list_id}/own/")
    assert as_stranger.get(f"{PAGE}?list={built.list_id}").status_code == 404
    assert "Praetor" not in as_stranger.get(f"{PAGE}?list=nonsense").content.decode()
    assert as_stranger.post(f"/lists/{built.list_id}/own/").status_code == 404
    as_stranger.post(PAGE, {"unit-1": "Praetor", "owned-1": "0"})
    assert "Praetor" in owned(built.viewer)


def test_a_guest_s_collection_joins_the_account(viewer: Viewer, owner: User, game: Any) -> None:
    key = new_guest_key()
    collection.keep_units(Viewer(guest_key=key), GAME, {"Praetor": (2, 1), "Veteran Squad": (5, 0)})
    collection.keep_units(viewer, GAME, {"Praetor": (1, 1)})
    collection.claim_guest_collection(owner, key)
    assert owned(viewer) == {"Praetor": (2, 1), "Veteran Squad": (5, 0)}
    assert not OwnedUnit.objects.filter(guest_key=key).exists()


def test_bounds(viewer: Viewer, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNITS_OF_A_COLLECTION", 2)
    collection.keep_units(viewer, GAME, {"a": (1, 0), "b": (1, 0)})
    with pytest.raises(TooLarge, match="up to 2 units"):
        collection.keep_units(viewer, GAME, {"c": (1, 0)})
    with pytest.raises(EditRefused):
        collection.keep_units(viewer, GAME, {" ": (1, 0)})
    with pytest.raises(NotFound):
        collection.keep_units(Viewer(), GAME, {"a": (1, 0)})
    assert set(owned(viewer)) == {"a", "b"}


def test_a_game_without_models_has_no_collection(client: Client, game: Any) -> None:
    assert client.get("/collection/relic/").status_code == 404
    assert client.get("/collection/nothing/").status_code == 404
    assert "/collection/horus-heresy/" in client.get("/collection/").content.decode()


def test_lists_of_one_name_are_told_apart_where_they_are_chosen(built: Muster, as_owner: Client) -> None:
    """A copy keeps its name here; in Compare and on the shelf of models one has to know which is which."""
    twin = services.duplicate_list(built.viewer, built.list_id, name=built.row.name)
    ArmyList.objects.filter(pk=twin.pk).update(points=built.row.points + 55)
    compare = as_owner.get(f"/lists/{built.list_id}/compare/").content.decode()
    collection_page = as_owner.get(PAGE).content.decode()
    for page in (compare, collection_page):
        assert f"{built.row.name} · {int(built.row.points) + 55} pts · " in page
    assert f"{built.row.name} · {int(built.row.points)} pts · " in collection_page
