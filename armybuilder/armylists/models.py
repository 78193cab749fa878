"""Stored lists, their revisions and the links that share them."""

import uuid
import zlib

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists import limits


class DocumentKind(models.TextChoices):
    """What `document` holds."""

    ROSTER = "roster", _("Roster and facts")
    ARMY = "army", _("Army document")


class VerdictChoice(models.TextChoices):
    """The verdict of the last check, as the engine names it."""

    LEGAL = "legal", _("legal")
    ILLEGAL = "illegal", _("illegal")
    NOT_CHECKED = "not_checked", _("not checked")


class ArmyList(models.Model):
    """A list somebody builds: one document, pinned to a data release, changed only through its revision number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="army_lists",
        verbose_name=_("owner"),
    )
    guest_key = models.UUIDField(_("guest key"), null=True, blank=True, db_index=True)
    system = models.ForeignKey(
        "datafiles.PublishedSystem", models.PROTECT, related_name="army_lists", verbose_name=_("game system")
    )
    release = models.ForeignKey(
        "datafiles.DataRelease", models.PROTECT, related_name="army_lists", verbose_name=_("data release")
    )
    declined_release = models.ForeignKey(
        "datafiles.DataRelease",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("declined data release"),
        help_text=_("The newer data that the owner chose not to move to."),
    )
    name = models.CharField(_("name"), max_length=limits.NAME_LENGTH)
    points_limit = models.IntegerField(_("points limit"), null=True, blank=True)
    document = models.TextField(
        _("document"), help_text=_("JSON: the roster and the facts that game data does not hold.")
    )
    document_kind = models.CharField(
        _("kind of document"), max_length=10, choices=DocumentKind, default=DocumentKind.ROSTER
    )
    revision = models.PositiveIntegerField(_("revision"), default=1)
    points = models.DecimalField(_("points"), max_digits=12, decimal_places=2, null=True, blank=True)
    verdict = models.CharField(_("verdict"), max_length=12, choices=VerdictChoice, default=VerdictChoice.NOT_CHECKED)
    unchecked_parts = models.PositiveSmallIntegerField(_("parts not checked"), default=0)
    finding_counts = models.CharField(_("errors, warnings, remarks"), max_length=30, default="0/0/0")
    faction_names = models.CharField(_("factions"), max_length=300, blank=True)
    folder = models.CharField(_("folder"), max_length=limits.FOLDER_LENGTH, blank=True)
    tags = models.JSONField(_("tags"), default=list, blank=True)
    copied_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="copies", verbose_name=_("copied from")
    )
    created = models.DateTimeField(_("created"), default=timezone.now)
    updated = models.DateTimeField(_("updated"), default=timezone.now)
    deleted = models.DateTimeField(_("deleted"), null=True, blank=True)

    class Meta:
        verbose_name = _("army list")
        verbose_name_plural = _("army lists")
        ordering = ["-updated", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False, guest_key__isnull=True)
                | Q(owner__isnull=True, guest_key__isnull=False),
                name="army_list_has_one_owner",
            ),
            models.CheckConstraint(
                condition=Q(document_kind__in=DocumentKind.values), name="army_list_document_kind_known"
            ),
            models.CheckConstraint(condition=Q(verdict__in=VerdictChoice.values), name="army_list_verdict_known"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="army_list_revision_positive"),
        ]
        indexes = [
            models.Index(fields=["owner", "-updated"], name="army_list_of_owner"),
            models.Index(fields=["guest_key", "-updated"], name="army_list_of_guest"),
        ]

    def __str__(self) -> str:
        return self.name


class RevisionKind(models.TextChoices):
    """How a revision came about."""

    CREATED = "created", _("created")
    EDIT = "edit", _("edit")
    UNDO = "undo", _("undo")
    REDO = "redo", _("redo")
    RESTORED = "restored", _("restored")


class Revision(models.Model):
    """One state of a list. Undo and redo add revisions too; they repeat the content of an earlier one.

    `content` is the number of the revision that first held this content, `parent` the content it was made from:
    so undo goes to the parent, and redo to the newest content made from the present one.
    """

    army_list = models.ForeignKey(ArmyList, models.CASCADE, related_name="revisions", verbose_name=_("army list"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=RevisionKind, default=RevisionKind.EDIT)
    content = models.PositiveIntegerField(_("content"))
    parent = models.PositiveIntegerField(_("parent"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=limits.NAME_LENGTH)
    points_limit = models.IntegerField(_("points limit"), null=True, blank=True)
    points = models.DecimalField(_("points"), max_digits=12, decimal_places=2, null=True, blank=True)
    packed_document = models.BinaryField(_("packed document"))
    summary_en = models.CharField(_("summary in English"), max_length=400)
    summary_ru = models.CharField(_("summary in Russian"), max_length=400)
    release = models.ForeignKey(
        "datafiles.DataRelease", models.PROTECT, related_name="+", verbose_name=_("data release")
    )
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["army_list", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["army_list", "number"], name="revision_number_unique_in_list"),
            models.CheckConstraint(condition=Q(content__lte=models.F("number")), name="revision_content_not_later"),
            models.CheckConstraint(condition=Q(kind__in=RevisionKind.values), name="revision_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.summary_en}"

    @property
    def document(self) -> str:
        """The document as JSON text."""
        return zlib.decompress(bytes(self.packed_document)).decode()

    @staticmethod
    def packed(document: str) -> bytes:
        """A document as it is kept: a list of 60 selections shrinks to an eighth."""
        return zlib.compress(document.encode(), 6)


class ShareLink(models.Model):
    """A secret address under which anybody may read a list, until it expires or is revoked."""

    token = models.CharField(_("token"), max_length=22, unique=True)
    army_list = models.ForeignKey(ArmyList, models.CASCADE, related_name="share_links", verbose_name=_("army list"))
    created = models.DateTimeField(_("created"), default=timezone.now)
    expires = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("share link")
        verbose_name_plural = _("share links")
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(
                condition=Q(expires__isnull=True) | Q(expires__gt=models.F("created")),
                name="share_link_expires_after_creation",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.army_list_id} …{self.token[-4:]}"

    @property
    def is_open(self) -> bool:
        """Whether the link still leads to the list."""
        return self.revoked_at is None and (self.expires is None or self.expires > timezone.now())
