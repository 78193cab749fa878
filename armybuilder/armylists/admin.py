"""Lists, revisions and share links for administrators: mostly to read, with a way into the builder."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.models import ArmyList, Revision, ShareLink
from armybuilder.armylists.release_effects import effects_of
from armybuilder.datafiles import queries


class _ReadOnly:
    """Shown, never typed into: lists change through the builder, which checks them and keeps the revision."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is made here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is changed here except by the actions."""
        return False


class RevisionInline(_ReadOnly, admin.TabularInline):
    """The history of one list."""

    model = Revision
    extra = 0
    can_delete = False
    fields = ("number", "kind", "summary_en", "summary_ru", "points", "created")
    readonly_fields = fields
    ordering = ("-number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Revision]:
        """Without the documents, which may be many and large."""
        return super().get_queryset(request).defer("packed_document")


class ShareLinkInline(_ReadOnly, admin.TabularInline):
    """The links that share one list."""

    model = ShareLink
    extra = 0
    can_delete = False
    fields = ("ends_in", "created", "expires", "revoked_at")
    readonly_fields = fields

    @admin.display(description=_("ends in"))
    def ends_in(self, link: ShareLink) -> str:
        """Enough of the token to tell links apart; the rest is the players' secret."""
        return f"…{link.token[-4:]}"


class IsDeleted(admin.SimpleListFilter):
    """Lists in the bin, or those in use."""

    title = _("bin")
    parameter_name = "bin"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, Any]]:
        """The two choices besides all."""
        return [("yes", _("in the bin")), ("no", _("in use"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ArmyList]) -> QuerySet[ArmyList]:
        """Only those that were chosen."""
        return queryset if self.value() is None else queryset.filter(deleted__isnull=self.value() == "no")


@admin.register(ArmyList)
class ArmyListAdmin(_ReadOnly, admin.ModelAdmin):
    """Stored lists with their verdicts."""

    list_display = (
        "name",
        "system",
        "owner_or_guest",
        "points",
        "points_limit",
        "verdict",
        "finding_counts",
        "revision",
        "updated",
        "open_builder",
    )
    list_filter = ("system", "verdict", IsDeleted, ("owner", admin.EmptyFieldListFilter), "updated")
    search_fields = ("name", "id", "owner__username", "faction_names")
    search_help_text = _("name, id, owner or faction")
    date_hierarchy = "updated"
    list_select_related = ("system", "owner")
    list_per_page = 50
    inlines = (ShareLinkInline, RevisionInline)
    actions = ("revoke_links", "take_out_of_the_bin")
    fields = (
        "open_builder",
        "name",
        "system",
        "release",
        "owner",
        "guest_key",
        ("points", "points_limit"),
        ("verdict", "finding_counts", "left_to_choose", "unchecked_parts"),
        "faction_names",
        ("folder", "tags"),
        "copied_from",
        ("revision", "created", "updated", "deleted"),
        "document",
    )
    readonly_fields = ("open_builder",)

    def get_urls(self) -> list[URLPattern]:
        """The usual addresses, and what a release would do to the lists there are."""
        view = self.admin_site.admin_view(self.effects)
        return [path("effects/<uuid:release_id>/", view, name="armylists_armylist_effects"), *super().get_urls()]

    def effects(self, request: HttpRequest, release_id: UUID) -> HttpResponse:
        """How many lists a release would give another price or verdict."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        release = queries.release(release_id)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Lists that would change"),
            "release": release,
            "effects": effects_of(release),
        }
        return TemplateResponse(request, "admin/armylists/effects.html", context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ArmyList]:
        """A page of lists does not load their documents."""
        queryset = super().get_queryset(request)
        match = request.resolver_match
        is_page_of_lists = match is not None and (match.url_name or "").endswith("changelist")
        return queryset.defer("document") if is_page_of_lists else queryset

    @admin.display(description=_("owner"), ordering="owner__username")
    def owner_or_guest(self, army_list: ArmyList) -> str:
        """The account, or that it is a guest's."""
        return str(army_list.owner) if army_list.owner is not None else str(_("guest"))

    @admin.display(description=_("builder"))
    def open_builder(self, army_list: ArmyList) -> str:
        """The list as players see it."""
        return format_html('<a href="/lists/{}/">{}</a>', army_list.pk, _("open"))

    @admin.action(description=_("Revoke all share links"))
    def revoke_links(self, request: HttpRequest, queryset: QuerySet[ArmyList]) -> None:
        """Close the links of the chosen lists."""
        links = ShareLink.objects.filter(army_list__in=queryset, revoked_at__isnull=True)
        closed = links.update(revoked_at=timezone.now())
        self.message_user(request, _("Share links revoked: %(number)s") % {"number": closed})

    @admin.action(description=_("Take out of the bin"))
    def take_out_of_the_bin(self, request: HttpRequest, queryset: QuerySet[ArmyList]) -> None:
        """Give deleted lists back to their owners."""
        restored = queryset.filter(deleted__isnull=False).update(deleted=None)
        self.message_user(request, _("Lists restored: %(number)s") % {"number": restored})


@admin.register(ShareLink)
class ShareLinkAdmin(_ReadOnly, admin.ModelAdmin):
    """Who shares what, without the secrets."""

    list_display = ("army_list", "owner", "created", "expires", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter), "created")
    search_fields = ("army_list__name", "army_list__owner__username")
    list_select_related = ("army_list", "army_list__owner")
    fields = ("army_list", "created", "expires", "revoked_at")
    actions = ("revoke",)

    @admin.display(description=_("owner"))
    def owner(self, link: ShareLink) -> object:
        """Whose list it is."""
        return link.army_list.owner or _("guest")

    @admin.action(description=_("Revoke"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ShareLink]) -> None:
        """Close the chosen links."""
        closed = queryset.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
        self.message_user(request, _("Share links revoked: %(number)s") % {"number": closed})
