"""Files from outside: what is taken, what is refused, and with which words."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from armybuilder.datafiles.bundles import IncomingFile, bundle_of_paths, bundle_of_uploads, content_hash
from armybuilder.datafiles.errors import BadDataFile, NothingToPublish, TooMuchData


def zipped(*members: tuple[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def names(files: tuple[IncomingFile, ...]) -> list[str]:
    return [file.name for file in files]


def test_a_folder_gives_its_data_files_and_nothing_else(tmp_path: Path) -> None:
    for name in ("b.cat", "a.gst", "names.ru.toml", "README.md", ".hidden.cat", "reference.toml"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "c.cat").write_bytes(b"c")
    assert names(bundle_of_paths([tmp_path])) == ["a.gst", "b.cat", "names.ru.toml"]


def test_an_archive_is_opened_and_its_folders_are_dropped() -> None:
    archive = zipped(("data/a.gst", b"a"), ("../../evil.cat", b"b"), ("C:\\x\\c.catz", b"c"), ("readme.txt", b""))
    assert names(bundle_of_uploads([("release.zip", archive)])) == ["a.gst", "c.catz", "evil.cat"]


def test_an_archive_in_an_archive_stays_closed() -> None:
    inner = zipped(("a.gst", b"a"))
    with pytest.raises(NothingToPublish):
        bundle_of_uploads([("outer.zip", zipped(("inner.zip", inner)))])


@pytest.mark.parametrize(
    ("case", "uploads", "refusal", "words"),
    [
        ("nothing of use", [("names.ru.toml", b"")], NothingToPublish, "no .gst or .cat"),
        ("no data file", [("army.pdf", b"")], BadDataFile, "army.pdf: is no data file"),
        ("no archive", [("x.zip", b"not a zip")], BadDataFile, "x.zip: the file is no readable zip"),
        ("a cut archive", [("x.zip", zipped(("a.gst", b"a" * 500))[:-30])], BadDataFile, "x.zip"),
        ("one name, two contents", [("a.gst", b"1"), ("a.gst", b"2")], BadDataFile, "a.gst: was given twice"),
    ],
)
def test_what_is_of_no_use_is_refused(
    case: str, uploads: list[tuple[str, bytes]], refusal: type[Exception], words: str
) -> None:
    with pytest.raises(refusal, match=words):
        bundle_of_uploads(uploads)


def test_the_same_file_twice_counts_once() -> None:
    assert names(bundle_of_uploads([("a.gst", b"1"), ("a.gst", b"1")])) == ["a.gst"]


@pytest.mark.parametrize(("case", "size", "refused"), [("at the limit", 1000, False), ("one byte more", 1001, True)])
def test_the_size_of_a_file_is_limited_packed_or_not(
    settings, tmp_path: Path, case: str, size: int, refused: bool
) -> None:
    settings.GAMEDATA_MAX_FILE_BYTES = 1000
    content = b"\0" * size
    (tmp_path / "a.gst").write_bytes(content)
    for take in (
        lambda: bundle_of_uploads([("a.gst", content)]),
        lambda: bundle_of_uploads([("bomb.zip", zipped(("a.gst", content)))]),
        lambda: bundle_of_paths([tmp_path]),
    ):
        if refused:
            with pytest.raises(TooMuchData, match=r"a\.gst is larger than 1,000 bytes"):
                take()
        else:
            assert len(take()[0].content) == size, case


def test_the_number_of_files_and_their_sum_are_limited(settings) -> None:
    settings.GAMEDATA_MAX_FILES = 2
    three = [(f"{number}.cat", b"x") for number in range(3)]
    with pytest.raises(TooMuchData, match="more than 2 files"):
        bundle_of_uploads(three)
    with pytest.raises(TooMuchData, match="more than 2 files"):
        bundle_of_uploads([("x.zip", zipped(*three))])
    settings.GAMEDATA_MAX_FILES = 3
    settings.GAMEDATA_MAX_TOTAL_BYTES = 2
    with pytest.raises(TooMuchData, match="together are larger than 2"):
        bundle_of_uploads(three)


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDataFile, match="there is no such file or folder"):
        bundle_of_paths([tmp_path / "nowhere"])


def test_the_hash_knows_names_and_bytes_but_no_order() -> None:
    one, two = IncomingFile("a.gst", b"1"), IncomingFile("b.cat", b"2")
    assert content_hash([one, two]) == content_hash([two, one])
    assert content_hash([one]) != content_hash([IncomingFile("b.gst", b"1")])
    assert content_hash([one]) != content_hash([IncomingFile("a.gst", b"2")])
