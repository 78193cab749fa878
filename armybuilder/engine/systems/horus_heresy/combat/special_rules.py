"""Special rules as players write them: names, values in brackets, and which of them the combat model knows."""

import re
from collections.abc import Iterable
from functools import lru_cache

from armybuilder.engine.combat.dice import Dice, parse

ALIASES = {
    "twin linked": "twin-linked",
    "master crafted": "master-crafted",
    "counterattack": "counter-attack",
    "counter attack": "counter-attack",
    "jump packs": "jump pack",
    "jet packs": "jet pack",
    "battle hardened": "battle-hardened",
    "two handed": "two-handed",
    "duelists edge": "duellist's edge",
    "duelist's edge": "duellist's edge",
    "rad phage": "rad-phage",
    "deflagerate": "deflagrate",
    "poison": "poisoned",
    "gets hot!": "gets hot",
    "ignore cover": "ignores cover",
    "shellshock": "shell shock",
    "adamantine will": "adamantium will",
    "specialist weapons": "specialist weapon",
    "psychic focus weapon": "psychic focus",
    "slow & purposeful": "slow and purposeful",
    "mega-blast": "apocalyptic mega-blast",
    "hell storm": "hellstorm",
    'large (5") blast': "large blast",
    "template weapons": "template",
    "two- handed": "two-handed",
    "one use/one shot": "one shot",
    "hallucination": "hallucinations",
}

MODELLED = frozenset(
    {
        "adamantium will", "apocalyptic barrage", "apocalyptic blast", "apocalyptic mega-blast", "armourbane",
        "barrage", "battle-hardened", "blast", "blast-shield", "blind", "breaching", "brutal", "bulky", "concussive",
        "counter-attack", "crawling fire", "crusader", "cumbersome", "deadly cargo", "deflagrate", "duellist's edge",
        "eternal warrior", "exoshock", "fear", "fearless", "feel no pain", "fleet", "fleshbane", "force",
        "furious charge", "gets hot", "graviton pulse", "guided fire", "hallucinations", "hammer of wrath", "hatred",
        "haywire", "hellstorm", "ignores cover", "instant death", "jet pack", "jump pack", "lance", "large blast",
        "massive blast", "massive fortification", "master-crafted", "monster hunter", "move through cover",
        "murderous strike", "night vision", "pinning", "poisoned", "precision shots", "precision strikes",
        "preferred enemy", "psychic focus", "pyromantic desolation", "rad-phage", "rage", "rampage", "reach",
        "relentless", "rending",
        "sanctic", "shell shock", "shock pulse", "shred", "shrouded", "skyfire", "slow and purposeful", "sniper",
        "specialist weapon", "strafing run", "stubborn", "sudden strike", "sunder", "swarm", "template", "torrent",
        "twin-linked", "two-handed", "unwieldy",
    }
)  # fmt: skip
"""Rules that change a number of some kind under their own conditions; one test a rule shows it."""

NO_PART = frozenset(
    {
        "independent character", "deep strike", "outflank", "infiltrate", "scout", "support squad", "hit & run",
        "hit and run", "assault vehicle", "legiones astartes", "split fire", "pathfinder", "battlesmith",
        "power of the machine spirit", "one shot", "one use", "lingering death", "battlements", "chosen warriors",
        "wall of death",
    }
)  # fmt: skip
"""Rules of the text that change no number of one attack or fight: they speak of lists, deployment, moves, challenges,
or of which weapons are fired at what. Source: L2900-L3420 [text]."""

IN_LISTS = frozenset({"firing protocols", "it will not die"})
"""Rules that count where lists meet: how many weapons a model fires (L3037), and wounds regained between the turns of
a battle (L3155)."""

OF_ARMY_BOOKS = frozenset(
    {
        "master of the legion", "retinue", "dreadnought talon", "tercio", "infantry transport", "repair",
        "independent fire control", "traitor", "loyalist", "militaris attaché", "grenades", "multi-part fortifications",
        "building damage table", "fortification", "transport bay",
    }
)  # fmt: skip
"""The same for rules that only game data holds: they speak of lists, transports and repairs [carried]."""

TYPE_HEADING = re.compile(r"(.+?)[\s-]+(?:unit[\s-]+)?(?:sub[\s=-]*)?types?:?")
"""How game data heads the rules of a type: "heavy sub-type", "dreadnought unit-type"."""

TYPES_IN_PLAY = frozenset(
    {
        "infantry", "cavalry", "automata", "dreadnought", "daemon", "primarch", "vehicle", "line", "antigrav",
        "artillery", "monstrous", "heavy", "light", "character", "flyer", "hover", "slow", "super_heavy", "lumbering",
        "knight", "titan", "building",
    }
)  # fmt: skip
"""Types and sub-types that the model reads from the unit type itself (L1550-L1677 [text])."""

CARRIED = frozenset({"breaching", "brutal", "reach", "sudden strike"})
"""Rules of the published game that the rules text does not hold but game data uses."""

BLASTS = {
    "blast": 2,
    "large blast": 4,
    "massive blast": 6,
    "apocalyptic blast": 10,
    "apocalyptic barrage": 8,
    "apocalyptic mega-blast": 10,
}
"""Blast rules, with the models assumed under a marker when the document gives no number [decision]."""


def affects_combat(name: str) -> bool:
    """Whether a rule could change a number of an attack or a fight, known or not."""
    heading = TYPE_HEADING.fullmatch(name)
    if heading is not None and re.sub(r"[\s-]+", "_", heading[1]) in TYPES_IN_PLAY:
        return False
    return name not in NO_PART | IN_LISTS | OF_ARMY_BOOKS


class SpecialRules:
    """The special rules of one thing (unit, models, weapon); versions with different values are kept apart (L2783)."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read rules from their printed form."""
        self.texts = tuple(texts)
        self._values: dict[str, list[str | None]] = {}
        for text in self.texts:
            name, value = split_rule(text)
            self._values.setdefault(name, []).append(value)

    def __contains__(self, name: str) -> bool:
        return name in self._values

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


@lru_cache(maxsize=4096)
def split_rule(text: str) -> tuple[str, str | None]:
    """A rule's plain name and the value in its brackets."""
    match = re.fullmatch(r"\s*(.*?)\s*(?:\(([^()]*)\))?\s*(?:\[[^\]]*\]\s*)?", text, re.DOTALL)
    assert match is not None
    name = re.sub(r"\s+", " ", match[1].replace("’", "'").replace("`", "'").strip("*† ")).casefold()
    name = name.removesuffix(" (x)")
    value = match[2].strip() if match[2] is not None else None
    if value is None and (tail := re.fullmatch(r"(.*\S)\s+(\d\+|\d+|D[36])", name, re.IGNORECASE)):
        name, value = tail[1], tail[2]  # "Feel No Pain 5+", "Hammer of Wrath 2"
    return ALIASES.get(name, name), value or None


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
