"""Fantasy 8th edition in whole battles: units on the table, their volleys and blows, and the scenario Battleline.

Battleline (L1577-L1585) is the scenario whose victory points need neither a tower nor a breaking point.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from msgspec.structs import replace

from armybuilder.engine.combat.battles.forces import Attack, Attacks, Terms, Unit, Worth
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, certain, mixture
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.battles import Mission, models_behind, never, no_attacks, one_naming
from armybuilder.engine.systems.fantasy_8th.combat import (
    battle_magic,
    casualties,
    model_notes,
    psychology,
    special_hits,
)
from armybuilder.engine.systems.fantasy_8th.combat.close_combat import BURNT, fighting_sides
from armybuilder.engine.systems.fantasy_8th.combat.combat_result import standing_points
from armybuilder.engine.systems.fantasy_8th.combat.experiments import SWIFTSTRIDE, TWO_D6
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.formation import fighting
from armybuilder.engine.systems.fantasy_8th.combat.instability import worn_away
from armybuilder.engine.systems.fantasy_8th.combat.items import ITEMS
from armybuilder.engine.systems.fantasy_8th.combat.leadership import Courage, courage, passes_psychology
from armybuilder.engine.systems.fantasy_8th.combat.list_matchup import FantasyConditions, has_missiles, request
from armybuilder.engine.systems.fantasy_8th.combat.melee import survives_wounds
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import (
    FIRST,
    LAST,
    FightingSide,
    MeleeAttacker,
    fighters,
    melee_attackers,
    speed,
)
from armybuilder.engine.systems.fantasy_8th.combat.movement import catches as pursuit
from armybuilder.engine.systems.fantasy_8th.combat.movement import is_swift, movement, run
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.packets import mean_of, packets_of, repeated
from armybuilder.engine.systems.fantasy_8th.combat.ranks import MOST_RANKS, ranks
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import any_rule, texts_of, unit_items, unit_rules
from armybuilder.engine.systems.fantasy_8th.combat.salvos import SHARED_OUT
from armybuilder.engine.systems.fantasy_8th.combat.shooting import of_each_model
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import TABLE, read, rules_counting_in
from armybuilder.engine.systems.fantasy_8th.combat.weapons import missile_arm
from armybuilder.engine.systems.fantasy_8th.matchup import Aura, Conditions, FantasyMatchup, Group, MatchupOptions, Side
from armybuilder.engine.systems.fantasy_8th.reference import magic_item
from armybuilder.engine.systems.matchups import ModelNotes

TERMS = Terms(
    width=72,
    depth=48,
    front=48,
    line=12,
    behind=6,
    turns=6,
    cover=0.2,
    reactions=100,
    at_chargers=True,
    charges_first=True,
    falls_short=161 / 36,
    rallied_stand=True,
    rallied_hold_fire=True,
)
"""Units stand 12" from the centre line, six turns are played (L1577-L1585), and who has rallied neither moves nor
shoots in that turn (L74-77); charges are the first thing of a turn, and one that does not reach moves by the higher
die (L23-31, L64); a table of 6' × 4' [carried]; a fifth of the places is soft cover, and the strip in which
units stand is half as wide again as deep [decision]."""

DISTANCE: Literal["inches", "cm"] = "inches"
MISSIONS: Mapping[str, Mission] = {}
pins = never
crossed = supports = no_attacks

VICTORY = Text(
    "Victory points as in the scenario Battleline: what each enemy unit that is destroyed or has fled costs, 100 for "
    "the General (the character with the highest Leadership), 100 for the army standard.",
    "Победные очки как в сценарии «Линейный бой»: цена каждого уничтоженного или бежавшего отряда противника, 100 за "
    "генерала (персонаж с лучшим лидерством), 100 за знамя армии.",
)

GENERAL = STANDARD = 100.0
"""Source: L1570-1575 [text]."""

PANIC = 0.25
"""Source: L368-372 [text]."""

NEAR = 7 / 16
"""Share of an army within 12" of its General or its army standard (L1019-L1031): of places in a front of 48"."""

SCREEN = 5
"""Models of a unit near which a character is not shot at. Source: L930-936 [text]."""

WORST_DEFEAT = 10

HEALING_POTION = Dice(1, 6).distribution()
"""Source: L2442 [text]."""

MAGIC = Text(
    "Each side has the power and dispel dice that the winds bring on average. Wizards share them by their levels; each "
    "casts the spells that do most of those a wizard of his level may know by chance, all with as many dice as pay "
    "most, and the enemy's best wizard tries to dispel each of them. The dice of a wizard who has fallen are lost.",
    "У каждой стороны столько кубиков силы и рассеивания, сколько ветра магии дают в среднем. Волшебники делят их по "
    "уровням; каждый творит самые сильные из заклинаний, которые волшебник его уровня может случайно знать, с самым "
    "выгодным числом кубиков, и каждое пробует рассеять лучший волшебник противника. Кубики павшего пропадают.",
)
CHARGED = Text(
    "Who is charged stands and shoots, if he has something to shoot with and the charger comes from farther than his "
    "Movement or all the weapons are quick to fire; otherwise he holds. Nobody flees from a charge but from terror.",
    "Тот, кого атакуют, стоит и стреляет, если ему есть из чего и атакующий дальше своего движения или всё оружие "
    "скорострельное; иначе стоит. От атаки бегут только из-за ужаса.",
)
NEARNESS = Text(
    "Seven of sixteen Leadership tests are taken within 12 inches of the General, and of the army standard, as long as "
    "the army had them at the beginning.",
    "Семь из шестнадцати тестов лидерства проходят в 12 дюймах от генерала, и столько же – от знамени армии, если они "
    "были в армии вначале.",
)
UNKNOWN_SPELLS = Text(
    "Wizards whose lore is not told, or none of the eight of the rulebook, dispel but cast nothing:",
    "Волшебники, чья школа не указана или не из восьми школ книги правил, рассеивают, но ничего не творят:",
)
RIDDEN = Text(
    "Rider and monster live and die together: blows strike the monster, of shots those that are not the rider's. "
    "With his price and the points for a General, a lord on a monster can cost more than he brings.",
    "Всадник и чудовище живут и гибнут вместе: удары приходятся в чудовище, выстрелы – кроме доставшихся всаднику. "
    "С его ценой и очками за генерала лорд на чудовище может стоить больше, чем приносит.",
)
STUMBLES = 3.5
"""Inches that a stupid unit moves on average when it fails its test. Source: L621-626 [text]."""


@dataclass(frozen=True)
class Ready:
    """A fighter whose rules are read.

    Attributes:
        share: what it has of its army's magic; None where nobody in it casts.
        general: Leadership that a General near would lend it; standard: whether its army has a standard to look up to.
    """

    fighter: Fighter
    share: battle_magic.Share | None = None
    general: int | None = None
    standard: bool = False

    @property
    def side(self) -> Side:
        """Its models."""
        return self.fighter.side

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Groups in the order in which they fall."""
        return tuple(index for index in casualties.row_order(self.side) if self.side.models[index].count)

    @cached_property
    def later(self) -> dict[int, int]:
        """Models that fall later than those of each group."""
        return dict(enumerate(models_behind([group.count for group in self.side.models], self.order)))

    @cached_property
    def nerves(self) -> list[tuple[float, Courage]]:
        """What it tests on near the General and the army standard and away from them, with the chance of each."""
        lent = [(1.0, None)] if self.general is None else [(NEAR, Aura(distance=0, Ld=self.general)), (1 - NEAR, None)]
        seen = [(NEAR, Aura(distance=0)), (1 - NEAR, None)] if self.standard else [(1.0, None)]
        return [
            (chance * other, courage(self.side, Conditions(general=general, army_standard=standard)))
            for chance, general in lent
            for other, standard in seen
        ]

    def holds(self, minus: int = 0, *, insane: bool = False) -> float:
        """Chance of passing a Leadership test."""
        return sum(chance * nerve.holds(minus, insane=insane) for chance, nerve in self.nerves)

    @property
    def is_machine(self) -> bool:
        """A war machine neither charges nor pursues."""
        return self.side.main.troop_type == "war_machine"

    @property
    def is_character(self) -> bool:
        """Whether it is a lone character."""
        return self.side.main.is_character

    @cached_property
    def wounds(self) -> int:
        """Of one ordinary model."""
        return casualties.wounds_of(self.side, self.side.main_index)


