"""Prices in the lines of a pasted text: where they stand, what they are worth, and a line without them."""

import re
from decimal import Decimal

# What a price is made of; `n` is the number.
FIGURES = r"(?P<n>\d{1,3}(?:[ ,.]\d{3})+|\d{1,7}(?:[.,]\d{1,2})?)"
WORD = r"(?:pts?|points?|pnts|очк[а-яё]{0,3}|птс)\b\.?"
_BRACKETED = re.compile(
    rf"\s*[\[(](?P<plus>\+?)\s*(?:-?\d{{1,4}} ?[a-zа-я]{{1,10}},? ){{0,3}}{FIGURES}\s*{WORD}"
    r"(?!\s*limit)[^\[\]()]{0,40}[\])]",
    re.IGNORECASE,
)
_OTHER_COSTS = re.compile(r"\s*\[(?:-?\d{1,4} ?[a-zа-я]{1,10}(?:, )?){1,4}\](?=$|:)", re.IGNORECASE)
"""Of what costs no points: "Battle-forged CP [3CP]"."""
_LIMIT = re.compile(rf"[\[(]{FIGURES}\s*{WORD}\s*limit[\])]", re.IGNORECASE)
BARE = re.compile(
    r"(?<=\S)\s*[\[(](?P<n>\d{2,4})[\])]$|(?:(?<=[^\W\d])\s*[-–—.…=]+\s*|(?<=\d)\s+[-–—.…=]+\s*|(?<=\w)\s)(?P<plain>\d{2,4})$"
)
LAST_NUMBER = re.compile(r"(?<!\d)\d{1,4}$")
_BEHIND = re.compile(rf"(?P<plus>\+?)\s*(?:[–—:,=@]|\s-)\s*{FIGURES}\s*{WORD}", re.IGNORECASE)
_AFTER_A_SPACE = re.compile(rf"(?<=[\w)\"'])(?P<plus>) {FIGURES}\s*{WORD}(?=\s*(?:$|[,:;(]|[-–—]\s))", re.IGNORECASE)
IN_FRONT = re.compile(r"(?P<n>\d{2,4})\s*(?:pts?\.?\s*)?[-–—:]\s+(?=\d{0,3}\s*[^\W\d])", re.IGNORECASE)
_OF_LIMIT = re.compile(rf"/\s*{FIGURES}\s*{WORD}", re.IGNORECASE)


def without_prices(line: str) -> str:
    """A line without the prices that stand in brackets or behind a name."""
    return _BEHIND.sub("", _BRACKETED.sub("", line))


def priced(text: str) -> tuple[str, Decimal | None, str]:
    """Name, price and what stands behind it."""
    found = _price_in(text)
    if found is None:
        other = _OTHER_COSTS.search(text)
        return (text.strip(), None, "") if other is None else (text[: other.start()], None, text[other.end() :])
    return text[: found.start()].strip(" :,–—-"), value_of(found["n"]), text[found.end() :]


def _price_in(text: str) -> re.Match[str] | None:
    return _BRACKETED.search(text) or _BEHIND.search(text) or _AFTER_A_SPACE.search(text)


def has_price(text: str) -> bool:
    """Whether a line has the price of a unit: behind a name, and no surcharge or limit."""
    found = _price_in(text)
    return found is not None and not found["plus"] and found.start() > 0 and not _OF_LIMIT.search(text)


def value_of(figures: str) -> Decimal:
    """What figures with or without a sign between thousands are worth."""
    figures = figures.replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", figures):
        return Decimal(re.sub(r"[,.]", "", figures))
    return Decimal(figures.replace(",", "."))


def limit_in(text: str) -> int | None:
    """The agreed points that a line tells, "990 / 1000 pts"; None for none."""
    found = _OF_LIMIT.search(text) or _LIMIT.search(text)
    if found is None:
        return None
    return int(value_of(found["n"]))
