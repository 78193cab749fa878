"""Two stored lists against each other: which lists and units are meant, and what they fight with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any
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
from armybuilder.engine.systems.matchups import Basis, Matchup
from armybuilder.engine.systems.meetings import Battlefield, Combatant, FighterReader, Stated

UNITS_OF_A_SIDE = 60
"""Units of one list in a matrix; 60 against 60, both ways, are 7,200 attacks."""


class ListReference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the viewer's own lists, or one that was shared with him."""

    list: UUID | None = None
    share: Annotated[str, Meta(max_length=300)] | None = None


class MatrixRequest(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="matrix"
):
    """Every unit of one list against every unit of another, both ways.

    Attributes:
        system: the game that the conditions are meant for; lists of another are refused.
        attack: which attack of the game is worked out, e.g. shooting; by default its first.
        conditions: the circumstances, as the game of the lists knows them.
    """

    attacker: ListReference
    defender: ListReference
    system: str | None = None
    attack: Annotated[str, Meta(max_length=100)] | None = None
    conditions: dict[str, Any] = {}
    name: str | None = None


class PairRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="pair"):
    """One unit against one: every attack of the game with its whole distribution, both ways.

    Attributes:
        system: the game that the conditions are meant for; lists of another are refused.
        conditions: the circumstances, as the game of the lists knows them.
    """

    attacker: ListReference
    defender: ListReference
    attacker_unit: Annotated[str, Meta(max_length=100)]
    defender_unit: Annotated[str, Meta(max_length=100)]
    system: str | None = None
    conditions: dict[str, Any] = {}
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Army:
    """A list that fights.

    Attributes:
        fighters: the game's own values (`fighters.Fighter`).
    """

    name: str
    system: str
    fighters: tuple[Combatant, ...]


def battlefield(system: str) -> Battlefield:
    """How pairs of this game's units are resolved. Raises BadDocument for a game that cannot."""
    found: Battlefield | None = _module(system, "meeting")
    if found is None:
        raise BadDocument(f"Matchups of lists cannot be simulated for '{system}'.")
    return found


def fights(system: str) -> bool:
    """Whether lists of this game can be fought."""
    return _module(system, "meeting") is not None and _module(system, "fighters") is not None


def attack_of(system: str, attack: str | None, *, at: str) -> str:
    """The attack of a matrix, by default the game's first. Raises BadDocument for one it does not have."""
    known = battlefield(system).MATRIX
    if attack is not None and attack not in known:
        raise BadDocument(f"A matrix of this game shows {' or '.join(known)}, not '{attack}'.", at)
    return attack or known[0]


def circumstances_of(system: str, given: Mapping[str, Any], *, at: str) -> Stated:
    """Circumstances as the game knows them. Raises BadDocument with the pointer of what it does not."""
    return shaped(dict(given), battlefield(system).Circumstances, at=at)


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


def game_of(viewer: Viewer, reference: ListReference) -> str:
    """The rule pack of a list, empty for a game without. Raises NotFound or BadDocument as `army_of` does."""
    return _referred(viewer, reference, "").system.rule_pack


def unit_of(army: Army, unit_id: str, *, at: str) -> Combatant:
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
