"""Points and counts in words of both languages, and the names of facts as players say them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.words import shared_facts

LIST_CREATED = Text(en="List created", ru="Ростер создан")
"""What the first revision says of a list that was begun here; of one that was taken over, it says from where."""


def fact_name(rule_pack: str, name: str) -> Text:
    """A fact as its game names it; one without a name there as it is."""
    words = GAMES[rule_pack].words if rule_pack in GAMES else None
    return (words.facts if words is not None else shared_facts()).get(name, same(name))


def fact_value(rule_pack: str, value: object) -> Text | None:
    """A value of a fact that is a word of a fixed list, or yes or no; None for any other."""
    words = GAMES[rule_pack].words if rule_pack in GAMES else None
    return words.fact_value(value) if words is not None and isinstance(value, str | bool) else None


def fact_values(rule_pack: str) -> Mapping[str, Text]:
    """The values of facts that are words of a fixed list; none without a game."""
    words = GAMES[rule_pack].words if rule_pack in GAMES else None
    return words.fact_values if words is not None else {}


def number(value: Decimal | int | float) -> str:
    """A number without needless zeros: 150, 12.5."""
    text = f"{Decimal(str(value)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signed(value: Decimal | int | float) -> str:
    """A number with its sign, a minus being a minus: +50, −15."""
    size = -value if value < 0 else value
    return f"{'−' if value < 0 else '+'}{number(size)}"


def points_change(change: Decimal) -> Text | None:
    """`, +50 points` to add to a sentence; None when the price stays as it is."""
    if not change:
        return None
    return Text(
        en=f"{signed(change)} point{'' if abs(change) == 1 else 's'}",
        ru=f"{signed(change)} {russian_points(change)}",
    )


def russian_points(value: Decimal | int) -> str:
    """The word points in the form that a number asks for: 1 очко, 2 очка, 5 очков."""
    whole = abs(int(value))
    if value != int(value) or (whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14)):
        return "очка"
    return "очко" if whole % 10 == 1 and whole % 100 != 11 else "очков"


def joined(texts: list[Text], separator: str = "; ") -> Text:
    """Several texts as one."""
    return Text(en=separator.join(text.en for text in texts), ru=separator.join(text.ru for text in texts))


_DEED = re.compile(r"^(Added|Removed|Gave back|Добавлено:|Удалено:|Сброшено:) (?!\d+ × )")
_OFFERED = (
    (re.compile(r"(^|; )Added "), r"\1Add "),
    (re.compile(r"(^|; )Removed "), r"\1Remove "),
    (re.compile(r"(^|; )Gave back "), r"\1Give back "),
    (re.compile(r": took "), ": take "),
    (re.compile(r": gave back "), ": give back "),
    (re.compile(r"(^|; )Добавлено: "), r"\1Добавить: "),
    (re.compile(r"(^|; )Удалено: "), r"\1Удалить: "),
    (re.compile(r": взято – "), ": взять – "),
    (re.compile(r": убрано – "), ": убрать – "),
)


def told_once(texts: Sequence[Text]) -> list[Text]:
    """Texts in their order, with a number in those that are said several times: `Added 3 × Militia`."""
    often = Counter((text.en, text.ru) for text in texts)
    return [Text(en=_several(n, en), ru=_several(n, ru)) for (en, ru), n in often.items()]


def _several(number: int, words: str) -> str:
    if number == 1:
        return words
    found = _DEED.match(words)
    return f"{found[0]}{number} × {words[found.end() :]}" if found else f"{number} × {words}"


def as_proposal(deed: Text) -> Text:
    """What an edit did, as what it would do: "Added Militia" becomes "Add Militia"."""
    en, ru = deed.en, deed.ru
    for past, proposed in _OFFERED:
        en, ru = past.sub(proposed, en), past.sub(proposed, ru)
    return Text(en=en, ru=ru)


def same(words: str) -> Text:
    """A name that is the same in both languages."""
    return Text(en=words, ru=words)
