"""Damage of one cast spell: hits by lore, contests of characteristics, and spells that remove models outright."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, Floats, binomial, certain, mixture, of
from armybuilder.engine.combat.outcomes import Measured, Outcomes, Values
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat.attacks import Attack, in_a_row, made
from armybuilder.engine.systems.fantasy_8th.combat.casualties import (
    Body,
    Count,
    OnOneBody,
    after,
    body_of,
    roll_volley,
    unsaved,
    wounds_of,
)
from armybuilder.engine.systems.fantasy_8th.combat.experiments import D6, TWO_D6, Experiment, Ints, drawn
from armybuilder.engine.systems.fantasy_8th.combat.items import ItemPlace
from armybuilder.engine.systems.fantasy_8th.combat.leadership import Courage
from armybuilder.engine.systems.fantasy_8th.combat.magic_phase import casting, dispelling, items_in, whole_attempt
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, characteristic, finished
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.panic import PANIC_SHARE, flees, flight_of, gone, panics
from armybuilder.engine.systems.fantasy_8th.combat.psychology import lowered
from armybuilder.engine.systems.fantasy_8th.combat.ranks import ranks
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import any_rule, effects_of, note_rules, unit_items
from armybuilder.engine.systems.fantasy_8th.combat.salvos import (
    SHARED_OUT,
    Burst,
    Shared,
    both,
    by_die,
    enter,
    is_ridden,
    shared,
    told_apart,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import Against, armour_save
from armybuilder.engine.systems.fantasy_8th.combat.shooting import IN_A_BUILDING, files_deep
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import in_force
from armybuilder.engine.systems.fantasy_8th.combat.spell_book import (
    EXORCISM,
    HARMLESS,
    HAZARD_NAMES,
    HAZARDS,
    LIFE_LEECHING,
    RESTORED,
    ROILING_SKIES,
    SPELLS,
    Damage,
    Removal,
)
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Side, number_of
from armybuilder.engine.systems.fantasy_8th.reference import folded, spell_named
from armybuilder.engine.systems.matchups import MAX_SHOTS, ModelNotes, refuse_above
from armybuilder.engine.systems.outcome_models import OneOf, OutcomeModel

STRONGEST = 10
"""The highest Strength that a hit can have."""

Strike = tuple[Distribution, Damage, bool]
"""How many hits, what they are, and whether each of them strikes all that is under it."""

AS_ONE = Text("A monster and its rider are removed together.", "Чудовище и всадник удаляются вместе.")

LAST_PHASE = 12
"""Magic phases of a game of six turns."""


@dataclass(frozen=True, slots=True)
class Hits(OnOneBody[Body]):
    """Hits on a unit whose models fall one after the other, or on one model of it.

    Attributes:
        volleys: number of hits as a distribution, and what one hit does.
    """

    volleys: tuple[tuple[Distribution, Attack], ...]
    body: Body

    @property
    def highest(self) -> int:
        """Most dice that are rolled."""
        return sum(int(number.high) for number, _ in self.volleys)

    @property
    def shots(self) -> float:
        """Hits on average."""
        return sum(float(number.mean) for number, _ in self.volleys)

    def after(self) -> Floats:
        """Chances of the target's states."""
        at = self.body.fresh
        for number, attack in self.volleys:
            at = _over(number, lambda count, now=at, attack=attack: after(now, count, attack, self.body))  # type: ignore[misc]
        return at

    def unsaved(self) -> Floats:
        """Chances of 0, 1, 2 ... unsaved wounds."""
        wounds: Floats = np.array([[1.0], [0.0]])
        for number, attack in self.volleys:
            wounds = _over(number, lambda count, now=wounds, attack=attack: unsaved(count, attack, before=now))  # type: ignore[misc]
        return np.asarray(wounds.sum(axis=0))

    def roll(self, rng: np.random.Generator, trials: int, works: Ints) -> tuple[Ints, Ints, Ints]:
        """States, unsaved wounds and hits with dice; none in the trials in which nothing works."""
        at, wounds, hits = (np.zeros(trials, np.int64) for _ in range(3))
        for number, attack in self.volleys:
            fallen = roll_volley(at, drawn(number, rng, trials) * works, attack, self.body, rng)
            at, wounds, hits = fallen.states, wounds + fallen.unsaved, hits + fallen.attacks
        return at, wounds, hits