def ready(fighter: Fighter) -> Ready:
    """Raises BadDocument for a unit whose Toughness nobody knows."""
    found = Ready(fighter)
    if not fighter.models or found.side.main.profile.T is None:
        raise BadDocument(f"{fighter.name} has neither models nor a Toughness.")
    return found


def facing(army: Sequence[Ready], enemies: Sequence[Ready]) -> Sequence[Ready]:
    """Wizards share the dice of their army, and the best of the enemy's dispels; the General lends his Leadership."""
    found = battle_magic.shares([one.fighter for one in army], [one.fighter for one in enemies])
    general = _general(army)
    bearers = [one for one in army if one.side.army_standard]
    return [
        Ready(
            one.fighter,
            share,
            None if general is None or one is general[0] else general[1].profile.Ld,
            any(bearer is not one for bearer in bearers),
        )
        for one, share in zip(army, found, strict=True)
    ]


def _general(army: Sequence[Ready]) -> tuple[Ready, Group] | None:
    """The character with the highest Leadership, of several the dearest, and his unit. Source: L1017 [text]."""
    led = [(one, group) for one in army for group in one.side.models if group.is_character]
    return max(led, key=lambda pair: (pair[1].profile.Ld or 0, pair[0].fighter.points), default=None)


def unit(ready: Ready) -> Unit:
    """The unit as it stands on the table."""
    side = ready.side
    inches = _movement(side)
    steady = "unbreakable" in unit_rules(side) or courage(side).value is None
    stubborn = any_rule(side, "stubborn")
    standing = standing_points(replace(side, charged=False, attacks_from="front"))
    numbers = np.arange(side.count + 1)
    in_ranks = ranks(side, numbers)
    bonus = np.clip(in_ranks - 1, 0, MOST_RANKS) + standing
    stands = tuple(ready.holds(0 if stubborn else lost, insane=True) for lost in range(1, WORST_DEFEAT + 1))
    calm = steady or ready.is_machine or passes_psychology(side)
    return Unit(
        id="",
        name="",
        points=0.0,
        wounds=tuple(_wounds(side, index) for index in ready.order for _ in range(side.models[index].count)),
        move=0.0 if ready.is_machine else _move(side, inches),
        charge=None if ready.is_machine else _charge(side, inches),
        strikes_at=_initiative(side),
        shelters=not ready.is_machine and not any_rule(side, "large_target"),
        hides=ready.is_character and side.main.troop_type not in ("monster", "chariot"),
        screens=side.count >= SCREEN and not ready.is_machine,
        stands=() if steady else stands,
        panics_at=None if calm else PANIC,
        holds=ready.holds(),
        rallies=ready.holds(-1 if "musician" in side.command else 0),
        flees=run(side),
        combat_bonus=tuple(int(number) if left else 0 for left, number in enumerate(bonus)),
        charge_bonus=1,
        surprises=float(inches),
        unsurprised=_is_quick(side),
        ranks=tuple(int(number) for number in in_ranks),
        steadfast=ready.holds(0, insane=True),
        crumbles="unstable" in unit_rules(side),
        dissolves=worn_away(courage(side)) if "daemonic_instability" in unit_rules(side) else None,
        potion=HEALING_POTION if _carries_potion(side) else None,
        terrifies=any_rule(side, "terror"),
        dreads=0.0 if steady or ready.is_machine else psychology.dread(side),
    )


