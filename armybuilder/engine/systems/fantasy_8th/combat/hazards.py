"""Tables and shares of hits: misfires, Look Out, Sir!, ridden monsters, monsters with handlers."""

from collections.abc import Sequence

import numpy as np

from armybuilder.engine.combat.distribution import binomial
from armybuilder.engine.systems.fantasy_8th.combat.experiments import D6, Experiment, Ints
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import note_rules
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup
from armybuilder.engine.systems.matchups import ModelNotes

ENOUGH = 5
"""Other models that a character needs around him. Source: L907-911, L934-936 [text]."""

NEAR = 3
"""Inches within which a friendly unit takes hits for a lone character. Source: L907-911 [text]."""


def misfire(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """The misfire table of the machine. Source: L1097-1100, L1147-1151 [text]."""
    if matchup.machine == "stone_thrower":
        return Experiment(
            (D6,),
            lambda faces: {
                "p_destroyed": faces[0] == 1,
                "p_crewman_lost": (faces[0] == 2) | (faces[0] == 3),
                "p_can_fire_next_turn": faces[0] >= 4,
            },
        )
    return Experiment((D6,), lambda faces: {"p_destroyed": faces[0] <= 2, "p_can_fire_next_turn": faces[0] >= 5})


def look_out_sir(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """Whether one hit strikes the character. Source: L598-605, L907-911, L930-936 [text]."""
    unit, hit_by, friends = matchup.unit, matchup.conditions.hit_by, matchup.friends
    assert unit is not None  # the kind's needs
    note_rules(matchup, notes, {}, items=(), effects=())
    others = sum(group.count for group in unit.models if not group.is_character)
    shielded = others >= ENOUGH
    helped = friends is not None and friends.count >= ENOUGH and friends.distance <= NEAR
    if hit_by == "sniper":
        chance = 6
    elif shielded:
        chance = 0 if hit_by == "shooting" else 1
    elif others:
        if hit_by == "shooting":
            notes.assume(NOTES["unit_fewer_than"])
            return Experiment((binomial(1, 1 / (others + 1)),), lambda faces: {"p_hit_on_character": faces[0] == 1})
        chance = 6
    else:
        chance = 3 if helped else 6
    return Experiment((D6,), lambda faces: {"p_hit_on_character": faces[0] <= chance})


def ridden_monster(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """Hits on a ridden monster: 5-6 strike the rider. Source: L991-997 [text]."""
    unit, hits = matchup.unit, matchup.hits
    assert unit is not None and hits is not None  # the kind's needs
    note_rules(matchup, notes, {}, items=(), effects=())
    ridden = any(group.riders != 0 for group in unit.models)
    template = matchup.conditions.hit_by == "template"
    if template:
        notes.assume(NOTES["template_hits_monster"])
    share = 0.0 if not ridden else 1.0 if template else 1 / 3
    return Experiment((binomial(hits, share),), lambda faces: {"hits_on_rider": faces[0]}, ("hits_on_rider",))


def monster_and_handlers(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """Unsaved wounds: 5-6 remove a handler as long as there is one. Source: L521-528 [text]."""
    unit, wounds = matchup.unit, matchup.unsaved_wounds
    assert unit is not None and wounds is not None  # the kind's needs
    note_rules(matchup, notes, {"unit": ("handlers",)}, items=(), effects=())
    handlers = sum(group.handlers or 0 for group in unit.models)

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:
        slain = np.minimum(faces[0], handlers)
        return {"monster_wounds": wounds - slain, "handlers_slain": slain}

    return Experiment((binomial(wounds, 1 / 3),), outcome, ("handlers_slain",))
