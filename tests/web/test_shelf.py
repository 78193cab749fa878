"""The shelf: folders, tags, several at once, everything in one file and back; and lists side by side."""

import io
import re
import zipfile
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, report_cache, services
from armybuilder.armylists.backup import SHELF, backup_of, restore_backup
from armybuilder.armylists.comparison import compared
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.exports.files import sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.models import ArmyList, Revision
from armybuilder.armylists.queries import army_list_at
from armybuilder.armylists.retention import thin_histories
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.gamedata.places import root_entries
from armybuilder.reference import publishing
from armybuilder.reference.models import MagicItem
from armybuilder.reference.queries import items_containing
from tests.armylists.conftest import Muster
from tests.gamedata_files import CAPTAIN, catalogue, entry, release

pytestmark = pytest.mark.django_db


def test_a_list_without_units_is_begun_and_not_wrong_on_the_shelf_too(
    muster: Callable[..., Muster], built: Muster, as_owner: Client
) -> None:
    """Its own page said so, where the shelf called it illegal in red."""
    empty = muster(name="Begun")
    page = as_owner.get(f"/lists/{empty.list_id}/").content.decode()
    found = re.search(r"Started, \d things to do", page)
    assert found
    rows = as_owner.get("/lists/").content.decode().split('<li class="list-row')
    (begun,) = [row for row in rows if "Begun" in row]
    assert found[0] in begun
    assert "verdict--illegal" not in begun
    assert built.row.verdict == "illegal"
    assert not any("verdict--illegal" in row for row in rows), "it only lacks units"
    built.edit(e.SetPointsLimit(points_limit=100))
    rows = as_owner.get("/lists/").content.decode().split('<li class="list-row')
    assert sum("verdict--illegal" in row for row in rows) == 1


def test_several_lists_are_filed_tagged_and_binned_at_once(
    built: Muster, as_owner: Client, as_stranger: Client
) -> None:
    copy = services.duplicate_list(built.viewer, built.list_id)
    both = [str(built.list_id), str(copy.pk)]
    as_owner.post("/lists/several/", {"list": both, "folder": "Autumn", "do": "folder"})
    as_owner.post("/lists/several/", {"list": both[:1], "tags": "painted, club", "do": "tags"})
    assert set(ArmyList.objects.values_list("folder", flat=True)) == {"Autumn"}
    assert built.row.tags == ["painted", "club"]
    page = as_owner.get("/lists/?folder=Autumn&q=painted").content.decode()
    assert page.count("list-row__tools") == 1 and '<option value="Autumn" selected>' in page
    assert as_stranger.post("/lists/several/", {"list": both, "do": "delete"}).status_code == 404
    assert ArmyList.objects.filter(deleted__isnull=True).count() == 2
    as_owner.post("/lists/several/", {"list": both, "do": "delete"})
    assert ArmyList.objects.filter(deleted__isnull=True).count() == 0
    assert as_owner.get("/lists/?bin=1").content.decode().count("list-row__tools") == 2


def test_everything_goes_out_in_one_file_and_comes_back(built: Muster, as_owner: Client, stranger: User) -> None:
    services.file_army_list(built.viewer, built.list_id, folder="Autumn", tags=["club"])
    services.duplicate_list(built.viewer, built.list_id, name="../../etc")
    out = as_owner.get("/lists/everything/")
    assert out["Content-Type"] == "application/zip"
    names = zipfile.ZipFile(io.BytesIO(out.content)).namelist()
    assert len(names) == 3 and not any("/" in name for name in names)
    client = Client()
    client.force_login(stranger)
    answer = client.post("/lists/open/", {"roster_file": SimpleUploadedFile("army-lists.zip", out.content)})
    assert answer.status_code == 302 and answer["Location"] == "/lists/"
    made = ArmyList.objects.filter(owner=stranger).order_by("created")
    first, second = made
    assert (first.folder, first.tags, second.folder) == ("Autumn", ["club"], "Autumn")
    assert {(row.points, row.verdict) for row in made} == {(built.row.points, built.row.verdict)}


def test_lists_are_put_into_the_archive_and_back(built: Muster, as_owner: Client) -> None:
    chosen = {"list": [str(built.list_id)]}
    said = as_owner.post("/lists/several/", chosen | {"do": "archive"}, follow=True).content.decode()
    assert "1 list is in the archive." in said and "list-row__tools" not in said
    archive = as_owner.get("/lists/?archive=1").content.decode()
    assert archive.count("list-row__tools") == 1 and "<h1>Archive</h1>" in archive
    assert as_owner.get(f"/lists/{built.list_id}/").status_code == 200
    built.edit(e.SetName(name="Still built"))
    assert as_owner.get("/lists/?archive=1&q=still").content.decode().count("list-row__tools") == 1
    said = as_owner.post("/lists/several/", chosen | {"do": "unarchive"}, follow=True).content.decode()
    assert "1 list is back on the shelf." in said and said.count("list-row__tools") == 1
    assert "Nothing is in the archive" in as_owner.get("/lists/?archive=1").content.decode()


