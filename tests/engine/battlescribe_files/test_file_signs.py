"""What a file looks like by its first bytes."""

import io
import zipfile

import pytest

from armybuilder.engine.battlescribe_files.file_signs import as_utf_8, is_cut_off, looks_like


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"Rar!\x1a", "a RAR archive"),
        (b"7z\xbc\xaf'", "a 7z archive"),
        (b"PK\x03\x04", "a zip archive"),
        (b'<?xml version="1.0"?>\n<!-- mine -->\n<roster id="1">', "a list (a BattleScribe roster)"),
        (b"\xef\xbb\xbf<catalogue>", "game data (a catalogue)"),
        (b"<!DOCTYPE html>", "a web page"),
        (b"<svg>", "XML of another program"),
        (b' {"a": 1}', "JSON"),
        (b"a\0b", "no text"),
        (b"Praetor [100 pts]", None),
        (b"", None),
    ],
)
def test_a_file_is_known_by_its_beginning(data: bytes, seen: str | None) -> None:
    found = looks_like(data)
    assert (found.en if found else None) == seen


def test_an_archive_without_its_end_is_cut_off() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.ros", "x" * 100_000)
    whole = out.getvalue()
    assert [is_cut_off(whole), is_cut_off(whole[:-30]), is_cut_off(b"text")] == [False, True, False]


def test_a_text_of_old_windows_is_read() -> None:
    assert as_utf_8("Претор".encode("utf-16")).decode() == "Претор"
    assert as_utf_8(b"as it is") == b"as it is"
