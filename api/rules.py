"""The rules of a game as its rule pack states them: id, severity, source lines and message in both languages."""

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC, array, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.list_rules import ListRules
from armybuilder.engine.systems.rule_table import Rule, Setting
from armybuilder.reference import queries
from armybuilder.reference.rule_cases import rule_case


class SettingOut(msgspec.Struct, frozen=True, kw_only=True):
    """A doubtful reading that a rule depends on.

    Attributes:
        id: member of the document's `options`, or a switch of the site.
        asks: what it decides.
        values: what may be chosen, the default first.
        of_the_site: whether an administrator decides; otherwise the document.
    """

    id: str
    asks: Text
    values: tuple[str | bool, ...]
    of_the_site: bool

    @classmethod
    def of(cls, name: str, setting: Setting) -> "SettingOut":
        """A setting of a rule pack."""
        return cls(id=name, asks=setting.asks, values=setting.values, of_the_site=setting.of_the_site)


class RuleOut(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of a rule pack.

    Attributes:
        id: as printed in findings, e.g. HH-30.
        message: what a finding says, an ellipsis for each value that it fills in.
        source: lines of the rules text.
        settings: doubtful readings that the rule depends on.
    """

    id: str
    severity: Severity
    message: Text
    source: str
    settings: tuple[SettingOut, ...]


class RuleCaseOut(msgspec.Struct, frozen=True, kw_only=True):
    """An army document that a rule speaks about.

    Attributes:
        document: as `POST /check/` takes it.
        messages: what the rule says about it.
    """

    document: dict[str, Any]
    messages: tuple[Text, ...]


class RuleWithCases(RuleOut, frozen=True, kw_only=True):
    """A rule with the documents that fire it.

    Attributes:
        cases: empty for a rule about stored lists alone.
    """

    cases: tuple[RuleCaseOut, ...]


def _row(pack: ListRules, rule_id: str, rule: Rule) -> dict[str, Any]:
    return {
        "id": rule_id,
        "severity": rule.severity,
        "message": rule.described(),
        "source": rule.source,
        "settings": tuple(SettingOut.of(name, pack.settings[name]) for name in rule.settings),
    }


def _cases(pack: ListRules, rule_id: str) -> tuple[RuleCaseOut, ...]:
    case = rule_case(pack.system, rule_id)
    if case is None:
        return ()
    return (RuleCaseOut(document=dict(case.document), messages=tuple(found.message for found in case.fired)),)


def _pack_of(system_id: str) -> ListRules | None:
    """The rules by which lists of a published system are checked; None without a rule pack."""
    return LIST_RULES.get(queries.system(system_id).rule_pack)


class Rules(APIView):
    """The rules of a system."""

    @extend_schema(operation_id="list_rules", tags=["rules"], responses={200: array(ref(RuleOut))}, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """All rules of a system's rule pack, in the order of the rule table; empty for a game without one."""
        pack = _pack_of(system)
        if pack is None:
            return Response([])
        return Response([RuleOut(**_row(pack, rule_id, rule)) for rule_id, rule in pack.rules.rules.items()])


class OneRule(APIView):
    """One rule."""

    @extend_schema(operation_id="read_rule", tags=["rules"], responses={200: ref(RuleWithCases)}, auth=PUBLIC)
    def get(self, request: Request, system: str, rule: str) -> Response:
        """A rule by its printed id, with a document that fires it; upper and lower case are the same."""
        pack = _pack_of(system)
        found = next((name for name in (pack.rules.rules if pack else ()) if name.casefold() == rule.casefold()), None)
        if pack is None or found is None:
            raise NotFound(f"There is no rule {rule} in '{system}'.")
        return Response(RuleWithCases(**_row(pack, found, pack.rules.rules[found]), cases=_cases(pack, found)))
