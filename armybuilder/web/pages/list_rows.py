"""Rows of stored lists, as every page shows them: name, game, points by role, verdict."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.utils.translation import gettext as _

from armybuilder.armylists.models import ArmyList
from armybuilder.reference.names import Names, names_for
from armybuilder.web.pages.role_shares import RoleShare, role_kind, role_shares


@dataclass(frozen=True, slots=True)
class ListRow:
    """One list.

    Attributes:
        factions: in the language of the page.
        shares: points by role; none for heroes, and for a list not opened since rows keep them.
        variants: lists that began with a state of this one and stay beside it.
    """

    army_list: ArmyList
    factions: str
    shares: tuple[RoleShare, ...]
    variants: tuple[ArmyList, ...]


def list_rows(
    lists: Iterable[ArmyList], variants: Mapping[UUID, Sequence[ArmyList]] | None = None
) -> tuple[ListRow, ...]:
    """Stored lists as rows; nothing is checked, all of it stands in the rows of the database."""
    return tuple(_row(army_list, tuple((variants or {}).get(army_list.pk, ()))) for army_list in lists)


def _row(army_list: ArmyList, variants: tuple[ArmyList, ...]) -> ListRow:
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    return ListRow(army_list, army_list.factions, shares_of(army_list, names), variants)


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
