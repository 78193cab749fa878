"""Shooting of Fantasy 8th edition: who shoots, the rolls of one shot, losses and the panic test that may follow."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, binomial, certain, mixture
from armybuilder.engine.combat.outcomes import Outcomes
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.attacks import ONE_WOUND, Attack, in_a_row, made, misses
from armybuilder.engine.systems.fantasy_8th.combat.casualties import ARTILLERY_DIE, Count, wounds_of
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import (
    FightingSide,
    characteristic,
    dice_again,
    finished,
    harms,
    hit_bonus,
    wound_bonus,
)
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.panic import alarms, flees, flight_of, gone, panics
from armybuilder.engine.systems.fantasy_8th.combat.psychology import lowered
from armybuilder.engine.systems.fantasy_8th.combat.ranks import has_ranks, width_of
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import MONSTROUS, effects_of, items_of
from armybuilder.engine.systems.fantasy_8th.combat.salvos import (
    MONSTER,
    RIDER,
    SHARED_OUT,
    Burst,
    Fire,
    Shared,
    Volley,
    both,
    by_die,
    centred,
    enter,
    exactly,
    is_ridden,
    salvo,
    shared,
    told_apart,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import Against, alike, own_rules, unknown_armour
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import Rules, in_force, merge
from armybuilder.engine.systems.fantasy_8th.combat.weapons import Arm, missile_arm, strength_of
from armybuilder.engine.systems.fantasy_8th.matchup import (
    FantasyMatchup,
    Group,
    ListedCrew,
    Side,
    WeaponProfile,
    needed,
    number_of,
)
from armybuilder.engine.systems.list_rules import Override
from armybuilder.engine.systems.matchups import MAX_SHOTS, ModelNotes, refuse_above
from armybuilder.engine.systems.outcome_models import OneOf, OutcomeModel

COVER = {"none": 0, "soft": 1, "hard": 2}
IN_A_BUILDING = Dice(1, 6)
"""Models of a garrison that a template hits. Source: L1348-1358 [text], E-56 [decision]."""

AT_THE_WINDOWS = 5
"""Models of a garrison that shoot from one floor. Source: L1350-1358 [text]."""

NO_MISFIRE = 5 / 6
"""Chance that the artillery die shows a number. Source: E-48 [carried]."""

FARTHEST = 60
"""Models behind which a cannon ball is not followed: it gets there in one of 50 000 shots at most."""


@dataclass(frozen=True, slots=True)
class Shooter:
    """A group that shoots.

    Attributes:
        at: pointer to the group; weapon: to its weapon.
    """

    fighting_side: FightingSide
    enemy: FightingSide
    group: Group
    arm: Arm
    rules: Rules
    matchup: FantasyMatchup
    at: str
    weapon: str

    @property
    def override(self) -> Override:
        """Steps that the document gives."""
        return self.arm.override or Override()


def shooting(matchup: FantasyMatchup, notes: ModelNotes) -> OneOf:
    """One volley. Source: L199-248 [text]; to hit, to wound and armour [carried]."""
    return OneOf([(chance, _volley(matchup, fire)) for chance, fire in _ways(matchup, notes)])


def _volley(matchup: FantasyMatchup, fire: Fire) -> OutcomeModel:
    destroyed, panic = _left(matchup, fire)
    known = flight_of(matchup)

    def describe(outcomes: Outcomes) -> None:
        fired = outcomes.either(partial(exactly, fire), fire.roll)
        enter(outcomes, fire, fired, destroyed, counted="shots")
        panicked = outcomes.averaged(panic[fired[0]])
        outcomes.add("p_panic_test", panicked)
        if known is not None:
            outcomes.add("p_flees", panicked * outcomes.either(lambda: 1.0 - known.holds(), partial(flees, known)))

    return OutcomeModel(describe, fire.highest + 4, fire.after)


def _left(matchup: FantasyMatchup, fire: Fire) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Whether nothing of the target is left, and whether it panics, for each state.

    Rider and monster are one model, so neither panics at the loss of the other.
    """
    if isinstance(fire, Shared):
        destroyed = fire.body.destroyed
        return destroyed, np.zeros(len(destroyed), np.bool_)
    return gone(matchup, fire.body), panics(matchup, fire.body, alarming=alarms(matchup))


