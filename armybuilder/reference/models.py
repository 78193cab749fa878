"""Published game data as rows: what people browse and search, and the alliance cells that they edit."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.reference.tending import tidied


class Named(models.Model):
    """A row with a name in both languages."""

    name = models.CharField(_("name"), max_length=200)
    name_ru = models.CharField(_("name in Russian"), max_length=200, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The name in the language of the reader."""
        return (self.name_ru if get_language() == "ru" else "") or tidied(self.name)


class BattlefieldRole(Named):
    """A role of the force organisation chart, e.g. HQ; the category of the data files that means it."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="roles", verbose_name=_("game system")
    )
    key = models.SlugField(_("key"), max_length=60, help_text=_("As in army documents, e.g. heavy_support."))
    category_id = models.CharField(_("category id"), max_length=80, blank=True)
    position = models.PositiveSmallIntegerField(_("position"), default=100)

    class Meta:
        verbose_name = _("battlefield role")
        verbose_name_plural = _("battlefield roles")
        ordering = ["system", "position", "name"]
        constraints = [models.UniqueConstraint(fields=["system", "key"], name="role_key_once_per_system")]


class Faction(Named):
    """A faction of the rulebook, a catalogue of the data files, or (as a rule) both.

    A faction without a catalogue stands in the alliance matrix only. A catalogue that is one of several
    army lists of a faction (Solar Auxilia of the Imperial Army) points to it by `belongs_to`.
    """

    class Allegiance(models.TextChoices):
        """A side that a faction can never leave."""

        LOYALIST = "loyalist", _("always Loyalist")
        TRAITOR = "traitor", _("always Traitor")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="factions", verbose_name=_("game system")
    )
    key = models.SlugField(_("key"), max_length=80)
    belongs_to = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="army_lists",
        verbose_name=_("army list of"),
        help_text=_("The faction whose alliances count, when this is one of its army lists."),
    )
    legion = models.BooleanField(_("Legion"), default=False)
    fixed_allegiance = models.CharField(_("allegiance"), max_length=10, choices=Allegiance, blank=True)
    matrix_position = models.PositiveSmallIntegerField(
        _("place in the alliance matrix"), null=True, blank=True, help_text=_("Empty: not in the matrix.")
    )
    catalogue_id = models.CharField(_("catalogue id"), max_length=80, blank=True)
    catalogue_name = models.CharField(_("catalogue"), max_length=200, blank=True)
    release = models.ForeignKey(
        DataRelease,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="factions",
        verbose_name=_("release"),
        help_text=_("The release whose catalogue it has; empty: no army list is published."),
    )

    class Meta:
        verbose_name = _("faction")
        verbose_name_plural = _("factions")
        ordering = ["system", F("matrix_position").asc(nulls_last=True), "name"]
        constraints = [
            models.UniqueConstraint(fields=["system", "key"], name="faction_key_once_per_system"),
            models.UniqueConstraint(
                fields=["system", "catalogue_id"], condition=~Q(catalogue_id=""), name="one_faction_per_catalogue"
            ),
            models.UniqueConstraint(fields=["system", "matrix_position"], name="matrix_place_taken_once"),
            models.CheckConstraint(condition=~Q(belongs_to=F("id")), name="faction_not_part_of_itself"),
            models.CheckConstraint(
                condition=Q(fixed_allegiance__in=["", "loyalist", "traitor"]), name="fixed_allegiance_known"
            ),
        ]

    @property
    def for_alliances(self) -> "Faction":
        """The faction that army documents and the alliance matrix name."""
        return self.belongs_to or self


class UnitEntry(Named):
    """A unit of a faction as the current release sells it in its default configuration; rebuilt on publishing."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="units", verbose_name=_("faction"))
    release = models.ForeignKey(DataRelease, on_delete=models.CASCADE, related_name="units", verbose_name=_("release"))
    role = models.ForeignKey(
        BattlefieldRole,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="units",
        verbose_name=_("battlefield role"),
    )
    entry_id = models.CharField(_("entry id"), max_length=400)
    category_name = models.CharField(_("category"), max_length=200, blank=True)
    points = models.DecimalField(_("points"), max_digits=9, decimal_places=2)
    models_count = models.PositiveSmallIntegerField(_("models"), default=1)
    profiles = models.JSONField(
        _("profiles"), default=list, help_text=_("List of {type, name, characteristics: [[name, value], …]}.")
    )
    rules = models.JSONField(_("special rules"), default=list, help_text=_("List of names."))
    costs = models.JSONField(_("costs"), default=dict)
    search_text = models.TextField(editable=False)

    class Meta:
        verbose_name = _("unit")
        verbose_name_plural = _("units")
        ordering = ["faction", F("role__position").asc(nulls_last=True), "name"]
        constraints = [
            models.UniqueConstraint(fields=["faction", "entry_id"], name="entry_once_per_faction"),
        ]
        indexes = [models.Index(fields=["faction", "role", "points"], name="unit_by_role_and_points")]


