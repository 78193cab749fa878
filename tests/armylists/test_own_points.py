"""A price that the owner of a list sets himself: what it changes, and that it is told wherever the list goes."""

from decimal import Decimal

import pytest

from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports import FORMATS, format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Severity, Verdict
from tests.armylists.conftest import Muster, fixture_library
from tests.armylists.test_verdicts import unit_named


@pytest.fixture
def squad(legal: Muster) -> str:
    """One of two squads that cost 100 points each by the data."""
    return unit_named(legal, "Tactical Squad")


def test_it_counts_instead_of_the_datas_price(legal: Muster, squad: str) -> None:
    before = legal.report.points.total
    result = legal.unit_facts(squad, own_points=80)
    assert before is not None
    assert legal.report.points.total == before - 20
    assert legal.row.points == before - 20
    assert result.summary is not None
    assert result.summary.en == "Tactical Squad: own price, points – 80, −20 points"
    assert ["Troops", "180"] in [[name.rstrip(":"), points] for name, points in legal.row.role_points]
    unit = next(unit for unit in plain_sheet_of(legal.row).units if unit.id == squad)
    assert unit.points == Decimal(80)
    assert unit.facts == ("own price, points: 80",)


def test_it_is_never_silently_legal(legal: Muster, squad: str) -> None:
    assert legal.report.unchecked == ()
    legal.unit_facts(squad, own_points=80)
    report = legal.report
    assert report.verdict is Verdict.LEGAL
    (found,) = [finding for finding in report.findings if finding.rule == "BS-10"]
    assert found.severity is Severity.WARNING
    assert found.message.en == "Tactical Squad: its owner has set its price to 80; by the data it costs 100."
    assert found.message.ru == "Tactical Squad: цену 80 назначил владелец; по данным – 100."
    assert (found.unit_id, found.at) == (squad, f"/facts/units/{squad}/own_points")
    assert [part.code for part in report.unchecked] == ["own-points"]
    for format_id in ("plain", "markdown", "text-battlescribe", "csv", "bbcode"):
        text = format_called(format_id).write(legal.row).decode()
        assert "its owner has set its price to 80" in text, format_id


def test_limits_follow_it_both_ways(legal: Muster, squad: str) -> None:
    legal.edit(e.SetPointsLimit(points_limit=int(legal.report.points.total or 0)))
    assert "BS-04" not in legal.rules()
    legal.unit_facts(squad, own_points=101)
    errors = [finding for finding in legal.report.findings if finding.severity is Severity.ERROR]
    assert legal.report.verdict is Verdict.ILLEGAL
    assert any("limit" in finding.message.en for finding in errors)
    legal.unit_facts(squad, own_points=0)
    assert legal.report.verdict is Verdict.LEGAL
    legal.edit(e.SetPointsLimit(points_limit=int(legal.report.points.total or 0)))
    assert legal.report.verdict is Verdict.LEGAL
    legal.unit_facts(squad, own_points=None)
    assert legal.report.verdict is Verdict.ILLEGAL


def test_it_stays_through_edits_and_goes_with_undo(legal: Muster, squad: str) -> None:
    before = legal.report.points.total
    legal.unit_facts(squad, own_points=80)
    legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=14))
    assert legal.report.points.total == (before or 0) - 20
    legal.unit_facts(squad, own_points=None)
    assert legal.report.points.total == (before or 0) + 50
    services.undo(legal.viewer, legal.list_id, expected_revision=legal.row.revision)
    assert legal.report.points.total == (before or 0) - 20
    legal.edit(e.Remove(node_id=squad))
    assert "BS-10" not in legal.rules()


@pytest.mark.parametrize("format_id", ["json", "ros", "rosz"])
def test_it_comes_back_from_the_files_of_a_list(
    heresy: PublishedSystem, legal: Muster, squad: str, format_id: str
) -> None:
    heresy.battlescribe_id = fixture_library().system_id
    heresy.save()
    legal.unit_facts(squad, own_points=80)
    file = FORMATS[format_id].file_of(legal.row)
    back = import_file(legal.viewer, file.content, file_name=file.name).army_list
    assert back.points == legal.row.points
    assert "BS-10" in {finding.rule for finding in services.check_army_list(back).findings}


@pytest.mark.parametrize("price", [-1, 100_001, 12.5, "80"])
def test_what_is_no_price_is_refused(legal: Muster, squad: str, price: object) -> None:
    with pytest.raises(EditRefused):
        legal.unit_facts(squad, own_points=price)
    assert "BS-10" not in legal.rules()


def test_only_whole_units_have_one(legal: Muster, squad: str) -> None:
    with pytest.raises(EditRefused) as refused:
        legal.unit_facts(legal.find(squad, "Legionary").id, own_points=1)
    assert refused.value.at == "/facts/own_points"
