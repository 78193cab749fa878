"""A whole set of today: imported, an army of 2,000 points built on it from nothing, sent out and opened again."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, services
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports.battlescribe_roster import import_roster_file
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.datafiles.bundles import bundle_of_paths
from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.state import ForceState
from armybuilder.reference import queries as reference
from armybuilder.reference.importing import import_games
from armybuilder.reference.known_rows import Known
from armybuilder.reference.unit_rows import army_lists
from tests.breadth import share, some
from tests.libraries import compiled_library

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

UNITS = ("unit", "model")
POINTS = 2000
SETS = [
    # archive, army list, units of that list at least
    ("warhammer-the-old-world", "Empire of Man", 20),
    ("wh40k-10e", "Orks", 40),
]


def flat(found: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    for item in found:
        if isinstance(item, Offer):
            yield item
        elif not item.hidden:
            yield from flat(item.offers)


def units_of(report: ListReport, force: ForceState) -> list[Offer]:
    """What a force offers to field, what was taken least first."""
    found = flat(offers(report.library, report.state, node_id=force.id))
    open_now = [offer for offer in found if offer.available and offer.type in UNITS]
    return sorted(open_now, key=lambda offer: (offer.current, offer.entry_id))


def opened(viewer: Viewer, made: ArmyList) -> ArmyList:
    """The list with the first detachment below its own that may be added and offers units at a price."""
    report = services.check_army_list(made)
    force = report.state.forces[0]
    entries = report.library.force_entries(force.catalogue_id)
    for below in next(entry for entry in entries if entry.id == force.entry_id).forces:
        edit = e.AddDetachment(force_entry_id=below.id, catalogue_id=force.catalogue_id, parent_id=force.id)
        services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision)
        made = queries.own_army_list(made.pk, viewer)
        after = services.check_army_list(made)
        child = after.state.forces[0].forces[-1]
        if not child.hidden and any(cost.value > 0 for offer in units_of(after, child) for cost in offer.costs):
            return made
        services.apply_edit(viewer, made.pk, e.Remove(node_id=child.id), expected_revision=made.revision)
        made = queries.own_army_list(made.pk, viewer)
    raise AssertionError("no detachment offers a unit")


def built(viewer: Viewer, system: str, catalogue_id: str) -> ArmyList:
    """An army of 2,000 points, one unit after the other, in the detachment that offers units."""
    made = services.create_army_list(viewer, system_id=system, name="Muster", catalogue_id=catalogue_id)
    first = services.check_army_list(made)
    if not units_of(first, first.state.forces[0]):
        made = opened(viewer, made)
    for _ in range(200):
        report = services.check_army_list(made)
        assert report.points.total is not None
        if report.points.total >= POINTS:
            return made
        force = list(report.state.all_forces())[-1]
        edit = e.AddUnit(force_id=force.id, entry_id=units_of(report, force)[0].entry_id)
        services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision)
        made = queries.own_army_list(made.pk, viewer)
    raise AssertionError("the list does not grow")


@pytest.mark.parametrize(("archive", "list_name", "units"), SETS[: some(len(SETS), of=2)])
def test_an_army_of_today_goes_out_and_comes_back(
    shared: Path, owner: User, archive: str, list_name: str, units: int
) -> None:
    files = bundle_of_paths([shared / "battlescribe" / "data" / "modern" / f"{archive}.zip"])
    (release,) = import_games(files, origin=archive, by=None, publish=True)
    rows = [row for row in reference.factions(release.system_id) if row.catalogue_name.endswith(list_name)]
    faction = max(rows, key=lambda row: row.unit_count)
    assert faction.unit_count >= units
    viewer = Viewer(user=owner)
    made = built(viewer, release.system_id, faction.catalogue_id)
    report = services.check_army_list(made)
    assert str(report.verdict) in {"legal", "illegal"}, "by the data, as no rulebook knows the game"
    assert "no-rule-pack" in [part.code for part in report.unchecked]

    file = FORMATS["rosz"].file_of(made)
    back = import_roster_file(viewer, file.content, file_name=file.name)
    assert back.dropped == ()
    assert back.army_list.points == made.points
    before, after = (read_document(row.document).roster.all_selections() for row in (made, back.army_list))
    assert {(one.id, one.entry_id, one.amount) for one in after} == {
        (one.id, one.entry_id, one.amount) for one in before
    }
    assert FORMATS["ros"].file_of(back.army_list).content == FORMATS["ros"].file_of(made).content


class Published(NamedTuple):
    """A set as it was published: its files, and what was worked out for them, kept in a folder."""

    files: dict[str, bytes]
    library: Library
    folder: Path


@pytest.fixture(scope="module")
def sigmar(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Age of Sigmar with the rows of all its army lists."""
    archive = shared / "battlescribe" / "data" / "modern" / "age-of-sigmar-4th.zip"
    files = {file.name: file.content for file in bundle_of_paths([archive])}
    library = compiled_library([SourceFile(*file) for file in files.items()])
    folder = tmp_path_factory.mktemp("rows")
    known = Known(library, folder, [])
    known.keep(list(army_lists(library, known=known)))
    return Published(files, library, folder)


@pytest.mark.parametrize(
    ("changes", "lists", "units"),
    share(
        [
            pytest.param(
                {
                    "Sylvaneth - Library.cat": r'<selectionEntry [^>]*?\bname="',
                    "Skaven - Library.cat": r'<cost [^>]*?\bvalue="',
                },
                0.9,
                0.3,
                id="what most army lists do not read",
            ),
            pytest.param(
                {"Orruk Warclans - Library.cat": r'<selectionEntry [^>]*?\bname="'},
                1,
                0,
                id="a name that all may lead to",
            ),
            pytest.param(
                {"Orruk Warclans - Library.cat": r'<constraint [^>]*?\bvalue="'}, 0, 0.9, id="what all may lead to"
            ),
        ],
        of=3,
    ),
)
def test_units_taken_over_are_those_of_the_changed_data(
    sigmar: Published, changes: dict[str, str], lists: float, units: float
) -> None:
    """At least these parts of the army lists, and of the units of the others, are not worked out again."""
    files = dict(sigmar.files)
    for name, what in changes.items():
        files[name] = re.sub(rb"(%s)(?=\w)" % what.encode(), rb"\g<1>1", files[name], count=1)
    after = load_library([SourceFile(*file) for file in files.items()], like=sigmar.library)
    known = Known(after, sigmar.folder, [sigmar.library.content_hash])
    found = list(army_lists(after, known=known))
    assert [(row.catalogue_id, row.units) for row in found] == [
        (row.catalogue_id, row.units) for row in army_lists(after)
    ]
    changed = [row for row in found if known.of_catalogue(row.catalogue_id) is None]
    assert len(changed) <= len(found) * (1 - lists)
    assert changed or lists == 1
    keys = [key for row in changed for key in row.keys]
    taken_over = sum(known.of_unit(key) is not None for key in keys)
    assert len(keys) * units <= taken_over < max(1, len(keys))
