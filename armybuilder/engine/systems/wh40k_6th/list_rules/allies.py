"""Who may fight beside whom in the published 6th edition: the forbidden pairs and the levels known with certainty."""

from collections.abc import Iterator, Mapping

Levels = Mapping[tuple[str, str], str]
"""Recorded level of a pair of armies; the table of this game is symmetric."""

FORBIDDEN_LEVEL = "come_the_apocalypse"

AGAINST_CHAOS = (
    "Adepta Sororitas",
    "Black Templars",
    "Blood Angels",
    "Dark Angels",
    "Eldar",
    "Grey Knights",
    "Space Marines",
    "Space Wolves",
)
"""Armies that fight beside no servants of Chaos."""

FORBIDDEN: Mapping[str, tuple[str, ...]] = {
    "Chaos Daemons": (*AGAINST_CHAOS, "Necrons"),
    "Chaos Space Marines": AGAINST_CHAOS,
    "Dark Eldar": ("Blood Angels", "Dark Angels", "Necrons"),
    "Eldar": ("Necrons",),
    "Orks": ("Adepta Sororitas", "Black Templars", "Blood Angels"),
}
"""Pairs that come the apocalypse, each written once; Tyranids, who ally with nobody, are left out."""

LONERS = ("Tyranids",)
"""Armies that ally with nobody."""

KNOWN_LEVELS: Levels = {
    ("Space Marines", "Tau"): "battle_brothers",
    ("Space Marines", "Imperial Guard"): "battle_brothers",
}
"""Levels that two or more independent sources agree on; all others are unknown until an administrator records them."""

_NAMES = {
    name.casefold(): name
    for name in (
        *LONERS,
        *FORBIDDEN,
        *(other for others in FORBIDDEN.values() for other in others),
        *(name for pair in KNOWN_LEVELS for name in pair),
    )
} | {
    "sororitas": "Adepta Sororitas",
    "sisters of battle": "Adepta Sororitas",
    "tau empire": "Tau",
    "astra militarum": "Imperial Guard",  # the name of its last book of this edition, 2014
}


def canonical(name: str) -> str:
    """The name of an army in the allies table; an army it does not know keeps its own."""
    name = name.strip()
    return _NAMES.get(name.casefold(), name)


def is_known(name: str) -> bool:
    """Whether it is one of the sixteen armies of the allies table, in any spelling."""
    return name.strip().casefold() in _NAMES


def same_army(a: str, b: str) -> bool:
    """Whether two names mean the same codex army."""
    return canonical(a) == canonical(b)


def level_between(a: str, b: str, recorded: Levels) -> str | None:
    """Level of an allowed pair; None when it is unknown. What an administrator recorded comes first."""
    return next((level for levels in (recorded, KNOWN_LEVELS) for level in _levels_of(a, b, levels)), None)


def is_forbidden(a: str, b: str, recorded: Levels) -> bool:
    """Whether the two armies may never fight in one army: in either direction as it is recorded, else as published."""
    first, second = canonical(a), canonical(b)
    kept = list(_levels_of(a, b, recorded))
    if kept:
        return FORBIDDEN_LEVEL in kept
    return (
        bool({first, second} & set(LONERS)) or second in FORBIDDEN.get(first, ()) or first in FORBIDDEN.get(second, ())
    )


def _levels_of(a: str, b: str, levels: Levels) -> Iterator[str]:
    """What is said of a pair, in both directions."""
    pair = {canonical(a), canonical(b)}
    return (level for (one, other), level in levels.items() if {canonical(one), canonical(other)} == pair)
