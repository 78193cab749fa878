"""Panic under fire: what is left of a target, whether it has lost enough to test, and on which Leadership."""

import numpy as np
import numpy.typing as npt

from armybuilder.engine.systems.fantasy_8th.combat.casualties import Body
from armybuilder.engine.systems.fantasy_8th.combat.leadership import Courage, courage, passes_psychology
from armybuilder.engine.systems.fantasy_8th.combat.weapons import missile_arm
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup

PANIC_SHARE = 4
"""A panic test follows when one model in so many is lost. Source: L368-372 [text]."""


def gone(matchup: FantasyMatchup, body: Body) -> npt.NDArray[np.bool_]:
    """Whether nothing of the target is left, for each state; shielded characters are not in the row."""
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    return np.asarray((body.slain == defender.count) & (defender.count > 0), bool)


def panics(matchup: FantasyMatchup, body: Body, *, alarming: bool = False) -> npt.NDArray[np.bool_]:
    """Whether enough of the target is lost and somebody is left to panic, for each state.

    Args:
        alarming: any loss is enough, not only a quarter of the models. Source: L1112-1124 [text].
    """
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    main, fallen, total = defender.main, body.slain, defender.count
    if main.troop_type == "war_machine" and main.crew is not None:  # its models are the crew, L1033-1037
        fallen, total = body.lost, main.count * sum(crew.count for crew in main.crews)
    lost = fallen * PANIC_SHARE >= total
    return np.asarray((lost | alarming) & (fallen > 0) & ~gone(matchup, body), bool)


def alarms(matchup: FantasyMatchup) -> bool:
    """Whether the attacker shoots with fire."""
    assert matchup.attacker is not None  # the kind's needs
    arms = [missile_arm(group) for group in matchup.attacker.models if group.count]
    return any(found is not None and found[1].alarms for found in arms)


def flight_of(matchup: FantasyMatchup) -> Courage | None:
    """Leadership of the panic test that losses bring; None when nobody's is known."""
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    if passes_psychology(defender) or defender.main.troop_type == "war_machine":
        return Courage(None, reroll=False, fearless=True)
    known = courage(defender, matchup.conditions)
    return known if known.value is not None or known.fearless else None


def flees(known: Courage, rng: np.random.Generator, trials: int) -> npt.NDArray[np.bool_]:
    """The trials in which a panic test would fail."""
    return np.asarray(~known.passes(*known.rolled(rng, trials)))
