"""A whole round of close combat with its result: combat_round, building_assault and war_machine_melee."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import certain, mixture
from armybuilder.engine.combat.outcomes import Measured, Outcomes, Values
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force
from armybuilder.engine.systems.fantasy_8th.combat.close_combat import fighting_sides, note_groups
from armybuilder.engine.systems.fantasy_8th.combat.combat_result import rank_bonus, standing_points, steadfast
from armybuilder.engine.systems.fantasy_8th.combat.formation import count_of
from armybuilder.engine.systems.fantasy_8th.combat.instability import faded
from armybuilder.engine.systems.fantasy_8th.combat.items import ItemPlace
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import challenger
from armybuilder.engine.systems.fantasy_8th.combat.leadership import Courage, courage
from armybuilder.engine.systems.fantasy_8th.combat.melee import Melee, Tactics, prepare_melee, total_wounds
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, melee_attackers
from armybuilder.engine.systems.fantasy_8th.combat.movement import catches
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.psychology import flight_from_terror, scenarios
from armybuilder.engine.systems.fantasy_8th.combat.ranks import ranks
from armybuilder.engine.systems.fantasy_8th.matchup import Conditions, FantasyMatchup, ListedMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OneOf, OutcomeModel

Ints = npt.NDArray[np.int64]

BUILDING_PLACES, MACHINE_PLACES = 10, 6
"""Models a side may send against a building or a war machine. Source: L1061-1067, L1367-1370 [text]."""

LOSSES = ("wounds_lost", "attacker_wounds_lost", "models_slain", "attacker_models_slain")
"""Losses by blows, with their distributions; wounds that an unstable unit loses for being beaten are counted apart."""


@dataclass(frozen=True)
class Stand:
    """One side after the blows, for each of its states.

    Attributes:
        lost: wounds lost; scored: those that count for the enemy's result; slain: models slain; destroyed: nobody left.
        wounds: of the whole unit before the round.
        singled: characters and champions who take wounds of their own, with the states in which they are slain.
        unstable, firm: loses extra wounds when beaten; passes every break test.
        daemonic: it tests instead of breaking, and loses wounds when it fails.
    """

    side: Side
    lost: Ints
    scored: Ints
    slain: Ints
    destroyed: npt.NDArray[np.bool_]
    wounds: int
    courage: Courage
    unstable: bool
    firm: bool
    daemonic: bool = False
    singled: Mapping[str, npt.NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def models(self) -> Ints:
        """Models left."""
        return self.side.count - self.slain


@dataclass(frozen=True)
class Round:
    """A round ready to be struck and judged.

    Attributes:
        points: combat result of (attacker, defender) that casualties do not change.
        ranked: ranks count; tested: the attacker tests too when it loses.
        pursued: chance that (attacker, defender) is caught when it flees; None without pursuit.
    """

    fight: Melee
    attacker: Stand
    defender: Stand
    points: tuple[int, int]
    ranked: bool
    tested: bool
    always_steadfast: bool
    given: bool | None = None
    pursued: tuple[float, float] | None = None

    def difference(self, a: Ints, b: Ints) -> Ints:
        """Combat result of the attacker minus the defender's for pairs of states; draws go to the musician."""
        first, second = self.attacker, self.defender
        result = second.scored[b] - first.scored[a] + self.points[0] - self.points[1]
        if self.ranked:
            own, theirs = first.models[a], second.models[b]
            result = result + rank_bonus(first.side, own, second.side, theirs)
            result = result - rank_bonus(second.side, theirs, first.side, own)
        edge = int("musician" in first.side.command) - int("musician" in second.side.command)
        result = np.where(result == 0, edge, result)
        over, gone = first.destroyed[a], second.destroyed[b]
        result = np.where(gone & ~over, np.maximum(result, 1), result)
        result = np.where(over & ~gone, np.minimum(result, -1), result)
        return np.asarray(np.where(over & gone, 0, result), np.int64)

    def crumbled(self, stand: Stand, state: Ints, margin: Ints) -> Ints:
        """Extra wounds of a beaten unstable unit. Source: L660-666 [text]."""
        if not stand.unstable:
            return np.zeros(margin.shape, np.int64)
        return np.asarray(np.minimum(np.maximum(margin, 0), stand.wounds - stand.lost[state]), np.int64)

    def minus(self, beaten: Stand, state: Ints, winner: Stand, other: Ints, margin: Ints) -> Ints:
        """What the beaten side's break test is lowered by: nothing when it is steadfast. Source: L299-303 [text]."""
        if self.always_steadfast:
            return np.zeros(margin.shape, np.int64)
        own, theirs = ranks(beaten.side, beaten.models[state]), ranks(winner.side, winner.models[other])
        firm = steadfast(beaten.side, own, theirs, self.given if beaten is self.defender else None)
        return np.asarray(np.where(firm, 0, margin), np.int64)


