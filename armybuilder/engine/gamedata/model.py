"""Constraints, modifiers and conditions as objects; `reading` makes them of the columns when they are first touched."""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final, Protocol

from armybuilder.engine.gamedata.columns import Key
from armybuilder.engine.gamedata.numbers import Number, number


class Op(IntEnum):
    """What a condition compares."""

    EQUAL = 0
    NOT_EQUAL = 1
    LESS = 2
    GREATER = 3
    AT_LEAST = 4
    AT_MOST = 5
    INSTANCE_OF = 6
    NOT_INSTANCE_OF = 7
    ALWAYS = 8
    NEVER = 9
    BEFORE = 10
    """Only in local groups: the selection stands before the owner (§13)."""


OPS: Final = {
    "equalTo": Op.EQUAL,
    "notEqualTo": Op.NOT_EQUAL,
    "lessThan": Op.LESS,
    "greaterThan": Op.GREATER,
    "atLeast": Op.AT_LEAST,
    "atMost": Op.AT_MOST,
    "instanceOf": Op.INSTANCE_OF,
    "notInstanceOf": Op.NOT_INSTANCE_OF,
    "always": Op.ALWAYS,
    "never": Op.NEVER,
    "before": Op.BEFORE,
}


class Scope(IntEnum):
    """Where a query counts."""

    SELF = 0
    PARENT = 1
    FORCE = 2
    ROSTER = 3
    PRIMARY_CATEGORY = 4
    PRIMARY_CATALOGUE = 5
    ANCESTOR = 6
    ENTRY = 7
    """The nearest node upwards with that entry or link id."""
    GROUP = 8
    CATEGORY = 9
    FORCE_ENTRY = 10
    TYPE = 11
    """The nearest selection above of one of some types (New Recruit); see `Query.types`."""
    ROOT_ENTRY = 12
    ANY_GROUP = 13
    """The nearest group above (New Recruit), as a group's id means it."""
    ANY_LINK = 14
    """The nearest selection above that a link leads to (New Recruit)."""
    UNRESOLVED = 15


SCOPES: Final = {
    "self": Scope.SELF,
    "parent": Scope.PARENT,
    "force": Scope.FORCE,
    "roster": Scope.ROSTER,
    "primary-category": Scope.PRIMARY_CATEGORY,
    "primary-catalogue": Scope.PRIMARY_CATALOGUE,
    "ancestor": Scope.ANCESTOR,
}
_NEAREST: Final = {"root-entry": Scope.ROOT_ENTRY, "group": Scope.ANY_GROUP, "link": Scope.ANY_LINK}
_TYPE_SCOPES: Final = {
    "unit": frozenset({"unit"}),
    "model": frozenset({"model"}),
    "upgrade": frozenset({"upgrade"}),
    "model-or-unit": frozenset({"model", "unit"}),
    "non-upgrade-entry": frozenset({"model", "unit", "unit-group", "mount", "crew"}),
    **{kind: frozenset({kind}) for kind in ("unit-group", "mount", "crew")},
}
SCOPE_WORDS: Final = frozenset({*SCOPES, *(word + end for word in (*_NEAREST, *_TYPE_SCOPES) for end in ("", "-self"))})
"""Every scope that is a word; other scopes are ids."""

_HOLDERS: Final = frozenset({Scope.FORCE, Scope.PARENT, Scope.ROSTER, Scope.ENTRY})
"""Scopes whose counters `Counting.quick` reads."""

NO_IDS: Final[frozenset[str]] = frozenset()
"""One empty set for all: each call of frozenset() would make a new one of 216 bytes."""

ENTRY_TYPES: Final = frozenset({"unit", "model", "upgrade", "unit-group", "mount", "crew"})


class Field(IntEnum):
    """What a query counts."""

    SELECTIONS = 0
    FORCES = 1
    COST = 2
    LIMIT = 3
    UNKNOWN = 4


class Child(IntEnum):
    """How a query's child id matches selections."""

    ABSENT = 0
    KEY = 1
    """By a key that every selection carries: its entry, link, groups, type, path, or `any`."""
    CATEGORY = 2
    NEVER = 3


class Names(Protocol):
    """What the ids of a data set name; the `Library` knows."""

    @property
    def category_ids(self) -> frozenset[str]:
        """Such ids."""

    @property
    def force_entry_ids(self) -> frozenset[str]:
        """Such ids."""

    @property
    def group_ids(self) -> frozenset[str]:
        """Such ids."""

    @property
    def cost_type_ids(self) -> frozenset[str]:
        """Such ids."""


