"""Sources and releases in the admin: read or upload, look at the report, publish, go back to an earlier one."""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.accounts.models import User
from armybuilder.datafiles.admin import ReadOnlyAdmin
from armybuilder.datafiles.models import DataFile, DataRelease, DataSource, PublishedSystem
from armybuilder.engine.errors import GameError
from armybuilder.reference import import_queue, publishing
from armybuilder.reference.import_admin import may_publish, page_of


class DataSourceAdmin(admin.ModelAdmin):
    """Folders and addresses that data is read from; what is read becomes a release to be looked at and published."""

    list_display = ["name", "system", "kind", "address", "newest", "every_hours", "publishes", "checked_at", "problem"]
    list_filter = ["system", "kind"]
    list_select_related = ["system"]
    search_fields = ["name", "address"]
    actions = ["read_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[DataSource]:
        """Sources with the number of the newest release that came from each."""
        return super().get_queryset(request).annotate(newest=Max("releases__number"))

    @admin.display(description=gettext_lazy("newest release"), ordering="newest")
    def newest(self, source: Any) -> str:
        """Its number, or a dash."""
        return str(source.newest or "–")

    def has_read_permission(self, request: HttpRequest) -> bool:
        """Who may add releases may read sources."""
        return request.user.has_perm("datafiles.add_datarelease")

    @admin.action(description=gettext_lazy("Read the chosen sources"), permissions=["read"])
    def read_again(self, request: HttpRequest, chosen: QuerySet[DataSource]) -> None:
        """Have what lies in each of them now read, on the queue."""
        for source in chosen.select_related("system"):
            asked = import_queue.ask_for_source(source, by=_user(request))
            address = reverse("admin:datafiles_dataimport_change", args=[asked.pk])
            text = format_html('<a href="{}">{}</a>', address, _("%(source)s is being read.") % {"source": source})
            self.message_user(request, text, messages.SUCCESS)


class SeveralFilesInput(forms.ClearableFileInput):
    """A field for any number of files."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """Any number of files, at least one."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Each file, checked by itself."""
        clean_one = super().clean
        given = data if isinstance(data, list | tuple) else [data]
        found = [clean_one(file, initial) for file in given or [None]]
        return [file for file in found if file]


class UploadForm(forms.Form):
    """Files of one release."""

    system = forms.ModelChoiceField(
        PublishedSystem.objects.all(),
        label=gettext_lazy("Game system"),
        required=False,
        help_text=gettext_lazy("Empty: each game is known by its data, and a new one is added."),
    )
    data_files = SeveralFilesField(
        required=False,
        label=gettext_lazy("Files"),
        help_text=gettext_lazy("All .gst, .cat, .gstz and .catz files of the release, or a .zip of them."),
    )
    address = forms.URLField(
        required=False,
        max_length=500,
        assume_scheme="https",
        label=gettext_lazy("Or their address"),
        help_text=gettext_lazy("An https address of a file, an archive or a repository index (.bsi)."),
        widget=forms.URLInput({"size": 60}),
    )
    origin = forms.CharField(
        label=gettext_lazy("Where they come from"), max_length=300, required=False, widget=forms.TextInput({"size": 60})
    )

    def clean(self) -> dict[str, Any]:
        """Files or an address, one of the two."""
        cleaned = super().clean() or self.cleaned_data
        if bool(cleaned.get("data_files")) == bool(cleaned.get("address")) and not self.errors:
            self.add_error("data_files", _("Choose files or give an address: one of the two."))
        return cleaned

    def sent(self) -> list[tuple[str, bytes]]:
        """Names and contents of what was uploaded."""
        most = settings.GAMEDATA_MAX_FILE_BYTES + 1  # one byte more than allowed is enough to refuse
        return [(file.name, file.read(most)) for file in self.cleaned_data["data_files"]]


class FileInline(admin.TabularInline):
    """The files of a release, to be downloaded."""

    model = DataFile
    readonly_fields = ("download", "size", "sha256")
    fields = readonly_fields
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[DataFile]:
        """Everything but the content, which may be megabytes."""
        return super().get_queryset(request).defer("content")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A release is immutable."""
        return False

    @admin.display(description=gettext_lazy("file"))
    def download(self, file: DataFile) -> str:
        """A link that gives the file back byte for byte."""
        address = reverse("admin:datafiles_datarelease_file", args=[file.release_id, file.pk])
        return format_html('<a href="{}">{}</a>', address, file.name)


class CurrentFilter(admin.SimpleListFilter):
    """Releases that new lists are built with, or the others."""

    title = gettext_lazy("current")
    parameter_name = "current"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Two answers."""
        return [("yes", _("Current")), ("no", _("Not current"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[DataRelease]) -> QuerySet[DataRelease]:
        """Only the wanted ones."""
        current = PublishedSystem.objects.filter(current_release__isnull=False).values("current_release")
        if self.value() == "yes":
            return queryset.filter(pk__in=current)
        return queryset.exclude(pk__in=current) if self.value() == "no" else queryset


class DataReleaseAdmin(ReadOnlyAdmin):
    """Releases. An upload is read and reported first; publishing it is a second, deliberate step."""

    list_display = [
        "__str__",
        "system",
        "current",
        "name",
        "revision",
        "catalogues",
        "problems",
        "origin",
        "created_at",
    ]
    list_filter = ["system", CurrentFilter, "created_at"]
    list_select_related = ["system", "created_by"]
    search_fields = ["name", "origin", "content_hash", "files__name"]
    date_hierarchy = "created_at"
    inlines = [FileInline]
    fields = ["system", "number", "name", "revision", "origin", "created_at", "created_by", "content_hash"]
    change_form_template = "admin/datafiles/release.html"
    change_list_template = "admin/datafiles/releases.html"

    def get_urls(self) -> list[URLPattern]:
        """The usual addresses, the upload, publishing, and the download of a file."""
        site, name = self.admin_site.admin_view, "datafiles_datarelease"
        return [
            path("upload/", site(self.upload), name=f"{name}_upload"),
            path("<uuid:release_id>/publish/", site(self.publish), name=f"{name}_publish"),
            path("<uuid:release_id>/files/<uuid:file_id>/", site(self.file), name=f"{name}_file"),
            *super().get_urls(),
        ]

    def may_publish(self, request: HttpRequest) -> bool:
        """Whether the user may add and switch releases."""
        return may_publish(request)

    def upload(self, request: HttpRequest) -> HttpResponse:
        """Have uploaded files read on the queue, and stored as a release that is not current yet."""
        if not self.may_publish(request):
            raise PermissionDenied
        sent = request.method == "POST"
        form = UploadForm(request.POST if sent else None, request.FILES if sent else None)
        if sent and form.is_valid():
            given = form.cleaned_data
            try:
                asked = import_queue.ask(
                    files=form.sent(),
                    addresses=[given["address"]] if given["address"] else [],
                    origin=given["origin"] or given["address"] or _("upload"),
                    by=_user(request),
                    publish=False,
                    system=given["system"],
                )
            except GameError as refused:
                form.add_error("address", str(refused))
            else:
                return page_of(asked)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Upload game data"),
            "opts": self.opts,
            "form": form,
        }
        status = 422 if form.errors else 200
        return TemplateResponse(request, "admin/datafiles/upload.html", context, status=status)

    def publish(self, request: HttpRequest, release_id: UUID) -> HttpResponse:
        """Make a stored release the current one."""
        if not self.may_publish(request):
            raise PermissionDenied
        release = get_object_or_404(DataRelease.objects.select_related("system"), pk=release_id)
        if request.method == "POST":
            try:
                publishing.make_current(release, by=_user(request))
            except GameError as refused:
                self.message_user(request, str(refused), messages.ERROR)
            else:
                text = _("%(release)s is now the current release.") % {"release": release}
                self.message_user(request, text, messages.SUCCESS)
                self.log_change(request, release, "published")
        return HttpResponseRedirect(reverse("admin:datafiles_datarelease_change", args=[release.pk]))

    def file(self, request: HttpRequest, release_id: UUID, file_id: UUID) -> HttpResponse:
        """One file of a release, byte for byte."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        file = get_object_or_404(DataFile, pk=file_id, release_id=release_id)
        disposition = content_disposition_header(as_attachment=True, filename=file.name)
        return HttpResponse(
            bytes(file.content),
            content_type="application/octet-stream",
            headers={"Content-Disposition": disposition or "attachment"},
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list with its upload button."""
        context = (extra_context or {}) | {"may_publish": self.may_publish(request)}
        return super().changelist_view(request, context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of a release with its report."""
        release = self.get_object(request, object_id)
        context = extra_context or {}
        if release is not None:
            context |= {
                "report": release.report,
                "is_current": self.current(release),
                "may_publish": self.may_publish(request),
            }
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description=gettext_lazy("current"), boolean=True)
    def current(self, release: DataRelease) -> bool:
        """Whether new lists are built with it."""
        return release.system.current_release_id == release.pk

    @admin.display(description=gettext_lazy("catalogues"))
    def catalogues(self, release: DataRelease) -> int:
        """How many catalogues were read."""
        return len(release.report.get("catalogues", []))

    @admin.display(description=gettext_lazy("problems"))
    def problems(self, release: DataRelease) -> int:
        """How many links did not resolve."""
        return len(release.report.get("problems", []))


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
