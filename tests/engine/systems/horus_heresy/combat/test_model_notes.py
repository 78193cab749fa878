"""Which rules an answer names: judged against every enemy that is met, not only the first."""

import pytest

from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_side
from armybuilder.engine.systems.horus_heresy.matchup import Side
from armybuilder.engine.systems.matchups import ModelNotes
from tests.engine.systems.horus_heresy.combat.builders import (
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    run,
    side_of,
)

MEN, TANK = side_of(make_side()), side_of(make_side(make_tank(12)))


@pytest.mark.parametrize(
    ("enemies", "told"), [((MEN,), []), ((MEN, TANK), ["Shock Pulse"]), ((TANK, MEN), ["Shock Pulse"])]
)
def test_a_rule_counts_against_any_enemy(enemies: tuple[Side, ...], told: list[str]) -> None:
    gunner = side_of(make_side(make_group(1, weapons=[make_weapon("Shock Pulse")])))
    notes = ModelNotes()
    note_side("shooting", "attacker", gunner, enemies, notes)
    assert notes.modelled == told


def test_a_marker_that_does_not_scatter_is_not_rolled_again() -> None:
    mortar, gun = make_weapon("Blast", "Twin-linked"), make_weapon("Twin-linked")
    alone = run(make_duel("shooting", make_side(make_group(1, weapons=[mortar])), make_side()))
    assert "Twin-linked" not in alone.modelled
    assert "Twin-linked" in {item.rule for item in alone.approximated}
    both = run(make_duel("shooting", make_side(make_group(1, weapons=[mortar, gun])), make_side()))
    assert "Twin-linked" in both.modelled
