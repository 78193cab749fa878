"""Files from outside are hostile: each is refused by name, in bounded time, and leaves nothing behind."""

import io
import zipfile
from collections.abc import Callable
from functools import cache
from time import perf_counter, process_time

import pytest

from armybuilder.engine.battlescribe_files.library import load_library, load_readable
from armybuilder.engine.battlescribe_files.ros_xml import read_extension, read_roster
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile, members, unzipped, zipped
from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import SourceFile
from tests.engine.battlescribe_files.files import army_file, catalogue, system_file

BOUND_SECONDS = 10


@cache
def bomb(size: int = 200_000_000) -> bytes:
    """A small archive that unpacks to `size` bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Army.cat", b" " * size)
    return out.getvalue()


@cache
def lying_bomb() -> bytes:
    """An archive that claims a small member and holds a large one."""
    data = bytearray(bomb(80_000_000))
    true = (80_000_000).to_bytes(4, "little")
    while (at := data.find(true)) >= 0:
        data[at : at + 4] = (1000).to_bytes(4, "little")
    return bytes(data)


ENTITIES = '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "aaaaaaaaaa">{}]>' + catalogue().split("?>", 1)[1]
LAUGHS = ENTITIES.format("".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)))
OUTSIDE = ENTITIES.format('<!ENTITY x SYSTEM "file:///etc/passwd">').replace('name="Army"', 'name="&x;"')
GROUP = '<selectionEntryGroups><selectionEntryGroup id="g" name="g">'
GROUP_END = "</selectionEntryGroup></selectionEntryGroups>"


def nested(depth: int) -> str:
    return catalogue().replace("<costs>", GROUP * depth + GROUP_END * depth + "<costs>")


HOSTILE: list[tuple[str, bytes | Callable[[], bytes], str]] = [
    ("empty", b"", "empty"),
    ("blanks", b"  \n ", "empty"),
    ("no XML", b"hello", "not well-formed"),
    ("truncated", army_file().data[:-40], "line"),
    ("a zip bomb", bomb, "unpacks to"),
    ("a zip bomb that lies", lying_bomb, "unpacks|damaged"),
    ("half a zip", bomb(1000)[:60], "zip archive"),
    ("an empty zip", b"PK\x05\x06" + b"\0" * 18, "empty"),
    ("an entity bomb", LAUGHS.encode(), "document types"),
    ("an entity from outside", OUTSIDE.encode(), "document types"),
    ("50 MB of nested groups", lambda: nested(490_000).encode(), "nested deeper"),
    ("nested just too deep", nested(120).encode(), "nested deeper"),
    ("not the encoding it claims", catalogue().replace("Army", "Arm\u00e9").encode("latin-1"), "line|encoding"),
    ("an unknown encoding", catalogue().replace("UTF-8", "klingon").encode(), "encoding"),
    ("another document", b"<html><body/></html>", "root element"),
    ("control characters", catalogue().replace("Boss", "Bo\x01ss").encode(), "not well-formed"),
]
"""Name, content (large ones are made when their test runs) and what the refusal says."""


def content_of(data: bytes | Callable[[], bytes]) -> bytes:
    return data if isinstance(data, bytes) else data()


@pytest.mark.parametrize(("case", "data", "words"), HOSTILE, ids=[row[0] for row in HOSTILE])
@pytest.mark.long
def test_refused_by_name_in_bounded_time(case: str, data: bytes | Callable[[], bytes], words: str) -> None:
    hostile = SourceFile("Army.cat", content_of(data))
    began = perf_counter()
    with pytest.raises(UnreadableFile, match=words) as caught:
        load_library([system_file(), hostile])
    assert caught.value.file_name.startswith("Army.cat"), case
    assert isinstance(caught.value, GameError)
    assert perf_counter() - began < BOUND_SECONDS, case
    library = load_readable([system_file(), hostile])
    assert [problem.kind for problem in library.problems] == ["unreadable-file"], case


@pytest.mark.parametrize(("case", "data", "words"), HOSTILE[2:14], ids=[row[0] for row in HOSTILE[2:14]])
@pytest.mark.long
def test_the_same_as_an_old_file_or_a_roster(case: str, data: bytes | Callable[[], bytes], words: str) -> None:
    """Old data files and rosters go through another parser; it is as strict."""
    content = content_of(data)
    old = content.replace(b'battleScribeVersion="2.03"', b'battleScribeVersion="1.15"')
    with pytest.raises(UnreadableFile):
        load_library([system_file(), SourceFile("Old.cat", old)])
    with pytest.raises(UnreadableFile):
        read_roster(content, file_name="list.ros")


def test_no_game_system() -> None:
    with pytest.raises(UnreadableFile, match="no readable game system"):
        load_library([army_file()])
    with pytest.raises(UnreadableFile, match="no file"):
        load_library([])


def test_an_archive_of_too_many_members() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(2001):
            archive.writestr(f"{number}.cat", "x")
    with pytest.raises(UnreadableFile, match="2001 members"):
        members(out.getvalue(), file_name="set.zip")


def test_an_archive_of_a_version_yet_to_come() -> None:
    """The directory says that a member needs version 13.0 of the format."""
    data = bytearray(zipped(b"<gameSystem/>", member_name="x.gst"))
    directory = data.index(b"PK\x01\x02")
    data[directory + 6 : directory + 8] = (130).to_bytes(2, "little")
    for read in (unzipped, members):
        with pytest.raises(UnreadableFile, match="version 13"):
            read(bytes(data), file_name="x.gstz")


def test_an_encrypted_archive() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("Army.cat", "x")
    data = bytearray(out.getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    with pytest.raises(UnreadableFile, match="encrypted"):
        unzipped(bytes(data), file_name="Army.catz")


@pytest.mark.parametrize("number", ["NaN", "-5", "1e99", "many", "99999999999"])
def test_a_roster_with_an_absurd_number(number: str) -> None:
    text = f"""<roster id="r" name="R" gameSystemId="gs"><forces><force id="f" entryId="patrol" catalogueId="army">
      <selections><selection id="s" entryId="boss" number="{number}"/></selections></force></forces></roster>"""
    with pytest.raises(UnreadableFile, match="line 2: the number"):
        read_roster(text.encode(), file_name="list.ros")


@pytest.mark.long
def test_a_roster_of_too_many_selections() -> None:
    rows = '<selection id="s" entryId="boss" number="1"/>' * 5001
    text = f'<roster id="r"><forces><force id="f"><selections>{rows}</selections></force></forces></roster>'
    with pytest.raises(UnreadableFile, match="more than 5000"):
        read_roster(text.encode(), file_name="list.ros")


def test_a_million_broken_links_are_not_listed_one_by_one() -> None:
    rows = "".join(f'<entryLink id="l{n}" targetId="none" type="selectionEntry"/>' for n in range(30_000))
    library = load_library([system_file(), SourceFile("Army.cat", catalogue(links=rows).encode())])
    assert len(library.problems) == 20_001
    assert library.problems[-1].kind == "too-many"


@pytest.mark.parametrize("ending", ["\u00e9?>", "\x01?>", "", "? >"])
def test_an_instruction_that_is_none_is_read_in_no_time(ending: str) -> None:
    """A pattern went through 5,000 blanks in cubic time: 4 KB held a thread for minutes."""
    begun = process_time()
    assert read_extension(f"<?army-builder{' ' * 100_000}{ending}<roster/>".encode(), file_name="x.ros") == ""
    assert process_time() - begun < BOUND_SECONDS / 10


def test_an_instruction_is_read_without_the_blanks_around_it() -> None:
    said = b'<?xml version="1.0"?>\n<?army-builder \n {"a": 1} \t?><roster/>'
    assert read_extension(said, file_name="x.ros") == '{"a": 1}'
    assert read_extension(b"<?army-builders {}?><roster/>", file_name="x.ros") == ""


def test_selections_that_all_have_one_id_get_others_in_no_time() -> None:
    rows = '<selection id="x" entryId="e" number="1"/>' * 4_990
    text = f'<roster id="r"><forces><force id="x"><selections>{rows}</selections></force></forces></roster>'
    begun = process_time()
    (force,) = read_roster(text.encode(), file_name="x.ros").forces
    assert process_time() - begun < BOUND_SECONDS / 10
    assert [one.id for one in force.selections[:3]] == ["x-2", "x-3", "x-4"]
    assert len({one.id for one in force.selections}) == 4_990


def test_a_roster_is_refused_before_its_tree_takes_the_memory() -> None:
    """A file of 57 MB that came in 165 KB took more than a gigabyte."""
    roster = b"<roster>" + b"<forces/>" * 1_000_000 + b"</roster>"
    for read in (read_roster, read_extension):
        with pytest.raises(UnreadableFile, match="unpacks to 9000017 bytes; 8000000 are allowed"):
            read(zipped(roster, member_name="army.ros"), file_name="army.rosz")
        with pytest.raises(UnreadableFile, match="has 9000017 bytes; 8000000 are allowed"):
            read(roster, file_name="army.ros")
