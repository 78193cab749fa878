"""What the services of stored lists refuse, each with a public code."""

from armybuilder.engine.errors import BadDocument, GameError


class NotFound(GameError):
    """There is no such thing, or the viewer may not know that there is."""

    code = "not-found"


class RevisionConflict(GameError):
    """The list was changed elsewhere since it was read; nothing was written.

    Args:
        current_revision: the number the list has now.
    """

    code = "revision-conflict"

    def __init__(self, current_revision: int) -> None:
        super().__init__(
            f"The list was changed elsewhere and is now at revision {current_revision}. "
            "Nothing was written; reload it and try again."
        )
        self.current_revision = current_revision


class EditRefused(BadDocument):
    """An edit that names something the list or its game data does not have, or a value that cannot be.

    Args:
        message: what is wrong, in a sentence.
        at: JSON pointer into the edit.
    """

    code = "edit-refused"


class NothingToUndo(GameError):
    """The list is at its first state; there is nothing before it."""

    code = "nothing-to-undo"


class NothingToRedo(GameError):
    """Nothing was undone since the last edit."""

    code = "nothing-to-redo"
