"""All lists go into one file and come back; a file from elsewhere overwrites nothing and is refused with a pointer."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import backup, queries, services, sizes
from armybuilder.armylists import edits as e
from armybuilder.armylists.errors import NotFound, TooLarge
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.errors import BadDocument
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.both_databases


def test_all_lists_go_into_one_file_and_come_back(legal: Muster, muster: Callable[..., Muster], friend: User) -> None:
    services.file_army_list(legal.viewer, legal.list_id, folder="Club", tags=["fun"])
    other = muster(name="Second")
    deleted = muster(name="Deleted")
    services.delete_army_list(deleted.viewer, deleted.list_id)
    data = backup.export_all(legal.viewer)
    assert {kept["name"] for kept in json.loads(data)["lists"]} == {"First draft", "Second"}
    reader = Viewer(user=friend)
    restored = backup.import_lists(reader, data)
    assert (len(restored.lists), restored.already_there, restored.refused) == (2, (), ())
    copy = next(row for row in restored.lists if row.name == "First draft")
    assert copy.pk != legal.list_id
    for name in ("document", "points", "points_limit", "verdict", "folder", "tags", "release_id"):
        assert getattr(copy, name) == getattr(legal.row, name), name
    assert other.row.revision == 1


def test_what_is_there_already_is_not_made_again(legal: Muster) -> None:
    data = backup.export_army_list(legal.viewer, legal.list_id)
    restored = backup.import_lists(legal.viewer, data)
    assert (restored.lists, restored.already_there) == ((), ("First draft",))
    legal.edit(e.SetName(name="Changed since"))
    restored = backup.import_lists(legal.viewer, data)
    assert [row.name for row in restored.lists] == ["First draft"]
    assert legal.row.name == "Changed since"


def test_a_shared_list_can_be_exported_and_a_strangers_cannot(legal: Muster, friend: User, stranger: User) -> None:
    link = services.publish_share_link(legal.viewer, legal.list_id)
    data = backup.export_army_list(Viewer(user=friend, share_token=link.token), legal.list_id)
    assert json.loads(data)["lists"][0]["document"] == json.loads(legal.row.document)
    with pytest.raises(NotFound):
        backup.export_army_list(Viewer(user=stranger), legal.list_id)


def _kept(data: bytes) -> Any:
    return json.loads(data)


BROKEN: dict[str, tuple[Callable[[Any], Any], str]] = {
    "another format": (lambda file: file | {"format": "battlescribe"}, "/format"),
    "a newer version": (lambda file: file | {"version": 2}, "/version"),
    "an unknown member": (lambda file: file | {"mood": 1}, "/mood"),
    "no lists": (lambda file: {"format": file["format"]}, "/lists"),
    "a name that is a number": (lambda file: _with(file, name=7), "/lists/0/name"),
    "a name that is too long": (lambda file: _with(file, name="x" * 121), "/lists/0/name"),
    "a limit beyond all limits": (lambda file: _with(file, points_limit=10**9), "/lists/0/points_limit"),
    "no roster": (lambda file: _with(file, document={}), "/lists/0/document/roster"),
}


def _with(file: Any, **facts: Any) -> Any:
    return file | {"lists": [file["lists"][0] | facts]}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_cannot_be_read_makes_nothing(case: str, legal: Muster) -> None:
    broken, at = BROKEN[case]
    file = broken(_kept(backup.export_army_list(legal.viewer, legal.list_id)))
    with pytest.raises(BadDocument) as refused:
        backup.import_lists(legal.viewer, json.dumps(file).encode())
    assert refused.value.at == at
    assert ArmyList.objects.count() == 1


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes, legal: Muster) -> None:
    with pytest.raises(BadDocument):
        backup.import_lists(legal.viewer, data)


def test_one_list_that_does_not_fit_does_not_stop_the_others(legal: Muster) -> None:
    kept = _kept(backup.export_army_list(legal.viewer, legal.list_id))["lists"][0]
    lists = [
        kept | {"id": "00000000-0000-4000-8000-00000000000a"},
        kept | {"id": "00000000-0000-4000-8000-00000000000b", "system": "chess"},
        kept | {"id": "00000000-0000-4000-8000-00000000000c", "document": kept["document"] | {"facts": {"mood": 1}}},
        kept | {"id": "00000000-0000-4000-8000-00000000000d", "data": "unknown release"},
    ]
    restored = backup.import_lists(legal.viewer, json.dumps({"format": "army-builder-lists", "lists": lists}).encode())
    assert [pointer for pointer, _ in restored.refused] == ["/lists/1/system", "/lists/2/document/facts/mood"]
    assert [row.release_id for row in restored.lists] == [legal.row.release_id] * 2


@pytest.mark.parametrize("limit", ["SELECTIONS", "FORCES", "DOCUMENT_BYTES", "LISTS_OF_A_USER", "BACKUP_BYTES"])
def test_a_file_cannot_go_around_the_limits(limit: str, legal: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = _kept(backup.export_army_list(legal.viewer, legal.list_id))
    data = json.dumps(_with(kept, name="Other")).encode()
    monkeypatch.setattr(sizes, limit, {"LISTS_OF_A_USER": 1, "FORCES": 0}.get(limit, 10))
    with pytest.raises(TooLarge):
        backup.import_lists(legal.viewer, data)
    assert ArmyList.objects.count() == 1


def test_a_hostile_node_is_refused(legal: Muster) -> None:
    file = _kept(backup.export_army_list(legal.viewer, legal.list_id))
    file["lists"][0] |= {"name": "Other"}
    file["lists"][0]["document"]["roster"]["forces"][0]["selections"][0]["amount"] = -5
    with pytest.raises(TooLarge) as refused:
        backup.import_lists(legal.viewer, json.dumps(file).encode())
    assert refused.value.at == "/roster/forces/0/selections/0"


@pytest.mark.parametrize("depth", [40, 400, 5_000])
def test_a_bottomless_list_is_refused(depth: int, legal: Muster) -> None:
    node = '{"id":"N","entry_id":"x","selections":['
    selection = "".join(node.replace("N", str(number)) for number in range(depth)) + "]}" * depth
    file = _kept(backup.export_army_list(legal.viewer, legal.list_id))
    file["lists"][0] |= {"name": "Other"}
    file["lists"][0]["document"]["roster"]["forces"][0]["selections"] = ["HERE"]
    with pytest.raises(BadDocument):
        backup.import_lists(legal.viewer, json.dumps(file).replace('"HERE"', selection).encode())
    assert ArmyList.objects.count() == 1


def test_an_id_stands_once(legal: Muster) -> None:
    file = _kept(backup.export_army_list(legal.viewer, legal.list_id))
    file["lists"][0] |= {"name": "Other"}
    force = file["lists"][0]["document"]["roster"]["forces"][0]
    force["selections"] += force["selections"][:1]
    with pytest.raises(TooLarge, match="twice"):
        backup.import_lists(legal.viewer, json.dumps(file).encode())


def test_the_lists_of_a_page_are_exported_in_one_query(
    legal: Muster, muster: Callable[..., Muster], django_assert_num_queries: Callable[[int], Any]
) -> None:
    muster()
    with django_assert_num_queries(1):
        backup.export_all(legal.viewer)
    assert queries.army_lists_of(legal.viewer).count() == 2
