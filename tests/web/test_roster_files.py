"""Roster files, newer data and "why?" on pages: they work as plain links and forms, for their owner alone."""

import html
import json
import re
from time import process_time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.exports.paper import FIELDS, PARTS
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.share_links import new_token
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.battlescribe_files.zipped import zipped
from armybuilder.reference import publishing
from tests.armylists.conftest import SONS, Muster, fixture_library
from tests.gamedata_files import SQUAD, catalogue, entry, release
from tests.web.conftest import HTMX

UNIT = {"line": 1, "text": "a", "name": "a"}


@pytest.fixture
def mine(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def test_a_list_is_saved_and_opened_again(mine: Client, built: Muster, game: PublishedSystem) -> None:
    PublishedSystem.objects.update(battlescribe_id=fixture_library().system_id)
    page = mine.get(f"/lists/{built.list_id}/").content.decode()
    assert f"/lists/{built.list_id}/exports/" in page
    out = mine.get(f"/lists/{built.list_id}/files/rosz/")
    assert out["Content-Disposition"] == 'attachment; filename="First draft.rosz"'
    assert "lists/open/" in mine.get("/lists/").content.decode()
    assert mine.get("/lists/open/").status_code == 200
    answer = mine.post("/lists/open/", {"roster_file": SimpleUploadedFile("x.rosz", out.content)})
    assert answer.status_code == 302
    copy = ArmyList.objects.exclude(pk=built.list_id).get()
    assert answer["Location"] == f"/lists/{copy.pk}/"
    assert (copy.points, copy.owner_id) == (built.row.points, built.row.owner_id)


def test_what_the_data_lacks_is_named_on_the_next_page(mine: Client, built: Muster) -> None:
    PublishedSystem.objects.update(battlescribe_id=fixture_library().system_id)
    out = mine.get(f"/lists/{built.list_id}/files/ros/").content.replace(b'entryId="hh-la-praetor"', b'entryId="gone"')
    uploaded = SimpleUploadedFile("old.ros", out)
    page = mine.post("/lists/open/", {"roster_file": uploaded}, follow=True).content.decode()
    assert "Not in the present data, and left out (1): Praetor" in page


@pytest.mark.parametrize("content", [b'{"roster": {"forces": [', b'{"army":' * 5_000, b'{"format": "\xff"}'])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_damaged_json_is_refused_in_the_words_of_its_reader(mine: Client, content: bytes, language: str) -> None:
    """Russian pages said it in English, and of one nested too deeply that a recursion depth was exceeded."""
    mine.cookies["django_language"] = language
    answer = mine.post("/lists/open/", {"roster_file": SimpleUploadedFile("bad.json", content)})
    assert answer.status_code == 422
    refusal = re.search(r"bad\.json[^<]*", html.unescape(answer.content.decode()))
    assert refusal is not None and "recursion" not in refusal[0]
    assert ("is n" in refusal[0]) == (language == "en"), refusal[0]


def test_a_roster_of_which_the_data_knows_no_id_is_looked_up_by_its_names(
    mine: Client, built: Muster, game: PublishedSystem
) -> None:
    """As one of an earlier data set: its player looks the names over and makes the list; programs get it at once."""
    PublishedSystem.objects.update(battlescribe_id=fixture_library().system_id)
    out = mine.get(f"/lists/{built.list_id}/files/ros/").content
    for member in (b"entryId", b"catalogueId"):
        out = out.replace(member + b'="', member + b'="old-')
    out = out.replace(b'name="Praetor"', b'name="Praetorr"')
    answer = mine.post("/lists/open/", {"roster_file": SimpleUploadedFile("old.ros", out)})
    page = answer.content.decode()
    assert answer.status_code == 200 and "Look the list over" in page
    assert "Praetorr" in page and "Tactical Squad" in page
    made = import_file(built.viewer, out, file_name="old.ros")
    assert made.dropped == ()
    assert (made.army_list.points, made.army_list.points_limit) == (built.row.points, built.row.points_limit)
    assert {unit.name for unit in plain_sheet_of(made.army_list).units} >= {"Praetor", "Tactical Squad"}


def zip_of_a_version_yet_to_come() -> bytes:
    """Its directory says that the member needs version 13.0 of the format."""
    data = bytearray(zipped(b"<roster/>", member_name="x.ros"))
    directory = data.index(b"PK\x01\x02")
    data[directory + 6 : directory + 8] = (130).to_bytes(2, "little")
    return bytes(data)


@pytest.mark.parametrize("content", [b"nothing", b"PK\x03\x04", b"<roster/>", zip_of_a_version_yet_to_come()])
def test_a_bad_file_is_explained_and_nothing_stored(mine: Client, built: Muster, content: bytes) -> None:
    answer = mine.post("/lists/open/", {"roster_file": SimpleUploadedFile("bad.ros", content)})
    assert answer.status_code == 422 and "bad.ros" in answer.content.decode()
    with translation.override("ru"):
        answer = mine.post(
            "/lists/open/", {"roster_file": SimpleUploadedFile("bad.ros", content)}, headers={"Accept-Language": "ru"}
        )
    assert re.search("«bad.ros» – не файл ростера, или он|bad.ros: на сайте нет данных", answer.content.decode())
    assert ArmyList.objects.count() == 1


def test_strangers_find_no_file(client: Client, built: Muster, stranger: User) -> None:
    link = ShareLink.objects.create(token=new_token(), army_list_id=built.list_id)
    client.force_login(stranger)
    assert client.get(f"/lists/{built.list_id}/files/ros/").status_code == 404
    assert client.get(f"/s/{link.token}/files/ros/").status_code == 200
    assert client.get(f"/s/{link.token}/files/exe/").status_code == 404


@pytest.fixture
def outdated(owner: User) -> ArmyList:
    """A list with a captain, of whom newer data says that he is dearer."""

    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(), origin="a test")
    viewer = Viewer(user=owner)
    made = services.create_army_list(
        viewer, system_id="invented", name="Mine", catalogue_id="red", force_entry_id="primary"
    )
    force = read_document(made.document).roster.forces[0].id
    services.apply_edit(viewer, made.pk, e.AddUnit(force_id=force, entry_id="captain"), expected_revision=1)
    dearer = catalogue("red", "Red Host", entry("captain", "Captain", category="hq", points=130), SQUAD)
    publishing.publish(system, release(dearer, revision=2), origin="newer")
    return ArmyList.objects.get()


