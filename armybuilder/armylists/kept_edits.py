"""Edits that were made without a line and come later, all at once: made once, however often they are sent."""

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

import msgspec

from armybuilder.accounts import repeated_requests
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries, services
from armybuilder.armylists.edits import Edit
from armybuilder.armylists.reports import EditResult

LONGEST_KEY = 100


def apply_once(viewer: Viewer, list_id: UUID, edits: Sequence[Edit], *, key: str, expected_revision: int) -> EditResult:
    """Apply edits as one revision, all or none; where they have been made under this key, the list as it is now.

    Args:
        key: of the sender's own choice, for these edits; empty for edits that are sent but once.

    Raises:
        NotFound, RevisionConflict, EditRefused, TooLarge: as `services.apply_edits`; the key is free again.
        KeyInUse, KeyReused: the key is taken by edits that are being made, or by others.
    """
    if not key:
        return services.apply_edits(viewer, list_id, edits, expected_revision=expected_revision)
    key = f"kept {key[: LONGEST_KEY - 5]}"
    asked = sha256(str(list_id).encode() + msgspec.json.encode(edits)).hexdigest()
    if repeated_requests.begin(viewer, key, asked) is not None:
        row = queries.own_army_list(list_id, viewer)
        return EditResult(army_list=row, report=services.check_army_list(row), node_id=None, summary=None)
    try:
        result = services.apply_edits(viewer, list_id, edits, expected_revision=expected_revision)
    except BaseException:
        repeated_requests.forget(viewer, key)
        raise
    repeated_requests.keep(viewer, key, repeated_requests.KeptAnswer(200, {}, ""))
    return result
