"""Every unit of the community's 2023 data, alone in a legal list: what is left of errors, and whose they are."""

from pathlib import Path

import pytest

from armybuilder.engine.gamedata.library_facts import CatalogueInfo
from armybuilder.engine.roster.state import SelectionState
from armybuilder.engine.systems.horus_heresy.roster import recognition as read
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole as Role
from tests.armylists.units_alone import ONE_IN, Bench, Frame, Tally, library_in
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.long]

LENDERS = ("(HH V2) Legions Astartes", "2022 - Mech Library")
"""Catalogues that only lend their entries."""

OWN_CHARTS = ("Questoris Household Force Organisation Chart", "Titan Maniple")
"""Of the data of 2023; the newer data numbers its charts: "0. Titan Maniple"."""

LORDS_OF_WAR = "Lord of War Detachment"
LEGION = "XVI: Sons of Horus"
FILLED = {Role.HQ: 1, Role.TROOPS: 4, Role.ELITES: 2, Role.HEAVY_SUPPORT: 2}
LEFT = {"BS-02": 1, "HH-38": 1}
"""Units by rule: a Tribune, whom the data allows in a detachment of 3,000 points, and Inar Satarael, who must be the
warlord, as the Archimandrite in the frame must."""

VARIANTS = ({}, {"warlord": "unit", "warlord_trait": None}, {"warlord": "unit", "warlord_trait": "Bloody-handed"})


class Heresy(Bench):
    """Frames of the Crusade chart, and of the charts that three catalogues have of their own."""

    def frame(self, catalogue: CatalogueInfo, side: str) -> Frame:
        """A warlord and as much as leaves a slot of each role open."""
        entries = self.library.force_entries(catalogue.id)
        entry = next((one for one in entries if one.name.removeprefix("0. ") in OWN_CHARTS), entries[0])
        self.preferred = (side.title(), LEGION)
        frame = self.framed(*self.force(entry.id, catalogue.id), {"allegiance": side})
        found = self.candidates(frame, read.role_of, _fills_compulsory_slots)
        for role, slots in FILLED.items():
            left = slots
            facts = {"warlord": "unit", "warlord_trait": "Bloody-handed"} if role is Role.HQ else {}
            for entry_id in found.get(role, [])[:: 1 if role is Role.HQ else -1]:
                while left and (fuller := self.fuller(frame, entry_id, **facts)) is not None:
                    frame, left = fuller, left - 1
        return frame

    def with_lords_of_war(self, frame: Frame, catalogue: CatalogueInfo) -> Frame:
        """The frame with a second detachment for a Lord of War."""
        entry = next(one for one in self.library.force_entries(catalogue.id) if one.name == LORDS_OF_WAR)
        return self.framed(*self.force(entry.id, catalogue.id, frame.roster), frame.facts)


def _fills_compulsory_slots(unit: SelectionState) -> bool:
    return _holds_models(unit) and not any("Support Squad" in rule.name for node in unit.walk() for rule in node.rules)


def _holds_models(unit: SelectionState) -> bool:
    return any(profile.type_name in read.MODEL_PROFILES for node in unit.walk() for profile in node.profiles)


def tally_of(bench: Heresy, catalogues: tuple[str, ...] = ()) -> Tally:
    """All units of the catalogues, those of several catalogues once."""
    tally, seen = Tally(), set()
    for catalogue in bench.library.catalogues:
        if catalogue.name in LENDERS or (catalogues and catalogue.name not in catalogues):
            continue
        if catalogue.name == "Lords of War":
            legion = next(one for one in bench.library.catalogues if one.name.endswith(LEGION))
            frames = [bench.with_lords_of_war(bench.frame(legion, side), catalogue) for side in ("traitor", "loyalist")]
        else:
            frames = [bench.frame(catalogue, side) for side in ("traitor", "loyalist")]
        for frame in frames:
            new = []
            for offer in bench.offered(frame.roster, frame.force_id):
                key = offer.entry_id.split("::")[-1]
                if key not in seen:
                    seen.add(key)
                    new.append(offer)
            for offer in share(new, of=ONE_IN):
                if not bench.is_unit(frame, offer, _holds_models):
                    continue
                in_frame = offer.current > 0  # which is legal with it, though it may be one of a kind
                tally.add(
                    catalogue.name,
                    offer.name,
                    [] if in_frame else bench.because_of(offer.entry_id, frames, VARIANTS),
                )
    return tally


def test_every_unit_of_the_horus_heresy(shared: Path) -> None:
    library = library_in(shared / "battlescribe" / "data" / "horus-heresy-2023-10-07")
    tally = tally_of(Heresy(library, "horus-heresy", 30_000))
    assert not tally.disagrees(without=398, tried=400, by_rule=LEFT), tally.told


NEWER_LEFT = {"BS-02": 1}
"""The Tribune once more."""


def test_every_unit_of_the_newer_data(shared: Path) -> None:
    """Armies of 2025 that are whole there: those of the Legions lack the file they share."""
    library = library_in(shared / "battlescribe" / "data" / "horus-heresy")
    legions = ("LA", "BG", "Shattered")
    whole = [one.name for one in library.catalogues if not one.library and not one.name.startswith(legions)]
    tally = tally_of(Heresy(library, "horus-heresy", 30_000), tuple(whole))
    assert not tally.disagrees(without=152, tried=153, by_rule=NEWER_LEFT), tally.told
