"""A unit of the owner's own: counted in points and slots, never judged, and told wherever the list goes."""

from decimal import Decimal
from typing import Any

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, services
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports import FORMATS, format_called
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.history import history
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.repairs import repair_of_everything, repairs_of
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Verdict
from tests.armylists.conftest import FIXTURES, Muster, fixture_library, shipped_game
from tests.armylists.test_verdicts import unit_named

TOLD = "Iron Hounds: a unit of the owner's own, not of the data. The verdict is about the rest."
HEAD = (("WS", "4"), ("BS", "3"))


def role_of(army: Muster, name: str) -> str:
    """The category of a role in the first detachment."""
    force = next(iter(army.report.state.all_forces()))
    return next(category.id for category in force.categories if category.name.rstrip(":") == name)


def hounds(army: Muster, **members: Any) -> str:
    """Add an own unit of Troops; its node id."""
    given = {"force_id": army.force_id, "name": "Iron Hounds", "points": 90, "models": 5, "profile": HEAD}
    result = army.edit(e.SetOwnUnit(**given | {"role": role_of(army, "Troops")} | members))
    assert result.node_id is not None
    return result.node_id


def test_its_points_and_its_slot_count(legal: Muster) -> None:
    before = legal.report.points.total or 0
    own = hounds(legal)
    assert legal.report.points.total == before + 90
    assert history(legal.row)[0].summary.en == "Added an own unit: Iron Hounds, +90 points"
    sheet = plain_sheet_of(legal.row)
    troops = next(role for role in sheet.detachments[0].roles if role.name.startswith("Troops"))
    assert troops.current == 3
    unit = next(unit for unit in sheet.units if unit.id == own)
    assert (unit.name, unit.points, unit.model_count, unit.not_of_data) == ("Iron Hounds", Decimal(90), 5, TOLD)
    assert [row.characteristics for row in unit.profiles] == [HEAD]


def test_it_fills_a_compulsory_slot_and_can_be_one_too_many(legal: Muster) -> None:
    legal.edit(e.Remove(node_id=unit_named(legal, "Tactical Squad")))
    assert legal.report.verdict is Verdict.ILLEGAL
    hounds(legal)
    assert legal.report.verdict is Verdict.LEGAL
    for number in range(5):
        assert legal.report.verdict is Verdict.LEGAL, number
        legal.edit(e.SetOwnUnit(force_id=legal.force_id, name="More", role=role_of(legal, "Troops")))
    assert legal.report.verdict is Verdict.ILLEGAL


def test_it_is_told_and_not_judged(legal: Muster) -> None:
    own = hounds(legal, profile=())
    report = legal.report
    assert [(found.rule, found.message.en, found.unit_id) for found in report.findings if found.unit_id == own] == [
        ("BS-11", TOLD, own)
    ]
    assert not [found for found in report.findings if found.rule == "BS-05"]
    assert [part.code for part in report.unchecked] == ["own-unit"]
    for format_id in ("plain", "markdown", "text-battlescribe", "text-wtc", "text-owb-full", "bbcode", "csv"):
        text = format_called(format_id).write(legal.row).decode()
        assert TOLD.replace("-", "") in text.replace("\\", "").replace("-", ""), format_id


def test_it_is_changed_removed_and_comes_back(legal: Muster) -> None:
    own = hounds(legal)
    hounds(legal, node_id=own, points=100)
    assert [unit["points"] for unit in legal.document.facts["own_units"].values()] == [100]
    legal.edit(e.Remove(node_id=own))
    assert "own_units" not in legal.document.facts
    services.undo(legal.viewer, legal.list_id, expected_revision=legal.row.revision)
    assert set(legal.document.facts["own_units"]) == {own}
    legal.edit(e.Remove(node_id=legal.force_id))
    assert "own_units" not in legal.document.facts


@pytest.mark.parametrize("format_id", ["json", "ros", "rosz"])
def test_it_travels_in_the_files_of_a_list(heresy: PublishedSystem, legal: Muster, format_id: str) -> None:
    heresy.battlescribe_id = fixture_library().system_id
    heresy.save()
    hounds(legal)
    file = FORMATS[format_id].file_of(legal.row)
    back = import_file(legal.viewer, file.content, file_name=file.name).army_list
    assert back.points == legal.row.points
    assert [unit.name for unit in plain_sheet_of(back).units if unit.not_of_data] == ["Iron Hounds"]


@pytest.mark.parametrize(
    "members", [{"force_id": "nowhere"}, {"node_id": "nowhere"}], ids=["no such detachment", "no such unit"]
)
def test_what_is_not_there_is_refused(legal: Muster, members: dict[str, str]) -> None:
    given = {"force_id": legal.force_id, "name": "Iron Hounds"}
    with pytest.raises(EditRefused):
        legal.edit(e.SetOwnUnit(**given | members))
    with pytest.raises(EditRefused):
        legal.facts(own_units={})
    with pytest.raises(EditRefused):
        legal.edit(e.SetOwnUnit(force_id=legal.force_id, name="Mine", node_id=unit_named(legal, "Praetor")))


def test_a_role_that_is_none_is_refused_with_those_there_are(legal: Muster) -> None:
    """It stood "without a role", and counted in no slot, without a word."""
    with pytest.raises(EditRefused) as refusal:
        legal.edit(e.SetOwnUnit(force_id=legal.force_id, name="Iron Hounds", role="troops"))
    assert refusal.value.at == "/role"
    assert f"Troops ({role_of(legal, 'Troops')})" in str(refusal.value)
    node_id = hounds(legal)
    given = {"force_id": legal.force_id, "node_id": node_id, "name": "Iron Hounds"}
    with pytest.raises(EditRefused):
        legal.edit(e.SetOwnUnit(**given, role="purple"))
    legal.edit(e.SetOwnUnit(**given, role=""))


@pytest.mark.parametrize("game", ["fantasy-8th", "wh40k-6th", "epic"])
@pytest.mark.parametrize("profile", [(), HEAD], ids=["no profile", "profile"])
def test_every_game_counts_it(viewer: Viewer, game: str, profile: tuple[tuple[str, str], ...]) -> None:
    system = shipped_game(game)
    catalogue = fixture_library(FIXTURES.parent / game).catalogues[-1].id
    row = services.create_army_list(viewer, system_id=system.pk, name="Own", catalogue_id=catalogue, points_limit=500)
    army = Muster(viewer, row)
    force = next(iter(army.report.state.all_forces()))
    for category in [category.id for category in force.categories]:
        army.edit(e.SetOwnUnit(force_id=army.force_id, name="Mine", role=category, points=10, profile=profile))
    row = queries.own_army_list(row.pk, viewer)
    number = len(force.categories)
    assert row.points == 10 * number
    assert sum(found.rule == "BS-11" for found in army.report.findings) == number
    assert len([unit for unit in plain_sheet_of(row).units if unit.not_of_data]) == number


def test_what_would_help_goes_on_beside_it(legal: Muster) -> None:
    hounds(legal, points=5_000)
    report = legal.report
    assert report.verdict is Verdict.ILLEGAL
    for finding in report.findings:
        repairs_of(legal.row, report, finding)
    done = repair_of_everything(legal.row, report)
    assert done is None or not done.makes_errors
