"""Which special rules of Epic the simulations know; all others are listed as not simulated."""

from collections.abc import Iterable

import msgspec

from armybuilder.engine.systems.epic.army import Options, rule_name
from armybuilder.engine.systems.matchups import Basis

MODELLED = frozenset(
    {
        "fearless",
        "inspiring",
        "invulnerable save",
        "leader",
        "supreme commander",
        "reinforced armour",
        "thick rear armour",
        "teleport",
        "walker",
        "expendable",
        "disrupt",
        "extra attacks",
        "first strike",
        "ignore cover",
        "macro weapon",
        "mw",
        "titan killer",
        "tk",
        "anti aircraft",
        "aa",
        "single shot",
        "slow firing",
        "light vehicle",
    }
)
"""Rules that change a number in some kind of simulation; one test each shows it, or they are exact for one attack."""


def note_rules(basis: Basis, rules: Iterable[str], options: Options) -> None:
    """Write down which of the given rules are in the numbers and which readings are in force."""
    for rule in rules:
        (basis.modelled if rule_name(rule) in MODELLED else basis.not_simulated).append(rule)
    basis.options |= msgspec.to_builtins(options)