@dataclass(frozen=True, slots=True)
class Removed:
    """Models that are removed outright: each is a state and a wound further.

    Attributes:
        number: how many; models: of the whole target.
    """

    number: Distribution
    models: int
    highest: int = 0
    shots: float = 0.0

    @property
    def lost(self) -> Ints:
        """Models removed, for each state."""
        return np.arange(self.models + 1)

    def after(self) -> Floats:
        """Chances of the target's states."""
        return self.unsaved()

    def unsaved(self) -> Floats:
        """Chances of 0, 1, 2 ... models."""
        return np.array([float(self.number.probability(n)) for n in range(self.models + 1)])

    def roll(self, rng: np.random.Generator, trials: int, works: Ints) -> tuple[Ints, Ints, Ints]:
        """States, models and models again with dice; none in the trials in which nothing works."""
        slain = drawn(self.number, rng, trials) * works
        return slain, slain, slain


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell ready to be resolved.

    Attributes:
        fire: what it does to the target; `Shared` by a monster and its rider.
        gone, panic: whether nothing of the target is left, and whether a test follows, for each state; a spell at one
            model leaves the others.
        nerve: what the test is taken on.
        leeched: wounds that each unsaved wound or removed model counts as for the power dice of its lore.
    """

    fire: Hits | Shared | Removed
    gone: npt.NDArray[np.bool_]
    panic: npt.NDArray[np.bool_]
    nerve: Courage | None
    leeched: int = 0


def spell(matchup: FantasyMatchup, notes: ModelNotes) -> OutcomeModel | OneOf:
    """Damage of a spell: of a cast one, or of the whole attempt where the document says how it is cast."""
    growth = _regrowth(matchup, notes)
    if growth is not None:
        return growth.model()
    ways = ways_of(matchup, notes)
    attempt = attempted(matchup, notes)
    return OneOf([(chance, _resolved(cast, attempt)) for chance, cast in ways])


def _resolved(cast: Cast, attempt: Experiment | None) -> OutcomeModel:
    """A spell at its target; without an attempt it takes effect for certain."""
    fire = cast.fire

    @cache
    def chances() -> Mapping[str, Values]:
        return {} if attempt is None else attempt.model().exact().metrics

    def works() -> float:
        return float(chances().get("p_takes_effect", 1.0))

    def states() -> Floats:
        found = works() * fire.after()
        found[0] += 1.0 - works()
        return found

    def exactly() -> tuple[Mapping[str, Values], tuple[Ints, Measured, Values]]:
        wounds = mixture([(works(), Distribution(0, fire.unsaved())), (1.0 - works(), certain(0))])
        return chances(), (np.arange(len(fire.lost)), wounds, works() * fire.shots)

    def rolled(rng: np.random.Generator, trials: int) -> tuple[Mapping[str, Values], tuple[Ints, Measured, Values]]:
        tried = {} if attempt is None else attempt.rolled(rng, trials)
        return tried, fire.roll(rng, trials, tried.get("p_takes_effect", np.ones(trials, np.int64)))

    def describe(outcomes: Outcomes) -> None:
        tried, fired = outcomes.either(exactly, rolled)
        at, wounds, _ = fired
        if isinstance(fire, Removed):
            outcomes.add("models_slain", wounds, distribution=True)
            outcomes.add("p_destroyed", cast.gone[at])
        else:
            enter(outcomes, fire, fired, cast.gone)
        _enter_followups(outcomes, cast, at, wounds)
        for name, values in tried.items():
            outcomes.add(name, values)

    return OutcomeModel(describe, fire.highest + 8, states)


def _enter_followups(outcomes: Outcomes, cast: Cast, at: Ints, wounds: Values) -> None:
    """Panic, and power dice made of wounds. Source: L181-182, L2066-2071 [text]."""
    panicked = outcomes.averaged(cast.panic[at])
    outcomes.add("p_panic_test", panicked)
    nerve, leeched = cast.nerve, cast.leeched
    if nerve is not None:
        outcomes.add("p_flees", panicked * outcomes.either(lambda: 1.0 - nerve.holds(), partial(flees, nerve)))
    if leeched:
        dice: Values = outcomes.either(
            lambda: float(wounds.mean) * leeched / 3, lambda rng, trials: rng.binomial(wounds * leeched, 1 / 3)
        )
        outcomes.add("power_dice", dice)


def attempted(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment | None:
    """Casting the spell and dispelling it, when the document says with how many dice."""
    known, dice = spell_named(matchup.spell or ""), matchup.dice
    if dice is None or matchup.caster is None or known is None:
        return None
    casts = casting(matchup, notes, dice=dice, value=matchup.casting_value or known.casting_value)
    against = matchup.conditions.dispel_dice or 0
    carried = items_in(matchup.defender)
    reads = "Scroll of Shielding" in carried
    dispels = dispelling(matchup, notes, dice=against)
    tries = (against > 0 or dispels.scroll) and not reads
    return whole_attempt(casts, dispels if tries else None)


def _regrowth(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment | None:
    """Wounds' worth of models that come back to the unit; None for any other spell. Source: L1942-1956 [text]."""
    known, unit = spell_named(matchup.spell or ""), matchup.defender
    assert unit is not None  # the kind's needs
    if known is None or known.en != "Regrowth":
        return None
    note_rules(matchup, notes, {}, items=(), effects=("growth",))
    notes.modelled.append(known.en)
    notes.assume(NOTES["unit_has_lost"])
    most = sum(group.count * wounds_of(unit, index) for index, group in enumerate(unit.models))
    attempt = attempted(matchup, notes)
    restored = RESTORED[_throned(matchup)].distribution()

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        back, *rolled = faces
        tried = dict(attempt.outcome(rolled)) if attempt is not None else {"p_takes_effect": np.ones(1, np.int64)}
        shown = tried if attempt is not None else {}
        return {"wounds_restored": np.minimum(back, most) * tried["p_takes_effect"], **shown}

    return Experiment((restored, *(attempt.rolls if attempt is not None else ())), outcome, ("wounds_restored",))


