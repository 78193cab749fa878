"""What an edit leaves as it is, is not read again; and the document is the one that a reading from nothing makes."""

import random
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from armybuilder.engine.roster.edits import customise
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.game import roster_reader_of
from armybuilder.engine.systems.horus_heresy.roster.units import HeresyReader
from armybuilder.engine.systems.roster_reading.army_reading import ArmyReading
from bench import data_sets
from tests.conftest import ROOT
from tests.engine.roster.test_renewal import random_edit
from tests.fixtures.conftest import library_of

EDITS = 25


def reading(game: str, state: RosterState, **facts: Any) -> ArmyReading[Any]:
    """The army document of a state, with what the player says of it."""
    reader = roster_reader_of(game)
    assert reader is not None
    return reader.translator.translate(state, reader.facts(**facts), points_limit=2000, alliance_levels={})


@pytest.mark.parametrize(
    ("game", "catalogue"),
    [("horus-heresy", "Sons of Horus"), ("fantasy-8th", "Empire"), ("wh40k-6th", "Space Marines")],
)
def test_a_reading_after_an_edit_equals_one_from_nothing(game: str, catalogue: str) -> None:
    library = library_of(ROOT / "fixtures" / game)
    roster, _ = data_sets.roster_of(library, catalogue, 30, seed=3)
    state, rng, numbers = evaluate(library, roster), random.Random(4), count(1)
    for step in range(EDITS):
        led = {"warlord": rng.choice(list(state.roster.all_selections())).id} if game != "fantasy-8th" else {}
        for facts in ({}, led):
            assert reading(game, state, **facts) == reading(game, evaluate(library, state.roster), **facts), step
        state = evaluate(library, random_edit(library, state, rng, numbers), state)


def test_only_the_unit_that_was_changed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    library = library_of(ROOT / "fixtures" / "horus-heresy")
    roster, _ = data_sets.roster_of(library, "Sons of Horus", 30, seed=3)
    state = evaluate(library, roster)
    reading("horus-heresy", state)
    units = state.forces[0].selections
    read: list[str] = []
    whole = HeresyReader.army_unit

    def noted(reader: HeresyReader, **how: Any) -> Any:
        read.append(reader.node.id)
        return whole(reader, **how)

    monkeypatch.setattr(HeresyReader, "army_unit", noted)
    reading("horus-heresy", state)
    assert read == []
    renamed = customise(roster, node_id=units[-1].id, name="The Last").roster
    after = evaluate(library, renamed, state)
    reading("horus-heresy", after)
    assert set(read) <= ids(after, units[-1].id) and units[-1].id in read
    assert "The Last" in repr(reading("horus-heresy", after).army)


def ids(state: RosterState, unit_id: str) -> set[str]:
    """A unit and everything in it."""
    unit: Sequence[Any] = [unit for unit in state.forces[0].selections if unit.id == unit_id]
    return {part.id for part in unit[0].walk()}
