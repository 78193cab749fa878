"""Files of other tools: New Recruit and ListForge whole, Old World Builder and Army Builder by their names."""

import base64
import gzip
import json
from time import process_time
from typing import Any
from urllib.parse import quote

import pytest
from lxml import etree

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports.files import import_file, recognised, unpublished
from armybuilder.armylists.imports.sheet_of_source import sheet_of_source
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.findings import Verdict
from tests.armylists.conftest import Muster, fixture_library
from tests.armylists.test_pasted_text import shape

OWB = {
    "name": "Crusade",
    "game": "the-horus-heresy",
    "army": "sons-of-horus",
    "points": 1500,
    "characters": [
        {"name_en": "Praetor", "points": 100, "equipment": [{"name_en": "Iron Halo", "active": True}], "options": []}
    ],
    "core": [
        {
            "name_en": "Tactical Squad",
            "strength": 12,
            "customName": "Ash Hounds",
            "options": [{"name_en": "Krak Grenades", "active": True}, {"name_en": "Melta", "active": False}],
        }
    ],
}
ARMY_BUILDER = b"""<document signature="Army Builder Roster"><game folder="hh" name="The Horus Heresy"/>
<roster name="From afar"><force name="Sons of Horus"><unit name="Praetor" cost="120"><link name="Iron Halo"/></unit>
<unit name="Tactical Squad" models="10"><cost value="100"/></unit></force></roster></document>"""


def as_json(ros: bytes) -> dict[str, Any]:
    """A roster file in the brackets of New Recruit."""

    def node(element: Any) -> dict[str, Any]:
        found: dict[str, Any] = dict(element.attrib)
        for child in element:
            name = etree.QName(child).localname
            if len(child) or name.endswith("s"):
                found[name] = [node(row) for row in child]
            elif name not in found:
                found[name] = child.text or ""
        if element.text and element.text.strip():
            found["$text"] = element.text
        return found

    return {"roster": node(etree.fromstring(ros)), "generatedBy": "https://newrecruit.eu"}


@pytest.fixture
def ros(legal: Muster) -> bytes:
    PublishedSystem.objects.update(battlescribe_id=fixture_library().system_id)
    return FORMATS["ros"].file_of(legal.row).content


def test_json_of_new_recruit_is_the_same_list(legal: Muster, viewer: Viewer, ros: bytes) -> None:
    done = import_file(viewer, json.dumps(as_json(ros)).encode(), file_name="list.json")
    assert not done.dropped and shape(done.army_list) == shape(legal.row)


def test_what_new_recruit_writes_beside_the_list_is_no_attribute(legal: Muster, viewer: Viewer, ros: bytes) -> None:
    """Its files name the namespace of XML among their members: each was refused as XML that is not well-formed."""
    written = as_json(ros)
    written["roster"] |= {
        "battleScribeVersion": 2.03,
        "generatedBy": "https://newrecruit.eu",
        "xmlns": "http://www.battlescribe.net/schema/rosterSchema",
    }
    packed = base64.b64encode(gzip.compress(json.dumps(written).encode())).decode()
    for content in (json.dumps(written), f"https://example.org/view#{packed}"):
        done = import_file(viewer, content.encode(), file_name="list.json")
        assert not done.dropped and shape(done.army_list) == shape(legal.row)


def test_a_member_that_no_attribute_can_be_called_is_passed_over(legal: Muster, viewer: Viewer, ros: bytes) -> None:
    """A name that Python takes and XML does not was a failure of the site."""
    written = as_json(ros)
    for node in (written["roster"], written["roster"]["costs"][0], written["roster"]["forces"][0]):
        node |= {"ª": "1", "℘": 2, "x:y": True, "": 1.5, "名": "x"}
    done = import_file(viewer, json.dumps(written).encode(), file_name="list.json")
    assert not done.dropped and shape(done.army_list) == shape(legal.row)


def test_a_link_carries_the_list(legal: Muster, viewer: Viewer, ros: bytes) -> None:
    packed = base64.urlsafe_b64encode(gzip.compress(json.dumps(as_json(ros)).encode())).decode()
    for link in (f"https://example.org/listforge#{packed}", f"https://example.org/?a=b#/view/{quote(packed)}"):
        assert shape(import_file(viewer, link.encode(), file_name="link").army_list) == shape(legal.row)
    with pytest.raises(UnreadableFile, match="damaged"):
        recognised(f"https://example.org/#{packed[:60]}!".encode(), file_name="link")


def test_a_link_that_unpacks_to_too_much_is_refused() -> None:
    bomb = base64.b64encode(gzip.compress(b" " * 50_000_000)).decode()
    with pytest.raises(UnreadableFile, match="more than"):
        recognised(f"https://example.org/#{bomb}".encode(), file_name="link")


@pytest.mark.parametrize(
    ("content", "models", "limit"), [(json.dumps(OWB).encode(), 12, 1500), (ARMY_BUILDER, 10, None)]
)
def test_names_of_other_tools_are_looked_up(
    legal: Muster, viewer: Viewer, content: bytes, models: int, limit: int | None
) -> None:
    done = import_file(viewer, content, file_name="other.json")
    state_of = FORMATS["plain"].file_of(done.army_list).content.decode()
    assert f"{models}x " in state_of and "Praetor, 120 pts" in state_of
    assert done.army_list.points_limit == limit
    assert not done.dropped
    assert ("Ash Hounds (Tactical Squad)" in state_of) == (models == 12)


def test_a_roster_without_data_is_shown_from_what_it_holds(legal: Muster, ros: bytes) -> None:
    elsewhere = ros.replace(fixture_library().system_id.encode(), b"elsewhere")
    held = unpublished(recognised(elsewhere, file_name="x.ros"), file_name="x.ros")
    assert held is not None
    sheet = sheet_of_source(held)
    assert [unit.name for unit in sheet.units] == ["Praetor", "Tactical Squad", "Tactical Squad"]
    assert sheet.points == legal.report.points.total and sheet.verdict is Verdict.NOT_CHECKED
    praetor = sheet.units[0]
    assert dict(praetor.profiles[0].characteristics)["WS"] == "6"
    assert any(weapon.name == "Chainsword" for weapon in praetor.weapons) and "Relentless" in praetor.rules
    assert unpublished(recognised(ros, file_name="x.ros"), file_name="x.ros") is None


@pytest.mark.parametrize(
    ("content", "looks_like"),
    [
        (b"%PDF-1.7 ...", "a PDF"),
        (b"\x89PNG\r\n", "a picture"),
        (b'{"deck": 1}', "JSON of another"),
        (b"\x00" * 9, "no"),
    ],
)
def test_a_refusal_names_what_is_taken_and_what_this_looks_like(content: bytes, looks_like: str) -> None:
    with pytest.raises(EditRefused, match=looks_like) as refusal:
        recognised(content, file_name="x.bin")
    assert "Old World Builder" in str(refusal.value) and "x.bin" in refusal.value.text.ru


def test_a_roster_of_too_many_members_is_refused_in_no_time() -> None:
    """Each was looked for among those before it: three megabytes held a thread for minutes."""
    wide = {"roster": {"forces": [{f"k{number}": 1 for number in range(100_000)}]}}
    begun = process_time()
    with pytest.raises(UnreadableFile, match="more than 200 members"):
        recognised(json.dumps(wide).encode(), file_name="x.json")
    assert process_time() - begun < 2
