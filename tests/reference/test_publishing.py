"""Publishing: everything is read first, then release and rows change at once, and edits of people stay."""

import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from armybuilder.accounts.models import User
from armybuilder.datafiles import parsing
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.errors import NothingToPublish
from armybuilder.datafiles.models import DataFile, DataRelease, PublishedSystem
from armybuilder.engine.errors import GameError
from armybuilder.reference import importing, publishing, queries
from armybuilder.reference.models import Faction, Fortification, UnitEntry
from armybuilder.reference.unit_rows import UnitRows
from tests.gamedata_files import CAPTAIN, GHOST, SQUAD, catalogue, entry, game_system, release

pytestmark = pytest.mark.django_db


def stored() -> dict[str, object]:
    """All that publishing touches, to be compared before and after."""
    return {
        "current": list(PublishedSystem.objects.values_list("pk", "current_release")),
        "releases": list(DataRelease.objects.values_list("pk", flat=True)),
        "files": DataFile.objects.count(),
        "units": sorted(UnitEntry.objects.values_list("pk", "name", "points")),
        "factions": sorted(Faction.objects.values_list("key", "catalogue_id")),
    }


@pytest.mark.both_databases
def test_a_release_becomes_rows(game: PublishedSystem, owner: User) -> None:
    publication = publishing.publish(game, release(), origin="a test", by=owner)
    assert publication.changed
    assert (publication.release.number, publication.release.origin) == (1, "a test")
    assert queries.system("invented").current_release == publication.release
    assert [(f.key, f.catalogue_id, f.unit_count) for f in queries.factions("invented")] == [
        ("red", "red", 2),
        ("blue", "blue", 1),
    ]


