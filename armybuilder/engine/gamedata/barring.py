"""What may make an entry impossible that nothing hides itself: it begins with something, by a minimum, that may hide.

A library has ten times the entries that its lists ever hold, so nothing but a number is kept of each that is looked at.
"""

from armybuilder.engine.gamedata.specs import EntrySource, Nodes, Spec, nodes_below


class Barring:
    """What may bar an entry, found when it is first asked for."""

    def __init__(self, library: EntrySource) -> None:
        self._library = library
        self._ways: dict[int, tuple[Nodes, ...]] = {}
        self._is_known = bytearray(len(library.columns.kind))
        self._may_all_hide = bytearray(len(library.columns.kind))

    def ways(self, node: int) -> tuple[Nodes, ...]:
        """What stands directly below a node and may bar it: entries that it begins with, and groups of such."""
        if not self._is_known[node]:
            with self._library.lock:
                if not self._is_known[node]:
                    self._find(node)
        return self._ways.get(node, ())

    def may_all_hide(self, nodes: Nodes) -> bool:
        """Whether everything that stands below an entry or group may be hidden."""
        for node in nodes:
            self.ways(node)
        return all(self._may_all_hide[node] for node in nodes)

    def _find(self, start: int) -> None:
        """Look through all that something may begin with, at any depth; each node once, so cycles end."""
        below: dict[int, list[_Look]] = {}
        waiting = [start]
        for node in waiting:  # grows while it is read
            if node in below or self._is_known[node]:
                continue
            every = [_Look(self._library, nodes) for nodes in nodes_below(self._library, node)]
            self._may_all_hide[node] = all(look.may_hide for look in every)
            below[node] = [look for look in every if look.is_group or look.demands]
            waiting += [more for look in below[node] for more in look.nodes]
        barred = self._barred(below)
        for node in barred.intersection(below):
            self._ways[node] = tuple(
                [look.nodes for look in below[node] if self._bars(look) or not barred.isdisjoint(look.nodes)]
            )
        for node in below:
            self._is_known[node] = True

    def _bars(self, look: "_Look") -> bool:
        """Whether something bars what holds it, whatever stands below its own parts."""
        if look.is_group:
            return look.demands and all(self._may_all_hide[node] for node in look.nodes)
        return look.demands and look.is_conditional

    def _barred(self, below: "dict[int, list[_Look]]") -> set[int]:
        """The nodes below which something may bar: what is barred bars whatever holds it."""
        holders: dict[int, list[int]] = {}
        for node, looks in below.items():
            for held in (held for look in looks for held in look.nodes):
                holders.setdefault(held, []).append(node)
        barred: set[int] = set()
        waiting = [node for node, looks in below.items() if any(map(self._bars, looks))]
        waiting += [held for held in holders if held in self._ways]
        while waiting:
            node = waiting.pop()
            if node not in barred:
                barred.add(node)
                waiting += holders.get(node, ())
        return barred


class _Look:
    """What is read of an entry or group in passing; it is not kept.

    Attributes:
        demands: its holder begins with it, by a minimum.
        is_conditional: conditions hide it; may_hide: they do, or it is hidden as it stands.
    """

    __slots__ = ("demands", "is_conditional", "is_group", "may_hide", "nodes")

    def __init__(self, library: EntrySource, nodes: Nodes) -> None:
        spec = Spec(library, *nodes)
        self.nodes = nodes
        self.is_group = spec.is_group
        self.demands = spec.demands and (spec.is_group or not spec.starts)
        self.is_conditional = not library.hiding_nodes.isdisjoint(nodes)
        self.may_hide = spec.hidden or self.is_conditional
