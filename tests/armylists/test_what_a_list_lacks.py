"""A list in which nothing is wrong but what it still lacks is begun; to everybody else it is illegal."""

from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.engine.findings import Severity
from tests.armylists.conftest import ALLIED, AUXILIA, FIXTURES, Muster, fixture_library, shipped_game
from tests.armylists.recruiting import Recruiter

pytestmark = pytest.mark.django_db


def lacking(army: Muster) -> int:
    """What the row keeps, of a list that is illegal whatever it lacks."""
    assert army.row.verdict == "illegal"
    found = {finding.rule for finding in army.report.findings if finding.severity is Severity.ERROR}
    assert found
    return army.row.left_to_choose


CASES: list[tuple[str, Callable[[Muster], Any], bool]] = [
    ("no unit at all", lambda army: None, True),
    ("one of the compulsory Troops (HH-11)", lambda army: army.unit("hh-la-tactical-squad"), True),
    ("an HQ that nobody named warlord (HH-32)", lambda army: army.unit("hh-la-praetor"), True),
    (
        "a warlord without a trait (HH-39)",
        lambda army: army.edit(e.SetWarlord(node_id=army.unit("hh-la-praetor"))),
        True,
    ),
    ("allies before the rest (HH-12)", lambda army: army.detachment(ALLIED, AUXILIA), True),
    ("no limit agreed (HH-04)", lambda army: army.edit(e.SetPointsLimit(points_limit=None)), True),
    (
        "a warlord who must not lead (HH-34)",
        lambda army: army.edit(
            e.SetWarlord(node_id=army.unit("hh-la-praetor", force_id=army.detachment(ALLIED, "hh-legion-world-eaters")))
        ),
        False,
    ),
    ("more than the limit (HH-05)", lambda army: army.edit(e.SetPointsLimit(points_limit=1), *two(army)), False),
]


def two(army: Muster) -> tuple[e.Edit, ...]:
    """Two units."""
    return tuple(
        e.AddUnit(force_id=army.force_id, entry_id=entry) for entry in ("hh-la-praetor", "hh-la-tactical-squad")
    )


@pytest.mark.parametrize(("case", "change", "only_lacks"), CASES, ids=[case for case, _, _ in CASES])
def test_a_list_that_only_lacks_is_begun(
    draft: Muster, case: str, change: Callable[[Muster], Any], only_lacks: bool
) -> None:
    change(draft)
    assert lacking(draft) == (draft.report.count(Severity.ERROR) if only_lacks else 0), draft.rules()


FIRST_UNITS = [
    ("fantasy-8th", "Swordsmen", {"WF-01", "WF-06", "WF-09"}),
    ("epic", "Tactical", {"EP-01"}),
    ("wh40k-6th", "Tactical Squad", {"W6L-04", "W6L-13"}),
]


@pytest.mark.parametrize(("game", "unit", "said"), FIRST_UNITS, ids=[game for game, _, _ in FIRST_UNITS])
def test_the_first_unit_of_every_game_makes_nothing_wrong(viewer: Viewer, game: str, unit: str, said: set[str]) -> None:
    system = shipped_game(game)
    faction = {"fantasy-8th": "Empire", "epic": "Codex Astartes", "wh40k-6th": "Space Marines"}[game]
    library = fixture_library(FIXTURES.parent / game)
    catalogue = next(one for one in library.catalogues if faction in one.name)
    army = Recruiter(
        viewer,
        services.create_army_list(
            viewer, system_id=system.pk, name="Begun", catalogue_id=catalogue.id, points_limit=2000
        ),
    )
    army.recruit(unit)
    assert said <= army.rules()
    assert lacking(army) == army.report.count(Severity.ERROR), army.report.findings
