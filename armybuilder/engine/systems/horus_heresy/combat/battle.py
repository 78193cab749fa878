"""The Horus Heresy in whole battles: units on the table, their volleys and blows, Blood Feud and War of Lies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.battles.forces import Attack, Attacks, Terms, Unit, Worth
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Chances, Distribution
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.battles import Mission, alone, models_behind, no_attacks
from armybuilder.engine.systems.horus_heresy.combat import model_notes, morale, reactions, target_state, vehicle_damage
from armybuilder.engine.systems.horus_heresy.combat.assault import Blows, every_party
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.matrix import FIRES_EVERYTHING, Target, fired_at
from armybuilder.engine.systems.horus_heresy.combat.melee_attackers import LAST_STEP, Party
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.psychic import leadership_chance
from armybuilder.engine.systems.horus_heresy.combat.shooting import (
    HELLSTORM_REACH,
    TEMPLATE_REACH,
    is_hellstorm,
    is_template,
)
from armybuilder.engine.systems.horus_heresy.combat.special_rules import IN_LISTS, SPECIAL_RULES, SpecialRules
from armybuilder.engine.systems.horus_heresy.combat.volley import AXES, AttackLine
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, Conditions, Group, MatchupOptions
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment
from armybuilder.engine.systems.matchups import ModelNotes

TERMS = Terms(
    width=72,
    depth=48,
    front=48,
    line=12,
    behind=6,
    turns=6,
    cover=0.3,
    reserves=True,
    reactions=1,
    rallied_stand=True,
    most_survivors=1,
)
"""Table 6' × 4' (L3726); nothing within 12" of the centre (L3758); six turns (L4061); a quarter to a third of the
table is terrain (L3732); one reaction a phase (L427-L437); Last Man Standing (L3890). The strip in which units stand
is half as wide again as deep [decision]."""

DISTANCE: Literal["inches", "cm"] = "inches"
facing = alone
crossed = supports = no_attacks

VICTORY = Text(
    "Victory points as in the mission Blood Feud: for enemy units of one type that are destroyed or falling back at "
    "the end (Infantry and Daemons 1, Primarchs 6, others 2), Slay the Warlord, Price of Failure, Last Man Standing; "
    "each player picks the type from which he can expect most points, and the dearest Character is the warlord. A "
    "cheap unit gives away as many points as a dear one of its type, so that it can cost more than it brings.",
    "Победные очки как в миссии «Кровавая вражда»: за отряды противника одного типа, уничтоженные или отступающие в "
    "конце (пехота и демоны 1, примархи 6, прочие 2), «Убить военачальника», «Цена неудачи», «Последний герой»; "
    "игрок выбирает тип, от которого ждёт больше всего очков, а военачальник – самый дорогой персонаж. Дешёвый отряд "
    "отдаёт столько же очков, сколько дорогой того же типа, и потому может обойтись дороже, чем приносит.",
)

LIES = Text(
    "Victory points as in the mission War of Lies: 1 for every enemy unit destroyed or falling back at the end, 0, 1 "
    "or 3 by a die for each of five objectives that is held, Slay the Warlord, Price of Failure; the dearest Character "
    "is the warlord. A cheap unit gives away as many points as a dear one, so that it can cost more than it brings.",
    "Победные очки как в миссии «Война лжи»: 1 за каждый отряд противника, уничтоженный или отступающий в конце, 0, 1 "
    "или 3 по броску кубика за каждую удержанную цель из пяти, «Убить военачальника», «Цена неудачи»; военачальник – "
    "самый дорогой персонаж. Дешёвый отряд отдаёт столько же очков, сколько дорогой, и потому может обойтись дороже, "
    "чем приносит.",
)

FIVE_OBJECTIVES = ((36.0, 24.0), (18.0, 14.0), (54.0, 14.0), (18.0, 34.0), (54.0, 34.0))
"""The centre, and two more on each side of it (L4390); where exactly, players choose [decision]."""

NEAR = 6.0
"""A unit whose centre is so near has a model within 3" (L3930 [text]; how wide a unit stands is a decision)."""

