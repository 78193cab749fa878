"""The reference in the admin: names and alliances are edited, what publishing rebuilds is read-only."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from armybuilder.datafiles.admin import ReadOnlyAdmin, release_link
from armybuilder.datafiles.models import DataImport, DataRelease, DataSource
from armybuilder.reference.alliance_admin import AllianceAdmin
from armybuilder.reference.data_reports import issue_text
from armybuilder.reference.import_admin import DataImportAdmin
from armybuilder.reference.magic import words_of
from armybuilder.reference.models import (
    Alliance,
    AllianceLevel,
    BattlefieldRole,
    DataReport,
    Detachment,
    Faction,
    ForceOrganisation,
    Fortification,
    MagicItem,
    UnitEntry,
)
from armybuilder.reference.release_admin import DataReleaseAdmin, DataSourceAdmin

admin.site.site_header = admin.site.site_title = _("Army Builder: administration")
admin.site.index_title = _("Game data, lists and users")
admin.site.register(DataSource, DataSourceAdmin)
admin.site.register(DataRelease, DataReleaseAdmin)
admin.site.register(DataImport, DataImportAdmin)
admin.site.register(Alliance, AllianceAdmin)


class KeyedAdmin(admin.ModelAdmin):
    """Rows with a key that documents and addresses use: game and key are fixed once they are given."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Game and key can be chosen for a new row only."""
        return [*self.readonly_fields, "system", "key"] if obj else list(self.readonly_fields)


@admin.register(BattlefieldRole)
class BattlefieldRoleAdmin(KeyedAdmin):
    """Roles: their names and order are edited, their keys are those of army documents."""

    list_display = ["name", "name_ru", "key", "system", "position"]
    list_editable = ["name_ru", "position"]
    list_filter = ["system"]
    list_select_related = ["system"]
    search_fields = ["name", "name_ru", "key"]


class PlayableFilter(admin.SimpleListFilter):
    """Factions with a published army list, or without."""

    title = _("army list")
    parameter_name = "playable"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Two answers."""
        return [("yes", _("Published")), ("no", _("In the matrix only"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Faction]) -> QuerySet[Faction]:
        """Only the wanted ones."""
        if self.value() == "yes":
            return queryset.exclude(catalogue_id="")
        return queryset.filter(catalogue_id="") if self.value() == "no" else queryset


class FactionForm(forms.ModelForm):
    """A faction; it can be an army list only of a faction of the same system."""

    def clean_belongs_to(self) -> Faction | None:
        """Refuse another game's faction, and chains."""
        parent: Faction | None = self.cleaned_data["belongs_to"]
        own = self.instance.system if self.instance.system_id else None
        if parent is not None and (
            parent.belongs_to_id or own is None or parent.system_id not in (own.pk, own.home_id)
        ):
            raise forms.ValidationError(
                _("Choose a faction of the same game that is not itself an army list of another.")
            )
        return parent


@admin.register(Faction)
class FactionAdmin(KeyedAdmin):
    """Factions: names, allegiance and place in the matrix are edited; the catalogue comes with a release."""

    form = FactionForm
    list_display = ["name", "name_ru", "key", "system", "belongs_to", "matrix_position", "catalogue_name", "unit_count"]
    list_filter = ["system", PlayableFilter, "legion", "fixed_allegiance"]
    list_select_related = ["system", "belongs_to"]
    list_per_page = 200
    search_fields = ["name", "name_ru", "key", "catalogue_name"]
    readonly_fields = ["catalogue_id", "catalogue_name", "from_release"]
    exclude = ["release"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Faction]:
        """Factions with the number of their units."""
        return super().get_queryset(request).annotate(unit_count=Count("units"))

    @admin.display(description=_("units"), ordering="unit_count")
    def unit_count(self, faction: Any) -> int:
        """How many units its army list has."""
        return int(faction.unit_count)

    @admin.display(description=_("release"))
    def from_release(self, faction: Faction) -> str:
        """A link to the release its catalogue is from."""
        return release_link(faction.release)


def characteristics_table(profiles: list[dict[str, Any]]) -> SafeString:
    """Profiles as a list of lines, for people who check data."""
    lines = [
        (profile["type"], profile["name"], ", ".join(f"{name} {value}" for name, value in profile["characteristics"]))
        for profile in profiles
    ]
    return format_html_join("", "<p>{}: <strong>{}</strong><br>{}</p>", lines)


