"""Every unit of the community's data alone in a detachment: which rules object, and to how many units.

What the frame owes (other formations, points, troops) is left out. A rule that objects to more units than here objects
to something that is legal at a table; one that objects to fewer has learned to read, and the table is made shorter.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.check import check
from armybuilder.engine.findings import Finding, Severity
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.edits import add_force, new_roster, select
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.explain import data_findings
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.systems.game import roster_reader_of
from tests.libraries import compiled_library

pytestmark = [pytest.mark.shared, pytest.mark.long]

# BS-01 are choices that nobody made yet, EP-27 plans that a player states, EP-06 formations whose units are such
# choices; BS-02 and EPL-04 units that another one must allow, and shares of core formations; W6L-03 a second chart;
# BS-05 what the data does not say (seats of transports, the type of a sergeant, "4") or no document holds (Strength D,
# bombs).
FRAME = frozenset({"BS-04", "EP-01", "EPL-06", "W6L-02", "W6L-04"})
"""What the rest of an army settles: its limit, its size, core formations, compulsory troops."""

WH40K = ("wh40k-6th", "wh40k-6th-1.14b", "Warhammer40K.gst", "5374616e6461726423232344415441232323", 1)
EPIC = ("epic", "wh40k-epic-armageddon", "Epic.gstz", "f12d-4f60-fe2d-1813", 8)
"""Game, folder, game system, detachment, and which of its files are tried: every eighth of Epic's."""


def _flat(rows: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    for row in rows:
        if isinstance(row, Offer):
            yield row
        else:
            yield from _flat(row.offers)


def objections(library: object, roster: Roster, game: str) -> Counter[tuple[str, str]]:
    """What is wrong with a list, by rule and sentence: errors, and what was not recognised."""
    state = evaluate(library, roster)  # type: ignore[arg-type]
    reader = roster_reader_of(game)
    assert reader is not None
    reading = reader.translator.translate(state, reader.facts(), points_limit=None, alliance_levels={})
    found: tuple[Finding, ...] = (*check(reading.army).findings, *reading.findings, *data_findings(state))
    return Counter((one.rule, one.message.en) for one in found if one.severity is Severity.ERROR or one.rule == "BS-05")


def tried(shared: Path, game: str, folder: str, system: str, detachment: str, step: int) -> tuple[int, Counter[str]]:
    """How many units were tried, and by rule how many of them it objects to."""
    files = shared / "battlescribe" / "data" / folder
    total, rules = 0, Counter[str]()
    for path in sorted(files.glob("*.cat*"))[::step]:
        library = compiled_library([SourceFile(one.name, one.read_bytes()) for one in (files / system, path)])
        ids = (f"n{number}" for number in range(10**7))
        empty = new_roster(library, name="Alone", new_id=lambda: next(ids)).roster  # noqa: B023
        frame = add_force(
            library,
            empty,
            force_entry_id=detachment,
            catalogue_id=library.catalogues[0].id,
            new_id=lambda: next(ids),  # noqa: B023
        )
        assert frame.node_id is not None
        before = objections(library, frame.roster, game)
        for offer in _flat(offers(library, evaluate(library, frame.roster), node_id=frame.node_id)):
            if offer.hidden:
                continue
            alone = select(
                library,
                frame.roster,
                parent_id=frame.node_id,
                entry_id=offer.entry_id,
                new_id=lambda: next(ids),  # noqa: B023
            ).roster
            total += 1
            rules.update({rule for rule, _ in objections(library, alone, game) - before} - FRAME)
    return total, rules


@pytest.mark.parametrize(("game", "total", "table"), [
    (WH40K, 173, {"BS-01": 40, "BS-02": 27, "BS-05": 31, "W6L-03": 1}),
    (EPIC, 400, {"BS-01": 17, "BS-02": 132, "BS-05": 26, "EP-06": 3, "EP-27": 21, "EPL-01": 4, "EPL-04": 11}),
])  # fmt: skip
def test_the_reasons_that_are_left(
    shared: Path, game: tuple[str, str, str, str, int], total: int, table: dict[str, int]
) -> None:
    units, rules = tried(shared, *game)
    assert units == total
    assert dict(rules) == table