BLOOD_FEUD, WAR_OF_LIES = "blood_feud", "war_of_lies"
MISSIONS = {
    BLOOD_FEUD: Mission(Text("Blood Feud", "Кровавая вражда"), VICTORY, TERMS),
    WAR_OF_LIES: Mission(
        Text("War of Lies", "Война лжи"),
        LIES,
        replace(TERMS, most_survivors=0, objectives=FIVE_OBJECTIVES, near=NEAR, objective_points=(0, 1, 3)),
    ),
}
"""Missions without zones and markers that count during the game. Source: HH L4061-L4119, L4366-L4419 [text]."""

COVER = "5+"
"""Ruins (L2469-L2499)."""

FEUD = {"infantry": 1, "daemon": 1, "dreadnought": 2, "cavalry": 2, "vehicle": 2, "primarch": 6}
FEUD_WITH = {"automata": "dreadnought", "flyer": "cavalry"}
"""Types that count together: Dreadnoughts and Automata, Cavalry and Flyers (L4075)."""

PANIC = 0.25
"""Losses of a unit in one phase that call for a morale check (L1466)."""

SCREEN = 3
"""Models of a unit that a Character can join, and so hide in."""

WORST_DEFEAT = 10
ZOOM = 2
"""A zooming Flyer goes up to twice its Movement (L2381)."""

FALL_BACK, FALL_BACK_OF_CAVALRY = Dice(2, 6).distribution(), Dice(3, 6).distribution()
"""Source: HH L1472, L1566 [text]."""

LATER_ROUND = 2

RESERVE_ROLLS = (0.0, 2 / 3, 2 / 3, 1.0)
"""Chances to arrive by turn: nobody in the first, 3+ in the second and third, everybody from the fourth (L3985)."""

ORBITAL, ASSAULT_VEHICLE = "orbital assault vehicle", "assault vehicle"
"""Rules of what can only come by a Deep Strike Assault [carried], and of what may be left charging (L2803)."""

NEVER_PINNED = ("cavalry", "monstrous", "daemon")
"""Source: HH L1566, L1600, L1656 [text]; vehicles never test (L2056)."""

HOLDS_BACK = ("Rapid Fire", "Heavy", "Ordnance")
"""Weapons after which a unit does not charge (L1047-L1055)."""

DISSOLVES = Dice(1, 3).distribution()
"""Wounds that Daemons take instead of falling back (L1601)."""

FOCUS = "psychic focus"
"""Weapons that are used after a psychic check only (L4453)."""

HEALING = "it will not die"
HEALS_ON = 5
"""That of Primarchs (L1607 [text]), and of a rule without a number [carried]."""


@dataclass(frozen=True)
class Ready:
    """A fighter whose rules are read, standing and charging."""

    fighter: Fighter

    @cached_property
    def unit(self) -> target_state.Unit:
        """As it stands."""
        return target_state.Unit(self.fighter.side, "/attacker")

    @cached_property
    def moving(self) -> target_state.Unit:
        """As it shoots after a move."""
        return target_state.Unit(msgspec.structs.replace(self.fighter.side, moved=True), "/attacker")

    @cached_property
    def charging(self) -> target_state.Unit:
        """As it charges."""
        return target_state.Unit(msgspec.structs.replace(self.fighter.side, charged=True), "/attacker")

    @cached_property
    def in_the_open(self) -> Target:
        """As it is shot at."""
        return Target(self.fighter, MatchupOptions())

    @cached_property
    def in_cover(self) -> Target:
        """As it is shot at in cover."""
        side = msgspec.structs.replace(self.fighter.side, cover=COVER)
        return Target(msgspec.structs.replace(self.fighter, side=side), MatchupOptions())

    @cached_property
    def later(self) -> tuple[int, ...]:
        """Models that fall later than those of each group."""
        order = self.unit.order_of_vehicles if self.unit.is_vehicle else self.unit.order
        return models_behind([group.count for group in self.unit.groups], order)

    @cached_property
    def character(self) -> bool:
        """Whether it could be the warlord's unit."""
        return any(group.is_a("character", "primarch") for group in self.unit.groups)


def ready(fighter: Fighter) -> Ready:
    """Raises BadDocument for a side that can neither be hit on Toughness nor on armour."""
    found = Ready(fighter)
    if not found.unit.models or (not found.unit.is_vehicle and found.unit.toughness is None):
        raise BadDocument(f"{fighter.name} has neither models nor a Toughness or armour.")
    return found


