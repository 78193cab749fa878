"""Game systems in the admin; sources are read and releases published in `reference.release_admin`."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.engine.systems.game import GAMES


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that are made by publishing: to be looked at, searched and filtered, not edited."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Publishing adds them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A change would be lost with the next release."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Publishing removes them."""
        return False


def release_link(release: DataRelease | None) -> str:
    """A link to the admin page of a release; a dash for none."""
    if release is None:
        return "–"
    return format_html('<a href="{}">{}</a>', reverse("admin:datafiles_datarelease_change", args=[release.pk]), release)


class SystemForm(forms.ModelForm):
    """A game system whose rule pack is chosen among those of the engine."""

    rule_pack = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Rule pack"),
        help_text=gettext_lazy("None: only the findings of the data are reported."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the rule packs there are."""
        super().__init__(*args, **kwargs)
        self.fields["rule_pack"].choices = [("", "–"), *((pack, pack) for pack in GAMES)]  # type: ignore[attr-defined]


@admin.register(PublishedSystem)
class PublishedSystemAdmin(admin.ModelAdmin):
    """Games; which release is current is chosen on the page of the release."""

    form = SystemForm
    list_display = ["name", "id", "rule_pack", "release", "releases", "position"]
    list_editable = ["position"]
    list_filter = ["rule_pack"]
    search_fields = ["id", "name", "name_ru", "battlescribe_id"]
    readonly_fields = ["release"]
    exclude = ["current_release"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PublishedSystem]:
        """Systems with the number of their releases."""
        return super().get_queryset(request).select_related("current_release").annotate(count=Count("releases"))

    def get_readonly_fields(self, request: HttpRequest, obj: PublishedSystem | None = None) -> list[str]:
        """The id is part of addresses and documents: fixed once it is given."""
        return ["release", "id"] if obj else ["release"]

    @admin.display(description=gettext_lazy("current release"), ordering="current_release__number")
    def release(self, system: PublishedSystem) -> str:
        """A link to the current release."""
        return release_link(system.current_release)

    @admin.display(description=gettext_lazy("releases"), ordering="count")
    def releases(self, system: Any) -> str:
        """A link to all its releases."""
        address = reverse("admin:datafiles_datarelease_changelist") + f"?system__id__exact={system.pk}"
        return format_html('<a href="{}">{}</a>', address, system.count)
