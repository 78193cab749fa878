"""What can be simulated in the Horus Heresy: every kind of contracts 3.1, with its exact and its sampled form."""

from collections.abc import Callable

from armybuilder.engine.combat.sampling import Ledger
from armybuilder.engine.systems.horus_heresy import attacks, combat_round, morale
from armybuilder.engine.systems.horus_heresy.attacks import Attack
from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup
from armybuilder.engine.systems.horus_heresy.rules_in_play import SIDES, report
from armybuilder.engine.systems.matchups import (
    MAX_DICE,
    Answer,
    Basis,
    Kind,
    Kinds,
    Run,
    refuse_above,
    refuse_too_many_models,
)

Exact = Callable[[HeresyMatchup, Basis], Answer]
Sampled = Callable[[HeresyMatchup, Basis, Run, Ledger], None]

MOST_OF_A_CHARACTERISTIC = 100
MOST_WOUNDS = 2_000
"""Wounds, Attacks or Hull Points of one model, and wounds of a side, beyond which a document is refused."""


def within_limits(matchup: HeresyMatchup) -> None:
    """Refuse documents beyond the service's limits.

    Raises:
        LimitExceeded: pointing at the number that is too large.
    """
    for name in SIDES:
        side = getattr(matchup, name)
        if side is None:
            continue
        refuse_too_many_models([group.count for group in side.models], f"/{name}/models")
        wounds = 0
        for index, group in enumerate(side.models):
            place = f"/{name}/models/{index}"
            for letter, value in (
                ("W", group.profile.wounds), ("A", group.profile.attacks), ("HP", group.profile.hull_points)
            ):  # fmt: skip
                at = f"{place}/profile/{letter}"
                refuse_above(value or 0, MOST_OF_A_CHARACTERISTIC, f"({letter}) of one model", at)
            wounds += group.count * (group.profile.wounds or 1)
            refuse_above(wounds, MOST_WOUNDS, "wounds on one side", f"{place}/count")
            if matchup.method == "montecarlo":
                refuse_above(matchup.trials * group.count, MAX_DICE // 10, "models times trials", "/trials")


def _attack(prepare: Callable[[HeresyMatchup, Basis], Attack]) -> tuple[Exact, Sampled]:
    def exact(matchup: HeresyMatchup, basis: Basis) -> Answer:
        return attacks.answer(prepare(matchup, basis))

    def sampled(matchup: HeresyMatchup, basis: Basis, run: Run, ledger: Ledger) -> None:
        attacks.roll(prepare(matchup, basis), run, ledger)

    return exact, sampled


def _reported(exact: Exact, sampled: Sampled) -> tuple[Exact, Sampled]:
    """Tests and moves of one unit: the rules are reported here, not in the model."""

    def with_report(matchup: HeresyMatchup, basis: Basis) -> Answer:
        report(matchup, basis)
        return exact(matchup, basis)

    def sampled_with_report(matchup: HeresyMatchup, basis: Basis, run: Run, ledger: Ledger) -> None:
        report(matchup, basis)
        sampled(matchup, basis, run, ledger)

    return with_report, sampled_with_report


def _kind(needs: tuple[str, ...], forms: tuple[Exact, Sampled]) -> Kind:
    return Kind(HeresyMatchup, needs, forms[0], forms[1], within_limits)


BOTH_SIDES = ("attacker", "defender")

KINDS: Kinds = {
    "shooting": _kind(BOTH_SIDES, _attack(attacks.shooting_attack)),
    "melee": _kind(BOTH_SIDES, _attack(attacks.melee_attack)),
    "hammer_of_wrath": _kind(BOTH_SIDES, _attack(attacks.hammer_attack)),
    "combat_round": _kind(BOTH_SIDES, (combat_round.combat_round, combat_round.roll_combat_round)),
    "leadership_test": _kind(("unit",), _reported(morale.leadership_test, morale.roll_leadership_test)),
    "charge": _kind(("unit", "conditions.distance"), _reported(morale.charge, morale.roll_charge)),
    "pursuit": _kind(("winner", "loser"), _reported(morale.pursuit, morale.roll_pursuit)),
    "perils_of_the_warp": _kind(("unit",), _reported(morale.perils, morale.roll_perils)),
}
