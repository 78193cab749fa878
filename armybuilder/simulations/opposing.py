"""Two stored lists against each other: which lists and units are meant, and what they fight with."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Literal, Protocol
from uuid import UUID

import msgspec
from msgspec import Meta

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import checking, games, share_links
from armybuilder.armylists import queries as lists
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.shapes import shaped
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.roster.state import RosterState

UNITS_OF_A_SIDE = 60
"""Units of one list in a matrix; 60 against 60, both ways, are 7,200 attacks."""

Save = Annotated[str, Meta(pattern=r"^[2-6]\+$")]


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
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


class Combatant(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a list as it fights.

    Attributes:
        id: node of the unit in its list.
        side: a side of the game's matchup documents, as plain values.
        unknown: rules and wargear that were not understood.
    """

    id: str
    name: str
    points: float
    side: dict[str, Any]
    unknown: tuple[str, ...] = ()

    @property
    def models(self) -> int:
        """How many models it has."""
        return sum(group.get("count", 1) for group in self.side.get("models", ()))


@dataclass(frozen=True, slots=True)
class Army:
    """A list that fights."""

    name: str
    system: str
    combatants: tuple[Combatant, ...]


class FighterReader(Protocol):
    """The module `fighters` of a game."""

    def sides_from_roster(self, state: RosterState) -> Any:
        """The units of a roster with their profiles, weapons and rules."""


@cache
def fighter_reader(rule_pack: str) -> FighterReader | None:
    """How this game's units are read from a roster; None when its pack does not say."""
    pack = games.rule_pack(rule_pack)
    if pack is None:
        return None
    module = f"{pack.army_type.__module__.rpartition('.')[0]}.fighters"
    return import_module(module) if find_spec(module) else None  # type: ignore[return-value]


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
    reader = fighter_reader(army_list.system.rule_pack)
    if reader is None:
        raise BadDocument(f"Matchups of {army_list.system.name} cannot be simulated.", at)
    fighters = reader.sides_from_roster(checking.state_of(army_list))
    combatants = tuple(
        Combatant(
            id=fighter.unit,
            name=fighter.name,
            points=float(fighter.points),
            side=msgspec.to_builtins(fighter.side),
            unknown=tuple(fighter.unknown),
        )
        for fighter in fighters
    )
    if len(combatants) > UNITS_OF_A_SIDE:
        raise LimitExceeded(f"“{army_list.name}” has {len(combatants)} units; the limit is {UNITS_OF_A_SIDE}.", at)
    return Army(army_list.name, army_list.system.rule_pack, combatants)


def unit_of(army: Army, unit_id: str, *, at: str) -> Combatant:
    """One unit of an army. Raises NotFound."""
    found = next((combatant for combatant in army.combatants if combatant.id == unit_id), None)
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
