"""Shooting of 40k 6th edition: volleys into a wound pool, resolved against the nearest model; and running."""

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, uniform
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.systems.matchups import (
    MAX_SHOTS,
    Answer,
    Basis,
    Run,
    refuse_above,
    refuse_too_many_models,
)
from armybuilder.engine.systems.wh40k_6th.allocation import Target, Walk
from armybuilder.engine.systems.wh40k_6th.matchup import Engagement
from armybuilder.engine.systems.wh40k_6th.volleys import Volley, volleys

NEGLIGIBLE = 1e-15
"""Wound counts rarer than this are not followed further."""


def shooting(engagement: Engagement, basis: Basis) -> Answer:
    """A whole shooting attack, exactly. Source: L118-628 [text]; to wound HH L738-749 [sister]."""
    fired, walk = _prepared(engagement, basis)
    chances = np.ones(1)
    metrics = {"wounds": 0.0}
    hits = 0.0
    for volley in fired:
        wounds = volley.wounds_exactly()
        metrics["wounds"] += float(wounds.mean)
        hit = volley.hits_exactly()
        hits = np.nan if hit is None else hits + float(hit.mean)
        walk.explore(volley, wounds.high)
        chances = _spread(walk, volley, wounds, np.pad(chances, (0, len(walk.states) - len(chances))))
    chances = np.pad(chances, (0, len(walk.states) - len(chances)))
    slain = walk.slain()
    models = int(slain.max(initial=0))
    spread = np.bincount(slain, weights=chances, minlength=models + 1)
    total = sum(walk.states[0].left)
    metrics |= {
        "models_slain": float(slain @ chances),
        "p_destroyed": float(chances[slain == total].sum()) if total else 0.0,
    }
    if not np.isnan(hits):
        metrics["hits"] = hits
    for index, group in enumerate(walk.target.groups):
        if group.track:
            metrics[f"p_slain:{group.name}"] = float(chances[walk.gone(index)].sum())
    return Answer(metrics, {"models_slain": Distribution(0, spread)})


def roll_shooting(engagement: Engagement, basis: Basis, run: Run, ledger: Ledger) -> None:
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
        if rolled_hits:
            ledger.add("hits", hits)
        for index, group in enumerate(walk.target.groups):
            if group.track:
                ledger.add(f"p_slain:{group.name}", walk.gone(index)[at])
        ledger.close(size)


def running(engagement: Engagement, basis: Basis) -> Answer:
    """One D6 for the whole unit. Source: L304-308 [text]."""
    distance = uniform(range(1, 7))
    return Answer({"distance": float(distance.mean)}, {"distance": distance})


def roll_running(engagement: Engagement, basis: Basis, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    for size in blocks(run.trials, 1, progress=run.progress, should_stop=run.should_stop):
        ledger.add("distance", run.rng.integers(1, 7, size), distribution=True)
        ledger.close(size)


def within_limits(engagement: Engagement) -> None:
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
    shots = sum(volley.most_shots for volley in volleys(engagement, Basis()))
    refuse_above(shots, MAX_SHOTS, "shots", "/attacker/models")


def _prepared(engagement: Engagement, basis: Basis) -> tuple[list[Volley], Walk]:
    defender, options = engagement.defender, engagement.options
    assert defender is not None  # the kind's needs
    fired = volleys(engagement, basis)
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


def _spread(walk: Walk, volley: Volley, wounds: Distribution, chances: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """The states after a random number of wounds of one volley."""
    after = walk.step(volley)
    total = np.zeros_like(chances)
    for count in range(wounds.high + 1):
        total += float(wounds.probability(count)) * chances
        if float(wounds.at_least(count + 1)) < NEGLIGIBLE:
            break
        chances = after(chances)
    return total
