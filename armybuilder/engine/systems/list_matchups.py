"""What every game's `combat/list_matchup.py` speaks of: units of two lists that meet, and what one does to another.

A game whose lists can be fought has there its `MatchupConditions` and its `MatchupRules`. The members of the conditions
become fields of the matchup form; their words are in the game's `words.toml`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, Protocol, Self, TypeVar

import msgspec
import numpy as np
from msgspec import Meta, Struct

from armybuilder.engine.combat.sampling import Ledger
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.matchups import Matchup, ModelNotes, Run, SimulationTypes

SaveValue = Literal["6+", "5+", "4+", "3+", "2+"]
"""A save as players choose it."""

Models = Annotated[int, Meta(ge=1, le=100)]
"""Models or units under a marker or template."""

TRIALS_INSTEAD = 4_000
"""Rolls of a cell for which the exact method has too much to follow."""


class NoAttack(BadDocument):
    """One unit cannot attack the other in this way; `reason` says why, to players."""

    def __init__(self, reason: Text, at: str | None = None) -> None:
        super().__init__(reason.en, at)
        self.reason = reason


NOTHING_TO_FIRE = Text(
    "no weapon reaches the target from there and can hurt it",
    "ни одно оружие не достаёт оттуда до цели так, чтобы навредить ей",
)


class MatchupConditions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Circumstances under which two lists meet, as far as a player can state them; the attacker is the first list.

    What is stated of each side apart are two members, one of them named for its side: `cover` of the defender and
    `attacker_cover`, `moved` of the attacker and `defender_moved`.
    """

    def seen_by_second(self) -> Self:
        """The same for an attack of the second list on the first: what is stated of each side changes places."""
        changed: dict[str, Any] = {}
        for name in self.__struct_fields__:
            other = name.removeprefix("attacker_").removeprefix("defender_")
            if other != name and other in self.__struct_fields__:
                changed |= {name: getattr(self, other), other: getattr(self, name)}
        return msgspec.structs.replace(self, **changed)


