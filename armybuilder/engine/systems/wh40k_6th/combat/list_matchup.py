"""Two lists of 40k 6th edition meet: what players state about it, every pair of units, and one pair in depth."""

from collections.abc import Callable, Sequence
from typing import Annotated

from msgspec import Meta

from armybuilder.engine.systems.list_matchups import Effect, MatchupConditions, Models, SaveValue
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter
from armybuilder.engine.systems.wh40k_6th.combat.matrix import Shelter, Shooters, shooting_matrix, shooting_request
from armybuilder.engine.systems.wh40k_6th.combat.model_notes import note_rules
from armybuilder.engine.systems.wh40k_6th.matchup import Wh40kMatchup

__all__ = [
    "ATTACKS",
    "CONDITIONS",
    "MATRIX",
    "OCCASIONS",
    "Fighter",
    "Wh40kConditions",
    "effects",
    "matchup",
    "note_rules",
]

ATTACKS = ("shooting",)
"""The rules text holds no assault; see docs/rules."""
MATRIX = ("shooting",)
OCCASIONS = ()


class Wh40kConditions(MatchupConditions, frozen=True, kw_only=True):
    """The circumstances under which two lists meet. The attacker is the first list.

    Attributes:
        distance: inches between the units; decides range and half range.
        cover, attacker_cover: cover save of the defender, and of the attacker when he is shot at in return.
        gone_to_ground, attacker_gone_to_ground: whether the units shot at go to ground.
        models_covered: models under a blast marker or template.
        moved, defender_moved: whether that side moved this turn.
        snap_shots, defender_snap_shots: whether that side may fire nothing but snap shots.
        models_in_cover: models of a unit shot at that stand in its cover, the nearest first; None is all of them.
        focus_fire: whoever shoots focuses on those who stand out of cover, where only some do.
        characters_in_front: characters stand nearest to the enemy, not furthest.
        nobody_looks_out: wounds of characters stay theirs; otherwise "Look Out, Sir" is tried whenever it may be.
    """

    distance: Annotated[float, Meta(ge=0, le=400)] = 12
    cover: SaveValue | None = None
    attacker_cover: SaveValue | None = None
    models_covered: Models | None = None
    moved: bool = False
    defender_moved: bool = False
    gone_to_ground: bool = False
    attacker_gone_to_ground: bool = False
    models_in_cover: Models | None = None
    focus_fire: bool = False
    snap_shots: bool = False
    defender_snap_shots: bool = False
    characters_in_front: bool = False
    nobody_looks_out: bool = False


CONDITIONS = Wh40kConditions


def effects(
    attack: str,
    acting: Sequence[Fighter],
    suffering: Sequence[Fighter],
    *,
    circumstances: Wh40kConditions,
    is_forth: bool,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> list[list[Effect | None]]:
    """Every pair exactly. Raises BadDocument or Cancelled."""
    return shooting_matrix(
        acting,
        suffering,
        shooters=_shooters(circumstances, is_forth=is_forth),
        shelter=_shelter(circumstances, is_forth=is_forth),
        progress=progress,
        should_stop=should_stop,
    )


def matchup(
    attack: str, acting: Fighter, suffering: Fighter, *, circumstances: Wh40kConditions, is_forth: bool
) -> Wh40kMatchup:
    """The matchup document behind one pair. Raises BadDocument where there is no attack."""
    return shooting_request(
        acting,
        suffering,
        shooters=_shooters(circumstances, is_forth=is_forth),
        shelter=_shelter(circumstances, is_forth=is_forth),
    )


def _shooters(stated: Wh40kConditions, *, is_forth: bool) -> Shooters:
    return Shooters(
        distance=stated.distance,
        moved=stated.moved if is_forth else stated.defender_moved,
        models_covered=stated.models_covered,
        snap_shots=stated.snap_shots if is_forth else stated.defender_snap_shots,
    )


def _shelter(stated: Wh40kConditions, *, is_forth: bool) -> Shelter:
    return Shelter(
        cover=stated.cover if is_forth else stated.attacker_cover,
        gone_to_ground=stated.gone_to_ground if is_forth else stated.attacker_gone_to_ground,
        models_in_cover=stated.models_in_cover,
        focus_fire=stated.focus_fire,
        characters_in_front=stated.characters_in_front,
        look_out_sir=not stated.nobody_looks_out,
    )
