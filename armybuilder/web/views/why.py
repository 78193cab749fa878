"""Why can't I: the chain behind something hidden, greyed or full, and the edits that would help."""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.armylists import queries, services
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.explaining import explanation_of, explanations_of_errors
from armybuilder.armylists.plain_reasons import plain_words
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.roster_sheet import mentioned_names
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.explain import Explanation, Reason, Repair
from armybuilder.reference.names import Names, names_for
from armybuilder.web.formatting import localized
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.viewers import viewer_of


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the chain, with those below it."""

    text: str
    holds: bool
    links: "tuple[Link, ...]"


@dataclass(frozen=True, slots=True)
class Help:
    """An edit that would help.

    Attributes:
        do: the edit as the value of a button; empty where the player has to choose.
        href: query of the pane where it can be done; empty for the list as a whole.
    """

    text: str
    do: str
    href: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands behind one thing; `plain` says it in a player's words, `links` are the whole chain."""

    title: str
    plain: tuple[str, ...]
    links: tuple[Link, ...]
    helps: tuple[Help, ...]


@never_cache
@require_safe
def show(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Why one entry stands as it does; without one, what stands behind every objection of the data."""
    army_list = queries.own_army_list(list_id, viewer_of(request))
    report = services.check_army_list(army_list)
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    node_id, entry_id = request.GET.get("node", ""), request.GET.get("entry", "")
    if bool(node_id) != bool(entry_id):
        raise NotFound("Nothing is asked about.")
    writer = _Writer(report, names)
    answers: tuple[Answer, ...]
    if node_id:
        found = explanation_of(report, node_id=node_id, entry_id=entry_id)
        answers = (writer.answer(names(found.name), found),)
    else:
        answers = tuple(
            writer.answer(writer.say(one.message), one.explanation) for one in explanations_of_errors(report)
        )
    template = "armylists/_why.html" if wants_fragment(request) else "armylists/why.html"
    return render(request, template, {"army_list": army_list, "report": report, "answers": answers})


class _Writer:
    """Explanations in the language of the page."""

    def __init__(self, report: ListReport, names: Names) -> None:
        self.report = report
        self.names = names
        self.mentioned = mentioned_names(report.state).union(names.in_russian)

    def say(self, text: Text) -> str:
        return self.names.within(localized(text), self.mentioned)

    def answer(self, title: str, found: Explanation) -> Answer:
        plain = dict.fromkeys(self.say(text) for text in plain_words(found))
        helps = {help.text: help for help in map(self.help, reversed(found.repairs))}  # of units of one name the first
        return Answer(
            title,
            tuple(line for line in plain if line.rstrip(".") != title.rstrip(".")),
            tuple(map(self.link, found.reasons)),
            tuple(reversed(helps.values())),
        )

    def link(self, reason: Reason) -> Link:
        return Link(self.say(reason.text), reason.holds, tuple(map(self.link, reason.reasons)))

    def help(self, repair: Repair) -> Help:
        edit, href = "", ""
        node = self.report.state.node(repair.node_id) if repair.node_id else None
        if node is not None:
            is_force = any(force.id == repair.node_id for force in self.report.state.all_forces())
            href = "" if is_force else urlencode({"unit": repair.node_id})
            if repair.action == "add" and repair.entry_id:
                kind = {"edit": "add_unit", "force_id": repair.node_id} if is_force else None
                kind = kind or {"edit": "select", "parent_id": repair.node_id}
                edit = urlencode({**kind, "entry_id": repair.entry_id})
        return Help(self.say(repair.text), edit, href)