def _throned(matchup: FantasyMatchup) -> bool:
    """Whether the caster sits on the Throne of Vines. Source: L1927-1937 [text]."""
    return matchup.attacker is not None and "Throne of Vines" in set(effects_of(matchup.attacker))


def _over(number: Distribution, step: Callable[[Count], Floats]) -> Floats:
    """A volley whose number of hits is any distribution."""
    parts = [(float(chance), step(Count(fixed=n))) for n, chance in number.as_dict().items()]
    width = max(part.shape[-1] for _, part in parts)
    total = np.zeros((*parts[0][1].shape[:-1], width))
    for chance, part in parts:
        total[..., : part.shape[-1]] += chance * part
    return total


def ways_of(matchup: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Cast]]:
    """The spell on its target, for each way in which spells in effect have weakened it.

    Raises:
        BadDocument: an unknown spell, one that does no damage, or one that lacks what it needs.
    """
    defender, name = matchup.defender, matchup.spell
    assert defender is not None and name is not None  # the kind's needs
    known = damaging(name)
    if known is None or (known in HARMLESS and not any_rule(defender, "fly")):
        problem = "does no damage that can be simulated" if spell_named(name) else "is no spell of the eight lores"
        raise BadDocument(f"{name!r} {problem}; spells: {', '.join((*SPELLS, 'Regrowth'))}.", "/spell")
    effect = SPELLS.get(known) or HAZARDS[known]
    note(matchup, notes)
    fighting_side = FightingSide(defender, "defender", matchup.options)
    result = []
    for chance, shift in lowered(fighting_side, notes):
        target = FightingSide(defender, "defender", matchup.options, shift=shift)
        if isinstance(effect, Removal):
            result.append((chance, _removing(known, effect, target, matchup)))
        else:
            result += [(chance * share, _cast(known, one, target, matchup)) for share, one in _forms(effect, matchup)]
    return result


