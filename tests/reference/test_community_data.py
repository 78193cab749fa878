"""The community's own data sets: they import within bounds, lists are built on each, go out and come back the same."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, release_impact, services
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports.battlescribe_roster import import_roster_file
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.bundles import bundle_of_paths
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.engine.battlescribe_files.zipped import unzipped, zipped
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.reference import publishing
from armybuilder.reference import queries as reference
from armybuilder.reference.importing import import_games
from armybuilder.reference.models import UnitEntry
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.django_db]

SETS = [
    # folder, game, army list, units of that list at least, points to reach
    ("horus-heresy-2023-10-07", "horus-heresy", "Sons of Horus", 60, 1500),
    ("whfb", "fantasy-8th", "Empire", 20, 1500),
    ("whfb", "fantasy-7th", "", 5, 300),
    ("whfb", "fantasy-4th", "", 5, 300),
    ("wh40k-epic-armageddon", "epic", "Space Marines", 10, 1500),
    ("wh40k-7th-edition", "wh40k-7th", "Orks", 50, 1500),
    ("wh40k-6th-1.14b", "wh40k-6th", "Space Marines", 50, 1500),
]
MOST_SECONDS = 120
"""A generous bound on two noisy cores; the largest set takes about fifteen seconds alone."""
MOST_BYTES = 1_000_000_000


def peak_bytes() -> int:
    """The most memory this process held since this was asked last: it holds what the tests before have left, too."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert peak is not None
    Path("/proc/self/clear_refs").write_text("5")
    return int(peak[1]) * 1024


def imported(folder: Path, name: str) -> tuple[DataRelease, ...]:
    started, held = monotonic(), peak_bytes()
    releases = import_games(bundle_of_paths([folder / name]), origin=name, by=None, publish=True)
    assert monotonic() - started < MOST_SECONDS
    assert peak_bytes() - held < MOST_BYTES
    return releases


@pytest.fixture
def data(shared: Path) -> Path:
    return shared / "battlescribe" / "data"


def flat(found: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    for item in found:
        if isinstance(item, Offer):
            yield item
        elif not item.hidden:
            yield from flat(item.offers)


def built(viewer: Viewer, system: str, catalogue_id: str, points: int) -> ArmyList:
    """A list with one unit after the other until it costs so much."""
    made = services.create_army_list(viewer, system_id=system, name="Muster", catalogue_id=catalogue_id)
    while True:
        report = services.check_army_list(made)
        assert report.points.total is not None
        if report.points.total >= points:
            return made
        force = report.state.forces[0]
        found = [offer for offer in flat(offers(report.library, report.state, node_id=force.id)) if offer.available]
        found.sort(key=lambda offer: (offer.current, offer.entry_id))
        priced = [offer for offer in found if any(cost.value > 0 for cost in offer.costs)] or found
        edit = e.AddUnit(force_id=force.id, entry_id=priced[0].entry_id)
        result = services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision)
        assert result.army_list.revision == made.revision + 1
        made = queries.own_army_list(made.pk, viewer)
        assert made.revision < 200, "the list does not grow"


@pytest.mark.parametrize(("folder", "game", "list_name", "units", "points"), share(SETS, of=2))
def test_a_set_imports_and_lists_are_built_on_it(
    data: Path, owner: User, folder: str, game: str, list_name: str, units: int, points: int
) -> None:
    releases = imported(data, folder)
    release = next(row for row in releases if row.system_id == game)
    assert all(catalogue["whole"] for catalogue in release.report["catalogues"])
    assert all(catalogue["unsupported"] == 0 for catalogue in release.report["catalogues"])
    assert imported(data, folder) == releases, "the same content again is the same release"
    factions = [row for row in reference.factions(game) if row.catalogue_id and list_name in row.catalogue_name]
    faction = max(factions, key=lambda row: row.unit_count)
    assert faction.unit_count >= units
    viewer = Viewer(user=owner)
    made = built(viewer, game, faction.catalogue_id, points)
    report = services.check_army_list(made)
    if not release.system.rule_pack or report.rule_pack is None:
        assert str(report.verdict) in {"legal", "illegal"}
        assert "no-rule-pack" in [part.code for part in report.unchecked]
    file = FORMATS["rosz"].file_of(made)
    back = import_roster_file(viewer, file.content, file_name=file.name)
    assert back.dropped == ()
    assert back.army_list.points == made.points
    ids = {node.id for node in read_document(made.document).roster.all_selections()}
    assert {node.id for node in read_document(back.army_list.document).roster.all_selections()} == ids
    assert FORMATS["ros"].file_of(back.army_list).content == FORMATS["ros"].file_of(made).content


