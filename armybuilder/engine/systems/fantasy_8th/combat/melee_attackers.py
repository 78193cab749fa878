"""Who strikes with what: every fighting part of a unit (rider, mount, crew) with its attacks, speed and attack tree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.army import Profile
from armybuilder.engine.systems.fantasy_8th.combat import special_rules
from armybuilder.engine.systems.fantasy_8th.combat.attacks import ONE_WOUND, Attack, made, misses
from armybuilder.engine.systems.fantasy_8th.combat.items import MAGIC_WEAPONS
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import (
    MOUNTED,
    banners,
    effect_modifiers,
    effects_of,
    item_modifiers,
    items_of,
    unit_items,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import Against, armour_rerolls, modified, own_rules, saves_of
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import Rules, in_force, merge
from armybuilder.engine.systems.fantasy_8th.combat.weapons import Arm, melee_arms, strength_of
from armybuilder.engine.systems.fantasy_8th.matchup import (
    Group,
    ListedCrew,
    MatchupOptions,
    Side,
    needed,
    number_of,
)
from armybuilder.engine.systems.list_rules import Override

PartName = Literal["rider", "mount", "crew"]

NATURAL = Arm("natural")
"""What beasts strike with, and crews of which nobody says more."""

FIRST, LAST = 100, -1
"""Places in the order of blows of Always Strikes First and Last."""

SLAYERS_WOUND = 4
"""What Slayers wound everybody on at the worst. [carried]"""

SLAYABLE = frozenset({"infantry", "cavalry", "war_beast"})
"""Troop types that Killing Blow slays. Source: L508 [carried]."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What chance has done to a unit's characteristics before blows: set, then added to."""

    put: Mapping[str, int] = field(default_factory=dict)
    add: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FightingSide:
    """One side of a combat as it fights.

    Attributes:
        name: of the member in the document.
        charging: it has the bonuses of a charge.
        building: it assaults a building or holds the one that is assaulted.
        struck: the group that blows against this side strike; None for its rank and file.
        slowed: its Initiative is halved, upwards (L14, a Blessed Bulwark before Destruction).
        furious: its Primal Fury has been roused for this round.
        dazed: the character who may not strike and is hit without a roll this round (Helm of Discord).
    """

    side: Side
    name: str
    options: MatchupOptions
    combat_round: int = 1
    charging: bool = False
    shift: Shift = Shift()
    building: Literal["", "assaulting", "garrison"] = ""
    struck: int | None = None
    dazed: int | None = None
    slowed: bool = False
    furious: bool = False

    @property
    def target_index(self) -> int:
        """Place of the group that is struck."""
        return self.side.main_index if self.struck is None else self.struck

    @property
    def target(self) -> Group:
        """The group that is struck."""
        return self.side.models[self.target_index]


@dataclass(frozen=True, slots=True)
class MeleeAttacker:
    """Blows of one part of one group.

    Attributes:
        group: its place in the side.
        attacks: of a model in contact; support: of a supporting model. Those that a 6 to hit gives are counted as the
            dice that may give them.
        order: place in the order of blows, higher first.
        fixed: a given number of hits or wounds instead of attacks of single models.
    """

    group: int
    part: PartName
    attacks: Dice
    support: int
    order: int
    attack: Attack
    fixed: Dice | None = None


@dataclass(frozen=True, slots=True)
class Combatant:
    """One fighting part of a group: the rider or model itself, its mount, its crew.

    Attributes:
        at: pointer to what holds its profile.
        extra: an additional hand weapon gives it an attack.
        rules: of its blows.
        number: how many of it each model has.
    """

    fighting_side: FightingSide
    group: Group
    part: PartName
    profile: Profile
    at: str
    arm: Arm
    extra: bool
    rules: Rules
    number: int = 1

    @property
    def bearer(self) -> Group | None:
        """Whose items count: mounts and crews carry none."""
        return self.group if self.part == "rider" else None

    def value(self, name: str) -> int:
        """A characteristic of it, as it fights."""
        return characteristic(self.fighting_side, self.profile, name, self.bearer, self.at)

    @property
    def initiative(self) -> int:
        """Initiative of its blows; 1 when the profile does not hold it."""
        value = changed(self.fighting_side, 1 if self.profile.I is None else self.profile.I, "I", self.bearer)
        return self.arm.initiative if self.arm.initiative is not None else value