def note(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the spell, the rules of the target and what the numbers assume into the notes."""
    attempt: tuple[ItemPlace, ...] = ("attempt",) if matchup.dice is not None else ()
    items: tuple[ItemPlace, ...] = ("hits", "spells", "leadership", *attempt)
    note_rules(matchup, notes, {"defender": ("spells", "psychology")}, items=items, effects=("fight",))
    known = damaging(matchup.spell or "")
    if known is not None:
        notes.modelled.append(known)
        _note(known, matchup, notes)


def damaging(name: str) -> str | None:
    """The English name of a spell that does damage, or of terrain that does; None for anything else."""
    spell = spell_named(name)
    if spell is not None:
        return spell.en if spell.en in SPELLS else None
    hazards = {folded(word): one for pair in HAZARD_NAMES.items() for word, one in (pair, (pair[1], pair[1]))}
    return hazards.get(folded(name))


def _forms(effect: Damage, matchup: FantasyMatchup) -> Iterator[tuple[float, Damage]]:
    """The damage as it is, or of the comet: it lands on 4+ each magic phase, else a marker is added.

    Source: L2000-2008 [text].
    """
    value = matchup.casting_value
    while effect.stronger is not None and value is not None and value >= effect.stronger[0]:
        effect = effect.stronger[1]
    if not effect.markers:
        yield 1.0, effect
        return
    for phase in range(1, LAST_PHASE + 1):
        markers = phase * effect.markers
        strength = min(STRONGEST, (effect.strength or 0) + markers)
        share = 0.5 ** min(phase, LAST_PHASE - 1)  # by the last one it has landed
        yield share, replace(effect, hits=replace(effect.hits, plus=markers), strength=strength)


def _removing(name: str, effect: Removal, target: FightingSide, matchup: FantasyMatchup) -> Cast:
    side = target.side
    slain = np.arange(side.count + 1)
    gone = (slain == side.count) & (slain > 0)
    return Cast(
        Removed(_removed(effect, target, matchup), side.count),
        gone,
        (slain * PANIC_SHARE >= side.count) & (slain > 0) & ~gone,
        flight_of(matchup),
        wounds_of(side, side.main_index) if name in LIFE_LEECHING else 0,
    )


def _cast(name: str, effect: Damage, target: FightingSide, matchup: FantasyMatchup) -> Cast:
    if (
        effect.throned is not None
        and matchup.attacker is not None
        and "Throne of Vines" in set(effects_of(matchup.attacker))
    ):
        effect = effect.throned
    if name == "Banishment":
        others = (matchup.caster.wizards or 1) - 1 if matchup.caster is not None else 0
        effect = replace(effect, strength=min(STRONGEST, (effect.strength or 0) + max(0, others)))
    strikes = list(_strikes(name, effect, target, matchup))
    pair = told_apart(target)
    if pair is not None:
        return _ridden(name, strikes, target, pair, matchup)
    volleys = [(number, _pierced(one, target)) for number, one, _ in strikes]
    worst = 0
    most = max(wounds_of(target.side, index) for index in range(len(target.side.models)))
    for number, attack in volleys:
        refuse_above(int(number.high), MAX_SHOTS, "hits", "/conditions/models_covered")
        length = 1 if attack.row is None else attack.row.length
        worst += int(number.high) * length * min(most, attack.damage.highest * attack.factor)
    body = body_of(target.side, wounds_cap=worst, guarded=any(attack.once for _, attack in volleys))
    if effect.one_model:
        first = target.side.models[target.side.main_index]
        one = min(first.count, 1)
        body = Body(type(body.row)((wounds_of(target.side, target.side.main_index),) * one, (0,) * one), body.guarded)
    return Cast(
        Hits(tuple(volleys), body),
        gone(matchup, body),
        panics(matchup, body),
        flight_of(matchup),
        1 if name in LIFE_LEECHING else 0,
    )


def _ridden(
    name: str,
    strikes: Sequence[Strike],
    target: FightingSide,
    pair: tuple[FightingSide, FightingSide],
    matchup: FantasyMatchup,
) -> Cast:
    """The spell on a monster with its rider: a D6 says whom a hit strikes, a template strikes both (L991-997)."""
    bursts = []
    for number, effect, everybody in strikes:
        refuse_above(int(number.high), MAX_SHOTS, "hits", "/conditions/models_covered")
        monster, rider = (_hit(effect, fighting_side) for fighting_side in pair)
        bursts.append(Burst(number, both(monster, rider) if everybody else by_die(monster, rider)))
    fire = shared(pair[0].side, bursts)
    destroyed = fire.body.destroyed
    never = np.zeros(len(destroyed), np.bool_)
    return Cast(fire, destroyed, never, flight_of(matchup), 1 if name in LIFE_LEECHING else 0)


def _strikes(name: str, effect: Damage, target: FightingSide, matchup: FantasyMatchup) -> Iterator[Strike]:
    """Hits of the spell itself, and those it makes on some targets only."""
    yield _hits(name, effect, target, matchup), effect, effect.number in ("covered", "everyone")
    if name == "Fulminating Flame Cage" and target.side.moved:
        yield certain(target.side.count), effect, True
    if name in EXORCISM and any_rule(target.side, "undead", "daemon"):
        yield D6, effect, False
    if name in ROILING_SKIES and any_rule(target.side, "fly"):
        yield D6, Damage(strength=4), False


def _pierced(effect: Damage, target: FightingSide) -> Attack:
    """A hit, and what it does to the ranks behind."""
    first = _hit(effect, target)
    links = min(files_deep(target.side), effect.strength or 1)
    if not effect.pierces or links < 2 or first.once is not None:
        return first
    behind = [_hit(replace(effect, strength=(effect.strength or 0) - rank), target) for rank in range(1, links)]
    return in_a_row([first, *behind], wounds_of(target.side, target.side.main_index))


def _hits(name: str, effect: Damage, target: FightingSide, matchup: FantasyMatchup) -> Distribution:
    """Number of hits; models that pass the spell's test are not hit."""
    side, main = target.side, target.side.main
    at = f"/defender/models/{side.main_index}"
    number = effect.hits.distribution()
    if effect.number == "covered":
        number = _covered(matchup, side)
    elif effect.number == "everyone":
        number = certain(side.count)
    elif effect.number == "per_rank":
        number = number.times(int(ranks(side, np.array([side.count]))[0]))
    elif effect.number == "leadership_contest":
        number = _leadership_contest(target, matchup)
    elif effect.number != "dice":
        against = "T" if effect.number == "toughness_contest" else "S"
        number = TWO_D6.shifted(-characteristic(target, main.profile, against, main, at)).clipped(low=0)
    elif name == "Net of Amyntok":
        failing = 1 - passing(characteristic(target, main.profile, "S", main, at))
        number = mixture([(failing, number), (1 - failing, certain(0))])
    elif name == "Awakening of the Wood" and side.terrain == "forest":
        number = TWO_D6
    if effect.chance < 1:
        number = mixture([(effect.chance, number), (1 - effect.chance, certain(0))])
    if effect.test is None:
        return number
    failing = 1 - passing(characteristic(target, main.profile, effect.test, main, at))
    return mixture((float(c), binomial(n, failing)) for n, c in number.as_dict().items())


def _covered(matchup: FantasyMatchup, side: Side) -> Distribution:
    """Models under the template, of a garrison D6. Source: L1346-1348 [text].

    Raises:
        BadDocument: the document does not say how many.
    """
    if side.terrain == "building":
        return IN_A_BUILDING.distribution().clipped(high=side.count)
    covered = matchup.conditions.models_covered
    if covered is None:
        raise BadDocument(
            "Missing field 'models_covered': the spell hits the models under it.", "/conditions/models_covered"
        )
    return number_of(covered, "/conditions/models_covered").distribution().clipped(high=side.count)


def _leadership_contest(target: FightingSide, matchup: FantasyMatchup) -> Distribution:
    """Difference of D6 + Ld in the caster's favour. Source: L2072-2078 [text]."""
    if matchup.caster is None or matchup.caster.Ld is None:
        raise BadDocument("Missing field 'Ld': the spell needs the caster's leadership.", "/caster/Ld")
    known = target.side.main.profile.Ld
    if known is None:
        raise BadDocument(
            "Missing field 'Ld': the spell needs it.", f"/defender/models/{target.side.main_index}/profile/Ld"
        )
    difference = D6 + Distribution(-6, D6.p)
    return difference.shifted(matchup.caster.Ld - known).clipped(low=0)


def _hit(effect: Damage, target: FightingSide) -> Attack:
    """What one hit does, with the saves of those it strikes."""
    side, main = target.side, target.target
    at = f"/defender/models/{target.target_index}"
    wound = effect.wound
    if effect.metal:
        armour = armour_save(side, main, "spell")
        wound = None if armour is None else max(2, armour)
    elif wound is None and effect.strength is not None:
        toughness = characteristic(target, main.body, "T", main, at)
        wound = wound_roll(effect.strength, toughness, hopeless_gap=None)
    rules = in_force(effect.rules)
    if not effect.armour:
        rules["no_armour_saves"] = None
    flaming = "flaming_attacks" in rules
    return finished(
        Attack(1, wound, wound_again=made(wound) if "Trickster's Helm" in unit_items(side) else frozenset()),
        rules,
        strength=effect.strength,
        enemy=target,
        against=Against("spell" if effect.magical else "hits", front=False, flaming=flaming),
        shards=effect.ward_again,
        at=at,
    )


def _removed(effect: Removal, target: FightingSide, matchup: FantasyMatchup) -> Distribution:
    """How many models the spell removes. Source: L1849-1856, L1957-1961, L2051-2057, L2105-2118 [text]."""
    side = target.side
    total = of({0: 1.0})
    covered = _covered(matchup, side) if effect.covered else None
    for index, group in enumerate(side.models):
        at = f"/defender/models/{index}"
        if effect.test is None:
            chance = (1 if wounds_of(side, index) > 1 else 2) / 6
        elif group.count or len(side.models) == 1:
            chance = 1 - passing(characteristic(target, group.profile, effect.test, group, at))
        else:
            continue
        if covered is None:
            total = total + binomial(group.count, chance)
        elif index == side.main_index:
            total = mixture((float(c), binomial(min(n, side.count), chance)) for n, c in covered.as_dict().items())
    return total


def passing(value: int) -> float:
    """Chance of passing a characteristic test: a 6 always fails. Source: L20 [carried]."""
    return max(0, min(5, value)) / 6


ASSUMED = {
    "Net of Amyntok": Text(
        "The target tries to act once.",
        "Цель один раз пытается действовать.",
    ),
    "Wind Blast": Text(
        "The target is stopped by something.",
        "Движение цели что-то останавливает.",
    ),
    "Chain Lightning": Text(
        "The lightning strikes the first target only.",
        "Молния бьёт только по первой цели.",
    ),
    "Comet of Casandora": Text(
        "The target is near when the comet lands; the numbers are of all phases in which it may do so.",
        "Цель рядом, когда комета падает; числа учитывают все фазы, в которые это может случиться.",
    ),
    "The Amber Spear": Text(
        "The spear goes on to the rank behind at -1 Strength while it slays.",
        "Копьё летит в следующую шеренгу с -1 к силе, пока убивает.",
    ),
}
"""What a spell's own numbers assume, by its name."""


def _note(name: str, matchup: FantasyMatchup, notes: ModelNotes) -> None:
    lights = matchup.caster is not None and (matchup.caster.wizards or 1) > 1
    if matchup.defender is not None and is_ridden(matchup.defender) and name in {**SPELLS, **HAZARDS}:
        effect = SPELLS.get(name) or HAZARDS[name]
        text = SHARED_OUT if isinstance(effect, Damage) else AS_ONE
        notes.assume(text)
    if name in ASSUMED:
        notes.assume(ASSUMED[name])
    if name == "Banishment" and lights:
        notes.assume(NOTES["all_wizards_light"])
    elif name == "Banishment":
        notes.assume(NOTES["no_other_light"])
    if name in HARMLESS:
        notes.assume(NOTES["only_lightning_strikes"])
    if name in HAZARDS:
        notes.assume(NOTES["unit_near_or"])
    elif matchup.dice is not None and matchup.caster is not None:
        notes.assume(NOTES["numbers_whole_attempt"])
