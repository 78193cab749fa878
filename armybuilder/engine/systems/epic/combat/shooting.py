"""Shooting and barrages of Epic: hits, losses, blast markers, and whether the target breaks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from itertools import groupby, product
from math import prod
from typing import TypeAlias

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, certain
from armybuilder.engine.combat.outcomes import Measured, Outcomes
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.epic.army import Options
from armybuilder.engine.systems.epic.combat.casualties import (
    MAX_WORK,
    TOO_MANY_WAYS,
    Body,
    Loss,
    Packet,
    Sturdiness,
    alive,
    drawn,
    hits_that_mark,
    may_be_listed,
    points,
    resolved,
    rolled,
    start_body,
    work_of,
)
from armybuilder.engine.systems.epic.combat.firing import Volley, volleys
from armybuilder.engine.systems.epic.combat.note_words import NOTES
from armybuilder.engine.systems.epic.combat.passengers import Passengers
from armybuilder.engine.systems.epic.combat.saves import ORDINARY, failing
from armybuilder.engine.systems.epic.combat.special_rules import note_rules
from armybuilder.engine.systems.epic.matchup import EpicMatchup, FormationSide
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel

MAX_WAYS = 400_000
"""Combinations of hits that are followed exactly."""

NEGLIGIBLE = 1e-15

Ending: TypeAlias = tuple[Body, int]
"""What is left of the target, and the markers of the attack."""


class Attack:
    """One attack on a formation: the kinds of hits in their order, and what the target is made of."""

    def __init__(self, matchup: EpicMatchup, fired: Sequence[Volley], *, extra_markers: int = 0) -> None:
        """Read the defender; `extra_markers` come from the barrage table."""
        defender = matchup.defender
        assert defender is not None  # the kind's needs
        self.matchup, self.defender, self.extra_markers = matchup, defender, extra_markers
        self.under_fire = bool(fired)
        self.fired = [volley for volley in fired if not volley.harmless]
        self.harmless = [volley for volley in fired if volley.harmless]
        self.start = start_body(defender)
        self.sturdiness = sturdiness_of(defender, matchup.options)
        self.passengers = Passengers.of(defender, matchup.options, self.sturdiness)

    @property
    def dice(self) -> int:
        """Dice of one trial."""
        return max(1, sum(shots.firers for volley in self.all_volleys for shots in volley.shots))

    @property
    def all_volleys(self) -> list[Volley]:
        """Volleys that hurt, and those that cannot."""
        return self.fired + self.harmless

    def classes(self) -> Iterator[list[Volley]]:
        """Volleys, those of one class of hits together."""
        for _, members in groupby(self.fired, key=lambda volley: volley.packet.hit_class):
            yield list(members)

    def losses(self, body: Body, members: Sequence[Volley], counts: Sequence[int]) -> tuple[Loss, ...]:
        """Ways the hits of one class can end, for passengers of destroyed transports too."""
        ends = resolved(body, tuple(volley.packet for volley in members), tuple(counts), self.sturdiness)
        if not self.passengers:
            return ends
        hit_class = members[0].packet.hit_class if members else ORDINARY
        return tuple(wreck for loss in ends for wreck in self.passengers.wrecked(body, loss, hit_class))

    def rolled(
        self, body: Body, members: Sequence[Volley], counts: Sequence[int], draw: float, rng: np.random.Generator
    ) -> Loss:
        """One of these ways, by `draw` or, where they are too many to be listed, by dice."""
        if may_be_listed(body, self.sturdiness):
            return drawn(self.losses(body, members, counts), draw)
        loss = rolled(
            body, tuple(volley.packet for volley in members), tuple(counts), self.sturdiness, draw=draw, rng=rng
        )
        if not self.passengers:
            return loss
        return drawn(tuple(self.passengers.wrecked(body, loss, members[0].packet.hit_class)), rng.random())

    def disrupting(self, body: Body, members: Sequence[Volley], counts: Sequence[int]) -> int:
        """Disrupting hits of one class that leave a marker."""
        return hits_that_mark(body, [volley.packet for volley in members], counts, self.sturdiness)

    def worn_down(self, body: Body, markers: int) -> tuple[Loss, ...]:
        """What markers do to a formation that is already broken: each is a hit without save, Fearless units save.

        These losses leave no further markers. Source: L614, L660 [text], E-25.
        """
        if not self.defender.broken or not markers:
            return (Loss(body, 0, 1.0),)
        return resolved(body, (self._wear,), (markers,), self.sturdiness)

    def rolled_wear(self, body: Body, markers: int, draw: float, rng: np.random.Generator) -> Body:
        """One way markers end for a formation that is already broken."""
        if not self.defender.broken or not markers:
            return body
        return rolled(body, (self._wear,), (markers,), self.sturdiness, draw=draw, rng=rng).body

    @cached_property
    def _wear(self) -> Packet:
        return Packet(
            ORDINARY,
            tuple(
                None
                if unit.is_embarked
                else failing(self.defender, unit, hit_class=ORDINARY, options=self.matchup.options)
                if unit.has_rule("fearless")
                else 1.0
                for unit in self.defender.groups
            ),
        )

    def markers(self, body: Body, unmarked: int, disrupting: int, *, hit: bool) -> int:
        """Blast markers of the attack. Source: L126-127, L373, L441, L471, L774, L868 [text]."""
        options, defender = self.matchup.options, self.defender
        if defender.is_aircraft:
            return 0
        marked = points(self.start) - points(body) - unmarked
        instead = options.disrupt_replaces_hit_marker and disrupting > 0
        shot_at = (hit or (self.under_fire and options.fire_marker == "on_fire")) and not instead
        table = self.extra_markers if hit or (self.under_fire and not options.barrage_marker_needs_hit) else 0
        crossfire = self.matchup.conditions.crossfire and marked > 0
        return shot_at + marked + crossfire + disrupting + table

    def end(self, body: Body, markers: int) -> tuple[bool, bool]:
        """Whether the target is gone, and whether it is broken with something left. Source: L602-614, L870 [text]."""
        gone = alive(body) == 0
        if gone or self.defender.is_aircraft:
            return gone, False
        threshold = threshold_of(self.defender, body)
        return False, self.defender.broken or self.defender.blast_markers + markers >= threshold


def sturdiness_of(formation: FormationSide, options: Options) -> tuple[Sturdiness, ...]:
    """What each group of a formation is made of; Expendable does nothing when all units are (L750)."""
    groups = formation.groups
    all_expendable = all(unit.has_rule("expendable") for unit in groups)
    return tuple(
        Sturdiness(
            engine=bool(unit.track),
            critical=unit.critical,
            critical_on_all_hits=options.critical_roll_on == "all_hits",
            save_per_point=options.titan_killer_saves == "per_damage_point",
            leaves_no_markers=unit.has_rule("expendable") and not all_expendable,
        )
        for unit in groups
    )


def threshold_of(formation: FormationSide, body: Body) -> int:
    """Markers that break what is left: units, war engines by their starting damage capacity."""
    return sum(
        unit.capacity * sum(left > 0 for left in lefts) for unit, lefts in zip(formation.groups, body, strict=True)
    )


def shooting(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """One formation shoots at another. Source: L328-404 [text]."""
    attack = Attack(matchup, volleys(matchup))
    note_attack(matchup, notes)
    return OutcomeModel(partial(describe, attack), attack.dice)


def describe(attack: Attack, outcomes: Outcomes) -> None:
    """The metrics of an attack: its hits, and every ending with the markers it leaves."""
    hits, ends = outcomes.either(partial(_followed, attack), partial(_rolled, attack))
    outcomes.add("hits", hits, distribution=True)
    for ending, (body, markers) in outcomes.endings(ends.items()):
        _enter(ending, attack, body, markers)


def _followed(attack: Attack) -> tuple[Measured, Mapping[Ending, float]]:
    """Hits, and every way an attack can end with its chance.

    Raises:
        LimitExceeded: too many combinations of hits; the Monte Carlo method has no such limit.
    """
    ways: dict[tuple[Body, int, int, bool], float] = {(attack.start, 0, 0, False): 1.0}
    for volley in attack.harmless if attack.matchup.options.harmless_hit_gives_marker else ():
        ways = _with_harmless_hits(ways, volley)
    followed = work = 0
    for members in attack.classes():
        spreads = [
            [(count, float(p)) for count, p in zip(hits.values.tolist(), hits.p, strict=True) if p > NEGLIGIBLE]
            for hits in (volley.hits() for volley in members)
        ]
        followed += len(ways) * prod(map(len, spreads))
        if followed > MAX_WAYS:
            raise LimitExceeded(TOO_MANY_WAYS, "/attacker/units")
        after: dict[tuple[Body, int, int, bool], float] = {}
        for combination in product(*spreads):
            counts = [count for count, _ in combination]
            share = prod(p for _, p in combination)
            for (body, unmarked, disrupting, hit), chance in ways.items():
                if chance * share < NEGLIGIBLE:
                    continue
                more = attack.disrupting(body, members, counts)
                losses = attack.losses(body, members, counts)
                work += work_of(losses, attack.sturdiness)
                if work > MAX_WORK:
                    raise LimitExceeded(TOO_MANY_WAYS, "/attacker/units")
                for loss in losses:
                    key = (loss.body, unmarked + loss.unmarked, disrupting + more, hit or any(counts))
                    after[key] = after.get(key, 0.0) + chance * share * loss.chance
        ways = after
    ends: dict[Ending, float] = {}
    for (body, unmarked, disrupting, hit), chance in ways.items():
        markers = attack.markers(body, unmarked, disrupting, hit=hit)
        worn = attack.worn_down(body, markers)
        work += work_of(worn, attack.sturdiness)
        if work > MAX_WORK:
            raise LimitExceeded(TOO_MANY_WAYS, "/defender/units")
        for loss in worn:
            ends[loss.body, markers] = ends.get((loss.body, markers), 0.0) + chance * loss.chance
    return reduce(Distribution.__add__, (volley.hits() for volley in attack.all_volleys), certain(0)), ends


def _rolled(attack: Attack, rng: np.random.Generator, size: int) -> tuple[Measured, Mapping[Ending, float]]:
    """Hits are rolled, casualties drawn from their chances; an ending for each trial."""
    bodies: list[tuple[Body, int]] = [(attack.start, 0)] * size
    hits = np.zeros(size, np.int64)
    disrupting = np.zeros(size, np.int64)
    seen = np.zeros(size, bool)
    for volley in attack.harmless:
        landed = volley.roll(rng, size)
        hits += landed
        seen |= (landed > 0) & attack.matchup.options.harmless_hit_gives_marker
    for members in attack.classes():
        counts = np.stack([volley.roll(rng, size) for volley in members], axis=1)
        hits += counts.sum(axis=1)
        seen |= counts.any(axis=1)
        draws = rng.random(size)
        for trial, (body, unmarked) in enumerate(bodies):
            disrupting[trial] += attack.disrupting(body, members, counts[trial].tolist())
            loss = attack.rolled(body, members, counts[trial].tolist(), draws[trial], rng)
            bodies[trial] = (loss.body, unmarked + loss.unmarked)
    draws = rng.random(size)
    ends: Counter[Ending] = Counter()
    for trial, (body, unmarked) in enumerate(bodies):
        markers = attack.markers(body, unmarked, int(disrupting[trial]), hit=bool(seen[trial]))
        ends[attack.rolled_wear(body, markers, draws[trial], rng), markers] += 1
    return hits, ends


def _enter(outcomes: Outcomes, attack: Attack, body: Body, markers: int) -> None:
    """The metrics of one ending."""
    defender = attack.defender
    gone, broken = attack.end(body, markers)
    engines = [index for index, unit in enumerate(defender.groups) if unit.track]
    outcomes.add("units_destroyed", alive(attack.start) - alive(body), distribution=True)
    outcomes.add("p_destroyed", gone)
    if not defender.is_aircraft:
        outcomes.add("blast_markers", markers, distribution=True)
        outcomes.add("p_broken", broken)
    if engines:
        outcomes.add("dc_lost", sum(sum(attack.start[i]) - sum(body[i]) for i in engines), distribution=True)
        states = [(left, defender.groups[i]) for i in engines for left in body[i]]
        outcomes.add("p_damaged", any(0 < left <= unit.damaged_at for left, unit in states))
        outcomes.add("p_critical_state", any(0 < left <= unit.critical_at for left, unit in states))


def _with_harmless_hits(
    ways: dict[tuple[Body, int, int, bool], float], volley: Volley
) -> dict[tuple[Body, int, int, bool], float]:
    """The ways, with the knowledge whether these hits happened: they only leave a marker (E-03)."""
    nothing = float(volley.hits().probability(0))
    after: dict[tuple[Body, int, int, bool], float] = {}
    for (body, unmarked, disrupting, hit), chance in ways.items():
        for seen, share in ((hit, nothing), (True, 1.0 - nothing)):
            key = (body, unmarked, disrupting, seen)
            after[key] = after.get(key, 0.0) + chance * share
    return after


def note_attack(matchup: EpicMatchup, notes: ModelNotes) -> None:
    """What the numbers of an attack rest on."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    weapon_rules = [rule for unit in attacker.groups for weapon in unit.weapons for rule in weapon.rules]
    note_rules(notes, [*attacker.rules, *weapon_rules, *defender.rules], matchup.options)
    notes.assume(NOTES["all_firing_units"])
    if attacker.blast_markers and len(attacker.groups) > 1:
        notes.assume(NOTES["blast_markers_stop"])
