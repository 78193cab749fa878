"""Whether a modifier applies, and how often (§7)."""

from fractions import Fraction
from math import ceil, floor

from armybuilder.engine.gamedata.model import (
    Child,
    Condition,
    ConditionGroup,
    Field,
    Modifier,
    Number,
    Op,
    Query,
    Repeat,
    Scope,
)
from armybuilder.engine.roster.scopes import Counting, ForceNode, Owner, SelectionNode, above, ancestors, nearest

MAX_TIMES = 1_000_000
"""A modifier never applies more often: beyond this the data is absurd."""


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
        if op is Op.NEVER or condition.child is Child.ABSENT:
            return False
        found = is_instance(condition, owner, run)
        return found if op is Op.INSTANCE_OF else not found
    count = amount(condition, owner, run)
    if count is None:
        return False
    return _compared(op, count, condition.value)


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
    scope = query.scope
    child = query.child_id
    force = owner.force
    if scope is Scope.FORCE:
        if _force_is(force, child):
            return True
        return query.child is Child.CATEGORY and any(run.in_category(node, child) for node in force.walk())
    if scope is Scope.ANCESTOR:
        return any(node.matches(query, run) for node in ancestors(owner)) or _force_is(force, child)
    if scope is Scope.PRIMARY_CATEGORY:
        root = owner.root if not isinstance(owner, ForceNode) else None
        return root is not None and run.primary_of(root) == child
    if scope is Scope.PRIMARY_CATALOGUE:
        return force.catalogue_id == child
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
        while force is not None and force.model.entry_id != query.scope_id:
            force = force.parent
        return force
    if scope is Scope.TYPE:
        return above(owner, with_self=query.with_self, fits=lambda node: node.spec.type in query.types)
    if scope is Scope.ROOT_ENTRY:
        return owner.root if not isinstance(owner, ForceNode) else None
    return None


def _force_is(force: ForceNode, child_id: str) -> bool:
    return child_id in {force.model.entry_id, force.catalogue_id}


def group_holds(group: ConditionGroup, owner: Owner, run: Counting) -> bool:
    """Whether a condition group is true; an empty one is (§7)."""
    kind = group.kind
    if group.local is not None:
        return local_times(group, owner, run) > 0
    if not group.conditions and not group.groups:
        return True
    wanted = kind == "or"  # one such member decides; `not` is the opposite of `and`
    for condition in group.conditions:
        if holds(condition, owner, run) is wanted:
            return wanted if kind != "not" else True
    for inner in group.groups:
        if group_holds(inner, owner, run) is wanted:
            return wanted if kind != "not" else True
    return not wanted if kind != "not" else False


def local_count(group: ConditionGroup, owner: Owner, run: Counting) -> int | None:
    """Selections in the scope of a local group that match its child id and for which all its members hold (§13)."""
    local = group.local
    assert local is not None
    container = run.container(local, owner)
    if container is None:
        return None
    members = ConditionGroup("and", group.conditions, group.groups)
    return sum(
        node.number
        for node in run.matching(container, local.child, local.key, deep=local.deep)
        if node.matches(local, run) and group_holds(members, node, run)
    )


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
    if not modifier.repeats:
        return min(MAX_TIMES, often)
    return min(MAX_TIMES, often * sum(repeated(repeat, owner, run) for repeat in modifier.repeats))


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
