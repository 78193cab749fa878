"""What of a data set is not understood or leads nowhere, sorted by what is wrong, as its quality page tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST_SHOWN = 40
"""Problems of a kind that are shown; the counts are of all."""

_TOLD = {
    "unreadable-file": gettext_lazy("Files that cannot be read"),
    "wrong-game-system": gettext_lazy("Files of another game system, left out"),
    "duplicate-file": gettext_lazy("Files with the id of another file, left out"),
    "unresolved-link": gettext_lazy("Links that lead nowhere: what they should bring is missing"),
    "open-reference": gettext_lazy("Conditions and limits that name what is not there: it counts as nothing"),
    "unsupported": gettext_lazy("Constructs that are kept but not carried out"),
    "unknown-element": gettext_lazy("Elements that are not known, skipped"),
    "bad-number": gettext_lazy("Values that are no numbers: they count as 0"),
    "duplicate-id": gettext_lazy("Ids that stand twice in a file: the first counts"),
    "too-many": gettext_lazy("More problems than are kept"),
}
"""By the kind of problem (`LoadProblem`), the gravest first."""


@dataclass(frozen=True, slots=True)
class ProblemsOfAKind:
    """Problems that have the same thing wrong with them.

    Attributes:
        shown: some of them, as a release's report has them; `more`: how many others there are.
    """

    name: str
    number: int
    shown: Sequence[Mapping[str, Any]]
    more: int


def problems_by_kind(problems: Sequence[Mapping[str, Any]]) -> tuple[ProblemsOfAKind, ...]:
    """The problems of a release's report, the gravest kind first; kinds that are not known come last."""
    order = {kind: at for at, kind in enumerate(_TOLD)}
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for problem in problems:
        by_kind.setdefault(str(problem.get("kind", "")), []).append(problem)
    return tuple(
        ProblemsOfAKind(
            str(_TOLD.get(kind, _("Others"))), len(found), found[:MOST_SHOWN], max(0, len(found) - MOST_SHOWN)
        )
        for kind, found in sorted(by_kind.items(), key=lambda row: order.get(row[0], len(order)))
    )