def test_newer_data_is_offered_shown_and_taken(mine: Client, outdated: ArmyList) -> None:
    address = f"/lists/{outdated.pk}/"
    assert f"{address}impact/" in mine.get(address).content.decode()
    page = mine.get(f"{address}impact/").content.decode()
    assert "Captain: 120 → 150 (+30)" in page
    current = PublishedSystem.objects.get().current_release
    assert current is not None
    form = {"release": str(current.pk), "revision": "2", "choice": "move"}
    answer = mine.post(f"{address}impact/decide/", form, follow=True)
    assert "newest data now" in answer.content.decode() and f"{address}impact/" not in answer.content.decode()
    assert ArmyList.objects.get().release_id == current.pk
    assert mine.get(f"{address}impact/").status_code == 302


def test_the_report_tends_names_of_the_data(mine: Client, outdated: ArmyList) -> None:
    publishing.publish(outdated.system, release(catalogue("red", "Red Host", SQUAD), revision=3), origin="newest")
    page = mine.get(f"/lists/{outdated.pk}/impact/").content.decode()
    assert "HQ – 0 taken, at least 1 needed" in page and "HQ: –" not in page


def test_staying_takes_the_offer_away(mine: Client, outdated: ArmyList) -> None:
    address = f"/lists/{outdated.pk}/"
    current = PublishedSystem.objects.get().current_release
    assert current is not None
    page = mine.post(f"{address}impact/decide/", {"release": str(current.pk), "choice": "stay"}, follow=True)
    assert f"{address}impact/" not in page.content.decode()
    assert ArmyList.objects.get().release_id == outdated.release_id
    assert "Captain: 120 → 150" in mine.get(f"{address}impact/").content.decode()


def test_nobody_else_sees_or_decides(client: Client, outdated: ArmyList, stranger: User) -> None:
    client.force_login(stranger)
    before = list(ArmyList.objects.values())
    assert client.get(f"/lists/{outdated.pk}/impact/").status_code == 404
    form = {"release": str(outdated.release_id), "revision": "2", "choice": "stay"}
    assert client.post(f"/lists/{outdated.pk}/impact/decide/", form).status_code == 404
    assert Client(enforce_csrf_checks=True).post(f"/lists/{outdated.pk}/impact/decide/", form).status_code == 403
    assert list(ArmyList.objects.values()) == before


def test_objections_are_explained_with_what_would_help(mine: Client, outdated: ArmyList) -> None:
    page = mine.get(f"/lists/{outdated.pk}/").content.decode()
    assert f"/lists/{outdated.pk}/why/" in page
    why = mine.get(f"/lists/{outdated.pk}/why/").content.decode()
    assert "at least 2 needed" in why and "What would help:" in why and "<html" in why
    fragment = mine.get(f"/lists/{outdated.pk}/why/", headers=HTMX).content.decode()
    assert "<html" not in fragment and "at least 2 needed" in fragment
    mine.cookies["django_language"] = "ru"
    assert "нужно не меньше 2" in mine.get(f"/lists/{outdated.pk}/why/").content.decode()


