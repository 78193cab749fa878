"""Armies of the community data out and in again: files, texts, and typed; the same units, points and verdict."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.exports import format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.list_sheet import SheetOption
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.typed_list import text_of, typed
from armybuilder.datafiles.models import PublishedSystem
from tests.armylists.fantasy_muster import EMPIRE, empire, muster_of
from tests.armylists.recruiting import Recruiter
from tests.armylists.test_community_epic import checked, library_of, started
from tests.armylists.test_community_horus_heresy import community, sons

__all__ = ["community", "muster_of", "sons"]

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

FILES = ("json", "ros", "rosz")
TEXTS = ("text-battlescribe", "text-new-recruit", "markdown", "plain")
"""Of the other layouts some names that are unit and model in one stay unmatched, and are told."""


@pytest.fixture
def army(muster_of) -> Recruiter:  # type: ignore[no-untyped-def]
    """2,000 points of the Empire."""
    army: Recruiter = muster_of(EMPIRE)
    empire(army)
    system = PublishedSystem.objects.get(pk=army.row.system_id)
    system.battlescribe_id = services.check_army_list(army.row).library.system_id
    system.save()
    return army


def content(army_list: ArmyList) -> list[tuple[object, ...]]:
    """Every unit with what is in it, on all levels."""
    return sorted((unit.name, unit.points, tuple(_options(unit.options))) for unit in plain_sheet_of(army_list).units)


def _options(options: tuple[SheetOption, ...]) -> Iterator[tuple[str, int]]:
    for option in sorted(options, key=lambda one: (one.name, one.number)):
        yield option.name, option.number
        yield from _options(option.options)


def comes_back(row: ArmyList, viewer: Viewer, *format_ids: str) -> None:
    """Each text of a list makes a list of the same units with the same options, and nothing is dropped."""
    before = content(row)
    for format_id in format_ids:
        back = import_file(viewer, format_called(format_id).file_of(row).content, file_name="army.txt")
        assert (format_id, back.dropped) == (format_id, ())
        assert content(back.army_list) == before, format_id
        assert back.army_list.points == row.points, format_id


def test_files_bring_back_the_same_army(army: Recruiter, viewer: Viewer) -> None:
    before, units = army.report, content(army.row)
    for format_id in FILES:
        file = format_called(format_id).file_of(army.row)
        back = import_file(viewer, file.content, file_name=file.name)
        after = services.check_army_list(back.army_list)
        assert (format_id, back.dropped) == (format_id, ())
        assert content(back.army_list) == units, format_id
        assert (after.verdict, after.points, after.facts.keys()) == (
            before.verdict,
            before.points,
            before.facts.keys(),
        ), format_id


def test_texts_bring_back_the_same_units(army: Recruiter, viewer: Viewer) -> None:
    comes_back(army.row, viewer, *TEXTS)


def test_names_that_the_data_changes_and_units_it_adds_come_back(sons: Recruiter, viewer: Viewer) -> None:
    """ "Hull Mounted Heavy Bolters" are Heavy Bolters with words before them; Allegiance stands in every new list."""
    sons.recruit("Kratos Squadron")
    formats = (*TEXTS, "bbcode", "text-gw", "text-wtc", "text-wtc-full")
    assert all("Mounted" in format_called(one).file_of(sons.row).content.decode() for one in formats)
    comes_back(sons.row, viewer, *formats)


def test_typed_and_left_alone_it_is_the_same_army(army: Recruiter) -> None:
    found = typed(army.row, text_of(army.row))
    told = found.comparison
    assert [pair for pair in told.pairs if not pair.is_same] == []
    assert (found.lines, told.lines, told.new, told.settled) == ((), (), (), ())


def test_options_that_count_themselves_come_back(shared: Path, viewer: Viewer) -> None:
    """Twice "4x Kroot Abominations Unit" is not once "8x Kroot Abominations Unit", which costs something else."""
    army = started(library_of(shared, "Kroot - Warsphere Assault - EA.catz"))
    army.take(army.add("Kroot Abominations Unit"), "4x Kroot Abominations Unit", times=2)
    checked(army, viewer, {})
    comes_back(ArmyList.objects.get(), viewer, *TEXTS, "bbcode", "text-owb", "text-wtc")
