"""Blows of one side: the kinds melee, attack_count, impact_hits, stomp and breath_weapon."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec
import numpy as np

from armybuilder.engine.combat.distribution import Distribution, Floats
from armybuilder.engine.combat.outcomes import Measured, Outcomes, Values
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.casualties import Body, Count, after, body_of, roll_volley, unsaved
from armybuilder.engine.systems.fantasy_8th.combat.formation import count_of
from armybuilder.engine.systems.fantasy_8th.combat.items import ITEMS
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import parts_of
from armybuilder.engine.systems.fantasy_8th.combat.melee import dismounted, manned, survives_wounds
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, MeleeAttacker, melee_attackers
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.psychology import Scenario, scenarios
from armybuilder.engine.systems.fantasy_8th.combat.salvos import (
    SHARED_OUT,
    Burst,
    Shared,
    both,
    enter,
    exactly,
    shared,
    told_apart,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import alike, unknown_armour
from armybuilder.engine.systems.fantasy_8th.combat.special_hits import breath, impact_hits, stomps
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import TABLE
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, ListedMatchup, Side
from armybuilder.engine.systems.matchups import MAX_SHOTS, ModelNotes, refuse_above
from armybuilder.engine.systems.outcome_models import OneOf, OutcomeModel

SLOWING = "Blessed Bulwark (against Destruction)"
"""An obstacle that halves the Initiative of whoever attacks over it. Source: L1271-1273 [text]."""

STANDS = Text(
    "It causes fear; the chance that a charged unit flees from it stands by itself, the other numbers hold when it "
    "does not.",
    "Учтён страх; вероятность бегства атакованного отряда дана отдельно, остальные числа – когда он не бежит.",
)
BURNT = Text(
    "Flaming wounds are not regenerated, but do not stop the Regeneration of later wounds.",
    "Огненные раны не регенерируются, но регенерацию следующих ран не отключают.",
)
WHOLE_ROUNDS = frozenset({"combat_round", "building_assault", "war_machine_melee"})
Volley = tuple[MeleeAttacker, Count]
Source = Callable[[FightingSide, FightingSide], Iterator[MeleeAttacker]]


def fighting_sides(matchup: FantasyMatchup) -> tuple[FightingSide, FightingSide]:
    """Both sides as they stand before the rolls of this round."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    number = matchup.conditions.combat_round
    own, theirs = (SLOWING in set(rules_in_force.effects_of(side)) for side in (attacker, defender))
    return (
        FightingSide(
            dismounted(manned(attacker)), "attacker", matchup.options, number, attacker.charged, slowed=theirs
        ),
        FightingSide(dismounted(manned(defender)), "defender", matchup.options, number, defender.charged, slowed=own),
    )


