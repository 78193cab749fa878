"""What players state about two lists that meet, as the second list sees it."""

import pytest

from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.list_matchups import MatchupConditions

PAIRS = {
    "horus-heresy": {"cover": "attacker_cover", "moved": "defender_moved", "snap_shots": "defender_snap_shots"},
    "epic": {
        "terrain": "attacker_terrain",
        "blast_markers": "attacker_blast_markers",
        "supporting": "defender_supporting",
        "mounted": "defender_mounted",
        "engine_damage": "attacker_engine_damage",
    },
    "fantasy-8th": {"moved": "defender_moved", "effect": "defender_effect"},
    "wh40k-6th": {
        "cover": "attacker_cover",
        "gone_to_ground": "attacker_gone_to_ground",
        "moved": "defender_moved",
        "snap_shots": "defender_snap_shots",
    },
}
"""Members that are stated of each side apart, by game."""


class Stated(MatchupConditions, frozen=True, kw_only=True):
    distance: int = 12
    cover: str | None = None
    attacker_cover: str | None = None
    moved: bool = False
    defender_moved: bool = False
    defender_general: int | None = None


def test_what_is_stated_of_each_side_changes_places() -> None:
    stated = Stated(distance=6, cover="4+", defender_moved=True, defender_general=9)
    seen = stated.seen_by_second()
    assert seen == Stated(distance=6, attacker_cover="4+", moved=True, defender_general=9)
    assert seen.seen_by_second() == stated


@pytest.mark.parametrize("system", [system for system, game in GAMES.items() if game.matchups is not None])
def test_both_members_of_a_pair_mean_the_same_of_either_side(system: str) -> None:
    game = GAMES[system].matchups
    assert game is not None
    plain = game.conditions()
    members = {name: object() for name in plain.__struct_fields__}
    seen = type(plain)(**members).seen_by_second()
    moved = {name for name, value in members.items() if getattr(seen, name) is not value}
    assert moved == {*PAIRS[system], *PAIRS[system].values()}
    for name, other in PAIRS[system].items():
        assert getattr(plain, name) == getattr(plain, other), "both begin alike"