def combat_round(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """A whole round. Source: L250-310 [text]."""
    rounds, fled = _rounds(matchup, notes), _flight(matchup)
    return OneOf([(chance, _judged(judged, fled=fled)) for chance, judged in rounds])


def _flight(matchup: FantasyMatchup) -> float | None:
    """Chance that the charged unit flees from Terror before the fight; None when nothing terrible charges it."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    if not attacker.charged or matchup.conditions.combat_round > 1 or not rules_in_force.any_rule(attacker, "terror"):
        return None
    return flight_from_terror(attacker, defender, matchup.conditions)


def building_assault(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """Ten models a side fight for a building. Source: L1359-1391 [text]."""
    return OneOf([(chance, _judged(judged)) for chance, judged in _assaults(matchup, notes)])


def war_machine_melee(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """Six models fight the crew. Source: L1033-1067 [text]."""
    fights = _machine_fights(matchup, notes)
    machines = Machines(_machines(matchup), _attacks_on_machine(matchup))
    return OneOf([(chance, _judged(judged, machines=machines)) for chance, judged in fights])


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines whose crew is fought.

    Attributes:
        attacks: struck at the crew.
    """

    count: int
    attacks: float


def _machines(matchup: FantasyMatchup) -> int:
    """Machines that are struck; the fight itself counts their crew."""
    assert matchup.defender is not None  # the kind's needs
    return matchup.defender.count


def _attacks_on_machine(matchup: FantasyMatchup) -> float:
    attacker, defender = fighting_sides(matchup)
    standing = [group.count for group in attacker.side.models]
    return sum(
        float(count_of(attacker, None, s, standing, places=MACHINE_PLACES).distribution().mean)
        for s in melee_attackers(attacker, defender)
        if not s.attack.further
    )


def _rounds(matchup: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Round]]:
    note_rules(matchup, notes)
    notes.assume(NOTES["casualties_come_from"])
    _note_challenge(matchup, notes)
    return [
        (chance, _round(attacker, defender, matchup, notes))
        for chance, attacker, defender in scenarios(*fighting_sides(matchup), matchup.conditions, notes)
    ]


def tactics_of(matchup: FantasyMatchup, attacker: FightingSide, defender: FightingSide) -> Tactics:
    """Who strikes whom: documents leave it at rank and file, lists may choose. Source: L936-939, L963-978 [text]."""
    if not isinstance(matchup, ListedMatchup):
        return Tactics()
    pair = challenger(attacker.side), challenger(defender.side)
    fought = (pair[0], pair[1]) if matchup.challenge and pair[0] is not None and pair[1] is not None else None
    return Tactics((matchup.at_characters, matchup.at_characters), fought)


