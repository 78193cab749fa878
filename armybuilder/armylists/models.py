"""Stored lists, their revisions and the links that share them."""

import uuid
import zlib

from django.conf import settings
from django.db import models
from django.db.models import F, Q
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


class Tint(models.TextChoices):
    """A colour the player gives his army; each is a token of the look of the site."""

    CRIMSON = "crimson", _("crimson")
    RUST = "rust", _("rust")
    AMBER = "amber", _("amber")
    OLIVE = "olive", _("olive")
    GREEN = "green", _("green")
    TEAL = "teal", _("teal")
    BLUE = "blue", _("blue")
    VIOLET = "violet", _("violet")
    ROSE = "rose", _("rose")
    STEEL = "steel", _("steel")


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
    kept_bytes = models.BigIntegerField(
        _("bytes kept"), default=0, db_default=0, help_text=_("Of the document and of its states as they are packed.")
    )
    points = models.DecimalField(_("points"), max_digits=12, decimal_places=2, null=True, blank=True)
    verdict = models.CharField(_("verdict"), max_length=12, choices=VerdictChoice, default=VerdictChoice.NOT_CHECKED)
    unchecked_parts = models.PositiveSmallIntegerField(_("parts not checked"), default=0)
    finding_counts = models.CharField(_("errors, warnings, remarks"), max_length=30, default="0/0/0")
    left_to_choose = models.PositiveSmallIntegerField(
        _("still to choose"),
        default=0,
        db_default=0,
        help_text=_("How many things are still to be chosen where nothing else is wrong; otherwise 0."),
    )
    faction_names = models.CharField(_("factions"), max_length=300, blank=True)
    role_points = models.JSONField(
        _("points by role"),
        default=list,
        blank=True,
        help_text=_("Pairs of a role, as the data names it, and its points, in the order of the list."),
    )
    tint = models.CharField(_("tint"), max_length=10, choices=Tint, blank=True)
    folder = models.CharField(_("folder"), max_length=limits.FOLDER_LENGTH, blank=True)
    tags = models.JSONField(_("tags"), default=list, blank=True)
    family = models.UUIDField(
        _("family"), null=True, blank=True, db_index=True, help_text=_("Shared by a list and its variants.")
    )
    copied_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="copies", verbose_name=_("copied from")
    )
    suggests_for = models.ForeignKey(
        "ShareLink",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("suggests for"),
        help_text=_("The link of the list that it suggests changes of."),
    )
    suggests_on = models.PositiveIntegerField(_("suggests on revision"), null=True, blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)
    updated = models.DateTimeField(_("updated"), default=timezone.now)
    archived = models.DateTimeField(_("archived"), null=True, blank=True)
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
            models.Index(fields=["owner", "kept_bytes"], name="army_list_bytes_of_owner"),
            models.Index(fields=["guest_key", "kept_bytes"], name="army_list_bytes_of_guest"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def factions(self) -> str:
        """Its factions as readers are told them; a name of the data, "2022 - LI - Custodes", is not."""
        if not self.faction_names:
            return ""
        from armybuilder.reference.names import (  # noqa: PLC0415 - which need the models of other apps
            Names,
            called_by_players,
            names_for,
            russian,
        )

        if russian():
            names = names_for(self.system.rule_pack, self.release_id)
        else:  # the game, which a program that reads the list's row has not fetched, has no say in them
            names = Names(army_lists=called_by_players(self.release_id))
        return ", ".join(names(one) for one in self.faction_names.split(", "))

    @property
    def tint_choices(self) -> list[tuple[str, str]]:
        """Tints it can have, with their names."""
        return [(tint.value, str(tint.label)) for tint in Tint]

    @property
    def judged_by_data(self) -> bool:
        """Whether its verdict is of the limits of its game data alone, as no rule pack knows the game."""
        return self.document_kind == DocumentKind.ROSTER and not self.system.rule_pack


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
    so undo goes to the parent, and redo to the newest content made from the present one. `verdict` is what was
    found when it was stored; empty in revisions of before this was kept.
    """

    army_list = models.ForeignKey(ArmyList, models.CASCADE, related_name="revisions", verbose_name=_("army list"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=RevisionKind, default=RevisionKind.EDIT)
    content = models.PositiveIntegerField(_("content"))
    parent = models.PositiveIntegerField(_("parent"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=limits.NAME_LENGTH)
    points_limit = models.IntegerField(_("points limit"), null=True, blank=True)
    points = models.DecimalField(_("points"), max_digits=12, decimal_places=2, null=True, blank=True)
    verdict = models.CharField(_("verdict"), max_length=12, choices=VerdictChoice, blank=True)
    packed_document = models.BinaryField(_("packed document"))
    summary_en = models.CharField(_("summary in English"), max_length=400)
    summary_ru = models.CharField(_("summary in Russian"), max_length=400)
    release = models.ForeignKey(
        "datafiles.DataRelease", models.PROTECT, related_name="+", verbose_name=_("data release")
    )
    label = models.CharField(
        _("label"), max_length=limits.LABEL_LENGTH, blank=True, help_text=_("What its owner calls this state.")
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
    revision = models.PositiveIntegerField(
        _("revision"), null=True, blank=True, help_text=_("What it shows for good; empty for the list as it is now.")
    )
    takes_replies = models.BooleanField(
        _("takes replies"), default=False, help_text=_("Its readers may comment and suggest changes.")
    )
    is_listed = models.BooleanField(_("public"), default=False, help_text=_("It stands among the public lists."))

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


class Reply(models.Model):
    """What a reader of a shared list sent to its owner: a comment, or a state he suggests.

    Attributes:
        packed_document: the suggested state; empty for a comment, as are the four members after it.
        base_revision: the state it was begun from.
    """

    class Decision(models.TextChoices):
        """What the owner made of a suggestion."""

        TAKEN = "taken", _("taken")
        DECLINED = "declined", _("declined")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    army_list = models.ForeignKey(ArmyList, models.CASCADE, related_name="replies", verbose_name=_("army list"))
    author = models.CharField(_("author"), max_length=limits.AUTHOR_LENGTH, blank=True)
    text = models.TextField(_("text"), blank=True)
    packed_document = models.BinaryField(_("packed document"), default=b"")
    points_limit = models.IntegerField(_("points limit"), null=True, blank=True)
    release = models.ForeignKey(
        "datafiles.DataRelease", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("data release")
    )
    base_revision = models.PositiveIntegerField(_("revision"), null=True, blank=True)
    decision = models.CharField(_("decision"), max_length=10, choices=Decision, blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)
    decided = models.DateTimeField(_("decided"), null=True, blank=True)

    class Meta:
        verbose_name = _("reply")
        verbose_name_plural = _("replies")
        ordering = ["-created"]
        indexes = [models.Index(fields=["army_list", "decision"], name="reply_to_list")]

    def __str__(self) -> str:
        return f"{self.army_list_id}: {self.text[:40]}"

    @property
    def document(self) -> str:
        """The suggested document as JSON text."""
        return zlib.decompress(bytes(self.packed_document)).decode()


class TextLayout(models.Model):
    """A text layout that an organiser wrote; whoever has its id may lay lists out by it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("owner")
    )
    guest_key = models.UUIDField(_("guest key"), null=True, blank=True, db_index=True)
    name = models.CharField(_("name"), max_length=limits.NAME_LENGTH)
    source = models.TextField(_("text of the layout"))
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("text layout")
        verbose_name_plural = _("text layouts")
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False, guest_key__isnull=True)
                | Q(owner__isnull=True, guest_key__isnull=False),
                name="text_layout_has_one_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OwnedUnit(models.Model):
    """How many models of a unit somebody has at home, whatever list they stand in.

    Attributes:
        name: of the unit, as the game data writes it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("owner")
    )
    guest_key = models.UUIDField(_("guest key"), null=True, blank=True, db_index=True)
    system = models.ForeignKey("datafiles.PublishedSystem", models.CASCADE, related_name="+", verbose_name=_("game"))
    name = models.CharField(_("unit"), max_length=limits.UNIT_NAME_LENGTH)
    owned = models.PositiveIntegerField(_("models"))
    painted = models.PositiveIntegerField(_("painted"), default=0)

    class Meta:
        verbose_name = _("unit of a collection")
        verbose_name_plural = _("units of collections")
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False, guest_key__isnull=True)
                | Q(owner__isnull=True, guest_key__isnull=False),
                name="owned_unit_has_one_owner",
            ),
            models.CheckConstraint(condition=Q(painted__lte=F("owned")), name="no_more_painted_than_owned"),
            models.UniqueConstraint(
                fields=["owner", "system", "name"], condition=Q(owner__isnull=False), name="one_row_a_unit_of_an_owner"
            ),
            models.UniqueConstraint(
                fields=["guest_key", "system", "name"],
                condition=Q(guest_key__isnull=False),
                name="one_row_a_unit_of_a_guest",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class VerdictKey(models.Model):
    """A key that signs verdicts; the one in use is not retired.

    Attributes:
        id: begins the hash of the public half.
        public: the 32 bytes as base64.
        sealed: the private half, encrypted with the site's secret.
    """

    id = models.CharField(primary_key=True, max_length=16, editable=False)
    public = models.CharField(max_length=44, editable=False)
    sealed = models.TextField(editable=False)
    created = models.DateTimeField(_("created"), default=timezone.now)
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)

    class Meta:
        verbose_name = _("key of verdicts")
        verbose_name_plural = _("keys of verdicts")

    def __str__(self) -> str:
        return self.id


class SignedVerdict(models.Model):
    """A verdict as it was given and signed; it outlives the list.

    Attributes:
        code: under which anybody may read it.
        content: hash of what was judged and found, so that nothing is signed twice.
        payload: the bytes that are signed.
    """

    code = models.CharField(_("code"), primary_key=True, max_length=10, editable=False)
    army_list = models.ForeignKey(ArmyList, models.SET_NULL, null=True, related_name="signed_verdicts")
    key = models.ForeignKey(VerdictKey, models.PROTECT, related_name="verdicts")
    content = models.CharField(max_length=64)
    payload = models.TextField()
    signature = models.CharField(max_length=88)
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("signed verdict")
        verbose_name_plural = _("signed verdicts")
        constraints = [models.UniqueConstraint(fields=["army_list", "content"], name="verdict_signed_once")]

    def __str__(self) -> str:
        return self.code
