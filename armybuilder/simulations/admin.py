"""Runs and the work behind them for administrators: state, attempts, requeue, cancel."""

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from armybuilder.simulations import dispatch, runs
from armybuilder.simulations.models import Chunk, Computation, SavedTarget, SimulationRun


class _ReadOnly:
    """Shown, never typed into; what may be done are the actions."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is made here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is changed here except by the actions."""
        return False


class ChunkInline(_ReadOnly, admin.TabularInline):
    """Who works on what, until when."""

    model = Chunk
    extra = 0
    can_delete = False
    fields = ("index", "state", "attempts", "progress", "worker", "lease_until")
    readonly_fields = fields


class RunInline(_ReadOnly, admin.TabularInline):
    """Who waits for it."""

    model = SimulationRun
    extra = 0
    can_delete = False
    fields = ("title", "owner", "created", "cancelled")
    readonly_fields = fields


@admin.register(Computation)
class ComputationAdmin(_ReadOnly, admin.ModelAdmin):
    """Work that was queued, with its attempts."""

    list_display = ("short_id", "kind", "state", "chunk_count", "attempts", "wanted_by", "created", "finished", "error")
    list_filter = ("state", "kind", "model_version", "created")
    search_fields = ("id", "request_hash", "error", "runs__title", "runs__owner__username")
    date_hierarchy = "created"
    list_per_page = 50
    inlines = (RunInline, ChunkInline)
    actions = ("compute_again", "cancel")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Computation]:
        """With the attempts of all chunks; a page of them does not load questions and answers."""
        queryset = super().get_queryset(request)
        attempts = Chunk.objects.filter(computation=OuterRef("pk")).order_by().values("computation")
        queryset = queryset.annotate(
            attempt_count=Subquery(attempts.annotate(total=Sum("attempts")).values("total")), run_count=Count("runs")
        )
        match = request.resolver_match
        is_page_of_rows = match is not None and (match.url_name or "").endswith("changelist")
        return queryset.defer("request", "result") if is_page_of_rows else queryset

    @admin.display(description=_("computation"))
    def short_id(self, computation: Computation) -> str:
        """The beginning of its hash."""
        return computation.request_hash[:12]

    @admin.display(description=_("attempts"), ordering="attempt_count")
    def attempts(self, computation: Computation) -> int:
        """How often workers began a piece of it."""
        return computation.attempt_count or 0  # type: ignore[attr-defined]

    @admin.display(description=_("runs"), ordering="run_count")
    def wanted_by(self, computation: Computation) -> int:
        """How many players asked."""
        return computation.run_count  # type: ignore[attr-defined]

    @admin.action(description=_("Compute again (failed and cancelled ones)"))
    def compute_again(self, request: HttpRequest, queryset: QuerySet[Computation]) -> None:
        """Queue the chosen ones from the beginning."""
        again = [pk for pk in queryset.values_list("pk", flat=True) if runs.requeue(pk)]
        for pk in again:
            dispatch.send(pk)
        self.message_user(request, _("Queued again: %(number)s") % {"number": len(again)})

    @admin.action(description=_("Cancel"))
    def cancel(self, request: HttpRequest, queryset: QuerySet[Computation]) -> None:
        """Stop the chosen ones, whoever waits for them."""
        stopped = sum(runs.cancel(pk) for pk in queryset.values_list("pk", flat=True))
        self.message_user(request, _("Cancelled: %(number)s") % {"number": stopped})


@admin.register(SimulationRun)
class SimulationRunAdmin(_ReadOnly, admin.ModelAdmin):
    """What players asked."""

    list_display = ("title", "owner", "kind", "state", "created")
    list_filter = ("computation__state", "computation__kind", "created")
    search_fields = ("id", "title", "owner__username")
    date_hierarchy = "created"
    list_select_related = ("owner", "computation")
    list_per_page = 50
    fields = ("title", "owner", "guest_key", "computation", "state", "error", "created", "cancelled", "asked")
    readonly_fields = ("state", "error")

    @admin.display(description=_("kind"), ordering="computation__kind")
    def kind(self, run: SimulationRun) -> str:
        """What was asked."""
        return run.computation.get_kind_display()

    @admin.display(description=_("state"), ordering="computation__state")
    def state(self, run: SimulationRun) -> str:
        """Where it stands."""
        return str(run.state.label)


@admin.register(SavedTarget)
class SavedTargetAdmin(_ReadOnly, admin.ModelAdmin):
    """Units that players described to measure others by."""

    list_display = ("name", "rule_pack", "points", "owner", "created")
    list_filter = ("rule_pack", "created")
    search_fields = ("id", "name", "owner__username")
    list_select_related = ("owner",)
    list_per_page = 50
    fields = ("name", "rule_pack", "points", "side", "owner", "guest_key", "created")
