"""Two lists of 40k 6th edition meet: what players state about it, and how every pair of units is worked out."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from armybuilder.engine.systems.list_matchups import EffectRows, MatchupConditions, MatchupRules, Models, SaveValue
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter
from armybuilder.engine.systems.wh40k_6th.combat.matrix import Shelter, Shooters, shooting_matrix, shooting_request
from armybuilder.engine.systems.wh40k_6th.combat.model_notes import note_rules
from armybuilder.engine.systems.wh40k_6th.matchup import Wh40kMatchup

ATTACKS = ("shooting",)
"""The rules text holds no assault; see docs/rules."""


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


def _rows(attack: str, attackers: Sequence[Fighter], defenders: Sequence[Fighter], seen: Wh40kConditions) -> EffectRows:
    return shooting_matrix(attackers, defenders, shooters=_shooters(seen), shelter=_shelter(seen))


def _request(attack: str, attacker: Fighter, defender: Fighter, seen: Wh40kConditions) -> Wh40kMatchup:
    return shooting_request(attacker, defender, shooters=_shooters(seen), shelter=_shelter(seen))


def _shooters(seen: Wh40kConditions) -> Shooters:
    return msgspec.convert(seen, Shooters, from_attributes=True)


def _shelter(seen: Wh40kConditions) -> Shelter:
    shelter = msgspec.convert(seen, Shelter, from_attributes=True)
    return msgspec.structs.replace(shelter, look_out_sir=not seen.nobody_looks_out)


MATCHUPS = MatchupRules(Fighter, Wh40kConditions, ATTACKS, ATTACKS, _rows, _request, note_rules)
