"""Reserves, transports and psychic checks in whole battles of the Horus Heresy: who comes when, and how."""

import json
from typing import Any

import msgspec
import numpy as np
import pytest

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.horus_heresy.combat import battle
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.matchup import Side
from armybuilder.engine.systems.horus_heresy.roster.fighters import attached, sides_from_roster
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment
from tests.conftest import ROOT
from tests.libraries import compiled_library

from .builders import make_blade, make_group, make_side, make_tank, make_weapon

FIXTURES = ROOT / "fixtures/horus-heresy"


@pytest.fixture(scope="module")
def library() -> Library:
    paths = sorted(path for path in FIXTURES.iterdir() if path.suffix in (".gst", ".cat"))
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in paths])


def state_of(library: Library, name: str) -> RosterState:
    kept = json.loads((FIXTURES / f"lists/{name}.json").read_text())
    return evaluate(library, msgspec.convert(kept["document"]["roster"], Roster))


def fighter_of(side: dict[str, Any], unit: str = "a", **facts: Any) -> Fighter:
    return msgspec.convert(
        {"unit": unit, "name": unit, "points": 100, "side": msgspec.to_builtins(msgspec.convert(side, Side)), **facts},
        Fighter,
        strict=False,
    )


def make_plane(unit: str = "plane", **facts: Any) -> Fighter:
    gun = make_weapon(type="Heavy 4", S=8, AP=2, range=48)
    return fighter_of(make_side(make_tank(weapons=[gun], subtypes=["Flyer"]) | facts), unit)


def make_squad(unit: str = "squad", **facts: Any) -> Fighter:
    return fighter_of(make_side(make_group(weapons=[make_weapon(range=24)])), unit, **facts)


def standing_of(mine: list[Fighter], theirs: list[Fighter]) -> tuple[Any, Any]:
    """The battle as it is played, and what it has become of both armies."""
    ready = prepared(battle, mine, theirs)
    return ready, play.fought(Plans(ready.battle), trials=2_000, seed=3)


def test_flyers_begin_in_reserve() -> None:
    """Nobody in the first turn, two of three in the second, everybody from the fourth (L2356, L3985)."""
    assert battle.unit(battle.ready(make_plane())).arrives == (0.0, 2 / 3, 2 / 3, 1.0)
    assert battle.unit(battle.ready(make_plane())).move == 24, "a Flyer zooms"
    assert battle.unit(battle.ready(make_plane(subtypes=["Flyer", "Hover"]))).arrives
    assert not battle.unit(battle.ready(make_squad())).arrives
    held = make_squad(deployment=Deployment.RESERVE)
    assert battle.unit(battle.ready(held)).arrives
    assert not battle.unit(battle.ready(held)).drops
    assert battle.unit(battle.ready(make_squad(deployment=Deployment.DEEP_STRIKE_ASSAULT))).drops
    pod = fighter_of(make_side(make_tank(rules=["Orbital Assault Vehicle"])))
    assert battle.unit(battle.ready(pod)).drops


def test_nothing_in_reserve_kills_or_dies() -> None:
    """The first shot of a plane falls in the second turn, and as often as the dice let it come."""
    plane, squads = make_plane(), [make_squad("b1"), make_squad("b2"), make_squad("b3")]
    _, chronicle = standing_of([plane, make_squad("own")], squads)
    slain = chronicle.slain[0][:, 0, 0].sum(1)
    assert slain[0] == 0
    assert slain[1] > 0
    assert chronicle.slain[1][0, :, :3, 0].sum() == 0, "nobody hits it before"


def test_only_sixes_hit_a_zooming_flyer() -> None:
    """Ten shots of BS 4 hit a tank on 3+ and a zooming Flyer on 6 (L2395)."""
    guns = battle.ready(fighter_of(make_side(make_group(weapons=[make_weapon(S=9, range=48)]))))
    tank = battle.ready(fighter_of(make_side(make_tank())))
    hurt = []
    for target in (tank, battle.ready(make_plane())):
        attacks = battle.shooting(guns, target, distance=24, moved=False, cover=False)
        hurt.append(sum(a.models * (1 - float(a.chances[0, 0])) for a in attacks))
    assert hurt[1] / hurt[0] == pytest.approx((1 / 6) / (2 / 3))


def test_an_army_with_nothing_on_the_table_has_lost() -> None:
    _, chronicle = standing_of([make_plane()], [make_squad("b")])
    assert chronicle.outcomes.tolist() == [0, 0, 2_000]


