"""What would settle a finding: every proposal with its consequences before it is applied."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from urllib.parse import urlencode
from uuid import UUID
from zlib import crc32

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.armylists import queries, services
from armybuilder.armylists.errors import NotFound, RevisionConflict
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.repairs import Repair, finding_of, repair_of_everything, repairs_of
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.roster_sheet import mentioned_names
from armybuilder.armylists.wording import as_proposal
from armybuilder.engine.findings import Severity, Text
from armybuilder.reference.names import Names, names_for
from armybuilder.web.formatting import localized
from armybuilder.web.forms.edits import APPLY, expected_revision, several_edits
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of

MOST_CHIPS = 4
"""Ways to settle a finding that stand beside it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A finding that would go or come, and how often: three models that lack the same weapon make one line."""

    severity: str
    rule: str
    text: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit that would settle the finding.

    Attributes:
        edits: as JSON, for the button that applies them.
        does: what it changes; `steps` has each change alone.
        points: change of the total; None where it stays or nothing has a price.
        errors_left, choices_left: what would still be wrong; choices not made yet are no errors here.
        to_do: how many things, where the list would only lack something.
    """

    edits: str
    does: str
    points: Decimal | None
    settled: tuple[Line, ...]
    caused: tuple[Line, ...]
    verdict: str
    unchecked: int
    errors_left: int
    choices_left: int
    to_do: int

    @property
    def steps(self) -> tuple[str, ...]:
        """Each change."""
        return tuple(capfirst(step) for step in self.does.split("; "))

    @property
    def do(self) -> str:
        """The same as the value of a button of the builder."""
        return urlencode({"edit": APPLY, "edits": self.edits})

    @property
    def html_id(self) -> str:
        """Of that button."""
        return f"b-fix-{crc32(self.edits.encode()):08x}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def repair(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """What would settle the finding that the address names, or else everything; posting applies a proposal."""
    if request.method == "POST":
        return _applied(request, list_id)
    army_list = queries.own_army_list(list_id, viewer_of(request))
    report = services.check_army_list(army_list)
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    writer = _Writer(names, report)
    if request.GET.get("chip"):
        return render(request, "armylists/_repair_chip.html", {"proposals": _chips(request, army_list, report, writer)})
    finding = _asked(request, report) if "rule" in request.GET else None
    if finding is None:
        everything = repair_of_everything(army_list, report)
        found = [everything] if everything is not None else []
    else:
        found = list(repairs_of(army_list, report, finding))
    context = {
        "army_list": army_list,
        "report": report,
        "finding": None if finding is None else writer.line(finding),
        "proposals": [writer.proposal(one) for one in found],
        "is_settled": finding is None and not report.count(Severity.ERROR),
        "is_of_a_unit": finding is not None and finding.unit_id is not None,
    }
    return render(request, "armylists/_repair.html" if wants_fragment(request) else "armylists/repair.html", context)


def _asked(request: HttpRequest, report: ListReport) -> ListFinding:
    """The finding that the address names. Raises NotFound when the list has it no more."""
    query = request.GET
    return finding_of(report, rule=query.get("rule", ""), at=query.get("at"), says=query.get("says", ""))


def _chips(request: HttpRequest, army_list: ArmyList, report: ListReport, writer: "_Writer") -> list[Proposal]:
    """What stands beside a finding: one repair, or as many as `chip` asks for; none where an edit has settled it since.

    What only the player knows (who leads, how a unit starts) has several answers: they stand there at once.
    """
    try:
        finding = _asked(request, report)
    except NotFound:
        return []
    number = request.GET["chip"]
    most = min(int(number), MOST_CHIPS) if number.isdecimal() else 1
    node = report.state.node(finding.unit_id) if report.state is not None and finding.unit_id else None
    unit = node.shown_name if node is not None else ""
    found = [one for one in repairs_of(army_list, report, finding) if not one.makes_errors]
    answers = [one for one in found if one.states_facts]
    shown = answers[:MOST_CHIPS] if found and found[0].states_facts else found[:most]
    return [writer.proposal(one, unit=unit) for one in shown]


def _applied(request: HttpRequest, list_id: UUID) -> HttpResponse:
    edits = several_edits(str(request.POST.get("edits", "")))
    try:
        revision = expected_revision(request.POST)
        result = services.apply_edits(viewer_of(request), list_id, edits, expected_revision=revision)
    except RevisionConflict as conflict:
        messages.error(request, refusal_text(conflict))
    else:
        if result.summary is not None:
            names = names_for(result.army_list.system.rule_pack, result.army_list.release_id)
            mentioned = mentioned_names(result.report.state).union(names.in_russian)
            messages.success(request, capfirst(names.within(localized(result.summary), mentioned)))
    return HttpResponseRedirect(reverse("web:list", args=[list_id]))


class _Writer:
    """Proposals in the language of the page."""

    def __init__(self, names: Names, report: ListReport) -> None:
        self.names = names
        forces = () if report.state is None else tuple(report.state.all_forces())
        self.of_the_list = mentioned_names(report.state)
        self.only_force = forces[0].shown_name if len(forces) == 1 else ""

    def say(self, text: Text, others: Iterable[str] = ()) -> str:
        return self.names.within(localized(text), self.of_the_list.union(self.names.in_russian, others))

    def line(self, finding: ListFinding, others: Iterable[str] = ()) -> Line:
        return Line(str(finding.severity), finding.rule, self.say(finding.message, others))

    def proposal(self, found: Repair, *, unit: str = "") -> Proposal:
        """A proposal; the name of the unit it stands beside and of an only detachment is left out."""
        does, added = as_proposal(found.does), mentioned_names(found.state)
        if self.only_force:
            en, ru = f" to {self.only_force}", f" – «{self.only_force}»"
            does = Text(en=does.en.replace(en, ""), ru=does.ru.replace(ru, ""))
        if unit:
            does = Text(en=does.en.replace(f"{unit}: ", ""), ru=does.ru.replace(f"{unit}: ", ""))
        return Proposal(
            edits=msgspec.json.encode(found.edits).decode(),
            does=capfirst(self.say(does, added)),
            points=found.points or None,
            settled=_once(map(self.line, found.settled)),
            caused=_once(self.line(one, added) for one in found.caused),
            verdict=str(found.verdict),
            unchecked=found.unchecked,
            errors_left=found.errors_left - found.choices_left,
            choices_left=found.choices_left,
            to_do=found.left_to_choose,
        )


def _once(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(replace(line, number=number) for line, number in Counter(lines).items())
