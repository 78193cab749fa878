"""What a constraint counts of a roster, and the minimum or maximum it demands after its modifiers (§9)."""

import re
from decimal import Decimal
from fractions import Fraction

from armybuilder.engine.gamedata.model import Child, Constraint, Field, Scope, of_field
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.modifiers import changed_number
from armybuilder.engine.roster.nodes import ForceNode, Owner
from armybuilder.engine.roster.scopes import Container, Counting

NO_CATEGORY = "(No Category)"
UNCATEGORISED = "Uncategorised"
Measure = Number | Fraction


def bound(constraint: Constraint, owner: Owner, run: Counting) -> Number:
    """The value of a constraint after its modifiers."""
    value = constraint.value
    if constraint.modifiers:
        value = changed_number(value, constraint.modifiers, owner, run)
    if run.reaching is not None:
        for modifier, source in run.reaching.on(owner, constraint.id):
            value = changed_number(value, of_field((modifier,), constraint.id), source, run)
    return value


def limits_of(constraint: Constraint, owner: Owner, run: Counting) -> tuple[Number | None, Number | None]:
    """(minimum, maximum) that a constraint demands now; None where it demands nothing."""
    value = bound(constraint, owner, run)
    low = value if constraint.kind in {"min", "exactly"} and value > 0 else None
    high = value if constraint.kind in {"max", "exactly"} and (value >= 0 or constraint.negative) else None
    return low, high


_PARTS = {"third": 3, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9}
_PART = re.compile(rf"\b(?:(one|two|five)\s+|a\s+)?({'|'.join(_PARTS)})s?\b", re.IGNORECASE)
_HOW_MANY = {"one": 1, "two": 2, "five": 5}


def said_share(constraint: Constraint, name: str, value: Number | None) -> Measure | None:
    """The share of the game's size that a section's own name says, where its whole percents are that share rounded.

    Files of old could hold whole percents only: "One Third - 33%" allows 1,000 points of 3,000, not 990.
    """
    if value is None or not constraint.percent or constraint.field is not Field.LIMIT:
        return value
    for number, part in _PART.findall(name):
        share = Fraction(100 * _HOW_MANY.get(number.casefold(), 1), _PARTS[part.casefold()])
        if abs(share - Fraction(value)) < 1:
            return share
    return value


def size_of_game(run: Counting, constraint: Constraint) -> Decimal | None:
    """What the percents of a constraint are percents of, where that is the agreed size of the game."""
    return Decimal(run.limit(constraint.cost_type)) if constraint.percent and constraint.field is Field.LIMIT else None


def measured(run: Counting, constraint: Constraint, place: Place, owner: Owner) -> Measure | None:
    """What a constraint of an entry or group counts, as a percentage if it asks for one; None: not checked."""
    if constraint.field is Field.FORCES:
        return 0  # §9: on an entry it always counts 0
    if constraint.field is Field.UNKNOWN or constraint.scope is Scope.UNRESOLVED:
        return None
    key = place.spec.id if constraint.shared else place.own_key
    if not constraint.field and not constraint.percent and not constraint.child_forces:
        found = run.quick(constraint, owner, key)
        if found is not None:
            return found
    container = run.container(constraint, owner)
    if container is None:
        return None
    at_root = isinstance(owner.parent, ForceNode) and constraint.scope is Scope.PARENT
    whole = container
    if at_root and constraint.percent and not place.is_group:
        whole = _category_of(run, owner)
    return _share(run, constraint, container, whole, Child.KEY, key)


def _category_of(run: Counting, owner: Owner) -> Container:
    """For root entries the parent is the category they sit in."""
    root = owner.root if not isinstance(owner, ForceNode) else None
    primary = run.primary_of(root) if root is not None else None
    members = [child for child in owner.force.children if run.primary_of(child) == primary]
    return Container(None, members=members)


def _share(  # noqa: PLR0917
    run: Counting, constraint: Constraint, container: Container, whole: Container, child: Child, key: str
) -> Measure | None:
    if constraint.field is Field.LIMIT:
        limit = run.limit(constraint.cost_type)
        if limit <= 0 or not constraint.percent:  # a limit of 0 stands in data that wants to be asked (§9)
            return None
        return Fraction(run.spent(constraint, container, child, key)) * 100 / Fraction(limit)
    count = run.measure(constraint, container, child, key)
    if count is None or not constraint.percent:
        return count
    total = run.measure(constraint, whole, Child.KEY, "any")
    return Fraction(count) * 100 / Fraction(total) if total else 0


def force_count(run: Counting, constraint: Constraint, force: ForceNode) -> Measure | None:
    """What a constraint of a force entry counts; None: not checked."""
    if constraint.field is Field.FORCES:
        return run.count_forces(constraint, force, force.spec.id)
    if constraint.field is Field.UNKNOWN:
        return None
    container = Container(force) if constraint.scope is Scope.SELF else run.container(constraint, force)
    if container is None:
        return None
    return _share(run, constraint, container, container, Child.KEY, "any")


def category_count(run: Counting, constraint: Constraint, category_id: str, force: ForceNode) -> Measure | None:
    """What a constraint of a category counts: selections (or their costs) in that category; None: not checked."""
    if constraint.field is Field.FORCES:
        return run.count_forces(constraint, force, category_id)
    if constraint.field is Field.UNKNOWN:
        return None
    if constraint.scope in {Scope.PARENT, Scope.FORCE}:
        below = list(force.walk_forces())[1:] if constraint.child_forces else []
        container: Container | None = Container(force, forces=below)
    else:
        container = run.container(constraint, force)
    if container is None:
        return None
    return _share(run, constraint, container, container, Child.CATEGORY, category_id)