def unit(ready: Ready) -> Unit:
    """The unit as it stands on the table."""
    own = ready.unit
    cavalry = all(own.groups[i].is_a("cavalry") for i in own.present)
    nerve = morale.test_chance(own, Conditions(), morale=True)
    stands = tuple(
        morale.test_chance(own, Conditions(), morale=True, lost_by=lost) for lost in range(1, WORST_DEFEAT + 1)
    )
    squadron = own.squadron if own.is_vehicle else None
    return Unit(
        id="",
        name="",
        points=0.0,
        wounds=(squadron.hull_points,) * squadron.vehicles if squadron is not None else own.lineup.wounds,
        move=float(own.reach_of_a_move * (ZOOM if own.is_zooming else 1)),
        charge=_charge(own),
        strikes_at=_initiative(own),
        shelters=not own.is_vehicle,
        hides=own.models == 1 and all(own.groups[i].is_a("character", "primarch") for i in own.present),
        screens=own.models >= SCREEN and not own.is_vehicle,
        locks=not own.is_vehicle or own.first_vehicle.is_a(*target_state.KNIGHTS),
        stands=() if min(stands) >= 1.0 else stands,
        panics_at=PANIC if nerve < 1.0 else None,
        holds=nerve,
        rallies=nerve,
        flees=FALL_BACK_OF_CAVALRY if cavalry else FALL_BACK,
        unpinned=1.0 if any(own.groups[i].is_a(*NEVER_PINNED) for i in own.present) else nerve,
        scores=_scores(own),
        denies=not own.is_vehicle and not any(own.groups[i].is_a("artillery") for i in own.present),
        charges_after=_charges_after(own),
        dissolves=DISSOLVES if any(own.groups[i].is_a("daemon") for i in own.present) else None,
        regains=_regains(own),
        arrives=RESERVE_ROLLS if _in_reserve(ready) else (),
        drops=_drops(ready),
        rides=ready.fighter.rides or "",
        lands_charging=own.any_model_has(ASSAULT_VEHICLE),
    )


def _in_reserve(ready: Ready) -> bool:
    """Flyers must begin in reserve (L2356 [text]), drop pods [carried], and whomever the player has put there."""
    own = ready.unit
    held_back = ready.fighter.deployment in (
        Deployment.RESERVE,
        Deployment.DEEP_STRIKE_ASSAULT,
        Deployment.FLANKING_ASSAULT,
    )
    return held_back or _drops(ready) or any(own.groups[i].is_a("flyer") for i in own.present)


def _drops(ready: Ready) -> bool:
    """Whether it comes in the Deep Strike Assault. Source: HH L4015-L4039 [text]."""
    return ready.fighter.deployment is Deployment.DEEP_STRIKE_ASSAULT or ready.unit.any_model_has(ORBITAL)


def _regains(own: target_state.Unit) -> float:
    """It Will Not Die, where all models have it; Primarchs do. Source: L1607, L3155 [text]."""
    rolls = []
    for index in own.present:
        found = [own.rules[index].roll(HEALING, HEALS_ON)]
        found += [HEALS_ON] if own.groups[index].type == "primarch" else []
        rolls.append(min((roll for roll in found if roll is not None), default=None))
    if None in rolls:
        return 0.0
    return min((7 - roll) / 6 for roll in rolls if roll is not None)


def _scores(own: target_state.Unit) -> bool:
    """Line units hold objectives. Source: HH L1621-L1627, L3934-L3943 [text]."""
    return any(own.groups[i].is_a("line") for i in own.present)


def _charges_after(own: target_state.Unit) -> bool:
    """Whether it may charge whom it has shot at. Source: HH L1047-L1055, L1589, L1657, L3259, L3317 [text]."""
    return not any(
        weapon.kind in HOLDS_BACK
        and not own.groups[i].is_a("dreadnought", "monstrous", "primarch")
        and "relentless" not in own.rules[i]
        and "slow and purposeful" not in own.rules[i]
        for i in own.present
        for weapon in own.groups[i].weapons
    )


def _charge(own: target_state.Unit) -> Distribution | None:
    bonus = morale.charge_bonus(own, Conditions())
    if bonus is None:
        return None
    return Dice(2, 6, bonus).distribution().clipped(low=morale.SHORTEST_CHARGE, high=morale.LONGEST_CHARGE)


