"""The rules of a game as its rule pack states them: id, severity, source lines and message in both languages."""

from collections.abc import Mapping

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC, array, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.systems import PACKS
from armybuilder.engine.systems.rule_table import Rule
from armybuilder.reference import queries


class RuleOut(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of a rule pack.

    Attributes:
        id: as printed in findings, e.g. HH-30.
        message: what a finding says, an ellipsis for each value that it fills in.
        source: lines of the rules text.
        settings: ids of doubtful readings that the rule depends on.
    """

    id: str
    severity: Severity
    message: Text
    source: str
    settings: tuple[str, ...]

    @classmethod
    def of(cls, rule_id: str, rule: Rule) -> "RuleOut":
        """A row of the rule table."""
        return cls(
            id=rule_id,
            severity=rule.severity,
            message=rule.described(),
            source=rule.source,
            settings=rule.settings,
        )


def _rules_of(system_id: str) -> Mapping[str, Rule]:
    """The rules by which lists of a published system are checked; none without a rule pack."""
    pack = queries.system(system_id).rule_pack
    return PACKS[pack].rules.rules if pack in PACKS else {}


class Rules(APIView):
    """The rules of a system."""

    @extend_schema(operation_id="list_rules", tags=["rules"], responses={200: array(ref(RuleOut))}, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """All rules of a system's rule pack, in the order of the rule table; empty for a game without one."""
        return Response([RuleOut.of(rule_id, rule) for rule_id, rule in _rules_of(system).items()])


class OneRule(APIView):
    """One rule."""

    @extend_schema(operation_id="read_rule", tags=["rules"], responses={200: ref(RuleOut)}, auth=PUBLIC)
    def get(self, request: Request, system: str, rule: str) -> Response:
        """A rule by its printed id; upper and lower case are the same."""
        rules = _rules_of(system)
        row = rules.get(rule.upper()) or rules.get(rule)
        if row is None:
            raise NotFound(f"There is no rule {rule} in '{system}'.")
        return Response(RuleOut.of(rule.upper() if rule.upper() in rules else rule, row))
