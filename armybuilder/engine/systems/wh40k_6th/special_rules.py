"""Which special rules of 40k 6th edition the figures know, exactly or roughly; all others are reported."""

import re

from armybuilder.engine.findings import Text

REROLLS = ("master-crafted", "twin-linked")
"""Rules that re-roll failed rolls to hit and so replace the second roll of BS 6 and more. Source: L298 [text]."""

RANDOM_ALLOCATION = ("random allocation", "terror from the deep", "polymorphine")
"""Rules by which the nearest model is drawn from the whole unit. Source: L386-390 [text]."""

NEVER_SNAP = ("template", "hellstorm", "blast", "ordnance", "portal of exile")
"""Words of weapons that never fire snap shots: classes the text names, and its example without BS. Source: L266."""

TEMPLATES = {
    "hellstorm": 5,
    "template": 3,
    "apocalyptic blast": 8,
    "massive blast": 6,
    "large blast": 4,
    "blast": 2,
}
"""Models under one marker or template unless the players state how many [decision]; wider names come first."""

_MARKER_INCHES = ((9, "apocalyptic blast"), (6, "massive blast"), (4, "large blast"), (1, "blast"))
_INCHES_OF_BLAST = re.compile(r"(\d+)[\"”]?\s*blast|blast\s*\((\d+)[\"”]?\)", re.IGNORECASE)


HOW_MARKERS_HIT = Text(
    "The marker or template hits the stated number of models; it does not scatter.",
    "Маркер или шаблон накрывает указанное число моделей и не смещается.",
)


NO_PART = frozenset(
    {
        "and they shall know no fear", "assault vehicle", "combat squads", "counter-attack", "deep strike",
        "furious charge", "hit & run", "hit and run", "infiltrate", "move through cover", "outflank",
        "scout", "scouts", "unique",
    }
)  # fmt: skip
"""Rules of the published game that change no number of one shooting attack: they speak of lists, deployment, moves,
close combat and morale [carried]."""


def affects_combat(rule: str) -> bool:
    """Whether a rule could change a number of one shooting attack, known or not."""
    return rule.strip().casefold() not in NO_PART


def marker(text: str) -> str | None:
    """The marker or template a rule, weapon type or range speaks of: `large blast` of "5\" Blast"; None for others."""
    plain = text.strip().casefold()
    if found := _INCHES_OF_BLAST.search(plain):
        inches = int(found[1] or found[2])
        return next(name for least, name in _MARKER_INCHES if inches >= least)
    return next((name for name in TEMPLATES if re.search(rf"\b{name}\b", plain)), None)


def is_known(rule: str) -> bool:
    """Whether a rule is in the figures of a shooting attack, at least roughly."""
    return rule.strip().casefold() in (*REROLLS, *RANDOM_ALLOCATION) or marker(rule) is not None


def is_gap(rule: str) -> bool:
    """Whether a rule that an attack left out could have changed its numbers, as no other figure knows it."""
    return affects_combat(rule) and not is_known(rule)
