"""Published game systems, where their data comes from, and the immutable releases of it."""

import re
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

SHIPPED_ORIGIN = "shipped with Army Builder"
"""Where the sample data that comes with the site says it is from."""
SYSTEM_ID = RegexValidator(r"^[a-z0-9][a-z0-9-]*$", _("Lower-case letters, digits and hyphens only."))

_PARTED_NUMBER = re.compile(r"(?<=\d) (?=\d{3}\b)")
"""The space in "40 000", at which no line ends."""


class PublishedSystem(models.Model):
    """A data set that lists can be built from; `id` is our own, as in URLs and documents.

    Several data sets may be of one game: our samples, the community's data. The row without `game` is the game itself
    (and may have data too); its alliance table, roles and allegiances hold for every data set of it.
    """

    id = models.CharField(_("id"), primary_key=True, max_length=60, validators=[SYSTEM_ID])
    name = models.CharField(_("name"), max_length=120)
    name_ru = models.CharField(_("name in Russian"), max_length=120, blank=True)
    battlescribe_id = models.CharField(
        _("BattleScribe id"), max_length=80, blank=True, help_text=_("Id of the game system in its data files.")
    )
    rule_pack = models.CharField(
        _("rule pack"), max_length=60, blank=True, help_text=_("Empty: only the findings of the data are reported.")
    )
    conventions = models.BooleanField(
        _("conventions"),
        default=True,
        help_text=_("Whether conventions that the rules text does not state (WFX) are checked in lists."),
    )
    position = models.PositiveSmallIntegerField(_("position"), default=100)
    game = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="data_sets",
        verbose_name=_("game"),
        help_text=_("The game whose rules, alliance table and names it shares; empty: it is a game of its own."),
    )
    current_release = models.ForeignKey(
        "DataRelease",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("current release"),
        help_text=_("What new lists are built with."),
    )

    class Meta:
        verbose_name = _("game system")
        verbose_name_plural = _("game systems")
        ordering = ["position", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["battlescribe_id"],
                condition=~models.Q(battlescribe_id=""),
                name="one_system_per_battlescribe_id",
            ),
            models.CheckConstraint(condition=~models.Q(game=models.F("id")), name="game_is_another_row"),
        ]

    def __str__(self) -> str:
        """Several data sets are of one game and have its name: where one is chosen, the id tells them apart."""
        return f"{self.label} – {self.pk}"

    @property
    def label(self) -> str:
        """The name in the language of the reader."""
        name = (self.name_ru if get_language() == "ru" else "") or self.name
        return _PARTED_NUMBER.sub("\u00a0", name)

    @property
    def home_id(self) -> str:
        """The id of the game whose tables hold for it: its own, or that of the game it is a data set of."""
        return self.game_id or self.pk


class DataSource(models.Model):
    """Where data files of a game system are read from, again and again; a single upload has none."""

    class Kind(models.TextChoices):
        """How the files arrive."""

        FOLDER = "folder", _("folder on the server")
        ADDRESS = "address", _("address on the web")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="sources", verbose_name=_("game system")
    )
    name = models.CharField(_("name"), max_length=120)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.FOLDER)
    address = models.CharField(
        _("address"),
        max_length=500,
        help_text=_("Path of the folder, as the server sees it, or the https address of a file, archive or index."),
    )
    every_hours = models.PositiveSmallIntegerField(
        _("read every so many hours"), default=0, help_text=_("0: only when an administrator asks.")
    )
    publishes = models.BooleanField(
        _("publish what is new"),
        default=False,
        help_text=_("Otherwise a newer version is read and waits for an administrator to publish it."),
    )
    etag = models.CharField(_("ETag"), max_length=200, blank=True, editable=False)
    checked_at = models.DateTimeField(_("last read"), null=True, blank=True, editable=False)
    problem = models.TextField(_("what was wrong the last time"), blank=True, editable=False)

    class Meta:
        verbose_name = _("data source")
        verbose_name_plural = _("data sources")
        ordering = ["system", "name"]
        constraints = [
            models.UniqueConstraint(fields=["system", "name"], name="source_name_once_per_system"),
            models.CheckConstraint(condition=models.Q(kind__in=["folder", "address"]), name="source_kind_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """A source is of the kind its address says, or it would fail only when it is read."""
        on_the_web = self.address.strip().lower().startswith(("https://", "http://"))
        if on_the_web != (self.kind == self.Kind.ADDRESS):
            said = _("This is an address on the web.") if on_the_web else _("This is no address on the web.")
            raise ValidationError({"kind": said})


class DataImport(models.Model):
    """Files that are read, worked out and stored as releases on the queue; the row is the queue."""

    class State(models.TextChoices):
        """Where it stands."""

        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("game system"),
    )
    source = models.ForeignKey(
        DataSource, on_delete=models.CASCADE, null=True, blank=True, related_name="imports", verbose_name=_("source")
    )
    addresses = models.JSONField(_("addresses"), default=list)
    origin = models.CharField(_("origin"), max_length=300, blank=True)
    publish = models.BooleanField(_("publish"), default=False)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.QUEUED)
    cancelled = models.BooleanField(_("to be cancelled"), default=False)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    in_hand = models.CharField(_("in hand"), max_length=200, blank=True)
    problems = models.JSONField(_("problems"), default=list)
    releases = models.JSONField(_("releases"), default=list)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("import of game data")
        verbose_name_plural = _("imports of game data")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="import_state_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.origin or self.pk}: {self.get_state_display()}"

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen."""
        return self.state not in (self.State.QUEUED, self.State.RUNNING)


class ImportFile(models.Model):
    """A file that was sent for an import, until that is finished."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    asked = models.ForeignKey(DataImport, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=255)
    content = models.BinaryField(editable=False)

    def __str__(self) -> str:
        return self.name


class DataRelease(models.Model):
    """An immutable set of files of one game system; lists pin the release they were built with."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="releases", verbose_name=_("game system")
    )
    number = models.PositiveIntegerField(_("number"))
    content_hash = models.CharField(_("content hash"), max_length=64)
    name = models.CharField(_("name in the data"), max_length=200, blank=True)
    revision = models.CharField(_("revision in the data"), max_length=40, blank=True)
    source = models.ForeignKey(
        DataSource, on_delete=models.SET_NULL, null=True, blank=True, related_name="releases", verbose_name=_("source")
    )
    origin = models.CharField(_("origin"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("created by"),
    )
    report = models.JSONField(
        _("report"), default=dict, help_text=_("What was found on reading, catalogue by catalogue.")
    )

    class Meta:
        verbose_name = _("data release")
        verbose_name_plural = _("data releases")
        ordering = ["system", "-number"]
        get_latest_by = "number"
        constraints = [
            models.UniqueConstraint(fields=["system", "content_hash"], name="content_once_per_system"),
            models.UniqueConstraint(fields=["system", "number"], name="release_number_once_per_system"),
        ]

    def __str__(self) -> str:
        return f"{self.system_id} {self.number}"

    @property
    def is_sample(self) -> bool:
        """Whether it is the small data set that ships with the site."""
        return self.origin == SHIPPED_ORIGIN


class DataFile(models.Model):
    """One file of a release, byte for byte as it came."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    release = models.ForeignKey(DataRelease, on_delete=models.CASCADE, related_name="files", verbose_name=_("release"))
    name = models.CharField(_("file name"), max_length=255)
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    size = models.PositiveIntegerField(_("bytes"))
    content = models.BinaryField(editable=False)

    class Meta:
        verbose_name = _("data file")
        verbose_name_plural = _("data files")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="file_name_once_per_release")]

    def __str__(self) -> str:
        return self.name