def snipes(matchup: FantasyMatchup) -> bool:
    """Whether the volley is aimed at characters, which only snipers can do. Source: L598-605 [text]."""
    attacker, defender = matchup.attacker, matchup.defender
    if matchup.conditions.hit_by != "sniper" or attacker is None or defender is None:
        return False
    mixed = any(group.is_character for group in defender.models) and not defender.main.is_character
    return mixed and rules_in_force.any_rule(attacker, "sniper")


def target_of(side: Side, *, sniped: bool = False) -> Side:
    """The models that can be shot at: characters in a unit of five or more are shielded. Source: L930-934 [text].

    Args:
        sniped: only the characters are.
    """
    ranked = sum(group.count for group in side.models if not group.is_character)
    if not any(group.is_character for group in side.models) or (ranked < 5 and not sniped):
        return side
    groups = tuple(
        msgspec.structs.replace(group, count=0) if group.is_character != sniped else group for group in side.models
    )
    return msgspec.structs.replace(side, models=groups)


def _aiming(group: Group, weapon: str) -> tuple[ListedCrew, ...]:
    """Who of a crew fires the weapon at this place: those who carry it, of the model's own weapon any of them."""
    return tuple(crew for crew in group.crews if fired_at(group, weapon) in crew.weapons) or group.crews


def bearers(group: Group, weapon: str) -> int:
    """How many of each model fire the weapon at this place: a chariot's crew has one each. Source: L744-749 [text]."""
    return sum(crew.count for crew in group.crews if fired_at(group, weapon) in crew.weapons) or 1


def fired_at(group: Group, weapon: str) -> str | WeaponProfile:
    """The weapon at a place."""
    return group.weapons[int(weapon.rpartition("/")[2])]


def note_rules(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the rules of both sides and what the volley assumes into the notes."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    rules_in_force.note_rules(
        matchup,
        notes,
        {"attacker": ("shooting",), "defender": ("shot_at", "psychology")},
        items=("shooting", "leadership"),
        effects=("fight", "leadership"),
    )
    notes.assume(NOTES["to_hit_7"])
    fired = [found[1] for found in map(missile_arm, attacker.models) if found is not None]
    written = {special_rules.read(text).slug for text in rules_in_force.texts_of(attacker, shooting=True)}
    if any(arm.goes_on == "ranks" for arm in fired) or "rank_penetration" in written:
        notes.assume(NOTES["bolt_goes_to"])
    if any(arm.misfires for arm in fired):
        if matchup.conditions.misfires:
            notes.assume(NOTES["one_shot_war"])
        else:
            notes.assume(NOTES["machine_does_not"])
    if not alike(defender):
        notes.approximate("mixed units", NOTES["mixed_units_2"])
    if is_ridden(defender):
        notes.assume(SHARED_OUT)
    notes.not_simulated += unknown_armour(defender)
    if flight_of(matchup) is None:
        notes.assume(NOTES["no_leadership_given"])