def test_hidden_entries_have_a_why_beside_them(mine: Client, outdated: ArmyList) -> None:
    page = mine.get(f"/lists/{outdated.pk}/").content.decode()
    found = set()
    for query in sorted(set(re.findall(r"\?(add=[^\"#]+)", page))):
        pane = mine.get(f"/lists/{outdated.pk}/?{query.replace('&amp;', '&')}").content.decode()
        found |= set(re.findall(r'href="(/lists/[^"]+/why/\?[^"]+)"', pane))
    (address,) = found
    answer = mine.get(address.replace("&amp;", "&"))
    assert answer.status_code == 200
    assert "Hidden Squad is hidden unless the data unlocks it." in answer.content.decode()


def test_why_is_for_the_owner_and_names_what_is_there(client: Client, built: Muster, stranger: User) -> None:
    assert client.get(f"/lists/{built.list_id}/why/").status_code == 404
    client.force_login(stranger)
    assert client.get(f"/lists/{built.list_id}/why/").status_code == 404
    client.force_login(built.row.owner)
    assert client.get(f"/lists/{built.list_id}/why/?node={built.force_id}&entry=nothing").status_code == 404
    assert client.get(f"/lists/{built.list_id}/why/?node={built.force_id}").status_code == 404


PASTED = """Autumn muster (220 Points)

Sons of Horus

HQ

Praetor (120 Points)

TROOPS

Tactical Squads (100 Points)
"""


def test_a_pasted_text_is_looked_over_and_made_a_list(mine: Client, built: Muster) -> None:
    page = mine.post("/lists/open/", {"text": PASTED}).content.decode()
    assert "Tactical Squads" in page and "not sure" in page and "Look the list over" in page
    source = html.unescape(re.search(r'name="source" value="([^"]*)"', page)[1])
    fields = {"source": source, "faction": f"horus-heresy {SONS}", "name": "Pasted"}
    again = mine.post("/lists/open/review/", {**fields, "line-1": "", "look": ""}).content.decode()
    assert "1 is not in the data and stays in the notes" in again
    answer = mine.post("/lists/open/review/", {**fields, "make": ""})
    made = ArmyList.objects.exclude(pk=built.list_id).get()
    assert answer["Location"] == f"/lists/{made.pk}/" and (made.name, made.points) == ("Pasted", 220)


def test_nothing_pasted_is_said(mine: Client, game: PublishedSystem) -> None:
    answer = mine.post("/lists/open/", {"text": "  "})
    assert answer.status_code == 422 and "Choose a file or paste a text." in answer.content.decode()
    assert mine.post("/lists/open/review/", {"source": "{"}).status_code == 302


@pytest.mark.parametrize(
    "source",
    [
        {"units": [UNIT] * 401},
        {"units": [UNIT | {"items": [UNIT] * 6_001}]},
        {"units": [UNIT | {"points": "1e999999"}]},
        {"units": [UNIT | {"points": "NaN"}]},
        {"units": [UNIT | {"under": [[n, "Troops"] for n in range(4_001)]}]},
    ],
)
def test_a_source_that_no_reader_makes_is_not_looked_up(client: Client, game: object, source: Any) -> None:
    faction = f"horus-heresy {SONS}"
    begun = process_time()
    answer = client.post("/lists/open/review/", {"faction": faction, "source": json.dumps(source), "look": ""})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/lists/open/")
    assert process_time() - begun < 1


def test_a_source_nested_without_end_is_none(client: Client, game: object) -> None:
    faction = f"horus-heresy {SONS}"
    inner = '{"line":1,"text":"a","name":"a","items":['
    deep = '{"units":[' + inner * 20_000 + "]}" * 20_000 + "]}"
    assert client.post("/lists/open/review/", {"faction": faction, "source": deep}).status_code == 302


def test_a_file_of_another_game_is_shown(mine: Client, built: Muster) -> None:
    out = mine.get(f"/lists/{built.list_id}/files/ros/").content
    uploaded = SimpleUploadedFile("far.ros", out.replace(fixture_library().system_id.encode(), b"elsewhere"))
    page = mine.post("/lists/open/", {"roster_file": uploaded}).content.decode()
    assert "Praetor" in page and "Nothing was checked" in page and "nothing is stored" in page
    assert ArmyList.objects.count() == 1


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_asks_for_everything_that_paper_knows(language: str, mine: Client, built: Muster) -> None:
    """Team and date of the head, and findings and facts to be left out, were known to addresses alone."""
    mine.cookies["django_language"] = language
    page = mine.get(f"/lists/{built.list_id}/exports/").content.decode()
    for field, label in FIELDS.items():
        assert (
            re.search(rf'<input[^>]*name="{field}"', page) and f">{label.ru if language == 'ru' else label.en}<" in page
        )
    without = re.search(r'<select[^>]*name="without".*?</select>', page, re.DOTALL)
    assert without is not None
    assert set(re.findall(r'value="(\w+)"', without[0])) == set(PARTS)