def _initiative(own: target_state.Unit) -> int:
    """The step of most of its models; those without Initiative strike last."""
    blows = Blows(own, own, Conditions(combat_round=LATER_ROUND), MatchupOptions())
    parties = every_party(blows, [group.count for group in own.groups])
    if not parties or own.is_vehicle:
        return LAST_STEP
    try:
        return blows.step_of(max(parties, key=lambda party: party.models))
    except BadDocument:
        return LAST_STEP


def bands(ready: Ready) -> tuple[float, ...]:
    """Ranges of its weapons, half of them for Rapid Fire, their least ones, and the reach of templates."""
    found: set[float] = set()
    for group in ready.unit.groups:
        for weapon in group.weapons:
            rules = SpecialRules(weapon.rules)
            if weapon.kind == "Melee" or not group.count:
                continue
            if is_template(weapon, rules):
                reach = HELLSTORM_REACH if is_hellstorm(weapon, rules) else TEMPLATE_REACH
                found.add(float(reach + (rules.number("torrent", 0) or 0)))
            elif weapon.reach_inches:
                found.add(weapon.reach_inches)
                if weapon.kind == "Rapid Fire":
                    found.add(weapon.reach_inches / 2)
                if least := rules.number("minimum range", 0):
                    found.add(float(least))
    return tuple(sorted(found))


def steady(ready: Ready) -> bool:
    """Only Heavy, Ordnance and Destroyer weapons mind a move; of vehicles the last two, and all guns of slow ones."""
    if ready.unit.is_vehicle and any(group.is_a("slow") for group in ready.unit.groups):
        return False
    heavy = ("Ordnance", "Destroyer") if ready.unit.is_vehicle else ("Heavy", "Ordnance", "Destroyer")
    return not any(weapon.kind in heavy for group in ready.unit.groups for weapon in group.weapons)


def shooting(attacker: Ready, defender: Ready, *, distance: float, moved: bool, cover: bool) -> Attacks:
    """The weapons that hurt the target most, as `matrix` chooses them."""
    target = defender.in_cover if cover else defender.in_the_open
    own_unit = attacker.moving if moved else attacker.unit
    return _fired(attacker, own_unit, target, Conditions(distance=distance))


def may_reply(attacker: Ready, defender: Ready) -> bool:
    """Whether it may react to this enemy."""
    return reactions.may_react(attacker.unit, defender.unit)


def replies(attacker: Ready, defender: Ready, *, distance: float, cover: bool) -> Attacks | None:
    """Vehicles fire defensive weapons, flames are a Wall of Death, others shoot as ever. Source: HH L478-L488."""
    own = attacker.unit
    flames = any(is_template(w, SpecialRules(w.rules)) for group in own.groups for w in group.weapons)
    if not own.is_vehicle and not flames:
        return None
    target = defender.in_cover if cover else defender.in_the_open
    return _fired(attacker, own, target, AttackConditions(distance=distance, reaction="return_fire"))


def _fired(attacker: Ready, own_unit: target_state.Unit, target: Target, conditions: Conditions) -> Attacks:
    volley = fired_at(attacker.fighter, own_unit, target, conditions)
    found: list[Attack] = []
    for index, group in enumerate(own_unit.groups):
        taken = 0
        for shot in sorted((s for s in volley if s.group == index), key=lambda s: s.line.bearers):
            bearers = shot.line.bearers
            after = 0 if group.is_a(*FIRES_EVERYTHING) else min(taken, max(0, group.count - bearers))
            chances = _chances(shot.line, target)
            if FOCUS in SpecialRules(shot.weapon.rules):
                chances = _mixed([(_passes(group), chances)])
            found.append(Attack(bearers, chances, attacker.later[index] + after))
            taken += bearers
    return tuple(found)


def pins(attacker: Ready, defender: Ready, *, distance: float) -> bool:
    """A volley pins if one of its weapons does. Source: HH L3199-L3209 [text]."""
    able = any(
        "pinning" in SpecialRules((*group.rules, *w.rules)) for group in attacker.unit.groups for w in group.weapons
    )
    if not able and not attacker.unit.any_model_has("pinning"):
        return False
    volley = fired_at(attacker.fighter, attacker.unit, defender.in_the_open, Conditions(distance=distance))
    return any(shot.line.pinning is not None for shot in volley)


