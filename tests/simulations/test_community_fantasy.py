"""Two armies of 2,000 points from the community's Fantasy data fight; what nobody models is said unit by unit."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.battle_results import results_of
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.fantasy_8th.combat import battle
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.list_matchup import MATCHUPS, FantasyConditions
from armybuilder.engine.systems.fantasy_8th.roster.fighters import attached, sides_from_roster
from tests.armylists.conftest import viewer
from tests.armylists.fantasy_muster import BEASTMEN, COMMAND, EMPIRE, STANDARD, Recruiter, empire, muster_of
from tests.armylists.named_lists import Clerk, lists_of, published
from tests.armylists.units_alone import library_in
from tests.breadth import share

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
    assert any("Beastmen Ambush" in word for word in theirs["Gor Herd"].unknown)


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


PAIRS = [
    ("Empire behind a griffon", "Beastmen behind a Doombull"),
    ("Beastmen behind a Doombull", "Empire behind a griffon"),
    ("High Elves, an Archmage and dragon princes", "Tomb Kings with Settra"),
]
"""Lists of about the same points, the first of which has a wizard whose lore is known."""


@pytest.mark.long
@pytest.mark.parametrize(("mine", "theirs"), share(PAIRS, of=2))
def test_leaving_a_wizard_out_does_not_raise_the_chance(mine: str, theirs: str, shared: Path, viewer: Viewer) -> None:
    """He is not his price alone: before there was magic in battles an army won more often without him."""
    named = {one.name: one for one in lists_of("fantasy-8th") if one.name in (mine, theirs)}
    library = library_in(
        shared / "battlescribe" / "data" / "whfb", {file for one in named.values() for file in one.files}
    )
    system = published("fantasy-8th", library)
    armies = []
    for name in (mine, theirs):
        army = Clerk(viewer, system, library, named[name])
        state = army.report.state
        armies.append(attached(sides_from_roster(state), state, army.document.facts))
    own, enemies = armies
    whole = chance_to_win(own, enemies)
    wizards = [one for one in own if one.wizard_level and one.lore is not None]
    raised = {
        one.name: chance - whole
        for one in wizards
        if (chance := chance_to_win([other for other in own if other is not one], enemies)) > whole + NOISE
    }
    assert (bool(wizards), raised) == (True, {})


NOISE = 0.03
"""Some two standard errors of the difference between two chances of 2,000 trials."""


def chance_to_win(own: Sequence[Fighter], enemies: Sequence[Fighter]) -> float:
    ready = prepared(battle, own, enemies)
    return float(results_of(ready, play.fought(Plans(ready.battle), trials=2_000, seed=7))["metrics"]["p_win"])
