"""Battles: the hero's roll against the enemies', alone or one after another."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import exploding, roll_exploding
from armybuilder.engine.combat.distribution import Distribution, certain
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel
from armybuilder.engine.systems.relic.combat.assets import (
    available,
    battle_choice,
    battle_value,
    charged_plans,
    note_cards,
)
from armybuilder.engine.systems.relic.combat.note_words import NOTES
from armybuilder.engine.systems.relic.combat.rolls import (
    add_explosions,
    explosions,
    faces_again,
    natural,
    power_roll,
    roll_faces,
    roll_total,
)
from armybuilder.engine.systems.relic.hero import Asset, AttributeName, Hero
from armybuilder.engine.systems.relic.matchup import Battle, Encounter, Enemy, Override

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fight:
    """One battle ready to be rolled.

    Attributes:
        hero: what he rolls with; `power_numbers` are those he plays in this battle.
        advantage: the hero's constants minus the enemies'.
        points: trophy points of a win.
        played: power cards played.
        opposed: False when every enemy is evaded.
    """

    hero: Hero
    advantage: int
    points: int
    played: int
    opposed: bool
    override: Override


@dataclass(frozen=True, slots=True)
class Ends:
    """Win, tie and loss of one battle: their chances, or which trials ended so."""

    win: Values
    draw: Values
    lose: Values


def battle(encounter: Encounter, notes: ModelNotes) -> OutcomeModel:
    """One battle."""
    fight = _single(encounter, notes)

    def describe(outcomes: Outcomes) -> None:
        ends = _fought(fight, outcomes)
        outcomes.add("p_win", ends.win)
        outcomes.add("p_draw", ends.draw)
        outcomes.add("p_lose", ends.lose)
        outcomes.add("life_lost", ends.lose)
        outcomes.add("trophy_points", ends.win * fight.points)
        if fight.hero.life is not None:
            outcomes.add("p_vanquished", ends.lose * (fight.hero.life <= 1))

    return OutcomeModel(describe, fight.hero.dice + 1)


def battle_sequence(encounter: Encounter, notes: ModelNotes) -> OutcomeModel:
    """Battles in the listed order; the first tie or loss ends the phase (L424)."""
    fights = _sequence(encounter, notes)

    def describe(outcomes: Outcomes) -> None:
        reached: Values = 1.0
        life: Values = 0.0
        points: Values = 0.0
        each: dict[str, Values] = {}
        for number, fight in enumerate(fights, start=1):
            ends = _fought(fight, outcomes)
            each[f"p_fought:{number}"] = reached
            each[f"p_win:{number}"] = reached * ends.win
            each[f"p_draw:{number}"] = reached * ends.draw
            each[f"p_lose:{number}"] = reached * ends.lose
            life = life + reached * ends.lose
            points = points + reached * ends.win * fight.points
            reached = reached * ends.win if fight.opposed else reached
        outcomes.add("p_all_won", reached)
        outcomes.add("life_lost", life)
        outcomes.add("trophy_points", points)
        if fights[0].hero.life is not None:
            outcomes.add("p_vanquished", life * (fights[0].hero.life <= 1))
        for name, values in each.items():
            outcomes.add(name, values)

    return OutcomeModel(describe, sum(fight.hero.dice + 1 for fight in fights))


def _fought(fight: Fight, outcomes: Outcomes) -> Ends:
    """How a battle ends, as far as it is fought at all."""

    def rolled(rng: np.random.Generator, trials: int) -> Ends:
        margin = roll_margin(fight, rng, trials)
        return Ends(margin > 0, (margin == 0) & fight.opposed, margin < 0)

    return outcomes.either(lambda: outcome(fight), rolled)


def outcome(fight: Fight) -> Ends:
    """Chances of one battle. Source: L375-424 [text]; exploding dice L774-790 [text]."""
    if not fight.opposed:
        return Ends(0.0, 0.0, 0.0)
    enemy = exploding() if fight.override.enemy_roll is None else certain(fight.override.enemy_roll)
    hero = _fixed_roll(fight)
    if hero is None and not _depends_on_enemy(fight.hero):
        hero = roll_total(fight.hero)
    if hero is not None:
        margin = (hero + Distribution(-enemy.high, enemy.p[::-1])).shifted(fight.advantage)
        win, at_least = float(margin.at_least(1)), float(margin.at_least(0))
        return Ends(win, at_least - win, 1.0 - at_least)
    win = draw = 0.0
    for roll, chance in zip(enemy.values, enemy.p, strict=True):
        if not chance:
            continue
        needed = int(roll) - fight.advantage  # the hero's dice tie at this total
        again = faces_again(fight.hero, lambda face, others, needed=needed: face + others <= needed)  # type: ignore[misc]
        for share, face, others, sixes in natural(fight.hero, again):
            extra, missing = explosions(sixes), needed - face - others
            win += float(chance) * share * float(extra.at_least(missing + 1))
            draw += float(chance) * share * float(extra.probability(missing))
    return Ends(win, draw, 1.0 - win - draw)


def roll_margin(fight: Fight, rng: np.random.Generator, size: int) -> Ints:
    """Battle score of the hero minus that of the enemies; 0 throughout when there is nobody to fight."""
    if not fight.opposed:
        return np.zeros(size, np.int64)
    fixed = fight.override.enemy_roll
    enemy = roll_exploding(rng, size) if fixed is None else np.full(size, fixed, np.int64)
    needed = enemy - fight.advantage
    if fight.override.hero_roll is not None:
        return fight.override.hero_roll - needed
    if fight.hero.power_numbers:
        played = power_roll(fight.hero.power_numbers)
        return played.total + (roll_exploding(rng, size) if played.die_follows else 0) - needed
    reroll = fight.hero.reroll
    if reroll is not None and reroll.policy == "face_at_most":
        most = reroll.face_at_most or 0
        faces = roll_faces(fight.hero, rng, size, lambda face, others: face <= most)
    else:
        faces = roll_faces(fight.hero, rng, size, lambda face, others: face + others <= needed)
    return add_explosions(faces, rng) - needed


def _fixed_roll(fight: Fight) -> Distribution | None:
    """The hero's roll when no re-roll can touch it: dice as they fell, or power numbers."""
    if fight.override.hero_roll is not None:
        return certain(fight.override.hero_roll)
    if not fight.hero.power_numbers:
        return None
    played = power_roll(fight.hero.power_numbers)
    return (exploding() if played.die_follows else certain(0)).shifted(played.total)