def test_a_variant_begins_with_a_state_and_stays_beside_its_list(
    built: Muster, as_owner: Client, as_stranger: Client
) -> None:
    first = built.row.revision
    squad = built.document.roster.forces[0].selections[1]
    built.edit(e.Remove(node_id=squad.id))
    asked = {"number": str(first), "name": "With the squad"}
    made_at = as_owner.post(f"/lists/{built.list_id}/variant/", asked)["Location"]
    made = ArmyList.objects.get(name="With the squad")
    assert made_at == f"/lists/{made.pk}/" and made.family == built.list_id == built.row.family
    assert len(read_document(made.document).roster.forces[0].selections) == 2
    assert Revision.objects.get(army_list=made).summary_en.startswith(f"Variant of “First draft”, from state {first}")
    as_owner.post(f"/lists/{made.pk}/variant/", {"name": "A third"})
    shelf = as_owner.get("/lists/").content.decode()
    assert shelf.count("Variants:") == 3 and shelf.count(f'href="/lists/{made.pk}/"') == 2 + 1
    history = as_owner.get(f"/lists/{built.list_id}/history/").content.decode()
    assert f"/compare/?with={made.pk}" in history
    assert as_stranger.post(f"/lists/{built.list_id}/variant/", asked).status_code == 404
    assert as_owner.post(f"/lists/{built.list_id}/variant/", {"number": "99"}).status_code == 404


def test_a_named_state_says_its_name_and_is_never_thinned_out(
    built: Muster, as_owner: Client, as_stranger: Client, settings: Any
) -> None:
    address = f"/lists/{built.list_id}/history/2/name/"
    assert as_stranger.post(address, {"label": "mine"}).status_code == 404
    as_owner.post(address, {"label": "  before the cup "})
    assert "before the cup" in as_owner.get(f"/lists/{built.list_id}/history/").content.decode()
    assert as_owner.post(address, {"label": "x" * 61}).status_code == 422
    settings.REVISIONS_KEPT = 1
    for name in ("a", "b", "c"):
        built.edit(e.SetName(name=name))
    thin_histories()
    assert Revision.objects.filter(army_list=built.list_id, label="before the cup").exists()
    services.restore_revision(built.viewer, built.list_id, 2, expected_revision=built.row.revision)
    assert built.row.name == "First draft"
    as_owner.post(address, {"label": ""})
    assert not Revision.objects.exclude(label="").exists()


def test_a_late_edit_is_told_what_changed_meanwhile(built: Muster, as_owner: Client) -> None:
    seen = built.row.revision
    squad = built.document.roster.forces[0].selections[1]
    built.edit(e.Remove(node_id=squad.id))
    built.edit(e.SetPointsLimit(points_limit=2500))
    late = {"edit": "set_name", "name": "Late", "revision": seen}
    answer = as_owner.post(f"/lists/{built.list_id}/edit/", late)
    page = answer.content.decode()
    assert answer.status_code == 409 and "What changed meanwhile" in page
    assert "<del>Tactical Squad</del>" in page and "3000 → 2500" in page
    assert f"compare/?before={seen}&amp;after={built.row.revision}" in page
    page = as_owner.post(f"/lists/{built.list_id}/edit/", late | {"revision": 999}).content.decode()
    assert "changed meanwhile" in page and "meanwhile</summary>" not in page


def harmed(data: bytes) -> list[bytes]:
    """A file of everything that was squeezed wrongly, of an unknown compression, and of a version yet to come."""
    shelf = data.rindex(b"PK\x03\x04", 0, data.index(SHELF.encode()))
    squeezed = data.index(SHELF.encode()) + len(SHELF)
    torn = data[:squeezed] + b"\xff" * 8 + data[squeezed + 8 :]
    found = [torn]
    for in_file, in_directory, number in ((8, 10, 77), (4, 6, 130)):
        changed = bytearray(data)
        directory = data.rindex(b"PK\x01\x02", 0, data.rindex(SHELF.encode()))
        for at in (shelf + in_file, directory + in_directory):
            changed[at : at + 2] = number.to_bytes(2, "little")
        found.append(bytes(changed))
    return found


