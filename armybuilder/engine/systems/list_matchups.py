"""What every game's `combat/list_matchup.py` speaks of: units of two lists that meet, and what one does to another.

A game whose lists can be fought has there its `MatchupConditions`, the names of its attacks, every pair at once
(`effects`), and one pair as a document (`matchup`). The members of the conditions become fields of the matchup form;
their words are in the game's `words.toml`.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, Protocol, Self

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


class MatchupRules(Protocol):
    """The module `combat/list_matchup.py` of a game.

    Attributes:
        Fighter: the game's own `Combatant`, a Struct that can be stored.
        CONDITIONS: what a player states about the meeting.
        ATTACKS: attacks of one unit on another that are worked out for a pair, with their distributions.
        OCCASIONS: attacks that only some units can make, worked out for a pair where they can.
        MATRIX: those of them that are worked out for all pairs; the first is shown when nothing else is asked for.
    """

    @property
    def Fighter(self) -> type[Struct]: ...  # noqa: N802 - a class of the game's own

    @property
    def CONDITIONS(self) -> type[MatchupConditions]: ...  # noqa: N802 - a module holds it

    @property
    def ATTACKS(self) -> tuple[str, ...]: ...  # noqa: N802

    @property
    def OCCASIONS(self) -> tuple[str, ...]: ...  # noqa: N802

    @property
    def MATRIX(self) -> tuple[str, ...]: ...  # noqa: N802

    def effects(
        self, attack: str, attackers: Sequence[Any], defenders: Sequence[Any], *, conditions: Any, outgoing: bool = True
    ) -> Iterator[Sequence[Effect | None]]:
        """Every pair exactly, a row for each attacker when it is asked for; None where there is no attack.

        Args:
            outgoing: whether the attackers are the first list's, so that they moved when `moved` is stated.

        Raises:
            BadDocument: one of the pairs cannot be resolved.
        """

    def matchup(self, attack: str, attacker: Any, defender: Any, *, conditions: Any, outgoing: bool = True) -> Matchup:
        """The matchup document behind one pair. Raises NoAttack where there is none of that kind."""

    def note_rules(self, matchup: Any, basis: ModelNotes, /) -> None:
        """Enter which rules of a matchup document are in its numbers, without computing them."""


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
