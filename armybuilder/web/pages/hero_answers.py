"""Answers about a hero as a page shows them: chances of each end as a bar, figures, and what they rest on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.heroes.wording import DIAL_NAMES
from armybuilder.reference.names import Names
from armybuilder.web.formatting import decimal, localized, percent
from armybuilder.web.pages.matchup_answers import AnswerNotes, answer_notes

WIDTH = 400.0
ROW = 56.0
BAR = 28.0
NARROW = 34.0
"""Parts of a bar that are narrower hold no figure; the table has them all."""


@dataclass(frozen=True, slots=True)
class EndPart:
    """One end of a battle or test as a part of its bar.

    Attributes:
        kind: win, draw, lose or unfought.
        middle: where its figure stands; None where it would not fit.
    """

    kind: str
    label: str
    chance: float
    x: float
    width: float
    middle: float | None


@dataclass(frozen=True, slots=True)
class EndRow:
    """All ends of one battle or test."""

    title: str
    y: float
    parts: tuple[EndPart, ...]


@dataclass(frozen=True, slots=True)
class HeroAnswer:
    """The whole answer.

    Attributes:
        title: the hero and what he meets.
        sentence: the most important figure in words.
    """

    title: str
    rows: tuple[EndRow, ...]
    height: float
    figures: tuple[tuple[str, str], ...]
    sentence: str
    notes: AnswerNotes


def hero_answer(asked: Mapping[str, Any], result: Mapping[str, Any], names: Names) -> HeroAnswer | None:
    """The answer to a battle, a sequence of battles or a skill test; None for what has no ends to draw.

    Args:
        asked: the matchup document.
    """
    metrics: Mapping[str, float] = result["metrics"]
    if asked.get("kind") not in ("battle", "battle_sequence", "skill_test"):
        return None
    rows = tuple(_rows(asked, metrics, names))
    return HeroAnswer(
        title=hero_title(asked, names),
        rows=rows,
        height=len(rows) * ROW + 8,
        figures=tuple(_figures(metrics)),
        sentence=_sentence(metrics),
        notes=answer_notes(
            result, names, mentioned=[str(asset["name"]) for asset in (asked.get("hero") or {}).get("assets") or ()]
        ),
    )


def hero_title(asked: Mapping[str, Any], names: Names) -> str:
    """The hero and what he meets, of a question that was asked of a hero, answered or not."""
    own_name = str(asked.get("name") or "").rpartition(" – ")[0]
    return " – ".join(filter(None, (own_name, "; ".join(_met(asked, names)))))


def _met(asked: Mapping[str, Any], names: Names) -> list[str]:
    """What each of the battles, or the test, is against."""
    if asked["kind"] == "skill_test":
        return [f"{localized(DIAL_NAMES[asked['attribute']])} {asked['target']}"]
    battles = asked.get("battles") or [{"enemies": asked["enemies"]}]
    return [_against(battle["enemies"], names) for battle in battles]


def _rows(asked: Mapping[str, Any], metrics: Mapping[str, float], names: Names) -> Iterator[EndRow]:
    met = _met(asked, names)
    if asked["kind"] == "skill_test":
        yield _row(met[0], 0, [("win", _("passed"), metrics["p_pass"]), ("lose", _("failed"), metrics["p_fail"])])
        return
    for number, title in enumerate(met, start=1):
        suffix = f":{number}" if asked["kind"] == "battle_sequence" else ""
        chances = [metrics[f"p_{end}{suffix}"] for end in ("win", "draw", "lose")]
        words = (("win", _("won")), ("draw", _("tie")), ("lose", _("lost")))
        ends = [(kind, label, chance) for (kind, label), chance in zip(words, chances, strict=True)]
        if suffix:
            ends.append(("unfought", _("not fought"), max(0.0, 1.0 - sum(chances))))
        yield _row(title, number - 1, ends)


def _row(title: str, place: int, ends: Sequence[tuple[str, str, float]]) -> EndRow:
    parts, x = [], 0.0
    for kind, label, chance in ends:
        width = WIDTH * chance
        if chance > 0:
            middle = round(x + width / 2, 2) if width >= NARROW else None
            parts.append(EndPart(kind, label, chance, round(x, 2), round(width, 2), middle))
        x += width
    return EndRow(title, place * ROW, tuple(parts))


def _against(enemies: Sequence[Mapping[str, Any]], names: Names) -> str:
    attribute = localized(DIAL_NAMES[enemies[0]["attribute"]])
    listed = ", ".join(
        " ".join(filter(None, (names(str(enemy.get("name") or "")), str(enemy["value"])))) for enemy in enemies
    )
    return f"{attribute}: {listed}"


def _figures(metrics: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    for name, label in (
        ("p_pass", _("test passed")),
        ("p_win", _("battle won")),
        ("p_all_won", _("all battles won")),
        ("p_vanquished", _("hero vanquished")),
    ):
        if name in metrics:
            yield label, percent(metrics[name])
    for name, label in (("life_lost", _("Life lost, on average")), ("trophy_points", _("trophy points, on average"))):
        if name in metrics:
            yield label, decimal(metrics[name], 2)


def _sentence(metrics: Mapping[str, float]) -> str:
    """The chance that matters most, as players speak of it."""
    name = next(name for name in ("p_pass", "p_win", "p_all_won") if name in metrics)
    chance = metrics[name]
    if chance < 0.05:
        tries = _("In fewer than 1 of 20 tries")
    elif chance > 0.95:
        tries = _("In more than 19 of 20 tries")
    else:
        tries = _("In about %(n)s of 10 tries") % {"n": min(9, max(1, round(chance * 10)))}
    what = {"p_pass": _("the hero passes"), "p_win": _("the hero wins"), "p_all_won": _("the hero wins them all")}[name]
    return f"{tries} {what}."
