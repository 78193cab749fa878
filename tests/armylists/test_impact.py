"""A newer data release: what it would change, moving to it and back, staying, and who may decide."""

from decimal import Decimal

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, release_impact, services
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.errors import EditRefused, NotFound, RevisionConflict
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.models import ArmyList, Revision
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, entry, release


@pytest.fixture
def army_list(owner: User) -> ArmyList:
    """A Red Host list on release 1: a captain with a name of his own and a squad."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(), origin="a test")
    viewer = Viewer(user=owner)
    made = services.create_army_list(
        viewer, system_id="invented", name="Mine", catalogue_id="red", force_entry_id="primary", points_limit=500
    )
    force = read_document(made.document).roster.forces[0].id
    result = services.apply_edits(
        viewer,
        made.pk,
        [e.AddUnit(force_id=force, entry_id="captain"), e.AddUnit(force_id=force, entry_id="squad")],
        expected_revision=1,
    )
    units = read_document(result.army_list.document).roster.forces[0].selections
    captain = next(unit for unit in units if unit.name == "Captain")
    services.apply_edit(viewer, made.pk, e.Rename(node_id=captain.id, name="Old Odo"), expected_revision=2)
    return queries.own_army_list(made.pk, viewer)


def publish(*units: str, revision: int = 2) -> None:
    """A newer release in which the Red Host has these units."""
    publishing.publish(
        PublishedSystem.objects.get(), release(catalogue("red", "Red Host", *units), revision=revision), origin="newer"
    )


DEARER = entry("captain", "Captain", category="hq", points=130)
CALLED_CHIEF = entry("captain", "Chief", category="hq", points=100)


def fresh(army_list: ArmyList) -> ArmyList:
    return queries.own_army_list(army_list.pk, Viewer(user=army_list.owner))


def test_without_a_newer_release_there_is_nothing_to_say(army_list: ArmyList) -> None:
    assert release_impact.newer_release(army_list) is None
    assert not release_impact.is_offered(army_list)
    assert release_impact.impact_of(army_list) is None


def test_prices_names_and_what_is_gone_are_told_and_nothing_is_written(army_list: ArmyList) -> None:
    publish(DEARER)
    row = fresh(army_list)
    before = (row.document, row.revision, row.release_id, row.points)
    assert release_impact.is_offered(row)
    found = release_impact.impact_of(row)
    assert found is not None and not found.is_empty
    assert [(one.name, one.unit_name) for one in found.gone] == [("Line Squad", "")]
    assert [(one.name, one.after - one.before) for one in found.repriced] == [("Old Odo", Decimal(30))]
    assert found.points_after is not None and found.points_before is not None
    assert found.points_after < found.points_before
    assert (found.before.number, found.after.number) == (1, 2)
    row = fresh(army_list)
    assert (row.document, row.revision, row.release_id, row.points) == before


def test_a_new_name_is_told(army_list: ArmyList) -> None:
    publish(CALLED_CHIEF, SQUAD)
    found = release_impact.impact_of(fresh(army_list))
    assert found is not None
    assert [(one.before, one.after) for one in found.renamed] == [("Captain", "Chief")]
    assert (found.gone, found.repriced) == ((), ())


def test_new_objections_are_told(army_list: ArmyList) -> None:
    publish(entry("captain", "Captain", category="hq", points=100, hidden=True), SQUAD)
    found = release_impact.impact_of(fresh(army_list))
    assert found is not None
    assert "BS-03" in [finding.rule for finding in found.new_findings]


def test_a_release_that_changes_nothing_for_the_list_says_so(army_list: ArmyList) -> None:
    publish(CAPTAIN, SQUAD)
    found = release_impact.impact_of(fresh(army_list))
    assert found is not None and found.is_empty


def test_moving_is_a_revision_that_undo_takes_back(army_list: ArmyList) -> None:
    viewer = Viewer(user=army_list.owner)
    publish(DEARER)
    current = fresh(army_list).system.current_release
    assert current is not None
    moved = release_impact.move(
        viewer, army_list.pk, release_id=current.pk, expected_revision=army_list.revision
    ).army_list
    assert (moved.release_id, moved.revision) == (current.pk, army_list.revision + 1)
    names = [unit.name for unit in read_document(moved.document).roster.forces[0].selections]
    assert names == ["Captain"]
    last = Revision.objects.get(army_list=moved, number=moved.revision)
    assert "Moved to data release 2" in last.summary_en and "выпуск данных 2" in last.summary_ru
    assert release_impact.impact_of(fresh(army_list)) is None
    undone = services.undo(viewer, army_list.pk, expected_revision=moved.revision).army_list
    assert (undone.release_id, undone.points) == (army_list.release_id, army_list.points)
    assert read_document(undone.document) == read_document(army_list.document)


def test_staying_is_remembered_until_a_later_release(army_list: ArmyList) -> None:
    viewer = Viewer(user=army_list.owner)
    publish(DEARER)
    current = fresh(army_list).system.current_release
    assert current is not None
    stayed = release_impact.stay(viewer, army_list.pk, release_id=current.pk)
    assert not release_impact.is_offered(stayed)
    assert (stayed.release_id, stayed.revision) == (army_list.release_id, army_list.revision)
    assert services.check_army_list(stayed).points.total == army_list.points
    assert release_impact.impact_of(stayed) is not None, "the way stays open"
    publish(DEARER, SQUAD, revision=3)
    assert release_impact.is_offered(fresh(army_list))


def test_moving_to_what_one_has_not_seen_is_refused(army_list: ArmyList) -> None:
    viewer = Viewer(user=army_list.owner)
    publish(DEARER)
    seen = fresh(army_list).system.current_release
    assert seen is not None
    publish(DEARER, SQUAD, revision=3)
    for refused in (
        lambda: release_impact.move(viewer, army_list.pk, release_id=seen.pk, expected_revision=army_list.revision),
        lambda: release_impact.stay(viewer, army_list.pk, release_id=seen.pk),
    ):
        with pytest.raises(EditRefused):
            refused()
    newest = fresh(army_list).system.current_release
    assert newest is not None
    with pytest.raises(RevisionConflict):
        release_impact.move(viewer, army_list.pk, release_id=newest.pk, expected_revision=1)
    assert fresh(army_list).document == army_list.document


def test_nobody_else_decides(army_list: ArmyList, stranger: User) -> None:
    publish(DEARER)
    current = fresh(army_list).system.current_release
    assert current is not None
    with pytest.raises(NotFound):
        release_impact.move(
            Viewer(user=stranger), army_list.pk, release_id=current.pk, expected_revision=army_list.revision
        )
    with pytest.raises(NotFound):
        release_impact.stay(Viewer(user=stranger), army_list.pk, release_id=current.pk)
    row = fresh(army_list)
    assert (row.release_id, row.declined_release_id, row.revision) == (army_list.release_id, None, army_list.revision)


def test_a_unit_that_is_offered_no_more_keeps_its_profile_and_rules(army_list: ArmyList) -> None:
    """It stands in the list: its card was blank but for its weapons, and the paper of the list lacked it."""
    publish(entry("captain", "Captain", category="hq", points=100, hidden=True), SQUAD)
    newest = release_impact.newer_release(fresh(army_list))
    assert newest is not None
    release_impact.move(
        Viewer(user=army_list.owner), army_list.pk, release_id=newest.pk, expected_revision=fresh(army_list).revision
    )
    sheet = plain_sheet_of(fresh(army_list))
    assert "BS-03" in {finding.rule for finding in sheet.findings}
    (captain,) = (unit for unit in sheet.units if unit.name == "Captain")
    assert [row.name for row in captain.profiles] == ["Captain"] and captain.rules == ("Fearless (2)",)
