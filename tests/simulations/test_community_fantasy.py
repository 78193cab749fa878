"""Two armies of 2,000 points from the community's Fantasy data fight; what nobody models is said unit by unit."""

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.list_matchup import MATCHUPS, FantasyConditions
from armybuilder.engine.systems.fantasy_8th.roster.fighters import sides_from_roster
from tests.armylists.conftest import viewer
from tests.armylists.test_community_fantasy import BEASTMEN, COMMAND, EMPIRE, STANDARD, Recruiter, empire, muster_of

__all__ = ["muster_of", "viewer"]

pytestmark = [pytest.mark.shared, pytest.mark.django_db]

Army = tuple[Fighter, ...]


@pytest.fixture
def armies(muster_of, viewer: Viewer) -> tuple[Army, Army]:  # type: ignore[no-untyped-def]
    """The Empire and a herd of Beastmen."""
    men = muster_of(EMPIRE, BEASTMEN)
    empire(men)
    mine = sides_from_roster(men.report.state)
    beasts = next(one for one in men.report.library.catalogues if one.name.startswith("Beast"))
    created = services.create_army_list(
        viewer, system_id="fantasy-8th", name="Herd", catalogue_id=beasts.id, force_entry_id=STANDARD
    )
    herd = Recruiter(viewer, created)
    herd.recruit("Beastlord", "Shield", "Heavy Armour")
    herd.recruit("Gor Herd", *COMMAND, Gor=30)
    herd.recruit("Ungor Raiders", Ungor_Raider=10)
    herd.recruit("Bestigor Herd", *COMMAND, Bestigor=20)
    for name in ("Razorgor Herd", "Giant", "Cygor"):
        herd.recruit(name)
    theirs = sides_from_roster(herd.report.state)
    return mine, theirs


def test_the_units_are_what_players_see(armies: tuple[Army, Army]) -> None:
    assert sum(fighter.points for fighter in armies[0]) == 1997
    mine, theirs = ({fighter.name: fighter for fighter in army} for army in armies)
    assert {name: fighter.models for name, fighter in mine.items() if fighter.models > 1} == {
        "Halberdiers": 30, "Swordsmen": 25, "Handgunners": 10, "Greatswords": 20, "Demigryph Knights": 3,
        "Huntsmen": 10,
    }  # fmt: skip
    assert mine["Luminark of Hysh"].side.main.crew is not None
    assert mine["Demigryph Knights"].side.main.mount is not None
    assert theirs["Gor Herd"].side.main.profile.T == 4
    assert theirs["Razorgor Herd"].side.main.troop_type == "monstrous_beast"
    assert "Hold the Line!" in mine["General of the Empire"].unknown
    assert any("Primal Fury" in word for word in theirs["Gor Herd"].unknown)


def test_every_pair_is_worked_out(armies: tuple[Army, Army]) -> None:
    """Shooting and close combat both ways; every cell agrees with the whole answer of its pair."""
    for first, second in (armies, armies[::-1]):
        attackers, defenders = list(first), list(second)
        for attack in MATCHUPS.attacks:
            table = MATCHUPS.effects(attack, attackers, defenders, conditions=FantasyConditions())
            fought = 0
            for attacker, row in zip(attackers, table, strict=True):
                for defender, cell in zip(defenders, row, strict=True):
                    if cell is None:
                        continue
                    fought += 1
                    assert 0.0 <= cell.points_destroyed <= float(defender.points) + 1e-9
                    document = MATCHUPS.matchup(attack, attacker, defender, conditions=FantasyConditions())
                    if not cell.sampled:
                        assert simulate(document).metrics["p_destroyed"] == pytest.approx(cell.p_destroyed, abs=1e-9)
            machines = sum(fighter.side.main.troop_type == "war_machine" for fighter in attackers)
            if attack == "close_combat":
                assert fought == (len(attackers) - machines) * len(defenders)
            elif attack == "magic":
                wizards = sum(fighter.wizard_level > 0 for fighter in attackers)
                assert fought == wizards * len(defenders)
            else:
                assert fought >= len(defenders)
