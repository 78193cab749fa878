"""The edits a roster takes: one tagged Struct each, the same for the builder's forms and the API's JSON."""

from types import UnionType
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta

from armybuilder.armylists import limits
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text

Name = Annotated[str, Meta(max_length=limits.NAME_LENGTH)]
Notes = Annotated[str, Meta(max_length=limits.NOTES_LENGTH)]
NodeId = Annotated[str, Meta(min_length=1, max_length=100)]
EntryId = Annotated[str, Meta(min_length=1, max_length=400)]
Amount = Annotated[int, Meta(ge=0, le=limits.AMOUNT)]
PointsLimit = Annotated[int, Meta(ge=-limits.POINTS, le=limits.POINTS)]


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="edit"):
    """Something a player does with a list; `edit` names it in JSON.

    `{"edit": "set_amount", "selection_id": "…", "amount": 15}`. Each type of list has edits of its own, and refuses
    those of the others in words.
    """


class AddDetachment(Edit, frozen=True, kw_only=True, tag="add_detachment"):
    """Add a force: a detachment of the chart, filled from one catalogue.

    Attributes:
        parent_id: node of the force it stands under; None for the list itself.
    """

    force_entry_id: EntryId
    catalogue_id: EntryId
    parent_id: NodeId | None = None


class AddUnit(Edit, frozen=True, kw_only=True, tag="add_unit"):
    """Add a unit to a detachment, with what its entry brings along.

    Attributes:
        force_id: node of the detachment.
        entry_id: full path of the entry, as the offers name it.
        amount: models or copies; None takes what the entry starts with.
    """

    force_id: NodeId
    entry_id: EntryId
    amount: Amount | None = None


class Select(Edit, frozen=True, kw_only=True, tag="select"):
    """Take an option under a unit or another selection; in a group of which one may be taken it replaces the other."""

    parent_id: NodeId
    entry_id: EntryId
    amount: Amount | None = None


class Deselect(Edit, frozen=True, kw_only=True, tag="deselect"):
    """Give one selection back: one of it, if it is counted."""

    selection_id: NodeId


class SetAmount(Edit, frozen=True, kw_only=True, tag="set_amount"):
    """Say how many of a selection there are; 0 removes it."""

    selection_id: NodeId
    amount: Amount


class SetOptionAmount(Edit, frozen=True, kw_only=True, tag="set_option_amount"):
    """Say how many of an offered option its parent has, whatever is selected now; what a number field sends."""

    parent_id: NodeId
    entry_id: EntryId
    amount: Amount


class Remove(Edit, frozen=True, kw_only=True, tag="remove"):
    """Remove a detachment, a unit or an option with everything under it."""

    node_id: NodeId


class Duplicate(Edit, frozen=True, kw_only=True, tag="duplicate"):
    """Copy a unit or detachment beside itself."""

    node_id: NodeId


class Move(Edit, frozen=True, kw_only=True, tag="move"):
    """Put a unit into another detachment of the same catalogue, or to another place of its own.

    Attributes:
        before: the unit of that detachment before which it shall stand; None puts it last. Units keep to their
            roles; a detachment whose units were put into an order once keeps that order from then on.
    """

    node_id: NodeId
    force_id: NodeId
    before: NodeId | None = None


class SetOwnUnit(Edit, frozen=True, kw_only=True, tag="set_own_unit"):
    """Add a unit that the data does not have, or say anew what one is; `remove` takes it away.

    Attributes:
        node_id: of the unit; None adds one.
        force_id: node of the detachment.
        role: id of its category in that detachment; empty for none.
        points: of the whole unit.
        profile: characteristics of its models, name and value.
    """

    force_id: NodeId
    name: Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH, pattern=r"\S")]
    node_id: NodeId | None = None
    role: Annotated[str, Meta(max_length=400)] = ""
    points: Annotated[int, Meta(ge=0, le=100_000)] = 0
    models: Annotated[int, Meta(ge=1, le=1_000)] = 1
    profile: Annotated[
        tuple[tuple[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=200)]], ...],
        Meta(max_length=40),
    ] = ()
    notes: Annotated[str, Meta(max_length=2_000)] = ""


class Rename(Edit, frozen=True, kw_only=True, tag="rename"):
    """Give a detachment or selection a name of its own; an empty one takes the data's name again."""

    node_id: NodeId
    name: Name


class SetNotes(Edit, frozen=True, kw_only=True, tag="set_notes"):
    """Write notes on a node, or on the list when `node_id` is None."""

    notes: Notes
    node_id: NodeId | None = None


class SetName(Edit, frozen=True, kw_only=True, tag="set_name"):
    """Rename the list."""

    name: Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)]


class SetPointsLimit(Edit, frozen=True, kw_only=True, tag="set_points_limit"):
    """Agree on another points limit; None takes it away."""

    points_limit: PointsLimit | None


class SetFacts(Edit, frozen=True, kw_only=True, tag="set_facts"):
    """State facts of the whole list that game data does not hold; a fact set to None is taken back.

    The names are those of the game's `Facts` (Horus Heresy: allegiance, play_mode, warlord_trait, opponent…).
    """

    facts: dict[str, Any]


class SetUnitFacts(Edit, frozen=True, kw_only=True, tag="set_unit_facts"):
    """State facts of one unit (deployment, joined_to, embarked_in, psychic_disciplines…); None takes one back."""

    node_id: NodeId
    facts: dict[str, Any]


class SetWarlord(Edit, frozen=True, kw_only=True, tag="set_warlord"):
    """Name the warlord and the trait; both None leave the list without one."""

    node_id: NodeId | None
    trait: Name | None = None


RosterEdit = (
    AddDetachment
    | AddUnit
    | Select
    | Deselect
    | SetAmount
    | SetOptionAmount
    | Remove
    | Duplicate
    | Move
    | SetOwnUnit
    | Rename
    | SetNotes
    | SetName
    | SetPointsLimit
    | SetFacts
    | SetUnitFacts
    | SetWarlord
)
"""Every edit a roster takes; heroes take two of them, and `heroes.edits` has theirs."""


def parse_edits(raw: object, accepted: UnionType) -> tuple[Edit, ...]:
    """Parsed JSON as edits: one edit, a list of them, or `{"edits": [...]}`.

    Args:
        accepted: the edits it may be, as `heroes.edits.AnyEdit`.

    Raises:
        EditRefused: unknown edit, a missing or unknown member, a value of the wrong shape; with its pointer.
        TooLarge: more edits at once than allowed.
    """
    single = isinstance(raw, dict) and "edit" in raw
    at = ""
    if isinstance(raw, dict) and not single and set(raw) == {"edits"}:
        raw, at = raw["edits"], "/edits"
    rows = [raw] if single else raw
    if not isinstance(rows, list) or not rows:
        raise EditRefused(
            Text(
                en="An edit is an object with the member edit, or a list of such objects.",
                ru="Правка – это объект с полем edit или список таких объектов.",
            ),
            at,
        )
    if len(rows) > limits.EDITS_AT_ONCE:
        raise TooLarge(
            Text(
                en=f"{len(rows)} edits at once are too many; {limits.EDITS_AT_ONCE} are allowed.",
                ru=f"Слишком много правок сразу: {len(rows)}; допускается {limits.EDITS_AT_ONCE}.",
            ),
            at,
        )
    edits: list[Edit] = []
    for index, row in enumerate(rows):
        try:
            edits.append(shaped(row, cast(type[Edit], accepted), at="" if single else f"{at}/{index}"))
        except BadDocument as error:
            raise EditRefused(Text(en=error.message, ru=error.russian or error.message), error.at) from error
    return tuple(edits)
