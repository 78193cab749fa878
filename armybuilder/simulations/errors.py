"""What questions about fights are refused for, with words in both languages."""

from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text

TWO_GAMES = Text("Both lists must belong to the same game.", "Оба ростера должны быть по одной игре.")


class CannotBeAsked(BadDocument):
    """Lists, units or options that cannot be compared.

    Args:
        text: what is wrong, and where there is one, what to do instead.
        at: JSON pointer into the question.
    """

    def __init__(self, text: Text, at: str | None = None) -> None:
        super().__init__(text.en, at)
        self.text = text


class TooMuchAsked(LimitExceeded):
    """A question beyond what one list may bring along, or one player may have waiting.

    Args:
        text: what there is too much of, how much is allowed, and what to do.
        at: JSON pointer into the question.
    """

    def __init__(self, text: Text, at: str | None = None) -> None:
        super().__init__(text.en, at)
        self.text = text
