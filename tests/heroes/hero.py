"""Relic published with our own cards, and a hero who is built by edits."""

from collections.abc import Callable

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, services
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import EditResult, ListReport
from armybuilder.datafiles.bundles import bundle_of_paths
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.systems.relic.hero import Action, Hero, Loadout
from armybuilder.heroes import edits as h
from armybuilder.heroes.documents import read_hero
from armybuilder.heroes.services import create_hero
from armybuilder.reference import publishing
from tests.conftest import ROOT

FOLDER = ROOT / "fixtures" / "relic"
CAPTAIN, ASSASSIN = "Ultramarines Captain", "Callidus Assassin"


@pytest.fixture
def relic(db: None) -> PublishedSystem:
    """Relic with the cards that ship with the site."""
    system = PublishedSystem.objects.create(id="relic", name="Relic", name_ru="Реликвия", rule_pack="relic", position=5)
    publishing.publish(system, bundle_of_paths([FOLDER]), origin="a test")
    return system


@pytest.fixture
def hero_viewer(owner: User) -> Viewer:
    """The owner of the heroes."""
    return Viewer(user=owner)


class HeroInHand:
    """A stored hero: every call is one edit at the revision he has."""

    def __init__(self, viewer: Viewer, army_list: ArmyList) -> None:
        self.viewer = viewer
        self.list_id = army_list.pk

    @property
    def row(self) -> ArmyList:
        return queries.own_army_list(self.list_id, self.viewer)

    @property
    def document(self) -> Loadout:
        return read_hero(self.row.document)

    @property
    def hero(self) -> Hero:
        return self.document.hero

    @property
    def report(self) -> ListReport:
        return services.check_army_list(self.row)

    def rules(self) -> list[str]:
        """Ids of everything the check finds."""
        return [finding.rule for finding in self.report.findings]

    def edit(self, *edits: e.Edit) -> EditResult:
        return services.apply_edits(self.viewer, self.list_id, edits, expected_revision=self.row.revision)

    def dial(self, dial: h.Dial, value: int | None) -> EditResult:
        return self.edit(h.SetDial(dial=dial, value=value))

    def plan(self, **action: object) -> EditResult:
        return self.edit(h.PlanAction(action=Action(**action)))  # type: ignore[arg-type]


@pytest.fixture
def new_hero(relic: PublishedSystem, hero_viewer: Viewer) -> Callable[..., HeroInHand]:
    """Starts a hero: the Captain, set up for a new game, unless told otherwise."""

    def start(**given: object) -> HeroInHand:
        arguments = {"system_id": "relic", "name": "First voyage", "character": CAPTAIN} | given
        return HeroInHand(hero_viewer, create_hero(hero_viewer, **arguments))  # type: ignore[arg-type]

    return start


@pytest.fixture
def captain(new_hero: Callable[..., HeroInHand]) -> HeroInHand:
    """A legal hero in the middle of the game: the Captain at level 6 after his Experience phase."""
    hero = new_hero()
    hero.edit(
        h.SetMoment(checkpoint="after_experience"),
        h.SetDial(dial="level", value=6),
        h.SetDial(dial="strength", value=6),
        h.SetDial(dial="players", value=3),
    )
    return hero
