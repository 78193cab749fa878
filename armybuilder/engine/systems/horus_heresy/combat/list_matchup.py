"""Two lists of the Horus Heresy meet: what players state about it, every pair of units, and one pair in depth."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.matrix import (
    Target,
    armed,
    fired_at,
    pair_request,
    shooting_matrix,
)
from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_rules
from armybuilder.engine.systems.horus_heresy.combat.morale import LONGEST_CHARGE
from armybuilder.engine.systems.horus_heresy.combat.simulations import KINDS
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.matchup import (
    AttackConditions,
    HeresyMatchup,
    MatchupOptions,
    Reaction,
    Side,
)
from armybuilder.engine.systems.list_matchups import (
    Effect,
    EffectRows,
    MatchupConditions,
    MatchupRules,
    Models,
    NoAttack,
    SaveValue,
    as_attackers_see,
    metrics_of,
    pair_by_pair,
)

ATTACKS = ("shooting", "assault")
LATER_ROUND = 2
"""A round of combat in which nobody charged."""

NEVER_FIGHTS = Text("without Weapon Skill it strikes no blows", "без навыка ближнего боя ударов не наносят")


class HeresyConditions(MatchupConditions, frozen=True, kw_only=True):
    """The circumstances under which two lists meet. The attacker is the first list.

    Attributes:
        distance: inches between the units; decides range, half range and template reach.
        cover, attacker_cover: cover save of the defender, and of the attacker when he is shot at in return.
        moved, defender_moved: whether that side moved this turn.
        cruising: vehicles that moved did so at cruising speed.
        snap_shots, defender_snap_shots: that side is pinned, falling back or shaken.
        psychic_checks: psykers attempt the check of their Force weapons.
        charge: whether the attacker charges in an assault; otherwise the fight has been going on.
        models_covered: models under a blast marker or template.
        reaction: of the defender; his return fire is his own shooting.
        challenge: Characters of both units fight a challenge in an assault.
        game_turn: which changes the Strength and Toughness of Daemons; None leaves them as written.
    """

    distance: Annotated[float, Meta(ge=0, le=400)] = 12
    cover: SaveValue | None = None
    attacker_cover: SaveValue | None = None
    facing: Literal["front", "side", "rear"] = "front"
    models_covered: Models | None = None
    moved: bool = False
    defender_moved: bool = False
    cruising: bool = False
    snap_shots: bool = False
    defender_snap_shots: bool = False
    psychic_checks: bool = False
    charge: bool = True
    night_fighting: bool = False
    reaction: Literal["evade", "return_fire", "overwatch_fire", "hold_the_line", "death_or_glory"] | None = None
    challenge: bool = False
    game_turn: Annotated[int, Meta(ge=1, le=7)] | None = None


class _Seen(HeresyConditions, frozen=True, kw_only=True):
    """The same as attackers see it; `outgoing`: they are the first list's, and the reaction is that of their target."""

    outgoing: bool = True


def _as_attackers_see(conditions: HeresyConditions, outgoing: bool) -> _Seen:
    seen = msgspec.convert(as_attackers_see(conditions, outgoing), _Seen, from_attributes=True)
    return msgspec.structs.replace(seen, outgoing=outgoing)


DAEMONS_BY_TURN = {1: 1, 2: 1, 3: 0, 4: 0, 5: -1, 6: -1, 7: -2}
"""What a game turn adds to the Strength and Toughness of Daemons (L1597)."""

AGAINST_A_CHARGE: Mapping[str | None, Reaction] = {"overwatch_fire": "overwatch", "hold_the_line": "hold_the_line"}
"""Reactions to a charge, by what players state."""


def _rows(attack: str, attackers: Sequence[Fighter], defenders: Sequence[Fighter], seen: _Seen) -> EffectRows:
    if attack == "assault":
        yield from pair_by_pair(_assault)(attack, attackers, defenders, seen)
        return
    targets = [_defender(fighter, seen) for fighter in defenders]
    firing = [_attacker(fighter, seen) for fighter in attackers]
    yield from shooting_matrix(firing, targets, conditions=_of_attack(attack, seen))


