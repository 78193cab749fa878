"""The acts of administrators: kept where they can be searched, and each a line among the events of security."""

import logging
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models.signals import post_save
from django.dispatch import receiver

from armybuilder.accounts.models import User

security = logging.getLogger("armybuilder.security")


def keep(user: User, where: str, what: str = "") -> None:
    """Note what an administrator did at an address; nothing that was typed or sent, which may be secret."""
    LogEntry.objects.create(user=user, action_flag=CHANGE, object_repr=where[:200], change_message=what)


@receiver(post_save, sender=LogEntry)
def _tell(instance: LogEntry, **_: Any) -> None:
    """Whoever has made the entry: Django's pages make their own."""
    security.info(
        "administrator's act user=%s action=%s at=%r object=%s",
        instance.user_id,
        instance.get_action_flag_display(),
        instance.object_repr,
        instance.object_id or "-",
    )
