"""Damage of one cast spell: hits by lore, contests of characteristics, and spells that remove models outright."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, Floats, binomial, certain, mixture, of
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.attacks import ONE_WOUND, Attack, made
from armybuilder.engine.systems.fantasy_8th.casualties import (
    Body,
    Count,
    after,
    body_of,
    roll_volley,
    unsaved,
    wounds_of,
)
from armybuilder.engine.systems.fantasy_8th.close_combat import FIGHTING_EFFECTS, HITS_ITEMS
from armybuilder.engine.systems.fantasy_8th.combat_result import ranks
from armybuilder.engine.systems.fantasy_8th.experiments import D6, TWO_D6, drawn, tidied
from armybuilder.engine.systems.fantasy_8th.matchup import Clash, number_of
from armybuilder.engine.systems.fantasy_8th.psychology import lowered
from armybuilder.engine.systems.fantasy_8th.reference import any_spell, folded
from armybuilder.engine.systems.fantasy_8th.saves import RESISTANCES, Against, armour_save
from armybuilder.engine.systems.fantasy_8th.strikers import Camp, characteristic, finished
from armybuilder.engine.systems.fantasy_8th.traits import any_rule, in_force, report, unit_items
from armybuilder.engine.systems.matchups import MAX_SHOTS, Answer, Basis, Run, refuse_above

Number = Literal["dice", "covered", "per_rank", "toughness_contest", "strength_contest", "leadership_contest"]

SPELL_RULES = frozenset(
    {"ethereal", "flammable", "regeneration", "scaly_skin", "magic_resistance", "fly", "undead", "daemon"}
)


@dataclass(frozen=True, slots=True)
class Damage:
    """What a spell does to its target.

    Attributes:
        hits: number of hits; with `number` covered the models under it, with per_rank so many for each rank.
        strength: of the hits; None when the wound roll is given by `wound` or by the target's armour.
        wound: roll needed whatever the target; metal: the target's armour save is the roll needed.
        armour: an armour save is allowed.
        stronger: casting value from which the stronger version counts, and that version.
        test: characteristic a hit model tests on before the hit counts.
    """

    hits: Dice = ONE_WOUND
    number: Number = "dice"
    strength: int | None = None
    wound: int | None = None
    metal: bool = False
    armour: bool = True
    rules: tuple[str, ...] = ()
    test: str | None = None
    ward_again: bool = False
    one_model: bool = False
    stronger: "tuple[int, Damage] | None" = None


@dataclass(frozen=True, slots=True)
class Removal:
    """A spell that removes models, no saves allowed.

    Attributes:
        test: characteristic whose test saves the model; None for a fixed roll.
        covered: only models under the template.
    """

    test: str | None = None
    covered: bool = False


def _dice(count: int, plus: int = 0) -> Dice:
    return Dice(count, 6, plus)


FLAMING = ("Flaming Attacks",)

SPELLS: Mapping[str, Damage | Removal] = {
    "Fireball": Damage(
        _dice(1), strength=4, rules=FLAMING,
        stronger=(10, Damage(_dice(2), strength=4, rules=FLAMING,
                             stronger=(18, Damage(_dice(3), strength=4, rules=FLAMING)))),
    ),
    "Cascading Fire-Cloak": Damage(_dice(2), strength=4, rules=FLAMING),
    "The Burning Head": Damage(number="covered", strength=4, rules=FLAMING),
    "Piercing Bolts of Burning": Damage(Dice(1, 3), "per_rank", strength=3, rules=FLAMING),
    "Fulminating Flame Cage": Damage(_dice(1), strength=4, rules=FLAMING),
    "Flame Storm": Damage(number="covered", strength=4, rules=FLAMING),
    "The Flock of Doom": Damage(_dice(2), strength=2),
    "The Amber Spear": Damage(
        strength=6, armour=False, rules=("Multiple Wounds (D3)",),
        stronger=(16, Damage(strength=10, armour=False, rules=("Multiple Wounds (D6)",))),
    ),
    "Searing Doom": Damage(
        _dice(1), metal=True, armour=False, rules=FLAMING,
        stronger=(20, Damage(_dice(2), metal=True, armour=False, rules=FLAMING)),
    ),
    "Gehenna's Golden Hounds": Damage(_dice(1), metal=True, armour=False, rules=FLAMING, one_model=True),
    "Final Transmutation": Removal(),
    "Shem's Burning Gaze": Damage(
        _dice(1), strength=4, rules=FLAMING, stronger=(15, Damage(_dice(1), strength=6, rules=FLAMING))
    ),
    "Net of Amyntok": Damage(_dice(1), strength=4),
    "Banishment": Damage(_dice(2), strength=4, ward_again=True),
    "Awakening of the Wood": Damage(_dice(1), strength=4),
    "Shield of Thorns": Damage(_dice(2), strength=3),
    "The Dwellers Below": Removal("S"),
    "Wind Blast": Damage(_dice(1), strength=3),
    "Urannon's Thunderbolt": Damage(_dice(1), strength=6),
    "Chain Lightning": Damage(_dice(1), strength=6),
    "The Penumbral Pendulum": Damage(
        number="covered", strength=10, rules=("Multiple Wounds (D3)",), test="I"
    ),
    "Pit of Shades": Removal("I", covered=True),
    "Spirit Leech": Damage(number="leadership_contest", wound=1, armour=False, one_model=True),
    "The Caress of Laniph": Damage(number="strength_contest", wound=4, armour=False, one_model=True),
    "The Fate of Bjuna": Damage(number="toughness_contest", wound=2, armour=False, one_model=True),
    "The Purple Sun of Xereus": Removal("I", covered=True),
}  # fmt: skip
"""Spells that do damage, by English name. Source: L1702-2118 [text]."""

EXORCISM = frozenset({"Shem's Burning Gaze", "Banishment", "Net of Amyntok"})
ROILING_SKIES = frozenset({"Wind Blast", "Urannon's Thunderbolt", "Chain Lightning"})
"""Spells of Light and Heavens, whose lores do more to undead and daemons, and to those who fly."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell ready to be resolved.

    Attributes:
        volleys: number of hits as a distribution, and what one hit does.
        removal: number of models removed outright, instead of hits.
    """

    volleys: tuple[tuple[Distribution, Attack], ...]
    removal: Distribution | None
    body: Body
    models: int


def spell(clash: Clash, basis: Basis) -> Answer:
    """Damage of one cast spell, exactly."""
    parts = [(chance, _answered(cast)) for chance, cast in _ways(clash, basis)]
    names = parts[0][1].metrics
    return Answer(
        tidied({name: sum(chance * answer.metrics[name] for chance, answer in parts) for name in names}),
        {
            name: mixture((chance, answer.distributions[name]) for chance, answer in parts)
            for name in parts[0][1].distributions
        },
    )


def roll_spell(clash: Clash, basis: Basis, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    ways = _ways(clash, basis)
    chances = np.array([chance for chance, _ in ways])
    dice = max(sum(int(number.high) for number, _ in cast.volleys) for _, cast in ways)
    for size in blocks(run.trials, dice + 1, progress=run.progress, should_stop=run.should_stop):
        shares = run.rng.multinomial(size, chances / chances.sum())
        for (_, cast), trials in zip(ways, shares, strict=True):
            if cast.removal is not None:
                slain = drawn(cast.removal, run.rng, int(trials))
                ledger.add("models_slain", slain, distribution=True)
                ledger.add("p_destroyed", (slain == cast.models) & (cast.models > 0))
                continue
            at, wounds = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
            hits = np.zeros(trials, np.int64)
            for number, attack in cast.volleys:
                fallen = roll_volley(at, drawn(number, run.rng, int(trials)), attack, cast.body, run.rng)
                at, wounds, hits = fallen.states, wounds + fallen.unsaved, hits + fallen.attacks
            ledger.add("hits", hits)
            ledger.add("unsaved_wounds", wounds, distribution=True)
            ledger.add("wounds_lost", cast.body.lost[at])
            ledger.add("models_slain", cast.body.slain[at], distribution=True)
            ledger.add("p_destroyed", cast.body.destroyed[at])
        ledger.close(size)


def _answered(cast: Cast) -> Answer:
    if cast.removal is not None:
        everyone = float(cast.removal.probability(cast.models)) if cast.models else 0.0
        return Answer(
            {"models_slain": float(cast.removal.mean), "p_destroyed": everyone}, {"models_slain": cast.removal}
        )
    wounds: Floats = np.array([[1.0], [0.0]])
    states = cast.body.fresh
    hits = 0.0
    for number, attack in cast.volleys:
        hits += float(number.mean)
        wounds = _over(number, lambda count, now=wounds, attack=attack: unsaved(count, attack, before=now))  # type: ignore[misc]
        states = _over(number, lambda count, now=states, attack=attack: after(now, count, attack, cast.body))  # type: ignore[misc]
    total = wounds.sum(axis=0)
    slain = np.bincount(cast.body.slain, weights=states)
    return Answer(
        {
            "hits": hits,
            "unsaved_wounds": float(total @ np.arange(len(total))),
            "wounds_lost": float(states @ cast.body.lost),
            "models_slain": float(states @ cast.body.slain),
            "p_destroyed": float(states @ cast.body.destroyed),
        },
        {"unsaved_wounds": Distribution(0, total), "models_slain": Distribution(0, slain)},
    )


def _over(number: Distribution, step: Callable[[Count], Floats]) -> Floats:
    """A volley whose number of hits is any distribution."""
    parts = [(float(chance), step(Count(fixed=n))) for n, chance in number.as_dict().items()]
    width = max(part.shape[-1] for _, part in parts)
    total = np.zeros((*parts[0][1].shape[:-1], width))
    for chance, part in parts:
        total[..., : part.shape[-1]] += chance * part
    return total


def _ways(clash: Clash, basis: Basis) -> list[tuple[float, Cast]]:
    """The spell on its target, for each way in which spells in effect have weakened it.

    Raises:
        BadDocument: an unknown spell, one that does no damage, or one that lacks what it needs.
    """
    defender, name = clash.defender, clash.spell
    assert defender is not None and name is not None  # the kind's needs
    known = any_spell(name) or any_spell(f"The {name}") or any_spell(folded(name).removeprefix("the "))
    if known is None or known.en not in SPELLS:
        problem = "does no damage that can be simulated" if known is not None else "is no spell of the eight lores"
        raise BadDocument(f"{name!r} {problem}; spells: {', '.join(SPELLS)}.", "/spell")
    effect = SPELLS[known.en]
    items = HITS_ITEMS | frozenset(RESISTANCES) - {"Glittering Scales", "The Other Trickster's Shard"}
    report(clash, basis, {"defender": SPELL_RULES}, items=items, effects=FIGHTING_EFFECTS)
    basis.modelled.append(known.en)
    _note(known.en, basis)
    camp = Camp(defender, "defender", clash.options)
    result = []
    for chance, shift in lowered(camp, basis):
        target = Camp(defender, "defender", clash.options, shift=shift)
        if isinstance(effect, Removal):
            result.append((chance, Cast((), _removed(effect, target, clash), Body(body_of(defender, wounds_cap=0).row),
                                        defender.count)))  # fmt: skip
        else:
            result.append((chance, _cast(known.en, effect, target, clash)))
    return result


def _cast(name: str, effect: Damage, target: Camp, clash: Clash) -> Cast:
    value = clash.casting_value
    while effect.stronger is not None and value is not None and value >= effect.stronger[0]:
        effect = effect.stronger[1]
    volleys = [(_hits(name, effect, target, clash), _hit(effect, target))]
    if name in EXORCISM and any_rule(target.side, "undead", "daemon"):
        volleys.append((D6, volleys[0][1]))
    if name in ROILING_SKIES and any_rule(target.side, "fly"):
        volleys.append((D6, _hit(Damage(strength=4), target)))
    worst = 0
    most = max(wounds_of(target.side, index) for index in range(len(target.side.models)))
    for number, attack in volleys:
        refuse_above(int(number.high), MAX_SHOTS, "hits", "/conditions/models_covered")
        worst += int(number.high) * min(most, attack.damage.highest * attack.factor)
    body = body_of(target.side, wounds_cap=worst, guarded=any(attack.once for _, attack in volleys))
    if effect.one_model:
        first = target.side.models[target.side.main_index]
        one = min(first.count, 1)
        body = Body(type(body.row)((wounds_of(target.side, target.side.main_index),) * one, (0,) * one), body.guarded)
    return Cast(tuple(volleys), None, body, target.side.count)


def _hits(name: str, effect: Damage, target: Camp, clash: Clash) -> Distribution:
    """Number of hits; models that pass the spell's test are not hit."""
    side, main = target.side, target.side.main
    at = f"/defender/models/{side.main_index}"
    number = effect.hits.distribution()
    if effect.number == "covered":
        number = _covered(clash)
    elif effect.number == "per_rank":
        number = number.times(int(ranks(side, np.array([side.count]))[0]))
    elif effect.number == "leadership_contest":
        number = _leadership_contest(target, clash)
    elif effect.number != "dice":
        against = "T" if effect.number == "toughness_contest" else "S"
        number = TWO_D6.shifted(-characteristic(target, main.profile, against, main, at)).clipped(low=0)
    elif name == "Net of Amyntok":
        failing = 1 - passing(characteristic(target, main.profile, "S", main, at))
        number = mixture([(failing, number), (1 - failing, certain(0))])
    elif name == "Awakening of the Wood" and side.terrain == "forest":
        number = TWO_D6
    if effect.test is None:
        return number
    failing = 1 - passing(characteristic(target, main.profile, effect.test, main, at))
    return mixture((float(c), binomial(n, failing)) for n, c in number.as_dict().items())


