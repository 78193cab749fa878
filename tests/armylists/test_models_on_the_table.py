"""What stands for a unit on the table: base size and model, of the data or as its owner says."""

import json
from collections.abc import Callable
from uuid import uuid4

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.exports import format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.list_sheet import ListSheet, SheetUnit
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.links import SourceFile
from tests.armylists.conftest import FIXTURES, Muster, fixture_library
from tests.armylists.test_verdicts import unit_named

SAID = ("base size: 32 mm", "model: Ash Hounds, printed")


def test_base_and_model_go_with_the_list(legal: Muster, heresy: PublishedSystem) -> None:
    heresy.battlescribe_id = fixture_library().system_id
    heresy.save()
    squad = unit_named(legal, "Tactical Squad")
    verdict, points = legal.report.verdict, legal.row.points
    legal.unit_facts(squad, base_size="32 mm", model_name="Ash Hounds, printed")
    assert (legal.report.verdict, legal.row.points) == (verdict, points)
    assert _unit(plain_sheet_of(legal.row), squad).facts == SAID

    pawns = format_called("tts").file_of(legal.row).content.decode()
    assert all(words in json.dumps(json.loads(pawns), ensure_ascii=False) for words in SAID)

    for known in ("json", "ros", "rosz"):
        file = format_called(known).file_of(legal.row)
        back = import_file(legal.viewer, file.content, file_name=file.name).army_list
        assert any(unit.facts == SAID for unit in plain_sheet_of(back).units), known

    legal.unit_facts(squad, base_size=None, model_name=None)
    assert _unit(plain_sheet_of(legal.row), squad).facts == ()


def test_the_data_says_the_base_where_the_player_does_not(viewer: Viewer, muster: Callable[..., Muster]) -> None:
    """Some games have a column for it; here that of unit types stands for one."""
    files = [
        SourceFile(path.name, path.read_bytes().replace(b'name="Unit Type"', b'name="Base Size"'))
        for path in sorted(FIXTURES.iterdir())
        if path.suffix in (".gst", ".cat")
    ]
    release = DataRelease.objects.create(id=uuid4(), system_id="horus-heresy", number=2, content_hash="b" * 64)
    keep_library(release.pk, load_library(files))
    PublishedSystem.objects.update(current_release=release)
    army = muster()
    squad = army.unit("hh-la-tactical-squad")
    assert _unit(plain_sheet_of(army.row), squad).facts == ("base size: Infantry (Character, Line), Infantry (Line)",)
    army.unit_facts(squad, base_size="30x30")
    assert _unit(plain_sheet_of(army.row), squad).facts == ("base size: 30x30",)


def _unit(sheet: ListSheet, unit_id: str) -> SheetUnit:
    return next(unit for unit in sheet.units if unit.id == unit_id)
