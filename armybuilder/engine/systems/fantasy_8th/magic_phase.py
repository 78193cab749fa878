"""Dice of the magic phase: winds of magic, casting, dispelling, the miscast table."""

from collections.abc import Mapping, Sequence

import numpy as np

from armybuilder.engine.combat.distribution import binomial
from armybuilder.engine.systems.fantasy_8th.experiments import D6, TWO_D6, Experiment, Ints
from armybuilder.engine.systems.fantasy_8th.matchup import Clash, Wizard
from armybuilder.engine.systems.matchups import Basis

POOL = 12
"""The most dice a pool holds. Source: L111 [text]."""

DWARFS = frozenset({"dwarf", "dwarfs", "dwarves", "гном", "гномы", "дварф", "дварфы"})

MISCASTS: Mapping[int, str] = {0: "2-4", 1: "5-6", 2: "7", 3: "8-9", 4: "10-12"}
"""Rows of the miscast table. Source: L152-166 [text]."""


def cast_spell(clash: Clash, basis: Basis) -> Experiment:
    """A casting attempt. Source: L137-151 [text]."""
    caster, dice, value = clash.caster, clash.dice, clash.casting_value
    assert caster is not None and dice is not None and value is not None  # the kind's needs
    level = caster.wizard_level or 0

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
        total = np.sum(faces, axis=0)
        irresistible = np.sum(np.equal(faces, 6), axis=0) >= 2
        cast = irresistible | ((total >= 3) & (total + level >= value))
        return {"p_cast": cast, "p_irresistible": irresistible}

    return Experiment((D6,) * dice, outcome)


def dispel(clash: Clash, basis: Basis) -> Experiment:
    """A dispel attempt. Source: L167-180 [text]."""
    dispeller, dice, value = clash.dispeller, clash.dice, clash.casting_total
    assert dispeller is not None and dice is not None and value is not None  # the kind's needs
    bonus = dispel_bonus(dispeller)
    if clash.conditions.irresistible_cast:
        return Experiment((), lambda faces: {"p_dispel": np.zeros(1)})

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
        total = np.sum(faces, axis=0)
        irresistible = np.sum(np.equal(faces, 6), axis=0) >= 2
        return {"p_dispel": irresistible | ((total >= 3) & (total + bonus >= value))}

    return Experiment((D6,) * dice, outcome)


def dispel_bonus(dispeller: Wizard) -> int:
    """Wizard level; dwarfs without a wizard add 2. Source: L167-180 [text]."""
    level = dispeller.wizard_level or 0
    wizards = bool(level or dispeller.wizards)
    dwarfs = (dispeller.race or "").strip().casefold() in DWARFS
    return level + (2 if dwarfs and not wizards else 0)


def winds_of_magic(clash: Clash, basis: Basis) -> Experiment:
    """Both pools with channelling on a 6. Source: L100-111 [text]."""
    channels = [
        binomial((wizard.wizards or 0) if wizard is not None else 0, 1 / 6)
        for wizard in (clash.caster, clash.dispeller)
    ]

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        first, second, own, other = faces
        return {
            "power_dice": np.minimum(POOL, first + second + own),
            "dispel_dice": np.minimum(POOL, np.maximum(first, second) + other),
        }

    return Experiment((D6, D6, *channels), outcome, ("power_dice", "dispel_dice"))


def miscast(clash: Clash, basis: Basis) -> Experiment:
    """The miscast table. Source: L152-166 [text]."""
    basis.assume(
        "The wizard is lost only by the result that takes him into Chaos; wounds of the other results come on top.",
        "Волшебник потерян только при результате, уносящем его в Хаос; раны других результатов не учтены.",
    )

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
        total, second = faces
        row = (total >= 5).astype(np.int64) + (total >= 7) + (total >= 8) + (total >= 10)
        return {"p_wizard_lost": (row == 0) & (second <= 3), "miscast_result": row}

    return Experiment((TWO_D6, D6), outcome, ("miscast_result",))
