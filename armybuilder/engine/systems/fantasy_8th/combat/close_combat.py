"""Blows of one side: the kinds melee, attack_count, impact_hits, stomp and breath_weapon."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import msgspec
import numpy as np

from armybuilder.engine.combat.distribution import Distribution, Floats, mixture
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.casualties import Body, Count, after, body_of, roll_volley, unsaved
from armybuilder.engine.systems.fantasy_8th.combat.experiments import tidied
from armybuilder.engine.systems.fantasy_8th.combat.formation import count_of
from armybuilder.engine.systems.fantasy_8th.combat.items import ITEMS
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import parts_of
from armybuilder.engine.systems.fantasy_8th.combat.melee import dismounted, manned, survives_wounds
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, MeleeAttacker, melee_attackers
from armybuilder.engine.systems.fantasy_8th.combat.psychology import World, worlds
from armybuilder.engine.systems.fantasy_8th.combat.salvos import (
    SHARED_OUT,
    Burst,
    Shared,
    both,
    metrics_of,
    note,
    shared,
    told_apart,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import alike, unknown_armour
from armybuilder.engine.systems.fantasy_8th.combat.special_hits import breath, impact_hits, stomps
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import TABLE
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, ListClash, Side
from armybuilder.engine.systems.matchups import MAX_SHOTS, Answer, ModelNotes, Run, refuse_above

SLOWING = "Blessed Bulwark (against Destruction)"
"""An obstacle that halves the Initiative of whoever attacks over it. Source: L1271-1273 [text]."""

STANDS = Text(
    "It causes fear; the chance that a charged unit flees from it stands by itself, the other numbers hold when it "
    "does not.",
    "Учтён страх; вероятность бегства атакованного отряда дана отдельно, остальные числа – когда он не бежит.",
)
BURNT = Text(
    "Flaming wounds are not regenerated, but do not stop the Regeneration of later wounds.",
    "Огненные раны не регенерируются, но регенерацию следующих ран не отключают.",
)
WHOLE_ROUNDS = frozenset({"combat_round", "building_assault", "war_machine_melee"})
Volley = tuple[MeleeAttacker, Count]
Source = Callable[[FightingSide, FightingSide], Iterator[MeleeAttacker]]


def fighting_sides(clash: FantasyMatchup) -> tuple[FightingSide, FightingSide]:
    """Both sides as they stand before the rolls of this round."""
    attacker, defender = clash.attacker, clash.defender
    assert attacker is not None and defender is not None  # the kind's needs
    number = clash.conditions.combat_round
    own, theirs = (SLOWING in set(rules_in_force.effects_of(side)) for side in (attacker, defender))
    return (
        FightingSide(dismounted(manned(attacker)), "attacker", clash.options, number, attacker.charged, slowed=theirs),
        FightingSide(dismounted(manned(defender)), "defender", clash.options, number, defender.charged, slowed=own),
    )


def melee(clash: FantasyMatchup, notes: ModelNotes) -> Answer:
    """The attacker's blows of one round, exactly."""
    _note_melee(clash, notes)
    return _struck(worlds(*fighting_sides(clash), clash.conditions, notes), melee_attackers, hits=False)


