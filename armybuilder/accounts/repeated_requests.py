"""Answers to requests that carry a key of the sender's, kept for a day, so that a repeat makes nothing twice."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from armybuilder.accounts.attempts import address_mark
from armybuilder.accounts.errors import KeyInUse, KeyReused
from armybuilder.accounts.models import RepeatedRequest
from armybuilder.accounts.viewers import Viewer

KEPT = timedelta(hours=24)
UNDER_WAY = timedelta(minutes=5)
"""A request that has not been answered for so long was lost with its process, and may be made again."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer as it was given."""

    status: int
    headers: Mapping[str, str]
    body: str


def begin(viewer: Viewer, key: str, asked: str) -> KeptAnswer | None:
    """Take a key for a request; the answer that was given before, or None where it is to be carried out.

    Args:
        asked: hash of the request, address and body.

    Raises:
        KeyReused: the key was used for another request.
        KeyInUse: the same request is being carried out.
    """
    now = timezone.now()
    RepeatedRequest.objects.filter(created__lt=now - KEPT).delete()
    RepeatedRequest.objects.filter(created__lt=now - UNDER_WAY, status=None).delete()
    try:
        with transaction.atomic():
            RepeatedRequest.objects.create(sender=_sender(viewer), key=key, asked=asked)
    except IntegrityError:
        row = RepeatedRequest.objects.filter(sender=_sender(viewer), key=key).first()
        if row is None or row.status is None:
            raise KeyInUse from None
        if row.asked != asked:
            raise KeyReused from None
        return KeptAnswer(row.status, row.headers, row.body)
    return None


def keep(viewer: Viewer, key: str, answer: KeptAnswer) -> None:
    """Keep the answer that was given."""
    RepeatedRequest.objects.filter(sender=_sender(viewer), key=key).update(
        status=answer.status, headers=dict(answer.headers), body=answer.body
    )


def forget(viewer: Viewer, key: str) -> None:
    """Give a key back whose request came to nothing."""
    RepeatedRequest.objects.filter(sender=_sender(viewer), key=key, status=None).delete()


def _sender(viewer: Viewer) -> str:
    if viewer.user is not None:
        return f"user:{viewer.user.pk}"
    return f"guest:{viewer.guest_key}" if viewer.guest_key is not None else f"address:{address_mark(viewer.address)}"