class Query:
    """A count: `field` over the selections in `scope` that match `child`.

    Attributes:
        key: key of the counters (`Child.KEY`) or the category id; `=path` when only the full path matches.
        text_scope, text_child, text_field: as they stand in the data, for explanations.
        cost_type: for the fields COST and LIMIT.
        plain: selections by key below one holder: nine of ten queries, which counters answer by themselves.
    """

    __slots__ = (
        "child", "child_forces", "child_id", "cost_type", "deep", "field", "key", "percent", "plain", "scope",
        "scope_id", "shared", "text_field", "types", "value", "with_self",
    )  # fmt: skip

    def __init__(self, attributes: dict[int, str], names: Names, *, in_info: bool = False) -> None:
        self.text_field = attributes.get(Key.FIELD, "selections")
        self.field, self.cost_type = _field(self.text_field, names)
        self.scope_id = attributes.get(Key.SCOPE, "")
        self.types = NO_IDS
        self.with_self = False
        self.scope = self._scope(self.scope_id, names)
        if in_info and self.scope is Scope.PARENT:  # §6.2: never satisfied there
            self.scope = Scope.UNRESOLVED
        self.value = number(attributes.get(Key.VALUE))
        self.percent = attributes.get(Key.PERCENT_VALUE) == "true"
        self.shared = attributes.get(Key.SHARED) != "false"
        self.deep = attributes.get(Key.INCLUDE_CHILD_SELECTIONS) == "true"
        self.child_forces = attributes.get(Key.INCLUDE_CHILD_FORCES) == "true"
        self.child_id = attributes.get(Key.CHILD_ID, "")
        self.child = Child.KEY
        self.key = self.child_id
        if not self.child_id:
            self.child = Child.ABSENT
        elif self.child_id in names.category_ids:
            self.child = Child.CATEGORY
        elif not self.shared and self.child_id not in ENTRY_TYPES and self.child_id != "any":
            self.key = f"={self.child_id}"
        self.plain = (
            self.child is Child.KEY
            and self.field is Field.SELECTIONS
            and not self.percent
            and not self.child_forces
            and self.scope in _HOLDERS
        )

    def _scope(self, text: str, names: Names) -> Scope:  # noqa: PLR0911 - a return for each kind of scope
        scope = SCOPES.get(text)
        if scope is not None:
            return scope
        bare = text.removesuffix("-self")
        if bare in _TYPE_SCOPES or bare in _NEAREST:
            self.with_self = bare != text
            self.types = _TYPE_SCOPES.get(bare, NO_IDS)
            return _NEAREST.get(bare, Scope.TYPE)
        if not text:
            return Scope.UNRESOLVED
        if text in names.category_ids:
            return Scope.CATEGORY
        if text in names.force_entry_ids:
            return Scope.FORCE_ENTRY
        if text in names.group_ids:
            return Scope.GROUP
        return Scope.ENTRY


def _field(text: str, names: Names) -> tuple[Field, str]:
    if text == "selections":
        return Field.SELECTIONS, ""
    if text == "forces":
        return Field.FORCES, ""
    if text.startswith("limit::"):
        return Field.LIMIT, text[7:]
    if text in names.cost_type_ids:
        return Field.COST, text
    return Field.UNKNOWN, ""


class Condition(Query):
    """A query and a comparison."""

    __slots__ = ("op",)

    def __init__(self, attributes: dict[int, str], names: Names, *, in_info: bool = False) -> None:
        super().__init__(attributes, names, in_info=in_info)
        self.op = OPS.get(attributes.get(Key.TYPE, ""), Op.NEVER)
        if self.op in {Op.INSTANCE_OF, Op.NOT_INSTANCE_OF} and self.child is Child.KEY and "::" not in self.child_id:
            self.key = self.child_id  # what a node is, not along which path it was reached (§20): `shared` says nothing


class Repeat(Query):
    """A query that says how often a modifier applies."""

    __slots__ = ("round_up", "times")

    def __init__(self, attributes: dict[int, str], names: Names, *, in_info: bool = False) -> None:
        super().__init__(attributes, names, in_info=in_info)
        self.times = int(number(attributes.get(Key.REPEATS), 1))
        self.round_up = attributes.get(Key.ROUND_UP) == "true"


ARITHMETIC: Final = frozenset({"add", "subtract", "multiply", "divide", "modulo", "power", "min", "max"})
COMPARISONS: Final = frozenset({"greater", "greaterOrEqual", "less", "lessOrEqual", "equal", "notEqual"})
GROUP_KINDS: Final = frozenset({"and", "or", "not", "count"}) | ARITHMETIC | COMPARISONS
"""What a condition group can do with its members: join them, count them, or (§13) calculate with and compare what
their queries count."""


