"""Shooting in the enemy's turn, and what shooting does to a charge."""

from dataclasses import replace

import pytest

from armybuilder.engine.combat.battles.forces import Battle, Volley
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.dice import Dice

from .builders import CHARGE, TERMS, fought, left, make_battle, make_kind, wins

SHOOTER = make_kind()
FIGHTER = make_kind(shot=0.0, blow=0.5, charge=CHARGE)
PISTOLEER = make_kind(shot=0.25, reach=12.0, blow=0.45, charge=CHARGE)


def with_replies(battle: Battle, side: int, times: int = 1) -> Battle:
    """The same battle where one side shoots back as it shoots standing still."""

    def reply(volley: Volley) -> Volley:
        return replace(volley, replies=(volley.attacks[0], volley.attacks[1]))

    volleys = [
        [[tuple(map(reply, each)) for each in row] for row in army] if number == side else army
        for number, army in enumerate(battle.volleys)
    ]
    return replace(battle, volleys=(volleys[0], volleys[1]), terms=replace(battle.terms, reactions=times))


@pytest.mark.parametrize("enemies", [[SHOOTER] * 3, [FIGHTER] * 4], ids=["Return Fire", "Overwatch"])
def test_who_reacts_wins_more_often_and_more_reactions_help_more(enemies: list[dict[str, object]]) -> None:
    battle = make_battle([SHOOTER] * 3, enemies)
    none, one, three = (wins(fought(with_replies(battle, 0, times) if times else battle)) for times in (0, 1, 3))
    assert none < one - 0.02
    assert one < three + 0.01


def test_one_reaction_of_a_unit_in_a_phase() -> None:
    """Three units shoot at the first enemy, who answers one of them: six models fall in his turn, two in theirs."""
    battle = make_battle(
        [make_kind(shot=0.2, move=0.0, reach=72.0)] * 3,
        [make_kind(shot=0.0001, move=0.0, reach=72.0)] * 3,
        replace(TERMS, turns=1),
    )
    lost = [30 - left(fought(with_replies(battle, 0, times)), 1) for times in (1, 2)]
    assert lost == [pytest.approx(3 * 2 + 2, rel=0.05)] * 2


def test_answers_are_for_those_that_are_worth_it() -> None:
    """A weak unit keeps the reaction for a strong one; both shoot at whoever charges them."""
    weak, strong = make_kind(shot=0.05), make_kind(shot=0.5)
    plans = Plans(with_replies(make_battle([weak, strong], [SHOOTER]), 0))
    assert [bool(plan.answers.any()) for plan in plans.of[0]] == [False, True]
    assert all(plan.replies.all() for plan in plans.of[0])
    assert not any(plan.replies.any() for plan in plans.of[1])


def test_who_may_not_charge_after_shooting_saves_his_fire() -> None:
    enemies = [make_kind(shot=0.05, blow=0.2, charge=CHARGE)] * 3
    battle = make_battle([PISTOLEER] * 3, enemies)

    def limited(after: bool | None) -> Battle:
        return replace(
            battle, armies=(tuple(replace(u, charges_after=after) for u in battle.armies[0]), battle.armies[1])
        )

    free, same, never = (fought(limited(after)) for after in (None, True, False))
    shot = [chronicle.slain[0][:, 0].sum() for chronicle in (free, same, never)]
    assert shot[2] < 0.8 * shot[0], "they save their fire"
    assert shot[2] < shot[1] <= 1.02 * shot[0]
    assert never.slain[0][:, 1].sum() > 0, "and charge"


def test_the_rallied_stand_and_daemons_dissolve() -> None:
    nervous = make_kind(stands=(0.3,), panics_at=0.25, holds=0.3, rallies=0.9)
    battle = make_battle([nervous] * 3, [SHOOTER] * 3)
    unstable = replace(
        battle,
        armies=(tuple(replace(u, dissolves=Dice(1, 3).distribution()) for u in battle.armies[0]), battle.armies[1]),
    )
    assert fought(battle).broken[0].sum() > 0
    chronicle = fought(unstable)
    assert chronicle.broken[0].sum() == 0
    assert chronicle.slain[1][:, 0, -1].sum() > 0, "wounds without a blow"
    runners = make_battle([FIGHTER | {"stands": (0.3,), "rallies": 0.9}] * 3, [SHOOTER] * 3)
    standing = replace(runners, terms=replace(TERMS, rallied_stand=True))
    assert wins(fought(standing)) <= wins(fought(runners)) + 0.02


def test_whoever_has_rallied_may_have_to_hold_fire() -> None:
    nervous = SHOOTER | {"panics_at": 0.2, "holds": 0.1, "rallies": 1.0}
    battle = make_battle([nervous] * 3, [SHOOTER] * 3)
    silent = replace(battle, terms=replace(battle.terms, rallied_stand=True, rallied_hold_fire=True))
    assert fought(silent).slain[0].sum() < fought(battle).slain[0].sum()
