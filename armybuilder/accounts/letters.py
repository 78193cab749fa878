"""Letters go out beside the request that asks for them: how long the answer takes tells nobody who has an account."""

import logging
from concurrent.futures import ThreadPoolExecutor

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="letters")
"""Its thread begins with the first letter; a process that ends sends what waits first."""


def send_soon(letter: EmailMessage) -> None:
    """Hand a letter over; one that cannot be sent is a line of the log."""
    _sender.submit(_send, letter)


def wait_until_sent() -> None:
    """Return once everything that was handed over is sent or given up."""
    _sender.submit(lambda: None).result()


def _send(letter: EmailMessage) -> None:
    try:
        letter.send()
    except Exception:  # whatever the mail server answers, the thread lives on for the next
        logger.exception("A letter could not be sent.")