class ConditionGroup:
    """Conditions joined by one of `GROUP_KINDS`; an empty one holds (§7).

    Attributes:
        least, most: of a `count` group: how many of its members must hold; None means no bound.
        repeats: let its modifier apply that often, when the group holds (§13); `repeating` if it or one inside has any.
        local: set for a local group (§13): its members are asked of each selection that `local` finds, and the number
            of selections for which they all hold is compared as `local` says.
    """

    __slots__ = ("conditions", "groups", "kind", "least", "local", "most", "repeating", "repeats")

    def __init__(
        self,
        kind: str,
        conditions: tuple[Condition, ...],
        groups: tuple["ConditionGroup", ...],
        local: "LocalCount | None" = None,
        *,
        repeats: tuple[Repeat, ...] = (),
        least: Number | None = None,
        most: Number | None = None,
    ) -> None:
        self.kind = kind
        self.conditions = conditions
        self.groups = groups
        self.local = local
        self.repeats = repeats
        self.repeating: bool = bool(repeats) or any(group.repeating for group in groups)
        self.least = least
        self.most = most


class LocalCount(Condition):
    """What a local condition group counts; with `times` above 0 it is a repeat as well."""

    __slots__ = ("times",)

    def __init__(self, attributes: dict[int, str], names: Names, *, in_info: bool = False) -> None:
        super().__init__({Key.CHILD_ID: "any", **attributes}, names, in_info=in_info)
        self.times = int(number(attributes.get(Key.REPEATS), 0))


class Reach:
    """Which other nodes a modifier changes (§13): its scope goes up to a node, its path down from there.

    The path is `self`, then `entries` for what stands below (with `recursive`: at any depth), then ids, types or
    categories that must fit, then `profiles` and the name of a profile type where profiles are meant. [derived]

    Attributes:
        start: where the path begins.
        profile_type: name or id of the type of the profiles that change; None where entries themselves do.
    """

    __slots__ = ("below", "deep", "filters", "profile_type", "start")

    def __init__(self, path: str, attributes: dict[int, str], names: Names) -> None:
        steps, profile_type = _steps_of(path)
        scope = attributes.get(Key.SCOPE) or "self"  # the root of a root entry is itself
        self.start = Query({Key.SCOPE: "root-entry-self" if scope == "root-entry" else scope}, names)
        self.below = "entries" in steps
        self.deep = "recursive" in steps
        self.filters = frozenset(step for step in steps if step not in _STEPS)
        self.profile_type = profile_type


_STEPS: Final = frozenset({"self", "entries", "recursive", "e"})
_UNKNOWN_STEPS: Final = frozenset({"forces", "associations", "group", "rules", "infoLinks"})
_ID: Final = re.compile(r"[0-9a-f]+(-[0-9a-f]+)+")


def _steps_of(path: str) -> tuple[list[str], str | None]:
    """The steps of a path down to the nodes it means, and which of their profiles: None where it means the nodes.

    A path that names profiles at once means those of the node that the scope leads to, as one that starts with
    `self` does; one that starts with an id means that node only if it is such.
    """
    steps, profiles, profile_type = f".{path}".partition(".profiles")
    return steps.split(".")[1:], profile_type.removeprefix(".") if profiles else None


def is_reach(path: str) -> bool:
    """Whether a modifier's `affects` is understood."""
    steps, profile_type = _steps_of(path)
    if not steps:
        return profile_type is not None
    starts = steps[0] in {"self", "entries"} or _ID.fullmatch(steps[0]) is not None
    return starts and not any(step in _UNKNOWN_STEPS or not step for step in steps)


