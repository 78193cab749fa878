"""Webhooks, what is sent to them, and what of others' tables was seen last."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

URL_LENGTH = 500


class Happening(models.TextChoices):
    """What a hook may be told of."""

    LIST_CHANGED = "list.changed", _("a list of yours was changed")
    LIST_ILLEGAL = "list.illegal", _("a list of yours became illegal")
    LIST_SHARED = "list.shared", _("a list of yours was shared")
    RELEASE_PUBLISHED = "release.published", _("new game data was published")
    RUN_FINISHED = "run.finished", _("a simulation of yours came to an end")
    SUBMISSION_RECEIVED = "submission.received", _("a list was handed in at an event of yours")
    EVENT_LOCKED = "event.locked", _("the lists of an event of yours were locked")


PING = "ping"
"""What the test button sends; every hook takes it."""


class Pause(models.TextChoices):
    """Why nothing is sent to a hook."""

    OWNER = "owner", _("Its owner has stopped it.")
    GONE = "gone", _("The address answered that it is gone (410).")
    GIVEN_UP = "given-up", _("Several messages in a row could not be delivered.")


class Webhook(models.Model):
    """An address that is told of what happens to its owner's things.

    Attributes:
        happenings: words of `Happening`, separated by blanks.
        sealed: the secret, encrypted with the site's.
        sealed_before: the one before it, which signs as well until `rotates_until`.
        paused: why nothing is sent; empty for a hook that works.
        failures: deliveries given up one after another.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks", verbose_name=_("owner")
    )
    url = models.CharField(_("address"), max_length=URL_LENGTH)
    happenings = models.CharField(_("told of"), max_length=200, help_text=_("Separated by blanks."))
    sealed = models.CharField(max_length=200, editable=False)
    sealed_before = models.CharField(max_length=200, editable=False, blank=True)
    rotates_until = models.DateTimeField(null=True, editable=False)
    paused = models.CharField(_("paused"), max_length=10, choices=Pause, blank=True)
    failures = models.PositiveSmallIntegerField(_("given up in a row"), default=0)
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["created"]

    def __str__(self) -> str:
        return self.url

    @property
    def wanted(self) -> tuple[Happening, ...]:
        """What the hook is told of."""
        return tuple(Happening(word) for word in self.happenings.split())


class DeliveryState(models.TextChoices):
    """Where a delivery stands."""

    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    GIVEN_UP = "given_up", _("given up")


class Delivery(models.Model):
    """One thing that happened, to be told to one hook; the row is the queue.

    Attributes:
        key: of what happened, so that it is told once.
        body: the very bytes that are signed and sent.
        due: not to be sent before.
        leased_until: somebody is sending it.
        status: of the last answer; None without one.
        said: the beginning of the last answer, or why there was none.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    happening = models.CharField(_("what happened"), max_length=30)
    key = models.CharField(max_length=120)
    body = models.TextField()
    state = models.CharField(_("state"), max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due = models.DateTimeField(_("due"), default=timezone.now)
    leased_until = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    said = models.CharField(_("answer"), max_length=300, blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)
    finished = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-created"]
        constraints = [models.UniqueConstraint(fields=["webhook", "key"], name="told_once")]
        indexes = [
            models.Index(fields=["due"], name="deliveries_due", condition=models.Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.happening} {self.created:%Y-%m-%d %H:%M}"


class Seen(models.Model):
    """How something was when it was last looked at: the release of a game, the time itself."""

    subject = models.CharField(max_length=120, unique=True)
    value = models.CharField(max_length=60)

    class Meta:
        verbose_name = _("last seen")
        verbose_name_plural = _("last seen")

    def __str__(self) -> str:
        return f"{self.subject}: {self.value}"
