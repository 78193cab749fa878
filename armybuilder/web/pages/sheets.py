"""A list as it is handed over: on the shared page, in frames and on paper, all made of its `ListSheet`."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from armybuilder.armylists.list_sheet import ListSheet, SheetDetachment, SheetRole, SheetUnit
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.heroes.queries import is_hero
from armybuilder.reference import queries as reference
from armybuilder.reference.names import AS_THEY_ARE, Names, names_for
from armybuilder.web.pages.hero_page import hero_page
from armybuilder.web.pages.profiles import ProfileTable, profile_tables
from armybuilder.web.pages.role_shares import RoleShare, role_kind, role_shares


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit with the worst that the rules say of it; `sign` is empty where they say nothing."""

    unit: SheetUnit
    sign: str


@dataclass(frozen=True, slots=True)
class RoleLines:
    """The units of a role."""

    role: SheetRole
    units: tuple[UnitLine, ...]


@dataclass(frozen=True, slots=True)
class DetachmentLines:
    """A detachment; `alliance` is how it stands to the primary one, empty where that is no question."""

    block: SheetDetachment
    alliance: str
    roles: tuple[RoleLines, ...]


class Sheet:
    """Everything a reader of the list sees."""

    template = "armylists/_sheet.html"

    def __init__(
        self, told: ListSheet, system_id: str = "", alliances: dict[str, str] | None = None, names: Names = AS_THEY_ARE
    ) -> None:
        self.told = told
        self.names = names
        self.system_id = system_id
        self.alliances = alliances or {}

    @cached_property
    def detachments(self) -> tuple[DetachmentLines, ...]:
        """Its detachments with the roles that have units."""
        return tuple(
            DetachmentLines(
                block,
                self.alliances.get(block.alliance, ""),
                tuple(
                    RoleLines(role, tuple(UnitLine(unit, self._sign(unit.id)) for unit in role.units))
                    for role in block.taken_roles
                ),
            )
            for block in self.told.detachments
        )

    def _sign(self, unit_id: str) -> str:
        """The worst of what is said of a unit; findings stand worst first."""
        return next((found.sign for found in self.told.findings if found.unit_id == unit_id), "")

    @cached_property
    def shares(self) -> tuple[RoleShare, ...]:
        """What each role takes of the limit, or of the points of a list without one."""
        spent: dict[tuple[str, str], Decimal] = {}
        for block in self.told.detachments:
            for role in block.roles:
                if role.points is not None and not role.sets_up:
                    key = role.name, role_kind(role.category)
                    spent[key] = spent.get(key, Decimal(0)) + role.points
        return role_shares([(name, kind, points) for (name, kind), points in spent.items()], self.told.limit)

    @cached_property
    def profiles(self) -> tuple[ProfileTable, ...]:
        """Every profile of the list, each once."""
        rows = [
            {"type": row.type, "name": row.name, "characteristics": row.characteristics}
            for unit in self._all_units()
            for row in (*unit.profiles, *unit.weapons)
        ]
        return profile_tables(rows, self.names)

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """Every special rule of the list, by name."""
        return tuple(sorted({rule for unit in self._all_units() for rule in unit.rules}))

    def _all_units(self) -> list[SheetUnit]:
        return [unit for block in self.told.detachments for role in block.roles for unit in role.units]


class HeroSheet:
    """Everything a reader of a hero sees: his dials are drawn, and cards lie in piles."""

    template = "heroes/_sheet.html"

    def __init__(self, army_list: ArmyList, report: ListReport) -> None:
        self.army_list = army_list
        self.page = hero_page(army_list, report)


def sheet_of(army_list: ArmyList, report: ListReport) -> Sheet | HeroSheet:
    """The sheet of a list that has been checked."""
    if is_hero(army_list):
        return HeroSheet(army_list, report)
    list_type = list_type_of(army_list)
    told = list_type.sheet(army_list, report, list_type.read(army_list.document))
    levels = {level.key: level.label for level in reference.alliance_levels(army_list.system.home_id)}
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    return Sheet(told, army_list.system_id, levels, names)
