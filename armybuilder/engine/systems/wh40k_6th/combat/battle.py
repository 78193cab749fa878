"""40k 6th edition in whole battles: units that move, run and shoot; the rules text has neither assaults nor missions.

Vehicles and buildings stay out, because the text does not say how they are damaged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from armybuilder.engine.combat.battles.forces import Attack, Attacks, Terms, Unit, Worth
from armybuilder.engine.combat.battles.outcomes import Outcomes, array, mean_repeated, repeated
from armybuilder.engine.combat.distribution import uniform
from armybuilder.engine.combat.steps.saves import armour_save, best_save, save_chance
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.battles import Mission, alone, models_behind, never, no_attacks, one_naming
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, needed
from armybuilder.engine.systems.wh40k_6th.combat import model_notes
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter, is_a
from armybuilder.engine.systems.wh40k_6th.combat.matrix import (
    NO_ARMOUR_RULES,
    TEMPLATE_INCHES,
    Shelter,
    Shooters,
    all_weapons,
    defender_of,
    fired_at,
    marker_of,
    matchup_of,
)
from armybuilder.engine.systems.wh40k_6th.combat.note_words import NOTES
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import find
from armybuilder.engine.systems.wh40k_6th.combat.volleys import Volley, volleys
from armybuilder.engine.systems.wh40k_6th.combat.wound_allocation import gone_to_ground
from armybuilder.engine.systems.wh40k_6th.matchup import Attacker, Defender, FiringGroup

TERMS = Terms(width=72, depth=48, front=48, line=12, behind=6, turns=5, goes_on=(2 / 3, 1 / 2), cover=0.3)
"""Table, set-up and length of the published game's battles [carried]; three units in ten find cover [decision]."""

DISTANCE: Literal["inches", "cm"] = "inches"
MISSIONS: Mapping[str, Mission] = {}
facing = alone
may_reply = pins = never
replies = crossed = supports = no_attacks

VICTORY = Text(
    "Victory points: the price of enemy units that are destroyed; the rules text holds no missions.",
    "Победные очки: стоимость уничтоженных отрядов противника; заданий в тексте правил нет.",
)

COVER = "5+"
"""Woods and area terrain (L592-L594)."""

MOVE, FAST = 6, 12
FAST_TYPES = ("bike", "bikes", "jetbike", "jump infantry", "cavalry", "beasts", "flying monstrous creature")
"""Infantry moves 6 inches (L68-L70); faster types as in the published game [carried]."""

RUN = uniform(range(1, 7))
"""Inches of a unit that runs instead of shooting. Source: L304-308 [text]."""

SCREEN = 3
"""Models of a unit that a character can join, and so hide in."""


@dataclass(frozen=True)
class Ready:
    """A fighter that is in the battle."""

    fighter: Fighter

    @cached_property
    def in_the_open(self) -> Defender:
        """As it is shot at."""
        return defender_of(self.fighter, Shelter(gone_to_ground=True))

    @cached_property
    def in_cover(self) -> Defender:
        """As it is shot at in cover."""
        return defender_of(self.fighter, Shelter(cover=COVER, gone_to_ground=True))

    @cached_property
    def later(self) -> tuple[int, ...]:
        """Models that fall later than those of each group."""
        return models_behind([group.count for group in self.fighter.groups])


def ready(fighter: Fighter) -> Ready:
    """Raises BadDocument for vehicles and buildings."""
    if fighter.is_hull:
        raise BadDocument(NO_ARMOUR_RULES.en)
    return Ready(fighter)


def unit(ready: Ready) -> Unit:
    """The unit as it stands on the table."""
    groups = ready.fighter.groups
    models = ready.fighter.models
    return Unit(
        id="",
        name="",
        points=0.0,
        wounds=tuple((group.profile.W if group.profile else None) or 1 for group in groups for _ in range(group.count)),
        move=float(FAST if all(is_a(group, *FAST_TYPES) for group in groups) else MOVE),
        hides=models == 1 and all(is_a(group, "character") for group in groups),
        screens=models >= SCREEN,
        runs=RUN,
    )


def bands(ready: Ready) -> tuple[float, ...]:
    """Ranges of its weapons, half of them for rapid fire and salvo, and the reach of templates."""
    found: set[float] = set()
    for group in ready.fighter.groups:
        for weapon in group.weapons:
            if weapon.reach is not None:
                found.add(float(weapon.reach))
                if (weapon.type or "").casefold().startswith(("rapid", "salvo")):
                    found.add(weapon.reach / 2)
            elif marker_of(weapon) is not None:
                found |= {float(TEMPLATE_INCHES), 2.0 * TEMPLATE_INCHES}
    return tuple(sorted(found))


def steady(ready: Ready) -> bool:
    """Only heavy, ordnance and salvo weapons mind a move."""
    return not any(
        (weapon.type or "").casefold().startswith(("heavy", "ordnance", "salvo"))
        for group in ready.fighter.groups
        for weapon in group.weapons
    )


