"""Real community data: rosters are built, written, read again and come back equal; shipped rosters replay."""

import random
from decimal import Decimal
from pathlib import Path
from time import monotonic

import pytest

from armybuilder.engine.battlescribe_files.library import group_by_system, load_library
from armybuilder.engine.battlescribe_files.ros_xml import read_roster, settle, write_zipped_roster
from armybuilder.engine.battlescribe_files.zipped import unzipped
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.line_protocol import state_json
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.explain import data_findings, explain_error
from bench.data_sets import roster_of

pytestmark = pytest.mark.shared
SECONDS_A_SET = 6
POINTS = Decimal(1500)


def library_of(shared: Path, folder: str, system: str = "") -> Library:
    root = shared / "battlescribe" / "data" / folder
    files = [
        SourceFile(path.name, unzipped(path.read_bytes(), file_name=path.name))
        for path in sorted(root.iterdir())
        if path.suffix in {".gst", ".cat", ".gstz", ".catz"}
    ]
    if system:
        files = list(next(group for group in group_by_system(files) if system in group.name).files)
    return load_library(files)


@pytest.mark.parametrize(
    ("folder", "system"),
    [
        ("horus-heresy-2023-10-07", ""),
        ("horus-heresy", ""),
        ("whfb", "8th"),
        ("wh40k-7th-edition", ""),
        ("wh40k-6th-1.14b", ""),
        ("wh40k-epic-armageddon", ""),
    ],
)
def test_rosters_of_real_catalogues_come_back_equal(shared: Path, folder: str, system: str) -> None:
    library = library_of(shared, folder, system)
    catalogues = [info for info in library.catalogues if not info.library and len(library.roots(info.id)) > 3]
    random.Random(folder).shuffle(catalogues)
    end = monotonic() + SECONDS_A_SET
    points = library.cost_types[0].id
    largest = Decimal(0)
    for number, info in enumerate(catalogues):
        roster, _ = roster_of(library, info.name, 40, seed=number)
        roster = edits.set_cost_limit(roster, type_id=points, value=POINTS).roster
        state = evaluate(library, roster)
        largest = max(largest, state.cost(points))
        again = settle(library, read_roster(write_zipped_roster(library, state), file_name="list.rosz"))
        assert again.dropped == (), info.name
        assert state_json(evaluate(library, again.roster), library) == state_json(state, library), info.name
        assert len(data_findings(state)) == len(state.errors)
        for error in state.errors[:5]:
            explanation = explain_error(library, state, error)
            assert explanation is None or explanation.name
        if monotonic() > end:
            break
    assert largest >= POINTS


@pytest.mark.parametrize(
    ("name", "points", "selections", "dropped"),
    [
        ("Basic Marines Validate", 260, 41, 1),
        ("Dedicated Transport Squad Costs", 170, 21, 1),
        ("Empty Validation Test", 0, 7, 1),
    ],
)
def test_shipped_rosters_replay(shared: Path, name: str, points: int, selections: int, dropped: int) -> None:
    """Saved by another program with later revisions: totals agree, one entry does not exist in this data yet."""
    library = library_of(shared, "horus-heresy-2023-10-07")
    path = shared / "battlescribe" / "data" / "horus-heresy" / "tests" / f"{name}.test"
    settled = settle(library, read_roster(path.read_bytes(), file_name=path.name))
    state = evaluate(library, settled.roster)
    assert state.cost(library.cost_types[0].id) == points
    assert len(list(state.all_selections())) == selections
    assert [lost.entry_id for lost in settled.dropped] == ["7d8-ddbf-ce7b-78f9"] * dropped
