"""Who meets whom: stored lists, single targets, and what they fight with."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries as lists
from armybuilder.armylists import share_links
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.game import GAMES, has_matchups, matchup_rules_of
from armybuilder.engine.systems.list_matchups import Combatant, MatchupConditions
from armybuilder.simulations.armies import Army
from armybuilder.simulations.errors import CannotBeAsked, TooMuchAsked
from armybuilder.simulations.targets import army_of_saved_target, army_of_standard_target, army_of_target

UNITS_OF_A_SIDE = 60
"""Units of one list in a matrix; 60 against 60, both ways, are 7,200 attacks."""

TARGETS = 12
"""Targets of one question about an option."""

UnitId = Annotated[str, Meta(max_length=100)]


class ListReference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the viewer's own lists, or one that was shared with him."""

    list: UUID | None = None
    share: Annotated[str, Meta(max_length=300)] | None = None


class CustomTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit described in the question itself.

    Attributes:
        system: its game, by the name of the rule pack.
        side: the unit as a side of that game's matchup documents.
        points: what it is worth.
    """

    system: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(min_length=1, max_length=120)]
    side: dict[str, Any]
    points: Annotated[float, Meta(ge=0, le=100_000)] = 0


class ArmyReference(ListReference, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list, or a single unit that belongs to none; exactly one of the members is given.

    Attributes:
        target: a target the viewer has saved.
        standard: one of the game's yardsticks, e.g. horus-heresy/power-armour.
    """

    target: UUID | None = None
    standard: Annotated[str, Meta(max_length=100)] | None = None
    custom: CustomTarget | None = None


