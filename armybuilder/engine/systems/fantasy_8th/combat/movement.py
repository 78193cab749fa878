"""Moves that dice decide: charges, pursuit of a fleeing unit, ambushers, dangerous terrain."""

from collections.abc import Sequence

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, binomial, certain, of, uniform
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.combat.experiments import D6, SWIFTSTRIDE, TWO_D6, Experiment, Ints
from armybuilder.engine.systems.fantasy_8th.combat.leadership import courage
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, Shift, characteristic
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.psychology import lowered
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import (
    MOUNTED,
    TYPE_RULES,
    any_rule,
    effects_of,
    group_rules,
    note_rules,
    unit_items,
    unit_rules,
)
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import dice, read
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Group, Side
from armybuilder.engine.systems.matchups import ModelNotes

FLIGHT = 10
"""Inches of a flying charge before the dice. Source: L475-484 [text]."""

NOTHING_LOST = Shift()
TREACHEROUS = frozenset({"Scree Slope", "Poison Forest", "Necrotic River", "Wild River"})
"""Special terrain that is dangerous for everybody. Source: L1175-1224 [text]."""

QUICKSAND, SINKING = "Khemrian Quicksand", frozenset({"monster", "monstrous_infantry", "monstrous_cavalry"})
"""Who fails a test in this marsh is lost. Source: L1240-1242 [text]."""

CAVALRY = MOUNTED | {"chariot"}
"""Troop types for which all terrain but open ground is dangerous. Source: L1162-1169 [text]."""

GROUNDS = {
    "forest": ("forest", "wood", "лес"),
    "marsh": ("marsh", "swamp", "болот"),
    "river": ("river", "water", "рек", "реч"),
    "obstacle": ("obstacle", "препятств"),
    "ruins": ("ruin", "руин"),
}
"""Words by which a strider names his terrain."""


