"""How good a data set is, for everybody; and mistakes in it that players report."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts.models import User
from armybuilder.armylists.queries import tested_lists
from armybuilder.reference import queries
from armybuilder.reference.data_reports import report_mistake
from armybuilder.reference.names import names_for
from armybuilder.web.forms.reports import MistakeForm
from armybuilder.web.pages.data_problems import problems_by_kind
from armybuilder.web.pages.games import data_set_line


@require_safe
def quality(request: HttpRequest, system_id: str) -> HttpResponse:
    """What of a data set is understood and what is not, file by file, with its date, source and last tested lists."""
    system = queries.system(system_id)
    release = system.current_release
    assert release is not None
    names = names_for(system.rule_pack, release.pk)
    context = {
        "system": system,
        "release": release,
        "data_set": data_set_line(system),
        "catalogues": [row | {"name": names(row["name"])} for row in release.report.get("catalogues", [])],
        "problems": problems_by_kind(release.report.get("problems", [])),
        "tested": tested_lists(release.pk),
        "contact": release.report.get("contact", ""),
        "without_effect": sorted(release.report.get("without_effect", {}).items()),
    }
    return render(request, "systems/quality.html", context)


@require_http_methods(["GET", "POST"])
def report(request: HttpRequest, system_id: str) -> HttpResponse:
    """A form for a mistake in the data; what is sent is kept for the administrator."""
    system = queries.system(system_id)
    sent = request.method == "POST"
    given = {name: request.GET.get(name, "")[:400] for name in ("unit", "entry")}
    form = MistakeForm(request.POST if sent else None, initial=given)
    if sent and form.is_valid():
        asked = form.cleaned_data
        by = request.user.username if isinstance(request.user, User) else ""
        report_mistake(system, unit=asked["unit"], entry_id=asked["entry"], text=asked["text"], by=by)
        messages.success(request, _("Thank you. The report is kept for whoever looks after the data."))
        return redirect("web:data-quality", system.pk)
    context = {"system": system, "form": form}
    return render(request, "systems/report.html", context, status=422 if form.errors else 200)
