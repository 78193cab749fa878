"""What players of two lists state besides distance and cover: reactions, challenges, the game turn."""

from decimal import Decimal

import msgspec
import pytest

from armybuilder.engine.simulate import Result, simulate
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.list_matchup import MATCHUPS, HeresyConditions
from armybuilder.engine.systems.horus_heresy.matchup import Side
from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_blade,
    make_group,
    make_side,
    make_tank,
    make_weapon,
)


def fighter(side: Json) -> Fighter:
    return Fighter(unit="u", name="Unit", points=Decimal(100), side=msgspec.convert(side, Side))


def met(attack: str, mine: Json, theirs: Json, *, outgoing: bool = True, **stated: object) -> Result:
    conditions_in_force = msgspec.convert(stated, HeresyConditions)
    return simulate(
        MATCHUPS.matchup(attack, fighter(mine), fighter(theirs), conditions=conditions_in_force, outgoing=outgoing)
    )


GUNS = [make_weapon(AP=2, range=24), make_weapon(AP=2, range=24, type="Heavy 1"), make_blade(AP=2)]
SQUAD = make_side(make_group(5, weapons=GUNS))
HEROES = make_side(make_group(1, subtypes=["character"], name="Hero", weapons=[make_blade()]), make_group(4))


def test_evade_helps_the_unit_that_is_shot_at() -> None:
    plain, evading = met("shooting", SQUAD, SQUAD), met("shooting", SQUAD, SQUAD, reaction="evade")
    assert evading.metrics["unsaved_wounds"] == pytest.approx(plain.metrics["unsaved_wounds"] * 2 / 3)
    back = met("shooting", SQUAD, SQUAD, outgoing=False, reaction="evade")
    assert back.metrics["unsaved_wounds"] == pytest.approx(plain.metrics["unsaved_wounds"]), "mine do not react"


def test_return_fire_is_their_own_shooting_and_counts_as_stationary() -> None:
    tank = make_side({"name": "Tank", "count": 1, "type": "vehicle", "profile": {"BS": 4}, "weapons": [
        make_weapon(S=9, range=48)
    ]})  # fmt: skip
    assert met("shooting", tank, SQUAD, outgoing=False).metrics["hits"] > 0.6
    with pytest.raises(Exception, match="weapon"):
        met("shooting", tank, SQUAD, outgoing=False, reaction="return_fire")


def test_overwatch_fires_one_weapon_a_model_and_only_at_a_charge() -> None:
    plain = met("assault", SQUAD, SQUAD)
    found = met("assault", SQUAD, SQUAD, reaction="overwatch_fire")
    more = found.metrics["attacker_models_slain"] - plain.metrics["attacker_models_slain"]
    assert 0.3 < more < 5 / 3, "one of two guns each, and fewer are left to strike and be struck"
    assert found.metrics["models_slain"] < plain.metrics["models_slain"]
    later = met("assault", SQUAD, SQUAD, reaction="overwatch_fire", charge=False)
    assert later.metrics == met("assault", SQUAD, SQUAD, charge=False).metrics
    far = met("assault", SQUAD, SQUAD, reaction="overwatch_fire", distance=40)
    assert far.metrics == pytest.approx(found.metrics), "a charge begins within 12 inches"


def test_hold_the_line_and_challenges_are_stated() -> None:
    plain = met("assault", SQUAD, SQUAD)
    assert (
        met("assault", SQUAD, SQUAD, reaction="hold_the_line").metrics["models_slain"] < plain.metrics["models_slain"]
    )
    assert "p_slain:Hero" in met("assault", HEROES, HEROES, challenge=True).metrics
    assert "p_slain:Hero" not in met("assault", HEROES, HEROES).metrics


@pytest.mark.parametrize(("turn", "wounds"), [(1, 2 / 3), (3, 1 / 2), (5, 1 / 3), (7, 1 / 6), (None, 1 / 2)])
def test_daemons_wane(turn: int | None, wounds: float) -> None:
    """Strength 5, 4, 3, 2 against Toughness 4: one blow that hits half the time."""
    daemon = make_side(make_group(1, type="daemon", weapons=[make_blade()]))
    target = make_side(make_group(5, profile={"A": 0, "Sv": None}))
    found = met("assault", daemon, target, charge=False, game_turn=turn)
    assert found.metrics["models_slain"] == pytest.approx(wounds / 2)
    aged = met("assault", target, daemon, charge=False, game_turn=turn)
    assert any("Daemons" in text.en for text in aged.assumptions) is (turn is None)


def test_a_tank_at_cruising_speed_aims_one_gun() -> None:
    """At combat speed both guns are aimed, at cruising speed one makes a snap shot; a fast one does not mind."""
    guns = [make_weapon(name="a", S=8, range=48, type="Heavy 1"), make_weapon(name="b", S=8, range=48, type="Heavy 1")]

    def hits(*subtypes: str, **stated: object) -> float:
        tank = make_side(make_tank(12, subtypes=list(subtypes), weapons=guns))
        return met("shooting", tank, SQUAD, **stated).metrics["hits"]

    assert hits() == hits(moved=True) == hits("fast", moved=True, cruising=True) == pytest.approx(4 / 3)
    assert hits(moved=True, cruising=True) == hits("slow", moved=True) == pytest.approx(2 / 3 + 1 / 6)
    assert hits(cruising=True) == pytest.approx(4 / 3), "it stands still"


def test_who_is_pinned_makes_snap_shots() -> None:
    plain, pinned = met("shooting", SQUAD, SQUAD), met("shooting", SQUAD, SQUAD, snap_shots=True)
    assert pinned.metrics["hits"] == pytest.approx(plain.metrics["hits"] / 4)
    theirs = met("shooting", SQUAD, SQUAD, defender_snap_shots=True)
    assert theirs.metrics["hits"] == pytest.approx(plain.metrics["hits"])
    back = met("shooting", SQUAD, SQUAD, outgoing=False, defender_snap_shots=True)
    assert back.metrics["hits"] == pytest.approx(plain.metrics["hits"] / 4)


@pytest.mark.parametrize("attack", ["shooting", "assault"])
def test_psychic_checks_of_force_weapons_are_attempted_where_stated(attack: str) -> None:
    """Strength 8 instead of 4 after a passed check; a failed one is paid for. The matrix says what the pair says."""
    force = [make_weapon("Force", range=18, AP=2), make_blade("Force", AP=2)]
    psyker = make_side(make_group(1, subtypes=["psyker"], weapons=force))
    plain, tried = met(attack, psyker, SQUAD), met(attack, psyker, SQUAD, psychic_checks=True)
    assert tried.metrics["models_slain"] != pytest.approx(plain.metrics["models_slain"])
    assert tried.metrics["attacker_models_slain"] > plain.metrics.get("attacker_models_slain", 0.0)
    for stated, result in ((False, plain), (True, tried)):
        conditions_in_force = HeresyConditions(psychic_checks=stated)
        ((effect,),) = MATCHUPS.effects(
            attack, [fighter(psyker)], [fighter(SQUAD)], conditions=conditions_in_force
        )  # fmt: skip
        assert effect is not None
        assert effect.models_slain == pytest.approx(result.metrics["models_slain"])
