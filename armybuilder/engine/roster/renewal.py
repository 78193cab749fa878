"""What an evaluation takes over from the one before an edit: all that the edit does not touch.

The nodes are made anew; what was worked out for them is kept where nothing their data asks for (`reads`) has changed.
Three passes, as each may change what the next asks for: categories, then costs, then flags, names and limits. What
is not kept is worked out when it is asked for, as in any evaluation.
"""

from typing import Final

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import Force, Roster
from armybuilder.engine.roster.nodes import ForceNode, Holder, Objections, SelectionNode, members_of
from armybuilder.engine.roster.reads import (
    ORDER,
    PRIMARY,
    Layer,
    Reads,
    Words,
    reads_below,
    reads_of,
    reads_of_category,
    reads_of_force,
    reads_of_profiles,
)
from armybuilder.engine.roster.state import CategoryState

NO_OBJECTIONS: Final[Objections] = ((), ())
Pair = tuple[SelectionNode, SelectionNode, Reads]
"""A selection before and after an edit that left it as it was, and what its data asks for."""


def renewed(library: Library, roster: Roster, before: Evaluation) -> "Renewal | None":
    """What an evaluation of a roster takes over of one before; None when nothing may be.

    That is where names, limits or forces themselves changed, where something is not in the data, where costs depend on
    themselves, and where modifiers change more than the categories of nodes in other units.
    """
    model = before.top.model
    if (model.id, model.name, model.cost_limits) != (roster.id, roster.name, roster.cost_limits):
        return None
    if [_outline(force) for force in model.forces] != [_outline(force) for force in roster.forces]:
        return None
    if before.costs.looping or _lacks(before):
        return None
    after = Evaluation(library, roster)
    if _lacks(after):
        return None
    renewal = Renewal(before, after)
    if not renewal.take_over():
        return None
    after.row_before = renewal.row
    return renewal


def _outline(force: Force) -> tuple[object, ...]:
    """What a force is, whatever stands in it."""
    return (force.id, force.entry_id, force.catalogue_id, *(_outline(below) for below in force.forces))


def _lacks(evaluation: Evaluation) -> bool:
    return bool(evaluation.top.missing) or any(force.missing for force in evaluation.top.all_forces())