def counters(ready: Ready) -> bool:
    """Whoever strikes otherwise in the first round: by Counter-attack, or by Hatred, which lasts for it."""
    return any(map(ready.unit.any_model_has, SPECIAL_RULES.counting_in("first_round")))


def blows(attacker: Ready, defender: Ready, *, charging: bool, charged: bool = False) -> Attacks:
    """All models strike with the weapons they use; a charge adds Hammer of Wrath."""
    own_unit = attacker.charging if charging else attacker.unit
    target = defender.in_the_open
    enemy = defender.charging if charged else target.unit
    melee = Blows(own_unit, enemy, Conditions(combat_round=1 if charging or charged else LATER_ROUND), MatchupOptions())
    if not melee.possible:
        return ()
    alive = [group.count for group in own_unit.groups]
    found: list[Attack] = []
    for index in own_unit.present:
        taken = 0
        for party in melee.parties(index, own_unit.groups[index].count):  # rarer weapons first
            chances = _struck(melee, party, target)
            if chances is not None:
                found.append(Attack(party.models, chances, attacker.later[index] + taken))
            taken += party.models
        only = [count if i == index else 0 for i, count in enumerate(alive)]
        extra = [*(melee.hammer_lines(only) if charging else ()), *melee.stomp_lines(only)]
        found += [Attack(line.bearers, _chances(line, target), attacker.later[index]) for line in extra]
    return tuple(found)


def _struck(melee: Blows, party: Party, target: Target) -> Chances | None:
    """What one model of a party does, over all rolls of Rampage; None when it cannot strike."""
    arms = [(1.0, party)]
    if FOCUS in SpecialRules(party.weapon.rules):
        passes = _passes(melee.striker.groups[party.group])
        arms = [(passes, party), (1.0 - passes, melee.without_focus(party))]
    ways = [
        (share * weight, melee.line(armed, rolls[armed.group]))
        for share, armed in arms
        for weight, rolls in melee.rampages()
    ]
    parts = [(weight, _chances(line, target)) for weight, line in ways if line is not None]
    return _mixed(parts) if parts else None


def _passes(group: Group) -> float:
    """Chance of a psychic check (L1779). Raises BadDocument without Leadership."""
    if group.profile.leadership is None:
        raise BadDocument("A psychic check needs Leadership.")
    return leadership_chance(group.profile.leadership)


def _mixed(parts: Sequence[tuple[float, Chances]]) -> Chances:
    """Several ways an attack can go, by their chances; what is left of them does nothing."""
    mixed = np.zeros(tuple(max(part.shape[axis] for _, part in parts) for axis in (0, 1)))
    for weight, part in parts:
        mixed[: part.shape[0], : part.shape[1]] += weight * part
    mixed[0, 0] += 1.0 - sum(weight for weight, _ in parts)
    return mixed


def _chances(line: AttackLine, target: Target) -> Chances:
    """What one bearer does, as slaying packets and wounds (or hull points)."""
    standing = target.standing
    if standing.is_vehicle:
        p = exact.packets(standing.tree(line), (vehicle_damage.EXPLODES, vehicle_damage.CRASHES, vehicle_damage.HULL))
        total = np.zeros((p.shape[0] + p.shape[1] - 1, p.shape[2]))
        for explodes, crashes in np.ndindex(p.shape[:2]):
            total[explodes + crashes] += p[explodes, crashes]
        return total
    groups = target.unit.groups
    order = target.unit.order
    commonest = max(range(len(order)), key=lambda kind: groups[order[kind]].count)
    return exact.packets(line.aim(standing.after_hit(line, commonest)), AXES)


def catches(winner: Ready, loser: Ready) -> float:
    """The Sweeping Advance."""
    try:
        return morale.caught_chance(winner.unit, loser.unit, Conditions())
    except BadDocument:  # no Initiative on one side
        return 0.0


def worths(army: Sequence[Ready], mission: str | None = None) -> tuple[Worth, ...]:
    """Every unit, or those of the type that is worth most in all; the warlord, and Lords of War."""
    return namings(army, mission)[0]


def namings(army: Sequence[Ready], mission: str | None = None) -> tuple[tuple[Worth, ...], ...]:
    """The worths for each type that the enemy may name in a Blood Feud, the dearest first. Source: L4075 [text]."""
    if mission not in (None, BLOOD_FEUD):
        return (_worths(army, mission, None),)
    kinds = [_feud(ready) for ready in army]
    totals = {kind: sum(FEUD[kind] for other in kinds if other == kind) for kind in kinds if kind}
    dearest_first = sorted(totals, key=lambda kind: -totals[kind])
    return tuple(_worths(army, mission, picked) for picked in dearest_first) or (_worths(army, mission, None),)


