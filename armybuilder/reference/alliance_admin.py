"""The alliance matrix in the admin: one editable grid a game, with import and export as CSV."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.reference import alliance_table, queries, services
from armybuilder.reference.errors import BadAllianceTable, MatrixChanged
from armybuilder.reference.models import Alliance, AllianceEdit, Faction
from armybuilder.reference.queries import AllianceMatrix

MOST_BYTES = 1_000_000
"""Largest table that is taken."""


class TableForm(forms.Form):
    """A CSV table to import."""

    table = forms.FileField(label=gettext_lazy("CSV file"))
    source = forms.CharField(label=gettext_lazy("Source"), max_length=300)

    def clean_table(self) -> str:
        """The text of the file, in UTF-8."""
        file = self.cleaned_data["table"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than a megabyte."))
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The file is not in UTF-8; save it as CSV UTF-8.")) from None


class HistoryInline(admin.TabularInline):
    """Who made what of a cell."""

    model = AllianceEdit
    readonly_fields = ("edited_at", "edited_by", "level_before", "level_after", "source")
    fields = readonly_fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """History is written by editing."""
        return False


class AllianceAdmin(admin.ModelAdmin):
    """Recorded cells with their history; editing happens in the grid, where the whole table is seen."""

    list_display = ["from_faction", "to_faction", "level", "source", "edited_by", "edited_at"]
    list_filter = ["system", "level", "from_faction", "edited_at"]
    list_select_related = ["from_faction", "to_faction", "level", "edited_by"]
    search_fields = ["from_faction__name", "to_faction__name", "from_faction__name_ru", "source"]
    date_hierarchy = "edited_at"
    inlines = [HistoryInline]
    change_list_template = "admin/reference/alliances.html"

    def get_urls(self) -> list[URLPattern]:
        """The usual addresses, and the grid of each game."""
        site = self.admin_site.admin_view
        return [
            path("matrix/<slug:system_id>/", site(self.grid), name="reference_alliance_matrix"),
            path("matrix/<slug:system_id>/import/", site(self.take_table), name="reference_alliance_import"),
            path("matrix/<slug:system_id>/export.csv", site(self.give_table), name="reference_alliance_export"),
            *super().get_urls(),
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Cells are filled in the grid."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Alliance | None = None) -> bool:
        """A single cell is looked at here and changed in the grid, so that its history is kept."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Alliance | None = None) -> bool:
        """A cell becomes unknown in the grid; its history stays."""
        return False

    def may_edit(self, request: HttpRequest) -> bool:
        """Whether the user may fill the grid."""
        return request.user.has_perm("reference.change_alliance")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, with links to the grids."""
        context = (extra_context or {}) | {"grids": _systems_with_a_matrix()}
        return super().changelist_view(request, context)

    def grid(self, request: HttpRequest, system_id: str) -> HttpResponse:
        """Show the whole matrix; take a changed one."""
        matrix = self._matrix(request, system_id)
        if request.method != "POST":
            return self._page(request, matrix)
        if not self.may_edit(request):
            raise PermissionDenied
        cells = _posted_cells(matrix, request)
        if cells is None:
            return self._page(request, matrix, problems=[_("A cell names a level that this game does not have.")])
        try:
            changed = services.record_alliances(
                system_id,
                cells,
                source=request.POST.get("source", "").strip(),
                by=_user(request),
                expected_fingerprint=request.POST.get("fingerprint", ""),
                both_ways="both_ways" in request.POST,
            )
        except MatrixChanged as refused:
            # What was typed stays on the page, with the new fingerprint: saving again is a decision.
            return self._page(request, matrix, problems=[_localized(refused.text)], typed=cells)
        return self._saved(request, system_id, changed)

    def take_table(self, request: HttpRequest, system_id: str) -> HttpResponse:
        """Import a CSV table: all of it or nothing."""
        matrix = self._matrix(request, system_id)
        if not self.may_edit(request):
            raise PermissionDenied
        form = TableForm(request.POST or None, request.FILES or None)
        if request.method != "POST" or not form.is_valid():
            problems = [str(message) for messages_ in form.errors.values() for message in messages_]
            return self._page(request, matrix, problems=problems, form=form)
        try:
            cells = alliance_table.read(matrix, form.cleaned_data["table"])
        except BadAllianceTable as refused:
            problems = [_localized(problem) for problem in refused.problems]
            return self._page(request, matrix, problems=problems, form=form)
        changed = services.record_alliances(
            system_id, cells, source=form.cleaned_data["source"].strip(), by=_user(request)
        )
        return self._saved(request, system_id, changed)

    def give_table(self, request: HttpRequest, system_id: str) -> HttpResponse:
        """Export the matrix as CSV that spreadsheets open in UTF-8."""
        table = alliance_table.written(self._matrix(request, system_id))
        return HttpResponse(
            "\ufeff" + table,
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="alliances-{system_id}.csv"'},
        )

    def _matrix(self, request: HttpRequest, system_id: str) -> AllianceMatrix:
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            return queries.alliance_matrix(system_id)
        except NotFound:
            raise PermissionDenied from None

    def _saved(self, request: HttpRequest, system_id: str, changed: int) -> HttpResponse:
        text = _("Cells changed: %(count)s.") % {"count": changed}
        self.message_user(request, text, messages.SUCCESS if changed else messages.INFO)
        return HttpResponseRedirect(reverse("admin:reference_alliance_matrix", args=[system_id]))

    def _page(
        self,
        request: HttpRequest,
        matrix: AllianceMatrix,
        *,
        problems: list[str] | None = None,
        typed: dict[tuple[Faction, Faction], str | None] | None = None,
        form: TableForm | None = None,
    ) -> HttpResponse:
        shown = {
            (cell.primary, cell.ally): cell.level.key for _primary, row in matrix.rows for cell in row if cell.level
        }
        levels: dict[tuple[Faction, Faction], str | None] = {**shown, **(typed or {})}
        rows = [
            (
                primary,
                [
                    {
                        "name": _field(cell.primary, cell.ally),
                        "ally": cell.ally,
                        "level": levels.get((cell.primary, cell.ally)),
                        "recorded": cell.recorded,
                    }
                    for cell in cells
                ],
            )
            for primary, cells in matrix.rows
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": _("Alliance matrix: %(system)s") % {"system": matrix.system.label},
            "opts": self.opts,
            "is_nav_sidebar_enabled": False,  # the grid needs the width
            "matrix": matrix,
            "rows": rows,
            "cells": sum(len(cells) for _primary, cells in rows),
            "problems": problems or [],
            "typed_source": request.POST.get("source", ""),
            "form": form or TableForm(),
            "may_edit": self.may_edit(request),
        }
        status = 422 if problems else 200
        return TemplateResponse(request, "admin/reference/matrix.html", context, status=status)


def _systems_with_a_matrix() -> QuerySet[PublishedSystem]:
    return PublishedSystem.objects.filter(factions__matrix_position__isnull=False).distinct()


def _posted_cells(matrix: AllianceMatrix, request: HttpRequest) -> dict[tuple[Faction, Faction], str | None] | None:
    """The cells that the form held, None for unknown; None when one holds no level of this game."""
    levels = {level.key for level in matrix.levels}
    cells: dict[tuple[Faction, Faction], str | None] = {}
    for primary in matrix.factions:
        for ally in matrix.factions:
            value = request.POST.get(_field(primary, ally))
            if value is None:
                continue
            if value and value not in levels:
                return None
            cells[primary, ally] = value or None
    return cells


def _field(primary: Faction, ally: Faction) -> str:
    return f"{primary.key}--{ally.key}"


def _localized(text: Text) -> str:
    return text.ru if get_language() == "ru" else text.en


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
