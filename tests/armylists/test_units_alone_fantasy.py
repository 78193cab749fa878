"""Every unit of the community's 8th edition data, alone in a legal list: what is left of errors, and whose they are."""

from pathlib import Path

import pytest

from armybuilder.engine.gamedata.library_facts import CatalogueInfo
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import SelectionState
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from tests.armylists.units_alone import ONE_IN, Bench, Frame, Tally, library_in
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.long]

STANDARD = "5374616e6461726423232344415441232323"
LIMIT = 4000
CORE = LIMIT // 4
LEFT = {"BS-01": 5, "BS-02": 21, "WFX-03": 2}
"""Units by rule: named regiments without the character who brings them, and he without them; two spites of 6th edition
and a level that the data offers twice."""

VARIANTS = ({}, {"general": "unit"})


class Fantasy(Bench):
    """Frames of a General and a quarter of Core."""

    def frame(self, catalogue: CatalogueInfo) -> Frame:
        frame = self.framed(*self.force(STANDARD, catalogue.id), {})
        found = self.candidates(frame, read.category_of, _holds_models)
        for role in ("hero", "lord"):
            fuller = (self.fuller(frame, entry_id, general="unit") for entry_id in found.get(role, ()))
            if (led := next((one for one in fuller if one is not None), None)) is not None:
                frame = led
                break
        for entry_id in reversed(found.get("core", [])):
            for _ in range(12):
                fuller_one = self.fuller(frame, entry_id)
                if fuller_one is None or not frame.errors:
                    break
                frame = fuller_one
        for entry_id in found.get("core", [])[:2]:  # so that there are three units besides the General
            frame = self.fuller(frame, entry_id) or frame
        return frame

    def taken(self, roster: Roster, parent_id: str, entry_id: str) -> tuple[Roster, str]:
        """As a player takes a wizard: with one of the lores his data offers."""
        roster, node_id = super().taken(roster, parent_id, entry_id)
        nodes = list(self.selection(self.state(roster), node_id).walk())
        if any(read.wizard_level(node.name) for node in nodes) and not any(
            "Lore" in node.group_names for node in nodes
        ):
            offered = self.offered(roster, node_id)
            lore = next((one for one in offered if read.lore_name(one.name) and one.available), None)
            if lore is not None:
                roster, _ = super().taken(roster, node_id, lore.entry_id)
        return roster, node_id


def _holds_models(unit: SelectionState) -> bool:
    return any(profile.type_name == read.MODEL for node in unit.walk() for profile in node.profiles)


def eighth_edition(folder: Path) -> list[str]:
    """Files of the 8th edition in a folder that holds three."""
    names = [path.name for path in folder.iterdir()]
    return [name for name in names if "8thBRB" in name or name in ("Warhammer Fantasy 8th ed.gst", LEGIONS)]


LEGIONS = "Undead Legions_2014.catz"


def tally_of(bench: Fantasy, only: str = "") -> Tally:
    """All units of the armies."""
    tally = Tally()
    for catalogue in bench.library.catalogues:
        if only not in catalogue.name:
            continue
        frame = bench.frame(catalogue)
        for offer in share(bench.offered(frame.roster, frame.force_id), of=ONE_IN):
            if bench.is_unit(frame, offer, _holds_models):
                in_frame = offer.current > 0  # which is legal with it, though it may be one of a kind
                found = [] if in_frame else bench.because_of(offer.entry_id, [frame], VARIANTS)
                tally.add(catalogue.name, offer.name, found)
    return tally


def test_every_unit_of_fantasy(shared: Path) -> None:
    folder = shared / "battlescribe" / "data" / "whfb"
    tally = tally_of(Fantasy(library_in(folder, eighth_edition(folder)), "fantasy-8th", LIMIT))
    assert not tally.disagrees(without=799, tried=826, by_rule=LEFT), tally.told