def _worths(army: Sequence[Ready], mission: str | None, picked: str | None) -> tuple[Worth, ...]:
    kinds = [_feud(ready) for ready in army]
    characters = [ready for ready in army if ready.character]
    warlord = max(characters, key=lambda ready: ready.fighter.points, default=None)
    found = []
    for ready, kind in zip(army, kinds, strict=True):
        feud = FEUD[kind] if kind is not None and kind == picked else 0
        prey = feud if mission in (None, BLOOD_FEUD) else int(kind is not None)
        head = 0
        if ready is warlord:
            head = 2 if any(group.type == "primarch" for group in ready.unit.groups) else 1
        price = 1 if ready.unit.is_vehicle and ready.unit.is_huge else 0
        found.append(Worth(destroyed=prey + head + price, fleeing=prey, fleeing_weak=prey))
    return tuple(found)


def _feud(ready: Ready) -> str | None:
    """The type a unit counts as in Blood Feud; None for fortifications."""
    group = ready.unit.groups[ready.unit.present[0]]
    kind = "flyer" if group.is_a("flyer") else str(group.type)
    kind = FEUD_WITH.get(kind, kind)
    return kind if kind in FEUD else None


def _note_rules_of_lists(army: Sequence[Ready], notes: ModelNotes) -> None:
    """The rules that no single attack knows."""
    texts = {text: ready for ready in army for text in model_notes.texts_of(ready.fighter.side)}
    healed = {text for ready in army if _regains(ready.unit) for text in model_notes.texts_of(ready.fighter.side)}
    for text in texts:
        rule = SPECIAL_RULES.find(text)
        if rule is None:
            continue
        if rule.id == HEALING:
            (notes.modelled if text in healed else notes.not_simulated).append(text)
        elif rule.id in IN_LISTS:
            notes.modelled.append(text)
        elif not rule.affects_combat and rule.battle_how is not None:
            notes.approximate(text, rule.battle_how)


def _is_left_out(text: str) -> bool:
    rule = SPECIAL_RULES.find(text)
    return rule is not None and rule.battle == "left_out"


def _how_in_battles(text: str) -> Text | None:
    rule = SPECIAL_RULES.find(text)
    return rule.battle_how if rule is not None else None


def report(attackers: Sequence[Ready], defenders: Sequence[Ready], notes: ModelNotes) -> None:
    """The rules of all units, by what shooting and close combat have in their numbers."""
    found = ModelNotes(options=MatchupOptions().listed())
    for army, enemies in ((attackers, defenders), (defenders, attackers)):
        sides = [enemy.fighter.side for enemy in enemies]
        for one in army:
            for kind in ("shooting", "combat_round"):
                for part in ("attacker", "defender"):
                    model_notes.note_side(kind, part, one.fighter.side, sides, found)
    missing = [rule for rule in found.modelled if _is_left_out(rule)]
    for item in found.approximated:
        if _is_left_out(item.rule):
            missing.append(item.rule)
        else:
            notes.approximate(item.rule, item.how)
    for text in found.assumptions:
        notes.assume(text)
    notes.modelled += [rule for rule in dict.fromkeys(found.modelled) if not _is_left_out(rule)]
    notes.not_simulated += dict.fromkeys([*missing, *found.not_simulated])
    _note_rules_of_lists((*attackers, *defenders), notes)
    notes.options.update(found.options)
    for part in ("vehicles", "reserves", "transports", "terrain", "characters"):
        notes.approximate(part, NOTES[part])
    for rule in list(notes.modelled):
        if (how := _how_in_battles(rule)) is not None:
            notes.modelled.remove(rule)
            notes.approximate(rule, how)
    notes.approximate("reactions", NOTES["reactions"])
    if any(ready.unit.groups[i].is_a("daemon") for ready in (*attackers, *defenders) for i in ready.unit.present):
        notes.assume(NOTES["strength_toughness_daemons"])
    notes.not_simulated += [
        "variable length",
        "night fighting",
        "psychic powers that are no attack",
        "running",
        "challenges",
    ]
