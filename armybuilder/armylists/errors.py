"""What the services of stored lists refuse, each with a public code and words in both languages."""

from armybuilder.accounts.errors import NotFound
from armybuilder.engine.errors import BadDocument, GameError, LimitExceeded
from armybuilder.engine.findings import Text

__all__ = [
    "EditRefused",
    "FileRefused",
    "NoSharedList",
    "NotFound",
    "NothingToRedo",
    "NothingToUndo",
    "PressBusy",
    "RepairsBusy",
    "RevisionConflict",
    "TooLarge",
]


class RevisionConflict(GameError):
    """The list was changed elsewhere since it was read; nothing was written.

    Args:
        current_revision: the number the list has now.
    """

    code = "revision-conflict"

    def __init__(self, current_revision: int) -> None:
        self.current_revision = current_revision
        self.text = Text(
            en=f"The list was changed elsewhere and is now at revision {current_revision}. "
            "Nothing was written: look at its present state, then make the change again.",
            ru=f"Ростер изменён в другом месте, теперь это редакция {current_revision}. "
            "Ничего не записано: посмотрите, каким он стал, и внесите правку ещё раз.",
        )
        super().__init__(self.text.en)


class EditRefused(BadDocument):
    """An edit that names something the list or its game data does not have, or a value that cannot be.

    Args:
        text: what is wrong and what to do.
        at: JSON pointer into the edit.
    """

    code = "edit-refused"

    def __init__(self, text: Text, at: str | None = None) -> None:
        super().__init__(text.en, at)
        self.text = text


class FileRefused(EditRefused):
    """A file that is no list; the text says what it looks like and what is taken."""

    code = "unreadable-file"


class TooLarge(LimitExceeded):
    """Beyond what one list, or one player, may store.

    Args:
        text: what is too large, how large it is and may be.
        at: JSON pointer into what was sent.
    """

    def __init__(self, text: Text, at: str | None = None) -> None:
        super().__init__(text.en, at)
        self.text = text


class NoSharedList(NotFound):
    """A share link that leads nowhere; whether there ever was a list is not told."""

    text = Text(
        en="This link does not lead to a list: it is mistyped, expired or revoked.",
        ru="Эта ссылка не ведёт к ростеру: в ней опечатка, её срок вышел, или её отозвали.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class NothingToUndo(GameError):
    """The list is at its first state; there is nothing before it."""

    code = "nothing-to-undo"
    text = Text(en="There is nothing to undo.", ru="Отменять нечего.")

    def __init__(self) -> None:
        super().__init__(self.text.en)


class NothingToRedo(GameError):
    """Nothing was undone since the last edit."""

    code = "nothing-to-redo"
    text = Text(en="There is nothing to redo.", ru="Повторять нечего.")

    def __init__(self) -> None:
        super().__init__(self.text.en)


class PressBusy(GameError):
    """Other papers are being set; nothing was made. Whoever asks again after `wait` seconds gets it."""

    code = "press-busy"
    wait = 5
    text = Text(
        en="Other papers and pictures are being made just now. Ask again in a few seconds.",
        ru="Сейчас готовятся другие листы и картинки. Попробуйте ещё раз через несколько секунд.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class RepairsBusy(GameError):
    """Repairs of other lists are being tried out; nothing was. Whoever asks again after `wait` seconds gets them."""

    code = "repairs-busy"
    wait = 5
    text = Text(
        en="What would help is being tried out for other lists just now. Ask again in a few seconds.",
        ru="Сейчас ищутся исправления для других ростеров. Попробуйте ещё раз через несколько секунд.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)
