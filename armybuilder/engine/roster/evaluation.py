"""What a roster comes to: names, flags, categories, costs and profiles, on demand with a memo (§8)."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import lru_cache

from armybuilder.engine.gamedata.columns import Key
from armybuilder.engine.gamedata.info import InfoSource, InfoSpec
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Constraint, Modifiers, of_field
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place, root_entries
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.available_forces import forces_below
from armybuilder.engine.roster.costs import Costs
from armybuilder.engine.roster.limits import NO_CATEGORY, UNCATEGORISED, limits_of
from armybuilder.engine.roster.missing import missing_force, missing_selection
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
    ForceOffer,
    ForceState,
    Info,
    ProfileState,
    PublicationState,
    RosterState,
    RuleState,
    SelectionState,
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
        return _annotated(name, annotation)

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

    def state(self) -> RosterState:
        """All but the errors. Nodes are put into the order players read, so that errors come in that order too."""
        answer = RosterState(self)
        answer.roster = self.top.model
        self.settle_categories()
        self.top.sort(lambda force: natural(self.shown(force)))
        forces = [self.force_state(force) for force in self.top.forces]
        forces += [missing_force(force) for force in self.top.missing if force in self.top.model.forces]
        answer.forces = tuple(sorted(forces, key=lambda force: natural(force.name)))
        answer.cost_types = self.library.cost_types
        answer.costs = self._totals()
        answer.cost_limits = tuple(self.cost_row(type_id, limit) for type_id, limit in self.top.limits.items())
        return answer

    def _totals(self) -> tuple[Cost, ...]:
        totals: dict[str, Number] = {}
        for force in self.top.all_forces():
            for type_id in force.spec.cost_types:
                totals[type_id] = totals.get(type_id, 0) + self.force_cost(force, type_id)
        for node in self.top.nodes:
            for type_id in self.cost_types(node):
                totals[type_id] = totals.get(type_id, 0) + self.costs.cost(node, type_id)
        if not totals and not self.top.nodes:
            totals = dict.fromkeys(self.library.system_cost_type_ids, 0)
        order = [cost_type.id for cost_type in self.library.cost_types]
        rows = [type_id for type_id in order if type_id in totals]
        rows += [type_id for type_id in totals if type_id not in rows]
        return tuple(self.cost_row(type_id, totals[type_id]) for type_id in rows)

    def cost_row(self, type_id: str, value: Number) -> Cost:
        """An amount of a cost type, ready to be shown."""
        cost_type = self.library.cost_type_by_id.get(type_id)
        if cost_type is None:
            return Cost(type_id, type_id, Decimal(value))
        return Cost(type_id, cost_type.name, Decimal(value), cost_type.hidden)

    def force_state(self, force: ForceNode) -> ForceState:
        """A force and all below it, put into the order players read."""
        model = force.model
        head = self.library.head(model.catalogue_id)
        answer = ForceState(
            lambda: self._force_info(force), lambda: self._available(force), lambda: self._forces_below(force)
        )
        answer.id = model.id
        answer.entry_id = model.entry_id
        answer.name = self.shown(force)
        answer.catalogue_id = model.catalogue_id
        answer.catalogue_name = head.title
        answer.hidden = self.flag(force.spec, force)
        answer.missing = False
        answer.page = self._page(force.spec, force)
        answer.publication_id = force.spec.publication_id
        answer.custom_name = model.custom_name
        answer.notes = model.notes
        labels = (self.library.columns.get(node, Key.CHILD_FORCES_LABEL) for node in reversed(force.spec.nodes))
        answer.below_heading = next((label for label in labels if label), "")
        answer.categories = self._force_categories(force)
        rank = {category.id: at for at, category in enumerate(answer.categories)}
        force.children = sorted(  # not sort(): names count children, and a list is empty while it sorts itself
            force.children,
            key=lambda child: (
                rank.get(self.counting.primary_of(child) or NO_CATEGORY, len(rank)),
                () if model.is_arranged else natural(self.name(child)),
            ),
        )
        lost = tuple(missing_selection(sel) for sel, parent in force.missing if parent == force.id)
        answer.selections = tuple(self.selection_state(child) for child in force.children) + lost
        answer.forces = tuple(self.force_state(child) for child in force.forces) + tuple(
            missing_force(child) for child in self.top.missing if child in model.forces
        )
        answer.publications = tuple(
            PublicationState(publication_id, name)
            for publication_id, name in self.library.publications_of(model.catalogue_id)
        )
        return answer

    def _force_categories(self, force: ForceNode) -> tuple[CategoryState, ...]:
        model = force.model
        there = self.counting.category_counts(force, deep=False)
        rows = [
            CategoryState(
                id=NO_CATEGORY,
                name=UNCATEGORISED,
                custom_name=model.category_names.get(NO_CATEGORY),
                notes=model.category_notes.get(NO_CATEGORY),
                current=sum(child.amount for child in force.children if self.counting.primary_of(child) is None),
            )
        ]
        named = bool(model.category_names or model.category_notes)
        for spec in force.spec.category_specs:
            row = self.row_before(spec, force) if self.row_before is not None else None
            if row is None or row.current != there.get(spec.id, 0) or row.custom_name or row.notes or named:
                row = self._force_category(spec, force, there.get(spec.id, 0))
            self.rows[force.id, spec] = row
            rows.append(row)
        return tuple(rows)

    def _force_category(self, spec: Spec, force: ForceNode, current: int) -> CategoryState:
        low: Number | None = None
        high: Number | None = None
        for constraint in spec.constraints:
            if constraint.field == 0 and not constraint.percent:
                least, most = self.force_limits(constraint, force)
                low = max(low, least) if low is not None and least is not None else least or low
                high = min(high, most) if high is not None and most is not None else (high if most is None else most)
        return CategoryState(
            id=spec.id,
            name=self.text(spec, force),
            hidden=self.category_hidden(spec, force),
            link_id=spec.link_id,
            page=spec.page,
            publication_id=spec.publication_id,
            custom_name=force.model.category_names.get(spec.id),
            notes=force.model.category_notes.get(spec.id),
            minimum=Decimal(low) if low is not None else None,
            maximum=Decimal(high) if high is not None else None,
            current=current,
        )

    def selection_state(self, node: SelectionNode) -> SelectionState:
        """A selection and all below it, put into the order players read."""
        selection = node.selection
        assert selection is not None
        if len(node.children) > 1:
            node.children = sorted(node.children, key=lambda child: natural(self.name(child)))
        below = tuple([self.selection_state(child) for child in node.children])
        if node.force.missing:
            below += tuple(missing_selection(sel) for sel, parent in node.force.missing if parent == selection.id)
        if node.kept is not None:
            node.state = node.kept.renewed(below, lambda: self._selection_info(node))
            return node.state
        spec = node.place.spec
        answer = node.state = SelectionState(lambda: self._selection_info(node))
        answer.id = selection.id
        answer.name = self.name(node)
        answer.entry_id = node.place.path
        answer.group_id = node.place.group_id
        answer.group_names = "::".join(group.spec.name for group in node.place.groups) if node.place.groups else ""
        answer.at_root = node.root is node
        answer.type = spec.type
        answer.amount = node.amount
        answer.number = node.number
        answer.hidden = self.hidden(node)
        answer.missing = False
        answer.page = self._page(spec, node)
        answer.publication_id = spec.publication_id
        answer.publication_name = self.library.publications.get(spec.publication_id or "")
        answer.custom_name = selection.custom_name
        answer.notes = selection.notes
        costs = self.costs
        answer.costs = tuple(self.cost_row(type_id, costs.cost(node, type_id)) for type_id in self.cost_types(node))
        answer.categories = tuple(self._category_states(node))
        answer.selections = below
        return answer

    def _category_states(self, node: SelectionNode) -> Iterator[CategoryState]:
        library = self.library
        for category_id, primary in self.categories(node):
            key = (node.force.catalogue_id, category_id, primary)
            found = library.category_states.get(key)
            if found is None:
                entry = library.category_node(node.force.catalogue_id, category_id)
                if entry is None:
                    continue
                spec = library.spec(entry)
                found = CategoryState(
                    id=category_id,
                    name=spec.name,
                    primary=primary,
                    hidden=spec.hidden,
                    page=spec.page,
                    publication_id=spec.publication_id,
                )
                library.category_states[key] = found
            assert isinstance(found, CategoryState)
            yield found

    def _page(self, spec: Spec, owner: Owner) -> str | None:
        if not spec.page_modifiers:
            return spec.page
        return changed_text(spec.page or "", spec.page_modifiers, owner, self.counting)

    def _available(self, force: ForceNode) -> int:
        count = 0
        for place in root_entries(self.library.roots(force.catalogue_id)):
            ghost = force.ghost(place)
            if self.fits(ghost) and not self.hidden(ghost):
                count += 1
        return count

    def _forces_below(self, force: ForceNode) -> tuple[ForceOffer, ...]:
        return forces_below(
            self.library, force, self.counting, hidden=lambda ghost: self.flag(ghost.spec, ghost), shown=self.shown
        )

    def shown_rows(self, node: SelectionNode) -> tuple[ProfileState, ...]:
        """The profiles of a selection, or of a would-be one."""
        return self._selection_info(node)[0]

    def group_info(self, node: SelectionNode) -> Info:
        """The profiles and rules of the groups around a selection, the innermost first."""
        profiles: list[ProfileState] = []
        rules: list[RuleState] = []
        for group in reversed(node.place.groups):
            self._collect(group.spec.info, node, group.prefix_inside, profiles, rules)
        return tuple(profiles), tuple(rules)

    def _selection_info(self, node: SelectionNode) -> Info:
        profiles: list[ProfileState] = []
        rules: list[RuleState] = []
        for category_id, _ in self.categories(node):
            entry = self.library.category_node(node.force.catalogue_id, category_id)
            if entry is not None:
                self._collect(self.library.info_source(entry), node, "", profiles, rules)
        self._collect(node.place.spec.info, node, node.place.prefix_inside, profiles, rules)
        return tuple(profiles), tuple(rules)

    def _force_info(self, force: ForceNode) -> Info:
        profiles: list[ProfileState] = []
        rules: list[RuleState] = []
        self._collect(force.spec.info, force, "", profiles, rules)
        for file_id in dict.fromkeys((force.catalogue_id, self.library.system_id)):
            self._collect(self.library.info_source(self.library.head(file_id).root), force, "", profiles, rules)
        return tuple(profiles), tuple(rules)

    def _collect(
        self, source: InfoSource, owner: Owner, prefix: str, profiles: list[ProfileState], rules: list[RuleState]
    ) -> None:
        for item in source.items:
            if item.hidden_modifiers:
                if changed_flag(item.hidden, item.hidden_modifiers, owner, self.counting):
                    continue
            elif item.hidden:
                continue
            if item.members is not None:
                inner = prefix + "".join(f"{part}::" for part in item.ids[:-1])
                self._collect(item.members, owner, inner, profiles, rules)
            elif item.is_profile:
                profiles.append(self._profile(item, owner, prefix))
            else:
                rules.append(self._rule(item, owner, prefix))

    def _changed(self, item: InfoSpec, field: str, base: str, owner: Owner) -> str:
        modifiers = item.field_modifiers.get(field)
        return changed_text(base, modifiers, owner, self.counting) if modifiers else base

    def _seen(self, item: InfoSpec, field: str, base: str, owner: Owner) -> str:
        """A field of a profile after its own modifiers, and those of other nodes."""
        text = self._changed(item, field, base, owner)
        if self.counting.reaching is not None:
            names = (item.type_id, item.type_name)
            for modifier, source in self.counting.reaching.on_profile(owner, names, field):
                text = changed_text(text, of_field((modifier,), field), source, self.counting)
        return text

    def _info_name(self, item: InfoSpec, owner: Owner) -> str:
        if item.is_profile and self.counting.reaching is not None:
            return _annotated(self._seen(item, "name", item.name, owner), self._seen(item, "annotation", "", owner))
        if not item.modified:
            return item.name
        return _annotated(self._changed(item, "name", item.name, owner), self._changed(item, "annotation", "", owner))

    def _profile(self, item: InfoSpec, owner: Owner, prefix: str) -> ProfileState:
        return ProfileState(
            id=prefix + "::".join(item.ids),
            name=self._info_name(item, owner),
            type_id=item.type_id,
            type_name=item.type_name,
            characteristics=tuple(
                (name, self._seen(item, type_id, value, owner)) for type_id, name, value in item.characteristics
            ),
            characteristic_ids=tuple(type_id for type_id, _, _ in item.characteristics),
            page=self._changed(item, "page", item.page or "", owner) or None,
            publication_id=item.publication_id,
            publication_name=self.library.publications.get(item.publication_id or ""),
        )

    def _rule(self, item: InfoSpec, owner: Owner, prefix: str) -> RuleState:
        return RuleState(
            id=prefix + "::".join(item.ids),
            name=self._info_name(item, owner),
            description=self._changed(item, "description", item.description, owner),
            page=self._changed(item, "page", item.page or "", owner) or None,
            publication_id=item.publication_id,
            publication_name=self.library.publications.get(item.publication_id or ""),
        )


def _annotated(name: str, annotation: str) -> str:
    return f"{name} ({annotation})" if annotation else name


_DIGITS = re.compile(r"(\d+)")


@lru_cache(maxsize=20_000)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key: digits as numbers, letters without case (§11)."""
    return tuple(
        (0, int(part), "") if part.isdecimal() and len(part) < 4000 else (1, 0, part.casefold())
        for part in _DIGITS.split(name)
        if part
    )
