"""The factions the rulebook names, in both languages, so that every spelling of one faction is the same faction.

Source: HH L3576-L3606 (Legions, Mechanicum, Imperial Army), L3578 and L3644 (Agents) [text].
"""

import re
from functools import lru_cache

from armybuilder.engine.findings import Text

LEGIONES_ASTARTES = "legiones_astartes"
AGENTS_OF_THE_EMPEROR = "agents_of_the_emperor"
AGENTS_OF_THE_WARMASTER = "agents_of_the_warmaster"

LONGEST_NAME = 100
"""Longer texts are no name of the book and are not kept in a cache: documents come from outside."""

AGENTS = frozenset({AGENTS_OF_THE_EMPEROR, AGENTS_OF_THE_WARMASTER})
"""Always Sworn Brothers of the forces of their allegiance (L3644)."""

_LEGIONS = (
    ("Dark Angels", "Тёмные Ангелы"),
    ("Emperor's Children", "Дети Императора"),
    ("Iron Warriors", "Железные Воины"),
    ("White Scars", "Белые Шрамы"),
    ("Space Wolves", "Космические Волки"),
    ("Imperial Fists", "Имперские Кулаки"),
    ("Night Lords", "Повелители Ночи"),
    ("Blood Angels", "Кровавые Ангелы"),
    ("Iron Hands", "Железные Руки"),
    ("World Eaters", "Пожиратели Миров"),
    ("Ultramarines", "Ультрадесант"),
    ("Death Guard", "Гвардия Смерти"),
    ("Thousand Sons", "Тысяча Сынов"),
    ("Sons of Horus", "Сыны Хоруса"),
    ("Word Bearers", "Несущие Слово"),
    ("Salamanders", "Саламандры"),
    ("Raven Guard", "Гвардия Ворона"),
    ("Alpha Legion", "Альфа-легион"),
)

_OTHERS = (
    ("Mechanicum", "Механикум"),
    ("Imperial Army", "Имперская армия"),
    ("Agents of the Emperor", "Агенты Императора"),
    ("Agents of the Warmaster", "Агенты Магистра войны"),
    ("Legiones Astartes", "Легионес Астартес"),
)

_SPELLINGS = {  # the examples of L3644, and what players call a Legion whose name stands elsewhere
    "Legio Custodes": AGENTS_OF_THE_EMPEROR,
    "Легио Кустодес": AGENTS_OF_THE_EMPEROR,
    "Sisters of Silence": AGENTS_OF_THE_EMPEROR,
    "Безмолвное Сестринство": AGENTS_OF_THE_EMPEROR,
    "Talons of the Emperor": AGENTS_OF_THE_EMPEROR,
    "Когти Императора": AGENTS_OF_THE_EMPEROR,
    "Space Marines": LEGIONES_ASTARTES,
    "Space Marine Legions": LEGIONES_ASTARTES,
    "Космический Десант": LEGIONES_ASTARTES,
}


def _key(name: str) -> str:
    return re.sub(r"[\s_‐‑–-]+", "_", name.strip().casefold().replace("’", "'").replace("ё", "е"))


_TEXTS = {_key(en): Text(en=en, ru=ru) for en, ru in (*_LEGIONS, *_OTHERS)}
_BY_LANGUAGE = {key: key for key in _TEXTS} | {_key(ru): _key(en) for en, ru in (*_LEGIONS, *_OTHERS)}
_KEYS = _BY_LANGUAGE | {_key(spelling): key for spelling, key in _SPELLINGS.items()}
LEGIONS = frozenset(_key(en) for en, _ in _LEGIONS)


def canonical(name: str) -> str:
    """One name for every spelling of a faction; an unknown faction keeps its own."""
    return _known(name) if len(name) <= LONGEST_NAME else _key(name)


@lru_cache(maxsize=1024)
def _known(name: str) -> str:
    key = _key(name)
    return _KEYS.get(key, key)


def legion(name: str) -> str | None:
    """The canonical Legion a name speaks of, None when it is no Legion of the rulebook."""
    key = canonical(name)
    return key if key in LEGIONS else None


def words(name: str) -> Text:
    """The faction for a reader; a name the rulebook's table does not hold stays as it is written."""
    return _known_text(name) if len(name) <= LONGEST_NAME else _text(name)


def _text(name: str) -> Text:
    return _TEXTS.get(_BY_LANGUAGE.get(_key(name), ""), Text(en=name, ru=name))


_known_text = lru_cache(maxsize=1024)(_text)
