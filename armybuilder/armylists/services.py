"""Writes to stored lists: each checks the viewer, takes one transaction, and refuses rather than overwrites."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.edits import Edit
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.reports import EditResult, ListReport


def create_army_list(
    viewer: Viewer,
    *,
    system_id: str,
    name: str,
    catalogue_id: str,
    points_limit: int | None = None,
    allegiance: str | None = None,
    force_entry_id: str | None = None,
    allied_catalogue_id: str | None = None,
    folder: str = "",
) -> ArmyList:
    """A new list with its Primary Detachment (or `force_entry_id`), and an Allied one if a catalogue for it is given.

    Raises:
        NotFound: no such published system.
        EditRefused: unknown catalogue or force entry, with a pointer to the argument.
        LimitExceeded: the viewer has as many lists as one may have.
    """
    raise NotImplementedError


def apply_edit(viewer: Viewer, list_id: UUID, edit: Edit, *, expected_revision: int) -> EditResult:
    """One edit as one revision; see `apply_edits`."""
    return apply_edits(viewer, list_id, (edit,), expected_revision=expected_revision)


def apply_edits(viewer: Viewer, list_id: UUID, edits: Sequence[Edit], *, expected_revision: int) -> EditResult:
    """Apply edits in their order as one revision, all or none.

    Raises:
        NotFound: no such list, or not the viewer's own.
        RevisionConflict: the list is no longer at `expected_revision`.
        EditRefused: an edit names what does not exist, or cannot be carried out.
        LimitExceeded: the list would become larger than allowed.
    """
    raise NotImplementedError


def undo(viewer: Viewer, list_id: UUID, *, expected_revision: int) -> EditResult:
    """Go back to the state before the present one, as a new revision. Raises NothingToUndo at the first."""
    raise NotImplementedError


def redo(viewer: Viewer, list_id: UUID, *, expected_revision: int) -> EditResult:
    """Take back the last undo, as a new revision. Raises NothingToRedo when an edit came since."""
    raise NotImplementedError


def restore_revision(viewer: Viewer, list_id: UUID, number: int, *, expected_revision: int) -> EditResult:
    """Make an earlier revision the present one, as a new revision."""
    raise NotImplementedError


def file_army_list(
    viewer: Viewer, list_id: UUID, *, folder: str | None = None, tags: Sequence[str] | None = None
) -> ArmyList:
    """Put a list into a folder or give it tags; no revision, as the list itself stays as it is."""
    raise NotImplementedError


def duplicate_list(viewer: Viewer, list_id: UUID, *, name: str | None = None) -> ArmyList:
    """A copy of one's own list."""
    raise NotImplementedError


def copy_shared(viewer: Viewer, token: str) -> ArmyList:
    """A copy of a shared list for the viewer, with a history of its own."""
    raise NotImplementedError


def delete_army_list(viewer: Viewer, list_id: UUID, *, expected_revision: int | None = None) -> None:
    """Put a list into the bin; its share links stop leading anywhere until it is restored."""
    raise NotImplementedError


def restore_army_list(viewer: Viewer, list_id: UUID) -> ArmyList:
    """Take a list out of the bin."""
    raise NotImplementedError


def publish_share_link(viewer: Viewer, list_id: UUID, *, expires: datetime | None = None) -> ShareLink:
    """A new secret address under which anybody may read the list."""
    raise NotImplementedError


def revoke_share_link(viewer: Viewer, list_id: UUID, token: str) -> ShareLink:
    """Close a share link for good."""
    raise NotImplementedError


def claim_guest_lists(user: User, guest_key: UUID) -> int:
    """Give a guest's lists to the account he has signed up for; how many there were."""
    raise NotImplementedError


def check_army_list(army_list: ArmyList) -> ListReport:
    """The verdict on a list with its findings; refreshes the points and verdict kept on the row."""
    raise NotImplementedError
