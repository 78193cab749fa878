"""Blast markers: who stands in a crossfire, who is silenced, who breaks, and who rallies."""

from dataclasses import replace

import numpy as np
import pytest

from armybuilder.engine.combat.battles import close_combat, markers, play
from armybuilder.engine.combat.battles.ground import Ground
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.combat.battles.shooting import in_crossfire

from .builders import CHARGE, TERMS, make_battle, make_kind

MARKED = replace(TERMS, alternates=True, lasting=False, markers=True, pressed=15, crossfire=45, breadth=10)
EVERY = np.arange(4)


def make_ground(units: int = 2) -> Ground:
    plans = Plans(make_battle([make_kind()] * units, [make_kind()] * units, MARKED))
    return Ground(plans, len(EVERY), np.random.default_rng(1), play.empty(plans))


@pytest.mark.parametrize(
    ("case", "friend", "crossed"),
    [
        ("behind the target", (0, 40), True),
        ("too far behind it", (0, 46), False),
        ("beside the shooter", (10, 0), False),
        ("behind the shooter", (0, -10), False),
        ("beyond it, a little aside", (18, 36), True),
        ("beyond it, far aside", (30, 30), False),
    ],
)
def test_crossfire(case: str, friend: tuple[float, float], crossed: bool) -> None:
    ground = make_ground()
    mine, theirs = ground.hosts
    mine.x[:], mine.y[:], theirs.x[:], theirs.y[:] = 0, 0, 0, 20
    mine.x[1], mine.y[1] = friend
    targets = np.zeros(len(EVERY), np.int64)
    assert in_crossfire(ground, 0, 0, targets=targets, trials=EVERY).tolist() == [crossed] * 4, case
    mine.broken[1] = True
    assert not in_crossfire(ground, 0, 0, targets=targets, trials=EVERY).any(), "the broken help nobody"


def test_markers_silence_and_break() -> None:
    ground = make_ground()
    host = ground.hosts[0]
    markers.mark(ground, 0, 0, EVERY, np.array([0, 3, 9, 10]), by=1)
    assert markers.unsuppressed(ground, 0, 0, EVERY[:3]).tolist() == [10, 7, 1]
    assert host.broken[0].tolist() == [False, False, False, True], "ten markers on ten models"
    markers.mark(ground, 0, 0, EVERY[3:], np.array([4]), by=1)
    assert host.left[0].tolist() == [10, 10, 10, 6], "each further one costs the broken a model"
    assert host.markers[0, 3] == 0


def test_rallying_halves_the_markers() -> None:
    ground = make_ground()
    host = ground.hosts[0]
    host.y[:], ground.hosts[1].y[:] = 0.0, 40.0
    host.markers[0] = (0, 1, 5, 0)
    host.broken[0, 3] = True
    markers.end_phase(ground)
    assert host.markers[0].tolist() == [0, 0, 2, 5]
    assert not host.broken.any()


def test_an_enemy_near_hinders_rallying() -> None:
    ground = make_ground(1)
    unit = replace(ground.hosts[0].units[0], recovers=(1.0, 0.0, 1.0, 0.0))
    host = replace(ground.hosts[0], units=(unit,))
    ground.hosts = (host, ground.hosts[1])
    host.x[:], host.y[:], ground.hosts[1].x[:], ground.hosts[1].y[:] = 0, 0, 0, (14, 14, 16, 16)
    host.markers[0] = 2
    markers.end_phase(ground)
    assert host.markers[0].tolist() == [2, 2, 1, 1]


def test_a_drawn_assault_is_fought_on() -> None:
    """Equal sides draw about every fifth time; in the end somebody has lost all the same."""
    kind = make_kind(blow=0.2, charge=CHARGE)
    plans = Plans(make_battle([kind], [kind], MARKED))
    ground = Ground(plans, 500, np.random.default_rng(2), play.empty(plans))
    mine, theirs = ground.hosts
    mine.foe[0], mine.charged[0], theirs.foe[0] = 0, True, 0
    close_combat.fight(ground)
    assert (mine.broken[0] | theirs.broken[0] | ~mine.alive[0] | ~theirs.alive[0]).all()
