"""Shooting of 40k 6th edition: volleys into a wound pool, resolved against the nearest model; and running."""

from collections.abc import Sequence

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, uniform
from armybuilder.engine.combat.outcomes import ExactOutcomes, Measured, Outcomes, SampledOutcomes, Values
from armybuilder.engine.combat.sampling import Ints, Ledger, blocks
from armybuilder.engine.systems.matchups import MAX_SHOTS, Answer, ModelNotes, Run, refuse_above, refuse_too_many_models
from armybuilder.engine.systems.outcome_models import OutcomeModel
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import is_known
from armybuilder.engine.systems.wh40k_6th.combat.volleys import Volley, volleys
from armybuilder.engine.systems.wh40k_6th.combat.wound_allocation import Floats, Target, Walk
from armybuilder.engine.systems.wh40k_6th.matchup import FiringGroup, Wh40kMatchup

NEGLIGIBLE = 1e-15
"""Wound counts rarer than this are not followed further."""


def shooting(matchup: Wh40kMatchup, notes: ModelNotes) -> Answer:
    """A whole shooting attack, exactly. Source: L118-628 [text]; to wound HH L738-749 [sister]."""
    fired, walk = _prepared(matchup, notes)
    chances = chances_of(fired, walk)
    hits = [volley.hits_exactly() for volley in fired]
    outcomes = ExactOutcomes(chances)
    _describe(
        outcomes,
        matchup,
        walk,
        np.arange(len(chances)),
        wounds=sum(float(volley.wounds_exactly().mean) for volley in fired),
        hits=None if None in hits else sum(float(hit.mean) for hit in hits if hit is not None),
    )
    return Answer(outcomes.metrics, outcomes.distributions)


def roll_shooting(matchup: Wh40kMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    fired, walk = _prepared(matchup, notes)
    for volley in fired:
        walk.explore(volley, volley.wounds_exactly().high)
    dice = sum(volley.most_shots for volley in fired)
    for size in blocks(run.trials, dice, progress=run.progress, should_stop=run.should_stop):
        at = np.zeros(size, np.int64)
        hits, wounds = np.zeros(size, np.int64), np.zeros(size, np.int64)
        rolled_hits = True
        for volley in fired:
            hit, wound = volley.roll(run.rng, size)
            rolled_hits = rolled_hits and hit is not None
            hits += 0 if hit is None else hit
            wounds += wound
            for done in range(int(wound.max(initial=0))):
                struck = np.flatnonzero(wound > done)
                at[struck] = walk.roll(volley, at[struck], run.rng)
        outcomes = SampledOutcomes(ledger, run.rng, size)
        _describe(outcomes, matchup, walk, at, wounds=wounds, hits=hits if rolled_hits else None)
        ledger.close(size)


def _describe(
    outcomes: Outcomes, matchup: Wh40kMatchup, walk: Walk, at: Ints, *, wounds: Values, hits: Values | None
) -> None:
    """The metrics of an attack.

    Args:
        at: state of the walk in each case.
        hits: None for weapons whose hits are not counted.
    """
    slain, total = walk.slain()[at], sum(walk.states[0].left)
    outcomes.add("wounds", wounds)
    outcomes.add("models_slain", slain, distribution=True)
    outcomes.add("p_destroyed", (slain == total) & (total > 0))
    if hits is not None:
        outcomes.add("hits", hits)
    assert matchup.defender is not None  # the kind's needs
    for index, group in enumerate(matchup.defender.models):
        if group.track:
            outcomes.add(f"p_slain:{group.name}", walk.gone(index)[at])
    if walk.has_wounds:
        outcomes.add("wounds_lost", walk.wounds()[at], distribution=True)


def chances_of(fired: Sequence[Volley], walk: Walk) -> Floats:
    """How likely the target is in each state after these volleys; shape (states of the walk,).

    Raises:
        LimitExceeded: more states than are followed.
    """
    chances = np.zeros(len(walk.states))
    chances[0] = 1.0
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
    notes.assume(
        "Wounds go to the nearest model; of several saves the best is used.",
        "Раны получает ближайшая модель; из нескольких спас-бросков используется лучший.",
    )
    notes.assume(
        "The to-wound table is that of the sister rulebook (HH L738-749).",
        "Таблица ранений взята из родственной книги правил (HH L738-749).",
    )
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
