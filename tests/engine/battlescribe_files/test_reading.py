"""Reading data files: what they hold arrives, in any packing, and what cannot be used is listed."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.cat_xml import read_data_file
from armybuilder.engine.battlescribe_files.library import (
    content_hash,
    expand_archives,
    group_by_system,
    load_library,
    load_readable,
)
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile, zipped
from armybuilder.engine.gamedata.links import Library, SourceFile
from tests.engine.battlescribe_files.files import GUN, SYSTEM, UNIT, army_file, catalogue, source, system_file
from tests.engine.roster.builders import Player


def test_a_data_set_arrives_whole() -> None:
    library = load_library([army_file(), system_file()])
    assert (library.system_id, library.system_name, library.system_revision) == ("gs", "Game", 7)
    (info,) = library.catalogues
    assert (info.id, info.name, info.revision, info.library, info.file_name) == ("army", "Army", 3, False, "Army.cat")
    assert [(kind.id, kind.default_limit, kind.hidden) for kind in library.cost_types] == [("pts", None, False)]
    (force,) = library.force_entries("army")
    assert [(row.id, row.name) for row in force.categories] == [("hq", "HQ")]
    assert library.problems == ()
    player = Player(library)
    boss = player.node(player.take("boss"))
    assert (boss.name, boss.page, boss.publication_name, boss.cost("pts")) == (
        "Boss & Sons",
        "12",
        "The Book",
        boss.cost("pts"),
    )
    assert str(boss.cost("pts")) == "50.5"
    assert boss.profiles[0].value("WS") == "4+ <best>"
    assert boss.rules[0].description == "Never\nruns."
    assert player.node(player.take("gun", boss.id)).entry_id == "to-gun::gun"


@pytest.mark.parametrize(
    ("case", "pack"),
    [
        ("zipped", lambda file: SourceFile(f"{file.name}z", zipped(file.data, member_name="x"))),
        ("zipped under a plain name", lambda file: SourceFile(file.name, zipped(file.data, member_name="x"))),
        ("with a byte order mark", lambda file: SourceFile(file.name, b"\xef\xbb\xbf" + file.data)),
        ("in UTF-16", lambda file: SourceFile(
            file.name, file.data.decode().replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16"))),
        ("with a prefixed namespace", lambda file: SourceFile(
            file.name, file.data.replace(b"<", b"<b:").replace(b"<b:/", b"</b:").replace(b"<b:?", b"<?")
            .replace(b"xmlns=", b"xmlns:b="))),
    ],
)  # fmt: skip
def test_packing_changes_nothing(case: str, pack: Callable[[SourceFile], SourceFile]) -> None:
    library = load_library([pack(army_file()), pack(system_file())])
    assert [place.spec.name for place in library.roots("army")] == ["Boss & Sons"], case


def test_the_cache_gives_the_same_library_and_survives_damage(tmp_path: Path) -> None:
    files = [army_file(), system_file()]
    cold = load_library(files, cache_dir=tmp_path)
    (cached,) = tmp_path.iterdir()
    warm = load_library(list(reversed(files)), cache_dir=tmp_path)
    for library in (cold, warm):
        assert [place.spec.name for place in library.roots("army")] == ["Boss & Sons"]
    assert warm.content_hash == cold.content_hash == load_library(files).content_hash
    for damage in (b"", cached.read_bytes()[:-9], b"x" * 100):
        cached.write_bytes(damage)
        assert load_library(files, cache_dir=tmp_path).catalogues == cold.catalogues


def same_library(one: Library, other: Library) -> bool:
    """Whether two libraries are the same byte for byte."""
    names = one.columns.columns.keys() | other.columns.columns.keys()
    alike = all(one.columns.columns[name].tobytes() == other.columns.columns[name].tobytes() for name in names)
    return alike and (one.columns.files, one.columns.note) == (other.columns.files, other.columns.note)


FILES_OF_THREE = [
    system_file(),
    army_file(),
    source("Other.cat", catalogue(shared="<oddity/>" + GUN).replace('id="army"', 'id="other"')),
]


@pytest.mark.parametrize(
    ("case", "before"),
    [
        ("nothing changed", FILES_OF_THREE),
        ("the system was another", [source("Game.gst", SYSTEM.replace("Patrol", "Патруль")), *FILES_OF_THREE[1:]]),
        ("a file in the middle was another", [FILES_OF_THREE[0], army_file(catalogue(GUN)), FILES_OF_THREE[2]]),
        ("a file was not there", FILES_OF_THREE[:2]),
        ("the same content had another name", [*FILES_OF_THREE[:2], SourceFile("X.cat", FILES_OF_THREE[2].data)]),
        ("more was there", [*FILES_OF_THREE, source("A.cat", catalogue().replace('id="army"', 'id="more"'))]),
    ],
)  # fmt: skip
def test_files_that_were_read_before_are_copied_as_they_would_be_read(
    tmp_path: Path, case: str, before: list[SourceFile]
) -> None:
    alone = load_library(FILES_OF_THREE)
    assert [problem.target_id for problem in alone.problems if problem.kind == "unknown-element"] == ["oddity"]
    for like in (load_library(before), load_library(before, cache_dir=tmp_path)):
        assert same_library(load_library(FILES_OF_THREE, like=like), alone), case


def test_a_file_that_was_read_before_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    like = load_library(FILES_OF_THREE)
    read = []
    monkeypatch.setattr(
        "armybuilder.engine.battlescribe_files.library.read_data_file",
        lambda data, *, file_name, builder: read.append(file_name) or read_data_file(
            data, file_name=file_name, builder=builder),
    )  # fmt: skip
    load_library([*FILES_OF_THREE[:2], source("Other.cat", catalogue().replace('id="army"', 'id="other"'))], like=like)
    assert read == ["Other.cat"]


def test_the_hash_names_the_content_and_not_the_packing() -> None:
    plain = [army_file(), system_file()]
    packed = [SourceFile("Army.catz", zipped(army_file().data, member_name="a")), system_file()]
    assert content_hash(plain) == content_hash(packed)
    assert content_hash(plain) != content_hash([army_file(catalogue(shared="")), system_file()])


def test_archives_are_opened_and_paths_in_them_ignored() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../etc/Game.gst", SYSTEM)
        archive.writestr("C:\\data\\Army.cat", catalogue())
        archive.writestr("read.me", "no data")
    files = expand_archives([SourceFile("set.zip", out.getvalue())])
    assert [file.name for file in files] == ["Game.gst", "Army.cat"]
    assert load_library(files).system_id == "gs"


def test_a_mixed_folder_is_sorted_by_game_system() -> None:
    other = SYSTEM.replace('id="gs"', 'id="gs2"').replace('name="Game"', 'name="Other"')
    files = [system_file(), army_file(), source("Other.gst", other)]
    with pytest.raises(UnreadableFile, match="more than one game system"):
        load_library(files)
    groups = group_by_system(files)
    assert [(group.system_id, group.name, len(group.files)) for group in groups] == [
        ("gs", "Game", 2),
        ("gs2", "Other", 1),
    ]


def kinds(library: Library) -> list[tuple[str, str, str]]:
    return [(problem.kind, problem.node_id, problem.target_id) for problem in library.problems]


@pytest.mark.parametrize(
    ("case", "text", "problem"),
    [
        ("a link to nothing", catalogue(links='<entryLink id="l" targetId="none" type="selectionEntry"/>'),
         ("unresolved-link", "l", "none")),
        ("a link of another kind", catalogue(links='<entryLink id="l" targetId="gun" type="selectionEntryGroup"/>'),
         ("unresolved-link", "l", "gun")),
        ("a number that is none", catalogue(UNIT.replace('"50.5"', '"NaN"')), ("bad-number", "boss", "NaN")),
        ("an infinite number", catalogue(UNIT.replace('"50.5"', '"1e999"')), ("bad-number", "boss", "1e999")),
        ("the same id twice", catalogue(shared=GUN + GUN), ("duplicate-id", "gun", "gun")),
        ("an unknown element", catalogue(UNIT + "<widget/>"), ("unknown-element", "", "widget")),
        ("a condition on nothing", catalogue(UNIT.replace("<costs>", """<modifiers>
          <modifier type="set" field="name" value="x"><conditions>
          <condition type="atLeast" value="1" field="selections" scope="force" childId="ghost"/></conditions>
          </modifier></modifiers><costs>""")), ("open-reference", "boss", "ghost")),
        ("a modifier of an unknown kind", catalogue(UNIT.replace("<costs>",
         '<modifiers><modifier type="juggle" field="name" value="x"/></modifiers><costs>')),
         ("unsupported", "boss", "modifier type juggle")),
        ("a catalogue link to nothing", catalogue().replace("<selectionEntries>",
         '<catalogueLinks><catalogueLink id="cl" name="Lib" targetId="gone"/></catalogueLinks><selectionEntries>', 1),
         ("unresolved-link", "cl", "gone")),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_listed_and_loading_goes_on(case: str, text: str, problem: tuple[str, str, str]) -> None:
    library = load_library([system_file(), army_file(text)])
    assert kinds(library) == [problem], case
    found = library.problems[0]
    assert (found.file_name, found.catalogue_id) == ("Army.cat", "army")
    assert found.message
    assert "Boss & Sons" in [place.spec.name for place in library.roots("army")]


def test_catalogues_of_another_game_and_second_copies_are_left_out_with_a_word() -> None:
    strange = catalogue().replace('gameSystemId="gs"', 'gameSystemId="other"').replace('id="army"', 'id="x"')
    library = load_library(
        [system_file(), army_file(), source("X.cat", strange), source("Z.cat", catalogue(shared=""))]
    )
    assert [(problem.file_name, problem.kind) for problem in library.problems] == [
        ("X.cat", "wrong-game-system"),
        ("Z.cat", "duplicate-file"),
    ]
    assert [info.id for info in library.catalogues] == ["army"]


def test_one_unreadable_catalogue_need_not_stop_the_others() -> None:
    files = [system_file(), army_file(), source("Broken.cat", catalogue()[:200])]
    with pytest.raises(UnreadableFile, match=r"Broken\.cat, line \d+"):
        load_library(files)
    library = load_readable(files)
    (problem,) = library.problems
    assert (problem.file_name, problem.kind) == ("Broken.cat", "unreadable-file")
    assert problem.line is not None


def test_cyclic_catalogue_links_end() -> None:
    def linked(catalogue_id: str, target: str) -> str:
        link = f'<catalogueLinks><catalogueLink id="l" targetId="{target}" importRootEntries="true"/></catalogueLinks>'
        text = catalogue(
            entries=f'<selectionEntry id="e-{catalogue_id}" name="{catalogue_id}" type="unit"/>', shared=""
        )
        return text.replace('id="army"', f'id="{catalogue_id}"').replace(
            "<selectionEntries>", f"{link}<selectionEntries>", 1
        )

    library = load_library([system_file(), source("A.cat", linked("a", "b")), source("B.cat", linked("b", "a"))])
    assert [place.spec.name for place in library.roots("a")] == ["a", "b"]
    assert library.problems == ()