@admin.register(DataReport)
class DataReportAdmin(admin.ModelAdmin):
    """Mistakes that players reported; each is handed on as the text of an issue, then settled."""

    list_display = ["__str__", "system", "unit", "reported_by", "reported_at", "settled"]
    list_editable = ["settled"]
    list_filter = ["settled", "system"]
    list_select_related = ["system"]
    search_fields = ["unit", "text"]
    readonly_fields = ["system", "release", "unit", "entry_id", "text", "reported_by", "reported_at"]
    actions = ["as_issues"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Players add them."""
        return False

    @admin.action(description=_("Save as texts of issues"))
    def as_issues(self, request: HttpRequest, reports: QuerySet[DataReport]) -> HttpResponse:
        """The chosen reports as one text file, to be pasted where the data is kept."""
        text = "\n---\n\n".join(issue_text(report) for report in reports.select_related("system", "release"))
        headers = {"Content-Disposition": 'attachment; filename="issues.md"'}
        return HttpResponse(text, content_type="text/markdown; charset=utf-8", headers=headers)


class RebuiltAdmin(ReadOnlyAdmin):
    """Rows rebuilt from a release, each with a link to it."""

    @admin.display(description=_("release"))
    def from_release(self, row: Any) -> str:
        """A link to the release the row was built from."""
        return release_link(row.release)

    @admin.display(description=_("profiles"))
    def profile_lines(self, row: Any) -> SafeString:
        """The profiles as readable lines."""
        return characteristics_table(row.profiles)

    @admin.display(description=_("special rules"))
    def rule_names(self, row: Any) -> str:
        """The rules by name."""
        return ", ".join(row.rules) or "–"


@admin.register(UnitEntry)
class UnitEntryAdmin(RebuiltAdmin):
    """Units of the current releases."""

    list_display = ["name", "name_ru", "faction", "role", "points", "models_count", "from_release"]
    list_filter = ["faction__system", "role", "faction"]
    list_select_related = ["faction", "role", "release", "release__system"]
    list_per_page = 50
    search_fields = ["search_text"]
    search_help_text = _("Words of the name, special rules or weapons, in either language.")
    fields = [
        "name", "name_ru", "faction", "role", "category_name", "points", "models_count", "profile_lines", "rule_names",
        "entry_id", "from_release",
    ]  # fmt: skip
    readonly_fields = ["profile_lines", "rule_names", "from_release"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[UnitEntry], search_term: str
    ) -> tuple[QuerySet[UnitEntry], bool]:
        """Search in small letters, as the text is stored: SQLite knows the case of Latin letters only."""
        return super().get_search_results(request, queryset, search_term.casefold())


class DetachmentInline(admin.TabularInline):
    """The detachments of a chart with their slots."""

    model = Detachment
    readonly_fields = ("name", "name_ru", "type", "slot_lines")
    fields = readonly_fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Publishing adds them."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Detachment]:
        """Detachments with slots and roles, in two queries."""
        return super().get_queryset(request).prefetch_related("slots__role")

    @admin.display(description=_("slots"))
    def slot_lines(self, detachment: Detachment) -> SafeString:
        """Each role with its minimum and maximum."""
        return format_html_join("", "{}<br>", ((str(slot),) for slot in detachment.slots.all()))


@admin.register(ForceOrganisation)
class ForceOrganisationAdmin(KeyedAdmin):
    """Charts: their names and force entries are edited, the detachments come with a release."""

    list_display = ["name", "name_ru", "system", "detachment_names", "from_release"]
    list_filter = ["system"]
    list_select_related = ["system", "release", "release__system"]
    search_fields = ["name", "name_ru"]
    fields = ["name", "name_ru", "system", "key", "force_entries", "from_release"]
    readonly_fields = ["from_release"]
    inlines = [DetachmentInline]

    @admin.display(description=_("release"))
    def from_release(self, chart: ForceOrganisation) -> str:
        """A link to the release its detachments are from."""
        return release_link(chart.release)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ForceOrganisation]:
        """Charts with their detachments."""
        return super().get_queryset(request).prefetch_related("detachments")

    @admin.display(description=_("detachments"))
    def detachment_names(self, chart: ForceOrganisation) -> str:
        """The detachments by name."""
        return ", ".join(str(detachment) for detachment in chart.detachments.all())


@admin.register(AllianceLevel)
class AllianceLevelAdmin(KeyedAdmin):
    """Levels of alliance; their texts are shown to players."""

    list_display = ["name", "name_ru", "key", "system", "position"]
    list_filter = ["system"]
    list_select_related = ["system"]
    search_fields = ["name", "name_ru", "key"]


@admin.register(Fortification)
class FortificationAdmin(RebuiltAdmin):
    """Fortifications of the current releases."""

    list_display = ["name", "name_ru", "system", "points", "from_release"]
    list_filter = ["system"]
    list_select_related = ["system", "release", "release__system"]
    search_fields = ["name", "name_ru"]
    fields = ["name", "name_ru", "system", "points", "profile_lines", "rule_names", "option_lines", "from_release"]
    readonly_fields = ["profile_lines", "rule_names", "option_lines", "from_release"]

    @admin.display(description=_("options"))
    def option_lines(self, fortification: Fortification) -> SafeString:
        """Each option with its points."""
        lines = ((option["name"], option["points"]) for option in fortification.options)
        return format_html("{}", format_html_join("", "{} (+{})<br>", lines))


@admin.register(MagicItem)
class MagicItemAdmin(KeyedAdmin):
    """Common magic items; the rules check who carries what by their own table."""

    list_display = ["name", "name_ru", "category", "points", "one_use", "system"]
    list_filter = ["system", "category", "one_use"]
    list_select_related = ["system"]
    search_fields = ["name", "name_ru", "search_text"]

    def save_model(self, request: HttpRequest, obj: MagicItem, form: Any, change: bool) -> None:
        """An edited item is found by its new words."""
        obj.search_text = words_of(obj)
        super().save_model(request, obj, form, change)