def roll_melee(clash: FantasyMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    _note_melee(clash, notes)
    _roll_struck(worlds(*fighting_sides(clash), clash.conditions, notes), melee_attackers, run, ledger, hits=False)


def attack_count(clash: FantasyMatchup, notes: ModelNotes) -> Answer:
    """Attacks of the whole unit against its front. Source: L255-270 [text]."""
    unit = clash.unit
    assert unit is not None  # the kind's needs
    rules_in_force.note_rules(
        clash,
        notes,
        {"unit": ("attack_count",)},
        items=("attack_count",),
        effects=("attack_count",),
    )
    fighting_side = FightingSide(unit, "unit", clash.options, clash.conditions.combat_round, unit.charged)
    total = 0.0
    standing = [group.count for group in unit.models]
    for melee_attacker in melee_attackers(fighting_side, None):
        total += float(count_of(fighting_side, clash.enemy, melee_attacker, standing, places=None).distribution().mean)
    return Answer({"attacks": total})


def roll_attack_count(clash: FantasyMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same, with dice for random attacks."""
    attack_count(clash, notes)
    unit = clash.unit
    assert unit is not None  # the kind's needs
    fighting_side = FightingSide(unit, "unit", clash.options, clash.conditions.combat_round, unit.charged)
    standing = [group.count for group in unit.models]
    numbers = [
        count_of(fighting_side, clash.enemy, s, standing, places=None) for s in melee_attackers(fighting_side, None)
    ]
    for size in blocks(run.trials, 8, progress=run.progress, should_stop=run.should_stop):
        total = np.zeros(size, np.int64)
        for count in numbers:
            total += count.roll(run.rng, size)
        ledger.add("attacks", total)
        ledger.close(size)


def only_impact_hits(clash: FantasyMatchup, notes: ModelNotes) -> Answer:
    """Impact hits alone, exactly."""
    return _struck(_hit_worlds(clash, notes), impact_hits, hits=True)


def roll_impact_hits(clash: FantasyMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    _roll_struck(_hit_worlds(clash, notes), impact_hits, run, ledger, hits=True)


def only_stomps(clash: FantasyMatchup, notes: ModelNotes) -> Answer:
    """Stomp and Thunderstomp alone, exactly."""
    return _struck(_hit_worlds(clash, notes), stomps, hits=True)


def roll_stomps(clash: FantasyMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    _roll_struck(_hit_worlds(clash, notes), stomps, run, ledger, hits=True)


def only_breath(clash: FantasyMatchup, notes: ModelNotes) -> Answer:
    """A breath weapon alone, exactly."""
    apart = _breathed_at(clash, notes)
    if apart:
        parts = [(chance, *metrics_of(fire)) for chance, fire in apart]
        names, drawn_of = parts[0][1], parts[0][2]
        return Answer(
            tidied({name: sum(chance * metrics[name] for chance, metrics, _ in parts) for name in names}),
            {name: mixture((chance, found[name]) for chance, _, found in parts) for name in drawn_of},
        )
    return _struck(_hit_worlds(clash, notes), _breath(clash), hits=True)


def roll_breath(clash: FantasyMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    apart = _breathed_at(clash, notes)
    if not apart:
        _roll_struck(_hit_worlds(clash, notes), _breath(clash), run, ledger, hits=True)
        return
    chances = np.array([chance for chance, _ in apart])
    for size in blocks(run.trials, 2, progress=run.progress, should_stop=run.should_stop):
        for (_, fire), trials in zip(apart, run.rng.multinomial(size, chances / chances.sum()), strict=True):
            note(fire, fire.roll(run.rng, int(trials)), ledger)
        ledger.close(size)


def _breathed_at(clash: FantasyMatchup, notes: ModelNotes) -> list[tuple[float, Shared]]:
    """A breath from afar at a monster with its rider, whom the template strikes both; nothing otherwise (L991-997)."""
    defender = clash.defender
    assert defender is not None  # the kind's needs
    pair = told_apart(FightingSide(defender, "defender", clash.options))
    if clash.conditions.in_close_combat or pair is None:
        return []
    notes.assume(SHARED_OUT.en, SHARED_OUT.ru)
    result = []
    for chance, fighting_side, enemy in _hit_worlds(clash, notes):
        monster, rider = (_volleys(fighting_side, replace(one, shift=enemy.shift), _breath(clash)) for one in pair)
        bursts = [
            Burst(count.distribution(), both(melee_attacker.attack, other.attack))
            for (melee_attacker, count), (other, _) in zip(monster, rider, strict=True)
        ]
        result.append((chance, shared(pair[0].side, bursts)))
    return result


def note_groups(clash: FantasyMatchup, notes: ModelNotes) -> None:
    """Say how units of several groups are treated."""
    for name in ("attacker", "defender"):
        side = getattr(clash, name)
        if side is None:
            continue
        if not alike(_without_characters(side)):
            notes.approximate(
                "mixed units",
                "Those who are no characters are struck as the rank and file and fall after it.",
                "Все, кроме персонажей, поражаются как рядовые и гибнут после них.",
            )
        if (
            not (isinstance(clash, ListClash) and clash.at_characters)
            and 0 < sum(g.count for g in side.models if g.is_character) < side.count
        ):
            notes.assume(
                "Characters in a unit are struck only when nobody else of it is left.",
                "По персонажам в отряде бьют, только когда больше никого в нём не осталось.",
            )
    for side in clash.sides().values():
        notes.not_simulated += unknown_armour(side)
    weakened = [side for name, side in clash.sides().items() if "Warrior Bane" in rules_in_force.unit_items(side)]
    if any(side.count > 1 for side in weakened):
        notes.approximate(
            "Warrior Bane",
            "Every wound that its victim has lost in this round takes an Attack from it, whoever dealt it.",
            "Каждая рана, потерянная жертвой за раунд, отнимает у неё атаку, кто бы её ни нанёс.",
        )
    texts = [special_rules.read(text) for side in clash.sides().values() for text in rules_in_force.texts_of(side)]
    if any(rule.slug == "hatred" and rule.value for rule in texts):
        notes.assume("The enemy is the one that is hated.", "Противник — тот, кого ненавидят.")
    if any(rule.slug == "terror" for rule in texts):
        terror = TABLE.rules["terror"]
        text = STANDS if clash.kind == "combat_round" or terror.how is None else terror.how
        notes.approximate(terror.name, text.en, text.ru)
    if any(rule.slug == "flaming_attacks" for rule in texts) and any(
        _regeneration_lasts(side, clash.kind) for side in clash.sides().values()
    ):
        notes.approximate("Regeneration", BURNT.en, BURNT.ru)
    notes.assume(
        "To hit, to wound and armour tables are those of the preceding edition (carried over).",
        "Таблицы попадания, ранения и брони взяты из предыдущей редакции.",
    )
    if any(side.width is None for side in clash.sides().values()):
        notes.assume(
            "A unit without a width stands in ranks of five, monstrous models in ranks of three.",
            "Отряд без указанной ширины стоит шеренгами по пять моделей, чудовищные модели — по три.",
        )


def _without_characters(side: Side) -> Side:
    """Those who are struck and fall together."""
    ranks = tuple(group for group in side.models if not group.is_character)
    return msgspec.structs.replace(side, models=ranks) if ranks else side


def _regeneration_lasts(side: Side, kind: str) -> bool:
    """Whether fire should have stopped a Regeneration that is rolled: single blows remember no wounds of a model."""
    forgotten = (ITEMS[name].remembered for name in rules_in_force.unit_items(side))
    remembered = kind in WHOLE_ROUNDS and not any(forgotten)
    return not remembered and survives_wounds(side) and rules_in_force.any_rule(side, "regeneration")


def _note_melee(clash: FantasyMatchup, notes: ModelNotes) -> None:
    played = {"attacker": ("blows", "psychology"), "defender": ("struck", "psychology")}
    rules_in_force.note_rules(clash, notes, played, items=("blows",), effects=("fight",))
    note_groups(clash, notes)
    notes.assume(
        "Models in contact and supporting models strike; no challenges are fought.",
        "Бьют модели в контакте и поддерживающие; поединков нет.",
    )


def note_hits(clash: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the rules that automatic hits have a part in into the notes."""
    played = {"attacker": (clash.kind, "hits"), "defender": ("hit",)}
    rules_in_force.note_rules(clash, notes, played, items=("hits",), effects=("fight",))
    note_groups(clash, notes)


def _hit_worlds(clash: FantasyMatchup, notes: ModelNotes) -> list[World]:
    note_hits(clash, notes)
    return worlds(*fighting_sides(clash), clash.conditions, notes)


def _breath(clash: FantasyMatchup) -> Source:
    return lambda fighting_side, enemy: breath(fighting_side, enemy, clash.conditions)


def _volleys(fighting_side: FightingSide, enemy: FightingSide, source: Source) -> list[Volley]:
    standing = [group.count for group in fighting_side.side.models]
    made = [(s, count_of(fighting_side, enemy.side, s, standing, places=None)) for s in source(fighting_side, enemy)]
    made.sort(key=lambda volley: -volley[0].order)
    for melee_attacker, count in made:
        refuse_above(count.highest, MAX_SHOTS, "attacks", f"/{fighting_side.name}/models/{melee_attacker.group}")
    return made


def _body(enemy: FightingSide, volleys: list[Volley]) -> Body:
    worst = 0
    for melee_attacker, count in volleys:
        damage = melee_attacker.attack.damage.highest * melee_attacker.attack.factor
        most = max((group.profile.W or 1 for group in enemy.side.models), default=1)
        worst += count.highest * (most if melee_attacker.attack.killing_blow else min(damage, most))
    guarded = any(melee_attacker.attack.once for melee_attacker, _ in volleys)
    return body_of(enemy.side, wounds_cap=worst, guarded=guarded, only=parts_of(enemy.side)[0])


def _struck(ways: list[World], source: Source, *, hits: bool) -> Answer:
    """What one side's volleys come to, over all ways the rolls before them can turn out."""
    metrics: dict[str, float] = {}
    distributions: list[tuple[float, Distribution]] = []

    def add(name: str, value: float) -> None:
        metrics[name] = metrics.get(name, 0.0) + value

    for chance, fighting_side, enemy in ways:
        volleys = _volleys(fighting_side, enemy, source)
        body = _body(enemy, volleys)
        wounds: Floats = np.array([[1.0], [0.0]])
        states = body.fresh
        so_far = 0.0
        ridden = any(group.mount is not None for group in fighting_side.side.models)
        for part in ("rider", "mount") if ridden and not hits else ():
            add(f"unsaved_wounds:{part}", 0.0)
        add("hits" if hits else "attacks", 0.0)
        for melee_attacker, count in volleys:
            wounds = unsaved(count, melee_attacker.attack, before=wounds)
            states = after(states, count, melee_attacker.attack, body)
            mean = float(wounds.sum(axis=0) @ np.arange(wounds.shape[1]))
            if ridden and not hits:
                add(f"unsaved_wounds:{melee_attacker.part}", chance * (mean - so_far))
            so_far = mean
            add("hits" if hits else "attacks", chance * float(count.distribution().mean))
        total = wounds.sum(axis=0)
        distributions.append((chance, Distribution(0, total)))
        add("unsaved_wounds", chance * so_far)
        add("wounds_lost", chance * float(states @ body.lost))
        add("models_slain", chance * float(states @ body.slain))
        add("p_destroyed", chance * float(states @ body.destroyed) * _is_one(enemy.side))
    return Answer(tidied(metrics), {"unsaved_wounds": mixture(distributions)})


def _is_one(side: Side) -> bool:
    """Whether nobody is left when those are gone who are struck."""
    return len(parts_of(side)) == 1


def _roll_struck(ways: list[World], source: Source, run: Run, ledger: Ledger, *, hits: bool) -> None:
    """The same with dice."""
    prepared, whole = [], True
    for _, fighting_side, enemy in ways:
        volleys = _volleys(fighting_side, enemy, source)
        prepared.append((fighting_side, volleys, _body(enemy, volleys)))
        whole = _is_one(enemy.side)
    dice = max((sum(count.highest for _, count in volleys) for _, volleys, _ in prepared), default=1)
    for size in blocks(run.trials, dice + 1, progress=run.progress, should_stop=run.should_stop):
        shares = run.rng.multinomial(size, np.array([chance for chance, _, _ in ways]) / sum(c for c, _, _ in ways))
        for (fighting_side, volleys, body), trials in zip(prepared, shares, strict=True):
            states, total = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
            struck = np.zeros(trials, np.int64)
            by_part: dict[str, np.ndarray] = {}
            if any(group.mount is not None for group in fighting_side.side.models) and not hits:
                parts = ("rider", "mount", *(melee_attacker.part for melee_attacker, _ in volleys))
                by_part = {part: np.zeros(trials, np.int64) for part in parts}
            for melee_attacker, count in volleys:
                fallen = roll_volley(states, count.roll(run.rng, int(trials)), melee_attacker.attack, body, run.rng)
                states, total, struck = fallen.states, total + fallen.unsaved, struck + fallen.attacks
                if melee_attacker.part in by_part:
                    by_part[melee_attacker.part] += fallen.unsaved
            ledger.add("unsaved_wounds", total, distribution=True)
            ledger.add("hits" if hits else "attacks", struck)
            for part, wounds in by_part.items():
                ledger.add(f"unsaved_wounds:{part}", wounds)
            ledger.add("wounds_lost", body.lost[states])
            ledger.add("models_slain", body.slain[states])
            ledger.add("p_destroyed", body.destroyed[states] & whole)
        ledger.close(size)
