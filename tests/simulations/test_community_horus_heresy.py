"""Two Legions from the community's 2023 data fight; what nobody models is said unit by unit."""

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.list_matchup import MATCHUPS, HeresyConditions
from armybuilder.engine.systems.horus_heresy.roster.fighters import sides_from_roster
from armybuilder.simulations import queries
from armybuilder.simulations.services import request_simulation
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import viewer
from tests.armylists.recruiting import Recruiter
from tests.armylists.test_community_horus_heresy import community, sons

__all__ = ["community", "sons", "viewer"]

pytestmark = [pytest.mark.shared, pytest.mark.django_db]


@pytest.fixture
def fists(community: PublishedSystem, viewer: Viewer) -> Recruiter:
    """Imperial Fists: a Centurion, three squads, a Dreadnought and tanks."""
    assert community.current_release_id is not None
    library = library_of(community.current_release_id)
    legion = next(catalogue for catalogue in library.catalogues if catalogue.name.endswith("Imperial Fists"))
    created = services.create_army_list(
        viewer,
        system_id="horus-heresy",
        name="Wall of Terra",
        catalogue_id=legion.id,
        force_entry_id=library.force_entries(legion.id)[0].id,
        points_limit=2000,
    )
    army = Recruiter(viewer, created)
    for name in (
        "Centurion", "Tactical Squad", "Tactical Squad", "Breacher Squad", "Contemptor Dreadnought Talon",
        "Leviathan Dreadnought Talon", "Seeker Squad", "Predator Squadron", "Heavy Support Squad",
    ):  # fmt: skip
        army.recruit(name)
    return army


def fighters_of(army: Recruiter) -> list[Fighter]:
    return list(sides_from_roster(army.report.state))


def test_the_units_are_what_players_see(sons: Recruiter) -> None:
    units = {fighter.name: fighter for fighter in fighters_of(sons)}
    assert sum(fighter.points for fighter in units.values()) >= 1965 - 135  # two squads and two Rhinos share a name
    squad = units["Tactical Squad"].side.models
    assert [(group.count, group.profile.ballistic_skill, group.profile.armour_save) for group in squad] == [
        (1, 4, "3+"),
        (9, 4, "3+"),
    ]
    assert units["Justaerin Terminator Squad"].side.models[0].profile.invulnerable_save is not None
    assert units["Rhino Transport"].side.models[0].has_armour_value


def test_every_pair_is_worked_out(sons: Recruiter, fists: Recruiter) -> None:
    mine, theirs = fighters_of(sons), fighters_of(fists)
    for attackers, defenders in ((mine, theirs), (theirs, mine)):
        table = MATCHUPS.effects(
            "shooting", attackers, defenders, conditions=HeresyConditions()
        )  # fmt: skip
        fought = 0
        for attacker, row in zip(attackers, table, strict=True):
            for defender, cell in zip(defenders, row, strict=True):
                if cell is None:
                    continue
                fought += 1
                assert 0.0 <= cell.points_destroyed <= float(defender.points) + 1e-9
                document = MATCHUPS.matchup(MATCHUPS.attacks[0], attacker, defender, conditions=HeresyConditions())
                assert simulate(document).metrics["p_destroyed"] == pytest.approx(cell.p_destroyed, abs=1e-9)
        assert fought >= len(attackers) * len(defenders) // 2


def test_a_whole_battle_names_what_it_leaves_out(sons: Recruiter, fists: Recruiter, viewer: Viewer) -> None:
    request = {
        "kind": "battle",
        "attacker": {"list": str(sons.list_id)},
        "defender": {"list": str(fists.list_id)},
        "trials": 500,
    }
    run = request_simulation(viewer, request)
    perform_computation(str(run.computation_id))
    result = queries.result_of(queries.visible_run(run.pk, viewer))
    assert result is not None
    chances = result["metrics"]
    assert chances["p_win"] + chances["p_draw"] + chances["p_lose"] == pytest.approx(1.0)
    assert result["not_simulated"]
