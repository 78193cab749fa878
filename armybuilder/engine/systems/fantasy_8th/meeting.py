"""Two lists of Fantasy 8th edition meet: what players state about it, every pair of units, and one pair in depth."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from armybuilder.engine.errors import BadDocument, Cancelled
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th import traits
from armybuilder.engine.systems.fantasy_8th.fighters import Fighter
from armybuilder.engine.systems.fantasy_8th.matchup import Clash, Conditions, Group, Side
from armybuilder.engine.systems.fantasy_8th.weapons import missile_arm
from armybuilder.engine.systems.meetings import NOTHING_TO_FIRE, Effect, Models, NoAttack, Stated, metrics_of

__all__ = ["ATTACKS", "MATRIX", "Circumstances", "Fighter", "effects", "matchup"]

ATTACKS = ("close_combat", "shooting")
MATRIX = ATTACKS
LATER_ROUND = 2
"""A round of combat in which nobody charged."""

UNDER_A_TEMPLATE = {"cannon": 2, "great cannon": 2, "stone thrower": 4, "fire thrower": 4}
"""Models that a machine hits where nobody says how many: those in the path of a ball, or under a stone [decision]."""


NEVER_CHARGES = Text("war machines do not charge", "боевые машины сами не нападают")

SIDES: dict[str, Literal["front", "flank", "rear"]] = {"ahead": "front", "flank": "flank", "behind": "rear"}


class Circumstances(Stated, frozen=True, kw_only=True):
    """The circumstances under which two lists meet. The attacker is the first list.

    Attributes:
        charge: whether the side that attacks charges; otherwise the combat has been going on.
        attacks_from: the side of the target that is struck.
        frontage: models in a rank, of every unit that has so many.
        distance: inches between the units when they shoot.
        target_cover: cover of the target.
        models_covered: models that a war machine hits.
        moved, defender_moved: whether that side moved this turn.
    """

    charge: bool = True
    attacks_from: Literal["ahead", "flank", "behind"] = "ahead"
    frontage: Annotated[int, Meta(ge=1, le=30)] | None = None
    distance: Annotated[float, Meta(ge=0, le=400)] = 12
    target_cover: Literal["none", "soft", "hard"] = "none"
    models_covered: Models | None = None
    moved: bool = False
    defender_moved: bool = False


def effects(
    attack: str,
    acting: Sequence[Fighter],
    suffering: Sequence[Fighter],
    *,
    circumstances: Circumstances,
    is_forth: bool,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> list[list[Effect | None]]:
    """Every pair exactly; with dice where the exact method has too much to follow. Raises Cancelled."""
    rows: list[list[Effect | None]] = []
    for number, fighter in enumerate(acting):
        if should_stop():
            raise Cancelled(f"Cancelled after {number} of {len(acting)} units.")
        rows.append([_effect(attack, fighter, target, circumstances, is_forth=is_forth) for target in suffering])
        progress((number + 1) / len(acting))
    return rows


def matchup(attack: str, acting: Fighter, suffering: Fighter, *, circumstances: Circumstances, is_forth: bool) -> Clash:
    """The matchup document behind one pair. Raises NoAttack where there is none of that kind."""
    first, second = acting.side, suffering.side
    if attack == "shooting":
        first = replace(_shooters(acting), moved=circumstances.moved if is_forth else circumstances.defender_moved)
        kind, conditions = "shooting", _volley(first, circumstances)
        second = replace(second, cover=circumstances.target_cover)
    else:
        if first.main.troop_type == "war_machine":
            raise NoAttack(NEVER_CHARGES, "/attacker")
        first = replace(
            _in_ranks(first, circumstances),
            charged=circumstances.charge,
            attacks_from=SIDES[circumstances.attacks_from],
        )
        second = _in_ranks(second, circumstances)
        is_machine = second.main.troop_type == "war_machine" and second.main.crew is not None
        kind = "war_machine_melee" if is_machine else "combat_round"
        conditions = Conditions(combat_round=1 if circumstances.charge else LATER_ROUND)
    return Clash(
        system="fantasy-8th",
        kind=kind,
        name=f"{acting.name} – {suffering.name}",
        attacker=first,
        defender=second,
        conditions=conditions,
    )


def has_missiles(side: Side) -> bool:
    """Whether anybody in the unit has something to shoot with."""
    return any(group.count and missile_arm(group) is not None and _shoots(group) for group in side.models)


def _shooters(fighter: Fighter) -> Side:
    """The groups that have something to shoot with. Raises NoAttack when there are none."""
    groups = tuple(group for group in fighter.side.models if missile_arm(group) is not None and _shoots(group))
    if not groups:
        raise NoAttack(NOTHING_TO_FIRE, "/attacker")
    return replace(fighter.side, models=groups)


def _shoots(group: Group) -> bool:
    found = missile_arm(group)
    return found is not None and (found[1].reach is not None or found[1].template)


def _volley(side: Side, stated: Circumstances) -> Conditions:
    """Distance, how many a machine hits, and the best way of firing what the unit has."""
    found = missile_arm(side.main)
    assert found is not None  # shooters have one
    arm = found[1]
    if arm.reach is not None and stated.distance > arm.reach:
        raise NoAttack(NOTHING_TO_FIRE, "/conditions/distance")
    rules = traits.in_force((*side.rules, *side.main.rules, *arm.rules))
    mode: Literal["normal", "multiple_shots", "volley_fire"] = "normal"
    if "multiple_shots" in rules:
        mode = "multiple_shots"
    elif "volley_fire" in rules:
        mode = "volley_fire"
    covered = stated.models_covered or UNDER_A_TEMPLATE.get(arm.name, 4 if arm.template or arm.centre else None)
    return Conditions(distance=stated.distance, shooting_mode=mode, models_covered=covered)


def _in_ranks(side: Side, stated: Circumstances) -> Side:
    return side if stated.frontage is None else replace(side, width=min(stated.frontage, side.count))


def _effect(
    attack: str, acting: Fighter, suffering: Fighter, stated: Circumstances, *, is_forth: bool
) -> Effect | None:
    """One pair; None where there is no attack."""
    try:
        document = matchup(attack, acting, suffering, circumstances=stated, is_forth=is_forth)
        metrics, sampled = metrics_of(document)
    except BadDocument:
        return None
    slain = metrics.get("models_slain", 0.0)
    slain += metrics.get("crumbled_wounds", 0.0) / (suffering.side.main.profile.W or 1)
    tough = any((group.profile.W or 1) > 1 for group in suffering.side.models)
    lost = metrics.get("total_wounds_lost", metrics.get("wounds_lost"))
    found = missile_arm(acting.side.main) if attack == "shooting" else None
    return Effect(
        models_slain=slain,
        wounds_lost=lost if tough and suffering.models < 3 else None,
        points_destroyed=slain / max(1, suffering.models) * float(suffering.points),
        p_destroyed=metrics.get("p_destroyed", 0.0),
        p_broken=metrics.get("p_defender_breaks"),
        weapons=(found[1].name,) if found else (),
        sampled=sampled,
    )
