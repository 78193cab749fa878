"""The stored form: what goes in comes out, from memory and from a file, shared and read-only."""

import os
from pathlib import Path

import pytest

from armybuilder.engine.gamedata.columns import NONE, Builder, Key, NodeKind, open_columns


def small() -> Builder:
    """A root with two children, the first with one of its own; strings with every sort of letter."""
    builder = Builder()
    root = builder.open(NodeKind.CATALOGUE, NONE)
    builder.put(Key.ID, "root")
    first = builder.open(NodeKind.SELECTION_ENTRY, root)
    builder.put(Key.ID, "a")
    builder.put(Key.NAME, "Ærth & «Кровь» \U0001f600")
    inner = builder.open(NodeKind.COST, first)
    builder.put(Key.VALUE, "5")
    builder.close(inner)
    builder.close(first)
    second = builder.open(NodeKind.SELECTION_ENTRY, root)
    builder.put(Key.ID, "")
    builder.close(second)
    builder.close(root)
    return builder


@pytest.mark.parametrize("stored", [False, True])
def test_nodes_attributes_and_children(tmp_path: Path, stored: bool) -> None:
    columns = small().freeze(note=b"hello")
    if stored:
        columns.save(tmp_path / "deep" / "x.columns")
        opened = open_columns(tmp_path / "deep" / "x.columns")
        assert opened is not None
        columns = opened
    assert columns.note == b"hello"
    assert len(columns) == 4
    assert columns.children(0) == [1, 3]
    assert columns.children(1) == [2]
    assert columns.children(2) == []
    assert columns.attributes(1) == {Key.ID: "a", Key.NAME: "Ærth & «Кровь» \U0001f600"}
    assert (columns.get(3, Key.ID), columns.get(3, Key.NAME), columns.parent[2]) == ("", None, 1)
    assert columns.strings_of(Key.VALUE).tolist()[:2] == [NONE, NONE]
    for text in ("root", "a", "Ærth & «Кровь» \U0001f600", "5"):
        number = columns.number_of(text)
        assert number is not None
        assert columns.text(number) == text
    assert columns.number_of("oot") is None
    assert columns.number_of("none") is None


def test_a_refused_file_leaves_nothing_behind() -> None:
    builder = small()
    size, attributes = len(builder), len(builder.key)
    node = builder.open(NodeKind.CATALOGUE, NONE)
    builder.put(Key.ID, "half")
    builder.rewind(size, attributes)
    assert node == size
    assert len(builder.freeze()) == size


@pytest.mark.parametrize("damage", [b"", b"short", b"ABcols\0\0" + b"\0" * 60])
def test_a_damaged_file_is_no_file(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "x.columns"
    path.write_bytes(damage)
    assert open_columns(path) is None
    assert open_columns(tmp_path / "absent") is None


def test_a_file_with_any_byte_altered_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x.columns"
    small().freeze(note=b"hello").save(path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        assert open_columns(path) is None, at
    path.write_bytes(whole[:-1])
    assert open_columns(path) is None
    path.write_bytes(whole)
    assert open_columns(path) is not None


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.columns"
    synced: list[bool] = []
    sync = os.fsync

    def watch(handle: int) -> None:
        synced.append(path.exists())
        sync(handle)

    monkeypatch.setattr(os, "fsync", watch)
    small().freeze().save(path)
    assert synced == [False, True], "the file, then the folder with its name"


def test_two_writers_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "x.columns"
    for _ in range(2):
        small().freeze().save(path)
    assert [found.name for found in tmp_path.iterdir()] == ["x.columns"]
    assert open_columns(path) is not None


def test_attributes_of_a_node_are_told_while_strings_are_still_added() -> None:
    builder = Builder()
    for round_ in range(3):
        node = builder.open(NodeKind.CATALOGUE, NONE)
        builder.put(Key.ID, f"id-{round_}")
        builder.put(Key.NAME, "the same name")
        builder.put(Key.REVISION, f"revision-{round_}")
        builder.close(node)
        told = {Key.ID: f"id-{round_}", Key.NAME: "the same name", Key.REVISION: f"revision-{round_}"}
        assert builder.attributes(node) == told
        if round_ == 1:
            builder.rewind(node, builder.first[node])  # its strings stay, and so do their numbers
    assert builder.attributes(0)[Key.ID] == "id-0"