def test_a_damaged_file_of_everything_is_refused(built: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    data = backup_of(built.viewer)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(SHELF, msgspec.json.encode({"lists": [{"file": "gone.json"}]}))
    with pytest.raises(UnreadableFile, match="missing"):
        restore_backup(built.viewer, out.getvalue(), file_name="x.zip")
    for broken in (data[: len(data) // 2], b"PK\x03\x04" + b"\x00" * 50, *harmed(data)):
        with pytest.raises(UnreadableFile):
            restore_backup(built.viewer, broken, file_name="x.zip")
    monkeypatch.setattr(limits, "LISTS_OF_A_USER", 1)
    with pytest.raises(EditRefused, match="1 of 1"):
        restore_backup(built.viewer, data, file_name="x.zip")
    monkeypatch.setattr(limits, "BACKUP_BYTES", 10)
    with pytest.raises(TooLarge):
        backup_of(built.viewer)


def test_a_guest_with_little_room_left_is_told(built: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = Client()
    assert "There is room for" not in guest.get("/lists/").content.decode()
    link = services.publish_share_link(built.viewer, built.list_id)
    guest.post(f"/s/{link.token}/copy/")
    monkeypatch.setattr("armybuilder.web.views.lists.LISTS_OF_A_GUEST", 4)
    assert "There is room for 3 more lists here" in guest.get("/lists/").content.decode()


def test_two_states_stand_side_by_side(built: Muster, as_owner: Client, as_stranger: Client) -> None:
    squad = built.document.roster.forces[0].selections[1]
    first = built.row.revision
    built.edit(e.Remove(node_id=squad.id))
    praetor = built.document.roster.forces[0].selections[0]
    built.edit(e.Rename(node_id=praetor.id, name="Old Wolf"))
    built.edit(e.SetNotes(node_id=praetor.id, notes="painted"))
    page = as_owner.get(f"/lists/{built.list_id}/compare/?before={first}").content.decode()
    assert "Praetor → Old Wolf (Praetor); ✎ notes" in page and ">gone<" in page
    back = as_owner.get(f"/lists/{built.list_id}/compare/?before={built.row.revision}&after={first}").content.decode()
    assert "Old Wolf (Praetor) → Praetor" in back and ">new<" in back
    assert as_owner.get(f"/lists/{built.list_id}/compare/?before=999").status_code == 404
    assert as_stranger.get(f"/lists/{built.list_id}/compare/").status_code == 404
    history = as_owner.get(f"/lists/{built.list_id}/history/").content.decode()
    assert f"compare/?before={first}&amp;after={built.row.revision}" in history


def test_only_lists_of_its_game_are_offered_for_comparison(
    built: Muster, muster: Callable[..., Muster], as_owner: Client
) -> None:
    """A hero, offered first as the newest, would only be different in everything."""
    other, elsewhere = muster(name="Another"), muster(name="Elsewhere")
    game = PublishedSystem.objects.create(id="elsewhere", name="Elsewhere", rule_pack="relic")
    ArmyList.objects.filter(pk=elsewhere.list_id).update(system=game)
    page = as_owner.get(f"/lists/{built.list_id}/compare/").content.decode()
    assert str(other.list_id) in page
    assert str(elsewhere.list_id) not in page


def test_units_of_two_lists_are_known_by_what_they_are(built: Muster) -> None:
    copy = services.duplicate_list(built.viewer, built.list_id)
    other = Muster(built.viewer, copy)
    squad = other.document.roster.forces[0].selections[1]
    model = next(node for node in squad.walk() if node.name == "Legionary")
    other.edit(e.SetAmount(selection_id=model.id, amount=14))
    found = compared(sheet_of(built.row), sheet_of(other.row))
    assert [pair.is_same for pair in found.pairs] == [True, False]
    assert "9 → 14 × Legionary" in found.pairs[1].lines
    assert found.change == found.pairs[1].change == other.row.points - built.row.points
    assert compared(sheet_of(built.row), sheet_of(built.row)).is_empty
    kept = army_list_at(other.row, 1)
    assert (kept.revision, kept.points) == (1, built.row.points)


def test_a_row_tells_points_by_role_without_a_check(
    built: Muster, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = {name: Decimal(points) for name, points in built.row.role_points}
    assert spent and sum(spent.values()) == built.row.points
    monkeypatch.setattr(report_cache, "judged", lambda army_list: pytest.fail("a row was checked"))
    page = as_owner.get("/lists/").content.decode()
    assert page.count('class="shares"') == 1 and page.count("shares__part--") == len(spent)


def test_an_edit_changes_the_points_by_role_of_its_row(built: Muster) -> None:
    before = built.row.role_points
    built.unit("hh-la-tactical-squad")
    after = built.row.role_points
    assert before != after
    assert sum(Decimal(points) for _, points in after) == built.row.points


def test_a_tint_is_kept_copied_and_carried_by_the_file_of_everything(
    built: Muster, as_owner: Client, as_stranger: Client, stranger: User
) -> None:
    where = f"/lists/{built.list_id}/tint/"
    assert as_stranger.post(where, {"tint": "rust"}).status_code == 404 and built.row.tint == ""
    assert as_owner.post(where, {"tint": "rust"})["Location"].endswith("?pane=settings")
    assert built.row.tint == "rust" and "tint--rust" in as_owner.get(f"/lists/{built.list_id}/").content.decode()
    assert services.duplicate_list(built.viewer, built.list_id).tint == "rust"
    restore_backup(Viewer(user=stranger), backup_of(built.viewer), file_name="army-lists.zip")
    assert {row.tint for row in ArmyList.objects.filter(owner=stranger)} == {"rust"}
    as_owner.post(where, {"tint": "no such colour"})
    assert built.row.tint == ""


def test_a_shelf_without_lists_has_nothing_to_search(built: Muster, as_owner: Client, as_stranger: Client) -> None:
    search = 'id="list-search"'
    assert search in as_owner.get("/lists/").content.decode()
    assert search in as_owner.get("/lists/?q=nothing+is+called+so").content.decode()
    assert search not in as_owner.get("/lists/?bin=1").content.decode()
    assert search not in as_stranger.get("/lists/").content.decode()


def test_tags_in_any_script_are_found(built: Muster, as_owner: Client) -> None:
    """Russian ones never were where the database keeps JSON by the numbers of its letters."""
    services.file_army_list(built.viewer, built.list_id, tags=("Турнир", "зелёные"))
    for words in ("Турнир", "турнир", "зелён", "турнир зелёные"):
        assert "list-row__name" in as_owner.get("/lists/", {"q": words}).content.decode(), words
    assert "list-row__name" not in as_owner.get("/lists/", {"q": "чужие"}).content.decode()


def test_a_search_for_a_thousand_words_is_answered(built: Muster, as_owner: Client) -> None:
    """Ten of them are looked for: every word is four conditions, and a database thinks for minutes about thousands."""
    words = "a " * 1_000
    with CaptureQueriesContext(connection) as asked:
        assert as_owner.get("/lists/", {"q": words}).status_code == 200
    assert 10 <= max(one["sql"].count("LIKE") for one in asked.captured_queries) <= 40
    assert str(items_containing(MagicItem.objects.all(), words).query).count("LIKE") == 10


def test_history_translates_names_as_a_whole(owner: User, as_owner: Client) -> None:
    """A unit without a Russian name was half in Russian where a rule has the name of its first word."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    scouts = entry("scouts", "Captain Riders", category="troops", points=50)
    game, *others = release(catalogue("red", "Red Host", CAPTAIN, scouts))
    publishing.publish(system, (game, *others), origin="test")
    viewer = Viewer(user=owner)
    row = import_file(viewer, b"Muster\nRed Host\n\nCaptain [120 pts]\n", file_name="a.txt").army_list
    for unit in ("scouts", "captain"):
        army = Muster(viewer, row)
        library = library_of(row.release_id)
        entry_id = next(place.path for place in root_entries(library.roots("red")) if place.path.endswith(unit))
        army.unit(entry_id)
    as_owner.cookies["django_language"] = "ru"
    told = as_owner.get(f"/lists/{row.pk}/history/").content.decode()
    assert "Добавлено: Captain Riders – " in told and "Добавлено: Капитан – " in told


@pytest.mark.parametrize("is_guest", [True, False])
def test_who_has_no_room_left_is_told_what_makes_some(
    built: Muster, monkeypatch: pytest.MonkeyPatch, is_guest: bool
) -> None:
    """A guest with as many lists as one may have was told only to delete one."""
    monkeypatch.setattr(limits, "LISTS_OF_A_GUEST", 1)
    monkeypatch.setattr(limits, "LISTS_OF_A_USER", 1)
    viewer = Viewer(guest_key=uuid4()) if is_guest else built.viewer
    if is_guest:
        ArmyList.objects.filter(pk=built.list_id).update(owner=None, guest_key=viewer.guest_key)
    with pytest.raises(TooLarge, match="Delete one first") as refusal:
        services.duplicate_list(viewer, built.list_id)
    assert ("sign up" in str(refusal.value)) == is_guest


def test_what_is_said_of_the_same_unit_of_another_list_is_neither_settled_nor_new(
    muster: Callable[..., Muster], built: Muster
) -> None:
    """The units of two lists have ids of their own; what was said of both stood there as gone and as come."""
    other = muster(name="Second draft")
    for army in (built, other):
        praetor = army.unit("hh-la-praetor")
        army.edit(e.SetWarlord(node_id=praetor))
    found = compared(sheet_of(other.row), sheet_of(built.row))
    assert "HH-39" in {finding.rule for finding in found.after.findings}
    assert "HH-39" not in {finding.rule for finding in (*found.settled, *found.new)}