def _covered(clash: Clash) -> Distribution:
    """Models under the template.

    Raises:
        BadDocument: the document does not say how many.
    """
    covered = clash.conditions.models_covered
    if covered is None:
        raise BadDocument(
            "Missing field 'models_covered': the spell hits the models under it.", "/conditions/models_covered"
        )
    return number_of(covered, "/conditions/models_covered").distribution()


def _leadership_contest(target: Camp, clash: Clash) -> Distribution:
    """Difference of D6 + Ld in the caster's favour. Source: L2072-2078 [text]."""
    if clash.caster is None or clash.caster.Ld is None:
        raise BadDocument("Missing field 'Ld': the spell needs the caster's leadership.", "/caster/Ld")
    known = target.side.main.profile.Ld
    if known is None:
        raise BadDocument(
            "Missing field 'Ld': the spell needs it.", f"/defender/models/{target.side.main_index}/profile/Ld"
        )
    difference = D6 + Distribution(-6, D6.p)
    return difference.shifted(clash.caster.Ld - known).clipped(low=0)


def _hit(effect: Damage, target: Camp) -> Attack:
    """What one hit does, with the target's saves."""
    side, main = target.side, target.side.main
    at = f"/defender/models/{side.main_index}"
    wound = effect.wound
    if effect.metal:
        armour = armour_save(side, main, "spell")
        wound = None if armour is None else max(2, armour)
    elif wound is None and effect.strength is not None:
        toughness = characteristic(target, main.profile, "T", main, at)
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
        against=Against("spell", flaming=flaming),
        shards=effect.ward_again,
        at=at,
    )


def _removed(effect: Removal, target: Camp, clash: Clash) -> Distribution:
    """How many models the spell removes. Source: L1849-1856, L1957-1961, L2051-2057, L2105-2118 [text]."""
    side = target.side
    total = of({0: 1.0})
    covered = _covered(clash) if effect.covered else None
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


def _note(name: str, basis: Basis) -> None:
    if name == "Net of Amyntok":
        basis.assume("The target tries to act once.", "Цель один раз пытается действовать.")
    elif name == "Wind Blast":
        basis.assume("The target is stopped by something.", "Движение цели что-то останавливает.")
    elif name == "Chain Lightning":
        basis.assume("The lightning strikes the first target only.", "Молния бьёт только по первой цели.")
    elif name == "Banishment":
        basis.assume("No other Light wizard is near.", "Других волшебников Света рядом нет.")
    elif name == "The Amber Spear":
        basis.assume("Only the first model is pierced.", "Пробивается только первая модель.")
