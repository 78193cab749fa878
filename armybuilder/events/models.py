"""Events, the lists submitted to them, and what organisers write to players."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class EventKind(models.TextChoices):
    """Who meets."""

    EVENT = "event", _("event")
    SWAP = "swap", _("blind swap for two")


class Event(models.Model):
    """What an organiser describes.

    Attributes:
        token: in the address under which players submit.
        pack: `packs.EventPack` as JSON text.
        reveal_at: when all lists are shown to everybody with the link; None leaves them to the organiser.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="events", verbose_name=_("organiser")
    )
    kind = models.CharField(_("kind"), max_length=6, choices=EventKind, default=EventKind.EVENT)
    system = models.ForeignKey(
        "datafiles.PublishedSystem", models.PROTECT, related_name="events", verbose_name=_("game system")
    )
    name = models.CharField(_("name"), max_length=120)
    token = models.CharField(max_length=22, unique=True, editable=False)
    pack = models.TextField(_("pack"))
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    reveal_at = models.DateTimeField(_("revealed"), null=True, blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_locked(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and self.deadline <= timezone.now()


class Submission(models.Model):
    """A list as a player handed it in: a copy that nobody edits, and what was found about it.

    Attributes:
        secret: opens the submission to its player, who needs no account.
        source: the list it is a copy of, to see what has changed since.
        source_token: of the share link it was handed in by; empty where its owner did. When that is closed, what has
            changed since is seen no more.
        share_token: opens the copy to whoever may read it.
        nonce: makes the commitment of a blind swap unguessable; shown when the lists are.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="submissions", verbose_name=_("event"))
    player = models.CharField(_("player"), max_length=80)
    secret = models.CharField(max_length=22, unique=True, editable=False)
    fields = models.JSONField(_("further fields"), default=dict)
    army_list = models.ForeignKey("armylists.ArmyList", models.PROTECT, related_name="submissions")
    share_token = models.CharField(max_length=22)
    source = models.ForeignKey("armylists.ArmyList", models.SET_NULL, null=True, related_name="+")
    source_revision = models.PositiveIntegerField()
    source_token = models.CharField(max_length=22, blank=True, default="", db_default="")
    accepted = models.BooleanField(_("accepted at the event"))
    findings = models.JSONField(_("findings of the event"), default=list)
    nonce = models.CharField(max_length=22)
    commitment = models.CharField(max_length=64)
    submitted = models.DateTimeField(_("submitted"), default=timezone.now)

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        ordering = ["player", "submitted"]
        constraints = [models.UniqueConstraint(fields=["event", "player"], name="player_once_an_event")]

    def __str__(self) -> str:
        return self.player


class Message(models.Model):
    """What the organiser writes to one player or, without a submission, to all."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="messages")
    submission = models.ForeignKey(Submission, models.CASCADE, null=True, related_name="messages")
    text = models.TextField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.text[:60]
