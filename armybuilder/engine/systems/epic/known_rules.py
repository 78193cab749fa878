"""Which special rules of Epic the simulations know; all others are listed as not simulated."""

from collections.abc import Iterable

import msgspec

from armybuilder.engine.findings import Text
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
        "one shot",
        "slow firing",
        "light vehicle",
    }
)
"""Rules that change a number in some kind of simulation; one test each shows it, or they are exact for one attack."""


SNIPERS = Text(
    "all its hits go to the units that save worst, one after the other",
    "все попадания приходятся на юниты с худшими спас-бросками, по очереди",
)
HOVERING = Text(
    "when it is charged it fights in the way that it hits more with",
    "когда на него нападают, сражается тем способом, которым попадает чаще",
)
ROUGHLY = {
    "sniper": SNIPERS,
    "indirect fire": Text(
        "with sustained fire it reaches twice as far, and no nearer than 30 cm",
        "при прицельном огне дальность вдвое больше и не ближе 30 см",
    ),
    "skimmer": HOVERING,
    "support craft": HOVERING,
}
"""Rules that formations of lists are fought with, but only roughly, and how."""

ARC = Text("the target is taken to be in the arc", "считается, что цель находится в секторе")


def how_roughly(rule: str) -> Text | None:
    """How a rule is only roughly in the figures of two lists; None for rules that are in them, or not at all."""
    name = rule_name(rule)
    return ARC if name.endswith(" arc") else ROUGHLY.get(name) or ROUGHLY.get(name.removesuffix("s"))


def is_known(rule: str) -> bool:
    """Whether a rule is in the figures of two lists, at least roughly."""
    return rule_name(rule) in MODELLED or how_roughly(rule) is not None


def note_rules(basis: Basis, rules: Iterable[str], options: Options) -> None:
    """Write down which of the given rules are in the numbers and which readings are in force."""
    for rule in rules:
        (basis.modelled if rule_name(rule) in MODELLED else basis.not_simulated).append(rule)
    basis.options |= msgspec.to_builtins(options)
