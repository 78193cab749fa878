"""Every formation of the community's Epic data, alone in a legal list: what is left of errors, and whose they are."""

from decimal import Decimal
from pathlib import Path

import pytest

from armybuilder.armylists.reports import ListFinding
from armybuilder.engine.roster.available_options import Offer
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.epic.roster import recognition as read
from tests.armylists.units_alone import ONE_IN, Bench, Facts, Frame, Tally, library_in
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.long]

TOURNAMENT = "f12d-4f60-fe2d-1813"
LIMIT = 5000
STEP = 8
"""Every eighth of the 173 army lists; the others are read alike."""

PLAN = {"plan": {"turn": 2, "bombardment_points": ["60x90"], "drop_point": "60x90"}}
LEFT = {"BS-01": 14, "EPL-04": 1, "EPL-06": 10}
"""Formations by rule, all the data's own: formations of Rogue Traders and Kaelth-Anan ask for a leader who is an option
of another formation, and three of Corsairs for two others."""


class Epic(Bench):
    """Frames of what an army list makes everybody take, far from the 2,000 points of EP-01."""

    def errors(self, roster: Roster, facts: Facts, before: Frame | None = None) -> list[ListFinding]:
        """Errors that the frame did not have; spacecraft have their plan, which EP-27 asks of the player."""
        ships = {
            root.id: PLAN
            for root in self.state(roster).forces[0].selections
            if any(read.unit_kind(row.value("Type") or "", row.value("Speed") or "").type == "SC" for row in rows(root))
        }
        return super().errors(roster, {**facts, "units": ships}, before)

    def formations(self, frame: Frame) -> list[Offer]:
        """What may be taken, the cheapest first."""
        priced: list[tuple[Decimal, int, Offer]] = []
        for number, offer in enumerate(self.offered(frame.roster, frame.force_id)):
            if self.is_unit(frame, offer, lambda unit: bool(rows(unit))):
                roster, _ = self.taken(frame.roster, frame.force_id, offer.entry_id)
                priced.append((self.state(roster).cost("points"), number, offer))
        return [offer for _, _, offer in sorted(priced)]

    def with_compulsory(self, frame: Frame, offered: list[Offer]) -> Frame:
        """The frame with the formations that make the most errors go away."""
        while frame.errors:
            fuller = [self.beside(frame, offer) for offer in offered]
            best = min(fuller, key=lambda one: one.errors.total(), default=frame)
            if best.errors.total() >= frame.errors.total():
                break
            frame = best
        return frame

    def beside(self, frame: Frame, offer: Offer) -> Frame:
        roster, _ = self.taken(frame.roster, frame.force_id, offer.entry_id)
        return self.framed(roster, frame.force_id, frame.facts)


def rows(unit: SelectionState) -> list[ProfileState]:
    """Datasheets of a formation."""
    return [row for node in unit.walk() for row in node.profiles if read.is_datasheet(row)]


def tally_of(folder: Path, catalogue: Path, tally: Tally) -> None:
    """All formations of an army list; what is refused alone is tried beside others."""
    library = library_in(folder, ["Epic.gstz", catalogue.name])
    bench = Epic(library, "epic", LIMIT)
    empty = bench.framed(*bench.force(TOURNAMENT, library.catalogues[0].id), {})
    offered = bench.formations(empty)
    frame = bench.with_compulsory(empty, offered)
    company, there = [frame], {one.entry_id for one in bench.offered(frame.roster, frame.force_id) if one.current}
    for offer in share(offered, of=ONE_IN):
        found = [] if offer.entry_id in there else bench.because_of(offer.entry_id, company, ({},))
        if found and len(company) == 1:  # only now, as few army lists need it
            beside = (bench.beside(frame, other) for other in offered)
            company += [one for one in beside if one.errors.total() <= frame.errors.total()]
            found = bench.because_of(offer.entry_id, company, ({},))
        tally.add(catalogue.stem, offer.name, found)


def test_every_formation_of_epic(shared: Path) -> None:
    folder = shared / "battlescribe" / "data" / "wh40k-epic-armageddon"
    tally = Tally()
    for catalogue in sorted(folder.glob("*.cat*"))[::STEP]:
        tally_of(folder, catalogue, tally)
    assert not tally.disagrees(without=347, tried=370, by_rule=LEFT), tally.told
