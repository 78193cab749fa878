"""Two stored lists against each other: which lists and units are meant, and what they fight with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Literal, Protocol
from uuid import UUID

import msgspec
from msgspec import Meta

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import games, share_links
from armybuilder.armylists import queries as lists
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list
from armybuilder.armylists.shapes import shaped
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.matchups import Basis, Matchup

UNITS_OF_A_SIDE = 60
"""Units of one list in a matrix; 60 against 60, both ways, are 7,200 attacks."""

Save = Annotated[str, Meta(pattern=r"^[2-6]\+$")]


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The circumstances under which two lists meet. The attacker is the first list.

    Attributes:
        distance: inches between the units; decides range, half range and template reach.
        cover, attacker_cover: cover save of the defender, and of the attacker when he is shot at in return.
        moved, defender_moved: whether that side moved this turn.
        charge: whether the attacker charges in an assault; otherwise the fight has been going on.
        models_covered: models under a blast marker or template.
    """

    distance: Annotated[float, Meta(ge=0, le=400)] = 12
    cover: Save | None = None
    attacker_cover: Save | None = None
    moved: bool = False
    defender_moved: bool = False
    charge: bool = True
    facing: Literal["front", "side", "rear"] = "front"
    models_covered: Annotated[int, Meta(ge=1, le=100)] | None = None
    night_fighting: bool = False


class ListReference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the viewer's own lists, or one that was shared with him."""

    list: UUID | None = None
    share: Annotated[str, Meta(max_length=300)] | None = None


class MatrixRequest(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="matrix"
):
    """Every unit of one list against every unit of another, both ways."""

    attacker: ListReference
    defender: ListReference
    conditions: Conditions = Conditions()
    name: str | None = None


class PairRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="pair"):
    """One unit against one: shooting and assault with their whole distributions, both ways."""

    attacker: ListReference
    defender: ListReference
    attacker_unit: Annotated[str, Meta(max_length=100)]
    defender_unit: Annotated[str, Meta(max_length=100)]
    conditions: Conditions = Conditions()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Army:
    """A list that fights.

    Attributes:
        fighters: the game's own values (`fighters.Fighter`): unit, name, points, models, side, unknown.
    """

    name: str
    system: str
    fighters: tuple[Any, ...]


class Battlefield(Protocol):
    """The module `matrix` of a game: its fighters, its circumstances, and every pair of them."""

    Fighter: type[msgspec.Struct]
    Conditions: type[msgspec.Struct]

    def shooting_matrix(
        self,
        attackers: Sequence[Any],
        defenders: Sequence[Any],
        *,
        conditions: Any,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> Any:
        """Every pair exactly; cells are None where there is no attack."""

    def pair_request(
        self, attacker: Any, defender: Any, *, kind: str, conditions: Any, attacker_charged: bool = False
    ) -> Matchup:
        """The matchup document behind one pair."""


class FighterReader(Protocol):
    """The module `fighters` of a game."""

    def sides_from_roster(self, state: RosterState) -> tuple[Any, ...]:
        """The units of a roster with their profiles, weapons and rules."""


def battlefield(system: str) -> Battlefield:
    """How pairs of this game's units are resolved. Raises BadDocument for a game that cannot."""
    found: Battlefield | None = _module(system, "matrix")
    if found is None:
        raise BadDocument(f"Matchups of lists cannot be simulated for '{system}'.")
    return found


def rules_of(system: str) -> Callable[[Matchup, Basis], None]:
    """Enters into a basis which rules of a matchup document are in its numbers, without computing them."""
    report: Callable[[Matchup, Basis], None] = _module(system, "rules_in_play").report
    return report


@cache
def _module(system: str, name: str) -> Any:
    """A module of a game's rule pack; None when it has none of that name."""
    pack = games.rule_pack(system)
    if pack is None:
        return None
    module = f"{pack.army_type.__module__.rpartition('.')[0]}.{name}"
    return import_module(module) if find_spec(module) else None


def read_request(raw: Mapping[str, Any]) -> MatrixRequest | PairRequest:
    """Parsed JSON of kind matrix or pair. Raises BadDocument with the pointer."""
    return shaped(dict(raw), MatrixRequest | PairRequest)  # type: ignore[arg-type]


def army_of(viewer: Viewer, reference: ListReference, *, at: str) -> Army:
    """The army a reference leads to.

    Raises:
        BadDocument: neither or both of list and share, or a game whose units nobody can read.
        NotFound: a list the viewer may not see.
        LimitExceeded: more units than a matrix may have.
    """
    army_list = _referred(viewer, reference, at)
    system = army_list.system.rule_pack
    reader: FighterReader | None = _module(system, "fighters")
    if reader is None:
        raise BadDocument(f"Matchups of {army_list.system.name} cannot be simulated.", at)
    fighters = reader.sides_from_roster(check_army_list(army_list).state)
    if not fighters:
        raise BadDocument(f"“{army_list.name}” has no unit that fights.", at)
    if len(fighters) > UNITS_OF_A_SIDE:
        raise LimitExceeded(f"“{army_list.name}” has {len(fighters)} units; the limit is {UNITS_OF_A_SIDE}.", at)
    return Army(army_list.name, system, fighters)


def unit_of(army: Army, unit_id: str, *, at: str) -> Any:
    """One unit of an army. Raises NotFound."""
    found = next((fighter for fighter in army.fighters if fighter.unit == unit_id), None)
    if found is None:
        raise NotFound(f"“{army.name}” has no unit '{unit_id}' that fights ({at}).")
    return found


def _referred(viewer: Viewer, reference: ListReference, at: str) -> ArmyList:
    if (reference.list is None) == (reference.share is None):
        raise BadDocument("Name a list by exactly one of list (its id) and share (a share link).", at)
    if reference.list is not None:
        return lists.visible_army_list(reference.list, viewer)
    assert reference.share is not None
    token = share_links.token_in(reference.share)
    if token is None:
        raise BadDocument("This is no address of a shared list.", f"{at}/share")
    return lists.shared_army_list(token)