class ForceOrganisation(Named):
    """A force organisation chart, e.g. the Crusade chart: the detachments an army may consist of.

    The chart and its name stay from release to release; its detachments are rebuilt.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="force_organisations", verbose_name=_("game system")
    )
    release = models.ForeignKey(
        DataRelease,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="force_organisations",
        verbose_name=_("release"),
    )
    key = models.SlugField(_("key"), max_length=80)
    force_entries = models.JSONField(
        _("force entries"),
        default=list,
        blank=True,
        help_text=_("Ids of the force entries that belong to it; others are sorted by their names."),
    )
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("force organisation chart")
        verbose_name_plural = _("force organisation charts")
        ordering = ["system", "position", "name"]
        constraints = [models.UniqueConstraint(fields=["system", "key"], name="chart_key_once_per_system")]


class Detachment(Named):
    """A detachment of a chart; `entry_id` is the force entry that a roster adds for it."""

    class Type(models.TextChoices):
        """Which part of the army it is, as in army documents."""

        PRIMARY = "primary", _("Primary Detachment")
        ALLIED = "allied", _("Allied Detachment")
        LORD_OF_WAR = "lord_of_war", _("Lord of War Detachment")
        OTHER = "other", _("other")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    chart = models.ForeignKey(
        ForceOrganisation, on_delete=models.CASCADE, related_name="detachments", verbose_name=_("chart")
    )
    type = models.CharField(_("type"), max_length=20, choices=Type)
    entry_id = models.CharField(_("force entry id"), max_length=200)
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("detachment")
        verbose_name_plural = _("detachments")
        ordering = ["chart", "position"]
        constraints = [
            models.UniqueConstraint(fields=["chart", "entry_id"], name="force_entry_once_per_chart"),
            models.CheckConstraint(
                condition=Q(type__in=["primary", "allied", "lord_of_war", "other"]), name="detachment_type_known"
            ),
        ]


class Slot(models.Model):
    """How many units of a role a detachment must and may have."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    detachment = models.ForeignKey(
        Detachment, on_delete=models.CASCADE, related_name="slots", verbose_name=_("detachment")
    )
    role = models.ForeignKey(
        BattlefieldRole, on_delete=models.CASCADE, related_name="slots", verbose_name=_("battlefield role")
    )
    minimum = models.PositiveSmallIntegerField(_("minimum"), default=0)
    maximum = models.PositiveSmallIntegerField(
        _("maximum"), null=True, blank=True, help_text=_("Empty: as many as the points allow.")
    )

    class Meta:
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        ordering = ["detachment", "role__position"]
        constraints = [
            models.UniqueConstraint(fields=["detachment", "role"], name="role_once_per_detachment"),
            models.CheckConstraint(
                condition=Q(maximum__isnull=True) | Q(maximum__gte=F("minimum")), name="slot_maximum_not_below_minimum"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.minimum}–{'∞' if self.maximum is None else self.maximum}"


class AllianceLevel(Named):
    """A level of alliance, best first, e.g. Sworn Brothers."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="alliance_levels", verbose_name=_("game system")
    )
    key = models.SlugField(_("key"), max_length=60, help_text=_("As in army documents, e.g. sworn_brothers."))
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    effects = models.TextField(_("effects"), blank=True)
    effects_ru = models.TextField(_("effects in Russian"), blank=True)

    class Meta:
        verbose_name = _("alliance level")
        verbose_name_plural = _("alliance levels")
        ordering = ["system", "position"]
        constraints = [models.UniqueConstraint(fields=["system", "key"], name="level_key_once_per_system")]


class Alliance(models.Model):
    """A cell of the alliance matrix: how the primary detachment's faction sees an ally. No level: not known."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="alliances", verbose_name=_("game system")
    )
    from_faction = models.ForeignKey(
        Faction, on_delete=models.CASCADE, related_name="alliances", verbose_name=_("primary detachment")
    )
    to_faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="+", verbose_name=_("ally"))
    level = models.ForeignKey(
        AllianceLevel,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="alliances",
        verbose_name=_("level"),
        help_text=_("Empty: not known."),
    )
    source = models.CharField(_("source"), max_length=300, blank=True, help_text=_("Book and page it was taken from."))
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("edited by"),
    )
    edited_at = models.DateTimeField(_("edited"), null=True, blank=True)

    class Meta:
        verbose_name = _("alliance")
        verbose_name_plural = _("alliance matrix")
        ordering = ["system", "from_faction__matrix_position", "to_faction__matrix_position"]
        constraints = [
            models.UniqueConstraint(fields=["system", "from_faction", "to_faction"], name="alliance_cell_once"),
        ]

    def __str__(self) -> str:
        return f"{self.from_faction} → {self.to_faction}: {self.level or '?'}"


