"""Names and notes that try to be more than words: through every format, back again, and on pages that others open."""

import csv
import json
import re
import shutil
import subprocess
import unicodedata
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import PurePosixPath
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, services
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.files import ExportedFile
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from tests.armylists.conftest import Muster
from tests.breadth import in_turn

pytestmark = pytest.mark.long  # every format of every word

HOSTILE = {
    "formula": "=cmd|' /C calc'!A1",
    "plus": '+HYPERLINK("http://x.example","1")',
    "at": "@SUM(1+1)*cmd",
    "markup": '</text><script>alert(1)</script><img src=x onerror="alert(1)">',
    "entity": "&lt;b&gt; &#x202e; <!DOCTYPE x [<!ENTITY a 'b'>]> ]]> <?x?>",
    "markdown": "# [x](javascript:alert(1)) **@everyone** `code` ~~a~~ ||b|| > c | d",
    "bbcode": "[b]x[/b] [url=javascript:1]y[/url] [/list] [ff0000] [*]",
    "typst": '#import "x" $ * _ ] [ \\ @ #read("/etc/passwd")',
    "template": "{{ name }} {% for x in units %} {% include '/etc/passwd' %} {# #}",
    "turned": "Ash\u202egnp.exe\u200f\u2066 \u200b\ufeffHounds",
    "path": "../../etc/passwd\\..\\con.txt:stream",
    "lines": "Ash\nHounds\r\n++ HQ [99 pts] ++\n\n- Rhino [35 pts]\u2028\u2029\x0b\x0c",
    "price": "Ash Hounds [99 pts] (x: y), 3x Rhino: 2 with Axe",
    "long": "Ash Hounds " * 10,
    "astral": "𝔸𝕤𝕙 👩‍👩‍👧‍👦 Ё́ ﷽",
}
_INNOCENT = "\n\r\t\u200b\ufeff\xad\u200d"
"""Signs that end lines, or part words where nothing may be called or linked."""
LONG = ("word " * 800).strip()
"""As many signs as notes may have."""


@pytest.fixture(params=HOSTILE)
def hostile(request: pytest.FixtureRequest, legal: Muster) -> tuple[Muster, str]:
    """A legal list that is called so, as are two of its units and what is noted of them."""
    words = HOSTILE[request.param][: limits.NAME_LENGTH]
    _known_to_files(legal)
    warlord, unit, *_ = legal.document.roster.forces[0].selections
    legal.edit(e.SetName(name=words), e.Rename(node_id=unit.id, name=words), e.Rename(node_id=warlord.id, name=words))
    legal.edit(e.SetNotes(node_id=unit.id, notes=f"{words}\n{LONG}"[: limits.NOTES_LENGTH]), e.SetNotes(notes=words))
    return legal, words


def test_every_format_tells_them_as_words(hostile: tuple[Muster, str], request: pytest.FixtureRequest) -> None:
    army, _ = hostile
    for one in in_turn(request.node.callspec.indices["hostile"], tuple(FORMATS.values()), of=3):
        file = one.file_of(army.row)
        _is_harmless_name(file.name, f".{one.ending}")
        _READERS.get(one.ending, _is_plain)(file)
        assert len(file.content) < 3_000_000


def test_what_can_come_back_brings_the_same_units(hostile: tuple[Muster, str], viewer: Viewer) -> None:
    army, _ = hostile
    words = army.row.name
    units = sorted(unit.name for unit in army.document.roster.forces[0].selections)
    for format_id in ("json", "ros", "rosz"):
        file = FORMATS[format_id].file_of(army.row)
        back = import_file(viewer, file.content, file_name=file.name)
        assert (back.dropped, back.army_list.name) == ((), army.row.name)
        assert _units(back.army_list) == units
    for format_id in ("text-battlescribe", "text-new-recruit", "text-wtc", "text-owb", "markdown", "plain"):
        if format_id == "plain" and words.startswith(("<", "{", "[")):
            continue  # the first line is the name: it looks like a file
        file = FORMATS[format_id].file_of(army.row)
        try:
            returned = import_file(viewer, file.content, file_name="list.txt").army_list
        except EditRefused:  # a name may hide the faction from whoever reads the text
            continue
        assert set(_units(returned)) <= set(units) and len(_units(returned)) <= len(units), format_id
        if "99 pts" not in words and not words.startswith(("+", "#")):
            assert returned.points == army.row.points, format_id


