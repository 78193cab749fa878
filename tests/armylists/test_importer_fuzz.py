"""Files and texts of every kind that is taken, broken at random: read or refused, within bounds, never a crash."""

import base64
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports import files
from armybuilder.armylists.imports.files import import_file, recognised
from armybuilder.armylists.imports.names_alone import KnownNames
from armybuilder.armylists.imports.pasted_text import TEXT_BYTES
from armybuilder.armylists.imports.source_list import refuse_more_than_a_list
from armybuilder.engine.battlescribe_files.ros_xml import read_roster
from armybuilder.engine.errors import GameError
from tests.armylists.conftest import Muster
from tests.armylists.test_layouts_of_others import LAYOUTS
from tests.armylists.test_other_tools import ARMY_BUILDER, OWB, as_json
from tests.armylists.test_texts_of_other_tools import BATTLESCRIBE_HTML, TABLE
from tests.armylists.texts import READ_BACK
from tests.engine.battlescribe_files.test_fuzz import mutated

GOLDEN = Path(__file__).parents[1] / "golden" / "exports"
ROS = b"""<roster id="r" name="Muster" gameSystemId="g" gameSystemName="Example" gameSystemRevision="1"
 battleScribeVersion="2.03" xmlns="http://www.battlescribe.net/schema/rosterSchema">
<costs><cost name="pts" typeId="p" value="100"/></costs>
<forces><force id="f" name="Force" entryId="e" catalogueId="c" catalogueName="Book"><selections>
<selection id="s" name="Squad" entryId="q" number="1" type="unit">
<costs><cost name="pts" typeId="p" value="100"/></costs>
<selections><selection id="m" name="Trooper" entryId="t" number="9" type="model"/></selections></selection>
</selections></force></forces></roster>"""
NEW_RECRUIT = json.dumps(as_json(ROS)).encode()

NAMES = b"Muster\n\nHQ\nCaptain w/ relic blade & halo\n10 Line Squad (10), flamer\n- fist\nRhino x2\nRhinoo\n"

SEEDS = {
    **{path.name: path.read_bytes() for one in READ_BACK for path in sorted(GOLDEN.glob(f"{one}.*"))},
    **{f"text of {name}": text.encode() for name, (text, _) in TABLE.items()},
    **{f"layout of {name}": text.encode() for name, text in LAYOUTS.items()},
    "names": NAMES,
    "muster.owb.json": json.dumps(OWB).encode(),
    "muster.xml": ARMY_BUILDER,
    "muster.ros": ROS,
    "muster.json": NEW_RECRUIT,
    "muster.html": BATTLESCRIBE_HTML.encode(),
    "link": b"https://example.org/#" + base64.urlsafe_b64encode(gzip.compress(NEW_RECRUIT, mtime=0)),
}


@pytest.fixture(autouse=True)
def _names_of_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a text without prices is read by."""
    known = KnownNames(frozenset({"captain", "line squad", "rhino", "squad", "trooper"}), frozenset({"hq"}))
    monkeypatch.setattr(files, "known_names", lambda: known)


def read(data: bytes, name: str) -> str:
    """How reading ended."""
    try:
        found = recognised(data, file_name=name)
        if found.roster is not None:
            read_roster(found.roster, file_name=name)
        elif found.source is not None:
            refuse_more_than_a_list(found.source)
    except GameError as refusal:
        assert str(refusal)
        return "refused"
    return "read"


@pytest.mark.parametrize("name", SEEDS)
def test_broken_files_are_read_or_refused(db: None, name: str) -> None:
    rng = random.Random(f"importers {name}")
    ends = [read(mutated(SEEDS[name], rng), name) for _ in range(12)]
    assert set(ends) <= {"read", "refused"}
    assert read(SEEDS[name], name) == "read"


def test_broken_files_of_our_own_are_lists_or_refused(legal: Muster, viewer: Viewer) -> None:
    rng = random.Random("our own")
    for format_id in ("json", "ros"):
        file = FORMATS[format_id].file_of(legal.row)
        for _ in range(25):
            try:
                made = import_file(viewer, mutated(file.content, rng), file_name=file.name).army_list
            except GameError as refusal:
                assert str(refusal)
            else:
                FORMATS["plain"].file_of(made)
                made.delete()


def packed(data: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("muster.ros", data)
    return held.getvalue()


ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
BOMBS: dict[str, Callable[[], bytes]] = {
    "entities": f'<!DOCTYPE r [<!ENTITY e0 "aaaaaaaaaa">{ENTITIES}]><roster name="&e11;"/>'.encode,
    "archive": lambda: packed(b"<roster>" + b" " * 60_000_000 + b"</roster>"),
    "link": lambda: (
        b"https://x.org/#" + base64.urlsafe_b64encode(gzip.compress(b'{"roster":' + b" " * 60_000_000 + b"}"))
    ),
    "deep JSON": lambda: b'{"roster":' * 100_000,
    "deep rows": lambda: b'{"roster":{"forces":' + b'[{"selections":' * 300 + b"[]" + b"}]" * 300 + b"}}",
    "deep elements": lambda: b"<roster>" + b"<selection>" * 100_000,
    "deep page": lambda: b'<div class="battlescribe"><li class="rootselection">' + b"<ul><li><h4>x</h4>" * 50_000,
    "deep army": lambda: b'<document signature="Army Builder Roster">' + b'<unit name="a">' * 5_000,
}
"""Made when asked for: two hold sixty megabytes."""

TEXTS = {
    "brackets": "Unit [1 pts]: " + "(" * 1_900,
    "commas": "Unit [1 pts]: " + "a, " * 650,
    "colons": "Unit [1 pts]: " + "a: b " * 390,
    "facts": "Unit [1 pts]: " + "joins (" * 280,
    "dashes": "Unit [1 pts]: " + "a – " * 480,
    "figures": "1 " * 990 + "[1 pts]",
    "spaces": "Unit" + " " * 1_900 + "[1 pts]",
    "bullets": ". " * 990 + "Unit [1 pts]",
    "stars": "*" * 1_990,
    "headings": "# ++ a (b): c ++",
    "prices": "Unit " + "[1 pts] " * 240,
    "names": "Captain with blade & halo, " * 75,
    "names in brackets": "Captain (" * 220,
    "prices in front": "100 - " * 330,
    "lines": "─" * 600,
    "limits": "Unit /" + " 1 000" * 300 + " pts",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_go_off(name: str) -> None:
    bomb = BOMBS[name]()
    began = process_time()
    assert read(bomb, f"{name}.ros" if bomb[:2] == b"PK" else name) in ("read", "refused")
    assert process_time() - began < 5, "an importer works long on a file that was made for that"


@pytest.mark.long
@pytest.mark.parametrize("name", TEXTS)
def test_lines_made_to_take_long_take_no_longer(name: str) -> None:
    """The same line as often as a text may have it."""
    lines = TEXT_BYTES // (len(TEXTS[name].encode()) + 14)
    text = "\n".join(["Muster [10 pts]", "Squad [1 pts]", *[TEXTS[name]] * lines])
    began = process_time()
    assert read(text.encode(), "pasted") in ("read", "refused")
    assert process_time() - began < 5


def test_more_than_a_list_can_be_is_refused_unread() -> None:
    for start in (b"Unit [1 pts]\n", b"<roster>", b'{"roster": ', b"PK\x03\x04", b"<html>"):
        data = start + b"Unit [1 pts]\n" * 800_000
        assert len(data) > 10_000_000 > limits.ROSTER_FILE_BYTES or read(data, "long") == "refused"
        began = process_time()
        assert read(data, "long") == "refused"
        assert process_time() - began < 1
