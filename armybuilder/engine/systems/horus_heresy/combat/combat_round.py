"""A whole round of close combat: Initiative steps, simultaneous blows, combat result, morale, Sweeping Advance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product

import numpy as np

from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.systems.horus_heresy.combat import morale, reactions
from armybuilder.engine.systems.horus_heresy.combat.assault import Blows
from armybuilder.engine.systems.horus_heresy.combat.challenge import ChallengeSide, duellist_of, taken_apart
from armybuilder.engine.systems.horus_heresy.combat.melee import Melee, MeleeSide, Rolls
from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_rules
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.reactions import Beginning
from armybuilder.engine.systems.horus_heresy.combat.target_state import KNIGHTS, Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, TargetState
from armybuilder.engine.systems.horus_heresy.combat.wound_allocation import standing_for
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, Conditions, HeresyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel

RARE = 1e-15
"""Ends of a round less likely than this are left out."""

DICE_A_MODEL = 40
"""Of one trial, by which trials are cut into blocks."""

MOST_SCORE = 40
"""What hits on a Knight or Titan count for in the combat result is kept up to this number."""

UNSTABLE = (1, 2, 3)
"""Wounds, equally likely, that a unit of Daemons takes instead of falling back, without any save (L1601)."""


@dataclass(slots=True)
class _Party:
    """One side of the round: all of it, and its parts in each of the melees.

    Attributes:
        idle: groups that strike but cannot be struck, as they stand behind a duellist.
    """

    unit: Unit
    blows: Blows
    parts: list[MeleeSide] = field(default_factory=list)
    idle: tuple[int, ...] = ()


class Round:
    """A round of two units."""

    def __init__(
        self, attacker: Side, defender: Side, conditions: Conditions, matchup: HeresyMatchup, notes: ModelNotes
    ):
        """Read both sides."""
        self.conditions = conditions
        self.options = matchup.options
        units = (Unit(attacker, "/attacker"), Unit(defender, "/defender"))
        self.attacker = _Party(units[0], self._blows(units[0], units[1]))
        self.defender = _Party(units[1], self._blows(units[1], units[0]))
        for unit in units:
            unit.note_mixture(notes)
        self.melees: list[Melee] = []
        self.names: tuple[str, str] | None = None
        challenge = self._challenge_sides(attacker, defender, notes)
        if challenge is None:
            blows = [self._blows(units[i], units[1 - i]) for i in (0, 1)]
            self._meet(*(self._fighter(units[i], blows[i], blows[1 - i]) for i in (0, 1)))
            self._note_challenge(notes)
        else:
            self._take_up(*challenge, units)
        self._passes: dict[tuple[bool, int, tuple[int, ...]], float] = {}
        self._caught: dict[tuple[bool, tuple[int, ...], tuple[int, ...]], float] = {}

    @property
    def sides(self) -> tuple[_Party, _Party]:
        """Attacker and defender."""
        return self.attacker, self.defender

    def _blows(self, striker: Unit, target: Unit, *, in_challenge: bool = False) -> Blows:
        return Blows(striker, target, self.conditions, self.options, in_challenge=in_challenge)

    def _fighter(self, unit: Unit, blows: Blows, against: Blows) -> MeleeSide:
        """A side that strikes, and as the target of the other."""
        if unit.is_vehicle:
            walks = unit.first_vehicle.is_a(*KNIGHTS)
            return MeleeSide(unit, TargetState(unit, self.options, most_score=MOST_SCORE if walks else 0), blows)
        if unit.side.makes_checks:  # their Perils are followed in an ordinary row
            return MeleeSide(unit, TargetState(unit, self.options), blows)
        return MeleeSide(unit, standing_for(unit, self.options, [Alternative(1.0, against.every_line)]), blows)

    def _meet(self, first: MeleeSide, second: MeleeSide) -> None:
        self.melees.append(Melee(first, second))
        self.attacker.parts.append(first)
        self.defender.parts.append(second)

    def _challenge_sides(
        self, attacker: Side, defender: Side, notes: ModelNotes
    ) -> tuple[ChallengeSide, ChallengeSide] | None:
        """Both sides of a challenge, where lists meet and one is stated."""
        if not (isinstance(self.conditions, AttackConditions) and self.conditions.challenge):
            return None
        if attacker.is_lone_character and defender.is_lone_character:
            return None  # they fight nobody else anyway
        first, second = duellist_of(attacker), duellist_of(defender)
        if first is None or second is None:
            notes.assume(NOTES["no_challenge_needs"])
            return None
        self.names = attacker.models[first].name, defender.models[second].name
        notes.approximate("challenges", NOTES["challenges"])
        return taken_apart(attacker, first), taken_apart(defender, second)

    def _take_up(self, first: ChallengeSide, second: ChallengeSide, units: tuple[Unit, Unit]) -> None:
        """The challenge, and the fight of the others where both sides have some."""
        sides, places = (first, second), ("/attacker", "/defender")
        alone = [Unit(side.duellist, at) for side, at in zip(sides, places, strict=True)]
        others = [Unit(side.others, at) if side.others else None for side, at in zip(sides, places, strict=True)]
        apart = others[0] is not None and others[1] is not None
        fighters = []
        for i, side in enumerate(sides):
            behind = others[i]
            helpers = None
            if behind is not None and not apart:
                helpers = self._blows(behind, units[1 - i])
                self.sides[i].idle = side.places
            blows = self._blows(alone[i], alone[1 - i], in_challenge=True)
            standing = TargetState(alone[i], self.options)
            fighters.append(MeleeSide(alone[i], standing, blows, groups=(side.index,), helpers=helpers))
        self._meet(*fighters)
        if others[0] is not None and others[1] is not None:
            rest = [
                MeleeSide(other, TargetState(other, self.options), self._blows(other, enemy), groups=side.places)
                for other, enemy, side in ((others[0], others[1], first), (others[1], others[0], second))
            ]
            self._meet(*rest)

    def _note_challenge(self, notes: ModelNotes) -> None:
        if self.attacker.blows.is_challenge:
            notes.assume(NOTES["two_characters_fight"])
        else:
            notes.assume(NOTES["no_challenges_all"])

    def scenarios(self) -> Iterator[tuple[float, Rolls, Rolls]]:
        """The rolls of Rampage of both sides, with their chance."""
        for first, mine in self.attacker.blows.rampages():
            for second, theirs in self.defender.blows.rampages():
                yield first * second, mine, theirs

    def ends(self) -> Iterator[tuple["End", float]]:
        """Every way the round ends before morale, with its chance."""
        for chance, mine, theirs in self.scenarios():
            reached = []
            for melee in self.melees:
                joint = melee.joint(mine, theirs)
                reached.append([(float(joint[a, d]), int(a), int(d)) for a, d in np.argwhere(joint > RARE)])
            for parts in product(*reached):
                share = chance
                for part, _, _ in parts:
                    share *= part
                if share > RARE:
                    yield self.end([a for _, a, _ in parts], [d for _, _, d in parts]), share

    def rolled(self, rng: np.random.Generator, trials: int) -> Iterator[tuple["End", int]]:
        """The ends that so many trials came to before morale, and how many of them."""
        scenarios = list(self.scenarios())
        weights = np.array([chance for chance, _, _ in scenarios])
        drawn = rng.choice(len(scenarios), trials, p=weights / weights.sum())
        rampages = [(drawn == i, (mine, theirs)) for i, (_, mine, theirs) in enumerate(scenarios)]
        states = [melee.rolled(trials, rampages, rng) for melee in self.melees]
        columns = np.column_stack([part for side in (0, 1) for part in (melee[side] for melee in states)])
        keys, numbers = np.unique(columns, axis=0, return_counts=True)
        for key, number in zip(keys.tolist(), numbers.tolist(), strict=True):
            yield self.end(key[: len(states)], key[len(states) :]), number

    def end(self, attackers: Sequence[int], defenders: Sequence[int]) -> "End":
        """How both sides stand in these states of their parts."""
        return End(_side_end(self.attacker, attackers), _side_end(self.defender, defenders))

    def passes(self, *, attacker: bool, lost_by: int, groups: tuple[int, ...]) -> float:
        """Chance that a side passes its morale check after losing by so much."""
        key = (attacker, lost_by, groups)
        if key not in self._passes:
            loser, winner = (self.attacker, self.defender) if attacker else (self.defender, self.attacker)
            self._passes[key] = morale.test_chance(
                loser.unit,
                self.conditions,
                morale=True,
                lost_by=lost_by,
                fear=morale.fear_of(winner.unit),
                standing=groups,
            )
        return self._passes[key]

    def caught(self, *, attacker: bool, mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        """Chance that a side that breaks is caught.

        Args:
            mine: standing groups of the side that breaks; theirs of the winner.
        """
        key = (attacker, mine, theirs)
        if key not in self._caught:
            loser, winner = (self.attacker, self.defender) if attacker else (self.defender, self.attacker)
            self._caught[key] = morale.caught_chance(
                winner.unit, loser.unit, self.conditions, winners_left=theirs, losers_left=mine
            )
        return self._caught[key]

    def enter(self, outcomes: Outcomes, end: "End", beginning: Beginning) -> None:
        """The metrics of one way to end. Source: HH L1316-L1350, L1468, L1601 [text]."""
        mine, theirs = end.attacker, end.defender
        lead = theirs.score - mine.score
        if mine.destroyed and theirs.destroyed:
            outcomes.add("p_both_destroyed", 1.0)
        elif theirs.destroyed or mine.destroyed:
            outcomes.add("p_win" if theirs.destroyed else "p_lose", 1.0)
        elif lead == 0:
            outcomes.add("p_draw", 1.0)
        else:
            outcomes.add("p_win" if lead > 0 else "p_lose", 1.0)
            self._enter_morale(outcomes, end, lead)
        for prefix, party, side, before, hurt in (
            ("", self.defender, theirs, 0, 0),
            ("attacker_", self.attacker, mine, beginning.slain, beginning.lost),
        ):
            outcomes.add(f"{prefix}{_losses_of(party.unit)}", side.lost + hurt)
            outcomes.add("p_attacker_destroyed" if prefix else "p_destroyed", float(side.destroyed))
            outcomes.add(f"{prefix}models_slain", side.slain + before, distribution=True)
        if self.names is not None:
            outcomes.add(f"p_slain:{self.names[1]}", float(theirs.fell))
            outcomes.add(f"p_attacker_slain:{self.names[0]}", float(mine.fell))
        for prefix, unstable in zip(("attacker_", ""), self.has_daemons, strict=True):
            if unstable:
                outcomes.add(f"{prefix}crumbled_wounds", 0.0)

    def _enter_morale(self, outcomes: Outcomes, end: "End", lead: int) -> None:
        """Whether the side that lost breaks and is caught; Daemons crumble instead."""
        loses = lead < 0
        loser, winner = (end.attacker, end.defender) if loses else (end.defender, end.attacker)
        name, prefix = ("attacker", "attacker_") if loses else ("defender", "")
        chance = 1.0 - self.passes(attacker=loses, lost_by=abs(lead), groups=loser.groups)
        if not chance:
            return
        breaks = outcomes.happens(chance)
        outcomes.add(f"p_{name}_breaks", breaks)
        party = self.attacker if loses else self.defender
        if any(party.unit.groups[i].is_a("daemon") for i in loser.groups):
            wounds: Values = outcomes.either(
                lambda: breaks * (sum(min(wounds, loser.left) for wounds in UNSTABLE) / len(UNSTABLE)),
                partial(_crumbled, breaks, loser.left),
            )
            outcomes.add(f"{prefix}crumbled_wounds", wounds)
        else:
            caught = self.caught(attacker=loses, mine=loser.groups, theirs=winner.groups)
            outcomes.add(f"p_{name}_caught", outcomes.happens(caught, given=breaks))

    @property
    def has_daemons(self) -> tuple[bool, bool]:
        """Whether Daemons are in the attacker, and in the defender."""
        first, second = (any(group.is_a("daemon") for group in party.unit.groups) for party in self.sides)
        return first, second


@dataclass(frozen=True, slots=True)
class SideEnd:
    """How one side stands after all blows.

    Attributes:
        score: what its losses count for in the combat result, wounds to spare of a challenge included.
        lost: wounds or hull points; left: wounds that are left.
        groups: that still have models; slain: models gone.
        fell: whether its duellist was slain.
    """

    score: int
    lost: int
    slain: int
    left: int
    destroyed: bool
    groups: tuple[int, ...]
    fell: bool


@dataclass(frozen=True, slots=True)
class End:
    """How both sides stand after all blows."""

    attacker: SideEnd
    defender: SideEnd


def _side_end(party: _Party, states: Sequence[int]) -> SideEnd:
    parts = list(zip(party.parts, states, strict=True))
    groups = {*party.idle, *(group for part, state in parts for group in part.standing_groups(state))}
    lost = sum(int(part.wounds[state]) for part, state in parts)
    whole = 0 if party.unit.is_vehicle else party.unit.lineup.last
    return SideEnd(
        score=sum(int(part.lost[state]) for part, state in parts),
        lost=lost,
        slain=sum(int(part.slain[state]) for part, state in parts),
        left=max(0, whole - lost),
        destroyed=not party.idle and all(bool(part.destroyed[state]) for part, state in parts),
        groups=tuple(sorted(groups)),
        fell=bool(parts[0][0].destroyed[states[0]]),
    )


METRICS = (
    "p_win", "p_draw", "p_lose", "p_both_destroyed", "p_defender_breaks", "p_defender_caught", "p_attacker_breaks",
    "p_attacker_caught",
)  # fmt: skip
"""Told of every round, even where nothing of the kind can happen."""


def combat_round(matchup: HeresyMatchup, notes: ModelNotes) -> OutcomeModel:
    """The round, begun in each of the ways that a reaction leaves to it."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    note_rules(matchup, notes)
    begun = list(reactions.beginnings(matchup, notes))
    shares = [beginning.weight for beginning in begun]

    @cache
    def fight(number: int) -> Round:
        charger = begun[number].attacker
        assert charger is not None  # somebody is left to fight
        return Round(charger, begun[number].defender, matchup.conditions_in_force, matchup, notes)

    def describe(outcomes: Outcomes) -> None:
        for name in METRICS:
            outcomes.add(name, 0.0)
        ways: Sequence[float] = outcomes.either(
            lambda: shares, lambda rng, trials: rng.multinomial(trials, np.array(shares) / sum(shares)).tolist()
        )
        for begins, number in outcomes.endings(enumerate(ways)):
            beginning = begun[number]
            if beginning.attacker is None:
                _enter_rout(begins, attacker, beginning)
                continue
            fought = fight(number)
            for ending, end in begins.endings(begins.either(fought.ends, fought.rolled)):
                fought.enter(ending, end, beginning)

    return OutcomeModel(describe, DICE_A_MODEL * (attacker.count + defender.count))


def _enter_rout(outcomes: Outcomes, attacker: Side, beginning: Beginning) -> None:
    """Nobody of the chargers is left to fight."""
    outcomes.add("p_lose", 1.0)
    outcomes.add("p_attacker_destroyed", 1.0)
    outcomes.add("p_destroyed", 0.0)
    outcomes.add(f"attacker_{_losses_of(Unit(attacker, '/attacker'))}", beginning.lost)
    outcomes.add("models_slain", 0, distribution=True)
    outcomes.add("attacker_models_slain", attacker.count, distribution=True)


def _losses_of(unit: Unit) -> str:
    """The metric of what a side loses."""
    return "hull_points_lost" if unit.is_vehicle else "wounds_lost"


def _crumbled(breaks: Values, left: int, rng: np.random.Generator, trials: int) -> Values:
    """Wounds that Daemons take in the trials in which they would break."""
    wounds = np.zeros(trials)
    wounds[breaks] = np.minimum(rng.integers(UNSTABLE[0], UNSTABLE[-1] + 1, int(breaks.sum())), left)
    return wounds
