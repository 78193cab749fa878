"""Two lists of Fantasy 8th edition meet: what players state about it, every pair of units, and one pair in depth."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.close_combat import SLOWING
from armybuilder.engine.systems.fantasy_8th.combat.effects import EffectName
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.items import items_counting_in
from armybuilder.engine.systems.fantasy_8th.combat.model_notes import note_rules
from armybuilder.engine.systems.fantasy_8th.combat.salvos import is_ridden
from armybuilder.engine.systems.fantasy_8th.combat.simulations import KINDS
from armybuilder.engine.systems.fantasy_8th.combat.spell_book import REACH
from armybuilder.engine.systems.fantasy_8th.combat.weapons import is_missile, missile_arm
from armybuilder.engine.systems.fantasy_8th.matchup import (
    Aura,
    Conditions,
    FantasyMatchup,
    Group,
    ListedConditions,
    ListedMatchup,
    Side,
    Wizard,
)
from armybuilder.engine.systems.fantasy_8th.reference import lores
from armybuilder.engine.systems.list_matchups import (
    NOTHING_TO_FIRE,
    Effect,
    MatchupConditions,
    MatchupRules,
    Models,
    NoAttack,
    metrics_of,
    pair_by_pair,
)

ATTACKS = ("close_combat", "shooting", "magic")
LATER_ROUND = 2
"""A round of combat in which nobody charged."""

UNDER_A_TEMPLATE = {"cannon": 2, "great cannon": 2, "stone thrower": 4, "fire thrower": 4}
"""Models that a machine hits where nobody says how many: those in the path of a ball, or under a stone [decision]."""


OBSTACLES = {"hedge": "Hedge", "wall": "Wall", "barricade": "Burning Barricade", "bulwark": "Blessed Bulwark",
             "ghost_fence": "Ghost Fence"}  # fmt: skip
"""Obstacles behind which a unit waits for a charge. Source: L1247-1280 [text]."""

GARRISONS = frozenset({"infantry", "monstrous_infantry", "war_beast", "monstrous_beast", "swarm"})
"""Troop types that hold buildings. Source: L1326-1330 [text]."""

NO_BUILDING = Text("such troops neither hold nor storm buildings", "такие войска не занимают и не штурмуют здания")
NEVER_CHARGES = Text("war machines do not charge", "боевые машины сами не нападают")

UNDER_A_BREATH, BREATH_REACHES = 6, 8
"""Models under a breath where nobody says how many [decision], and the inches it reaches: a teardrop [carried]."""

UNDER_A_SPELL = 4
"""Models that a spell with a template or a line hits where nobody says how many [decision]."""

NO_SPELL = Text(
    "it casts no such spell at an enemy",
    "таких заклинаний против врага здесь не творят",
)
NO_SPELL_REACHES = Text(
    "no spell of its lore reaches the target from there and can hurt it",
    "ни одно заклинание его школы не достаёт оттуда до цели так, чтобы навредить ей",
)

RING, RING_SPELL = "Ruby Ring of Ruin", "Fireball"
ANSWERS = items_counting_in("answers")
"""What a wizard who is struck could use against the spell, if he were the one who dispels it."""

MissileSpell = Literal[
    "Fireball", "The Burning Head", "Piercing Bolts of Burning", "Fulminating Flame Cage", "Flame Storm",
    "The Flock of Doom", "The Amber Spear", "Searing Doom", "Gehenna's Golden Hounds", "Final Transmutation",
    "Shem's Burning Gaze", "Banishment", "Awakening of the Wood", "The Dwellers Below", "Wind Blast",
    "Urannon's Thunderbolt", "Chain Lightning", "The Penumbral Pendulum", "Pit of Shades", "Spirit Leech",
    "The Caress of Laniph", "The Fate of Bjuna", "The Purple Sun of Xereus",
]  # fmt: skip
"""Spells that are cast at an enemy from afar, as in `spell_book.REACH`."""

SIDES: dict[str, Literal["front", "flank", "rear"]] = {"ahead": "front", "flank": "flank", "behind": "rear"}


class FantasyConditions(MatchupConditions, frozen=True, kw_only=True):
    """The circumstances under which two lists meet. The attacker is the first list.

    Attributes:
        charge: whether the side that attacks charges; otherwise the combat has been going on.
        attacks_from: the side of the target that is struck.
        frontage: models in a rank, of every unit that has so many.
        challenge: a character or champion of each side fight each other.
        blows_at: whom blows of both sides strike first.
        defended: the obstacle behind which the target waits for a charge, or the building that it holds.
        defender_standard: the army standard stands near the target.
        defender_general: Leadership of a General near the target.
        distance: inches between the units when they shoot.
        target_cover: cover of the target.
        models_covered: models that a war machine hits.
        moved, defender_moved: whether that side moved this turn.
        effect, defender_effect: a spell or special terrain in effect on the units of that side.
        spell: that is cast; None for the one of the wizard's lore that does most.
        power_dice, dispel_dice: of the attempt and against it; dispel_level: of the wizard who dispels.
    """

    charge: bool = True
    attacks_from: Literal["ahead", "flank", "behind"] = "ahead"
    frontage: Annotated[int, Meta(ge=1, le=30)] | None = None
    challenge: bool = False
    blows_at: Literal["ranks", "characters"] = "ranks"
    defended: Literal["nothing", "hedge", "wall", "barricade", "bulwark", "ghost_fence", "building"] = "nothing"
    defender_standard: bool = False
    defender_general: Annotated[int, Meta(ge=1, le=10)] | None = None
    distance: Annotated[float, Meta(ge=0, le=400)] = 12
    target_cover: Literal["none", "soft", "hard"] = "none"
    models_covered: Models | None = None
    moved: bool = False
    defender_moved: bool = False
    spell: MissileSpell | None = None
    effect: EffectName | None = None
    defender_effect: EffectName | None = None
    power_dice: Annotated[int, Meta(ge=1, le=6)] = 3
    dispel_dice: Annotated[int, Meta(ge=0, le=12)] = 0
    dispel_level: Annotated[int, Meta(ge=0, le=4)] = 0


def request(attack: str, attacker: Fighter, defender: Fighter, seen: FantasyConditions) -> FantasyMatchup:
    """The matchup document behind one pair. Raises NoAttack where there is none of that kind."""
    attacker, defender = _under(attacker, seen.effect), _under(defender, seen.defender_effect)
    first: Side = attacker.side
    second: Side = defender.side
    if attack == "magic":
        return _spell(attacker, defender, seen)
    if attack == "shooting":
        return _shots(attacker, defender, seen)
    if first.main.troop_type == "war_machine":
        raise NoAttack(NEVER_CHARGES, "/attacker")
    first = replace(
        _in_ranks(first, seen),
        charged=seen.charge,
        attacks_from=SIDES[seen.attacks_from],
    )
    second = _in_ranks(second, seen)
    obstacle = OBSTACLES.get(seen.defended)
    if obstacle is not None:
        if obstacle == "Blessed Bulwark" and attacker.destruction:
            obstacle = SLOWING
        second = replace(second, effects=(*second.effects, obstacle))
    kind = _kind_of_fight(first, second, seen)
    conditions = Conditions(
        combat_round=1 if seen.charge else LATER_ROUND,
        army_standard=Aura(distance=0) if seen.defender_standard else None,
        general=Aura(distance=0, Ld=seen.defender_general) if seen.defender_general else None,
    )
    return ListedMatchup(
        system="fantasy-8th",
        kind=kind,
        name=f"{attacker.name} – {defender.name}",
        attacker=first,
        defender=second,
        conditions=conditions,
        challenge=seen.challenge,
        at_characters=seen.blows_at == "characters",
    )


def _under(fighter: Fighter, effect: str | None) -> Fighter:
    """The unit with a spell or special terrain in effect on it."""
    if effect is None:
        return fighter
    return replace(fighter, side=replace(fighter.side, effects=(*fighter.side.effects, effect)))


def _kind_of_fight(first: Side, second: Side, seen: FantasyConditions) -> str:
    """Raises NoAttack for a building that the target cannot hold or the attacker not storm (L1322-1365)."""
    if second.main.troop_type == "war_machine" and second.main.crew is not None:
        return "war_machine_melee"
    if seen.defended != "building":
        return "combat_round"
    if second.main.troop_type not in GARRISONS or first.main.troop_type in ("chariot", "war_machine"):
        raise NoAttack(NO_BUILDING, "/defender")
    return "building_assault"


@lru_cache(maxsize=4096)
def _spell(attacker: Fighter, defender: Fighter, seen: FantasyConditions) -> FantasyMatchup:
    """The spell of the wizard that does most to this target. Raises BadDocument when he casts none that reaches it."""
    found: list[tuple[float, int, FantasyMatchup]] = []
    for name in _spells_of(attacker, seen):
        for value, reach in REACH[name]:
            if seen.distance > reach:
                continue
            document = cast(name, value, attacker, defender, seen)
            try:
                metrics, _ = metrics_of(document, KINDS)
            except BadDocument:
                continue
            harm = metrics.get("wounds_lost", metrics["models_slain"] * (defender.side.main.body.W or 1))
            found.append((harm, -value, document))
    if not found:
        raise NoAttack(NO_SPELL_REACHES, "/conditions/distance")
    return max(found, key=lambda one: one[:2])[2]


def _spells_of(wizard: Fighter, seen: FantasyConditions) -> list[str]:
    """Spells he can cast at an enemy. Raises BadDocument when there are none."""
    known = [spell.en for spell in lores()[wizard.lore].spells] if wizard.lore and wizard.wizard_level else []
    if RING in rules_in_force.unit_items(wizard.side) and RING_SPELL not in known:
        known.append(RING_SPELL)
    known = [name for name in known if name in REACH and seen.spell in (None, name)]
    if not known:
        raise NoAttack(NO_SPELL, "/attacker")
    return known


def cast(name: str, value: int, attacker: Fighter, defender: Fighter, seen: FantasyConditions) -> FantasyMatchup:
    """The document of one spell at this casting value, with the dice that are stated."""
    bound = attacker.wizard_level == 0 or attacker.lore is None
    target = replace(defender.side, models=tuple(_without_answers(group) for group in defender.side.models))
    return FantasyMatchup(
        system="fantasy-8th",
        kind="spell",
        name=f"{attacker.name}: {name} – {defender.name}",
        spell=name,
        attacker=attacker.side,
        defender=target,
        caster=Wizard(wizard_level=0 if bound else attacker.wizard_level, Ld=attacker.side.main.profile.Ld),
        dispeller=Wizard(wizard_level=seen.dispel_level),
        dice=seen.power_dice,
        casting_value=value,
        conditions=ListedConditions(
            distance=seen.distance,
            models_covered=seen.models_covered or UNDER_A_SPELL,
            dispel_dice=seen.dispel_dice,
        ),
    )


def _without_answers(group: Group) -> Group:
    kept = tuple(text for text in group.magic_items if text not in ANSWERS)
    return group if kept == group.magic_items else replace(group, magic_items=kept)


def has_missiles(side: Side) -> bool:
    """Whether anybody in the unit has something to shoot with."""
    return any(group.count and missile_arm(group) is not None and _shoots(group) for group in side.models)


@lru_cache(maxsize=4096)
def _shots(attacker: Fighter, defender: Fighter, seen: FantasyConditions) -> FantasyMatchup:
    """The volley, or the breath, that does most to this target. Raises NoAttack when nothing reaches it."""
    target = replace(defender.side, cover=seen.target_cover)
    found = [_aimed(attacker, side, target, seen) for side in _armed(attacker)]
    documents = [document for document in found if document is not None]
    if not documents and rules_in_force.any_rule(attacker.side, "breath_weapon") and seen.distance <= BREATH_REACHES:
        covered = min(seen.models_covered or UNDER_A_BREATH, defender.models)
        documents = [
            FantasyMatchup(
                system="fantasy-8th",
                kind="breath_weapon",
                name=f"{attacker.name} – {defender.name}",
                attacker=attacker.side,
                defender=target,
                conditions=Conditions(in_close_combat=False, models_covered=covered),
            )
        ]
    if not documents:
        raise NoAttack(NOTHING_TO_FIRE, "/attacker")
    if len(documents) == 1:
        return documents[0]
    return max(documents, key=lambda document: metrics_of(document, KINDS)[0]["wounds_lost"])


def _armed(fighter: Fighter) -> Iterator[Side]:
    """Those who shoot, the rank and file with each of their missile weapons: one may be fired (L760-761)."""
    groups: list[Group] = [group for group in fighter.side.models if missile_arm(group) is not None and _shoots(group)]
    if not groups:
        return
    side: Side = replace(fighter.side, models=tuple(groups))
    main, index = side.main, side.main_index
    fired = [weapon for weapon in main.weapons if is_missile(weapon)]
    if not fired:  # a weapon whose profile says nothing else
        yield side
    for weapon in fired:
        groups[index] = replace(main, weapons=(weapon, *(one for one in main.weapons if one != weapon)))
        yield replace(side, models=tuple(groups))


def _aimed(attacker: Fighter, side: Side, target: Side, seen: FantasyConditions) -> FantasyMatchup | None:
    """One volley; None when it does not reach."""
    try:
        conditions = _volley(side, seen)
    except NoAttack:
        return None
    return FantasyMatchup(
        system="fantasy-8th",
        kind="shooting",
        name=f"{attacker.name} – {target.name}",
        attacker=replace(_in_ranks(side, seen), moved=seen.moved),
        defender=target,
        conditions=conditions,
    )


def _shoots(group: Group) -> bool:
    found = missile_arm(group)
    return found is not None and (found[1].reach is not None or found[1].template)


def _volley(side: Side, seen: FantasyConditions) -> Conditions:
    """Distance, how many a machine hits, and the best way of firing what the unit has."""
    found = missile_arm(side.main)
    assert found is not None  # shooters have one
    arm = found[1]
    if arm.reach is not None and seen.distance > arm.reach:
        raise NoAttack(NOTHING_TO_FIRE, "/conditions/distance")
    rules = special_rules.in_force((*side.rules, *side.main.rules, *arm.rules))
    mode: Literal["normal", "multiple_shots", "volley_fire"] = "normal"
    if "multiple_shots" in rules:
        mode = "multiple_shots"
    elif "volley_fire" in rules:
        mode = "volley_fire"
    covered = seen.models_covered or UNDER_A_TEMPLATE.get(
        arm.works_as or arm.name, 4 if arm.template or arm.centre else None
    )
    return ListedConditions(distance=seen.distance, shooting_mode=mode, models_covered=covered, misfires=True)


def _in_ranks(side: Side, seen: FantasyConditions) -> Side:
    return side if seen.frontage is None else replace(side, width=min(seen.frontage, side.count))


def _effect(attack: str, attacker: Fighter, defender: Fighter, seen: FantasyConditions) -> Effect:
    """One pair. Raises BadDocument where there is no attack."""
    document = request(attack, attacker, defender, seen)
    metrics, sampled = metrics_of(document, KINDS)
    slain = metrics.get("models_slain", 0.0)
    apart = attack == "close_combat" and defender.side.main.rides_a_monster
    if apart or (is_ridden(defender.side) and "wounds_lost" in metrics):
        slain /= 2  # rider and monster are struck apart, and are the model together
    slain += metrics.get("crumbled_wounds", 0.0) / (defender.side.main.body.W or 1)
    tough = any((group.body.W or 1) > 1 for group in defender.side.models)
    lost = metrics.get("total_wounds_lost", metrics.get("wounds_lost"))
    first = document.attacker.main if document.kind == "shooting" and document.attacker is not None else None
    found = missile_arm(first) if first is not None else None
    used = (found[1].name,) if found else (document.spell,) if document.spell else ()
    wounds_lost = lost if tough and defender.models < 3 else None
    return Effect.on(defender, metrics, slain, wounds_lost=wounds_lost, weapons=used, sampled=sampled)


MATCHUPS = MatchupRules(Fighter, FantasyConditions, ATTACKS, ATTACKS, pair_by_pair(_effect), request, note_rules)