class Renewal:
    """The comparison of two evaluations, and the words of all that has changed between them.

    Attributes:
        after: the evaluation in work, given all that it takes over.
        restless: categories ask for one another, or what gives some to other nodes has changed, so that they are worked
            out anew, in the order of the roster; all of them where a unit changed that gives them (`_regrouped`).
    """

    def __init__(self, before: Evaluation, after: Evaluation) -> None:
        self._before = before
        self.after = after
        self._library = after.library
        self._words: set[str] = set()
        self._pairs: list[Pair] = []
        self._new: list[SelectionNode] = []
        self._gone: list[SelectionNode] = []
        self._stirred: set[SelectionNode] = set()
        self._reaching: dict[SelectionNode, list[Layer]] = {}
        self._renamed = False
        self._regrouped = False
        self.restless = before.counting.provisional
        self._objections = before.objections
        self._rows = before.rows

    def take_over(self) -> bool:
        """Give the new nodes what still holds of the old ones; False when nothing may be kept."""
        if not self._compare():
            return False
        if self._library.reaches and not self._reach():
            return False
        self._categories()
        self._costs()
        self._rest()
        del self._before, self._pairs, self._new, self._gone
        return True

    def row(self, spec: Spec, force: ForceNode) -> CategoryState | None:
        """A category of a force as it was, if it still is so but for what is in it."""
        row = self._rows.get((force.id, spec))
        return row if row is not None and reads_of_category(self._library, spec).isdisjoint(self._words) else None

    def root_objections(
        self, place: Place, first: SelectionNode | None, members: tuple[str, ...], force: ForceNode
    ) -> Objections | None:
        """What was objected to of a root entry or group, if it still is.

        Args:
            first: the first selection of it; None of a group, and where nothing of an entry is taken.
            members: ids of the selections an objection may point at.
        """
        if first is None:
            if not reads_of(self._library, place).whole.far.isdisjoint(self._words):
                return None
        elif first.kept is None:
            return None
        return self._same(self._objections.get((force.id, place)), members)

    def force_objections(self, force: ForceNode) -> Objections | None:
        """What was objected to of a force, if it still is."""
        return self._of_force(force.spec, force, reads_of_force(self._library, force.spec))

    def category_objections(self, spec: Spec, force: ForceNode) -> Objections | None:
        """What was objected to of a category, if it still is."""
        return self._of_force(spec, force, reads_of_category(self._library, spec))

    def _of_force(self, spec: Spec, force: ForceNode, words: Words) -> Objections | None:
        return self._same(self._objections.get((force.id, spec)), ()) if words.isdisjoint(self._words) else None

    def below(self, node: SelectionNode, ids: tuple[str, ...]) -> Objections | None:
        """What was objected to directly below a selection, if it still is."""
        known = node.objections
        if known is None or known.ids != ids or (known.all[1] and self._renamed):
            return None
        return known.all

    def part(self, place: Place, first: SelectionNode | None, holder: SelectionNode) -> Objections | None:
        """What was objected to of an entry or group below a selection, if it still is."""
        if holder.earlier is None:
            return None
        known = holder.earlier.parts.get(place)
        if first is not None:
            if first.kept is None:
                return None
        elif not self._holds_in(reads_of(self._library, place).whole, holder, holder.root):
            return None
        elif known is None:
            return NO_OBJECTIONS
        return known if known is None or not known[1] else self._same(known, members_of(place, first, holder))

    def _same(self, known: Objections | None, members: tuple[str, ...]) -> Objections | None:
        if known is None or known[0] != members or (known[1] and self._renamed):
            return None
        return known

    def _compare(self) -> bool:
        """Pair the nodes; the keys of all that came, went or changed its number are the first words."""
        forces = {force.id: force for force in self._before.top.all_forces()}
        if len(forces) != len(self._before.top.all_forces()):
            return False
        for force in self.after.top.all_forces():
            old = forces[force.id]
            if not self._match(old, force):
                return False
        for node in (*self._new, *self._gone):
            self._words.update(node.place.keys)
            self._stir(node)
        self._words.add(ORDER)
        for before, after, _ in self._pairs:
            if after not in self._stirred:
                after._shallow, after._deep = before._shallow, before._deep
        return True

    def _match(self, old: Holder, new: Holder) -> bool:
        there = {child.id: child for child in old.children}
        if len(there) != len(old.children):
            return False
        for child in new.children:
            before = there.get(child.id)
            if before is None or before.place is not child.place:
                self._new += [child, *child.walk()]
                continue
            del there[child.id]
            if before._categories is None or before._name is None or before._hidden is None:
                return False
            if before.amount == child.amount and before.number == child.number:
                self._pairs.append((before, child, reads_of(self._library, child.place)))
            else:
                self._new.append(child)
                self._gone.append(before)
            if (before.children or child.children) and not self._match(before, child):
                return False
        for gone in there.values():
            self._gone += [gone, *gone.walk()]
            self._stir(new)
        return True

    def _stir(self, holder: Holder) -> None:
        """Mark a selection that changed, or under which something did, and those above it."""
        node: Holder | None = holder
        while isinstance(node, SelectionNode) and node not in self._stirred:
            self._stirred.add(node)
            node = node.parent

    def _reach(self) -> bool:
        """Find the modifiers that change other nodes; False when some change other units than their own."""
        for owner in (*self._before.top.all_forces(), *self.after.top.all_forces()):
            if owner.spec.reaching:
                return False
        for node in (*self._before.top.nodes, *self.after.top.nodes):
            for place in (node.place, *node.place.groups):
                reads = reads_of(self._library, place)
                if reads.beyond:
                    return False
                if reads.regroups:
                    self._regrouped = self._regrouped or node.root in self._stirred
                    self.restless = self.restless or reads.unsettled or not reads.whole.far.isdisjoint(self._words)
                if reads.reaching:
                    self._reaching.setdefault(node.root, []).append(reads.whole)
        self.restless = self.restless or self._regrouped
        for root in [node for node in self._reaching if node.selection is not None]:
            self._by_id(root)
        return True

    def _by_id(self, root: SelectionNode) -> None:
        """Enter what an old unit reaches for its new self as well."""
        twin = self.after.node(root.id)
        if isinstance(twin, SelectionNode) and twin is not root:
            self._reaching.setdefault(twin, []).extend(self._reaching[root])

    def _holds(self, layer: Layer, node: SelectionNode) -> bool:
        """Whether nothing changed that a layer of a node's data asks for."""
        return self._holds_in(layer, node if node.root is node else node.parent, node.root)

    def _holds_in(self, layer: Layer, holder: Holder, root: SelectionNode) -> bool:
        """The same of whatever stands directly below a holder."""
        if holder in self._stirred:
            return layer.all.isdisjoint(self._words)
        return (layer.unit if root in self._stirred else layer.far).isdisjoint(self._words)

    def _closed(self) -> set[SelectionNode]:
        """Units in which modifiers that change other nodes ask for something that changed: nothing of them is kept."""
        return {
            root
            for root, layers in self._reaching.items()
            if root in self._stirred or not all(layer.far.isdisjoint(self._words) for layer in layers)
        }

    def _categories(self) -> None:
        closed = self._closed()
        anew: list[Pair] = []
        if self.restless:
            anew = self._pairs if self._regrouped else [pair for pair in self._pairs if not pair[0].steady]
            if not self._regrouped:
                self._keep_steady_categories()
            self.after.settle_categories()
        for pair in () if self.restless else self._pairs:
            old, new, reads = pair
            if reads.settles or new.root in closed or not self._holds(reads.categories, new):
                anew.append(pair)
            else:
                new._categories, new.steady = old._categories, old.steady
        for old, new, _ in anew:
            if old._categories != self.after.categories(new):
                self._differ(new, set(old._categories or ()) ^ set(self.after.categories(new)))
        for old in self._gone:
            self._words.update(category_id for category_id, _ in old._categories or ())
        for new in self._new:
            self._words.update(category_id for category_id, _ in self.after.categories(new))
        if any(node.root is node for node in (*self._new, *self._gone)):
            self._words.add(PRIMARY)

    def _keep_steady_categories(self) -> None:
        for old, new, _ in self._pairs:
            if old.steady:
                new._categories, new.steady = old._categories, True

    def _differ(self, node: SelectionNode, rows: set[tuple[str, bool]]) -> None:
        if rows:
            self._words.update(category_id for category_id, _ in rows)
            self._stir(node)
            if node.root is node:
                self._words.add(PRIMARY)

    def _costs(self) -> None:
        closed = self._closed()
        anew: list[Pair] = []
        for pair in self._pairs:
            old, new, reads = pair
            if reads.prices or new.root in closed or not self._holds(reads.costs, new):
                anew.append(pair)
            else:
                new.costs = dict(old.costs)
        for old, new, _ in anew:
            different = [kind for kind, cost in old.costs.items() if self.after.costs.unit(new, kind) != cost]
            if different or len(old.costs) != len(new.costs):
                self._words.update(different, new.costs.keys() ^ old.costs.keys())
                self._stir(new)
        for new in self._new:
            types = new.place.spec.cost_types
            self._words.update(kind for kind in types if self.after.costs.unit(new, kind))
        for old in self._gone:
            self._words.update(kind for kind, cost in old.costs.items() if cost)
        if closed:
            self._words.update(self._library.cost_type_ids)

    def _rest(self) -> None:
        closed = self._closed()
        forces = {force.id: force for force in self._before.top.all_forces()}
        names = [
            (self._before.shown(forces[force.id]), self.after.shown(force)) for force in self.after.top.all_forces()
        ]
        self._renamed = any(old != new for old, new in names)
        for old, new, reads in self._pairs:
            if new.root not in closed and self._holds(reads.whole, new) and self._shows_the_same(old, new):
                new._hidden, new._name, new.kept = old._hidden, old._name, old.state
            elif self.after.name(new) != old._name:
                self._renamed = True
        old_by_id = {old.id: old for old in self._gone}
        for new in self._new:
            gone = old_by_id.get(new.id)
            if gone is not None and gone._name != self.after.name(new):
                self._renamed = True
        for old, new, _ in self._pairs:
            if new.root not in closed:
                new.earlier = old.objections
            if new.kept is not None and old.objections is not None and self._asks_the_same(new):
                new.objections = old.objections

    def _shows_the_same(self, old: SelectionNode, new: SelectionNode) -> bool:
        """Whether the player's words for a selection, its categories and its profiles are what they were."""
        one, other = old.selection, new.selection
        if one is not other:
            assert one is not None and other is not None
            if (one.custom_name, one.notes) != (other.custom_name, other.notes):
                return False
        categories = new._categories
        if categories is not old._categories and categories != old._categories:
            return False
        layer = reads_of_profiles(self._library, new.place, categories or (), new.force.catalogue_id)
        return self._holds(layer, new)

    def _asks_the_same(self, node: SelectionNode) -> bool:
        return all(child.kept is not None for child in node.children) and self._holds_in(
            reads_below(self._library, node.place), node, node.root
        )