def _ways(matchup: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Fire]]:
    """What is fired, for each way in which rolls before the shots can turn out."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    note_rules(matchup, notes)
    result: list[tuple[float, Fire]] = []
    shooting_side, shot_at = (
        FightingSide(attacker, "attacker", matchup.options),
        FightingSide(defender, "defender", matchup.options),
    )
    for chance, shift in lowered(shooting_side, notes):
        for other, against in lowered(shot_at, notes):
            own = replace(shooting_side, shift=shift)
            enemy = replace(shot_at, side=target_of(defender, sniped=snipes(matchup)), shift=against)
            for share, firing in _after_misfires(attacker, matchup):
                firing_side, pair = replace(own, side=firing), told_apart(enemy)
                if pair is None:
                    fire: Fire = salvo(enemy.side, list(volleys(firing_side, enemy, matchup, notes)))
                else:
                    bursts = [_burst(one, pair) for one in _firing(firing_side, enemy, matchup, notes)]
                    fire = shared(pair[0].side, bursts)
                result.append((chance * other * share, fire))
    return result


def _after_misfires(side: Side, matchup: FantasyMatchup) -> list[tuple[float, Side]]:
    """The machines whose artillery die shows no misfire, with chances. Source: L1093-1100, L1116-1151 [text]."""
    ways = [(1.0, side)]
    for index, group in enumerate(side.models):
        found = missile_arm(group)
        if not matchup.conditions.misfires or found is None or not found[1].misfires:
            continue
        ways = [
            (share * float(chance), _with_count(so_far, index, int(number)))
            for share, so_far in ways
            for number, chance in binomial(group.count, NO_MISFIRE).as_dict().items()
        ]
    return ways


def _with_count(side: Side, index: int, count: int) -> Side:
    groups = list(side.models)
    groups[index] = msgspec.structs.replace(groups[index], count=count)
    return msgspec.structs.replace(side, models=tuple(groups))


def volleys(
    fighting_side: FightingSide, enemy: FightingSide, matchup: FantasyMatchup, notes: ModelNotes
) -> Iterator[Volley]:
    """Every group that shoots, with its first missile weapon."""
    for shooter, count, automatic in _firing(fighting_side, enemy, matchup, notes):
        if automatic and shooter.arm.centre is not None:
            yield from _centre(shooter, count)
        elif shooter.arm.goes_on == "models" and automatic:
            yield _ball(shooter, count)
        else:
            yield count, _pierced(shooter, _shot(shooter, automatic=automatic), automatic=automatic)


def _burst(firing: tuple[Shooter, Count, bool], pair: tuple[FightingSide, FightingSide]) -> Burst:
    """The shots of one group at a monster and its rider. Source: L991-997 [text]."""
    shooter, count, automatic = firing
    arm, conditions, number = shooter.arm, shooter.matchup.conditions, count.distribution()
    monster, rider = (_shot(replace(shooter, enemy=fighting_side), automatic=automatic) for fighting_side in pair)
    if not automatic and conditions.hit_by == "sniper" and "sniper" in shooter.rules:
        return Burst(number, ((1.0, ((RIDER, rider),)),))
    given = shooter.override.hits is not None or shooter.override.wounds is not None
    if not automatic or arm.artillery_hits or given:
        return Burst(number, by_die(monster, rider))
    if arm.centre is None:
        return Burst(number, both(monster, rider))
    outer = replace(monster, damage=ONE_WOUND), replace(rider, damage=ONE_WOUND)
    if not conditions.centre_model_hit:
        return Burst(number, both(*outer))
    heavy = replace(shooter, arm=replace(arm, strength=arm.centre, centre=None))
    inner = [_shot(replace(heavy, enemy=fighting_side), automatic=True) for fighting_side in pair]
    return Burst(number, centred((inner[0], outer[0]), (inner[1], outer[1])))


def _firing(
    fighting_side: FightingSide, enemy: FightingSide, matchup: FantasyMatchup, notes: ModelNotes
) -> Iterator[tuple[Shooter, Count, bool]]:
    """Every group that shoots with its dice, and whether they are hits by themselves."""
    left = (
        fighting_side.side.count
        if fighting_side.side.width is None
        else min(fighting_side.side.count, 2 * fighting_side.side.width)
    )
    if fighting_side.side.terrain == "building" and fighting_side.side.main.troop_type != "war_machine":
        left = min(fighting_side.side.count, AT_THE_WINDOWS)
        notes.assume(NOTES["building_has_one"])
    for index, group in enumerate(fighting_side.side.models):
        firing = min(left, group.count)
        left -= firing
        found = missile_arm(group)
        if found is None or not group.count:
            continue
        number, arm = found
        at = f"/attacker/models/{index}"
        shooter = Shooter(
            fighting_side,
            enemy,
            group,
            arm,
            _rules(fighting_side.side, group, arm),
            matchup,
            at,
            f"{at}/weapons/{number}",
        )
        if not _may_fire(shooter, notes):
            continue
        count, automatic = _shots(shooter, firing)
        refuse_above(count.highest, MAX_SHOTS, "shots", at)
        yield shooter, count, automatic


def of_each_model(matchup: FantasyMatchup) -> Iterator[tuple[Distribution, Attack]]:
    """Shots or hits of each model of the attacker's only group, whatever its comrades do, and the rolls of one.

    Of a monster with its rider only what strikes the monster.
    """
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    fighting_side = FightingSide(attacker, "attacker", matchup.options)
    enemy = FightingSide(target_of(defender, sniped=snipes(matchup)), "defender", matchup.options)
    pair = told_apart(enemy)
    if pair is None:
        for count, attack in volleys(fighting_side, enemy, matchup, ModelNotes()):
            yield _of_one(count, matchup), attack
        return
    for firing in _firing(fighting_side, enemy, matchup, ModelNotes()):
        hits = _of_one(firing[1], matchup)
        for chance, struck in _burst(firing, pair).ways:
            shares = mixture((float(c), binomial(n, chance)) for n, c in hits.as_dict().items())
            yield from ((shares, attack) for part, attack in struck if part == MONSTER)


def _of_one(count: Count, matchup: FantasyMatchup) -> Distribution:
    """Shots or hits of one of those who fire."""
    assert matchup.attacker is not None  # the kind's needs
    found = missile_arm(matchup.attacker.main)
    if count.artillery:
        return ARTILLERY_DIE
    each = bearers(matchup.attacker.main, f"/{found[0]}") if found is not None else 1
    hits = count.dice.distribution().times(each) if count.copies else certain(each)
    if matchup.conditions.misfires and found is not None and found[1].misfires:
        return mixture([(NO_MISFIRE, hits), (1 - NO_MISFIRE, certain(0))])
    return hits


def _rules(side: Side, group: Group, arm: Arm) -> Rules:
    rules = in_force((*side.rules, *group.rules))
    merge(rules, in_force(arm.rules).items())
    for modifier in (*rules_in_force.banners(side), *rules_in_force.effect_modifiers(side)):
        merge(rules, modifier.rules)
    return rules


def _may_fire(shooter: Shooter, notes: ModelNotes) -> bool:
    conditions, arm = shooter.matchup.conditions, shooter.arm
    machine = shooter.group.troop_type == "war_machine"  # both rules unless stated, L1056-1057
    if (machine or "move_or_fire" in shooter.rules) and shooter.fighting_side.side.moved:
        notes.assume(Text(f"{arm.name} does not fire after moving.", f"{arm.name}: не стреляет после движения."))
        return False
    if (machine or "slow_to_fire" in shooter.rules) and conditions.stand_and_shoot:
        notes.assume(Text(f"{arm.name} cannot stand and shoot.", f"{arm.name}: не может стоять и стрелять."))
        return False
    if conditions.distance is not None and conditions.distance < arm.least:
        notes.assume(Text(f"{arm.name}: the target is too near.", f"{arm.name}: цель слишком близко."))
        return False
    if snipes(shooter.matchup) and "sniper" not in shooter.rules:
        notes.assume(
            Text(f"{arm.name}: only snipers pick out a character.", f"{arm.name}: персонажа выбирают снайперы.")
        )
        return False
    if arm.reach is not None and conditions.distance is not None and conditions.distance > arm.reach:
        notes.assume(Text(f"{arm.name} is out of range.", f"{arm.name}: цель вне дальности."))
        return False
    return True


def _shots(shooter: Shooter, firing: int) -> tuple[Count, bool]:
    """Dice to hit, or automatic hits. Source: L224-227, L533-538, L667-672 [text].

    Raises:
        BadDocument: a template without the number of models under it.
    """
    conditions, override = shooter.matchup.conditions, shooter.override
    rules, group, side = shooter.rules, shooter.group, shooter.fighting_side.side
    given = override.wounds if override.wounds is not None else override.hits
    if given is not None:
        return Count(1, number_of(given, f"{shooter.weapon}/override")), True
    covered = conditions.models_covered
    arm = shooter.arm
    unskilled = group.profile.BS is None and override.to_hit is None
    target = shooter.enemy.side
    if target.terrain == "building" and (arm.template or arm.centre is not None):
        return Count(group.count, IN_A_BUILDING), True
    if covered is not None and (arm.template or arm.artillery_hits or arm.centre is not None or unskilled):
        number = number_of(covered, "/conditions/models_covered")
        if number.fixed is not None and target.count:  # no template covers more models than there are
            number = Dice(0, 0, min(number.fixed, target.count))
        return Count(group.count, number), True
    if shooter.arm.template:
        raise BadDocument(
            "Missing field 'models_covered': a template hits the models under it.", "/conditions/models_covered"
        )
    if shooter.arm.artillery_hits:
        return Count(artillery=group.count), True
    mode = conditions.shooting_mode
    if mode == "multiple_shots" and "multiple_shots" in rules:
        shots = special_rules.dice(rules, "multiple_shots", shooter.at) or Dice(0, 0, 1)
        return Count(firing * bearers(group, shooter.weapon), shots), False
    rear = group.count - firing
    ranked = side.terrain != "building"  # who stands at the windows has nobody to shoot over his head
    if mode != "volley_fire" or "volley_fire" not in rules or side.moved or conditions.stand_and_shoot or not ranked:
        rear = 0
    return Count(fixed=(firing + (rear + 1) // 2) * bearers(group, shooter.weapon)), False


def _shot(shooter: Shooter, *, automatic: bool) -> Attack:
    """The rolls of one shot or automatic hit."""
    fighting_side, enemy, rules, override = shooter.fighting_side, shooter.enemy, shooter.rules, shooter.override
    group, arm = shooter.group, shooter.arm
    strength = arm.strength if isinstance(arm.strength, int) else None
    if strength is None and group.profile.S is not None:
        strength = strength_of(arm.strength, characteristic(fighting_side, group.profile, "S", group, shooter.at))
    strength = None if strength is None else min(10, strength)
    fixed = needed(override.to_hit)
    hit = 1 if automatic else fixed if fixed is not None else _hit_roll(shooter)
    wound = 1 if override.wounds is not None else needed(override.to_wound)
    if wound is None:
        wound = _wound_roll(shooter, strength)
    if not harms(fighting_side.side, group, rules, arm, enemy) or (
        "ethereal" in own_rules(enemy.side, enemy.target) and "magical_attacks" not in rules
    ):
        wound = None
    flaming = "flaming_attacks" in rules
    hit_again = wound_again = frozenset(dice_again(set(effects_of(fighting_side.side))))
    if "Trickster's Helm" in set(items_of(enemy.target)):
        wound_again |= made(wound)
    if flaming and enemy.side.terrain == "building":
        wound_again |= misses(wound)
    poison = "poisoned_attacks" in rules and fighting_side.options.poison == "wounds_automatically" and 1 < hit <= 6
    gated = automatic and override == Override() and needs_luck(fighting_side.side, enemy.side)
    machine = group.troop_type == "war_machine" or arm.machine
    return finished(
        Attack(hit, wound, hit_again=hit_again, wound_again=wound_again, poison=poison, gate=4 if gated else None),
        rules,
        strength=strength,
        enemy=enemy,
        against=Against("shooting", flaming=flaming, from_machine=machine),
        shards=False,
        at=shooter.at,
    )


def needs_luck(own: Side, enemy: Side) -> bool:
    """Whether shooting without Ballistic Skill needs a 4+ first. Source: L1869-1875, L1969-1975 [text]."""
    return "Iceshard Blizzard" in set(effects_of(own)) or "Pha's Protection" in set(effects_of(enemy))


def _wound_roll(shooter: Shooter, strength: int | None) -> int | None:
    """Roll to wound; None for a weapon without Strength.

    Raises:
        BadDocument: neither the weapon nor the profile has a Strength.
    """
    if strength is None:
        if shooter.arm.strength in ("-", "–"):
            return None
        raise BadDocument("Missing field 'S': the shot needs it.", f"{shooter.at}/profile/S")
    enemy, index = shooter.enemy, shooter.enemy.target_index
    target = enemy.target
    toughness = characteristic(enemy, target.body, "T", target, f"/defender/models/{index}")
    roll = wound_roll(strength, toughness, hopeless_gap=None)
    assert roll is not None
    return max(2, roll - wound_bonus(shooter.fighting_side.side, enemy.side))


def _hit_roll(shooter: Shooter) -> int:
    """Roll to hit with all modifiers, 10 when it is impossible. Source: L231-239 [text and carried]."""
    fighting_side, enemy, rules, arm = shooter.fighting_side, shooter.enemy, shooter.rules, shooter.arm
    group, conditions = shooter.group, shooter.matchup.conditions
    aiming = next((crew for crew in _aiming(group, shooter.weapon) if crew.profile.BS is not None), None)
    profile, at = (group.profile, shooter.at) if aiming is None else (aiming.profile, f"{shooter.at}/crew")
    skill = characteristic(fighting_side, profile, "BS", group, at)
    long = conditions.long_range
    if long is None:
        long = conditions.distance is not None and arm.reach is not None and 2 * conditions.distance > arm.reach
    target = target_rules(enemy)
    sniping = "sniper" in rules and (conditions.hit_by == "sniper" or enemy.side.main.is_character)
    penalties = (
        fighting_side.side.moved and "quick_to_fire" not in rules,
        long,
        conditions.stand_and_shoot,
        "skirmishers" in target,
        conditions.shooting_mode == "multiple_shots" and "multiple_shots" in rules,
        sniping,
    )
    cover = 0
    if "ignores_cover" not in rules and "large_target" not in target:
        ground = {"forest": 1, "building": 2}.get(enemy.side.terrain, 0)
        near = (modifier.cover for modifier in rules_in_force.effect_modifiers(enemy.side))
        cover = max(COVER[enemy.side.cover], ground, *near)
    return min(10, max(2, 7 - skill + sum(penalties) + cover - hit_bonus(fighting_side.side, enemy.side, melee=False)))


def target_rules(enemy: FightingSide) -> Rules:
    """Rules of the target that make it harder or easier to hit."""
    rules = dict(own_rules(enemy.side, enemy.side.main))
    if enemy.struck is not None:  # rider and monster are one model to shoot at, L991
        for group in enemy.side.models:
            rules.update(rules_in_force.group_rules(group))
    rules.update(rules_in_force.unit_rules(enemy.side))
    return rules


def _pierced(shooter: Shooter, attack: Attack, *, automatic: bool) -> Attack:
    """A bolt goes on to the next rank at a point less of Strength when it slays. Source: L1079 [carried]."""
    strength, enemy = shooter.arm.strength, shooter.enemy
    pierces = shooter.arm.goes_on == "ranks" or "rank_penetration" in shooter.rules
    if not pierces or automatic or not isinstance(strength, int) or attack.once is not None:
        return attack
    links = min(files_deep(enemy.side), strength)
    behind = [
        _shot(replace(shooter, arm=replace(shooter.arm, strength=strength - rank)), automatic=True)
        for rank in range(1, links)
    ]
    return in_a_row([attack, *behind], wounds_of(enemy.side, enemy.side.main_index))


def _ball(shooter: Shooter, count: Count) -> Volley:
    """A cannon ball flies no further than a monstrous model that it does not slay. Source: L1080-1096 [text]."""
    hit, enemy = _shot(shooter, automatic=True), shooter.enemy
    struck = count.dice.fixed
    if enemy.side.main.troop_type not in MONSTROUS or hit.once is not None or not struck:
        return count, hit
    wounds = wounds_of(enemy.side, enemy.side.main_index)
    return Count(fixed=count.copies), in_a_row([hit] * min(struck, FARTHEST), wounds)


def files_deep(side: Side) -> int:
    """Models that stand one behind the other in the way of a bolt. Source: L1354-1358 [text]."""
    if side.terrain == "building" or not has_ranks(side):
        return 1
    return -(-side.count // width_of(side)) if side.count else 1


def _centre(shooter: Shooter, count: Count) -> Iterator[Volley]:
    """A template whose centre hits harder: only the centre hit multiplies wounds. Source: L1125-1146 [text].

    Of a garrison everybody is hit as hard as the centre. Source: L1354-1358 [text].
    """
    if shooter.matchup.conditions.centre_model_hit and shooter.enemy.side.terrain == "building":
        strongest = replace(shooter, arm=replace(shooter.arm, strength=shooter.arm.centre, centre=None))
        yield count, _shot(strongest, automatic=True)
        return
    ordinary = replace(_shot(shooter, automatic=True), damage=ONE_WOUND)
    if not shooter.matchup.conditions.centre_model_hit:
        yield count, ordinary
        return
    heavy = replace(shooter, arm=replace(shooter.arm, strength=shooter.arm.centre, centre=None))
    yield Count(fixed=max(1, count.copies)), _shot(heavy, automatic=True)
    yield replace(count, dice=replace(count.dice, plus=count.dice.plus - 1)), ordinary
