"""What players call the rules that findings name: those of a book by its table, those of the game data here."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from armybuilder.engine.findings import Severity
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.web.formatting import localized

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


@dataclass(frozen=True, slots=True)
class DataRule:
    """A limit that stands in the game data rather than in the book."""

    severity: Severity
    title: "StrPromise"
    text: "StrPromise"


DATA_RULES = {
    "BS-01": DataRule(
        Severity.ERROR,
        _("Too few"),
        _("The game data demands at least so many of something: models of a unit, a choice of a group, units."),
    ),
    "BS-02": DataRule(
        Severity.ERROR,
        _("Too many"),
        _("The game data allows at most so many of something: models, an option, a unit of which there is only one."),
    ),
    "BS-03": DataRule(
        Severity.ERROR,
        _("Not available"),
        _("Something is chosen that the present choices hide: usually what it depends on is gone."),
    ),
    "BS-04": DataRule(
        Severity.ERROR, _("Over the limit of a cost"), _("The sum of a cost exceeds the limit set for this list.")
    ),
    "BS-05": DataRule(
        Severity.WARNING,
        _("Not recognised"),
        _("The rules of the book do not know this choice, so the verdict leaves it out."),
    ),
    "BS-06": DataRule(
        Severity.ERROR,
        _("Going in circles"),
        _("Two conditions of the game data turn each other on and off, so no final state can be worked out."),
    ),
    "BS-07": DataRule(
        Severity.ERROR,
        _("No longer in the data"),
        _("The list holds something that its game data no longer has. Take it away, or choose what has replaced it."),
    ),
    "BS-08": DataRule(
        Severity.ERROR,
        _("Said by the data"),
        _("The author of the game data objects in words of their own to what is chosen."),
    ),
    "BS-09": DataRule(
        Severity.INFO,
        _("Noted by the data"),
        _("The author of the game data has something to say about what is chosen. The list is no less legal for it."),
    ),
    "BS-10": DataRule(
        Severity.WARNING,
        _("A price of the owner's own"),
        _("The owner of the list has set a price for the unit himself. It is counted, and the verdict rests on it."),
    ),
    "BS-11": DataRule(
        Severity.WARNING,
        _("A unit of the owner's own"),
        _("The unit is not in the game data. Its points and its slot are counted; the verdict is about the rest."),
    ),
}
"""Findings of the data, by id; the same in every game."""


def rule_name(rule_pack: str | None, rule_id: str) -> str:
    """The name of a rule in the language of the page; empty for one that this site does not know."""
    if rule_id in DATA_RULES:
        return str(DATA_RULES[rule_id].title)
    table = LIST_RULES[rule_pack].rules.rules if rule_pack and rule_pack in LIST_RULES else {}
    return str(localized(table[rule_id].name)) if rule_id in table else ""
