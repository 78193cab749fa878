"""Critical effects of war engines: what a 6 on the critical die costs besides the point of damage. Source: L864 [text].

Game data describes them in words; rules write them in brackets: `Critical Hit (destroyed)`, `(+1 damage)`,
`(1-3: destroyed; 4-6: +1 damage)`, and `(end phases: ...)` for a table that is rolled on until a repair.
"""

import re
from collections.abc import Iterable

from armybuilder.engine.combat.dice import parse
from armybuilder.engine.systems.epic.army import rule_name, rule_value

RULE = "critical hit"
ALL = 1_000
"""More damage than any engine can take: it is destroyed."""

Critical = tuple[tuple[int, float], ...]
"""Further points of damage and their chances; empty where a critical hit costs nothing more."""

DESTROYED: Critical = ((ALL, 1.0),)
NO_EFFECT: Critical = ()

END_PHASES = "end phases: "
LONGEST = 12
"""End phases that are followed; hardly an engine burns longer."""

_ROW = re.compile(
    r"(?:(?P<low>[1-6])(?:-(?P<high>[1-6]))?: )?"
    r"(?:(?P<destroyed>destroyed)|\+(?P<damage>\d*d?\d+(?:\+\d+)?) damage|nothing|(?P<repaired>repaired))"
)
_SIDES = 6


def of_rules(rules: Iterable[str]) -> Critical:
    """What the rule `Critical Hit (...)` among these costs; nothing without it."""
    for rule in rules:
        if rule_name(rule) == RULE:
            return named(rule_value(rule) or "") or NO_EFFECT
    return NO_EFFECT


def is_understood(rule: str) -> bool:
    """Whether a rule is a critical effect whose damage is known."""
    return rule_name(rule) == RULE and named(rule_value(rule) or "") is not None


def lasts(rule: str) -> bool:
    """Whether it goes on in the end phases."""
    return rule_name(rule) == RULE and (rule_value(rule) or "").casefold().startswith(END_PHASES)


def named(effect: str) -> Critical | None:
    """The effect in brackets as chances; None for any other text."""
    text = effect.casefold()
    goes_on = text.startswith(END_PHASES)
    chances: dict[int, float] = {}
    repaired, rolled = 0.0, 0
    for part in text.removeprefix(END_PHASES).split(";"):
        row = _ROW.fullmatch(part.strip())
        if row is None:
            return None
        low = int(row["low"] or 1)
        high = int(row["high"] or row["low"] or _SIDES)
        rolled += high - low + 1
        share = (high - low + 1) / _SIDES
        repaired += share if row["repaired"] else 0.0
        for points, chance in () if row["repaired"] else _points(row):
            chances[points] = chances.get(points, 0.0) + share * chance
    if rolled != _SIDES or (repaired > 0) is not goes_on:
        return None
    return tuple((_until_repaired(chances, repaired) if goes_on else chances).items())


def _points(row: re.Match[str]) -> Iterable[tuple[int, float]]:
    if row["destroyed"]:
        return ((ALL, 1.0),)
    dice = parse((row["damage"] or "0").upper()).distribution()
    return ((int(value), float(chance)) for value, chance in dice.as_dict().items())


def _until_repaired(each: dict[int, float], repaired: float) -> dict[int, float]:
    """All the damage of a table that is rolled on again and again."""
    found: dict[int, float] = {}
    going = {0: 1.0}
    for _ in range(LONGEST):
        after: dict[int, float] = {}
        for points, chance in going.items():
            found[points] = found.get(points, 0.0) + chance * repaired
            for more, share in each.items():
                row = found if more == ALL else after
                key = ALL if more == ALL else points + more
                row[key] = row.get(key, 0.0) + chance * share
        going = after
    for points, chance in going.items():
        found[points] = found.get(points, 0.0) + chance
    return found


# What game data writes

_LATER = re.compile(r"(?:subsequent|further|additional) critical", re.IGNORECASE)
_ENDS = re.compile(
    r"destroyed\b|(?:the unit|the engine|rolls|scatters)\b(?:(?!takes)[^.;]){0,200}\b(?:is|are) destroyed"
    r"|[^.;]*\binstantly killed",
    re.IGNORECASE,
)
_HURTS = re.compile(
    r"\b(?:takes?|suffers?|loses?|additional point|d3 additional points?)\b"
    r"[^.;:]{0,120}?(?:points? of (?:damage|DC)|damage points?|of damage|DC\b)",
    re.IGNORECASE,
)
_DICE = re.compile(r"D3(?:\s?\+\s?1)?|D6", re.IGNORECASE)
_TABLE = re.compile(
    r"(?:^|\s)(?P<low>[1-6])(?:\s?-\s?(?P<high>[1-6]))?\s?[:-]\s*(?P<what>\D.*?)(?=\s[1-6]\s?[-:]|$)", re.DOTALL
)
_AT_ONCE = re.compile(r"roll (?:a |1)?d6(?: and consult the chart below)?\s*[:.]", re.IGNORECASE)
_EVERY_TURN = re.compile(r"roll (?:a |1)?d6 in the end phase of each turn\s*[:.]", re.IGNORECASE)
_MORE = re.compile(
    r"\bwithin\b|contact|critical|immobili|speed|movement|passengers|onboard|transported|random|blast marker",
    re.IGNORECASE,
)


def described_effect(text: str) -> str | None:
    """The damage in a description, as the rule writes it in brackets; None where it costs no damage at once."""
    text = text.strip().replace("\u2013", "-")
    if text.casefold().startswith("roll"):
        each_turn = bool(_EVERY_TURN.match(text))
        return _table(text, each_turn=each_turn) if each_turn or _AT_ONCE.match(text) else None
    return _described(re.split(r"\.(?:\s|$)", text)[0])


def says_more(text: str) -> bool:
    """Whether a description speaks of something besides the engine's own damage: hits on others, lost speed."""
    return _MORE.search(text) is not None


def _described(sentence: str) -> str | None:
    if _LATER.search(sentence):
        return None
    if _ENDS.match(sentence.strip()):
        return "destroyed"
    found = _HURTS.search(sentence)
    if found is None:
        return None
    dice = _DICE.search(found[0])
    return f"+{dice[0].upper().replace(' ', '') if dice else 1} damage"


def _table(text: str, *, each_turn: bool) -> str | None:
    rows = []
    for row in _TABLE.finditer(text):
        faces = row["low"] + (f"-{row['high']}" if row["high"] else "")
        effect = "repaired" if each_turn and "repaired" in row["what"] else _described(row["what"]) or "nothing"
        rows.append(f"{faces}: {effect}")
    written = (END_PHASES if each_turn else "") + "; ".join(rows)
    return written if any("nothing" not in row for row in rows) and named(written) is not None else None
