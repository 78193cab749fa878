"""The administrators' site: the password alone does not open it where a second factor is asked for; acts are kept."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from django.apps import AppConfig
from django.contrib.admin import AdminSite, autodiscover
from django.contrib.admin.models import LogEntry
from django.core.checks import CheckMessage
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, reverse
from django.utils.http import urlencode

from armybuilder.accounts import second_factor
from armybuilder.accounts.models import User
from armybuilder.operations import kept_acts

IDS_KEPT = 20
"""So many of the rows an act was done to are named in its entry."""

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Administration(AdminSite):
    """Django's site, for whoever has shown the second factor; an act its page does not note is noted here.

    Its pages are found when addresses or checks first ask for them: they import half of the code, and most commands
    show none.
    """

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Addresses of the pages of all apps."""
        autodiscover()
        return super().get_urls()

    def check(self, app_configs: Sequence[AppConfig] | None) -> list[CheckMessage]:
        """What is wrong with the pages of all apps."""
        autodiscover()
        return super().check(app_configs)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """A page of the site, whose acts are kept in the audit trail."""
        return super().admin_view(_audited(view), cacheable)

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the pages open."""
        return super().has_permission(request) and not _lacks_factor(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Name and password; whoever has given them goes on to the second factor.

        Raises:
            PermissionDenied: signed in, and no administrator; the site has a page of its own about that.
        """
        is_administrator = super().has_permission(request)
        if is_administrator and _lacks_factor(request):
            onward = request.GET.get("next") or reverse("admin:index")
            return redirect(f"{reverse('web:second-factor-show')}?{urlencode({'next': onward})}")
        if request.user.is_authenticated and not is_administrator:
            raise PermissionDenied
        response: HttpResponse = super().login(request, extra_context)
        return response


def _lacks_factor(request: HttpRequest) -> bool:
    """Looked up once a request: the site asks for every table it lists."""
    known: bool | None = getattr(request, "lacks_second_factor", None)
    if known is None:
        known = isinstance(request.user, User) and second_factor.is_missing(request.user)
        request.lacks_second_factor = known  # type: ignore[attr-defined]
    return known


def _audited(view: View) -> View:
    """A form that was carried out leads elsewhere; it leaves an entry, unless the page has made one itself."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST" or not isinstance(request.user, User):
            return view(request, *args, **kwargs)
        user = request.user
        entries = LogEntry.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)
        before = entries.first()
        response = view(request, *args, **kwargs)
        if 300 <= response.status_code < 400 and entries.first() == before:
            kept_acts.keep(user, request.path, _act(request))
        return response

    return cast(View, answer)


def _act(request: HttpRequest) -> str:
    """What was chosen and to which rows; nothing that was typed, which may be secret."""
    chosen = request.POST.getlist("_selected_action")
    rows = ", ".join(chosen[:IDS_KEPT]) + (f" and {len(chosen) - IDS_KEPT} more" if len(chosen) > IDS_KEPT else "")
    return " ".join(part for part in (request.POST.get("action", "")[:80], rows[:2000]) if part)
