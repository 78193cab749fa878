"""Shooting of 40k 6th edition: volleys into a wound pool, resolved against the nearest model; and running."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, unharmed, uniform
from armybuilder.engine.combat.outcomes import Measured, Outcomes, Values
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.systems.matchups import MAX_SHOTS, ModelNotes, refuse_above, refuse_too_many_models
from armybuilder.engine.systems.outcome_models import OutcomeModel
from armybuilder.engine.systems.wh40k_6th.combat.note_words import NOTES
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import is_known
from armybuilder.engine.systems.wh40k_6th.combat.volleys import Volley, volleys
from armybuilder.engine.systems.wh40k_6th.combat.wound_allocation import Floats, Target, Walk
from armybuilder.engine.systems.wh40k_6th.matchup import FiringGroup, Wh40kMatchup

NEGLIGIBLE = 1e-15
"""Wound counts rarer than this are not followed further."""


def shooting(matchup: Wh40kMatchup, notes: ModelNotes) -> OutcomeModel:
    """A whole shooting attack. Source: L118-628 [text]; to wound HH L738-749 [sister]."""
    fired, walk = _prepared(matchup, notes)
    chances = cache(partial(chances_of, fired, walk))

    def describe(outcomes: Outcomes) -> None:
        shot = outcomes.either(lambda: _followed(fired, len(chances())), partial(_rolled, fired, walk))
        _enter(outcomes, matchup, walk, shot)

    return OutcomeModel(describe, sum(volley.most_shots for volley in fired), ways=chances)


@dataclass(frozen=True, slots=True)
class _Shot:
    """What an attack did in each case.

    Attributes:
        at: state of the walk.
        hits: None for weapons whose hits are not counted.
    """

    at: Ints
    wounds: Values
    hits: Values | None


def _followed(fired: Sequence[Volley], states: int) -> _Shot:
    """Each state of the walk as a case; hits and wounds as their means."""
    hits = [volley.hits_exactly() for volley in fired]
    return _Shot(
        np.arange(states),
        sum(float(volley.wounds_exactly().mean) for volley in fired),
        None if None in hits else sum(float(hit.mean) for hit in hits if hit is not None),
    )


def _rolled(fired: Sequence[Volley], walk: Walk, rng: np.random.Generator, trials: int) -> _Shot:
    """Each trial as a case."""
    for volley in fired:
        walk.explore(volley, volley.wounds_exactly().high)
    at, hits, wounds = np.zeros((3, trials), np.int64)
    rolled_hits = True
    for volley in fired:
        hit, wound = volley.roll(rng, trials)
        rolled_hits = rolled_hits and hit is not None
        hits += 0 if hit is None else hit
        wounds += wound
        for done in range(int(wound.max(initial=0))):
            struck = np.flatnonzero(wound > done)
            at[struck] = walk.roll(volley, at[struck], rng)
    return _Shot(at, wounds, hits if rolled_hits else None)


def _enter(outcomes: Outcomes, matchup: Wh40kMatchup, walk: Walk, shot: _Shot) -> None:
    """The metrics of an attack."""
    slain, total = walk.slain()[shot.at], sum(walk.states[0].left)
    outcomes.add("wounds", shot.wounds)
    outcomes.add("models_slain", slain, distribution=True)
    outcomes.add("p_destroyed", (slain == total) & (total > 0))
    if shot.hits is not None:
        outcomes.add("hits", shot.hits)
    assert matchup.defender is not None  # the kind's needs
    for index, group in enumerate(matchup.defender.models):
        if group.track:
            outcomes.add(f"p_slain:{group.name}", walk.gone(index)[shot.at])
    if walk.has_wounds:
        outcomes.add("wounds_lost", walk.wounds()[shot.at], distribution=True)


def chances_of(fired: Sequence[Volley], walk: Walk) -> Floats:
    """How likely the target is in each state after these volleys; shape (states of the walk,).

    Raises:
        LimitExceeded: more states than are followed.
    """
    chances = unharmed(len(walk.states))
    for volley in fired:
        wounds = volley.wounds_exactly()
        walk.explore(volley, wounds.high)
        chances = _spread(walk, volley, wounds, np.pad(chances, (0, len(walk.states) - len(chances))))
    return chances


def losses(chances: Floats, walk: Walk) -> tuple[float, float]:
    """Expected models slain, and the chance that nothing of the target is left."""
    slain, total = walk.slain(), sum(walk.states[0].left)
    return float(slain @ chances), float(chances[slain == total].sum()) if total else 0.0


def running(matchup: Wh40kMatchup, notes: ModelNotes) -> OutcomeModel:
    """One D6 for the whole unit. Source: L304-308 [text]."""
    if matchup.unit is not None:
        _list_unknown(matchup.unit.models, (), notes)

    def describe(outcomes: Outcomes) -> None:
        distance: Measured = outcomes.either(
            lambda: uniform(range(1, 7)), lambda rng, trials: rng.integers(1, 7, trials)
        )
        outcomes.add("distance", distance, distribution=True)

    return OutcomeModel(describe)


def within_limits(matchup: Wh40kMatchup) -> None:
    """Refuse more models or shots than the service takes.

    Raises:
        LimitExceeded: naming the number and the place.
    """
    if matchup.attacker is None or matchup.defender is None:
        return
    refuse_too_many_models([group.count for group in matchup.attacker.models], "/attacker/models")
    refuse_too_many_models([group.count for group in matchup.defender.models], "/defender/models")
    for index, group in enumerate(matchup.attacker.models):
        for number, weapon in enumerate(group.weapons):
            at = f"/attacker/models/{index}/weapons/{number}"
            refuse_above(weapon.count or 0, MAX_SHOTS, "firing models", f"{at}/count")
    shots = sum(volley.most_shots for volley in volleys(matchup, ModelNotes()))
    refuse_above(shots, MAX_SHOTS, "shots", "/attacker/models")


def _prepared(matchup: Wh40kMatchup, notes: ModelNotes) -> tuple[list[Volley], Walk]:
    defender, options = matchup.defender, matchup.options
    assert defender is not None  # the kind's needs
    fired = volleys(matchup, notes)
    if matchup.attacker is not None:
        _list_unknown(matchup.attacker.models, matchup.attacker.rules, notes)
    notes.not_simulated += [*defender.rules, *(rule for group in defender.models for rule in group.rules)]
    notes.options |= {
        "look_out_sir": options.look_out_sir,
        "focus_fire_leftover_wounds": options.focus_fire_leftover_wounds,
        "gone_to_ground_until": options.gone_to_ground_until,
    }
    notes.assume(NOTES["wounds_go_to"])
    notes.assume(NOTES["to_wound_table"])
    return fired, Walk(Target.of(matchup))


def _list_unknown(groups: tuple[FiringGroup, ...], common: tuple[str, ...], notes: ModelNotes) -> None:
    """List the rules that nothing here knows, those of weapons that do not fire too."""
    told = {*notes.modelled, *notes.not_simulated, *(item.rule for item in notes.approximated)}
    weapons = [rule for group in groups for weapon in group.weapons for rule in weapon.rules]
    for rule in (*common, *(rule for group in groups for rule in group.rules), *weapons):
        if rule not in told and not is_known(rule):
            notes.not_simulated.append(rule)


def _spread(walk: Walk, volley: Volley, wounds: Distribution, chances: Floats) -> Floats:
    """The states after a random number of wounds of one volley."""
    after = walk.step(volley, wounds.high)
    total = np.zeros_like(chances)
    for count in range(wounds.high + 1):
        total += float(wounds.probability(count)) * chances
        if float(wounds.at_least(count + 1)) < NEGLIGIBLE:
            break
        chances = after(chances)
    return total