def pursuit(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """The pursuer reaches the fleeing unit. Source: L314-315, L627-631 [text]."""
    winner, loser = matchup.winner, matchup.loser
    assert winner is not None and loser is not None  # the kind's needs
    note_rules(matchup, notes, {"winner": ("pursuit",), "loser": ("pursuit",)}, items=("pursuit",), effects=())
    if winner.main.troop_type == "war_machine":
        return Experiment((), lambda faces: {"p_destroyed": np.zeros(1)})
    if loser.main.troop_type == "war_machine":
        return Experiment((), lambda faces: {"p_destroyed": np.ones(1)})
    return Experiment((run(winner), run(loser)), lambda faces: {"p_destroyed": faces[0] >= faces[1]})


def catches(winner: Side, loser: Side) -> float:
    """Chance that a pursuit reaches the fleeing unit; machines never pursue nor flee. Source: L314-315 [text]."""
    if winner.main.troop_type == "war_machine":
        return 0.0
    if loser.main.troop_type == "war_machine":
        return 1.0
    far = run(winner)
    return float(sum(chance * far.at_least(int(inches)) for inches, chance in run(loser).as_dict().items()))


def run(side: Side) -> Distribution:
    """Inches of a flight or a pursuit. Source: L314-315, L560-575, L627-631 [text]."""
    random = dice(unit_rules(side), "random_movement", "/unit")
    if random is not None:
        return random.distribution()
    return SWIFTSTRIDE if is_swift(side) else TWO_D6


def charge(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """The charge reaches: Movement and 2D6 against the distance. Source: L64, L478-482, L627-630 [text]."""
    unit, conditions = matchup.unit, matchup.conditions
    distance = conditions.distance
    assert unit is not None and distance is not None  # the kind's needs
    note_rules(
        matchup,
        notes,
        {"unit": ("charge",)},
        items=("charge",),
        effects=("charge",),
    )
    obeys = binomial(1, wits(unit, matchup, notes))
    random = dice(unit_rules(unit), "random_movement", "/unit")
    if random is not None:
        total = random.distribution()
        return Experiment((obeys, total), lambda faces: {"p_success": (faces[0] > 0) & (faces[1] >= distance)})
    ways = lowered(FightingSide(unit, "unit", matchup.options), notes)
    short = np.array([distance - movement(unit, matchup, shift) for _, shift in ways])
    again = conditions.reroll_failed_charge or "Rampager's Standard" in unit_items(unit)
    again = again or "Idol of Gork" in set(effects_of(unit))
    number = 3 if is_swift(unit) else 2

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:
        acts, way, *rolls = faces
        missing = short[way]
        reached = best_two(rolls[:number]) >= missing
        return {"p_success": (acts > 0) & (reached | (best_two(rolls[number:]) >= missing) if again else reached)}

    slowed = of({number: chance for number, (chance, _) in enumerate(ways)})
    return Experiment((obeys, slowed) + (D6,) * (2 * number if again else number), outcome)


def wits(unit: Side, matchup: FantasyMatchup, notes: ModelNotes) -> float:
    """Chance that the unit may act in its turn: a stupid one tests its leadership first. Source: L621-626 [text]."""
    if not any_rule(unit, "stupidity"):
        return 1.0
    notes.assume(NOTES["stupid_unit_acts"])
    return courage(unit, matchup.conditions).holds()


def ambush(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """Ambushers arrive on 3+ from the second turn on. Source: L674-681 [text]."""
    turns = matchup.conditions.by_end_of_turn
    assert matchup.unit is not None and turns is not None  # the kind's needs
    note_rules(matchup, notes, {"unit": ("ambush",)}, items=(), effects=())
    if not any_rule(matchup.unit, "ambushers"):
        notes.assume(NOTES["unit_without_ambushers"])
        return Experiment((), lambda faces: {"p_arrived": np.ones(1)})
    rolls = binomial(min(turns - 1, 400), 2 / 3)
    return Experiment((rolls,), lambda faces: {"p_arrived": faces[0] > 0})


def dangerous_terrain(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """One test a model; wounds before ward saves. Source: L1162-1169, L1181-1191, L1234-1252 [text]."""
    unit = matchup.unit
    assert unit is not None and matchup.conditions.terrain is not None  # the kind's needs
    note_rules(
        matchup,
        notes,
        {"unit": ("dangerous_terrain",)},
        items=(),
        effects=("dangerous_terrain",),
    )
    notes.assume(NOTES["every_model_crosses"])
    total: Distribution = certain(0)
    for group in unit.models:
        faces = failing_faces(unit, group, matchup.conditions.terrain)
        failed = binomial(group.count, faces / 6)
        if group.troop_type == "chariot":
            failed = uniform(range(1, 7)).summed(failed)
        elif QUICKSAND in set(effects_of(unit)) and group.troop_type in SINKING:
            failed = failed.map(lambda models, wounds=group.profile.W or 1: models * wounds)  # type: ignore[misc]
        total = total + failed
    return Experiment((total,), lambda faces: {"wounds": faces[0]}, ("wounds",))


def failing_faces(unit: Side, group: Group, terrain: str) -> int:
    """How many faces of the D6 wound a model in this terrain."""
    rules = {**unit_rules(unit), **group_rules(group)}
    if "ethereal" in rules or strides(unit, group, terrain):
        return 0
    cursed = "The Curse of Anraheir" in set(effects_of(unit))
    cavalry = group.troop_type in CAVALRY
    if terrain == "marsh":
        if "skirmishers" in rules and not cavalry and not cursed:
            return 0
        return 2 if cavalry or cursed else 1
    if cursed:
        return 2
    flyer = terrain == "forest" and "fly" in rules
    return 1 if cavalry or flyer or not TREACHEROUS.isdisjoint(effects_of(unit)) else 0


def strides(unit: Side, group: Group, terrain: str) -> bool:
    """Whether the model is a strider of this terrain, or of any. Source: L611-615 [text]."""
    steed = group.mount.rules if group.mount is not None else ()
    for rule in map(read, (*unit.rules, *group.rules, *steed)):
        if rule.slug == "strider":
            value = (rule.value or "").casefold()
            named = {ground for ground, words in GROUNDS.items() if any(word in value for word in words)}
            if not named or terrain in named:
                return True
    return False


def is_swift(side: Side) -> bool:
    """Whether the whole unit has Swiftstride. Source: L627-631 [text]."""
    return all(
        "swiftstride" in unit_rules(side) or "swiftstride" in TYPE_RULES.get(group.troop_type, ()) or "fly" in rules
        for group in side.models
        for rules in (group_rules(group),)
        if group.count or len(side.models) == 1
    )


def best_two(faces: Sequence[Ints]) -> Ints:
    """Sum of the dice without the lowest of three."""
    total = np.sum(faces, axis=0)
    return np.asarray(total - np.min(faces, axis=0) if len(faces) == 3 else total, np.int64)


def movement(unit: Side, matchup: FantasyMatchup, shift: Shift = NOTHING_LOST) -> int:
    """Inches the unit charges before the dice: the slowest model, the mount's of cavalry. Source: L64, L709-713 [text].

    Args:
        shift: what spells have done to its characteristics.

    Raises:
        BadDocument: a profile without M.
    """
    fighting_side = FightingSide(unit, "unit", matchup.options, shift=shift)
    slowest: list[int] = []
    for index, group in enumerate(unit.models):
        at = f"/unit/models/{index}"
        if not group.count and len(unit.models) > 1:
            continue
        if "fly" in unit_rules(unit) or "fly" in group_rules(group):
            slowest.append(FLIGHT)
            continue
        mount = group.mount
        ridden = mount is not None and mount.profile.M is not None
        profile = mount.profile if mount is not None and ridden else group.profile
        if profile.M is None:
            raise BadDocument("Missing field 'M': the charge needs it.", f"{at}/profile/M")
        inches = characteristic(fighting_side, profile, "M", None if ridden else group, at)
        slowest.append(2 * inches if "Birona's Timewarp" in set(effects_of(unit)) else inches)
    return min(slowest)
