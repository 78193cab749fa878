"""Every unit of the community's 6th edition data, alone in a legal list: what is left of errors, and whose they are."""

from pathlib import Path

import pytest

from armybuilder.engine.gamedata.library_facts import CatalogueInfo
from armybuilder.engine.roster.state import SelectionState
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read
from tests.armylists.units_alone import MOST_CANDIDATES, ONE_IN, Bench, Frame, Tally, library_in
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.long]

FOUND_IN = ("Space Marines", "Orks", "Tau")
"""Catalogues with a chart of their own; the others lend to every army."""

LIMIT = 2500
"""A Manta alone costs 2,144."""

VARIANTS = ({}, {"warlord": "unit"})
CHAPTERS = ("Ultramarines", "Imperial Fists", "White Scars", "Salamanders", "Black Templars")
"""Tactics that named characters and some units belong to."""

COMPANIONS = {
    "Bike Squad (Troops)": "Kor'Sarro Khan",
    "Grot Mega-Tank (FW)": "Grot Tank Battle Mob (FW)",
    "Kustom Meka-Dread (FW)": "Mega-Dread (FW)",
    "Warbikers": "Wazdakka Gutsmek",
}
"""Who must be in the army that these may be taken, or taken as Troops, by the data's own conditions."""

LEFT = {"BS-02": 2}
"""Units by rule, all the data's own: the Deff Dread of Heavy Support is limited to 0 in every roster and nothing raises
it; and Lootas as Troops wait for Skalk Bluetoof, whom the Primary Detachment does not offer."""


class SixthEdition(Bench):
    """Frames of a Warlord and two Troops: one for each chapter of Space Marines, one for each leader of the others."""

    def frames(self, catalogue: CatalogueInfo) -> list[Frame]:
        if catalogue.name.startswith("Space Marines"):
            return [self.frame(catalogue, chapter, 0) for chapter in CHAPTERS]
        return [self.frame(catalogue, None, leader) for leader in range(MOST_CANDIDATES)]

    def frame(self, catalogue: CatalogueInfo, chapter: str | None, leader: int) -> Frame:
        """A legal list, led by the leader of this number, the cheapest first."""
        self.preferred = () if chapter is None else (chapter,)
        entry = next(one for one in self.library.force_entries(catalogue.id) if one.name == "Primary Detachment")
        frame = self.framed(*self.force(entry.id, catalogue.id), {})
        found = self.candidates(frame, read.role_of, _holds_models)
        leaders = found.get("hq", [])
        for entry_id in leaders[leader:] + leaders[:leader]:
            if (led := self.fuller(frame, entry_id, warlord="unit")) is not None:
                frame = led
                break
        for entry_id in found.get("troops", []) * 2:
            frame = self.fuller(frame, entry_id) or frame
            if not frame.errors:
                break
        return frame

    def beside(self, name: str, frame: Frame) -> Frame:
        """The frame with a companion of this name, if he may be taken."""
        found = (one for one in self.offered(frame.roster, frame.force_id) if one.name == name)
        return next((fuller for one in found if (fuller := self.fuller(frame, one.entry_id))), frame)


def _holds_models(unit: SelectionState) -> bool:
    return any(read.is_model(profile) for node in unit.walk() for profile in node.profiles)


def tally_of(bench: SixthEdition) -> Tally:
    """All units of the armies."""
    tally = Tally()
    for catalogue in bench.library.catalogues:
        if not catalogue.name.startswith(FOUND_IN):
            continue
        frames = bench.frames(catalogue)
        legal = {one.entry_id for frame in frames for one in bench.offered(frame.roster, frame.force_id) if one.current}
        for offer in share(bench.offered(frames[0].roster, frames[0].force_id), of=ONE_IN):
            if bench.is_unit(frames[0], offer, _holds_models):
                in_frame = offer.entry_id in legal  # which is legal with it, though it may be one of a kind
                found = [] if in_frame else bench.because_of(offer.entry_id, frames, VARIANTS)
                if found and offer.name in COMPANIONS:
                    beside = [bench.beside(COMPANIONS[offer.name], frame) for frame in frames]
                    found = bench.because_of(offer.entry_id, beside, VARIANTS)
                tally.add(catalogue.name, offer.name, found)
    return tally


def test_every_unit_of_the_6th_edition(shared: Path) -> None:
    tally = tally_of(SixthEdition(library_in(shared / "battlescribe" / "data" / "wh40k-6th-1.14b"), "wh40k-6th", LIMIT))
    assert not tally.disagrees(without=161, tried=163, by_rule=LEFT), tally.told
