"""Shooting of 40k 6th edition: volleys into a wound pool, resolved against the nearest model; and running."""

from collections.abc import Sequence

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, uniform
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.systems.matchups import MAX_SHOTS, Answer, ModelNotes, Run, refuse_above, refuse_too_many_models
from armybuilder.engine.systems.wh40k_6th.combat.volleys import Volley, volleys
from armybuilder.engine.systems.wh40k_6th.combat.wound_allocation import Floats, Target, Walk
from armybuilder.engine.systems.wh40k_6th.matchup import FiringGroup, Wh40kMatchup
from armybuilder.engine.systems.wh40k_6th.special_rules import is_known

NEGLIGIBLE = 1e-15
"""Wound counts rarer than this are not followed further."""


def shooting(engagement: Wh40kMatchup, basis: ModelNotes) -> Answer:
    """A whole shooting attack, exactly. Source: L118-628 [text]; to wound HH L738-749 [sister]."""
    fired, walk = _prepared(engagement, basis)
    chances = chances_of(fired, walk)
    slain_models, destroyed = losses(chances, walk)
    hits = [volley.hits_exactly() for volley in fired]
    slain = walk.slain()
    metrics = {
        "wounds": sum(float(volley.wounds_exactly().mean) for volley in fired),
        "models_slain": slain_models,
        "p_destroyed": destroyed,
    }
    if all(hit is not None for hit in hits):
        metrics["hits"] = sum(float(hit.mean) for hit in hits if hit is not None)
    spread = np.bincount(slain, weights=chances, minlength=int(slain.max(initial=0)) + 1)
    assert engagement.defender is not None  # the kind's needs
    for index, group in enumerate(engagement.defender.models):
        if group.track:
            metrics[f"p_slain:{group.name}"] = float(chances[walk.gone(index)].sum())
    distributions = {"models_slain": Distribution(0, spread)}
    if walk.has_wounds:
        lost = walk.wounds()
        metrics["wounds_lost"] = float(lost @ chances)
        distributions["wounds_lost"] = Distribution(0, np.bincount(lost, weights=chances))
    return Answer(metrics, distributions)


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


def roll_shooting(engagement: Wh40kMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    fired, walk = _prepared(engagement, basis)
    for volley in fired:
        walk.explore(volley, volley.wounds_exactly().high)
    slain, total = walk.slain(), sum(walk.states[0].left)
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
        ledger.add("wounds", wounds)
        ledger.add("models_slain", slain[at], distribution=True)
        ledger.add("p_destroyed", (slain[at] == total) & (total > 0))
        if walk.has_wounds:
            ledger.add("wounds_lost", walk.wounds()[at], distribution=True)
        if rolled_hits:
            ledger.add("hits", hits)
        for index, group in enumerate(engagement.defender.models if engagement.defender is not None else ()):
            if group.track:
                ledger.add(f"p_slain:{group.name}", walk.gone(index)[at])
        ledger.close(size)


def running(engagement: Wh40kMatchup, basis: ModelNotes) -> Answer:
    """One D6 for the whole unit. Source: L304-308 [text]."""
    if engagement.unit is not None:
        _list_unknown(engagement.unit.models, (), basis)
    distance = uniform(range(1, 7))
    return Answer({"distance": float(distance.mean)}, {"distance": distance})


def roll_running(engagement: Wh40kMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    if engagement.unit is not None:
        _list_unknown(engagement.unit.models, (), basis)
    for size in blocks(run.trials, 1, progress=run.progress, should_stop=run.should_stop):
        ledger.add("distance", run.rng.integers(1, 7, size), distribution=True)
        ledger.close(size)


def within_limits(engagement: Wh40kMatchup) -> None:
    """Refuse more models or shots than the service takes.

    Raises:
        LimitExceeded: naming the number and the place.
    """
    if engagement.attacker is None or engagement.defender is None:
        return
    refuse_too_many_models([group.count for group in engagement.attacker.models], "/attacker/models")
    refuse_too_many_models([group.count for group in engagement.defender.models], "/defender/models")
    for index, group in enumerate(engagement.attacker.models):
        for number, weapon in enumerate(group.weapons):
            at = f"/attacker/models/{index}/weapons/{number}"
            refuse_above(weapon.count or 0, MAX_SHOTS, "firing models", f"{at}/count")
    shots = sum(volley.most_shots for volley in volleys(engagement, ModelNotes()))
    refuse_above(shots, MAX_SHOTS, "shots", "/attacker/models")


def _prepared(engagement: Wh40kMatchup, basis: ModelNotes) -> tuple[list[Volley], Walk]:
    defender, options = engagement.defender, engagement.options
    assert defender is not None  # the kind's needs
    fired = volleys(engagement, basis)
    if engagement.attacker is not None:
        _list_unknown(engagement.attacker.models, engagement.attacker.rules, basis)
    basis.not_simulated += [*defender.rules, *(rule for group in defender.models for rule in group.rules)]
    basis.options |= {
        "look_out_sir": options.look_out_sir,
        "focus_fire_leftover_wounds": options.focus_fire_leftover_wounds,
        "gone_to_ground_until": options.gone_to_ground_until,
    }
    basis.assume(
        "Wounds go to the nearest model; of several saves the best is used.",
        "Раны получает ближайшая модель; из нескольких спас-бросков используется лучший.",
    )
    basis.assume(
        "The to-wound table is that of the sister rulebook (HH L738-749).",
        "Таблица ранений взята из родственной книги правил (HH L738-749).",
    )
    return fired, Walk(Target.of(engagement))


def _list_unknown(groups: tuple[FiringGroup, ...], common: tuple[str, ...], basis: ModelNotes) -> None:
    """List the rules that nothing here knows, those of weapons that do not fire too."""
    told = {*basis.modelled, *basis.not_simulated, *(item.rule for item in basis.approximated)}
    weapons = [rule for group in groups for weapon in group.weapons for rule in weapon.rules]
    for rule in (*common, *(rule for group in groups for rule in group.rules), *weapons):
        if rule not in told and not is_known(rule):
            basis.not_simulated.append(rule)


def _spread(walk: Walk, volley: Volley, wounds: Distribution, chances: Floats) -> Floats:
    """The states after a random number of wounds of one volley."""
    after = walk.step(volley)
    total = np.zeros_like(chances)
    for count in range(wounds.high + 1):
        total += float(wounds.probability(count)) * chances
        if float(wounds.at_least(count + 1)) < NEGLIGIBLE:
            break
        chances = after(chances)
    return total
