"""What the site knows of a game: factions, chart, fortifications, rules with their lines, the alliance table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.rule_table import Rule
from armybuilder.reference import queries
from armybuilder.reference.magic import lores
from armybuilder.reference.models import ForceOrganisation
from armybuilder.reference.rule_cases import rule_case
from armybuilder.web.formatting import localized
from armybuilder.web.pages.card_tables import CardTables
from armybuilder.web.pages.games import data_set_line, game_tiles
from armybuilder.web.pages.rule_names import DATA_RULES, rule_name

if TYPE_CHECKING:
    pass


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Games that lists can be built for."""
    return render(request, "systems/index.html", {"games": game_tiles(queries.games())})


@require_safe
def system(request: HttpRequest, system_id: str) -> HttpResponse:
    """One game: its charts with slots, factions and fortifications."""
    game = queries.system(system_id)
    factions = list(queries.factions(system_id))
    context = {
        "system": game,
        "data_set": data_set_line(game),
        "has_alliances": queries.has_alliances(game),
        "charts": [chart for chart in queries.force_organisations(system_id) if _limits_slots(chart)],
        "factions": factions,
        "takes_sides": any(faction.fixed_allegiance for faction in factions),
        "fortifications": queries.fortifications(system_id),
        "has_rules": bool(_rules_of(game)),
        "has_magic_items": queries.magic_items(system_id).exists(),
        "has_lores": bool(lores(game)),
        "cards": CardTables.of(game),
    }
    return render(request, "systems/system.html", context)


@require_safe
def rules(request: HttpRequest, system_id: str) -> HttpResponse:
    """Every rule that is checked, with severity, lines and message."""
    game = queries.system(system_id)
    context = {"system": game, "rules": _rules_of(game).items(), "data_rules": DATA_RULES.items()}
    return render(request, "systems/rules.html", context)


@require_safe
def rule(request: HttpRequest, system_id: str, rule_id: str) -> HttpResponse:
    """One rule: what it demands, how severe it is, and where it stands in the book."""
    game = queries.system(system_id)
    table = _rules_of(game)
    names = [*table, *DATA_RULES]
    if rule_id not in names:
        raise Http404
    place = names.index(rule_id)
    context: dict[str, Any] = {
        "system": game,
        "id": rule_id,
        "before": names[place - 1] if place else None,
        "after": names[place + 1] if place + 1 < len(names) else None,
    }
    context["name"] = rule_name(game.rule_pack, rule_id)
    if rule_id in table:
        row = table[rule_id]
        context |= {"title": localized(row.described()).removesuffix("."), "text": ""}
        context |= {"severity": row.severity, "source": row.source, "data": False}
        context |= {"told_only": localized(row.told_only)}
        context |= {"settings": _settings_of(game, row), "case": rule_case(game.rule_pack, rule_id)}
        if case := context["case"]:
            context["case_text"] = msgspec.json.format(msgspec.json.encode(case.document), indent=2).decode()
    else:
        limit = DATA_RULES[rule_id]
        context |= {"title": limit.title, "text": limit.text, "severity": limit.severity, "source": "", "data": True}
    return render(request, "systems/rule.html", context)


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A doubtful reading that a rule depends on, in words."""

    id: str
    asks: str
    usual: str
    of_the_site: bool


def _settings_of(game: PublishedSystem, rule: Rule) -> list[SettingLine]:
    known = LIST_RULES[game.rule_pack].settings
    return [
        SettingLine(
            id=name,
            asks=localized(known[name].asks),
            usual=localized(SETTING_VALUES[known[name].values[0]]),
            of_the_site=known[name].of_the_site,
        )
        for name in rule.settings
    ]


SETTING_VALUES = {
    True: Text("yes", "да"),
    False: Text("no", "нет"),
    "limit": Text("the points limit", "от лимита очков"),
    "total": Text("the total of the list", "от стоимости списка"),
    "not_checked": Text("not checked", "не проверяется"),
    "published": Text("by the published game", "по изданной игре"),
    "unknown": Text("unknown", "неизвестно"),
}
"""Values of settings in words."""


@require_safe
def alliances(request: HttpRequest, system_id: str) -> HttpResponse:
    """The alliance table; a cell that nobody has recorded says so."""
    matrix = queries.alliance_matrix(system_id)
    return render(request, "systems/alliances.html", {"system": matrix.system, "matrix": matrix})


def _limits_slots(chart: ForceOrganisation) -> bool:
    """Whether the chart counts units; where points decide, it has nothing to show."""
    slots = (slot for detachment in chart.detachments.all() for slot in detachment.slots.all())
    return any(slot.minimum or slot.maximum is not None for slot in slots)


def _rules_of(game: PublishedSystem) -> dict[str, Rule]:
    return LIST_RULES[game.rule_pack].rules.rules if game.rule_pack in LIST_RULES else {}
