"""What selections cost: exact unit costs after modifiers, and cost loops found as cycles (§5, §8)."""

from armybuilder.engine.gamedata.model import Child, Field, Modifiers, Query, of_field
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.roster.modifiers import changed_number
from armybuilder.engine.roster.nodes import SelectionNode
from armybuilder.engine.roster.scopes import Counting

Key = tuple[SelectionNode, str]


class Costs:
    """Costs of the selections of one roster, worked out when they are asked for.

    A cost that reads other costs (a modifier with a condition or repeat on a cost field) may be part of a loop. The
    graph "cost of A reads cost of B" is followed depth first (Tarjan); members of a loop keep their base cost and
    `looping` names them.
    """

    def __init__(self, run: Counting) -> None:
        self._run = run
        self._order: dict[Key, int] = {}
        self._low: dict[Key, int] = {}
        self._stack: list[Key] = []
        self.looping: list[Key] = []

    def cost(self, node: SelectionNode, type_id: str) -> Number:
        """The selection's own cost of a type: unit cost x number."""
        return self.unit(node, type_id) * node.number

    def unit(self, node: SelectionNode, type_id: str) -> Number:
        """The effective cost of one."""
        value = node.costs.get(type_id)
        if value is None:
            spec = node.place.spec
            modifiers = spec.cost_modifiers.get(type_id, ())
            base = spec.base_costs.get(type_id, 0)
            if not modifiers:
                value = base
            elif not any(_reads_costs(query) for modifier in modifiers for query in modifier.queries()):
                value = changed_number(base, modifiers, node, self._run)
            else:
                return self._connected((node, type_id), base, modifiers)
            if self._run.reaching is not None:
                for modifier, source in self._run.reaching.costs_on(node, type_id):
                    value = changed_number(value, of_field((modifier,), type_id), source, self._run)
            node.costs[type_id] = value
        return value

    def _connected(self, key: Key, base: Number, modifiers: Modifiers) -> Number:
        """Settle everything this cost reads, then itself; Tarjan's strongly connected components."""
        if key in self._order:  # on the way down already
            return base
        number = self._order[key] = self._low[key] = len(self._order)
        self._stack.append(key)
        itself = False
        for other in self._reads(key, modifiers):
            if other == key:
                itself = True
            elif other in self._stack:
                self._low[key] = min(self._low[key], self._order[other])
            elif other[1] not in other[0].costs:
                self.unit(*other)
                if other in self._stack:
                    self._low[key] = min(self._low[key], self._low[other])
        if self._low[key] < number:
            return base  # part of a loop; its first member settles them all
        at = self._stack.index(key)
        members = self._stack[at:]
        del self._stack[at:]
        if itself or len(members) > 1:
            for member in members:
                member[0].costs[member[1]] = _base(*member)
            self.looping.extend(members)
        else:
            key[0].costs[key[1]] = changed_number(base, modifiers, key[0], self._run)
        return key[0].costs[key[1]]

    def _reads(self, key: Key, modifiers: Modifiers) -> list[Key]:
        node, _ = key
        found: dict[Key, None] = {}
        for modifier in modifiers:
            for query in modifier.queries():
                if not _reads_costs(query) or query.child is Child.ABSENT:
                    continue
                container = self._run.container(query, node)
                if container is None:
                    continue
                child, wanted = (Child.KEY, "any") if query.percent else (query.child, query.key)
                for other in self._run.costing(container, child, wanted, query):
                    found[(other, query.cost_type)] = None
                if container.own is not None:
                    found[(container.own, query.cost_type)] = None
        return list(found)


def _base(node: SelectionNode, type_id: str) -> Number:
    return node.place.spec.base_costs.get(type_id, 0)


def _reads_costs(query: Query) -> bool:
    return query.field is Field.COST
