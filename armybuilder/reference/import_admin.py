"""Imports in the admin: how far each is, what it came to, a way to stop it, and the gallery of public repositories."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _

from armybuilder.accounts.models import User
from armybuilder.datafiles.admin import ReadOnlyAdmin
from armybuilder.datafiles.models import DataImport, DataRelease
from armybuilder.reference import import_queue
from armybuilder.reference.gallery import gallery


def may_publish(request: HttpRequest) -> bool:
    """Whether the user may add and switch releases."""
    return request.user.has_perms(["datafiles.add_datarelease", "datafiles.change_publishedsystem"])


def page_of(asked: DataImport) -> HttpResponse:
    """The way to the page of an import."""
    return HttpResponseRedirect(reverse("admin:datafiles_dataimport_change", args=[asked.pk]))


class DataImportAdmin(ReadOnlyAdmin):
    """What was asked for; the page of one tells how far it is."""

    list_display = ["__str__", "system", "state", "done", "total", "created_by", "created_at", "finished_at"]
    list_filter = ["state", "system"]
    list_select_related = ["system", "created_by"]
    fields = ["origin", "system", "source", "publish", "state", "created_by", "created_at", "finished_at"]
    change_form_template = "admin/datafiles/import.html"
    change_list_template = "admin/datafiles/imports.html"

    def get_urls(self) -> list[URLPattern]:
        """The usual addresses, the gallery, and the way to stop an import."""
        site, name = self.admin_site.admin_view, "datafiles_dataimport"
        return [
            path("gallery/", site(self.gallery), name=f"{name}_gallery"),
            path("<uuid:import_id>/cancel/", site(self.cancel), name=f"{name}_cancel"),
            *super().get_urls(),
        ]

    def gallery(self, request: HttpRequest) -> HttpResponse:
        """Public repositories by the name of their game; one press fetches and publishes one."""
        if not may_publish(request):
            raise PermissionDenied
        known = gallery()
        if request.method == "POST":
            name = request.POST.get("repository", "")
            address = known.address_of(name)
            if address is None:
                raise Http404
            by = request.user if isinstance(request.user, User) else None
            return page_of(import_queue.ask(addresses=[address], origin=address, by=by, publish=True))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Public repositories"),
            "opts": self.opts,
            "repositories": known.repositories,
        }
        return TemplateResponse(request, "admin/datafiles/gallery.html", context)

    def cancel(self, request: HttpRequest, import_id: UUID) -> HttpResponse:
        """Stop an import before its next step."""
        if not may_publish(request):
            raise PermissionDenied
        asked = get_object_or_404(DataImport, pk=import_id)
        if request.method == "POST" and import_queue.cancel(asked):
            self.message_user(request, _("The import is stopped."), messages.SUCCESS)
        return page_of(asked)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """How far the import is, and what it came to."""
        asked = self.get_object(request, object_id)
        context = extra_context or {}
        if asked is not None:
            made = DataRelease.objects.filter(pk__in=asked.releases).select_related("system")
            context |= {"asked": asked, "made": made, "may_publish": may_publish(request)}
            context |= {"lacks_worker": import_queue.lacks_worker(asked), "by_celery": settings.QUEUE != "embedded"}
        return super().change_view(request, object_id, form_url, context)
