"""Points that are missing: units that are there grow together, within what their data and a table allow."""

import pytest

from armybuilder.armylists import edits as e
from armybuilder.armylists.reports import ListFinding
from armybuilder.armylists.shortfalls import LARGEST, filled, shortfall
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.roster.available_options import flat, offers
from tests.armylists.conftest import Muster


def said(words: str) -> ListFinding:
    return ListFinding(rule="X", severity=Severity.ERROR, message=Text(en=words, ru=""), at=None, source="")


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("Core units cost 110; at least 500 (25% of 2,000) is required.", 390),
        ("The army costs 1,875 points; at least 2000 are required.", 125),
        ("Core – 110 pts, at least 500 pts needed. Add 390 pts more.", 390),
        ("Open War: Core – 105 pts (5.25%), at least 500 (25% of 2,000) needed. Add 395 more.", 395),
        ("Pick One – 0 taken, at least 1 needed. Add 1 more.", 0),
        ("The army costs 2,100 points; at most 2,000 are allowed.", 0),
        ("Choose a warlord.", 0),
    ],
)
def test_points_that_a_finding_says_are_missing(words: str, missing: int) -> None:
    assert shortfall(said(words)) == missing


def test_units_grow_until_the_gap_is_closed(legal: Muster) -> None:
    units = legal.report.state.forces[0].selections
    force_id = legal.report.state.forces[0].id
    before = legal.row.points
    (candidate, *_) = filled(legal.report, units, force_id, (), 45)
    assert all(isinstance(edit, e.SetOptionAmount) for edit in candidate)
    legal.edit(*candidate)
    assert legal.row.points is not None
    assert before is not None
    assert legal.row.points - before >= 45


def test_nothing_grows_beyond_what_its_data_allows(legal: Muster) -> None:
    state = legal.report.state
    gap = LARGEST * 1000
    assert list(filled(legal.report, state.forces[0].selections, state.forces[0].id, (), gap)) == []


def test_units_of_two_kinds_close_a_gap_that_neither_closes_alone(legal: Muster) -> None:
    """Two formations of one kind were too much for a list of Epic, and nothing was proposed."""
    report = legal.report
    force, before = report.state.forces[0], legal.row.points
    assert before is not None
    offered = [offer for offer in flat(offers(report.library, report.state, node_id=force.id)) if offer.available]
    mixed = [
        candidate
        for candidate in filled(report, (), force.id, offered, 325)
        if len({edit.entry_id for edit in candidate if isinstance(edit, e.AddUnit)}) == 2
    ]
    sums = []
    for candidate in mixed:
        had = {unit.id for unit in force.selections}
        legal.edit(*candidate)
        assert legal.row.points is not None
        sums.append(legal.row.points - before)
        more = [unit for unit in legal.report.state.forces[0].selections if unit.id not in had]
        legal.edit(*(e.Remove(node_id=unit.id) for unit in more))
    assert len(sums) > 1
    assert sums == sorted(sums)
    assert all(added >= 325 for added in sums)