def _depends_on_enemy(hero: Hero) -> bool:
    return hero.reroll is not None and hero.reroll.policy != "face_at_most"


def _single(encounter: Encounter, notes: ModelNotes) -> Fight:
    hero, enemies = encounter.hero, encounter.enemies
    assert hero is not None and enemies is not None  # the kind's needs
    chosen = battle_choice(hero.assets, enemies[0].attribute)
    notes.modelled += [asset.name for asset in chosen]
    _note(hero, [enemies[0].attribute], chosen, notes)
    return _fight(hero, enemies, chosen, encounter.override)


def _sequence(encounter: Encounter, notes: ModelNotes) -> list[Fight]:
    """The battles with the assets that win all of them most often; power numbers are played in order."""
    hero, battles = encounter.hero, encounter.battles
    assert hero is not None and battles is not None  # the kind's needs
    best: list[Fight] = []
    best_chosen: list[tuple[Asset, ...]] = []
    best_chance = -1.0
    for plan in charged_plans(hero.assets, len(battles)):
        chosen = [_used(battle, available(hero.assets, plan, index)) for index, battle in enumerate(battles)]
        fights = _fights(hero, battles, chosen, encounter.override)
        chance = float(np.prod([outcome(fight).win for fight in fights if fight.opposed]))
        if chance > best_chance:
            best, best_chosen, best_chance = fights, chosen, chance
    used = [asset for assets in best_chosen for asset in assets]
    notes.modelled += [asset.name for asset in used]
    _note(hero, [battle.enemies[0].attribute for battle in battles], used, notes)
    return best


def _used(battle: Battle, usable: list[Asset]) -> tuple[Asset, ...]:
    """The cards of one battle: those the document names, or the best of what is usable."""
    if battle.assets_used is not None:
        usable = [asset for asset in usable if asset.name in battle.assets_used]
    return battle_choice(usable, battle.enemies[0].attribute)


def _fights(
    hero: Hero, battles: Sequence[Battle], chosen: Sequence[tuple[Asset, ...]], override: Override
) -> list[Fight]:
    fights = []
    for battle, assets in zip(battles, chosen, strict=True):
        fight = _fight(hero, battle.enemies, assets, override)
        fights.append(fight)
        hand = _hand(hero) - fight.played
        left = hero.power_numbers[fight.played :]
        hero = _replaced(hero, power_numbers=left, power_cards_in_hand=hand)
    return fights


def _fight(hero: Hero, enemies: Sequence[Enemy], assets: Sequence[Asset], override: Override) -> Fight:
    """Scores without dice: attributes, bonuses and modifiers of both sides. Source: L406-410, L428-440 [text]."""
    faced = [enemy for enemy in enemies if not enemy.evaded]
    attribute = enemies[0].attribute
    played = power_roll(hero.power_numbers).played if hero.power_numbers and faced else 0
    hand = max(0, _hand(hero) - played)
    own = (hero.attributes.get(attribute) if hero.attributes else None) or 0
    bonus = sum(battle_value(asset, attribute) for asset in assets)
    theirs = sum(e.value + e.modifier + e.modifier_per_power_card_in_hand * hand for e in faced)
    return Fight(
        hero=_replaced(hero, power_numbers=hero.power_numbers[:played]),
        advantage=own + bonus + hero.roll_modifier - theirs,
        points=sum(enemy.value for enemy in faced if not enemy.scenario_sheet),
        played=played,
        opposed=bool(faced),
        override=override,
    )


def _hand(hero: Hero) -> int:
    return len(hero.power_cards) if hero.power_cards_in_hand is None else hero.power_cards_in_hand


def _replaced(hero: Hero, **members: object) -> Hero:
    return msgspec.structs.replace(hero, **members)


def _note(hero: Hero, attributes: Sequence[AttributeName], chosen: Sequence[Asset], notes: ModelNotes) -> None:
    """What the numbers rest on, and which of the hero's cards are not in them."""
    notes.assume(NOTES["hero_uses_best"])
    note_cards(hero, [asset for asset in hero.assets if asset not in chosen], attributes, notes)
    if hero.reroll:
        notes.assume(NOTES["re_roll_applies"])
    if hero.power_numbers and len(attributes) > 1:
        notes.assume(NOTES["power_cards_played"])