def characteristic(fighting_side: FightingSide, profile: Profile, name: str, group: Group | None, at: str) -> int:
    """A characteristic after items, spells and bad luck, 1 to 10 when changed.

    Args:
        group: whose items count; None for mounts and crews, which carry none.

    Raises:
        BadDocument: the profile does not hold it.
    """
    value: int | None = getattr(profile, name)
    if value is None:
        if name not in ("A", "W"):
            raise BadDocument(f"Missing field {name!r}: the attack needs it.", f"{at}/profile/{name}")
        value = 1
    return changed(fighting_side, value, name, group)


def changed(fighting_side: FightingSide, value: int, name: str, group: Group | None) -> int:
    """A value of this characteristic after items, spells and bad luck."""
    own = item_modifiers(group) if group is not None else ()
    modifiers = (*own, *banners(fighting_side.side), *effect_modifiers(fighting_side.side))
    added = sum(modifier.add.get(name, 0) for modifier in modifiers)
    if name == "T" and {"Flesh to Stone", "Throne of Vines"} <= set(effects_of(fighting_side.side)):
        added += 2
    put = [modifier.put[name] for modifier in modifiers if name in modifier.put]
    value = put[-1] if put else value + added
    if name in fighting_side.shift.put:
        value = min(value, fighting_side.shift.put[name])
    lowered = fighting_side.shift.add.get(name, 0)
    if added or put or lowered or name in fighting_side.shift.put:
        value = min(10 if name != "A" else value + lowered, max(1, value + lowered))
    return (value + 1) // 2 if fighting_side.slowed and name == "I" else value


def melee_arm(group: Group) -> tuple[Arm, bool]:
    """The weapon in use, a magic one before all others, and whether an additional hand weapon adds an attack."""
    for name in items_of(group):
        if name in MAGIC_WEAPONS:
            return MAGIC_WEAPONS[name], False
    arm, extra = melee_arms(group)
    on_foot = group.mount is None and group.troop_type not in MOUNTED and group.troop_type != "chariot"
    return arm, extra and on_foot and (arm.grip == "hand_weapon" or not arm.known)


def blow_rules(side: Side, group: Group, part: PartName, arm: Arm, crew: ListedCrew | None = None) -> Rules:
    """Special rules of the blows of one part. Source: L454-460, L543-549, L709-725, L949-950 [text]."""
    if part == "mount":
        rules = in_force(group.mount.rules if group.mount else ())
    elif part == "crew":
        rules = in_force((*crew.rules, *arm.rules) if crew is not None else ())
    else:
        rules = in_force((*side.rules, *group.rules))
        for modifier in item_modifiers(group):
            merge(rules, modifier.rules)
        if arm.magic:
            rules.pop("flaming_attacks", None)
            rules.pop("poisoned_attacks", None)
        merge(rules, in_force(arm.rules).items())
    for modifier in (*banners(side), *effect_modifiers(side)):
        merge(rules, modifier.rules)
    return rules


def speed(rules: Rules) -> int:
    """1 strikes first, -1 last, 0 by initiative. Source: L389-397 [text]."""
    return ("always_strikes_first" in rules) - ("always_strikes_last" in rules)


