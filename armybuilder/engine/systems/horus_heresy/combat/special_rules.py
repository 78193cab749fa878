"""Special rules as players write them: names, values in brackets, and which of them the combat model knows."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from armybuilder.engine.combat.dice import Dice, parse
from armybuilder.engine.systems.special_rules import SpecialRuleTable

PLACES = frozenset(
    {
        "shooting", "blows", "melee", "hammer_of_wrath", "flames", "defence", "shot_at", "nerve", "bulk", "round",
        "test", "charge", "pursuit", "escape", "perils", "allocation", "some_enemies", "list_matchup", "battle",
        "first_round",
    }
)  # fmt: skip
"""Where a rule counts: firing; striking, in `melee` alone, with Hammer of Wrath alone, with flames around the bearer;
being hit, shot at, shaken by losses, outnumbered; the order and the end of a combat round; a Leadership test; charges,
who pursues and who escapes, Perils of the Warp; where the attacker allocates wounds or only some enemies mind; where
lists meet, and in whole battles; in blows of the first round only, so that who is charged strikes otherwise too."""

SPECIAL_RULES = SpecialRuleTable.load(Path(__file__).with_name("special_rules.toml"), PLACES)
"""Every special rule of the game, by the id that this package calls it."""

IN_LISTS = SPECIAL_RULES.counting_in("list_matchup", "battle")
"""Rules that count where lists meet only: how many weapons a model fires (L3037), and wounds regained between the turns
of a battle (L3155)."""

MODELLED = SPECIAL_RULES.in_figures - IN_LISTS
"""Rules that change a number of some kind under their own conditions; one test a rule shows it."""

BLASTS = {rule.id: rule.models for rule in SPECIAL_RULES.rules.values() if rule.models is not None}
"""Blast rules, with the models assumed under a marker when the document gives no number [decision]."""

TYPE_HEADING = re.compile(r"(.+?) (?:unit )?(?:sub[ =]*)?types?:?")
"""How game data heads the rules of a type: "heavy sub-type", "dreadnought unit-type"."""

TYPES_IN_PLAY = frozenset(
    {
        "infantry", "cavalry", "automata", "dreadnought", "daemon", "primarch", "vehicle", "line", "antigrav",
        "artillery", "monstrous", "heavy", "light", "character", "flyer", "hover", "slow", "super_heavy", "lumbering",
        "knight", "titan", "building",
    }
)  # fmt: skip
"""Types and sub-types that the model reads from the unit type itself (L1550-L1677 [text])."""


def is_gap(text: str) -> bool:
    """Whether a printed rule could change a number of an attack or a fight but is in none."""
    heading = TYPE_HEADING.fullmatch(SPECIAL_RULES.read(text).name)
    is_type = heading is not None and heading[1].replace(" ", "_") in TYPES_IN_PLAY
    return not is_type and SPECIAL_RULES.is_gap(text)


class SpecialRules:
    """The special rules of one thing (unit, models, weapon); versions with different values are kept apart (L2783)."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read rules from their printed form."""
        self.texts = tuple(texts)
        self._values: dict[str, list[str | None]] = {}
        for text in self.texts:
            name, value = SPECIAL_RULES.read(text)
            self._values.setdefault(name, []).append(value)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __bool__(self) -> bool:
        return bool(self._values)

    def values(self, name: str) -> tuple[str | None, ...]:
        """The bracketed values of all versions of a rule; empty when the rule is absent."""
        return tuple(self._values.get(name, ()))

    def roll(self, name: str, default: int) -> int | None:
        """The best roll among the versions of an "(X+)" rule; None when the rule is absent."""
        return min((_number(value, default) for value in self.values(name)), default=None)

    def number(self, name: str, default: int) -> int | None:
        """The largest value among the versions of an "(X)" rule; None when the rule is absent."""
        return max((_number(value, default) for value in self.values(name)), default=None)

    def dice(self, name: str, default: int) -> tuple[Dice, ...]:
        """The values of all versions, which may be dice."""
        return tuple(_dice(value, default) for value in self.values(name))


def mentioned_enemy(value: str | None, target_words: frozenset[str]) -> bool:
    """Whether "Hatred (X)" or "Preferred Enemy (X)" speaks of this target; without X it speaks of everybody.

    Args:
        target_words: what the target is called: side, group names, types, sub-types, Legions.

    Source: HH L3073, L3239 [text].
    """
    if value is None:
        return True
    wanted = _plain(value)
    return wanted in {"everything", "everyone", "all", "any"} or any(
        wanted == word or wanted.rstrip("s") == word.rstrip("s") for word in target_words
    )


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Names as `mentioned_enemy` compares them."""
    return frozenset(_plain(text) for text in texts)


def _plain(text: str) -> str:
    return re.sub(r"[\s_\-]+", " ", text.strip()).casefold()


def _number(value: str | None, default: int) -> int:
    digits = re.search(r"\d+", value) if value is not None else None
    return int(digits[0]) if digits else default


def _dice(value: str | None, default: int) -> Dice:
    try:
        return parse(default if value is None else value)
    except ValueError:
        return parse(default)
