"""What is refused of files from outside; published data stays as it was."""

from collections.abc import Sequence

from armybuilder.engine.errors import GameError


class BadDataFile(GameError):
    """A file that cannot be used.

    Args:
        file_name: of the offending file, as it was given.
        reason: what is wrong with it, in a sentence; names the line or the id.
    """

    code = "bad-data-file"

    def __init__(self, file_name: str, reason: str) -> None:
        super().__init__(f"{file_name}: {reason}")
        self.file_name = file_name
        self.reason = reason


class BadDataFiles(GameError):
    """Several files that cannot be used.

    Attributes:
        problems: what is wrong with each of them, with its name.
    """

    code = "bad-data-file"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = tuple(problems)


class SourceRefused(GameError):
    """An address on the web that may not be asked for data, or that gave none.

    Args:
        address: as it was asked, after redirects.
        reason: what is wrong with it, so that it reads on after the address.
    """

    code = "source-refused"

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"{address[:300]} {reason}.")
        self.address = address
        self.reason = reason


class TooMuchData(GameError):
    """More or larger files than this server takes."""

    code = "too-much-data"


class NothingToPublish(GameError):
    """No game system or no usable file among what was given, or the data of another game."""

    code = "nothing-to-publish"
