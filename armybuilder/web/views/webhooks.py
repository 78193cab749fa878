"""Webhooks: made, changed, tested, given a new secret; what was sent, and sending it again."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from armybuilder.web.forms.webhooks import WebhookForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of
from armybuilder.webhooks import queries, services
from armybuilder.webhooks.errors import WebhookRefused

DELIVERIES_ON_A_PAGE = 30


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """One's own webhooks, and another."""
    viewer = viewer_of(request)
    form = WebhookForm(request.POST or None)
    made = None
    if request.method == "POST" and form.is_valid():
        try:
            made = services.create_webhook(viewer, **form.cleaned_data)
        except WebhookRefused as refused:
            form.add_error("url" if refused.at else None, refusal_text(refused))
        else:
            form = WebhookForm()
    context = {"form": form, "made": made, "webhooks": queries.webhooks_of(viewer)}
    return render(request, "accounts/webhooks.html", context, status=422 if form.is_bound and form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def webhook(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """One of them: changed here, and what was sent to it."""
    viewer = viewer_of(request)
    hook = queries.own_webhook(webhook_id, viewer)
    form = WebhookForm(request.POST or None, initial={"url": hook.url, "happenings": hook.wanted})
    if request.method == "POST" and form.is_valid():
        try:
            services.change_webhook(viewer, webhook_id, **form.cleaned_data, is_paused=bool(hook.paused))
        except WebhookRefused as refused:
            form.add_error("url", refusal_text(refused))
        else:
            messages.success(request, _("The webhook is changed."))
            return redirect("web:webhook", webhook_id)
    return _page(request, webhook_id, form)


@login_required
@require_POST
def do(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Test, stop, go on, a new secret, or delete: what the pressed button says."""
    viewer = viewer_of(request)
    hook = queries.own_webhook(webhook_id, viewer)
    match request.POST.get("do"):
        case "test":
            services.test_webhook(viewer, webhook_id)
            messages.success(request, _("A test is on its way; look at the answer in a moment."))
        case "secret":
            made = services.rotate_secret(viewer, webhook_id)
            form = WebhookForm(initial={"url": hook.url, "happenings": hook.wanted})
            return _page(request, webhook_id, form, secret=made.secret)
        case "pause" | "go-on" as what:
            services.change_webhook(viewer, webhook_id, url=hook.url, happenings=hook.wanted, is_paused=what == "pause")
        case "delete":
            services.delete_webhook(viewer, webhook_id)
            return redirect("web:webhooks")
    return redirect("web:webhook", webhook_id)


@login_required
@require_POST
def again(request: HttpRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    """Send a delivery once more."""
    services.send_again(viewer_of(request), webhook_id, delivery_id)
    return redirect("web:webhook", webhook_id)


def _page(request: HttpRequest, webhook_id: UUID, form: WebhookForm, *, secret: str = "") -> HttpResponse:
    hook = queries.own_webhook(webhook_id, viewer_of(request))
    pages = Paginator(queries.deliveries_of(hook), DELIVERIES_ON_A_PAGE)
    context = {"webhook": hook, "form": form, "secret": secret, "page": pages.get_page(request.GET.get("page"))}
    return render(request, "accounts/webhook.html", context, status=422 if form.is_bound else 200)