class Effect(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one unit does to another in one attack.

    Attributes:
        models_slain: expected number of models (Epic: units) removed.
        hull_points_lost: expected, where the target has them.
        wounds_lost: expected, where most models of the target have several.
        damage_lost: expected points of damage capacity, where the target has it (Epic).
        points_destroyed: the share of the target's price that goes with the slain.
        p_destroyed: chance that nothing of the target is left.
        p_broken: chance that the target breaks or flees but is not destroyed, where the game knows such a state.
        weapons: names of the weapons that are used.
        sampled: the figures come from a few thousand rolls, as the exact method would have too much to follow.
    """

    models_slain: float = 0.0
    hull_points_lost: float | None = None
    wounds_lost: float | None = None
    damage_lost: float | None = None
    points_destroyed: float = 0.0
    p_destroyed: float = 0.0
    p_broken: float | None = None
    weapons: tuple[str, ...] = ()
    sampled: bool = False

    @classmethod
    def on(
        cls,
        defender: "Combatant",
        metrics: Mapping[str, float],
        slain: float,
        *,
        hull_points_lost: float | None = None,
        wounds_lost: float | None = None,
        weapons: tuple[str, ...] = (),
        sampled: bool = False,
    ) -> Self:
        """What the metrics of a document say of its defender, of whom so many models are slain."""
        return cls(
            models_slain=slain,
            hull_points_lost=hull_points_lost,
            wounds_lost=wounds_lost,
            points_destroyed=price_of(slain, defender),
            p_destroyed=metrics.get("p_destroyed", 0.0),
            p_broken=metrics.get("p_defender_breaks"),
            weapons=weapons,
            sampled=sampled,
        )


EffectRows = Iterator[Sequence[Effect | None]]
"""A row for each attacker, an effect for each defender; None where there is no attack."""


class Combatant(Protocol):
    """A unit of a list, ready to fight: what every game's `Fighter` tells of itself.

    Attributes:
        unit: id of its selection in the roster.
        points: what it costs.
        models: how many there are.
        unknown: special rules and wargear that no simulation understands, as the data writes them.
    """

    @property
    def unit(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def points(self) -> Decimal: ...

    @property
    def models(self) -> int: ...

    @property
    def unknown(self) -> tuple[str, ...]: ...


def price_of(models: float, unit: Combatant) -> float:
    """The share of a unit's price that goes with so many of its models."""
    return models / max(1, unit.models) * float(unit.points)


F = TypeVar("F", bound=Combatant)
C = TypeVar("C", bound=MatchupConditions)


def as_attackers_see(conditions: C, outgoing: bool) -> C:
    """The conditions of an attack; `outgoing`: the attackers are the first list's."""
    return conditions if outgoing else conditions.seen_by_second()


def pair_by_pair(
    effect: Callable[[str, F, F, C], Effect],
) -> Callable[[str, Sequence[F], Sequence[F], C], EffectRows]:
    """The rows of a game that works every pair out by itself; BadDocument is no attack."""

    def cell(attack: str, attacker: F, defender: F, seen: C) -> Effect | None:
        try:
            return effect(attack, attacker, defender, seen)
        except BadDocument:
            return None

    def rows(attack: str, attackers: Sequence[F], defenders: Sequence[F], seen: C) -> EffectRows:
        for attacker in attackers:
            yield [cell(attack, attacker, defender, seen) for defender in defenders]

    return rows


@dataclass(frozen=True)
class MatchupRules(Generic[F, C]):
    """How units of two lists meet in a game.

    Attributes:
        fighter: the game's own `Combatant`, a Struct that can be stored.
        conditions: what a player states about the meeting.
        attacks: of one unit on another that are worked out for a pair, with their distributions.
        matrix: those of them that are worked out for all pairs; the first is shown when nothing else is asked for.
        rows: every pair, a row for each attacker when it is asked for, under conditions as the attackers see them.
        request: the matchup document behind one pair, likewise.
        note_rules: enters which rules of a matchup document are in its numbers, without computing them.
        occasions: attacks that only some units can make, worked out for a pair where they can.
        seen: how attackers of either list see what is stated.
    """

    fighter: type[F]
    conditions: type[C]
    attacks: tuple[str, ...]
    matrix: tuple[str, ...]
    rows: Callable[[str, Sequence[F], Sequence[F], C], EffectRows]
    request: Callable[[str, F, F, C], Matchup]
    note_rules: Callable[[Any, ModelNotes], None]
    occasions: tuple[str, ...] = ()
    seen: Callable[[C, bool], C] = as_attackers_see

    def effects(
        self, attack: str, attackers: Sequence[F], defenders: Sequence[F], *, conditions: C, outgoing: bool = True
    ) -> EffectRows:
        """Every pair exactly; with dice where the exact method has too much to follow.

        Args:
            outgoing: whether the attackers are the first list's, so that they moved when `moved` is stated.

        Raises:
            BadDocument: one of the pairs cannot be resolved.
        """
        return self.rows(attack, attackers, defenders, self.seen(conditions, outgoing))

    def matchup(self, attack: str, attacker: F, defender: F, *, conditions: C, outgoing: bool = True) -> Matchup:
        """The matchup document behind one pair. Raises NoAttack where there is none of that kind."""
        return self.request(attack, attacker, defender, self.seen(conditions, outgoing))


def metrics_of(document: Matchup, simulations: SimulationTypes) -> tuple[dict[str, float], bool]:
    """The figures of a document for one cell, and whether they were rolled as there is too much to follow exactly.

    Args:
        simulations: of the document's game.

    Raises:
        BadDocument: it cannot be resolved.
    """
    kind = simulations[document.kind]
    try:
        return kind.exact(document, ModelNotes()).metrics, False
    except LimitExceeded:
        if kind.sampled is None:
            raise
        ledger = Ledger()
        kind.sampled(document, ModelNotes(), Run(TRIALS_INSTEAD, np.random.default_rng(0)), ledger)
        return dict(ledger.means), True
