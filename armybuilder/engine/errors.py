"""Every exception the engine raises on purpose; each has a public `code`."""


class GameError(Exception):
    """Something that cannot be carried out. The message names the thing and the remedy.

    Args:
        russian: the same sentence; None where nobody has translated it.
    """

    code = "game-error"
    russian: str | None = None

    def __init__(self, *parts: object, russian: str | None = None) -> None:
        super().__init__(*parts)
        self.russian = russian


class BadDocument(GameError):
    """A document that cannot be read: not JSON, an unknown field, a value of the wrong shape.

    Args:
        message: what is wrong, in a sentence.
        at: JSON pointer (RFC 6901) to the offending member; None for the whole document.
        russian: the same sentence; None where nobody has translated it.
    """

    code = "bad-document"

    def __init__(self, message: str, at: str | None = None, *, russian: str | None = None) -> None:
        super().__init__(message, russian=russian)
        self.message = message
        self.at = at


class LimitExceeded(BadDocument):
    """A well-formed document beyond the service's limits (models, shots, trials)."""

    code = "limit-exceeded"


class Cancelled(GameError):
    """The caller's `should_stop` said so; nothing was computed."""

    code = "cancelled"
