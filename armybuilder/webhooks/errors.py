"""What webhooks refuse."""

from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text


class WebhookRefused(GameError):
    """An address that cannot be told anything, or more hooks than one may have.

    Attributes:
        at: pointer to the member of the request.
    """

    code = "webhook-refused"

    def __init__(self, text: Text, at: str | None = None) -> None:
        super().__init__(text.en)
        self.text = text
        self.at = at