def melee_attackers(fighting_side: FightingSide, enemy: FightingSide | None) -> Iterator[MeleeAttacker]:
    """All blows a side strikes in a round, against the group of the enemy that is struck."""
    for index, group in enumerate(fighting_side.side.models):
        if not group.count:
            continue
        for fighter in fighters(fighting_side, group, f"/{fighting_side.name}/models/{index}"):
            if (fighting_side.building and fighter.part == "mount") or (
                fighting_side.dazed == index and fighter.part == "rider"
            ):
                continue
            outflanked = enemy is not None and enemy.side.attacks_from != "front"
            if outflanked and fighter.part == "mount" and group.troop_type == "chariot":
                continue  # its beasts strike to the front alone (L744-753)
            attacks = _attacks(fighter, enemy)
            if not attacks.highest:
                continue
            support = supporting(group, fighter.part)
            if enemy is None:
                yield MeleeAttacker(index, fighter.part, attacks, support, 0, Attack(1, None))
                continue
            attack, fixed = _blow(fighter, enemy)
            quick = speed(fighter.rules)
            order = FIRST if quick > 0 else LAST if quick < 0 else min(fighter.initiative, FIRST - 1)
            yield MeleeAttacker(index, fighter.part, attacks, support, order, attack, fixed)
            if "predatory_fighter" in fighter.rules and fixed is None and attack.hit is not None and attack.hit > 1:
                # one more for each 6, which gives no others; none for the 6 of a supporting attack
                yield MeleeAttacker(index, fighter.part, attacks, 0, order, replace(attack, further=True))


def fighters(fighting_side: FightingSide, group: Group, at: str) -> Iterator[Combatant]:
    """The fighting parts of a group with their weapons and rules."""
    side = fighting_side.side
    drawn = group.troop_type == "chariot" and (group.crew is not None or group.mount is not None)
    if not (drawn and group.profile.A is None):
        arm, extra = melee_arm(group)
        rules = blow_rules(side, group, "rider", arm)
        yield Combatant(fighting_side, group, "rider", group.profile, at, arm, extra, rules)
    if group.mount is not None:
        rules = blow_rules(side, group, "mount", NATURAL)
        yield Combatant(fighting_side, group, "mount", group.mount.profile, f"{at}/mount", NATURAL, False, rules)
    for number, crew in enumerate(group.crews if group.troop_type != "war_machine" else ()):
        place = f"{at}/crew/others/{number - 1}" if number else f"{at}/crew"
        arm = crew_arm(group, crew)
        rules = blow_rules(side, group, "crew", arm, crew)
        yield Combatant(fighting_side, group, "crew", crew.profile, place, arm, False, rules, crew.count)


def crew_arm(group: Group, crew: ListedCrew) -> Arm:
    """The close combat weapon of a chariot's crew; documents do not say it."""
    if not crew.weapons:
        return NATURAL
    return melee_arms(Group(name=group.name, count=1, troop_type=group.troop_type, weapons=crew.weapons))[0]


def supporting(group: Group, part: PartName) -> int:
    """Attacks of a supporting model: 1, for monstrous infantry up to 3. Source: L264, L707, L751 [text]."""
    if part != "rider" or group.troop_type in ("chariot", "war_machine"):
        return 0
    own = 1 if group.profile.A is None else max(0, group.profile.A)
    return min(own, 3) if group.troop_type == "monstrous_infantry" else min(1, own)


def enemy_characters(enemy: FightingSide | None) -> int:
    """Characters on the other side."""
    if enemy is None:
        return 0
    return sum(group.count for group in enemy.side.models if group.is_character and not group.riders)


def target_toughness(enemy: FightingSide) -> int:
    """Toughness that is struck at: the rider's. Source: L709-717 [text]."""
    group, index = enemy.target, enemy.target_index
    return characteristic(enemy, group.body, "T", group, f"/{enemy.name}/models/{index}")


def _attacks(fighter: Combatant, enemy: FightingSide | None) -> Dice:
    fighting_side, rules = fighter.fighting_side, fighter.rules
    base = Dice(0, 0, max(0, fighter.value("A")))
    random = special_rules.dice(rules, "random_attacks", fighter.at)
    if random is not None:
        base = random
    plus = ("extra_attack" in rules) + ("frenzy" in rules) + ("devastating_charge" in rules and fighting_side.charging)
    plus += fighter.arm.attacks + fighter.extra
    if fighter.arm.name == "Sword of Anti-heroes":
        plus += enemy_characters(enemy)
    return Dice(base.count * fighter.number, base.sides, (base.plus + plus) * fighter.number)


