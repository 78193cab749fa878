"""Which special rules of Epic the simulations know; all others are listed as not simulated."""

from collections.abc import Iterable

import msgspec

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic import criticals
from armybuilder.engine.systems.epic.army import Options, rule_name
from armybuilder.engine.systems.matchups import ModelNotes

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
        "orbital bombardment",
        "pin point",
        "pin point attack",
        "supporting fire",
    }
)
"""Rules that change a number in some kind of simulation; tests show each with and without it."""


NO_PART = frozenset(
    {
        "jump packs",
        "mounted",
        "scout",
        "scouts",
        "planetfall",
        "self planetfall",
        "slow and steady",
        "tunneler",
        "tunneller",
    }
)
"""Rules that change no number of one attack: they speak of movement, zones and arrival.

Source: L678-680, L690-692, L698-700, L736-738, L744-746, L752-756, L1042-1052 [text].
"""


SNIPERS = Text(
    "all its hits go to the units that save worst, one after the other",
    "все попадания приходятся на юниты с худшими спас-бросками, по очереди",
)
HOVERING = Text(
    "when it is charged it fights in the way that it hits more with",
    "когда на него нападают, сражается тем способом, которым попадает чаще",
)
ABOARD = Text(
    "embarked units neither shoot nor are hit; those whose transport dies save by their armour or on a 6+",
    "сидящие в транспорте не стреляют и не получают попаданий; если он уничтожен – броня или 6+",
)
SKILL = Text(
    "from where it is popped up, cover between it and the target does not spoil its aim; cover saves stay",
    "подскочив, не получает штрафа за укрытие цели; спас-броски за укрытие остаются",
)
BESIDE = Text(
    "infantry counts as in cover, unless light vehicles of the formation are hit by the same fire",
    "пехота считается в укрытии, если тем же огнём не поражаются лёгкие машины формации",
)
BURNS = Text("the rolls of the following end phases are made at once", "броски следующих конечных фаз делаются сразу")
IN_DOCUMENTS = {
    "sniper": SNIPERS,
    "transport": ABOARD,
    "embarked": ABOARD,
    "popped up": SKILL,
    "beside vehicles": BESIDE,
}
"""Rules that documents have only roughly in their numbers, and how."""

ROUGHLY = {
    "beside vehicles": BESIDE,
    "sniper": SNIPERS,
    "transport": ABOARD,
    "embarked": ABOARD,
    "popped up": SKILL,
    "commander": Text(
        "with formations that join him: each as his own, without characters, all as one side",
        "присоединившиеся формации – такие же, как его, без персонажей; все вместе – одна сторона",
    ),
    "infiltrators": Text(
        "they charge twice as far where the charge is measured", "при известном расстоянии наступают вдвое дальше"
    ),
    "indirect fire": Text(
        "with sustained fire it reaches twice as far, and no nearer than 30 cm",
        "при прицельном огне дальность вдвое больше и не ближе 30 см",
    ),
    "skimmer": HOVERING,
    "support craft": HOVERING,
}
"""Rules that formations of lists are fought with, but only roughly, and how."""

ARC = Text(
    "the target is ahead: weapons to the rear do not fire, of those to the left and right only one side",
    "цель впереди: оружие заднего сектора не стреляет, из левого и правого – только одна сторона",
)


def how_roughly(rule: str) -> Text | None:
    """How a rule is only roughly in the figures of two lists; None for rules that are in them, or not at all."""
    name = rule_name(rule)
    if criticals.lasts(rule):
        return BURNS
    return ARC if name.endswith(" arc") else ROUGHLY.get(name) or ROUGHLY.get(name.removesuffix("s"))


def affects_combat(rule: str) -> bool:
    """Whether a rule could change a number of one attack, known or not."""
    return rule_name(rule) not in NO_PART


def is_known(rule: str) -> bool:
    """Whether a rule is in the figures of two lists, at least roughly."""
    return is_exact(rule) or how_roughly(rule) is not None


def is_gap(rule: str) -> bool:
    """Whether a rule that an attack left out could have changed its numbers, as no other figure knows it."""
    return affects_combat(rule) and not is_known(rule)


def is_exact(rule: str) -> bool:
    """Whether a rule is exactly in the figures."""
    return rule_name(rule) in MODELLED or (criticals.is_understood(rule) and not criticals.lasts(rule))


def note_rules(basis: ModelNotes, rules: Iterable[str], options: Options) -> None:
    """Write down which of the given rules are in the numbers and which readings are in force."""
    for rule in rules:
        name = rule_name(rule)
        how = BURNS if criticals.lasts(rule) else IN_DOCUMENTS.get(name) or IN_DOCUMENTS.get(name.removesuffix("s"))
        if how is not None:
            basis.approximate(rule, how.en, how.ru)
        else:
            (basis.modelled if is_exact(rule) else basis.not_simulated).append(rule)
    basis.options |= msgspec.to_builtins(options)
