"""Our own game data published as one fixed release, and a list that is built by edits."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, services
from armybuilder.armylists.documents import ListDocument, read_document
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import EditResult, ListReport
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.reference.models import Detachment, ForceOrganisation
from armybuilder.reference.publishing import detachment_type
from armybuilder.reference.shipped import load_shipped, read_shipped
from tests.libraries import compiled_library

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "horus-heresy"
RELEASE = UUID("00000000-0000-4000-8000-000000000001")
SONS, AUXILIA = "hh-legion-sons-of-horus", "hh-solar-auxilia"
PRIMARY, ALLIED, LORD_OF_WAR = "hh-force-primary", "hh-force-allied", "hh-force-lord-of-war"


@cache
def fixture_library(folder: Path = FIXTURES) -> Library:
    """The fixtures, parsed once for all tests."""
    files = sorted(path for path in folder.iterdir() if path.suffix in (".gst", ".cat"))
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in files])


def shipped_game(game: str) -> PublishedSystem:
    """A game as it ships, published: its reference rows, and its data as one release without rows of units."""
    folder = FIXTURES.parent / game
    system = load_shipped(read_shipped(folder / "reference.toml"))
    library = fixture_library(folder)
    release = DataRelease.objects.create(system=system, number=1, content_hash="b" * 64)
    keep_library(release.pk, library)
    system.current_release = release
    system.save()
    chart, _ = ForceOrganisation.objects.get_or_create(system=system, defaults={"key": "chart", "name": "Chart"})
    chart.release = release
    chart.save()
    entries = library.force_entries(library.catalogues[0].id)
    for position, entry in enumerate(entries):
        Detachment.objects.create(
            chart=chart, type=detachment_type(entry.name), entry_id=entry.id, name=entry.name, position=position
        )
    return system


@pytest.fixture
def heresy(db: None) -> PublishedSystem:
    """The Horus Heresy, published; alliance cells are unknown."""
    system = PublishedSystem.objects.create(id="horus-heresy", name="The Horus Heresy", rule_pack="horus-heresy")
    release = DataRelease.objects.create(id=RELEASE, system=system, number=1, content_hash="a" * 64)
    keep_library(RELEASE, fixture_library())
    system.current_release = release
    system.save()
    chart = ForceOrganisation.objects.create(system=system, release=release, key="crusade", name="Crusade")
    for position, (kind, entry_id) in enumerate(
        (("primary", PRIMARY), ("allied", ALLIED), ("lord_of_war", LORD_OF_WAR))
    ):
        Detachment.objects.create(chart=chart, type=kind, entry_id=entry_id, name=kind, position=position)
    return system


@pytest.fixture
def viewer(owner: User) -> Viewer:
    """The owner of the lists."""
    return Viewer(user=owner)


class Muster:
    """A list under construction: every call is one edit at the revision the list has."""

    def __init__(self, viewer: Viewer, army_list: ArmyList) -> None:
        self.viewer = viewer
        self.list_id = army_list.pk
        self.force_id = self.document.roster.forces[0].id

    @property
    def row(self) -> ArmyList:
        return queries.own_army_list(self.list_id, self.viewer)

    @property
    def document(self) -> ListDocument:
        return read_document(self.row.document)

    @property
    def report(self) -> ListReport:
        return services.check_army_list(self.row)

    def rules(self) -> set[str]:
        """Ids of everything the check finds."""
        return {finding.rule for finding in self.report.findings}

    def edit(self, *edits: e.Edit) -> EditResult:
        return services.apply_edits(self.viewer, self.list_id, edits, expected_revision=self.row.revision)

    def unit(self, entry_id: str, *, force_id: str | None = None) -> str:
        """Add a unit; its node id."""
        result = self.edit(e.AddUnit(force_id=force_id or self.force_id, entry_id=entry_id))
        assert result.node_id is not None
        return result.node_id

    def units(self, *entry_ids: str, force_id: str | None = None) -> list[str]:
        """Add several units by one edit; their node ids."""
        force = force_id or self.force_id
        self.edit(*(e.AddUnit(force_id=force, entry_id=entry_id) for entry_id in entry_ids))
        (found,) = (found for found in self.document.roster.forces if found.id == force)
        return [selection.id for selection in found.selections[-len(entry_ids) :]]

    def detachment(self, force_entry_id: str, catalogue_id: str) -> str:
        result = self.edit(e.AddDetachment(force_entry_id=force_entry_id, catalogue_id=catalogue_id))
        assert result.node_id is not None
        return result.node_id

    def find(self, unit_id: str, name: str) -> Any:
        """The first selection of that name in a unit."""
        unit = self.document.places[unit_id].node
        return next(child for child in unit.walk() if child.name == name)  # type: ignore[union-attr]

    def facts(self, **facts: Any) -> EditResult:
        return self.edit(e.SetFacts(facts=facts))

    def unit_facts(self, node_id: str, **facts: Any) -> EditResult:
        return self.edit(e.SetUnitFacts(node_id=node_id, facts=facts))


@pytest.fixture
def muster(heresy: PublishedSystem, viewer: Viewer) -> Callable[..., Muster]:
    """Starts a list: Sons of Horus, traitors, 3,000 points unless told otherwise."""

    def start(**facts: Any) -> Muster:
        given = {
            "system_id": "horus-heresy",
            "name": "First draft",
            "catalogue_id": SONS,
            "points_limit": 3000,
            "allegiance": "traitor",
        }
        return Muster(viewer, services.create_army_list(viewer, **given | facts))

    return start


@pytest.fixture
def draft(muster: Callable[..., Muster]) -> Muster:
    """An empty list."""
    return muster()


@pytest.fixture
def legal(muster: Callable[..., Muster]) -> Muster:
    """The smallest legal list: a warlord with his trait and two troops, 2,000 points agreed."""
    army = muster(points_limit=2000)
    praetor, *_ = army.units("hh-la-praetor", "hh-la-tactical-squad", "hh-la-tactical-squad")
    army.edit(e.SetWarlord(node_id=praetor, trait="Bloody-handed"))
    return army