def _request(attack: str, attacker: Fighter, defender: Fighter, seen: _Seen) -> HeresyMatchup:
    if attack == "assault" and not any(group.profile.weapon_skill for group in attacker.side.models):
        raise NoAttack(NEVER_FIGHTS, "/attacker")
    attacker, defender = _attacker(attacker, seen), _defender(defender, seen)
    of_attack = _of_attack(attack, seen)
    if of_attack.reaction == "overwatch":
        of_attack = msgspec.structs.replace(of_attack, answering=_answering(defender, attacker, of_attack))
    return pair_request(
        attacker,
        defender,
        kind="combat_round" if attack == "assault" else attack,
        conditions=of_attack,
        attacker_charged=attack == "assault" and seen.charge,
    )


def _attacker(fighter: Fighter, seen: HeresyConditions) -> Fighter:
    side = _at_turn(fighter.side, seen.game_turn)
    return msgspec.structs.replace(fighter, side=_checking(msgspec.structs.replace(side, moved=seen.moved), seen))


def _defender(fighter: Fighter, seen: _Seen) -> Fighter:
    side = _at_turn(fighter.side, seen.game_turn)
    reaction: Literal["none", "evade"] = "evade" if seen.outgoing and seen.reaction == "evade" else "none"
    side = msgspec.structs.replace(side, cover=seen.cover, reaction=reaction)
    return msgspec.structs.replace(fighter, side=_checking(side, seen))


def _checking(side: Side, seen: HeresyConditions) -> Side:
    """The side with the optional checks of its psykers."""
    return msgspec.structs.replace(side, psychic_check="attempted") if seen.psychic_checks else side


def _at_turn(side: Side, turn: int | None) -> Side:
    """The side with what the game turn makes of its Daemons. Source: HH L1597 [text]."""
    change = 0 if turn is None else DAEMONS_BY_TURN[turn]
    if not change:
        return side
    replace = msgspec.structs.replace
    models = list(side.models)
    for number, group in enumerate(models):
        if group.is_a("daemon"):
            old = group.profile
            changed = {
                name: max(0, value + change)
                for name, value in (("strength", old.strength), ("toughness", old.toughness))
                if value is not None
            }
            models[number] = replace(group, profile=replace(old, **changed))
    return replace(side, models=tuple(models))


def _answering(defender: Fighter, attacker: Fighter, conditions: AttackConditions) -> Side:
    """The defender with the weapons that he fires at a charger."""
    charging = msgspec.structs.replace(attacker, side=msgspec.structs.replace(attacker.side, charged=True))
    volley = fired_at(defender, Unit(defender.side, "/defender"), Target(charging, MatchupOptions()), conditions)
    return armed(defender.side, volley)


def _of_attack(attack: str, seen: _Seen) -> AttackConditions:
    reaction = _reaction(attack, seen)
    if attack == "assault":
        return AttackConditions(
            night_fighting=seen.night_fighting,
            combat_round=1 if seen.charge else LATER_ROUND,
            reaction=reaction,
            distance=min(seen.distance, LONGEST_CHARGE) if reaction == "overwatch" else None,
            challenge=seen.challenge,
            game_turn=seen.game_turn,
        )
    return AttackConditions(
        night_fighting=seen.night_fighting,
        distance=seen.distance,
        facing=seen.facing,
        models_covered=seen.models_covered,
        snap_shots=seen.snap_shots,
        cruising=seen.cruising,
        reaction=reaction,
        game_turn=seen.game_turn,
    )


def _reaction(attack: str, seen: _Seen) -> Reaction:
    """What they do against a charge or a ram, or their return fire: the answer is the attack of the second list."""
    if attack == "assault":
        return AGAINST_A_CHARGE.get(seen.reaction, "none") if seen.outgoing and seen.charge else "none"
    if attack == "ram":
        return "death_or_glory" if seen.outgoing and seen.reaction == "death_or_glory" else "none"
    return "return_fire" if seen.reaction == "return_fire" and not seen.outgoing else "none"


def _assault(attack: str, attacker: Fighter, defender: Fighter, seen: _Seen) -> Effect:
    """A round of close combat. Raises BadDocument where the two cannot fight."""
    metrics, sampled = metrics_of(_request(attack, attacker, defender, seen), KINDS)
    return Effect.on(
        defender,
        metrics,
        metrics.get("models_slain", 0.0),
        hull_points_lost=metrics.get("hull_points_lost") if defender.has_hull else None,
        wounds_lost=metrics.get("wounds_lost") if defender.has_several_wounds else None,
        sampled=sampled,
    )


MATCHUPS: MatchupRules[Fighter, Any] = MatchupRules(
    Fighter, HeresyConditions, ATTACKS, ATTACKS, _rows, _request, note_rules, occasions=("ram",), seen=_as_attackers_see
)
