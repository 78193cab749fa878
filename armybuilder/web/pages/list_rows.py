"""Rows of stored lists, as every page shows them: name, game, points by role, verdict."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from armybuilder.armylists.models import ArmyList, VerdictChoice
from armybuilder.armylists.queries import just_begun
from armybuilder.heroes.queries import is_hero
from armybuilder.reference.names import Names, names_for
from armybuilder.web.formatting import points
from armybuilder.web.pages.role_shares import RoleShare, role_kind, role_shares


@dataclass(frozen=True, slots=True)
class ListRow:
    """One list.

    Attributes:
        factions: in the language of the page.
        shares: points by role; none for heroes, and for a list not opened since rows keep them.
        variants: lists that began with a state of this one and stay beside it.
        is_begun: nobody has chosen anything in it yet.
    """

    army_list: ArmyList
    factions: str
    shares: tuple[RoleShare, ...]
    variants: tuple[ArmyList, ...]
    is_begun: bool = False

    @property
    def to_do(self) -> int:
        """How many things are to be done in a list that was just begun or only lacks something; else 0."""
        row = self.army_list
        if row.verdict != VerdictChoice.ILLEGAL:
            return 0
        if row.left_to_choose or is_hero(row):
            return row.left_to_choose
        return int(row.finding_counts.split("/")[0]) if self.is_begun or row.points == 0 else 0


def list_rows(
    lists: Iterable[ArmyList], variants: Mapping[UUID, Sequence[ArmyList]] | None = None
) -> tuple[ListRow, ...]:
    """Stored lists as rows; nothing is checked, all of it stands in the rows of the database."""
    known = list(lists)
    begun = just_begun(one for one in known if one.verdict == VerdictChoice.ILLEGAL)
    return tuple(_row(one, tuple((variants or {}).get(one.pk, ())), is_begun=one.pk in begun) for one in known)


def told_apart(lists: Iterable[ArmyList]) -> tuple[tuple[ArmyList, str], ...]:
    """Lists to choose from with what each is called: "Twin · 255 pts · 26 November, 15:54" where several are Twin."""
    found = list(lists)
    called = Counter(one.name for one in found)
    met: Counter[str] = Counter()
    told = []
    for one in found:
        label = one.name
        if called[one.name] > 1:
            cost = [f"{points(one.points)} {_('pts')}"] if one.points is not None else []
            label = " · ".join([one.name, *cost, date_format(localtime(one.updated), "j E, H:i")])
            met[label] += 1
            label = f"{label} #{met[label]}" if met[label] > 1 else label
        told.append((one, label))
    return tuple(told)


def _row(army_list: ArmyList, variants: tuple[ArmyList, ...], *, is_begun: bool) -> ListRow:
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    return ListRow(army_list, army_list.factions, shares_of(army_list, names), variants, is_begun)


def shares_of(army_list: ArmyList, names: Names) -> tuple[RoleShare, ...]:
    """Points by role as a stored list keeps them."""
    limit = None if army_list.points_limit is None else Decimal(army_list.points_limit)
    return role_shares(
        [
            (names.role(name) if name else _("Without a role"), role_kind(name), Decimal(points))
            for name, points in army_list.role_points
        ],
        limit,
    )