def test_pages_that_others_open_show_them_as_words(hostile: tuple[Muster, str], client: Client) -> None:
    army, _ = hostile
    link = services.publish_share_link(army.viewer, army.list_id)
    for address in (f"/s/{link.token}/", f"/s/{link.token}/print/", f"/s/{link.token}/embed/"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        page = _Page()
        page.feed(answer.content.decode())
        assert page.handlers == [] and not [text for text in page.scripts if "alert" in text], address
        assert not _turning("".join(page.texts)), address


def test_a_file_with_a_name_of_ten_thousand_signs(legal: Muster, viewer: Viewer) -> None:
    endless = "Ash Hounds " * 1_000
    _known_to_files(legal)
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.Rename(node_id=unit.id, name="Ash Hounds"), e.SetName(name="Autumn"))
    file = FORMATS["ros"].file_of(legal.row).content
    titled = file.replace(b'"Autumn"', f'"{endless}"'.encode())
    assert len(import_file(viewer, titled, file_name=f"{endless}.ros").army_list.name) <= limits.NAME_LENGTH
    with pytest.raises(TooLarge, match="larger than allowed"):
        import_file(viewer, file.replace(b"Ash Hounds", endless.encode()), file_name="list.ros")


def test_what_was_stored_in_a_file_comes_back_straight(legal: Muster, viewer: Viewer) -> None:
    _known_to_files(legal)
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.Rename(node_id=unit.id, name="Ash Hounds"))
    file = FORMATS["ros"].file_of(legal.row).content.replace(b"Ash Hounds", "Ash\u202egnp.exe".encode())
    back = import_file(viewer, file, file_name="list.ros").army_list
    assert "Ashgnp.exe" in back.document and "\u202e" not in back.document


class _Page(HTMLParser):
    """What a browser finds in a page: its scripts, the handlers of its elements, its words."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self.texts: list[str] = []
        self.is_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.is_script = tag == "script"
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        self.texts += [value or "" for _, value in attributes]

    def handle_data(self, data: str) -> None:
        (self.scripts if self.is_script else self.texts).append(data)


def _known_to_files(army: Muster) -> None:
    """Let files say which game they are of."""
    system_id = services.check_army_list(army.row).library.system_id
    PublishedSystem.objects.filter(pk=army.row.system_id).update(battlescribe_id=system_id)


def _units(army_list: ArmyList) -> list[str]:
    document = read_document(army_list.document)
    return sorted(unit.name for force in document.roster.forces for unit in force.selections)


def _is_harmless_name(name: str, ending: str) -> None:
    assert name.endswith(ending) and len(name.encode()) <= 255
    assert name == PurePosixPath(name).name and not name.startswith(".")
    assert not re.search(r'[\\/:*?"<>|\x00-\x1f]', name) and not _turning(name)


def _turning(text: str) -> list[str]:
    """Marks that turn a line around or hide in it."""
    kinds = {"Cf", "Cc", "Zl", "Zp"}
    return [char for char in text if unicodedata.category(char) in kinds and char not in _INNOCENT]


def _is_plain(file: ExportedFile) -> None:
    text = file.content.decode()
    assert not _turning(text), file.name
    assert "\r" not in text and "\u2028" not in text


def _is_json(file: ExportedFile) -> None:
    json.loads(file.content)


def _is_markdown(file: ExportedFile) -> None:
    _is_plain(file)
    text = file.content.decode()
    bare = re.sub(r"\\.", "", text)
    assert "<" not in bare and "](" not in bare and "@everyone" not in bare and "`" not in bare


def _is_table(file: ExportedFile) -> None:
    rows = list(csv.reader(StringIO(file.content.decode("utf-8-sig"))))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def _is_xml(file: ExportedFile) -> None:
    assert b"<!DOCTYPE" not in file.content and b"<!ENTITY" not in file.content
    for node in ElementTree.fromstring(file.content).iter():
        assert not str(node.tag).endswith("script") and not [name for name in node.attrib if name.startswith("on")]


def _is_zip(file: ExportedFile) -> None:
    with ZipFile(BytesIO(file.content)) as archive:
        (name,) = archive.namelist()
        _is_harmless_name(name, ".ros")
        _is_xml(ExportedFile(name, "", archive.read(name)))


def _is_pdf(file: ExportedFile) -> None:
    assert re.search(r"^JavaScript:\s+no$", _told_of(file, "pdfinfo", "-"), re.MULTILINE)
    assert not [char for char in _told_of(file, "pdftotext", "-", "-") if char in "\u202e\u2066\u200f"]


def _told_of(file: ExportedFile, *command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip("pdftotext is not installed (apt-get install poppler-utils)")
    told = subprocess.run(command, input=file.content, capture_output=True, check=True, timeout=60)
    return told.stdout.decode()


def _is_picture(file: ExportedFile) -> None:
    assert file.content.startswith(b"\x89PNG")


_READERS = {
    "json": _is_json,
    "md": _is_markdown,
    "csv": _is_table,
    "ros": _is_xml,
    "rosz": _is_zip,
    "svg": _is_xml,
    "pdf": _is_pdf,
    "png": _is_picture,
}