def melee(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """The attacker's blows of one round."""
    _note_melee(matchup, notes)
    return _struck(scenarios(*fighting_sides(matchup), matchup.conditions, notes), melee_attackers, "attacks")


def attack_count(matchup: FantasyMatchup, notes: ModelNotes) -> OutcomeModel:
    """Attacks of the whole unit against its front. Source: L255-270 [text]."""
    unit = matchup.unit
    assert unit is not None  # the kind's needs
    rules_in_force.note_rules(
        matchup,
        notes,
        {"unit": ("attack_count",)},
        items=("attack_count",),
        effects=("attack_count",),
    )
    fighting_side = FightingSide(unit, "unit", matchup.options, matchup.conditions.combat_round, unit.charged)
    standing = [group.count for group in unit.models]
    numbers = [
        count_of(fighting_side, matchup.enemy, one, standing, places=None)
        for one in melee_attackers(fighting_side, None)
    ]

    def describe(outcomes: Outcomes) -> None:
        attacks: Values = outcomes.either(
            lambda: sum(float(count.distribution().mean) for count in numbers),
            lambda rng, trials: sum((count.roll(rng, trials) for count in numbers), np.zeros(trials, np.int64)),
        )
        outcomes.add("attacks", attacks)

    return OutcomeModel(describe, 8)


def only_impact_hits(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """Impact hits alone."""
    return _struck(_hit_scenarios(matchup, notes), impact_hits, "hits")


def only_stomps(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """Stomp and Thunderstomp alone."""
    return _struck(_hit_scenarios(matchup, notes), stomps, "hits")


def only_breath(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """A breath weapon alone."""
    apart = _breathed_at(matchup, notes)
    if apart:
        return OneOf([(chance, _shared_out(fire)) for chance, fire in apart])
    return _struck(_hit_scenarios(matchup, notes), _breath(matchup), "hits")


def _shared_out(fire: Shared) -> OutcomeModel:
    def describe(outcomes: Outcomes) -> None:
        enter(outcomes, fire, outcomes.either(partial(exactly, fire), fire.roll), fire.body.destroyed)

    return OutcomeModel(describe, 2, fire.after)


def _breathed_at(matchup: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Shared]]:
    """A breath from afar at a monster with its rider, whom the template strikes both; nothing otherwise (L991-997)."""
    defender = matchup.defender
    assert defender is not None  # the kind's needs
    pair = told_apart(FightingSide(defender, "defender", matchup.options))
    if matchup.conditions.in_close_combat or pair is None:
        return []
    notes.assume(SHARED_OUT)
    result = []
    for chance, fighting_side, enemy in _hit_scenarios(matchup, notes):
        monster, rider = (_volleys(fighting_side, replace(one, shift=enemy.shift), _breath(matchup)) for one in pair)
        bursts = [
            Burst(count.distribution(), both(melee_attacker.attack, other.attack))
            for (melee_attacker, count), (other, _) in zip(monster, rider, strict=True)
        ]
        result.append((chance, shared(pair[0].side, bursts)))
    return result


def note_groups(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Say how units of several groups are treated."""
    for name in ("attacker", "defender"):
        side = getattr(matchup, name)
        if side is None:
            continue
        if not alike(_without_characters(side)):
            notes.approximate("mixed units", NOTES["mixed_units"])
        if (
            not (isinstance(matchup, ListedMatchup) and matchup.at_characters)
            and 0 < sum(g.count for g in side.models if g.is_character) < side.count
        ):
            notes.assume(NOTES["characters_unit_struck"])
    for side in matchup.sides().values():
        notes.not_simulated += unknown_armour(side)
    weakened = [side for name, side in matchup.sides().items() if "Warrior Bane" in rules_in_force.unit_items(side)]
    if any(side.count > 1 for side in weakened):
        notes.approximate("Warrior Bane", NOTES["warrior_bane"])
    texts = [special_rules.read(text) for side in matchup.sides().values() for text in rules_in_force.texts_of(side)]
    if any(rule.slug == "hatred" and rule.value for rule in texts):
        notes.assume(NOTES["enemy_one_hated"])
    if any(rule.slug == "terror" for rule in texts):
        terror = TABLE.rules["terror"]
        text = STANDS if matchup.kind == "combat_round" or terror.how is None else terror.how
        notes.approximate(terror.name, text)
    if any(rule.slug == "flaming_attacks" for rule in texts) and any(
        _regeneration_lasts(side, matchup.kind) for side in matchup.sides().values()
    ):
        notes.approximate("Regeneration", BURNT)
    notes.assume(NOTES["to_hit_to"])
    if any(side.width is None for side in matchup.sides().values()):
        notes.assume(NOTES["unit_without_width"])


def _without_characters(side: Side) -> Side:
    """Those who are struck and fall together."""
    ranks = tuple(group for group in side.models if not group.is_character)
    return msgspec.structs.replace(side, models=ranks) if ranks else side


def _regeneration_lasts(side: Side, kind: str) -> bool:
    """Whether fire should have stopped a Regeneration that is rolled: single blows remember no wounds of a model."""
    forgotten = (ITEMS[name].remembered for name in rules_in_force.unit_items(side))
    remembered = kind in WHOLE_ROUNDS and not any(forgotten)
    return not remembered and survives_wounds(side) and rules_in_force.any_rule(side, "regeneration")


def _note_melee(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    played = {"attacker": ("blows", "psychology"), "defender": ("struck", "psychology")}
    rules_in_force.note_rules(matchup, notes, played, items=("blows",), effects=("fight",))
    note_groups(matchup, notes)
    notes.assume(NOTES["models_contact_supporting"])


def note_hits(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the rules that automatic hits have a part in into the notes."""
    played = {"attacker": (matchup.kind, "hits"), "defender": ("hit",)}
    rules_in_force.note_rules(matchup, notes, played, items=("hits",), effects=("fight",))
    note_groups(matchup, notes)


def _hit_scenarios(matchup: FantasyMatchup, notes: ModelNotes) -> list[Scenario]:
    note_hits(matchup, notes)
    return scenarios(*fighting_sides(matchup), matchup.conditions, notes)


def _breath(matchup: FantasyMatchup) -> Source:
    return lambda fighting_side, enemy: breath(fighting_side, enemy, matchup.conditions)


def _volleys(fighting_side: FightingSide, enemy: FightingSide, source: Source) -> list[Volley]:
    standing = [group.count for group in fighting_side.side.models]
    made = [(s, count_of(fighting_side, enemy.side, s, standing, places=None)) for s in source(fighting_side, enemy)]
    made.sort(key=lambda volley: -volley[0].order)
    for melee_attacker, count in made:
        refuse_above(count.highest, MAX_SHOTS, "attacks", f"/{fighting_side.name}/models/{melee_attacker.group}")
    return made


def _body(enemy: FightingSide, volleys: list[Volley]) -> Body:
    worst = 0
    for melee_attacker, count in volleys:
        damage = melee_attacker.attack.damage.highest * melee_attacker.attack.factor
        most = max((group.profile.W or 1 for group in enemy.side.models), default=1)
        worst += count.highest * (most if melee_attacker.attack.killing_blow else min(damage, most))
    guarded = any(melee_attacker.attack.once for melee_attacker, _ in volleys)
    return body_of(enemy.side, wounds_cap=worst, guarded=guarded, only=parts_of(enemy.side)[0])


@dataclass(frozen=True, slots=True)
class Struck:
    """What one side's volleys come to in each case.

    Attributes:
        at: state of the target; struck: attacks or hits.
        by_part: unsaved wounds by rider and mount, when they are told apart.
    """

    at: Ints
    unsaved: Measured
    struck: Values
    by_part: Mapping[str, Values]


def _struck(ways: list[Scenario], source: Source, counted: str) -> OneOf:
    """What one side's volleys come to, over all ways the rolls before them can turn out."""
    return OneOf([(chance, _blows(own, enemy, source, counted)) for chance, own, enemy in ways])


def _blows(fighting_side: FightingSide, enemy: FightingSide, source: Source, counted: str) -> OutcomeModel:
    volleys = _volleys(fighting_side, enemy, source)
    body = _body(enemy, volleys)
    ridden = counted == "attacks" and any(group.mount is not None for group in fighting_side.side.models)
    parts = ("rider", "mount", *(melee_attacker.part for melee_attacker, _ in volleys)) if ridden else ()

    def states() -> Floats:
        found = body.fresh
        for melee_attacker, count in volleys:
            found = after(found, count, melee_attacker.attack, body)
        return found

    def describe(outcomes: Outcomes) -> None:
        found = outcomes.either(partial(_exactly, volleys, body, parts), partial(_rolled, volleys, body, parts))
        for part, wounds in found.by_part.items():
            outcomes.add(f"unsaved_wounds:{part}", wounds)
        outcomes.add(counted, found.struck)
        outcomes.add("unsaved_wounds", found.unsaved, distribution=True)
        outcomes.add("wounds_lost", body.lost[found.at])
        outcomes.add("models_slain", body.slain[found.at])
        outcomes.add("p_destroyed", body.destroyed[found.at] & _is_one(enemy.side))

    return OutcomeModel(describe, sum(count.highest for _, count in volleys) + 1, states)


def _exactly(volleys: list[Volley], body: Body, parts: Sequence[str]) -> Struck:
    wounds: Floats = np.array([[1.0], [0.0]])
    by_part, so_far = dict.fromkeys(parts, 0.0), 0.0
    for melee_attacker, count in volleys:
        wounds = unsaved(count, melee_attacker.attack, before=wounds)
        mean = float(wounds.sum(axis=0) @ np.arange(wounds.shape[1]))
        if melee_attacker.part in by_part:
            by_part[melee_attacker.part] += mean - so_far
        so_far = mean
    struck = sum(float(count.distribution().mean) for _, count in volleys)
    return Struck(np.arange(body.size), Distribution(0, wounds.sum(axis=0)), struck, by_part)


def _rolled(volleys: list[Volley], body: Body, parts: Sequence[str], rng: np.random.Generator, trials: int) -> Struck:
    at, total, struck = (np.zeros(trials, np.int64) for _ in range(3))
    by_part = {part: np.zeros(trials, np.int64) for part in parts}
    for melee_attacker, count in volleys:
        fallen = roll_volley(at, count.roll(rng, trials), melee_attacker.attack, body, rng)
        at, total, struck = fallen.states, total + fallen.unsaved, struck + fallen.attacks
        if melee_attacker.part in by_part:
            by_part[melee_attacker.part] += fallen.unsaved
    return Struck(at, total, struck, by_part)


def _is_one(side: Side) -> bool:
    """Whether nobody is left when those are gone who are struck."""
    return len(parts_of(side)) == 1
