"""Whether a modifier applies, and how often (§7)."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from armybuilder.engine.gamedata.model import (
    ARITHMETIC,
    COMPARISONS,
    Child,
    Condition,
    ConditionGroup,
    Field,
    Modifier,
    Op,
    Query,
    Repeat,
    Scope,
)
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.roster.nodes import (
    NEAREST_KINDS,
    ForceNode,
    Owner,
    SelectionNode,
    above,
    nearest,
    nearest_group,
    nearest_of_kind,
)
from armybuilder.engine.roster.scopes import Counting

MAX_TIMES = 1_000_000
"""A modifier never applies more often: beyond this the data is absurd."""

MAX_POWER = 64
"""Largest exponent that is calculated with."""

MAX_NUMBER = 10**18
"""Largest number, and largest denominator, that a condition group calculates with."""


def exact(value: Number) -> Fraction:
    """A number for divisions that must not round."""
    return Fraction(value)


def amount(query: Query, owner: Owner, run: Counting) -> Number | Fraction | None:
    """The value of a query, as a percentage if it asks for one; None when it does not resolve."""
    count = run.count(query, owner)
    if count is None or not query.percent:
        return count
    if query.field is Field.LIMIT:
        return count
    whole = run.total(query, owner)
    if not whole:
        return 0
    return exact(count) * 100 / exact(whole)


def holds(condition: Condition, owner: Owner, run: Counting) -> bool:
    """Whether a condition is true; one that does not resolve is false, except notInstanceOf."""
    op = condition.op
    if op >= Op.INSTANCE_OF:
        if op is Op.ALWAYS:
            return True
        if op is Op.BEFORE:
            return run.asker is not None and run.stands_before(owner, run.asker)
        if op is Op.NEVER or condition.child is Child.ABSENT:
            return False
        found = is_instance(condition, owner, run)
        return found if op is Op.INSTANCE_OF else not found
    if condition.plain:  # four calls fewer: this is where evaluations spend their time
        quick = run.quick(condition, owner, condition.key)
        if quick is not None:
            return _compared(op, quick, condition.value)
    count = amount(condition, owner, run)
    return count is not None and _compared(op, count, condition.value)


def _compared(op: Op, count: Number | Fraction, value: Number) -> bool:
    if op is Op.EQUAL:
        return count == value
    if op is Op.GREATER:
        return count > value
    if op is Op.AT_LEAST:
        return count >= value
    if op is Op.LESS:
        return count < value
    if op is Op.AT_MOST:
        return count <= value
    return count != value


def is_instance(query: Query, owner: Owner, run: Counting) -> bool:  # noqa: PLR0911 - a return for each kind
    """Whether the node that the scope means is, or belongs to, the child id."""
    run.note(query, owner)
    scope = query.scope
    child = query.child_id
    force = owner.force
    if scope is Scope.FORCE:
        if _force_is(force, child):
            return True
        return query.child is Child.CATEGORY and any(run.in_category(node, child) for node in force.walk())
    if scope is Scope.ANCESTOR:
        node_above: object = owner.parent
        while isinstance(node_above, SelectionNode):
            if node_above.matches(query, run):
                return True
            node_above = node_above.parent
        return any(_force_is(outer, child) for outer in _outwards(force))
    if scope is Scope.PRIMARY_CATEGORY:
        root = owner.root if not isinstance(owner, ForceNode) else None
        return root is not None and run.primary_of(root) == child
    if scope is Scope.PRIMARY_CATALOGUE:
        return force.catalogue_id == child
    if scope is Scope.ANY_GROUP:
        group = nearest_group(owner, with_self=query.with_self)
        return group is not None and child in {group.spec.id, group.spec.link_id}
    node = _instance_node(query, owner)
    if isinstance(node, SelectionNode):
        return node.matches(query, run)
    return isinstance(node, ForceNode) and _force_is(node, child)


def _instance_node(query: Query, owner: Owner) -> object:  # noqa: PLR0911 - a return for each kind
    scope = query.scope
    if scope is Scope.SELF:
        return owner
    if scope is Scope.PARENT:
        return owner.parent
    if scope is Scope.ENTRY:
        return nearest(owner, query.scope_id)
    if scope is Scope.GROUP:
        return above(
            owner,
            with_self=True,
            fits=lambda node: any(group.spec.id == query.scope_id for group in node.place.groups),
        )
    if scope is Scope.FORCE_ENTRY:
        force: ForceNode | None = owner.force
        while force is not None and query.scope_id not in force.ids:
            force = force.parent
        return force
    if scope in NEAREST_KINDS:
        return nearest_of_kind(owner, query)
    return None


def _outwards(force: ForceNode) -> Iterator[ForceNode]:
    """A force and those it stands below."""
    outer: ForceNode | None = force
    while outer is not None:
        yield outer
        outer = outer.parent


def _force_is(force: ForceNode, child_id: str) -> bool:
    return child_id in force.ids


def group_holds(group: ConditionGroup, owner: Owner, run: Counting) -> bool:
    """Whether a condition group is true; an empty one is (§7)."""
    kind = group.kind
    if group.local is not None:
        return local_times(group, owner, run) > 0
    if not group.conditions and not group.groups:
        return True
    if kind not in {"and", "or", "not"}:
        return _calculated(group, owner, run) != 0
    wanted = kind == "or"  # one such member decides; `not` is the opposite of `and`
    for condition in group.conditions:
        if holds(condition, owner, run) is wanted:
            return wanted if kind != "not" else True
    for inner in group.groups:
        if group_holds(inner, owner, run) is wanted:
            return wanted if kind != "not" else True
    return not wanted if kind != "not" else False


def _calculated(group: ConditionGroup, owner: Owner, run: Counting) -> Number | Fraction:
    """The number of a group that counts, calculates or compares (§13): 1 or 0 for what is true or false.

    The operands are what the queries of its conditions count, then the numbers of its groups, in that order.
    """
    kind = group.kind
    if kind == "count":
        held = sum(holds(condition, owner, run) for condition in group.conditions)
        held += sum(group_holds(inner, owner, run) for inner in group.groups)
        return int((group.least is None or held >= group.least) and (group.most is None or held <= group.most))
    if kind not in ARITHMETIC | COMPARISONS:
        return int(group_holds(group, owner, run))
    numbers = [_operand(condition, owner, run) for condition in group.conditions]
    numbers += [_calculated(inner, owner, run) for inner in group.groups]
    if kind in COMPARISONS:
        return int(all(_COMPARE[kind](left, right) for left, right in pairwise(numbers)))
    value = numbers[0] if numbers else 0
    for other in numbers[1:]:
        value = _bounded(_combined(kind, value, other))
    return value


def _bounded(value: Number | Fraction) -> Number | Fraction:
    """Numbers of absurd size or length stay calculable."""
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        return MAX_NUMBER if value > 0 else -MAX_NUMBER
    return value.limit_denominator(MAX_NUMBER) if isinstance(value, Fraction) else value


def _operand(condition: Condition, owner: Owner, run: Counting) -> Number | Fraction:
    if condition.op >= Op.INSTANCE_OF:
        return int(holds(condition, owner, run))
    return amount(condition, owner, run) or 0


def _combined(kind: str, left: Number | Fraction, right: Number | Fraction) -> Number | Fraction:  # noqa: PLR0911
    one, other = Fraction(left), Fraction(right)
    if kind == "add":
        return one + other
    if kind == "subtract":
        return one - other
    if kind == "multiply":
        return one * other
    if kind == "divide":
        return one / other if other else 0
    if kind == "modulo":
        return one % other if other else 0
    if kind == "power":
        whole = max(-MAX_POWER, min(MAX_POWER, int(other)))
        return one**whole if one or whole >= 0 else 0
    return min([one, other]) if kind == "min" else max([one, other])


_COMPARE: dict[str, Callable[[Number | Fraction, Number | Fraction], bool]] = {
    "greater": lambda left, right: left > right,
    "greaterOrEqual": lambda left, right: left >= right,
    "less": lambda left, right: left < right,
    "lessOrEqual": lambda left, right: left <= right,
    "equal": lambda left, right: left == right,
    "notEqual": lambda left, right: left != right,
}


def local_count(group: ConditionGroup, owner: Owner, run: Counting) -> int | None:
    """Selections in the scope of a local group that match its child id and for which all its members hold (§13)."""
    local = group.local
    assert local is not None
    container = run.container(local, owner)
    if container is None:
        return None
    members = ConditionGroup("and", group.conditions, group.groups)
    outer, run.asker = run.asker, owner
    try:
        return sum(
            node.number
            for node in run.matching(container, local.child, local.key, deep=local.deep, whole=local.deep)
            if node.matches(local, run) and group_holds(members, node, run)
        )
    finally:
        run.asker = outer


def local_times(group: ConditionGroup, owner: Owner, run: Counting) -> int:
    """0 when a local group does not hold, else how often it lets its modifier apply: once, or as its repeats say."""
    local = group.local
    assert local is not None
    count = local_count(group, owner, run)
    if count is None or not _compared(local.op, count, local.value):
        return 0
    if local.times <= 0:
        return 1
    return floor(exact(count) / exact(local.value)) * local.times if local.value else 0


def times(modifier: Modifier, owner: Owner, run: Counting) -> int:
    """How often a modifier applies: 0 when a condition fails, 1 without repeats."""
    for condition in modifier.conditions:
        if not holds(condition, owner, run):
            return 0
    for group in modifier.groups:
        if not group_holds(group, owner, run):
            return 0
    often = 1
    for group in modifier.groups:
        if group.local is not None and group.local.times > 0:
            often *= local_times(group, owner, run)
    repeats = [*modifier.repeats]
    for group in modifier.groups:
        if group.repeating:
            repeats += _repeats_of(group, owner, run)
    if not repeats:
        return min(MAX_TIMES, often)
    return min(MAX_TIMES, often * sum(repeated(repeat, owner, run) for repeat in repeats))


def _repeats_of(group: ConditionGroup, owner: Owner, run: Counting) -> Iterator[Repeat]:
    """Repeats written on a condition group and on those inside it that hold."""
    yield from group.repeats
    for inner in group.groups:
        if inner.repeating and group_holds(inner, owner, run):
            yield from _repeats_of(inner, owner, run)


def repeated(repeat: Repeat, owner: Owner, run: Counting) -> int:
    """How often one repeat lets its modifier apply; never less than 0."""
    if repeat.value == 0:
        return 0
    count = amount(repeat, owner, run)
    if count is None:
        return 0
    share = exact(count) / exact(repeat.value) if not isinstance(count, Fraction) else count / exact(repeat.value)
    return max(0, (ceil(share) if repeat.round_up else floor(share)) * repeat.times)


__all__ = ["amount", "exact", "group_holds", "holds", "is_instance", "repeated", "times"]
