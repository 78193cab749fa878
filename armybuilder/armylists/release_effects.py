"""What publishing a release would do to the lists there are: how many would change their price or their verdict."""

from dataclasses import dataclass

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.release_impact import impact_on
from armybuilder.datafiles.models import DataRelease
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Verdict

MOST_LISTS = 200
"""Lists that are worked out, the newest first; more would keep the administrator waiting."""


@dataclass(frozen=True, slots=True)
class ReleaseEffects:
    """How many lists were worked out, and what changes in them; `more` were left aside.

    Attributes:
        illegal: those that would become illegal.
    """

    lists: int
    repriced: int
    verdicts: int
    illegal: int
    more: int


def effects_of(release: DataRelease) -> ReleaseEffects:
    """The effects of a release on the lists of its data set that stand on another one. Nothing is written."""
    rows = ArmyList.objects.filter(system_id=release.system_id, deleted__isnull=True).exclude(release=release)
    repriced = verdicts = illegal = looked = 0
    for army_list in rows.select_related("system", "release").order_by("-updated", "pk")[:MOST_LISTS]:
        try:
            impact = impact_on(army_list, release)
        except GameError:  # a list that cannot be read changes nothing
            continue
        looked += 1
        repriced += impact.points_before != impact.points_after
        verdicts += impact.verdict_before != impact.verdict_after
        illegal += impact.verdict_before != Verdict.ILLEGAL and impact.verdict_after == Verdict.ILLEGAL
    return ReleaseEffects(looked, repriced, verdicts, illegal, max(0, rows.count() - MOST_LISTS))