def strength_in_use(fighter: Combatant, enemy: FightingSide | None) -> int | None:
    """Strength of a blow; None when weapon and profile have none."""
    fighting_side, arm = fighter.fighting_side, fighter.arm
    if isinstance(arm.strength, int):
        return arm.strength
    if fighter.profile.S is None and arm.override is not None:
        return None
    own = fighter.value("S")
    in_use = (
        arm.when == "always"
        or (arm.when == "charging" and fighting_side.charging)
        or (arm.when == "first_round" and fighting_side.combat_round == 1)
    )
    strength = strength_of(arm.strength, own) if in_use else own
    if strength is not None and arm.name == "Sword of Anti-heroes" and arm.magic:
        strength += enemy_characters(enemy)
    if strength is not None and "choppas" in fighter.rules and fighting_side.combat_round == 1:
        strength += 1
    return None if strength is None else min(10, strength)


def _blow(fighter: Combatant, enemy: FightingSide) -> tuple[Attack, Dice | None]:
    """The tree of one blow, and the number of hits or wounds when the document gives it."""
    fighting_side, arm, rules = fighter.fighting_side, fighter.arm, fighter.rules
    override = arm.override or Override()
    strength = strength_in_use(fighter, enemy)
    given = override.wounds if override.wounds is not None else override.hits
    hit = 1 if given is not None else _hit_roll(fighter, enemy, needed(override.to_hit))
    wound = 1 if override.wounds is not None else _wound_roll(fighter, enemy, strength, needed(override.to_wound))
    if not harms(fighting_side.side, fighter.group, rules, arm, enemy):
        wound = None
    flaming = "flaming_attacks" in rules
    flyer = "fly" in own_rules(fighting_side.side, fighter.group)
    hit_again = wound_again = frozenset(dice_again(set(effects_of(fighting_side.side))))
    if "murderous_prowess" in rules:
        wound_again |= {1}
    if hates(rules, fighting_side) or quickest(fighter, enemy):
        hit_again |= misses(hit)
    if flyer and "Featherfoe Torch" in unit_items(enemy.side):
        hit_again |= made(hit)
    if "Trickster's Helm" in set(items_of(enemy.target)):
        wound_again |= made(wound)
    if flaming and enemy.building == "garrison":
        wound_again |= misses(wound)
    poison = (
        not {"poisoned_attacks", "poisoned_blows"}.isdisjoint(rules)
        and fighting_side.options.poison == "wounds_automatically"
        and hit > 1
    )
    blow = finished(
        Attack(hit, wound, hit_again=hit_again, wound_again=wound_again, poison=poison),
        rules,
        strength=strength,
        enemy=enemy,
        against=Against(
            "blow",
            front=fighting_side.side.attacks_from == "front" or bool(fighting_side.building),
            flaming=flaming,
            from_flyer=flyer,
        ),
        shards="The Other Trickster's Shard" in unit_items(fighting_side.side),
        at=fighter.at,
    )
    return blow, None if given is None else number_of(given, f"{fighter.at}/weapons")


def _hit_roll(fighter: Combatant, enemy: FightingSide, given: int | None) -> int:
    if enemy.dazed is not None and enemy.dazed == enemy.target_index:
        return 1
    if given is not None:
        return given
    arm = fighter.arm
    skill = arm.skill if arm.skill is not None else fighter.value("WS")
    scales = "Glittering Scales" in set(items_of(enemy.target))
    plus = arm.hit_plus + hit_bonus(fighter.fighting_side.side, enemy.side, melee=True) - scales
    return min(6, max(2, skill_roll(skill, target_skill(enemy)) - plus))


def _wound_roll(fighter: Combatant, enemy: FightingSide, strength: int | None, given: int | None) -> int | None:
    if given is not None or strength is None:
        return given
    if "Okkam's Mindrazor" in set(effects_of(fighter.fighting_side.side)) and fighter.profile.Ld is not None:
        strength = max(1, min(10, fighter.profile.Ld))
    roll = wound_roll(strength, target_toughness(enemy), hopeless_gap=None)
    assert roll is not None
    roll = max(2, roll - wound_bonus(fighter.fighting_side.side, enemy.side))
    if "slayer" in fighter.rules:
        roll = min(roll, SLAYERS_WOUND)
    return roll if fighter.arm.wound_at_least is None else min(roll, fighter.arm.wound_at_least)


