"""Reads what is written below a node of the columns: its modifiers with their conditions, and its constraints."""

from typing import Any, Final, TypeVar

from armybuilder.engine.gamedata.columns import Columns, Key, NodeKind
from armybuilder.engine.gamedata.model import (
    Condition,
    ConditionGroup,
    Constraint,
    LocalCount,
    Modifier,
    Names,
    Reach,
    Repeat,
    is_reach,
)
from armybuilder.engine.gamedata.numbers import number

_FILES: Final = frozenset({NodeKind.GAME_SYSTEM, NodeKind.CATALOGUE})
_Several = TypeVar("_Several", bound=tuple[object, ...])


class View:
    """Reads modifiers, conditions and constraints below a node.

    What is written alike is one object: Age of Sigmar asks 33,000 conditions, of which 1,100 differ.
    """

    def __init__(self, columns: Columns, names: Names) -> None:
        self._columns = columns
        self._names = names
        self._conditions: dict[tuple[bytes, ...], Condition] = {}
        self._groups: dict[tuple[bytes, ...], ConditionGroup] = {}
        self._together: dict[tuple[object, ...], Any] = {}

    def modifiers(self, node: int, *, in_info: bool = False) -> list[Modifier]:
        """The modifiers, then the modifier groups of a node, in order (§8)."""
        kind = self._columns.kind
        single: list[Modifier] = []
        grouped: list[Modifier] = []
        for child in self._columns.children(node):
            if kind[child] == NodeKind.MODIFIER:
                attributes = self._columns.attributes(child)
                path = attributes.get(Key.AFFECTS)
                if path is None and not in_info:
                    path = "self"  # a scope alone means the node it leads to
                if path is None or (path == "self" and self._is_own(node, attributes.get(Key.SCOPE, "self"))):
                    single.append(self._modifier(child, attributes, in_info))
                elif is_reach(path) and not in_info:  # the loader has listed the others
                    reach = Reach(path, attributes, self._names)
                    single.append(self._modifier(child, attributes, in_info, reach))
            elif kind[child] == NodeKind.MODIFIER_GROUP:
                grouped.extend(self._modifier_group(child, in_info))
        return single + grouped

    def _is_own(self, node: int, scope: str) -> bool:
        """Whether a scope leads from a node to itself, wherever that node stands."""
        return scope == "self" or (scope == "root-entry" and self._columns.kind[self._columns.parent[node]] in _FILES)

    def _modifier(self, node: int, attributes: dict[int, str], in_info: bool, reach: Reach | None = None) -> Modifier:
        conditions, groups, repeats = self._guards(node, in_info)
        value = attributes.get(Key.VALUE, "")
        unless_present = attributes.get(Key.SKIP_IF_PRESENT, "")
        return Modifier(
            kind=attributes.get(Key.TYPE, ""),
            field=attributes.get(Key.FIELD, ""),
            value=value,
            node=node,
            conditions=conditions,
            groups=groups,
            repeats=repeats,
            join=attributes.get(Key.JOIN, " "),
            arg=attributes.get(Key.ARG, ""),
            position=int(number(attributes.get(Key.POSITION))),
            unless_present={"true": value, "false": ""}.get(unless_present, unless_present),
            reach=reach,
        )

    def _modifier_group(self, node: int, in_info: bool) -> list[Modifier]:
        conditions, groups, repeats = self._guards(node, in_info)
        steps = self.modifiers(node, in_info=in_info)
        if repeats:
            return [
                Modifier(
                    kind="",
                    field="",
                    value="",
                    node=node,
                    conditions=conditions,
                    groups=groups,
                    repeats=repeats,
                    steps=tuple(steps),
                )
            ]
        for step in steps:  # a group without repeats only adds its conditions to each member
            step.conditions = conditions + step.conditions
            step.groups = groups + step.groups
        return steps

    def _guards(
        self, node: int, in_info: bool
    ) -> tuple[tuple[Condition, ...], tuple[ConditionGroup, ...], tuple[Repeat, ...]]:
        columns = self._columns
        conditions: list[Condition] = []
        groups: list[ConditionGroup] = []
        repeats: list[Repeat] = []
        for child in columns.children(node):
            kind = columns.kind[child]
            if kind == NodeKind.CONDITION:
                conditions.append(self._condition(child, in_info))
            elif kind in {NodeKind.CONDITION_GROUP, NodeKind.LOCAL_CONDITION_GROUP}:
                groups.append(self._group(child, in_info))
            elif kind == NodeKind.REPEAT:
                repeats.append(Repeat(columns.attributes(child), self._names, in_info=in_info))
        return self._one(tuple(conditions)), self._one(tuple(groups)), tuple(repeats)

    def _one(self, several: _Several) -> _Several:
        """The same tuple as before, if these very objects stood together before."""
        found: _Several = self._together.setdefault(several, several)
        return found

    def _condition(self, node: int, in_info: bool) -> Condition:
        key = (*self._columns.content(node), b"info" if in_info else b"")
        found = self._conditions.get(key)
        if found is None:
            attributes = self._columns.attributes(node)
            found = self._conditions[key] = Condition(attributes, self._names, in_info=in_info)
        return found

    def _group(self, node: int, in_info: bool) -> ConditionGroup:
        key = (*self._columns.content(node), b"info" if in_info else b"")
        found = self._groups.get(key)
        if found is None:
            found = self._groups[key] = self._new_group(node, in_info)
        return found

    def _new_group(self, node: int, in_info: bool) -> ConditionGroup:
        columns = self._columns
        inner, nested, often = self._guards(node, in_info)
        if columns.kind[node] == NodeKind.LOCAL_CONDITION_GROUP:
            local = LocalCount(columns.attributes(node), self._names, in_info=in_info)
            return ConditionGroup("and", inner, nested, local)
        low, high = columns.get(node, Key.MIN), columns.get(node, Key.MAX)
        return ConditionGroup(
            columns.get(node, Key.TYPE) or "and",
            inner,
            nested,
            repeats=often,
            least=number(low) if low else None,
            most=number(high) if high else None,
        )

    def constraints(self, node: int) -> list[Constraint]:
        """The constraints written on a node."""
        columns = self._columns
        found = []
        for child in columns.children(node):
            if columns.kind[child] == NodeKind.CONSTRAINT:
                owner_id = columns.get(node, Key.ID) or ""
                found.append(Constraint(columns.attributes(child), self._names, child, owner_id))
        return found
