"""What was asked, the work it takes, and the pieces that workers claim."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

ERROR_LENGTH = 500


class RunState(models.TextChoices):
    """Where a run, its computation or a chunk of it stands."""

    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


UNFINISHED = (RunState.QUEUED, RunState.RUNNING)


class RunKind(models.TextChoices):
    """What is asked."""

    MATCHUP = "matchup", _("matchup document")
    MATRIX = "matrix", _("two lists")
    PAIR = "pair", _("one unit against one")
    UPGRADE = "upgrade", _("what an option buys")
    BATTLE = "battle", _("whole battle")


class Computation(models.Model):
    """One question, worked out once for everybody who asks it (unique by its hash and the model version)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=10, choices=RunKind)
    request = models.TextField(_("request"), help_text=_("JSON; the answer is a function of it alone."))
    request_hash = models.CharField(_("hash of the request"), max_length=64)
    model_version = models.CharField(_("model version"), max_length=40)
    seed = models.BigIntegerField(_("seed"))
    state = models.CharField(_("state"), max_length=10, choices=RunState, default=RunState.QUEUED)
    chunk_count = models.PositiveIntegerField(_("chunks"))
    result = models.TextField(_("result"), blank=True)
    error = models.CharField(_("error"), max_length=ERROR_LENGTH, blank=True)
    error_code = models.CharField(_("error code"), max_length=40, blank=True)
    sent = models.DateTimeField(_("sent to the queue"), null=True, blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)
    started = models.DateTimeField(_("started"), null=True, blank=True)
    finished = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("computation")
        verbose_name_plural = _("computations")
        ordering = ["-created"]
        constraints = [
            models.UniqueConstraint(fields=["request_hash", "model_version"], name="computation_asked_once"),
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="computation_state_known"),
            models.CheckConstraint(condition=Q(kind__in=RunKind.values), name="computation_kind_known"),
            models.CheckConstraint(
                condition=~Q(state=RunState.DONE) | ~Q(result=""), name="computation_done_has_result"
            ),
        ]
        indexes = [models.Index(fields=["state", "created"], name="computation_by_state")]

    def __str__(self) -> str:
        return f"{self.kind} {self.request_hash[:12]}"


class Chunk(models.Model):
    """A piece of a computation: claimed by one worker at a time under a lease."""

    computation = models.ForeignKey(Computation, models.CASCADE, related_name="chunks", verbose_name=_("computation"))
    index = models.PositiveIntegerField(_("index"))
    state = models.CharField(_("state"), max_length=10, choices=RunState, default=RunState.QUEUED)
    worker = models.UUIDField(_("worker"), null=True, blank=True)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    progress = models.FloatField(_("progress"), default=0.0)
    part = models.TextField(_("part of the result"), blank=True)

    class Meta:
        verbose_name = _("chunk")
        verbose_name_plural = _("chunks")
        ordering = ["computation", "index"]
        constraints = [
            models.UniqueConstraint(fields=["computation", "index"], name="chunk_index_unique"),
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="chunk_state_known"),
            models.CheckConstraint(condition=Q(progress__gte=0.0, progress__lte=1.0), name="chunk_progress_is_a_share"),
            models.CheckConstraint(
                condition=~Q(state=RunState.RUNNING) | Q(worker__isnull=False, lease_until__isnull=False),
                name="chunk_running_is_leased",
            ),
        ]
        indexes = [models.Index(fields=["state", "lease_until"], name="chunk_by_state")]

    def __str__(self) -> str:
        return f"{self.computation_id}/{self.index}"


class SimulationRun(models.Model):
    """One player's question and, through its computation, the answer.

    A run without owner and guest key was asked by nobody the site knows; its unguessable id is the key to it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="simulation_runs",
        verbose_name=_("owner"),
    )
    guest_key = models.UUIDField(_("guest key"), null=True, blank=True, db_index=True)
    asked_from = models.CharField(
        _("asked from"),
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text=_("A mark of the address, without an account."),
    )
    computation = models.ForeignKey(Computation, models.PROTECT, related_name="runs", verbose_name=_("computation"))
    title = models.CharField(_("title"), max_length=300, blank=True)
    asked = models.TextField(
        _("asked"), help_text=_("JSON: the question as the player put it, with the ids of his lists.")
    )
    cancelled = models.DateTimeField(_("cancelled"), null=True, blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)
    share_token = models.CharField(
        _("share token"),
        max_length=22,
        null=True,
        blank=True,
        unique=True,
        help_text=_("Whoever has it reads the answer; empty: nobody but its player."),
    )

    class Meta:
        verbose_name = _("simulation run")
        verbose_name_plural = _("simulation runs")
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=True) | Q(guest_key__isnull=True), name="simulation_run_has_at_most_one_owner"
            ),
            models.CheckConstraint(
                condition=Q(cancelled__isnull=True) | Q(cancelled__gte=F("created")),
                name="simulation_run_cancelled_later",
            ),
        ]
        indexes = [models.Index(fields=["owner", "-created"], name="simulation_run_of_owner")]

    def __str__(self) -> str:
        return self.title or str(self.id)

    @property
    def kind(self) -> str:
        """One of `RunKind`."""
        return self.computation.kind

    @property
    def state(self) -> RunState:
        """queued, running, done, failed or cancelled, as its player sees it."""
        return RunState.CANCELLED if self.cancelled else RunState(self.computation.state)

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state not in UNFINISHED

    @property
    def error(self) -> str:
        """Why it failed; empty otherwise."""
        return self.computation.error

    @property
    def model_version(self) -> str:
        """The version of the combat model that answers."""
        return self.computation.model_version

    @property
    def seed(self) -> int:
        """What the dice start from, where dice are rolled."""
        return self.computation.seed


class SavedTarget(models.Model):
    """A unit a player described himself, to measure his own by."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="saved_targets",
        verbose_name=_("owner"),
    )
    guest_key = models.UUIDField(_("guest key"), null=True, blank=True, db_index=True)
    rule_pack = models.CharField(_("rule pack"), max_length=40)
    name = models.CharField(_("name"), max_length=120)
    points = models.DecimalField(_("points"), max_digits=8, decimal_places=2, default=0)
    side = models.TextField(_("unit"), help_text=_("JSON: a side of the game's matchup documents."))
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("saved target")
        verbose_name_plural = _("saved targets")
        ordering = ["name", "created"]
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=True, guest_key__isnull=False)
                | Q(owner__isnull=False, guest_key__isnull=True),
                name="saved_target_has_one_owner",
            ),
            models.CheckConstraint(condition=Q(points__gte=0), name="saved_target_points_not_negative"),
        ]
        indexes = [models.Index(fields=["owner", "rule_pack"], name="saved_target_of_owner")]

    def __str__(self) -> str:
        return self.name
