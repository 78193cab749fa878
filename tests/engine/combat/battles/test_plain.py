"""The vectorised battle against the same battle in plain Python, one trial and one attacker at a time."""

from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import pytest

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.forces import Attack, Attacks, Battle, Unit, Volley, Worth
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import certain
from bench.plain_battle import PlainBattle
from bench.plain_formations import PlainFormations
from tests.breadth import some

from .builders import CHARGE, TERMS, attacks, left, make_battle, make_kind, wins

PLAIN_TRIALS = some(1_500, of=4)

NERVOUS: dict[str, Any] = {"stands": (0.6, 0.4), "panics_at": 0.25, "holds": 0.6, "rallies": 0.4, "caught": 0.5}
SHOOTER = make_kind(shot_after_move=0.1, shot_at_cover=0.1) | NERVOUS
FIGHTER = make_kind(shot=0.1, reach=8.0, blow=0.3, blow_charging=0.45, charge=CHARGE, strikes_at=5) | NERVOUS
MONSTER = make_kind(models=2, wounds=4, points=150.0, blow=0.9, shot=0.0, charge=CHARGE, move=8.0)
NEAR = make_kind(shot=0.3, reach=10.0) | NERVOUS
SLAYER = make_kind(models=5, shot=0.2, slays=0.2, reach=36.0)


