"""A list as it is handed over: read by others on the shared page, and printed; verdict and findings stay with it."""

from dataclasses import dataclass
from functools import cached_property

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.heroes.queries import is_hero
from armybuilder.web.pages.add_screen import Taste
from armybuilder.web.pages.builder_page import BuilderPage, FindingLine, Focus
from armybuilder.web.pages.hero_page import hero_page
from armybuilder.web.pages.profiles import ProfileTable, profile_tables


@dataclass(frozen=True, slots=True)
class UnitProfiles:
    """Profiles that several units may share, printed once."""

    tables: tuple[ProfileTable, ...]
    rules: tuple[str, ...]


class Sheet:
    """Everything a reader of the list sees."""

    template = "armylists/_sheet.html"

    def __init__(self, army_list: ArmyList, report: ListReport) -> None:
        self.army_list = army_list
        self.page = BuilderPage(army_list, report, Focus(), Taste())

    @property
    def findings(self) -> tuple[FindingLine, ...]:
        """What the rules say, errors first."""
        return self.page.findings

    @cached_property
    def profiles(self) -> UnitProfiles:
        """Every profile and special rule of the list, each once."""
        profiles: list[dict[str, object]] = []
        rules: dict[str, None] = {}
        for unit in self.page.roster_view.units:
            for part in unit.state.walk():
                if part.hidden:
                    continue
                profiles.extend(
                    {"type": row.type_name, "name": row.name, "characteristics": row.characteristics}
                    for row in part.profiles
                )
                rules.update((self.page.names(rule.name), None) for rule in part.rules)
        return UnitProfiles(profile_tables(profiles, self.page.names), tuple(sorted(rules)))


class HeroSheet:
    """Everything a reader of a hero sees."""

    template = "heroes/_sheet.html"

    def __init__(self, army_list: ArmyList, report: ListReport) -> None:
        self.army_list = army_list
        self.page = hero_page(army_list, report)


def sheet_of(army_list: ArmyList, report: ListReport) -> Sheet | HeroSheet:
    """The sheet of a list that has been checked."""
    if is_hero(army_list):
        return HeroSheet(army_list, report)
    return Sheet(army_list, report)
