"""What events refuse, each with a public code and words in both languages."""

from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text


class EventLocked(GameError):
    """A list handed in after the deadline, or a second time in a blind swap."""

    code = "event-locked"
    text = Text(
        en="The lists of this event are locked: nothing can be handed in or changed any more.",
        ru="Ростеры этого события закрыты: сдать или изменить уже ничего нельзя.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class SubmissionRefused(GameError):
    """A submission that cannot be taken, whatever is in the list.

    Args:
        text: why, and what to do.
    """

    code = "submission-refused"

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class NotRevealed(GameError):
    """The lists are hidden until a moment that has not come."""

    code = "not-revealed"
    text = Text(en="The lists are not revealed yet.", ru="Ростеры ещё не раскрыты.")

    def __init__(self) -> None:
        super().__init__(self.text.en)