def shooting(attacker: Ready, defender: Ready, *, distance: float, moved: bool, cover: bool) -> Attacks:
    """The weapons that hurt the target most, as the matrix chooses them."""
    target = defender.in_cover if cover else defender.in_the_open
    shooters = Shooters(distance=distance, moved=moved)
    firing = fired_at(attacker.fighter, target, shooters)
    if firing is None:
        return ()
    found: list[Attack] = []
    groups = iter(enumerate(attacker.fighter.groups))
    for group in firing.models:  # in the order of the fighter, without those that do not fire
        index = next(index for index, own in groups if (own.name, own.count, own.profile) == _facts(group))
        everything = all_weapons(attacker.fighter.groups[index])
        taken = 0
        for volley in sorted(_volleys(group, target, shooters), key=lambda volley: volley.models):
            after = 0 if everything else min(taken, max(0, group.count - volley.models))
            found.append(Attack(volley.models, array(_of_one(volley, target)), attacker.later[index] + after))
            taken += volley.models
    return tuple(found)


def _facts(group: FiringGroup) -> tuple[str, int, Profile]:
    return group.name, group.count, group.profile


def _volleys(group: FiringGroup, target: Defender, shooters: Shooters) -> list[Volley]:
    firing = Attacker(models=(group,), moved=shooters.moved)
    return volleys(matchup_of(firing, target, shooters), ModelNotes())


def _of_one(volley: Volley, target: Defender) -> Outcomes:
    """What one firing model does to the commonest model of the target."""
    commonest = max(target.models, key=lambda group: group.count)
    profile = commonest.profile
    cover = needed(target.cover)
    cover = gone_to_ground(cover) if target.gone_to_ground else cover
    options = (armour_save(needed(profile.Sv), volley.armour_piercing), needed(profile.Inv), cover)
    fails = 1.0 - float(save_chance(best_save(options)))
    instant = volley.strength is not None and profile.T is not None and volley.strength >= 2 * profile.T
    hurt = (1, 0) if instant else (0, 1)
    if volley.hits is not None:
        wound = float(volley.to_wound) * fails
        hits = float(volley.hits.distribution().mean) / max(1, volley.models)
        return mean_repeated({(0, 0): 1.0 - wound, hurt: wound}, hits)
    assert volley.shots is not None  # weapons of lists have no given wounds
    wound = float(volley.to_hit * volley.to_wound) * fails
    return repeated({(0, 0): 1.0 - wound, hurt: wound}, volley.shots)


def blows(attacker: Ready, defender: Ready, *, charging: bool, charged: bool = False) -> Attacks:
    """The rules text holds no assault."""
    return ()


def counters(ready: Ready) -> bool:
    """Nobody is charged."""
    return False


def catches(winner: Ready, loser: Ready) -> float:
    """Nobody fights, so nobody is caught."""
    return 0.0


def worths(army: Sequence[Ready], mission: str | None = None) -> tuple[Worth, ...]:
    """The price of what is destroyed."""
    return tuple(Worth(destroyed=float(ready.fighter.points)) for ready in army)


namings = one_naming(worths)


def report(attackers: Sequence[Ready], defenders: Sequence[Ready], notes: ModelNotes) -> None:
    """The rules of all units, by what shooting has in its numbers."""
    found = ModelNotes()
    for army, enemies in ((attackers, defenders), (defenders, attackers)):
        for one in army:
            firing = Attacker(
                name=one.fighter.name,
                rules=one.fighter.rules,
                models=tuple(_as_firing(group) for group in one.fighter.groups),
            )
            model_notes.note_rules(matchup_of(firing, enemies[0].in_the_open, Shooters(0)), found)
    for item in found.approximated:
        notes.approximate(item.rule, item.how)
    for text in found.assumptions:
        if text != NOTES["vehicles_buildings_shoot"]:  # in a whole battle they stay out
            notes.assume(text)
    notes.modelled += dict.fromkeys(found.modelled)
    for rule in dict.fromkeys(found.not_simulated):
        known = find(rule)
        if known is not None and known.battle_how is not None:
            notes.approximate(rule, known.battle_how)
        else:
            notes.not_simulated.append(rule)
    notes.options.update(found.options)
    notes.approximate("terrain", NOTES["terrain"])
    notes.approximate("characters", NOTES["characters"])
    notes.approximate("running", NOTES["running"])
    notes.approximate("going to ground", NOTES["going_to_ground"])
    notes.approximate("victory points", NOTES["fights_hand_to_hand"])
    notes.not_simulated += ["vehicles", "assaults", "morale"]


def _as_firing(group: Group) -> FiringGroup:
    assert group.profile is not None  # others are vehicles, which stay out
    return FiringGroup(
        name=group.name, count=group.count, profile=group.profile, weapons=group.weapons, rules=group.rules
    )