def finished(
    attack: Attack, rules: Rules, *, strength: int | None, enemy: FightingSide, against: Against, shards: bool, at: str
) -> Attack:
    """The attack with the target's saves and its damage.

    Args:
        shards: successful ward saves are rolled again.
    """
    side, group = enemy.side, enemy.target
    saves = saves_of(side, group, against, enemy.options)
    armour = None
    if "no_armour_saves" not in rules:
        armour = modified(saves.armour, strength, "armour_piercing" in rules)
    heroic = "heroic_killing_blow" in rules and group.troop_type != "swarm"
    killing = ("killing_blow" in rules and group.troop_type in SLAYABLE) or heroic
    wounds = special_rules.dice(rules, "multiple_wounds", at)
    flaming = against.flaming and "flammable" in own_rules(side, group)
    shards = shards or "Sigmarite Shrine" in set(effects_of(side))
    best = min((save for save in (saves.ward, saves.regeneration) if save is not None), default=None)
    return replace(
        attack,
        armour=armour,
        ward=saves.ward,
        regeneration=saves.regeneration,
        armour_again=armour_rerolls(side, saves, armour),
        ward_again=made(best) if shards and best is not None and best == saves.ward else frozenset(),
        killing_blow=killing and attack.wound is not None and attack.wound > 1,
        damage=ONE_WOUND if wounds is None else wounds,
        doubled=flaming,
        once=saves.once,
        scorches=against.flaming and "regeneration" in own_rules(side, group),
    )


def skill_roll(own: int, target: int) -> int:
    """Roll to hit in close combat. Source: L279 [carried]."""
    return 3 if own > target else 5 if target > 2 * own else 4


def target_skill(enemy: FightingSide) -> int:
    """Weapon Skill that is struck at: the rider's."""
    group, index = enemy.target, enemy.target_index
    arm, _ = melee_arm(group)
    return (
        arm.skill
        if arm.skill is not None
        else characteristic(enemy, group.profile, "WS", group, f"/{enemy.name}/models/{index}")
    )


def hit_bonus(own: Side, enemy: Side, *, melee: bool) -> int:
    """What spells and terrain in effect add to rolls to hit."""
    mine = sum(modifier.hit for modifier in effect_modifiers(own))
    return mine + sum(modifier.enemy_hit for modifier in effect_modifiers(enemy) if melee or not modifier.melee)


def wound_bonus(own: Side, enemy: Side) -> int:
    """What spells and terrain in effect add to rolls to wound."""
    mine = sum(modifier.wound for modifier in effect_modifiers(own))
    return mine + sum(modifier.enemy_wound for modifier in effect_modifiers(enemy))


def dice_again(effects: set[str]) -> Iterator[int]:
    """Faces that spells in effect make the unit roll again. Source: L1976-1980, L1990-1995 [text]."""
    if "Harmonic Convergence" in effects:
        yield 1
    if "Curse of the Midnight Wind" in effects:
        yield 6


def hates(rules: Rules, fighting_side: FightingSide) -> bool:
    """Whether misses are rolled again out of hatred. Source: L485-488 [text]."""
    roused = "primal_fury" in rules and fighting_side.furious
    return roused or "eternal_hatred" in rules or ("hatred" in rules and fighting_side.combat_round == 1)


def quickest(fighter: Combatant, enemy: FightingSide) -> bool:
    """Whether misses are rolled again as this one strikes first and is no slower. Source: L389-393 [text]."""
    if speed(fighter.rules) <= 0:
        return False
    foe = next(fighters(enemy, enemy.target, f"/{enemy.name}/models/{enemy.target_index}"), None)
    return foe is None or (speed(foe.rules) <= 0 and fighter.initiative >= foe.initiative)


def harms(side: Side, group: Group, rules: Rules, arm: Arm, enemy: FightingSide) -> bool:
    """Whether the attack can wound the target at all: Ethereal fears only magic. Source: L416-424 [text]."""
    if "ethereal" not in own_rules(enemy.side, enemy.target):
        return True
    return arm.magic or "magical_attacks" in rules or "ethereal" in own_rules(side, group)
