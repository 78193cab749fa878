"""What a roster comes to: names, flags, categories, costs and profiles, on demand with a memo (§8)."""

from collections.abc import Callable, Iterator
from decimal import Decimal

from armybuilder.engine.gamedata.columns import Key
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Constraint, Modifiers, of_field
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.costs import Costs
from armybuilder.engine.roster.limits import NO_CATEGORY, UNCATEGORISED, limits_of
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.modifiers import changed_categories, changed_flag, changed_number, changed_text
from armybuilder.engine.roster.nodes import (
    Categories,
    ForceNode,
    GroupNode,
    Holder,
    Objections,
    Owner,
    RosterNode,
    SelectionNode,
    build,
)
from armybuilder.engine.roster.reaching import Reaching
from armybuilder.engine.roster.scopes import Counting
from armybuilder.engine.roster.state import (
    CategoryState,
    Cost,
)

DEEPEST = 50
"""So many selections may wait for each other's categories; what the next one asks for is what its entry begins with.

Each waits in a dozen calls: a regiment of a hundred and forty kinds was the end of what Python allows.
"""


class Evaluation:
    """One evaluation in work: the nodes, and a memo of everything asked for so far.

    Attributes:
        row_before: gives a category of a force as it was before an edit, where it still is so but for what is in it.
        objections: what was objected to of root entries and groups, and of the categories, of each force.
        rows: the categories of each force.
    """

    def __init__(self, library: Library, roster: Roster) -> None:
        self.library = library
        self.top: RosterNode = build(library, roster)
        self.counting = self._counting()
        self.counting.categories_of = self.categories
        self.costs = Costs(self.counting)
        self.counting.cost_of = self.costs.cost
        if library.reaches:
            self.counting.reaching = Reaching(self.top, library.reads) or None
        self.row_before: Callable[[Spec, ForceNode], CategoryState | None] | None = None
        self.objections: dict[tuple[str, Place | Spec], Objections] = {}
        self.rows: dict[tuple[str, Spec], CategoryState] = {}
        self._innermost: SelectionNode | None = None
        self._settled: list[SelectionNode] = []
        self._has_early = False
        self._categories_hidden: dict[tuple[Spec, ForceNode], bool] = {}
        self._groups_hidden: dict[tuple[Place, Holder], bool] = {}
        self._force_limits: dict[tuple[Constraint, ForceNode], tuple[Number | None, Number | None]] = {}
        self._nodes: dict[str, Holder] | None = None

    def _counting(self) -> Counting:
        """What answers its queries."""
        return Counting(self.top)

    def categories(self, node: SelectionNode) -> Categories:
        """Categories of a selection in order, after modifiers: (id, primary)."""
        found = node._categories
        if found is None:
            found = node.place.categories
            modifiers = node.place.spec.category_modifiers
            if self.counting.settling >= DEEPEST:
                self.counting.provisional = self._has_early = True
                return found
            node._categories = found  # a modifier that asks for them sees the list so far (§8 rule 2)
            if modifiers or self.counting.reaching is not None:
                self.counting.settling += 1
                outer, self._innermost, node.settling = self._innermost, node, True
                self._settled.append(node)
                try:
                    node.steady = not modifiers
                    found = changed_categories(found, modifiers, node, self.counting)
                    for modifier, source in self._reaching(node, "category"):
                        node.steady = False
                        found = changed_categories(found, modifier, source, self.counting)
                    node._categories = found
                finally:
                    self.counting.settling -= 1
                    self._innermost, node.settling = outer, False
                    if outer is None:
                        self._forget_what_was_early(node)
        elif node.settling and node is not self._innermost:
            self.counting.provisional = self._has_early = True
        return found

    def _forget_what_was_early(self, first: SelectionNode) -> None:
        """What was worked out for the sake of a node that was not done itself is asked anew when it is needed.

        A leader is one by a modifier that counts the leaders of the force, and makes its troops what they are.
        """
        if self._has_early:
            for node in self._settled:
                if node is not first:
                    node._categories = None
        self._settled.clear()
        self._has_early = False

    def flag(self, spec: Spec, owner: Owner) -> bool:
        """Whether a definition is hidden for an owner."""
        hidden = spec.hidden
        if spec.hidden_modifiers:
            hidden = changed_flag(hidden, spec.hidden_modifiers, owner, self.counting)
        if self.counting.reaching is not None and owner.spec is spec:
            for modifier, source in self._reaching(owner, "hidden"):
                hidden = changed_flag(hidden, modifier, source, self.counting)
        return hidden

    def _reaching(self, owner: Owner, field: str) -> Iterator[tuple[Modifiers, Owner]]:
        """Modifiers of other nodes that change a field of an owner, with the nodes they are written on."""
        if self.counting.reaching is not None:
            for modifier, source in self.counting.reaching.on(owner, field):
                yield of_field((modifier,), field), source

    def text(self, spec: Spec, owner: Owner) -> str:
        """The effective name of a definition for an owner, with its annotation in brackets (§13)."""
        name = spec.name
        if spec.name_modifiers:
            name = changed_text(name, spec.name_modifiers, owner, self.counting)
        notes = spec.rare_modifiers.get("annotation") if spec.rare_modifiers else None
        annotation = changed_text("", notes, owner, self.counting) if notes else ""
        if self.counting.reaching is not None and owner.spec is spec:
            for modifier, source in self._reaching(owner, "name"):
                name = changed_text(name, modifier, source, self.counting)
            for modifier, source in self._reaching(owner, "annotation"):
                annotation = changed_text(annotation, modifier, source, self.counting)
        return annotated(name, annotation)

    def cost_types(self, node: SelectionNode) -> tuple[str, ...]:
        """The cost types a selection has a row for: its entry's, and those that another node gives it (§13)."""
        own = node.place.spec.cost_types
        if self.counting.reaching is None:
            return own
        more = (field for field in self.counting.reaching.fields if field in self.library.cost_type_by_id)
        return own + tuple(field for field in more if field not in own and any(self._reaching(node, field)))

    def hidden(self, node: SelectionNode) -> bool:
        """Whether a selection, or an entry that is not taken, is hidden."""
        found = node._hidden
        if found is None:
            found = node._hidden = self.flag(node.place.spec, node)
        return found

    def category_hidden(self, spec: Spec, force: ForceNode) -> bool:
        """Whether a category is hidden in a force."""
        key = (spec, force)
        found = self._categories_hidden.get(key)
        if found is None:
            found = self._categories_hidden[key] = self.flag(spec, force)
        return found

    def group_hidden(self, place: Place, holder: Holder) -> bool:
        """Whether a group is hidden where it stands."""
        key = (place, holder)
        found = self._groups_hidden.get(key)
        if found is None:
            found = self._groups_hidden[key] = self.flag(place.spec, GroupNode(place, holder))
        return found

    def name(self, node: SelectionNode) -> str:
        """The effective name of a selection."""
        found = node._name
        if found is None:
            found = node._name = self.text(node.place.spec, node)
        return found

    def name_of(self, owner: Owner) -> str:
        """The effective name of any owner."""
        if isinstance(owner, SelectionNode):
            return self.name(owner)
        return self.text(owner.spec, owner)

    def group_name(self, group: GroupNode) -> str:
        """The effective name of a group."""
        return self.text(group.place.spec, group)

    def shown(self, holder: Holder) -> str:
        """The name a message uses for a force or selection."""
        if isinstance(holder, SelectionNode):
            return self.name(holder)
        if not isinstance(holder, ForceNode):
            return ""
        if holder.name is None:
            holder.name = self.text(holder.spec, holder)
        return holder.name

    def category_name(self, category_id: str, force: ForceNode) -> str:
        """The name of a category as the force's catalogue sees it."""
        if category_id == NO_CATEGORY:
            return UNCATEGORISED
        node = self.library.category_node(force.catalogue_id, category_id)
        return self.library.columns.get(node, Key.NAME) or "" if node is not None else category_id

    def fits(self, node: SelectionNode) -> bool:
        """Whether a root entry belongs into its force: it has no primary category, or one the force links (§9)."""
        primary = self.counting.primary_of(node)
        return primary is None or primary in node.force.spec.category_ids

    def demanding_roots(self, catalogue_id: str) -> tuple[Place, ...]:
        """Root places whose limits may be broken by what is not taken."""
        return self.library.demanding_roots(catalogue_id)

    def force_limits(self, constraint: Constraint, force: ForceNode) -> tuple[Number | None, Number | None]:
        """(minimum, maximum) of a constraint of a force or of one of its categories, worked out once."""
        found = self._force_limits.get((constraint, force))
        if found is None:
            found = self._force_limits[constraint, force] = limits_of(constraint, force, self.counting)
        return found

    def total(self, type_id: str) -> Number:
        """The roster's cost of a type: of all selections, and of forces that have a price of their own (§13)."""
        forces = self.top.all_forces()
        total = sum([self.costs.cost(node, type_id) for node in self.top.nodes], start=0)
        return total + sum((self.force_cost(force, type_id) for force in forces if force.spec.cost_types), start=0)

    def force_cost(self, force: ForceNode, type_id: str) -> Number:
        """What a force itself costs."""
        spec = force.spec
        return changed_number(
            spec.base_costs.get(type_id, 0), spec.cost_modifiers.get(type_id, ()), force, self.counting
        )

    def missing(self) -> Iterator[tuple[str, str, str, str]]:
        """(node id, name, entry id, force or selection) of what the library does not know."""
        for force in self.top.missing:
            yield force.id, force.name, force.entry_id, "force"
        for node in self.top.all_forces():
            for selection, _ in node.missing:
                yield selection.id, selection.name, selection.entry_id, "selection"

    def node(self, node_id: str) -> Holder | None:
        """The force or selection node with an id; None when the roster has none the library knows."""
        if self._nodes is None:
            self._nodes = {}
            for force in self.top.all_forces():
                self._nodes[force.id] = force
                self._nodes.update((node.id, node) for node in force.walk())
        return self._nodes.get(node_id)

    def settle_categories(self) -> None:
        """Work out all categories in the order of the roster: where they hang on one another, the order decides."""
        for node in self.top.nodes:
            self.categories(node)

    def finish(self) -> None:
        """Let go of the evaluation before the edit, once everything is said."""
        self.row_before = None
        for node in self.top.nodes:
            node.kept = node.earlier = None

    def let_go(self) -> None:
        """Free everything at once; nothing may be asked of it or its nodes any more."""
        self.top.let_go()
        del self.counting.categories_of, self.counting.cost_of

    def cost_row(self, type_id: str, value: Number) -> Cost:
        """An amount of a cost type, ready to be shown."""
        cost_type = self.library.cost_type_by_id.get(type_id)
        if cost_type is None:
            return Cost(type_id, type_id, Decimal(value))
        return Cost(type_id, cost_type.name, Decimal(value), cost_type.hidden)


def annotated(name: str, annotation: str) -> str:
    """A name with what the data remarks on it, in brackets (§13)."""
    return f"{name} ({annotation})" if annotation else name