def _note_challenge(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Say whether a challenge is fought."""
    if tactics_of(matchup, *fighting_sides(matchup)).challenge is not None:
        notes.assume(NOTES["best_fighters_both"])
    else:
        notes.assume(NOTES["nobody_fights_challenge"])


def _round(attacker: FightingSide, defender: FightingSide, matchup: FantasyMatchup, notes: ModelNotes) -> Round:
    fight = prepare_melee(attacker, defender, tactics=tactics_of(matchup, attacker, defender))
    own, theirs = matchup.attacker, matchup.defender
    assert own is not None and theirs is not None  # the kind's needs
    return Round(
        fight,
        _stand(attacker, fight, None, notes),
        _stand(defender, fight, matchup.conditions, notes),
        (standing_points(attacker.side), standing_points(defender.side)),
        ranked=True,
        tested=True,
        always_steadfast=False,
        given=matchup.conditions.steadfast,
        pursued=(catches(theirs, own), catches(own, theirs)),
    )


def _assaults(matchup: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Round]]:
    note_rules(matchup, notes)
    notes.assume(NOTES["ten_models_side"])
    _note_challenge(matchup, notes)
    attacker, defender = fighting_sides(matchup)
    ways = scenarios(
        replace(attacker, charging=False, building="assaulting"),
        replace(defender, charging=False, building="garrison"),
        matchup.conditions,
        notes,
    )
    result = []
    for chance, storming, holding in ways:
        challenge = tactics_of(matchup, storming, holding).challenge
        fight = prepare_melee(storming, holding, places=BUILDING_PLACES, tactics=Tactics(challenge=challenge))
        result.append(
            (
                chance,
                Round(
                    fight,
                    _stand(storming, fight, None, notes),
                    _stand(holding, fight, matchup.conditions, notes),
                    (0, int("Acropolis of Heroes" in set(rules_in_force.effects_of(holding.side)))),  # L1400-1401
                    ranked=False,
                    tested=False,
                    always_steadfast=True,
                ),
            )
        )
    return result


def _machine_fights(matchup: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Round]]:
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    index = defender.main_index
    if defender.models[index].crew is None:
        raise BadDocument("Missing field 'crew': the blows are struck at it.", f"/defender/models/{index}/crew")
    note_rules(matchup, notes)
    notes.assume(NOTES["six_models_fight"])
    notes.assume(NOTES["blow_takes_one"])
    notes.assume(NOTES["machine_made_to"])
    attacker, machine = fighting_sides(matchup)
    attacker = replace(attacker, side=msgspec.structs.replace(attacker.side, attacks_from="front"))
    crew = machine.side.main.profile
    if crew.WS is None or crew.S is None:
        groups = list(machine.side.models)
        silent = msgspec.structs.replace(crew, A=0)
        groups[machine.side.main_index] = msgspec.structs.replace(machine.side.main, profile=silent)
        machine = replace(machine, side=msgspec.structs.replace(machine.side, models=tuple(groups)))
    result = []
    for chance, own, other in scenarios(attacker, machine, matchup.conditions, notes):
        fight = prepare_melee(own, other, places=MACHINE_PLACES)
        points = (standing_points(own.side), standing_points(other.side))
        stands = _stand(own, fight, None, notes), _stand(other, fight, matchup.conditions, notes)
        result.append((chance, Round(fight, *stands, points, ranked=True, tested=True, always_steadfast=False)))
    return result


def _stand(fighting_side: FightingSide, fight: Melee, conditions: Conditions | None, notes: ModelNotes) -> Stand:
    body = fight.attacker if fighting_side.name == "attacker" else fight.defender
    rules = rules_in_force.unit_rules(fighting_side.side)
    known = courage(fighting_side.side, conditions)
    daemonic = "daemonic_instability" in rules and "unstable" not in rules
    firm = daemonic or "unbreakable" in rules
    if known.value is None and not firm:
        notes.assume(NOTES["unit_whose_leadership"])
    return Stand(
        fighting_side.side,
        body.lost,
        body.scored,
        body.slain,
        body.destroyed,
        total_wounds(fighting_side.side),
        known,
        "unstable" in rules,
        firm,
        daemonic,
        {fighting_side.side.models[group].name: slain for group, slain in body.singled().items()},
    )


def note_rules(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the rules of both sides and what the round assumes into the notes."""
    both = ("blows", "struck", "psychology", "combat_result", "break_test", "round")
    items: tuple[ItemPlace, ...] = ("blows", "combat_result", "leadership")
    rules_in_force.note_rules(matchup, notes, {"attacker": both, "defender": both}, items=items, effects=("fight",))
    note_groups(matchup, notes)
    if matchup.attacker is not None and rules_in_force.any_rule(matchup.attacker, "breath_weapon"):
        notes.assume(NOTES["attacker_uses_his"])
    if matchup.defender is not None and "Burning Barricade" in set(rules_in_force.effects_of(matchup.defender)):
        notes.assume(NOTES["barricade_burns_those"])
    if matchup.conditions.general is not None or matchup.conditions.army_standard is not None:
        notes.assume(NOTES["general_army_standard"])


def _judged(judged: Round, *, fled: float | None = None, machines: Machines | None = None) -> OutcomeModel:
    """The round as a simulation; a case is a pair of states.

    Args:
        fled: chance that the defender flees before it.
        machines: whose crew the defender is.
    """

    def every_pair() -> tuple[Ints, Ints]:
        a, b = np.indices((len(judged.attacker.lost), len(judged.defender.lost)))
        return a.ravel(), b.ravel()

    def describe(outcomes: Outcomes) -> None:
        a, b = outcomes.either(every_pair, judged.fight.roll)
        metrics = _outcome(judged, a, b, outcomes)
        if fled is not None:
            metrics["p_defender_flees"] = outcomes.happens(fled)
        if machines is not None:
            metrics["attacks"] = machines.attacks
            metrics["p_destroyed"] = metrics["p_destroyed"] + metrics["p_defender_breaks"]
            metrics["models_slain"] = _machines_lost(machines.count, metrics["p_destroyed"], outcomes)
        for name, values in metrics.items():
            outcomes.add(name, values, distribution=name in LOSSES)

    dice = sum(max(count.highest for count in blows.counts) for step in judged.fight.steps for blows in step)
    return OutcomeModel(describe, dice + 4, lambda: judged.fight.exact().ravel())


def _machines_lost(count: int, destroyed: Values, outcomes: Outcomes) -> Measured:
    """The machines themselves, all or none; what their crew loses are wounds."""

    def exactly() -> Measured:
        lost = outcomes.averaged(destroyed)
        return mixture([(1.0 - lost, certain(0)), (lost, certain(count))])

    return outcomes.either(exactly, lambda rng, trials: destroyed * count)


def _outcome(judged: Round, a: Ints, b: Ints, outcomes: Outcomes) -> dict[str, Measured]:
    """All metrics for pairs of states."""
    first, second = judged.attacker, judged.defender
    result = judged.difference(a, b)
    metrics: dict[str, Measured] = {
        "wounds_lost": second.lost[b],
        "attacker_wounds_lost": first.lost[a],
        "models_slain": second.slain[b],
        "attacker_models_slain": first.slain[a],
        "p_win": result > 0,
        "p_draw": result == 0,
        "p_lose": result < 0,
    }
    metrics |= {f"p_slain:{name}": slain[b] for name, slain in second.singled.items()}
    metrics |= {f"p_attacker_slain:{name}": slain[a] for name, slain in first.singled.items()}
    gone, over = second.destroyed[b], first.destroyed[a]
    for name, prefix, stand, state, winner, other, margin in (
        ("defender", "", second, b, first, a, result),
        ("attacker", "attacker_", first, a, second, b, -result),
    ):
        minus = judged.minus(stand, state, winner, other, np.maximum(margin, 0))
        slain = over if prefix else gone
        crumbled: Values = judged.crumbled(stand, state, margin)
        wiped: Values = slain | ((crumbled > 0) & (stand.lost[state] + crumbled == stand.wounds))
        tests = (margin > 0) & ~wiped & (not stand.firm) & (judged.tested or stand is second)
        if stand.daemonic:
            beaten = (margin > 0) & ~slain & (judged.tested or stand is second)
            crumbled, ended = faded(stand.courage, minus, stand.wounds - stand.lost[state], beaten, outcomes)
            wiped = np.where(slain, 1.0, ended)
        metrics[f"p_{name}_breaks"] = broken = tests * _breaks(stand.courage, minus, outcomes)
        if judged.pursued is not None:
            metrics[f"p_{name}_caught"] = broken * outcomes.happens(judged.pursued[stand is second])
        metrics["p_attacker_destroyed" if prefix else "p_destroyed"] = wiped
        if stand.unstable or stand.daemonic:
            metrics[f"{prefix}crumbled_wounds"] = crumbled
            metrics[f"{prefix}total_wounds_lost"] = stand.lost[state] + crumbled
    return metrics


def _breaks(known: Courage, minus: Ints, outcomes: Outcomes) -> Values:
    """Failing the break test."""

    def exactly() -> Values:
        lowest = int(minus.min(initial=0))
        by_minus = [1.0 - known.holds(value, insane=True) for value in range(lowest, int(minus.max(initial=0)) + 1)]
        return np.array(by_minus)[minus - lowest]

    def rolled(rng: np.random.Generator, trials: int) -> Values:
        return ~known.passes(*known.rolled(rng, trials), minus, insane=True)

    return outcomes.either(exactly, rolled)