def with_ranks(battle: Battle) -> Battle:
    """The same battle with bonuses to the combat result: by models left, for a charge, for deeper ranks."""

    def change(unit: Unit) -> Unit:
        rows = tuple(n // 4 for n in range(unit.models + 1))
        return replace(unit, combat_bonus=rows, ranks=rows, charge_bonus=1, steadfast=0.8, worth=Worth(5, 3, 4, 2))

    armies = tuple(tuple(map(change, army)) for army in battle.armies)
    return replace(battle, armies=(armies[0], armies[1]), terms=replace(battle.terms, most_survivors=1, lead=2))


def with_specialists(battle: Battle) -> Battle:
    """The same battle where two models of each shooting unit carry a better weapon, and fall last."""

    def change(volley: Volley) -> Volley:
        special: Attack = attacks(0.6, 2, slays=0.2)[0]
        return replace(
            volley,
            attacks=tuple(
                (*(replace(a, models=a.models - 2, after=2) for a in each), special) for each in volley.attacks
            ),
        )

    volleys = tuple([[tuple(map(change, v)) for v in row] for row in side] for side in battle.volleys)
    return replace(battle, volleys=(volleys[0], volleys[1]))


def with_a_lord(battle: Battle) -> Battle:
    """The same battle where the first unit of each side hides behind the others."""
    armies = tuple(
        tuple(replace(unit, hides=number == 0, screens=number > 0) for number, unit in enumerate(army))
        for army in battle.armies
    )
    return replace(battle, armies=(armies[0], armies[1]))


def with_loose_monsters(battle: Battle) -> Battle:
    """The same battle where units of few models are not held by close combat."""
    armies = tuple(tuple(replace(unit, locks=unit.models > 2) for unit in army) for army in battle.armies)
    return replace(battle, armies=(armies[0], armies[1]))


def with_the_undead(battle: Battle) -> Battle:
    """The same battle where the first side's units crumble, the first of them without fear, and monsters heal."""
    crumbling = tuple(
        replace(unit, crumbles=True, stands=() if number == 0 else unit.stands)
        for number, unit in enumerate(battle.armies[0])
    )
    potion = Dice(1, 3).distribution()
    healing = tuple(
        replace(unit, regains=0.5, potion=potion) if unit.wounds[0] > 1 else unit for unit in battle.armies[1]
    )
    return replace(battle, armies=(crumbling, healing))


def with_terror(battle: Battle) -> Battle:
    """The same battle where monsters are terrible, and the others flee from them two times in five."""
    armies = tuple(
        tuple(replace(u, terrifies=u.wounds[0] > 1, dreads=0.0 if u.wounds[0] > 1 else 0.4) for u in army)
        for army in battle.armies
    )
    return replace(battle, armies=(armies[0], armies[1]))


def with_counter_attacks(battle: Battle) -> Battle:
    """The same battle where who is charged strikes twice."""
    blows = tuple([[replace(each, charged=each.fighting * 2) for each in row] for row in side] for side in battle.blows)
    return replace(battle, blows=(blows[0], blows[1]))


def with_runners(battle: Battle) -> Battle:
    """The same battle where whoever does not shoot runs."""
    armies = tuple(tuple(replace(unit, runs=Dice(1, 6).distribution()) for unit in army) for army in battle.armies)
    return replace(battle, armies=(armies[0], armies[1]))


def with_reactions(battle: Battle, times: int = 1) -> Battle:
    """The same battle where units shoot back, those of the second side better than in their own turn."""

    def reply(volley: Volley, side: int) -> Volley:
        return replace(volley, replies=(volley.attacks[0] * (1 + side), volley.attacks[1]))

    volleys = tuple(
        [[tuple(reply(volley, side) for volley in each) for each in row] for row in army]
        for side, army in enumerate(battle.volleys)
    )
    return replace(battle, volleys=(volleys[0], volleys[1]), terms=replace(battle.terms, reactions=times))


def with_surprises(battle: Battle) -> Battle:
    """The same battle where units shoot at chargers alone, one at those who come from near by too."""
    shooting = with_reactions(battle, times=100)
    armies = tuple(
        tuple(replace(unit, surprises=6.0, unsurprised=number == 1) for number, unit in enumerate(army))
        for army in battle.armies
    )
    return replace(
        shooting, armies=(armies[0], armies[1]), terms=replace(shooting.terms, at_chargers=True, falls_short=4.5)
    )


def with_limits(battle: Battle) -> Battle:
    """The same battle where the first side may not charge after shooting, the second only whom it has shot at."""
    armies = tuple(tuple(replace(unit, charges_after=side == 1) for unit in army)
                   for side, army in enumerate(battle.armies))  # fmt: skip
    terms = replace(battle.terms, rallied_stand=True, rallied_hold_fire=True)
    return replace(battle, armies=(armies[0], armies[1]), terms=terms)


def with_daemons(battle: Battle) -> Battle:
    """The same battle where the first side loses D3 wounds instead of breaking."""
    lost = Dice(1, 3).distribution()
    return replace(battle, armies=(tuple(replace(u, dissolves=lost) for u in battle.armies[0]), battle.armies[1]))


def replace_models(attacks: Attacks) -> Attacks:
    """The same attacks by half of the models."""
    return tuple(replace(attack, models=(attack.models + 1) // 2) for attack in attacks)


def with_markers(battle: Battle) -> Battle:
    """The same battle under blast markers, which some weapons leave besides; one unit commands, one comes shaken."""

    def change(unit: Unit, number: int) -> Unit:
        return replace(
            unit,
            strength=tuple(2 * n for n in range(unit.models + 1)) if unit.wounds[0] > 1 else (),
            marks_a_model=2 if unit.wounds[0] > 1 else 1,
            acts=(0.8, 0.6),
            recovers=(0.8, 0.6, 0.5, 0.3),
            leaders=number % 2,
            commands=number == 1,
            resists=0.5 if number == 0 else 0.0,
            shaken=Dice(1, 3).distribution() if number == 2 else None,
            ahead=5.0 if number == 2 else 0.0,
            combat_bonus=(0, *[1] * unit.models) if number == 0 else (),
            charge=certain(16) if unit.charge is not None else None,
            flees=certain(12),
            panics_at=None,
            stands=(),
        )

    def touching(volley: Volley) -> Volley:
        found = tuple(
            tuple(replace(a, touch=min(1.0, 1.6 * float(1 - a.chances[0, 0])), extra=0.05) for a in each)
            for each in volley.attacks
        )
        return replace(volley, attacks=found, crossed=tuple(each * 2 for each in found))

    armies = tuple(tuple(change(unit, number) for number, unit in enumerate(army)) for army in battle.armies)
    blows = tuple(
        [[replace(each, support=replace_models(each.fighting)) for each in row] for row in side]
        for side in battle.blows
    )
    volleys = tuple([[tuple(map(touching, v)) for v in row] for row in side] for side in battle.volleys)
    terms = replace(battle.terms, alternates=True, lasting=False, markers=True, pressed=15, supports=14)
    terms = replace(terms, crossfire=30, breadth=8)
    found = replace(battle, armies=(armies[0], armies[1]), volleys=(volleys[0], volleys[1]), terms=terms)
    return replace(found, blows=(blows[0], blows[1]))


def with_pinning(battle: Battle) -> Battle:
    """The same battle where the first side's volleys pin two units of five, and the second side shoots back."""
    volleys = with_reactions(battle).volleys
    pinning = [[tuple(replace(v, pins=True, replies=None) for v in each) for each in row] for row in volleys[0]]
    armies = tuple(tuple(replace(unit, unpinned=0.6) for unit in army) for army in battle.armies)
    return replace(battle, armies=(armies[0], armies[1]), volleys=(pinning, volleys[1]),
                   terms=replace(battle.terms, reactions=1))  # fmt: skip


def with_objectives(battle: Battle) -> Battle:
    """The same battle where all but monsters hold three places, worth nothing to two points each."""
    armies = tuple(
        tuple(replace(u, scores=u.wounds[0] == 1, denies=True, worth=Worth(1, 1, 1)) for u in army)
        for army in battle.armies
    )
    terms = replace(battle.terms, objectives=((36.0, 24.0), (18.0, 14.0), (54.0, 34.0)), near=6.0, cover=0.3,
                    objective_points=(0.0, 1.0, 2.0))  # fmt: skip
    return replace(battle, armies=(armies[0], armies[1]), terms=terms)


def with_reserves(battle: Battle) -> Battle:
    """The same battle where the first unit of each side comes from its edge, the second drops beside an enemy."""
    rolls = (0.0, 0.6, 0.6, 1.0)
    ways: tuple[dict[str, Any], ...] = ({"arrives": rolls}, {"arrives": rolls, "drops": True}, {})
    armies = tuple(
        tuple(replace(unit, **ways[min(number, 2)]) for number, unit in enumerate(army)) for army in battle.armies
    )
    return replace(battle, armies=(armies[0], armies[1]), terms=replace(battle.terms, reserves=True))


def with_transports(battle: Battle, *, charging: bool) -> Battle:
    """The same battle where the last unit of each side carries the first one, and may be left charging or not."""

    def seated(army: tuple[Unit, ...]) -> tuple[Unit, ...]:
        first, *others, last = army
        carrier = replace(last, move=14.0, charge=None, locks=False, lands_charging=charging)
        return (replace(first, rides=last.id, unpinned=0.7), *others, carrier)

    armies = tuple(map(seated, battle.armies))
    return replace(battle, armies=(armies[0], armies[1]), terms=replace(battle.terms, reserves=True))


CASES = {
    "shooting": make_battle([SHOOTER] * 3, [SHOOTER] * 2 + [SLAYER], replace(TERMS, cover=0.4)),
    "close combat": make_battle([FIGHTER] * 3, [MONSTER] * 2 + [SHOOTER]),
    "everything": make_battle([SHOOTER, FIGHTER, SLAYER], [SHOOTER, FIGHTER, MONSTER], replace(TERMS, cover=0.3)),
    "unit by unit": make_battle([SHOOTER, FIGHTER], [FIGHTER, SHOOTER, SLAYER], replace(TERMS, alternates=True)),
    "one round of combat": make_battle([FIGHTER] * 2, [FIGHTER, MONSTER], replace(TERMS, lasting=False)),
    "open end": make_battle([SHOOTER] * 2, [SLAYER] * 2, replace(TERMS, turns=2, goes_on=(0.7, 0.4))),
    "bonuses": with_ranks(make_battle([FIGHTER] * 3, [FIGHTER, SHOOTER, MONSTER])),
    "a hidden lord": with_a_lord(make_battle([SLAYER, SHOOTER, FIGHTER], [SLAYER, FIGHTER])),
    "tanks in combat": with_loose_monsters(make_battle([FIGHTER, SHOOTER], [MONSTER, MONSTER])),
    "the undead": with_the_undead(make_battle([FIGHTER] * 3, [FIGHTER, MONSTER, MONSTER])),
    "terror": with_terror(make_battle([FIGHTER, SHOOTER, MONSTER], [MONSTER, MONSTER, SHOOTER])),
    "counter-attacks": with_counter_attacks(make_battle([FIGHTER] * 2, [FIGHTER, MONSTER])),
    "runners": with_runners(make_battle([NEAR] * 2, [SHOOTER, NEAR, SLAYER], replace(TERMS, cover=0.3))),
    "reactions": with_reactions(make_battle([SHOOTER, NEAR, FIGHTER], [NEAR, FIGHTER], replace(TERMS, cover=0.3))),
    "standing and shooting": with_surprises(
        make_battle([SHOOTER, NEAR, FIGHTER], [FIGHTER, MONSTER, FIGHTER], replace(TERMS, charges_first=True))
    ),
    "objectives": with_objectives(make_battle([SHOOTER, NEAR, FIGHTER], [SHOOTER, FIGHTER, MONSTER])),
    "pinning": with_pinning(make_battle([SHOOTER, NEAR, SHOOTER], [NEAR, FIGHTER, FIGHTER, SHOOTER])),
    "pinned on objectives": with_objectives(
        with_pinning(make_battle([SHOOTER, NEAR, SHOOTER], [NEAR, SHOOTER, SHOOTER]))
    ),
    "two reactions": with_reactions(make_battle([SHOOTER] * 3, [SLAYER, SHOOTER]), times=2),
    "limits to charges": with_limits(make_battle([FIGHTER] * 3, [FIGHTER, FIGHTER, MONSTER])),
    "daemons": with_daemons(make_battle([FIGHTER, FIGHTER, MONSTER], [SHOOTER, FIGHTER, FIGHTER])),
    "blast markers": with_markers(
        make_battle([SHOOTER, FIGHTER, SHOOTER], [SHOOTER, MONSTER, FIGHTER], replace(TERMS, cover=0.3))
    ),
    "blast markers in assaults": with_markers(make_battle([FIGHTER] * 3, [FIGHTER, MONSTER])),
    "reserves": with_reserves(
        make_battle([FIGHTER, SHOOTER, SHOOTER, NEAR], [SHOOTER, FIGHTER, MONSTER], replace(TERMS, cover=0.3))
    ),
    "all in reserve": with_reserves(make_battle([SHOOTER, FIGHTER], [SHOOTER, SHOOTER, SHOOTER])),
    "transports": with_transports(make_battle([FIGHTER, SHOOTER, SLAYER], [NEAR, SHOOTER, SHOOTER]), charging=False),
    "assault vehicles": with_transports(
        make_battle([FIGHTER, SLAYER, SLAYER], [FIGHTER, MONSTER, SHOOTER]), charging=True
    ),
    "charges first": with_terror(
        make_battle(
            [FIGHTER, SHOOTER, MONSTER],
            [FIGHTER, NEAR, FIGHTER],
            replace(TERMS, charges_first=True, falls_short=4.5, rallied_stand=True, rallied_hold_fire=True),
        )
    ),
    "specialists": with_specialists(make_battle([SHOOTER, FIGHTER], [SHOOTER, MONSTER])),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.long
def test_both_say_the_same(case: str) -> None:
    plans = Plans(CASES[case])
    plain = (PlainFormations if plans.terms.markers else PlainBattle)(plans, seed=5)
    won: list[float] = []
    models: tuple[list[float], list[float]] = ([], [])
    for number in range(PLAIN_TRIALS):
        armies = plain.fought(number % 2)
        won.append({0: 1.0, 1: 0.0, None: 0.5}[plain.winner()])
        for side in (0, 1):
            models[side].append(sum(piece.left for piece in armies[side]))
    quick = play.fought(plans, trials=20_000, seed=5)
    figures = [(wins(quick), won), (left(quick, 0), models[0]), (left(quick, 1), models[1])]
    for figure, slow in figures:
        assert figure == pytest.approx(fmean(slow), abs=4.5 * stdev(slow) / PLAIN_TRIALS**0.5 + 1e-9), case
