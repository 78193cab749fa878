"""What became of a list since a page of it was made: shown beside an edit that came too late."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from armybuilder.armylists.comparison import Comparison, compared
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.queries import army_list_at

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """From the state a page was made of to the present one."""

    before: int
    after: int
    comparison: Comparison


def changed_since(army_list: ArmyList, fields: Mapping[str, object]) -> ChangesSince | None:
    """What changed since the `revision` that a form was sent with; None where that state is not known."""
    text = str(fields.get("revision") or "")
    if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) >= army_list.revision:
        return None
    try:
        before = army_list_at(copy(army_list), int(text))
    except NotFound:
        return None
    return ChangesSince(
        before=before.revision,
        after=army_list.revision,
        comparison=compared(plain_sheet_of(before), plain_sheet_of(army_list)),
    )