class AllianceEdit(models.Model):
    """What somebody made of a cell, and when; names, so that it outlives what it speaks of."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    alliance = models.ForeignKey(Alliance, on_delete=models.CASCADE, related_name="history", verbose_name=_("alliance"))
    level_before = models.CharField(_("before"), max_length=60, blank=True)
    level_after = models.CharField(_("after"), max_length=60, blank=True)
    source = models.CharField(_("source"), max_length=300, blank=True)
    edited_by = models.CharField(_("edited by"), max_length=150, blank=True)
    edited_at = models.DateTimeField(_("edited"))

    class Meta:
        verbose_name = _("edit of an alliance")
        verbose_name_plural = _("edits of alliances")
        ordering = ["-edited_at"]

    def __str__(self) -> str:
        return f"{self.level_before or '?'} → {self.level_after or '?'}"


class DataReport(models.Model):
    """A mistake in the data that somebody reported from a unit; kept for the administrator, who hands it on."""

    MOST_TEXT = 2000

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="data_reports", verbose_name=_("game system")
    )
    release = models.ForeignKey(
        DataRelease, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("release")
    )
    unit = models.CharField(_("unit"), max_length=200, blank=True)
    entry_id = models.CharField(_("entry id"), max_length=400, blank=True)
    text = models.TextField(_("what is wrong"), max_length=MOST_TEXT)
    reported_by = models.CharField(_("reported by"), max_length=150, blank=True)
    reported_at = models.DateTimeField(_("reported"), auto_now_add=True)
    settled = models.BooleanField(_("settled"), default=False)

    class Meta:
        verbose_name = _("reported mistake")
        verbose_name_plural = _("reported mistakes")
        ordering = ["settled", "-reported_at"]

    def __str__(self) -> str:
        return f"{self.unit or self.system_id}: {self.text[:60]}"


class Fortification(Named):
    """A fortification of the current release; rebuilt on publishing."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="fortifications", verbose_name=_("game system")
    )
    release = models.ForeignKey(
        DataRelease, on_delete=models.CASCADE, related_name="fortifications", verbose_name=_("release")
    )
    entry_id = models.CharField(_("entry id"), max_length=400)
    points = models.DecimalField(_("points"), max_digits=9, decimal_places=2)
    maximum_points = models.DecimalField(
        _("points with every option"), max_digits=9, decimal_places=2, null=True, blank=True
    )
    profiles = models.JSONField(_("profiles"), default=list)
    rules = models.JSONField(_("special rules"), default=list)
    options = models.JSONField(_("options"), default=list, help_text=_("List of {name, name_ru, points, maximum}."))

    class Meta:
        verbose_name = _("fortification")
        verbose_name_plural = _("fortifications")
        ordering = ["system", "points", "name"]
        constraints = [models.UniqueConstraint(fields=["system", "entry_id"], name="fortification_entry_once")]


class MagicItem(Named):
    """A magic item that every army of a game may buy; what army books add stands in their data."""

    class Category(models.TextChoices):
        """The six categories of which a model carries one item each, in the order of the rules text."""

        WEAPON = "weapon", _("magic weapons")
        ARMOUR = "armour", _("magic armour")
        TALISMAN = "talisman", _("talismans")
        BANNER = "banner", _("magic banners")
        ARCANE = "arcane", _("arcane items")
        ENCHANTED = "enchanted", _("enchanted items")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.ForeignKey(
        PublishedSystem, on_delete=models.CASCADE, related_name="magic_items", verbose_name=_("game system")
    )
    key = models.SlugField(_("key"), max_length=60)
    category = models.CharField(_("kind"), max_length=10, choices=Category)
    points = models.PositiveSmallIntegerField(_("points"))
    one_use = models.BooleanField(_("one use only"), default=False)
    bearers = models.CharField(_("who may carry it"), max_length=200)
    bearers_ru = models.CharField(_("who may carry it, in Russian"), max_length=200, blank=True)
    source = models.CharField(_("source"), max_length=60, blank=True, help_text=_("Lines of the rules text."))
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    search_text = models.CharField(max_length=500, editable=False)

    class Meta:
        verbose_name = _("magic item")
        verbose_name_plural = _("magic items")
        ordering = ["system", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["system", "key"], name="magic_item_key_once_per_system"),
            models.CheckConstraint(
                condition=Q(category__in=["weapon", "armour", "talisman", "banner", "arcane", "enchanted"]),
                name="magic_item_category_known",
            ),
        ]

    @property
    def carried_by(self) -> str:
        """Who may carry it, in the language of the reader."""
        return (self.bearers_ru if get_language() == "ru" else "") or self.bearers
