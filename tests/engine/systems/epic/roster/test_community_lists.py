"""Army lists of the community's Epic data are read: every formation with its initiative, nearly every weapon."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.edits import add_force, new_roster, select
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.systems.epic.roster.army_document import ArmyReading, Facts, translate
from tests.libraries import compiled_library

pytestmark = pytest.mark.shared

TOURNAMENT = "f12d-4f60-fe2d-1813"
STEP = 5
"""Every fifth of the 173 lists; the others are read alike. (The Grotlings roll their strategy rating and have none.)"""


def folder_of(shared: Path) -> Path:
    return shared / "battlescribe" / "data" / "wh40k-epic-armageddon"


def everything_of(path: Path, system: SourceFile) -> ArmyReading:
    """A list with one of everything that an army list offers."""
    library = compiled_library([system, SourceFile(path.name, path.read_bytes())])
    ids = (f"n{number}" for number in range(10**6))
    roster = new_roster(library, name="All", new_id=lambda: next(ids)).roster
    edit = add_force(
        library,
        roster,
        force_entry_id=TOURNAMENT,
        catalogue_id=library.catalogues[0].id,
        new_id=lambda: next(ids),
    )
    assert edit.node_id is not None
    roster = edit.roster
    for offer in _flat(offers(library, evaluate(library, roster), node_id=edit.node_id)):
        if not offer.hidden:
            roster = select(
                library, roster, parent_id=edit.node_id, entry_id=offer.entry_id, new_id=lambda: next(ids)
            ).roster
    return translate(evaluate(library, roster), Facts(), points_limit=4000, alliance_levels={})


def _flat(rows: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    for row in rows:
        if isinstance(row, Offer):
            yield row
        else:
            yield from _flat(row.offers)


def test_army_lists_are_read(shared: Path) -> None:
    folder = folder_of(shared)
    system = SourceFile("Epic.gstz", (folder / "Epic.gstz").read_bytes())
    seen: Counter[str] = Counter()
    without_initiative, without_rating = [], []
    for path in sorted(folder.glob("*.cat*"))[::STEP]:
        translation = everything_of(path, system)
        if translation.army.strategy_rating is None:
            without_rating.append(path.name)
        for formation in translation.army.formations:
            seen["formations"] += 1
            seen["weapons"] += sum(len(unit.weapons) for unit in formation.units)
            if formation.initiative is None:
                without_initiative.append((path.name, formation.title))
        seen["unread"] += sum("is not recognised" in found.message.en for found in translation.findings)
    assert without_rating == []
    assert without_initiative == []
    assert seen["formations"] > 400, seen
    assert seen["unread"] < seen["weapons"] / 50, seen