def test_who_drops_comes_near_and_does_not_walk() -> None:
    """Men with short guns and a long way reach nobody in the second turn, but for those that drop."""
    short = make_side(make_group(weapons=[make_weapon(range=12)], profile={"M": 4}))
    enemy = [make_squad("b1"), make_squad("b2")]
    killed = {}
    for deployment in (Deployment.RESERVE, Deployment.DEEP_STRIKE_ASSAULT):
        late = fighter_of(short, "late", deployment=deployment)
        _, chronicle = standing_of([late, make_squad("own")], enemy)
        killed[deployment] = int(chronicle.slain[0][1, 0, 0].sum())
    assert killed[Deployment.RESERVE] == 0
    assert killed[Deployment.DEEP_STRIKE_ASSAULT] > 500


def test_a_squad_begins_in_its_transport(library: Library) -> None:
    """The Seekers were bought with a Rhino: they begin in it, and nobody can shoot at them before it is gone."""
    fighters = sides_from_roster(state_of(library, "sons-of-horus"))
    seekers = next(f for f in fighters if f.name == "Seeker Squad")
    rhino = next(f for f in fighters if f.name == "Rhino" and f.unit == seekers.rides)
    ready = prepared(battle, [seekers, rhino, make_squad("own")], [make_squad("b")])
    plans = Plans(ready.battle).of[0]
    assert (plans[0].rides, plans[1].delivers) == (1, True)
    assert plans[1].seeks == plans[0].seeks
    assert {"reserves", "transports"} <= {item.rule for item in ready.notes.approximated}
    assert not {"reserves", "transports"} & set(ready.notes.not_simulated)


def test_men_with_jump_packs_ride_in_nothing_but_a_flyer(library: Library) -> None:
    state = state_of(library, "imperial-fists-and-auxilia")
    fighters = sides_from_roster(state)
    eagle = next(f for f in fighters if f.name == "Storm Eagle Gunship")
    squad = next(f for f in fighters if f.name == "Tactical Squad")
    tank = next(f for f in fighters if f.name == "Vindicator Squadron")
    said = {"units": {squad.unit: {"embarked_in": eagle.unit}, tank.unit: {"deployment": "reserve"}}}
    told = {fighter.unit: fighter for fighter in attached(fighters, state, said)}
    assert told[squad.unit].rides == eagle.unit
    assert told[tank.unit].deployment is Deployment.RESERVE
    assert len(told) == len(fighters)
    jumping = msgspec.structs.replace(squad, side=msgspec.structs.replace(squad.side, rules=("Jump Pack",)))
    for carrier, rides in ((eagle, eagle.unit), (tank, None)):
        riding = {"units": {squad.unit: {"embarked_in": carrier.unit}}}
        army = [jumping if fighter is squad else fighter for fighter in fighters]
        assert {f.unit: f for f in attached(army, state, riding)}[squad.unit].rides == rides


def test_passengers_are_safe_until_they_get_out() -> None:
    """The same men lose fewer to guns that cannot hurt their transport, as they begin within it."""
    lost = []
    for rides in (None, "box"):
        men = fighter_of(
            make_side(make_group(weapons=[make_weapon(range=12)], profile={"Sv": "6+"})), "men", rides=rides
        )
        box = fighter_of(make_side(make_tank(14)), "box")
        _, chronicle = standing_of([men, box], [make_squad("b1"), make_squad("b2")])
        lost.append(int(chronicle.slain[1][0, :, :, 0].sum()))
    assert lost[1] < lost[0] / 2


def test_a_psychic_weapon_needs_its_check() -> None:
    """Leadership 7 passes 21 of 36 checks; a blade that failed leaves the bare hands (L4453)."""
    target = battle.ready(make_squad())

    def wounds(attacks: Any) -> float:
        return float(sum(a.models * (a.chances.sum(0) @ np.arange(a.chances.shape[1])) for a in attacks))

    def shot(*rules: str) -> float:
        side = make_side(make_group(1, weapons=[make_weapon(*rules, S=8, AP=2, range=24)]))
        return wounds(battle.shooting(battle.ready(fighter_of(side)), target, distance=12, moved=False, cover=False))

    def struck(*rules: str) -> float:
        side = make_side(make_group(1, weapons=[make_blade(*rules, S=8, AP=2)]))
        return wounds(battle.blows(battle.ready(fighter_of(side)), target, charging=False))

    passes = 21 / 36
    assert shot("Psychic Focus") == pytest.approx(passes * shot())
    assert passes * struck() < struck("Psychic Focus") < struck()
    psyker = fighter_of(make_side(make_group(1, weapons=[make_weapon("Psychic Focus", range=24)])))
    notes = prepared(battle, [psyker], [make_squad()]).notes
    assert "Psychic Focus" in {item.rule for item in notes.approximated}
    assert "Psychic Focus" not in notes.not_simulated