def _is_quick(side: Side) -> bool:
    """Whether everybody who shoots may do so however near the charger is. Source: L550-L553 [text]."""
    arms = [(group, arm[1]) for group in side.models if group.count and (arm := missile_arm(group)) is not None]
    rules = [{read(text).slug for text in (*group.rules, *arm.rules)} for group, arm in arms]
    return bool(rules) and all("quick_to_fire" in found for found in rules)


def _carries_potion(side: Side) -> bool:
    """Whether it is one character who carries a Healing Potion."""
    return side.count == 1 and "Healing Potion" in unit_items(side)


def _wounds(side: Side, index: int) -> int:
    """Of one model, with what its handlers take for it."""
    own = casualties.wounds_of(side, index)
    return own + min(casualties.handlers_of(side, [index]), own // 2)


def _movement(side: Side) -> int:
    """Inches of a charge before the dice; nothing for those that cannot be moved or move by dice alone."""
    try:
        return movement(side, FantasyMatchup(system="fantasy-8th", kind="charge", unit=side))
    except BadDocument:
        return 0


def _move(side: Side, inches: int) -> float:
    """Inches of a turn: a march, except for those who would not shoot after it. Source: L85-90, L425-439 [text]."""
    if any_rule(side, "random_movement"):
        return float(run(side).mean)
    rules = {read(text).slug for text in texts_of(side)} | set(unit_rules(side))
    marches = "hover" not in rules and (not has_missiles(side) or not rules.isdisjoint({"fast_cavalry", "skirmishers"}))
    whole = float(2 * inches if marches else inches)
    wits = _wits(side)
    return wits * whole + (1.0 - wits) * min(STUMBLES, whole)


def _charge(side: Side, inches: int) -> Distribution:
    """Inches of a charge; none for a stupid unit that fails its test."""
    if any_rule(side, "random_movement"):
        return run(side)
    reach = (SWIFTSTRIDE if is_swift(side) else TWO_D6).shifted(inches)
    wits = _wits(side)
    return reach if wits == 1.0 else mixture([(wits, reach), (1.0 - wits, certain(0))])


def _wits(side: Side) -> float:
    return courage(side).holds() if any_rule(side, "stupidity") else 1.0


def _initiative(side: Side) -> int:
    """When most of its models strike: first, last, or by Initiative."""
    fighting_side = FightingSide(
        side, "unit", FantasyMatchup(system="fantasy-8th", kind="attack_count", unit=side).options, combat_round=2
    )
    found = next(fighters(fighting_side, side.main, "/unit/models/0"), None)
    if found is None:
        return 1
    quick = speed(found.rules)
    return FIRST if quick > 0 else LAST if quick < 0 else min(found.initiative, FIRST - 1)


def bands(ready: Ready) -> tuple[float, ...]:
    """Ranges of its missile weapons, half of them for those that roll to hit, and ranges of its spells."""
    found: set[float] = set()
    if ready.share is not None and ready.fighter.lore is not None:
        found |= battle_magic.ranges(ready.fighter.lore)
    for group in ready.side.models:
        weapon = missile_arm(group)
        if weapon is None or not group.count or weapon[1].reach is None:
            continue
        found.add(weapon[1].reach)
        if not weapon[1].template and weapon[1].centre is None:
            found.add(weapon[1].reach / 2)
    return tuple(sorted(found))


def steady(ready: Ready) -> bool:
    """Whoever has nothing to shoot with does not mind a move."""
    return not has_missiles(ready.side)


def shooting(attacker: Ready, defender: Ready, *, distance: float, moved: bool, cover: bool) -> Attacks:
    """Every model that has something to shoot with, as a volley of the pair, and the spells of a wizard."""
    conditions = FantasyConditions(distance=distance, moved=moved, target_cover="soft" if cover else "none")
    found = list(_shots(attacker, defender, conditions))
    if attacker.share is not None:
        found += battle_magic.spells(attacker.fighter, attacker.share, defender.fighter, distance=distance)
    return tuple(found)


def may_reply(attacker: Ready, defender: Ready) -> bool:
    """Whether it may stand and shoot at this charger. Source: L57-L59, L568, L1046-L1069 [text]."""
    able = has_missiles(attacker.side) and not attacker.is_machine
    return able and not any_rule(defender.side, "random_movement")


def replies(attacker: Ready, defender: Ready, *, distance: float, cover: bool) -> Attacks:
    """Its volley at who charges it, from where that one stands. Source: L226, L235 [text]."""
    return tuple(_shots(attacker, defender, FantasyConditions(distance=distance), reacting=True))


def _shots(
    attacker: Ready, defender: Ready, conditions: FantasyConditions, *, reacting: bool = False
) -> Iterator[Attack]:
    """The volleys of its models, group by group."""
    for index, group in enumerate(attacker.side.models):
        if missile_arm(group) is None or not group.count:
            continue
        alone = replace(attacker.fighter, side=replace(attacker.side, models=(group,)))
        try:
            document = request("shooting", alone, defender.fighter, conditions)
            if reacting:
                document = replace(document, conditions=replace(document.conditions, stand_and_shoot=True))
            attacks = list(of_each_model(document))
        except BadDocument:
            continue
        for number, attack in attacks:
            yield Attack(group.count, repeated(packets_of(attack, defender.wounds), number), attacker.later[index])


def counters(ready: Ready) -> bool:
    """Whoever strikes otherwise in the first round: by a rule such as Hatred, or with a flail or a morning star."""
    fighting_side = FightingSide(ready.side, "unit", MatchupOptions())
    return any(
        not rules_counting_in("first_round").isdisjoint(one.rules) or one.arm.when == "first_round"
        for group in ready.side.models
        if group.count
        for one in fighters(fighting_side, group, "/unit/models")
    )


def blows(attacker: Ready, defender: Ready, *, charging: bool, charged: bool = False) -> Attacks:
    """The first rank and those that support it; on a charge impact hits, and stomps after the blows.

    Whoever may fail a Fear test strikes with the mean of both results (L443-448).
    """
    conditions = FantasyConditions(charge=charging)
    document = request("close_combat", attacker.fighter, defender.fighter, conditions)
    if charged and document.defender is not None:
        first = replace(document.conditions, combat_round=1)
        document = replace(document, conditions=first, defender=replace(document.defender, charged=True))
    ways = [
        (chance, _struck(own, other, attacker, defender))
        for chance, own, other in psychology.scenarios(*fighting_sides(document), document.conditions, ModelNotes())
    ]
    return tuple(
        Attack(
            each[0].models,
            mean_of([(chance, one.chances) for (chance, _), one in zip(ways, each, strict=True)]),
            each[0].after,
        )
        for each in zip(*(found for _, found in ways), strict=True)
    )


def _struck(own: FightingSide, other: FightingSide, attacker: Ready, defender: Ready) -> list[Attack]:
    standing = [group.count for group in own.side.models]
    front, behind = fighting(own, other.side, standing, places=None)
    main = own.side.main_index
    found: list[Attack] = []
    for melee_attacker in (*melee_attackers(own, other), *_special(own, other)):
        index, models = melee_attacker.group, front[melee_attacker.group]
        base = packets_of(melee_attacker.attack, defender.wounds)
        number = (
            melee_attacker.fixed.distribution()
            if melee_attacker.fixed is not None
            else melee_attacker.attacks.distribution()
        )
        later = attacker.later.get(index, 0)
        if models:
            found.append(Attack(1 if melee_attacker.fixed is not None else models, repeated(base, number), later))
        if index == main and behind and melee_attacker.support:
            found.append(Attack(behind, repeated(base, certain(melee_attacker.support)), later + models))
    return found


def _special(own: FightingSide, other: FightingSide) -> Iterator[MeleeAttacker]:
    yield from special_hits.impact_hits(own, other)
    yield from special_hits.stomps(own, other)
    if own.charging and own.combat_round == 1:
        yield from special_hits.breath(own, other, Conditions())


def catches(winner: Ready, loser: Ready) -> float:
    """The pursuit: as far as the flight, or further. Source: L314-315 [text]."""
    return pursuit(winner.side, loser.side)


def worths(army: Sequence[Ready], mission: str | None = None) -> tuple[Worth, ...]:
    """What it costs, with more for the General and the army standard."""
    general = next(iter(_general(army) or ()), None)
    return tuple(
        Worth(
            destroyed=float(one.fighter.points)
            + (GENERAL if one is general else 0.0)
            + (STANDARD if one.side.army_standard else 0.0)
        )
        for one in army
    )


namings = one_naming(worths)


def report(attackers: Sequence[Ready], defenders: Sequence[Ready], notes: ModelNotes) -> None:
    """The rules of all units, by what shooting and close combat have in their numbers."""
    found = ModelNotes()
    for army, enemies in ((attackers, defenders), (defenders, attackers)):
        for one in army:
            for attack in ("shooting", "close_combat"):
                conditions = FantasyConditions(distance=min(bands(one), default=0.0))
                try:
                    document = request(attack, one.fighter, enemies[0].fighter, conditions)
                except BadDocument:
                    continue
                model_notes.note_rules(document, found)
    sides = [one.side for one in (*attackers, *defenders)]
    regenerating = any(any_rule(side, "regeneration") and survives_wounds(side) for side in sides)
    if regenerating and any(any_rule(side, "flaming_attacks") for side in sides):
        found.approximate("Regeneration", BURNT)
    found.approximated = [item for item in found.approximated if item.rule != TABLE.rules["terror"].name]
    for item in found.approximated:
        notes.approximate(item.rule, item.how)
    if any(group.rides_a_monster for side in sides for group in side.models):
        notes.approximate("ridden monsters", RIDDEN)
    for text in found.assumptions:
        if text not in (model_notes.RIDES, SHARED_OUT):
            notes.assume(text)
    _sort_rules(found, notes, drinks=any(_carries_potion(side) for side in sides))
    notes.options.update(found.options)
    notes.approximate("terrain", NOTES["terrain"])
    notes.approximate("fear", NOTES["fear"])
    notes.approximate("characters", NOTES["characters"])
    notes.approximate("misfires", NOTES["misfires"])
    notes.approximate("the General and the army standard", NEARNESS)
    notes.approximate("charge reactions", CHARGED)
    _note_magic([*attackers, *defenders], notes)
    notes.not_simulated += [
        "challenges", "flanks", "captured standards", "wheeling",
    ]  # fmt: skip


def _note_magic(units: Sequence[Ready], notes: ModelNotes) -> None:
    """How magic is played, and whose spells nobody knows."""
    wizards = [one for one in units if one.fighter.wizard_level]
    if any(one.share is not None for one in wizards):
        notes.approximate("magic", MAGIC)
        notes.not_simulated += ["spells without damage", "miscasts"]
    silent = ", ".join(dict.fromkeys(one.fighter.name for one in wizards if one.share is None))
    if silent:
        notes.approximate("unknown spells", Text(f"{UNKNOWN_SPELLS.en} {silent}.", f"{UNKNOWN_SPELLS.ru} {silent}."))


def _sort_rules(found: ModelNotes, notes: ModelNotes, *, drinks: bool) -> None:
    """Enter the rules of single fights by what whole battles make of them."""
    for rule in dict.fromkeys((*found.modelled, *found.not_simulated)):
        row = TABLE.rules.get(read(rule).slug or "")
        left_out = row is not None and row.battle == "left_out"
        roughly = _roughly(rule, drinks=drinks)
        if roughly is not None:
            notes.approximate(rule, roughly)
        elif rule in found.not_simulated or left_out:
            notes.not_simulated.append(rule)
        else:
            notes.modelled.append(rule)


def _roughly(rule: str, *, drinks: bool) -> Text | None:
    """How a rule or an item is only roughly in whole battles; None for all others."""
    item = magic_item(rule)
    if item is not None and ITEMS[item.en].battle is not None:
        return ITEMS[item.en].battle_how if drinks else None
    row = TABLE.rules.get(read(rule).slug or "")
    return None if row is None else row.battle_how