def test_all_of_epic_is_there(data: Path) -> None:
    (release,) = imported(data, "wh40k-epic-armageddon")
    assert len(release.report["catalogues"]) == 173
    assert reference.factions("epic").filter(unit_count__gt=0).count() == 173
    assert UnitEntry.objects.count() > 3000


def test_catalogues_that_do_not_load_whole_are_named(data: Path) -> None:
    (release,) = imported(data, "horus-heresy")
    broken = {row["name"] for row in release.report["catalogues"] if not row["whole"]}
    assert len([name for name in broken if name.startswith("LA -")]) == 18
    assert {name for name in broken if not name.startswith("LA -")} == {"BG - Blackshields", "Shattered Legions"}
    whole = {row["name"]: row["unresolved"] for row in release.report["catalogues"] if row["whole"]}
    assert {name for name, unresolved in whole.items() if unresolved} == {"LI - Solar Auxilia"}


def test_newer_data_of_the_same_game_leaves_lists_where_they_are(data: Path, owner: User) -> None:
    (old,) = imported(data, "horus-heresy-2023-10-07")
    viewer = Viewer(user=owner)
    auxilia = next(row for row in reference.factions("horus-heresy") if "Solar Auxilia" in row.catalogue_name)
    made = built(viewer, "horus-heresy", auxilia.catalogue_id, 1500)
    imported(data, "horus-heresy")

    row = queries.own_army_list(made.pk, viewer)
    assert row.release_id == old.pk and services.check_army_list(row).points.total == made.points
    found = release_impact.impact_of(row)
    assert found is not None and not found.is_empty
    moved = release_impact.move(viewer, row.pk, release_id=found.after.pk, expected_revision=row.revision).army_list
    assert moved.points == found.points_after
    assert PublishedSystem.objects.get(pk="horus-heresy").current_release_id == moved.release_id


def test_rosters_that_the_community_tests_with_are_opened(data: Path, owner: User) -> None:
    imported(data, "horus-heresy-2023-10-07")
    totals = {
        "Basic Marines Validate.test": 260,
        "Dedicated Transport Squad Costs.test": 170,
        "Empty Validation Test.test": 0,
    }
    for file, total in totals.items():
        content = (data / "horus-heresy" / "tests" / file).read_bytes()
        done = import_roster_file(Viewer(user=owner), content, file_name=file)
        assert [one.name for one in done.dropped] == ['Lords of War Have Moved to "Lords of War Detachment"'], file
        assert services.check_army_list(done.army_list).points.total == total, file


def test_one_changed_catalogue_gives_the_rows_of_a_whole_publication(data: Path, settings: Any, tmp_path: Path) -> None:
    settings.COMPILED_CACHE_DIR = tmp_path / "one"
    every = bundle_of_paths([data / "horus-heresy-2023-10-07"])
    legions = {file.name for file in share([file for file in every if " LA - " in file.name], of=4)}
    files = tuple(
        file for file in every if " LA - " not in file.name or file.name in legions or "Thousand" in file.name
    )
    import_games(files, origin="before", by=None, publish=True)
    changed = tuple(replace(file, content=dearer(file.content)) if "Thousand" in file.name else file for file in files)
    assert changed != files
    import_games(changed, origin="after", by=None, publish=True)
    system = PublishedSystem.objects.get(current_release__origin="after")
    kept = publishing.draft(system, changed)
    settings.COMPILED_CACHE_DIR = tmp_path / "other"
    whole = publishing.draft(system, changed)
    assert whole.lists == kept.lists
    columns = whole.library.columns.columns
    assert all(columns[name].tobytes() == column.tobytes() for name, column in kept.library.columns.columns.items())
    assert UnitEntry.objects.filter(faction__system=system).exclude(release=system.current_release).count() == 0


def test_units_show_the_models_that_their_game_reads(data: Path, client: Client) -> None:
    """Squads that data types as upgrades, and whose men are lines of it: those of a Tactical Squad are five."""
    (release,) = imported(data, "wh40k-6th-1.14b")
    units = UnitEntry.objects.filter(faction__system_id=release.system_id)
    rows = dict(units.filter(faction__catalogue_name__contains="Codex").values_list("name", "models_count"))
    squads = {"Tactical Squad": 5, "Terminator Squad": 5, "Scout Squad": 5, "Burna Boyz": 5, "Sniper Drone Team": 4}
    assert {name: rows[name] for name in squads} == squads
    assert (rows["Land Raider"], rows["Captain"], rows["Fire Warrior Team"]) == (1, 1, 6)
    page = client.get(reverse("web:unit", args=[units.get(name="Tactical Squad").pk])).content.decode()
    assert "<dt>Models</dt><dd>5</dd>" in page


def dearer(content: bytes) -> bytes:
    """A catalogue of which one price is another."""
    return zipped(unzipped(content, file_name="x").replace(b'value="100.0"', b'value="105.0"', 1), member_name="x")
