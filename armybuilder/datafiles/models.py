"""Published game systems, where their data comes from, and the immutable releases of it."""

from uuid import uuid4

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

SYSTEM_ID = RegexValidator(r"^[a-z0-9][a-z0-9-]*$", _("Lower-case letters, digits and hyphens only."))


class PublishedSystem(models.Model):
    """A game that lists can be built for; `id` is our own, as in URLs and documents."""

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
            )
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The name in the language of the reader."""
        return (self.name_ru if get_language() == "ru" else "") or self.name


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