class UnitReference(ArmyReference, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One unit of a list, or a unit that belongs to none.

    Attributes:
        unit: node of the unit in its list; not needed where there is only one.
    """

    unit: UnitId | None = None


class MatrixRequest(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="matrix"
):
    """Every unit of one list against every unit of another, both ways.

    Attributes:
        system: the game that the conditions are meant for; lists of another are refused.
        attack: which attack of the game is worked out, e.g. shooting; by default its first.
        conditions: the circumstances, as the game of the lists knows them.
    """

    attacker: ArmyReference
    defender: ArmyReference
    system: str | None = None
    attack: Annotated[str, Meta(max_length=100)] | None = None
    conditions: dict[str, Any] = {}
    name: str | None = None


class PairRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="pair"):
    """One unit against one: every attack of the game with its whole distribution, both ways.

    Attributes:
        attacker_unit, defender_unit: node of the unit in its list; not needed where there is only one.
        system: the game that the conditions are meant for; lists of another are refused.
        conditions: the circumstances, as the game of the lists knows them.
    """

    attacker: ArmyReference
    defender: ArmyReference
    attacker_unit: UnitId | None = None
    defender_unit: UnitId | None = None
    system: str | None = None
    conditions: dict[str, Any] = {}
    name: str | None = None


class OptionOfUnit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that can be taken: an offered entry under a unit or another selection.

    Attributes:
        parent_id: node it stands under.
        entry_id: full path of the entry, as the offers name it.
        more: so many more of a counted entry, against the list as it stands; without it all of them against none.
    """

    parent_id: e.NodeId
    entry_id: e.EntryId
    more: Annotated[int, Meta(ge=1, le=100)] | None = None


class UpgradeRequest(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="upgrade"
):
    """What an option buys: one unit without it and with it, against the same targets. The list stays as it is.

    Attributes:
        army: the list the unit stands in.
        unit: node of the unit in its list; by default the one that fights differently.
        option: compares the unit without it and with it, whichever of the two the list has now.
        edits: instead of an option, as the edits of a list take them: compares the list as it is with what it would
            be after them.
        conditions: the circumstances, as the game of the list knows them.
    """

    army: ListReference
    unit: UnitId | None = None
    targets: Annotated[tuple[UnitReference, ...], Meta(min_length=1, max_length=TARGETS)]
    option: OptionOfUnit | None = None
    edits: Annotated[tuple[dict[str, Any], ...], Meta(max_length=50)] = ()
    conditions: dict[str, Any] = {}
    name: str | None = None


def read_request(raw: Mapping[str, Any]) -> MatrixRequest | PairRequest | UpgradeRequest:
    """Parsed JSON of kind matrix, pair or upgrade, without its `x-` members. Raises BadDocument with the pointer."""
    known = {name: value for name, value in raw.items() if not name.startswith("x-")}
    return shaped(known, MatrixRequest | PairRequest | UpgradeRequest)  # type: ignore[arg-type]


def army_of(viewer: Viewer, reference: ListReference, *, at: str) -> Army:
    """The army a reference leads to: that of a list, or a single target.

    Raises:
        BadDocument: not exactly one member is given, or a game whose units nobody can read.
        NotFound: a list or target the viewer may not see.
        LimitExceeded: more units than a matrix may have.
    """
    if isinstance(reference, ArmyReference):
        _refuse_several(reference, at)
        if reference.target is not None:
            return army_of_saved_target(viewer, reference.target)
        if reference.standard is not None:
            return army_of_standard_target(reference.standard, at=f"{at}/standard")
        if reference.custom is not None:
            own, points = reference.custom, Decimal(str(reference.custom.points))
            return army_of_target(own.system, name=own.name, points=points, side=own.side, at=f"{at}/custom")
    army_list = referred_list(viewer, reference, at)
    report = check_army_list(army_list)
    return army_in(army_list, report.state, at=at, facts=report.facts)


def army_in(army_list: ArmyList, state: RosterState, *, at: str, facts: Mapping[str, Any] | None = None) -> Army:
    """What fights in a state of a list. Raises BadDocument or LimitExceeded as `army_of` does.

    Args:
        facts: of the list, where characters are to fight in the units they have joined.
    """
    system = army_list.system.rule_pack
    reader = GAMES[system].roster if has_matchups(system) else None
    if reader is None:
        raise CannotBeAsked(
            Text(
                f"Matchups of {army_list.system.name} cannot be simulated.",
                "Столкновения ростеров этой игры рассчитать нельзя.",
            ),
            at,
        )
    fighters = tuple(reader.fighters(state))
    if facts is not None and reader.attached is not None:
        fighters = tuple(reader.attached(fighters, state, facts))
    if not fighters:
        raise CannotBeAsked(
            Text(f"“{army_list.name}” has no unit that fights.", f"В ростере «{army_list.name}» сражаться некому."), at
        )
    if len(fighters) > UNITS_OF_A_SIDE:
        raise TooMuchAsked(
            Text(
                f"“{army_list.name}” has {len(fighters)} units; the limit is {UNITS_OF_A_SIDE}.",
                f"В ростере «{army_list.name}» отрядов: {len(fighters)}; можно не больше {UNITS_OF_A_SIDE}.",
            ),
            at,
        )
    absent = tuple(reader.without_fighters(state)) if reader.without_fighters is not None else ()
    return Army(army_list.name, system, fighters, absent)


def attack_of(system: str, attack: str | None, *, at: str) -> str:
    """The attack of a matrix, by default the game's first. Raises BadDocument for one it does not have."""
    known = matchup_rules_of(system).matrix
    if attack is not None and attack not in known:
        raise BadDocument(f"A matrix of this game shows {' or '.join(known)}, not '{attack}'.", at)
    return attack or known[0]


def conditions_of(system: str, given: Mapping[str, Any], *, at: str) -> MatchupConditions:
    """Circumstances as the game knows them. Raises BadDocument with the pointer of what it does not."""
    return shaped(dict(given), matchup_rules_of(system).conditions, at=at)


def game_of(viewer: Viewer, reference: ListReference) -> str:
    """The rule pack of a list, empty for a game without. Raises NotFound or BadDocument as `army_of` does."""
    return referred_list(viewer, reference, "").system.rule_pack


def unit_of(army: Army, unit_id: str | None, *, at: str) -> Combatant:
    """One unit of an army; of an army of one it need not be named. Raises NotFound, or BadDocument for none named."""
    if unit_id is None:
        if len(army.fighters) > 1:
            raise BadDocument(f"Say which unit of “{army.name}” is meant; it has {len(army.fighters)}.", at)
        return army.fighters[0]
    found = next((fighter for fighter in army.fighters if fighter.unit == unit_id), None)
    if found is None:
        raise NotFound(f"“{army.name}” has no unit '{unit_id}' that fights ({at}).")
    return found


def referred_list(viewer: Viewer, reference: ListReference, at: str) -> ArmyList:
    """The stored list a reference leads to. Raises NotFound or BadDocument."""
    if (reference.list is None) == (reference.share is None):
        raise BadDocument("Name a list by exactly one of list (its id) and share (a share link).", at)
    if reference.list is not None:
        return lists.visible_army_list(reference.list, viewer)
    assert reference.share is not None
    token = share_links.token_in(reference.share)
    if token is None:
        raise BadDocument("This is no address of a shared list.", f"{at}/share")
    return lists.shared_army_list(token)


def _refuse_several(reference: ArmyReference, at: str) -> None:
    members = (reference.list, reference.share, reference.target, reference.standard, reference.custom)
    if sum(member is not None for member in members) != 1:
        raise BadDocument("Name exactly one of list, share, target, standard and custom.", at)
