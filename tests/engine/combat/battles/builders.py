"""Small armies for whole battles: units that shoot, units that fight, and the table they meet on."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.chronicle import Chronicle
from armybuilder.engine.combat.battles.forces import Attack, Attacks, Battle, Blows, Terms, Unit, Volley, Worth
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.dice import Dice

TERMS = Terms(width=72, depth=48, front=48, line=12, behind=6, turns=6)
CHARGE = Dice(2, 6).distribution()

Kind = dict[str, Any]


def attacks(chance: float, models: int, times: int = 1, *, slays: float = 0.0, after: int = 0) -> Attacks:
    """Each model makes so many attacks, each of which wounds (or slays) with that chance."""
    whole = np.ones((1, 1))
    one = np.array([[1 - chance - slays, chance], [slays, 0.0]])
    for _ in range(times):
        longer = np.zeros((whole.shape[0] + 1, whole.shape[1] + 1))
        for s, w in np.ndindex(2, 2):
            longer[s : s + whole.shape[0], w : w + whole.shape[1]] += one[s, w] * whole
        whole = longer
    return (Attack(models, whole, after),) if chance or slays else ()


def make_kind(**facts: Any) -> Kind:
    """A kind of unit: ten models that shoot 24 inches and neither move quickly nor fight well."""
    return {
        "points": 100.0, "models": 10, "wounds": 1, "move": 6.0, "reach": 24.0, "shot": 0.2, "shot_after_move": None,
        "shot_at_cover": None, "blow": 0.0, "blow_charging": None, "charge": None, "strikes_at": 4, "stands": (),
        "panics_at": None, "holds": 1.0, "rallies": 1.0, "slays": 0.0, "caught": 0.0,
    } | facts  # fmt: skip


def make_unit(kind: Kind, name: str) -> Unit:
    return Unit(
        id=name,
        name=name,
        points=kind["points"],
        wounds=(kind["wounds"],) * kind["models"],
        move=kind["move"],
        charge=kind["charge"],
        strikes_at=kind["strikes_at"],
        stands=kind["stands"],
        panics_at=kind["panics_at"],
        holds=kind["holds"],
        rallies=kind["rallies"],
        flees=CHARGE,
        worth=Worth(destroyed=kind["points"], fleeing=kind["points"], fleeing_weak=kind["points"]),
    )


def make_battle(mine: Sequence[Kind], theirs: Sequence[Kind], terms: Terms = TERMS) -> Battle:
    """Two armies of these kinds; what a unit does to an enemy depends on the unit alone."""
    armies = tuple(
        tuple(make_unit(kind, f"{side}-{number}") for number, kind in enumerate(kinds))
        for side, kinds in enumerate((mine, theirs))
    )

    def volleys(kind: Kind) -> tuple[Volley, ...]:
        still = attacks(kind["shot"], kind["models"], slays=kind["slays"])
        moved, covered = kind["shot_after_move"], kind["shot_at_cover"]
        after = still if moved is None else attacks(moved, kind["models"])
        hidden = still if covered is None else attacks(covered, kind["models"])
        return (Volley(kind["reach"], (still, hidden, after, after)),) if still else ()

    def blows(kind: Kind) -> Blows:
        usual = attacks(kind["blow"], kind["models"])
        charging = kind["blow_charging"]
        return Blows(usual if charging is None else attacks(charging, kind["models"]), usual)

    def table(read: Callable[[Kind], Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        return [[read(kind)] * len(theirs) for kind in mine], [[read(kind)] * len(mine) for kind in theirs]

    return Battle(terms, (armies[0], armies[1]), table(volleys), table(blows), table(lambda kind: kind["caught"]))


def fought(battle: Battle, trials: int = 4_000, seed: int = 1) -> Chronicle:
    return play.fought(Plans(battle), trials=trials, seed=seed)


def wins(chronicle: Chronicle) -> float:
    """Share of the battles that the first side wins, draws counting half."""
    return float(chronicle.outcomes[0] + chronicle.outcomes[1] / 2) / chronicle.trials


def left(chronicle: Chronicle, side: int) -> float:
    """Models left at the end, on average."""
    return float(chronicle.standing[side][:, -1].sum()) / chronicle.trials
