"""The words of objections: messages of broken limits, numbers and names as they stand in them (§9, §13)."""

import re
from decimal import Decimal
from fractions import Fraction

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Constraint, Field
from armybuilder.engine.gamedata.numbers import plain
from armybuilder.engine.roster.limits import Measure
from armybuilder.engine.roster.scopes import Counting
from armybuilder.engine.roster.state import ErrorKind

_PLACEHOLDER = re.compile(r"\{([^{}]{1,80})\}")


class LimitWords:
    """Says what is wrong, in the names of one library."""

    def __init__(self, library: Library, run: Counting) -> None:
        self._library = library
        self._run = run

    def _named(self, found: re.Match[str]) -> str:
        """The name of what an id in braces means; the braces as they stand when nothing has that id."""
        return self._library.name_of(found[1]) or found[0]

    def filled(self, text: str) -> str:
        """A text of the data with names in place of the ids in braces."""
        return _PLACEHOLDER.sub(self._named, text)

    def _own_words(self, constraint: Constraint, owner: str, name: str, count: Measure, limit: Measure) -> str:
        """A message the data brings itself, its placeholders filled (§13)."""
        values = {
            "current": plain_text(decimal_of(count)),
            "value": plain_text(decimal_of(limit)),
            "total": plain_text(decimal_of(limit)),
            "difference": plain_text(decimal_of(_gap(count, limit))),
            "of": name,
            "scope": owner,
            "field": self.field_name(constraint),
            "%": "%" if constraint.percent else "",
        }
        if constraint.percent and constraint.field is Field.LIMIT:
            whole = Fraction(self._run.limit(constraint.cost_type)) * Fraction(limit) / 100
            values["total"] = plain_text(decimal_of(whole))
        message = constraint.message or ""
        return _PLACEHOLDER.sub(lambda found: values[found[1]] if found[1] in values else self._named(found), message)

    def field_name(self, constraint: Constraint) -> str:
        """What a limit counts: selections, forces, or the name of a cost type."""
        if constraint.field in {Field.COST, Field.LIMIT}:
            cost_type = self._library.cost_type_by_id.get(constraint.cost_type)
            return cost_type.name if cost_type is not None else constraint.cost_type
        return "forces" if constraint.field is Field.FORCES else "selections"

    def message(  # noqa: PLR0917
        self,
        constraint: Constraint,
        owner: str,
        name: str,
        kind: ErrorKind,
        count: Measure,
        limit: Measure,
        *,
        each: bool = False,
    ) -> str:
        """That a limit is broken: in BattleScribe's words, or in the data's own."""
        sign = "%" if constraint.percent else ""
        gap = f"{plain_text(decimal_of(_gap(count, limit)))}{sign}{' each' if each else ''}"
        shown = f"{plain_text(decimal_of(limit))}{sign}{' each' if each else ''}"
        field = self.field_name(constraint)
        counted = constraint.field in {Field.SELECTIONS, Field.FORCES}
        if constraint.message:
            return self._own_words(constraint, owner, name, count, limit)
        if kind is ErrorKind.MAX:
            if counted:
                return f"{owner} has {gap} too many {field} of {name} (maximum {shown})"
            return f"{owner} has {gap} too much {field} of {name} (maximum {shown})"
        if counted:
            return f"{owner} must have {gap} more {field} of {name} (minimum {shown})"
        return f"{owner} must spend {gap} more {field} on {name} (minimum {shown})"


def decimal_of(value: Measure) -> Decimal:
    """A measure as a decimal; a percentage that does not end is cut after two digits."""
    if isinstance(value, Fraction):
        return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01")).normalize() + 0
    return Decimal(value)


def _gap(count: Measure, limit: Measure) -> Measure:
    """How far apart two measures are."""
    if isinstance(count, int) and isinstance(limit, int):
        return abs(count - limit)
    return abs(Fraction(count) - Fraction(limit))


def plain_text(value: Decimal) -> str:
    """A number as a message writes it: without needless zeros."""
    return plain(int(value) if value == value.to_integral_value() else value)
