"""What would settle a finding: every proposal with its consequences before it is applied."""

import json
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.armylists import queries, services
from armybuilder.armylists.edits import parse_edits
from armybuilder.armylists.errors import EditRefused, RevisionConflict
from armybuilder.armylists.repairs import Repair, finding_of, repairs_of
from armybuilder.armylists.reports import ListFinding
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.findings import Text
from armybuilder.heroes.edits import AnyEdit
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized
from armybuilder.web.forms.edits import expected_revision
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of


@dataclass(frozen=True, slots=True)
class Line:
    """A finding that would go or come."""

    severity: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit that would settle the finding.

    Attributes:
        edits: as JSON, for the button that applies them.
        points: change of the total; None where it stays or nothing has a price.
    """

    edits: str
    does: str
    points: Decimal | None
    settled: tuple[Line, ...]
    caused: tuple[Line, ...]
    verdict: str


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def repair(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """What would settle one finding; posting applies a proposal."""
    if request.method == "POST":
        return _applied(request, list_id)
    army_list = queries.own_army_list(list_id, viewer_of(request))
    report = services.check_army_list(army_list)
    names = Names(russian_names(army_list.release_id))
    query = request.GET
    finding = finding_of(report, rule=query.get("rule", ""), at=query.get("at"), says=query.get("says", ""))
    writer = _Writer(names)
    context = {
        "army_list": army_list,
        "report": report,
        "finding": writer.line(finding),
        "proposals": [writer.proposal(found) for found in repairs_of(army_list, report, finding)],
    }
    return render(request, "armylists/_repair.html" if wants_fragment(request) else "armylists/repair.html", context)


def _applied(request: HttpRequest, list_id: UUID) -> HttpResponse:
    try:
        edits = parse_edits(json.loads(str(request.POST.get("edits", ""))), AnyEdit)
    except ValueError as error:
        raise EditRefused(Text(en="The form cannot be read.", ru="Форму не удалось прочесть."), "/edits") from error
    try:
        revision = expected_revision(request.POST)
        result = services.apply_edits(viewer_of(request), list_id, edits, expected_revision=revision)
    except RevisionConflict as conflict:
        messages.error(request, refusal_text(conflict))
    else:
        if result.summary is not None:
            names = Names(russian_names(result.army_list.release_id))
            messages.success(request, capfirst(names.within(localized(result.summary), names.in_russian)))
    return HttpResponseRedirect(reverse("web:list", args=[list_id]))


class _Writer:
    """Proposals in the language of the page."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def say(self, text: Text) -> str:
        return self.names.within(localized(text), self.names.in_russian)

    def line(self, finding: ListFinding) -> Line:
        return Line(str(finding.severity), finding.rule, self.say(finding.message))

    def proposal(self, found: Repair) -> Proposal:
        return Proposal(
            edits=msgspec.json.encode(found.edits).decode(),
            does=capfirst(self.say(found.does)),
            points=found.points or None,
            settled=tuple(map(self.line, found.settled)),
            caused=tuple(map(self.line, found.caused)),
            verdict=str(found.verdict),
        )