class Modifier:
    """One change: `kind` of `field` by `value`, when every condition and group holds, as often as the repeats say.

    A modifier group that repeats is a modifier with `steps` instead: they run in order, as often as it says.

    Attributes:
        node: the node of the data it was written as.
        join: stands between the text and what is added to it.
        arg: the text a `replace` looks for.
        position: which number in a text it changes, from 1, or from the end below 0; 0: only a text that is a number.
        reach: the other nodes it changes; None when it changes its own.
        unless_present: an `append` or `prepend` leaves texts alone that hold this; empty means none.
    """

    __slots__ = (
        "arg", "conditions", "field", "groups", "join", "kind", "node", "position", "reach", "repeats", "steps",
        "unless_present", "value",
    )  # fmt: skip

    def __init__(
        self,
        *,
        kind: str,
        field: str,
        value: str,
        node: int,
        conditions: tuple[Condition, ...],
        groups: tuple[ConditionGroup, ...],
        repeats: tuple[Repeat, ...],
        steps: tuple["Modifier", ...] = (),
        join: str = " ",
        arg: str = "",
        position: int = 0,
        unless_present: str = "",
        reach: Reach | None = None,
    ) -> None:
        self.kind = kind
        self.field = field
        self.value = value
        self.node = node
        self.conditions = conditions
        self.groups = groups
        self.repeats = repeats
        self.steps = steps
        self.join = join
        self.arg = arg
        self.position = position
        self.unless_present = unless_present
        self.reach = reach

    def with_steps(self, steps: tuple["Modifier", ...], reach: Reach | None = None) -> "Modifier":
        """The same repeating group with only these steps, changing the nodes they reach."""
        return Modifier(
            kind=self.kind,
            field=self.field,
            value=self.value,
            node=self.node,
            conditions=self.conditions,
            groups=self.groups,
            repeats=self.repeats,
            steps=steps,
            reach=reach,
        )

    def queries(self) -> Iterator[Query]:
        """Every query it depends on."""
        yield from self.conditions
        yield from self.repeats
        for group in self.groups:
            yield from _group_queries(group)
        for step in self.steps:
            yield from step.queries()


def _group_queries(group: ConditionGroup) -> Iterator[Query]:
    if group.local is not None:
        yield group.local
    yield from group.conditions
    yield from group.repeats
    for inner in group.groups:
        yield from _group_queries(inner)


Modifiers = tuple[Modifier, ...]


class Constraint(Query):
    """A limit, written on `owner_id`; `modifiers` are those that change its value.

    Attributes:
        below_root: means nothing on an entry that a force offers itself (1.14 and 1.15 files, §20).
    """

    __slots__ = ("automatic", "below_root", "id", "kind", "message", "modifiers", "negative", "node", "owner_id")

    def __init__(self, attributes: dict[int, str], names: Names, node: int, owner_id: str) -> None:
        super().__init__(attributes, names)
        self.node = node
        self.id = attributes.get(Key.ID, "")
        self.kind = attributes.get(Key.TYPE, "")
        self.owner_id = owner_id
        self.negative = attributes.get(Key.NEGATIVE) == "true"
        self.automatic = attributes.get(Key.AUTOMATIC) == "true"
        self.message = attributes.get(Key.MESSAGE)
        self.below_root = attributes.get(Key.BELOW_ROOT) == "true"
        self.modifiers: Modifiers = ()

    @property
    def fills(self) -> bool:
        """Whether what must be there by it is taken where its owner is offered."""
        return self.kind in {"min", "exactly"} and self.field is Field.SELECTIONS and not self.percent

    @property
    def starts(self) -> int:
        """How many its owner starts with, though nothing demands them afterwards.

        Data writes what is there at first and may be taken away as a minimum that a modifier without conditions sets to
        0: "Khorne Daemons are visible".
        """
        lifted = any(
            one.kind == "set" and one.value == "0" and not (one.conditions or one.groups or one.repeats or one.steps)
            for one in self.modifiers
        )
        return int(self.value) if lifted and self.fills and self.value > 0 else 0

    def can_demand(self) -> bool:
        """Whether it may be broken by something that is not there."""
        return self.kind in {"min", "exactly"} and (self.value > 0 or bool(self.modifiers))


def of_field(modifiers: Iterable[Modifier], *fields: str) -> Modifiers:
    """The modifiers of these fields, in order; repeating groups keep only such steps."""
    found: list[Modifier] = []
    for modifier in modifiers:
        if modifier.steps:
            steps = of_field(modifier.steps, *fields)
            if steps:
                found.append(modifier.with_steps(steps))
        elif modifier.field in fields:
            found.append(modifier)
    return tuple(found)


def apart(modifiers: Iterable[Modifier]) -> tuple[list[Modifier], list[Modifier]]:
    """Modifiers that change their own node, and those that change others; repeating groups are taken apart."""
    own: list[Modifier] = []
    others: list[Modifier] = []
    for modifier in modifiers:
        if not modifier.steps:
            (own if modifier.reach is None else others).append(modifier)
            continue
        own_steps, other_steps = apart(modifier.steps)
        if own_steps or not other_steps:
            own.append(modifier.with_steps(tuple(own_steps)))
        others += [modifier.with_steps((step,), step.reach) for step in other_steps]
    return own, others


def fields_of(modifiers: Iterable[Modifier]) -> list[str]:
    """Every field that is modified, once, in order."""
    found: dict[str, None] = {}
    for modifier in modifiers:
        if modifier.steps:
            found.update(dict.fromkeys(fields_of(modifier.steps)))
        else:
            found[modifier.field] = None
    return list(found)
