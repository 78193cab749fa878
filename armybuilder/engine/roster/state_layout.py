"""An evaluation laid out as players read it: forces, categories and selections in their order (§11)."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from armybuilder.engine.gamedata.columns import Key
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import root_entries
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.available_forces import forces_below
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import NO_CATEGORY, UNCATEGORISED
from armybuilder.engine.roster.missing import missing_force, missing_selection
from armybuilder.engine.roster.modifiers import changed_text
from armybuilder.engine.roster.nodes import ForceNode, Owner, SelectionNode
from armybuilder.engine.roster.shown_information import ShownInformation
from armybuilder.engine.roster.state import (
    CategoryState,
    Cost,
    ForceOffer,
    ForceState,
    PublicationState,
    RosterState,
    SelectionState,
)


class StateLayout:
    """Makes the states of an evaluation's nodes; all but the errors, which are found afterwards in the same order."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._counting = evaluation.counting
        self._library = evaluation.library
        self._info = ShownInformation(evaluation)

    def roster(self) -> RosterState:
        """All but the errors. Nodes are put into the order players read, so that errors come in that order too."""
        evaluation, top = self._evaluation, self._evaluation.top
        answer = RosterState(evaluation)
        answer.roster = top.model
        evaluation.settle_categories()
        top.sort(lambda force: natural(evaluation.shown(force)))
        forces = [self.force(force) for force in top.forces]
        forces += [missing_force(force) for force in top.missing if force in top.model.forces]
        answer.forces = tuple(sorted(forces, key=lambda force: natural(force.name)))
        answer.cost_types = self._library.cost_types
        answer.costs = self._totals()
        answer.cost_limits = tuple(evaluation.cost_row(type_id, limit) for type_id, limit in top.limits.items())
        return answer

    def _totals(self) -> tuple[Cost, ...]:
        evaluation = self._evaluation
        totals: dict[str, Number] = {}
        for force in evaluation.top.all_forces():
            for type_id in force.spec.cost_types:
                totals[type_id] = totals.get(type_id, 0) + evaluation.force_cost(force, type_id)
        for node in evaluation.top.nodes:
            for type_id in evaluation.cost_types(node):
                totals[type_id] = totals.get(type_id, 0) + evaluation.costs.cost(node, type_id)
        if not totals and not evaluation.top.nodes:
            totals = dict.fromkeys(self._library.system_cost_type_ids, 0)
        order = [cost_type.id for cost_type in self._library.cost_types]
        rows = [type_id for type_id in order if type_id in totals]
        rows += [type_id for type_id in totals if type_id not in rows]
        return tuple(evaluation.cost_row(type_id, totals[type_id]) for type_id in rows)

    def force(self, force: ForceNode) -> ForceState:
        """A force and all below it, put into the order players read."""
        model = force.model
        head = self._library.head(model.catalogue_id)
        answer = ForceState(
            lambda: self._info.of_force(force), lambda: self._available(force), lambda: self._forces_below(force)
        )
        answer.id = model.id
        answer.entry_id = model.entry_id
        answer.name = self._evaluation.shown(force)
        answer.catalogue_id = model.catalogue_id
        answer.catalogue_name = head.title
        answer.hidden = self._evaluation.flag(force.spec, force)
        answer.missing = False
        answer.page = self._page(force.spec, force)
        answer.publication_id = force.spec.publication_id
        answer.custom_name = model.custom_name
        answer.notes = model.notes
        labels = (self._library.columns.get(node, Key.CHILD_FORCES_LABEL) for node in reversed(force.spec.nodes))
        answer.below_heading = next((label for label in labels if label), "")
        answer.categories = self._force_categories(force)
        rank = {category.id: at for at, category in enumerate(answer.categories)}
        force.children = sorted(  # not sort(): names count children, and a list is empty while it sorts itself
            force.children,
            key=lambda child: (
                rank.get(self._counting.primary_of(child) or NO_CATEGORY, len(rank)),
                () if model.is_arranged else natural(self._evaluation.name(child)),
            ),
        )
        lost = tuple(missing_selection(sel) for sel, parent in force.missing if parent == force.id)
        answer.selections = tuple(self.selection(child) for child in force.children) + lost
        answer.forces = tuple(self.force(child) for child in force.forces) + tuple(
            missing_force(child) for child in self._evaluation.top.missing if child in model.forces
        )
        answer.publications = tuple(
            PublicationState(publication_id, name)
            for publication_id, name in self._library.publications_of(model.catalogue_id)
        )
        return answer

    def _force_categories(self, force: ForceNode) -> tuple[CategoryState, ...]:
        model = force.model
        there = self._counting.category_counts(force, deep=False)
        rows = [
            CategoryState(
                id=NO_CATEGORY,
                name=UNCATEGORISED,
                custom_name=model.category_names.get(NO_CATEGORY),
                notes=model.category_notes.get(NO_CATEGORY),
                current=sum(child.amount for child in force.children if self._counting.primary_of(child) is None),
            )
        ]
        named = bool(model.category_names or model.category_notes)
        for spec in force.spec.category_specs:
            row = self._evaluation.row_before(spec, force) if self._evaluation.row_before is not None else None
            if row is None or row.current != there.get(spec.id, 0) or row.custom_name or row.notes or named:
                row = self._force_category(spec, force, there.get(spec.id, 0))
            self._evaluation.rows[force.id, spec] = row
            rows.append(row)
        return tuple(rows)

    def _force_category(self, spec: Spec, force: ForceNode, current: int) -> CategoryState:
        low: Number | None = None
        high: Number | None = None
        for constraint in spec.constraints:
            if constraint.field == 0 and not constraint.percent:
                least, most = self._evaluation.force_limits(constraint, force)
                low = max(low, least) if low is not None and least is not None else least or low
                high = min(high, most) if high is not None and most is not None else (high if most is None else most)
        return CategoryState(
            id=spec.id,
            name=self._evaluation.text(spec, force),
            hidden=self._evaluation.category_hidden(spec, force),
            link_id=spec.link_id,
            page=spec.page,
            publication_id=spec.publication_id,
            custom_name=force.model.category_names.get(spec.id),
            notes=force.model.category_notes.get(spec.id),
            minimum=Decimal(low) if low is not None else None,
            maximum=Decimal(high) if high is not None else None,
            current=current,
        )

    def selection(self, node: SelectionNode) -> SelectionState:
        """A selection and all below it, put into the order players read."""
        selection = node.selection
        assert selection is not None
        if len(node.children) > 1:
            node.children = sorted(node.children, key=lambda child: natural(self._evaluation.name(child)))
        below = tuple([self.selection(child) for child in node.children])
        if node.force.missing:
            below += tuple(missing_selection(sel) for sel, parent in node.force.missing if parent == selection.id)
        if node.kept is not None:
            node.state = node.kept.renewed(below, lambda: self._info.of_selection(node))
            return node.state
        evaluation = self._evaluation
        spec = node.place.spec
        answer = node.state = SelectionState(lambda: self._info.of_selection(node))
        answer.id = selection.id
        answer.name = evaluation.name(node)
        answer.entry_id = node.place.path
        answer.group_id = node.place.group_id
        answer.group_names = "::".join(group.spec.name for group in node.place.groups) if node.place.groups else ""
        answer.at_root = node.root is node
        answer.type = spec.type
        answer.amount = node.amount
        answer.number = node.number
        answer.hidden = evaluation.hidden(node)
        answer.missing = False
        answer.page = self._page(spec, node)
        answer.publication_id = spec.publication_id
        answer.publication_name = self._library.publications.get(spec.publication_id or "")
        answer.custom_name = selection.custom_name
        answer.notes = selection.notes
        answer.costs = tuple(
            evaluation.cost_row(type_id, evaluation.costs.cost(node, type_id))
            for type_id in evaluation.cost_types(node)
        )
        answer.categories = tuple(self._category_states(node))
        answer.selections = below
        return answer

    def _category_states(self, node: SelectionNode) -> Iterator[CategoryState]:
        library = self._library
        for category_id, primary in self._evaluation.categories(node):
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
        return changed_text(spec.page or "", spec.page_modifiers, owner, self._counting)

    def _available(self, force: ForceNode) -> int:
        count = 0
        for place in root_entries(self._library.roots(force.catalogue_id)):
            ghost = force.ghost(place)
            if self._evaluation.fits(ghost) and not self._evaluation.hidden(ghost):
                count += 1
        return count

    def _forces_below(self, force: ForceNode) -> tuple[ForceOffer, ...]:
        return forces_below(
            self._library,
            force,
            self._counting,
            hidden=lambda ghost: self._evaluation.flag(ghost.spec, ghost),
            shown=self._evaluation.shown,
        )


_DIGITS = re.compile(r"(\d+)")


@lru_cache(maxsize=20_000)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key: digits as numbers, letters without case (§11)."""
    return tuple(
        (0, int(part), "") if part.isdecimal() and len(part) < 4000 else (1, 0, part.casefold())
        for part in _DIGITS.split(name)
        if part
    )
