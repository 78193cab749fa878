"""Epic in whole battles: formations on the table, their shooting, barrages and assaults, and the tie-break's points.

Objectives need markers on the table, so that battles are decided by the points of L1143-L1150 alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from msgspec.structs import replace

from armybuilder.engine.combat.battles.forces import Attack, Attacks, Terms, Unit, Worth
from armybuilder.engine.combat.battles.outcomes import NOTHING, Outcomes, array, mean_repeated, mixed, power, repeated
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import binomial, certain
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.battles import Mission, alone, models_behind, never, no_attacks, one_naming
from armybuilder.engine.systems.epic.army import Options, Weapon, rule_name
from armybuilder.engine.systems.epic.combat import barrage, matrix, model_notes
from armybuilder.engine.systems.epic.combat.assault import Side
from armybuilder.engine.systems.epic.combat.casualties import CRITICAL, Packet
from armybuilder.engine.systems.epic.combat.conditions import EpicConditions
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.firing import barrage_points, best_value, can_hurt, is_aimed, packet_of
from armybuilder.engine.systems.epic.combat.nerve import leaders_of
from armybuilder.engine.systems.epic.combat.note_words import SIMPLIFICATIONS
from armybuilder.engine.systems.epic.combat.saves import ORDINARY, failing, made, needed
from armybuilder.engine.systems.epic.combat.special_rules import is_left_out
from armybuilder.engine.systems.epic.matchup import EpicMatchup, FormationSide, Terrain
from armybuilder.engine.systems.epic.matchup import UnitGroup as Group
from armybuilder.engine.systems.matchups import ModelNotes

TERMS = Terms(
    width=180,
    depth=120,
    front=120,
    line=45,
    behind=10,
    turns=4,
    goes_on=(1 / 6,),
    cover=0.3,
    alternates=True,
    lasting=False,
    markers=True,
    pressed=30,
    supports=25,
    crossfire=45,
    breadth=10,
)
"""Table 120 x 180 cm, set-up within 15 cm of the own edge, four turns and one more when both dice show the same
(L1058-L1150 [text]); three units in ten find cover [decision]."""

ON_FOOT_CM = 20
"""Speed of the fastest infantry that walks."""

MADE_FOR_ASSAULTS = "formations made for assaults"
"""The simplification that is told where such a formation takes part."""

DISTANCE: Literal["inches", "cm"] = "cm"
MISSIONS: Mapping[str, Mission] = {}
facing = alone
may_reply = pins = never
replies = no_attacks

VICTORY = Text(
    "Victory points of the tie-break: the whole price of formations that are destroyed, or broken with less than half "
    "of their units; half the price of those that are broken or have lost half. Objectives are not on the table.",
    "Победные очки тайбрейка: полная стоимость уничтоженных формаций и разбитых, в которых меньше половины юнитов; "
    "половина – за разбитые и за потерявшие половину. Обжективов на столе нет.",
)

FIGHTING_PER_ENEMY = 3
"""Units that can fight for each enemy unit: two in base contact (L509), one more from 15 cm [decision]."""
WOODS: Terrain = "woods"
SELDOM = {"slow firing": 1 / 2, "single shot": 1 / 4}
"""How often weapons of these rules fire, over the four turns of a game (L796-L802)."""
TELEPORTS = "teleport"
FURTHER_CM = 45
"""How much further forward teleporting formations stand: in the middle of the table [decision]."""


@dataclass(frozen=True)
class Ready:
    """A formation with its units in the order in which they fall: single ones, as hosts of characters, last."""

    fighter: Fighter

    @cached_property
    def formation(self) -> FormationSide:
        """The same formation in that order."""
        groups = sorted(self.fighter.side.groups, key=lambda unit: unit.count == 1)
        return replace(self.fighter.side, units=tuple(groups))

    @cached_property
    def later(self) -> tuple[int, ...]:
        """Units that fall later than those of each group."""
        return models_behind([unit.count for unit in self.formation.groups])

    @cached_property
    def fighting(self) -> FormationSide:
        """As it fights an assault."""
        return matrix.fighting(self.formation)

    @cached_property
    def sorted_fighter(self) -> Fighter:
        """The fighter with the units in that order."""
        return replace(self.fighter, side=self.formation)


def ready(fighter: Fighter) -> Ready:
    """Raises BadDocument for aircraft and spacecraft, which are not on the table."""
    if fighter.is_in_space or any(unit.type == "AC" for unit in fighter.side.groups):
        raise BadDocument(f"{fighter.name} is not on the table.")
    return Ready(fighter)


def unit(ready: Ready) -> Unit:
    """The formation as it stands on the table; what cannot move at all (a drop pod) is left behind."""
    groups = ready.formation.groups
    models = sum(group.count for group in groups)
    speed = min(
        (float(speed) for group in groups if isinstance(speed := group.profile.speed, int | float) and speed),
        default=0.0,
    )
    need = needed(ready.formation.initiative)
    tests = [made(need + worse) if need is not None else 0.0 for worse in range(4)]
    jumps = all(group.has_rule(TELEPORTS) for group in groups)
    inspiring = sum(group.count for group in groups if group.has_rule("inspiring"))
    fights = any(made(needed(value)) for group in groups for value in (group.profile.CC, group.profile.FF))
    first = sum(group.count for group in groups if group.has_rule("first strike"))
    return Unit(
        id="",
        name="",
        points=0.0,
        wounds=tuple(group.capacity_left if group.track else 1 for group in groups for _ in range(group.count)),
        move=speed,
        charge=certain(_charge_cm(ready, speed)) if fights and speed > 0 else None,
        strikes_at=int(2 * first > models),
        flees=certain(round(2 * speed)),
        combat_bonus=(0, *[inspiring] * models) if inspiring else (),
        strength=_strengths(groups),
        marks_a_model=max((group.capacity for group in groups), key=lambda dc: _counted(groups, dc)),
        acts=(tests[0], tests[1]),
        recovers=(tests[0], tests[1], tests[2], tests[3]),
        leaders=leaders_of(ready.formation),
        commands=bool(ready.formation.bearers("supreme commander")),
        resists=_resists(ready.formation),
        shaken=binomial(models, 1 / 6) if jumps else None,
        ahead=FURTHER_CM if jumps else 0.0,
    )


def _charge_cm(ready: Ready, speed: float) -> int:
    """How far a charge reaches: twice as far for Infiltrators (L668), 15 cm more for those who fight from there."""
    groups = ready.formation.groups
    twice = all(group.has_rule("infiltrators") for group in groups)
    firefight = any(group.fights == "FF" for group in ready.fighting.groups)
    return round(speed) * (2 if twice else 1) + (matrix.FIREFIGHT_CM if firefight else 0)


def _resists(formation: FormationSide) -> float:
    """Chance that a unit saves although nobody else may: the Fearless do (L660)."""
    saved = sum(
        group.count
        * (1.0 - failing(formation, group, hit_class=ORDINARY, options=Options(), in_assault=True, charged=True))
        for group in formation.groups
        if group.has_rule("fearless")
    )
    return saved / max(1, sum(group.count for group in formation.groups))


def _strengths(groups: Sequence[Group]) -> tuple[int, ...]:
    """What breaks it by units left, which fall in this order: engines count their starting capacity (L870)."""
    each = [group.capacity for group in groups for _ in range(group.count)]
    return tuple(sum(each[len(each) - left :]) for left in range(len(each) + 1))


def _counted(groups: Sequence[Group], capacity: int) -> int:
    return sum(group.count for group in groups if group.capacity == capacity)


def bands(ready: Ready) -> tuple[float, ...]:
    """Ranges of its weapons, and twice those of indirect fire."""
    found: set[float] = set()
    for group in ready.formation.groups:
        for weapon in group.weapons:
            if isinstance(weapon.range, int | float) and weapon.firepower:
                found.add(float(weapon.range))
                if matrix.is_indirect(weapon):
                    found.add(2.0 * weapon.range)
    return tuple(sorted(found))


def steady(ready: Ready) -> bool:
    """Who stands still may take sustained fire."""
    return False


def shooting(attacker: Ready, defender: Ready, *, distance: float, moved: bool, cover: bool) -> Attacks:
    """One action: sustained fire of those who stand, an advance of those who move; a barrage beside direct fire."""
    return _fire(attacker, defender, _conditions(distance, moved=moved, cover=cover))


def crossed(attacker: Ready, defender: Ready, *, distance: float, moved: bool, cover: bool) -> Attacks:
    """The same at a target in a crossfire."""
    return _fire(attacker, defender, replace(_conditions(distance, moved=moved, cover=cover), crossfire=True))


def _conditions(distance: float, *, moved: bool, cover: bool) -> EpicConditions:
    return EpicConditions(
        action="advance" if moved else "sustained_fire", distance=distance, terrain=WOODS if cover else "open"
    )


def _fire(attacker: Ready, defender: Ready, conditions: EpicConditions) -> Attacks:
    """Guns that may bombard instead do so where that hurts more. Source: L80 [text]."""
    direct = matrix.in_one_way(attacker.formation, barrage=False)
    found = _fired(attacker, direct, defender, conditions)
    bombarding = matrix.in_one_way(attacker.formation, barrage=True)
    if bombarding == direct:
        return found
    other = _fired(attacker, bombarding, defender, conditions)
    return max(found, other, key=_harm)


def _harm(attacks: Attacks) -> float:
    """Packets and wounds of all models on average."""
    return sum(
        attack.models * float((np.indices(attack.chances.shape).sum(0) * attack.chances).sum()) for attack in attacks
    )


def _fired(attacker: Ready, formation: FormationSide, defender: Ready, conditions: EpicConditions) -> Attacks:
    found: list[Attack] = []
    fighter = replace(attacker.fighter, side=formation)
    for attack in (matrix.SHOOTING, matrix.BARRAGE):
        try:
            matchup = matrix.request(attack, fighter, defender.sorted_fighter, conditions)
        except BadDocument:
            continue
        found += _volley(matchup, attacker) if attack == matrix.SHOOTING else _barrage(matchup, attacker)
    return tuple(found)


def _volley(matchup: EpicMatchup, attacker: Ready) -> Iterable[Attack]:
    assert matchup.attacker is not None and matchup.defender is not None  # requests have both
    for index, group in enumerate(matchup.attacker.groups):
        for weapon in group.weapons:
            best = best_value(matchup, group, weapon)
            if best is None:
                continue
            profile, dice, chance = best
            eligible = (can_hurt(profile, weapon, target) for target in matchup.defender.groups)
            packet = packet_of(matchup, weapon, eligible, aimed=is_aimed(group, weapon))
            rate = _rate(weapon)
            each = _hit(matchup.defender, packet, chance * rate)
            shots = Dice(dice.count * weapon.count, dice.sides, dice.plus * weapon.count)
            number = shots.distribution().as_dict().items()
            missed = sum(float(share) * (1.0 - chance * rate) ** int(count) for count, share in number)
            hits = chance * rate * float(shots.distribution().mean)
            yield Attack(
                group.count,
                array(repeated(each, shots)),
                attacker.later[index],
                touch=1.0 - missed,
                extra=hits * _instead(matchup.defender, packet) if packet.disrupt else 0.0,
            )


def _rate(weapon: Weapon) -> float:
    """How often it fires."""
    return min((SELDOM.get(rule_name(rule), 1.0) for rule in weapon.rules), default=1.0)


def _instead(defender: FormationSide, packet: Packet) -> float:
    """Markers of a disrupting hit that are not those of a loss: of saved hits. Source: L774 [text]."""
    hurt = [(unit.count, fails) for unit, fails in zip(defender.groups, packet.fails, strict=True) if fails is not None]
    total = sum(count for count, _ in hurt)
    return sum(count * (1.0 - fails) for count, fails in hurt) / total if total else 0.0


def _barrage(matchup: EpicMatchup, attacker: Ready) -> Iterable[Attack]:
    """The whole barrage, shared among the units that fire it."""
    assert matchup.attacker is not None and matchup.defender is not None  # requests have both
    firers = [
        (index, group, sum(weapon.count * barrage_points(weapon) for weapon in group.weapons))
        for index, group in enumerate(matchup.attacker.groups)
    ]
    total = sum(points * group.count for _, group, points in firers)
    rate = min((_rate(weapon) for group in matchup.attacker.groups for weapon in group.weapons), default=1.0)
    attack = barrage.prepared(matchup, ModelNotes())[0]
    extra = attack.extra_markers * rate
    for volley in attack.fired:
        chance = volley.shots[0].chance * rate
        each = _hit(matchup.defender, volley.packet, chance)
        attacks = sum(shots.firers for shots in volley.shots)
        for index, group, points in firers:
            if points:
                share = attacks * points / total
                yield Attack(
                    group.count,
                    array(mean_repeated(each, share)),
                    attacker.later[index],
                    touch=1.0 - (1.0 - chance) ** share,
                    extra=extra * points / total,
                )
        extra = 0.0


def counters(ready: Ready) -> bool:
    """Combat is one round: all that do not charge in it have been charged."""
    return False


def blows(attacker: Ready, defender: Ready, *, charging: bool, charged: bool = False) -> Attacks:
    """One round: every unit in the way that it hits more with; who charged has no cover."""
    if charging:
        own, enemy = attacker.fighting, matrix.answering(defender.formation, attacker.fighting)
    else:
        own, enemy = matrix.answering(attacker.formation, defender.fighting), defender.fighting
    matchup = EpicMatchup(system="epic", kind=matrix.ASSAULT, attacker=own, defender=enemy)
    side = Side(own, enemy, matchup, enemy_charged=not charging)
    share = min(1.0, FIGHTING_PER_ENEMY * enemy.strength / max(1, own.strength))
    found = []
    for dice in side.dice:
        group = own.groups[dice.group]
        each = _hit(enemy, dice.packet, dice.chance)
        shots = dice.each
        fighting = max(1, round(group.count * share))
        found.append(Attack(fighting, array(repeated(each, shots)), attacker.later[dice.group]))
    return tuple(found)


def supports(attacker: Ready, defender: Ready) -> Attacks:
    """Supporting fire with FF; half of the formation is near enough. Source: L541-L543 [text]; the half [decision]."""
    own = replace(attacker.formation, units=tuple(replace(group, fights="FF") for group in attacker.formation.groups))
    matchup = EpicMatchup(system="epic", kind=matrix.ASSAULT, attacker=own, defender=defender.formation)
    return tuple(
        Attack(
            (own.groups[dice.group].count + 1) // 2,
            array(repeated(_hit(defender.formation, dice.packet, dice.chance), dice.each)),
            attacker.later[dice.group],
        )
        for dice in Side(own, defender.formation, matchup, enemy_charged=True).dice
    )


def catches(winner: Ready, loser: Ready) -> float:
    """A formation that loses withdraws; nobody runs it down."""
    return 0.0


def worths(army: Sequence[Ready], mission: str | None = None) -> tuple[Worth, ...]:
    """Points of the tie-break. Source: L1143-L1150 [text]."""
    prices = [float(ready.fighter.points) for ready in army]
    return tuple(Worth(destroyed=p, fleeing=p / 2, fleeing_weak=p, halved=p / 2) for p in prices)


namings = one_naming(worths)


def report(attackers: Sequence[Ready], defenders: Sequence[Ready], notes: ModelNotes) -> None:
    """The rules of all formations, by what shooting and assaults have in their numbers."""
    found = ModelNotes()
    for army, enemies in ((attackers, defenders), (defenders, attackers)):
        for one in army:
            matchup = EpicMatchup(
                system="epic", kind=matrix.SHOOTING, attacker=one.formation, defender=enemies[0].formation
            )
            model_notes.note_rules(matchup, found)
            model_notes.note_rules(replace(matchup, kind=matrix.ASSAULT), found)
    for item in found.approximated:
        if is_left_out(item.rule):
            found.not_simulated.append(item.rule)
        else:
            notes.approximate(item.rule, item.how)
    for text in found.assumptions:
        notes.assume(text)
    for rule in dict.fromkeys(found.modelled):
        (notes.not_simulated if is_left_out(rule) else notes.modelled).append(rule)
    notes.not_simulated += dict.fromkeys(found.not_simulated)
    walks = any(_only_assaults(one.formation) for one in (*attackers, *defenders))
    for rule, how in SIMPLIFICATIONS.items():
        if rule != MADE_FOR_ASSAULTS or walks:
            notes.approximate(rule, how)
    notes.not_simulated += ["aircraft", "spacecraft", "overwatch"]


def _only_assaults(formation: FormationSide) -> bool:
    """Whether nobody of a formation on foot has a weapon that is shot with."""
    weapons = (weapon for group in formation.groups for weapon in group.weapons)
    speeds = (group.profile.speed for group in formation.groups if group.type == "INF")
    on_foot = any(isinstance(speed, int | float) and speed <= ON_FOOT_CM for speed in speeds)
    return on_foot and not any(isinstance(weapon.range, int) and weapon.firepower for weapon in weapons)


# Outcomes of one unit's dice


def _hit(defender: FormationSide, packet: Packet, chance: float) -> Outcomes:
    """One die that hits with this chance: hits are spread over the units that they can hurt."""
    groups = defender.groups
    hurt = [(unit.count, fails, unit) for unit, fails in zip(groups, packet.fails, strict=True) if fails is not None]
    total = sum(count for count, _, _ in hurt)
    if not total:
        return NOTHING
    hits = ((chance * count / total, _damage(target, packet, fails)) for count, fails, target in hurt)
    return mixed(((1.0 - chance, NOTHING), *hits))


def _damage(target: Group, packet: Packet, fails: float) -> Outcomes:
    """One hit on one unit: a loss, or damage points of a war engine, each of which may end it."""
    if not target.track:
        return {(0, 0): 1.0 - fails, (0, 1): fails}
    point: Outcomes = {(0, 0): 1.0 - fails, (0, 1): fails}
    if target.critical:
        point = {(0, 0): 1.0 - fails, (0, 1): fails * (1.0 - CRITICAL)}
        for more, share in target.critical:
            key = (1, 0) if more >= target.capacity else (0, 1 + more)
            point[key] = point.get(key, 0.0) + fails * CRITICAL * share
    return mixed((share, power(point, number)) for number, share in enumerate(packet.damage, start=1))