def test_units_stand_in_their_default_configuration(game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    captain = queries.units("invented", text="captain").get()
    assert (captain.name, captain.name_ru, captain.points) == ("Captain", "Капитан", Decimal(120))
    assert captain.models_count == 2
    assert captain.role is not None and captain.role.key == "hq"
    assert captain.profiles == [{"type": "Unit", "name": "Captain", "characteristics": [["WS", "4"], ["W", "1"]]}]
    assert captain.rules == ["Fearless (2)"]
    assert captain.costs == {"Pts": "120"}


def test_hidden_entries_and_fortifications_are_no_units_of_a_faction(game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    assert sorted(queries.units("invented").values_list("name", flat=True)) == ["Captain", "Line Squad", "Line Squad"]
    wall = Fortification.objects.get()
    assert (wall.name, wall.points) == ("Long Wall", Decimal(55))
    assert wall.options == [{"name": "Wall Gun", "name_ru": "", "points": "25", "maximum": 2}]


def test_the_chart_has_its_slots(game: PublishedSystem, django_assert_num_queries) -> None:
    publishing.publish(game, release(), origin="a test")
    with django_assert_num_queries(3):
        (chart,) = queries.force_organisations("invented")
        found = {
            detachment.type: {slot.role.key: (slot.minimum, slot.maximum) for slot in detachment.slots.all()}
            for detachment in chart.detachments.all()
            for slot in detachment.slots.all()
            if slot.role
        }
    assert found == {
        "primary": {"hq": (1, 3), "troops": (2, None), "fortification": (0, 1)},
        "allied": {"hq": (1, 1)},
    }


@pytest.mark.both_databases
def test_the_same_content_again_changes_nothing(game: PublishedSystem, django_assert_max_num_queries) -> None:
    publishing.publish(game, release(), origin="a test")
    before = stored()
    with django_assert_max_num_queries(1):
        again = publishing.publish(game, tuple(reversed(release())), origin="another")
    assert not again.changed
    assert stored() == before


def test_a_catalogue_finds_the_faction_of_its_name_and_keeps_what_people_made_of_it(game: PublishedSystem) -> None:
    Faction.objects.filter(key="red").update(name_ru="Алые", legion=True)
    publishing.publish(game, release(), origin="a test")
    red = Faction.objects.get(catalogue_id="red")
    assert (red.key, red.name_ru, red.legion, red.matrix_position) == ("red", "Алые", True, 1)
    Faction.objects.filter(pk=red.pk).update(name="Crimson Host")
    publishing.publish(game, release(revision=2), origin="a test")
    assert Faction.objects.get(catalogue_id="red").name == "Crimson Host"


@pytest.mark.parametrize(
    ("catalogue_name", "called"),
    [
        ("Reds: Line Squad", "Алые: Линейный отряд"),
        ("Reds - Army Book (2013-4) -V8.8.2", "Алые"),
        ("Unheard Of", ""),
    ],
)
def test_an_army_list_is_called_in_russian_by_the_names_it_is_made_of(
    game: PublishedSystem, catalogue_name: str, called: str
) -> None:
    Faction.objects.create(system=game, key="reds", name="Reds", name_ru="Алые")
    publishing.publish(game, release(catalogue("new", catalogue_name, SQUAD)), origin="a test")
    assert Faction.objects.get(catalogue_id="new").name_ru == called


def test_a_unit_is_called_in_russian_by_the_names_it_is_made_of(game: PublishedSystem) -> None:
    both = entry("both", "Captain, Line Squad", category="hq", points=100)
    publishing.publish(game, release(catalogue("red", "Red Host", both)), origin="a test")
    assert UnitEntry.objects.get(entry_id="both").name_ru == "Капитан, Линейный отряд"


def test_two_books_of_an_army_are_told_apart_in_russian_too(game: PublishedSystem) -> None:
    Faction.objects.create(system=game, key="reds", name="Reds", name_ru="Алые")
    books = [
        catalogue(f"book-{version}", f"Reds - Army Book (2013-4) -V{version}", SQUAD) for version in ("8.7.4", "8.8.2")
    ]
    publishing.publish(game, release(*books), origin="a test")
    found = Faction.objects.filter(catalogue_id__startswith="book").order_by("name").values_list("name_ru", flat=True)
    assert list(found) == ["Алые (2013-4) V8.7.4", "Алые (2013-4) V8.8.2"]


@pytest.mark.both_databases
def test_the_next_release_replaces_rows_and_units_keep_their_ids(game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    before = {unit.name: unit.pk for unit in queries.units("invented") if unit.faction.catalogue_id == "red"}
    dearer = entry("squad", "Line Squad", category="troops", points=60)
    publishing.publish(game, release(catalogue("red", "Red Host", dearer), revision=2), origin="a test")
    (squad,) = queries.units("invented")
    assert (squad.pk, squad.points) == (before["Line Squad"], Decimal(80))
    assert [f.catalogue_id for f in queries.factions("invented")] == ["red"]
    assert DataRelease.objects.count() == 2
    report = squad.release.report["changes"]
    assert (report["added"], report["removed"]) == ([], ["Blue Host"])


def rows_of(system: PublishedSystem) -> list[dict[str, Any]]:
    """All that the units of a system say, in an order that does not depend on when they were stored."""
    wanted = [field.attname for field in UnitEntry._meta.concrete_fields if field.name != "release"]
    return list(UnitEntry.objects.filter(faction__system=system).order_by("pk").values(*wanted))


def test_only_what_changed_is_worked_out_again_and_the_rows_are_those_of_a_whole_publication(
    game: PublishedSystem, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.COMPILED_CACHE_DIR = tmp_path
    worked_out: list[str] = []
    of = UnitRows.of
    monkeypatch.setattr(UnitRows, "of", lambda self, one: worked_out.append(one) or of(self, one))
    publishing.publish(game, release(), origin="a test")
    assert worked_out == ["red", "blue"] or worked_out == ["blue", "red"]
    dearer = entry("squad", "Line Squad", category="troops", points=60)
    second = release(catalogue("red", "2022 - Red Host", CAPTAIN, SQUAD, GHOST), catalogue("blue", "Blue Host", dearer))
    worked_out.clear()
    publication = publishing.publish(game, second, origin="a test")
    assert worked_out == ["blue"]
    assert set(UnitEntry.objects.values_list("release", flat=True)) == {publication.release.pk}
    after_change = rows_of(game)
    for kept in tmp_path.iterdir():
        kept.unlink()
    UnitEntry.objects.all().delete()
    PublishedSystem.objects.update(current_release=None)
    worked_out.clear()
    publishing.publish(game, second, origin="a test")
    assert sorted(worked_out) == ["blue", "red"]
    assert rows_of(game) == after_change


def test_kept_rows_that_are_damaged_are_worked_out_again(game: PublishedSystem, settings: Any, tmp_path: Path) -> None:
    settings.COMPILED_CACHE_DIR = tmp_path
    publishing.publish(game, release(), origin="a test")
    before = rows_of(game)
    for kept in tmp_path.glob("*.units"):
        kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    assert publishing.publish(game, release(revision=2), origin="a test").changed
    assert rows_of(game) == before


def test_a_release_can_be_taken_back(game: PublishedSystem) -> None:
    first = publishing.publish(game, release(), origin="a test").release
    publishing.publish(game, release(catalogue("red", "Red Host", SQUAD), revision=2), origin="a test")
    assert publishing.make_current(first).changed
    assert PublishedSystem.objects.get().current_release == first
    assert queries.units("invented").count() == 3
    assert DataRelease.objects.count() == 2


BROKEN = {
    "a cut file": (catalogue("blue", "Blue Host", SQUAD).content[:900], r"blue\.cat"),
    "no XML at all": (b"\x00\x01\x02", r"blue\.cat"),
    "an entity bomb": (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><catalogue>&b;</catalogue>',
        r"blue\.cat",
    ),
    "another root": (b"<html/>", r"blue\.cat"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_bad_file_is_named_and_what_is_published_stays(game: PublishedSystem, case: str) -> None:
    publishing.publish(game, release(), origin="a test")
    before = stored()
    content, words = BROKEN[case]
    files = (game_system(2), catalogue("red", "Red Host", CAPTAIN), IncomingFile("blue.cat", content))
    for act in (publishing.publish, publishing.submit):
        with pytest.raises(GameError, match=words):
            act(game, files, origin="a test")
    assert stored() == before


@pytest.mark.parametrize(
    ("case", "names", "words"),
    [
        ("no TOML", b"= =", r"names\.ru\.toml: is no readable TOML \(.*line 1"),
        ("no UTF-8", b"\xff", r"names\.ru\.toml: is no readable TOML"),
        ("a number", b'"Captain" = 3', r'names\.ru\.toml: the value of "Captain" is no text'),
    ],
)
def test_bad_translations_are_refused(game: PublishedSystem, case: str, names: bytes, words: str) -> None:
    with pytest.raises(GameError, match=words):
        publishing.publish(game, (*release()[:-1], IncomingFile("names.ru.toml", names)), origin="a test")
    assert not DataRelease.objects.exists()


def test_data_of_another_game_is_refused(game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    before = stored()
    other = IncomingFile("game.gst", game_system().content.replace(b'id="game"', b'id="other"'))
    with pytest.raises(NothingToPublish, match=r"Invented Game.*\(other\).*not to Invented Game \(game\)"):
        publishing.publish(game, (other, catalogue("red", "Red Host", SQUAD, game="other")), origin="a test")
    assert stored() == before


def test_one_game_is_not_published_twice(game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    twin = PublishedSystem.objects.create(id="twin", name="Twin")
    with pytest.raises(NothingToPublish, match="already published as invented"):
        publishing.publish(twin, release(revision=2), origin="a test")


@pytest.mark.both_databases
def test_a_failure_in_the_middle_leaves_everything_as_it_was(game: PublishedSystem, monkeypatch) -> None:
    publishing.publish(game, release(), origin="a test")
    before = stored()

    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(publishing, "_store_charts", fail)
    with pytest.raises(RuntimeError):
        publishing.publish(game, release(catalogue("red", "Red Host", SQUAD), revision=2), origin="a test")
    assert stored() == before


def test_a_submitted_release_is_stored_but_not_current(game: PublishedSystem, owner: User) -> None:
    publishing.publish(game, release(), origin="a test")
    waiting = publishing.submit(game, release(revision=2), origin="a test", by=owner)
    assert publishing.submit(game, release(revision=2), origin="again") == waiting
    game.refresh_from_db()
    assert game.current_release is not None and game.current_release.number == 1
    assert (waiting.number, waiting.created_by, waiting.report["units"]) == (2, owner, 3)


def test_a_stored_release_gives_its_library_again(
    game: PublishedSystem, settings, django_assert_max_num_queries
) -> None:
    published = publishing.publish(game, release(), origin="a test").release
    parsing._shelf = parsing._Shelf()
    with django_assert_max_num_queries(1):
        library = parsing.library_of(published.pk)
    assert library.system_name == "Invented Game"
    with django_assert_max_num_queries(0):
        assert parsing.library_of(published.pk) is library
    settings.COMPILED_CACHE_DIR = settings.VAR_DIR / "emptied"
    parsing._shelf = parsing._Shelf()
    assert [c.name for c in parsing.library_of(published.pk).catalogues] == ["2022 - Red Host", "Blue Host"]
    assert any(settings.COMPILED_CACHE_DIR.iterdir()), "it is compiled anew"


@pytest.mark.parametrize("case", ["one bit turned", "cut short", "empty"])
def test_a_compiled_library_that_the_disk_altered_is_compiled_anew(
    game: PublishedSystem, settings: Any, tmp_path: Path, case: str
) -> None:
    settings.COMPILED_CACHE_DIR = tmp_path
    published = publishing.publish(game, release(), origin="a test").release
    expected = [unit.points for unit in UnitEntry.objects.order_by("pk")]
    (path,) = tmp_path.glob("*.columns")
    whole = path.read_bytes()
    at = whole.rindex(b"120") if b"120" in whole else len(whole) // 2
    turned = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
    path.write_bytes({"one bit turned": turned, "cut short": whole[: len(whole) // 2], "empty": b""}[case])
    library = parsing._Shelf().library(published.pk)
    assert library.content_hash == parsing.parse(release()).content_hash
    assert path.read_bytes() == whole, "it is whole again"
    publishing.publish(game, release(revision=2), origin="a test")
    publishing.make_current(published)
    assert [unit.points for unit in UnitEntry.objects.order_by("pk")] == expected


def test_only_the_libraries_used_last_are_kept(game: PublishedSystem, settings) -> None:
    settings.LIBRARIES_IN_MEMORY = 1
    parsing._shelf = parsing._Shelf()
    first = publishing.publish(game, release(), origin="a test").release
    second = publishing.publish(game, release(revision=2), origin="a test").release
    parsing.library_of(first.pk)
    assert list(parsing._shelf._libraries) == [first.pk]
    parsing.library_of(second.pk)
    assert list(parsing._shelf._libraries) == [second.pk]


def test_russian_names_come_with_the_release(game: PublishedSystem) -> None:
    published = publishing.publish(game, release(), origin="a test").release
    assert parsing.russian_names(published.pk)["Captain"] == "Капитан"
    assert "Trooper" not in parsing.russian_names(published.pk)


def test_many_threads_load_a_library_once(game: PublishedSystem, monkeypatch) -> None:
    shelf, loads, gate = parsing._Shelf(), [], threading.Barrier(5)
    library = parsing.parse(release())

    def load(release_id: object) -> object:
        loads.append(release_id)
        return library

    monkeypatch.setattr(parsing, "_compiled", load)
    found: list[object] = []

    def ask() -> None:
        gate.wait()
        found.append(shelf.library(game.pk))

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1 and found == [library] * 5


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("publish", [True, False])
def test_two_administrators_import_a_new_game_at_once(monkeypatch: pytest.MonkeyPatch, publish: bool) -> None:
    gate, read = threading.Barrier(2, timeout=30), publishing.draft

    def draft(*args: Any, **kwargs: Any) -> publishing.Draft:
        work = read(*args, **kwargs)
        gate.wait()  # both have seen that the game is new; now both store it
        return work

    def import_it(_: int) -> DataRelease:
        try:
            (made,) = importing.import_games(release(), origin="a test", by=None, publish=publish)
            return made
        finally:
            connections.close_all()

    monkeypatch.setattr(publishing, "draft", draft)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(import_it, range(2))
    assert first == second == DataRelease.objects.get()
    current = PublishedSystem.objects.get(battlescribe_id="game").current_release
    assert current == (first if publish else None)
