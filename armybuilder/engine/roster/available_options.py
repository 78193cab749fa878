"""What may be put under a force or selection: every entry and group with its limits, its price and what is there."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final

import msgspec

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Constraint, Field, Scope
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.amendments import ENTRY_ID
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import NO_CATEGORY, bound, limits_of, measured
from armybuilder.engine.roster.nodes import ForceNode, GroupNode, Holder, Owner, SelectionNode
from armybuilder.engine.roster.state import Cost, ForceState, RosterState
from armybuilder.engine.roster.state_layout import natural
from armybuilder.engine.roster.tree import no_node

MAX_DEPTH: Final = 4
"""How deep below a unit it is looked for what bars it; data may go round in circles."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that stands open.

    Attributes:
        entry_id: full path; what `select` takes.
        costs: of one, after modifiers, without what it must bring along.
        minimum, maximum: in this parent, per parent model; None means none.
        room: how many more may be taken by every limit of the entry itself, in any scope; None means no limit.
        current: how many there are here.
        category_id: primary category; `(No Category)` for root entries without one, None below selections.
        selection_ids: the selections made of it here.
        instanced: every copy is its own selection (else taking it again raises the amount).
        has_options: something can be chosen below it.
        barred: a unit that cannot be without something that is hidden as things are.
    """

    entry_id: str
    name: str
    type: str
    costs: tuple[Cost, ...]
    hidden: bool
    minimum: int | None
    maximum: int | None
    room: int | None
    current: int
    category_id: str | None
    categories: tuple[str, ...]
    selection_ids: tuple[str, ...]
    instanced: bool
    has_options: bool
    collective: bool = False
    page: str | None = None
    publication_id: str | None = None
    barred: bool = False

    @property
    def available(self) -> bool:
        """Whether one more may be taken without breaking a limit of the entry itself."""
        return not self.hidden and not self.barred and (self.room is None or self.room > 0)

    def cost(self, type_id: str) -> Decimal:
        """The price of one in a cost type."""
        return next((cost.value for cost in self.costs if cost.type_id == type_id), Decimal(0))


class OfferGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group of offers with limits of its own.

    Attributes:
        id: full path of the group.
        default_id: full path of the entry that is taken when nothing else is; None without a default.
        radio: exactly one of the offers is to be chosen.
        is_flat: its offers stand where it stands, without its name: its author wants it so, and there is no limit to
            tell.
        book: name of the publication it is from, or nothing.
    """

    id: str
    name: str
    hidden: bool
    minimum: int | None
    maximum: int | None
    current: int
    default_id: str | None
    offers: "tuple[Offer | OfferGroup, ...]"
    is_flat: bool = False
    book: str = ""

    @property
    def radio(self) -> bool:
        """Whether exactly one of the offers is to be chosen."""
        return self.minimum == 1 and self.maximum == 1


def offers(library: Library, state: RosterState, *, node_id: str) -> "tuple[Offer | OfferGroup, ...]":
    """What may be put under a force or a selection, in the order players read it: groups last, by place and name.

    What stands in a unit comes as its author numbered it (§13); units and what has no number, by name.

    Hidden entries are in it, marked: `why` explains them. A unit that the data does not have has none.

    Raises:
        UnknownNode: no force or selection with this id that the library knows.
    """
    evaluation = working(library, state)
    holder = evaluation.node(node_id)
    if holder is None:
        if getattr(state.node(node_id), "entry_id", "") == ENTRY_ID:
            return ()
        raise no_node(node_id)
    return offers_below(evaluation, holder)


def offers_below(evaluation: Evaluation, holder: Holder) -> "tuple[Offer | OfferGroup, ...]":
    """What may be put under a force or a selection of an evaluation in work."""
    maker = _Maker(evaluation, holder)
    if isinstance(holder, ForceNode):
        return maker.rows(evaluation.library.roots(holder.catalogue_id))
    assert isinstance(holder, SelectionNode)
    return maker.rows(holder.place.children)


def flat(found: "Iterable[Offer | OfferGroup]", *, with_hidden_groups: bool = False) -> Iterator[Offer]:
    """Every offer, those in groups too; hidden offers are among them."""
    for offer in found:
        if isinstance(offer, Offer):
            yield offer
        elif with_hidden_groups or not offer.hidden:
            yield from flat(offer.offers, with_hidden_groups=with_hidden_groups)


def compulsory(library: Library, state: RosterState, *, force_id: str) -> tuple[bool, bool]:
    """Whether a force lacks selections of any category, and whether its catalogue has some for each.

    Raises:
        UnknownNode: no force with this id that the library knows.
    """
    force = state.node(force_id)
    if not isinstance(force, ForceState):
        raise no_node(force_id)
    asked = {category.id for category in force.categories if category.current < (category.minimum or 0)}
    on_offer = (offer for offer in flat(offers(library, state, node_id=force_id)) if not offer.hidden)
    had = {category_id for offer in on_offer for category_id in (offer.category_id, *offer.categories)}
    return bool(asked), asked <= had


def working(library: Library, state: RosterState) -> Evaluation:
    """The evaluation behind a state; made anew when the state came from elsewhere."""
    evaluation = state.evaluation
    if isinstance(evaluation, Evaluation) and evaluation.library is library:
        return evaluation
    return Evaluation(library, state.roster)


def barred_by(evaluation: Evaluation, unit: SelectionNode) -> SelectionNode | None:
    """What is hidden as things are though a unit begins with it, by minimums: whoever takes the unit has an error.

    It may stand in something that the unit begins with: a Command Tank whose badge of a warlord no ally has.
    """
    return _barring(evaluation, unit, unit.place.barring, MAX_DEPTH)


def _barring(
    evaluation: Evaluation, holder: SelectionNode, places: Iterable[Place], depth: int
) -> SelectionNode | None:
    for place in places:
        spec = place.spec
        found = None
        if place.is_group:
            found = _barring(evaluation, holder, place.barring, depth) or _all_hidden(evaluation, holder, place)
        elif spec.minimums and not spec.starts and _is_demanded(evaluation, place, ghost := holder.ghost(place)):
            if spec.hidden_modifiers and evaluation.hidden(ghost):
                return ghost
            if depth:
                found = _barring(evaluation, ghost, place.barring, depth - 1)
        if found is not None:
            return found
    return None


def _all_hidden(evaluation: Evaluation, holder: SelectionNode, group: Place) -> SelectionNode | None:
    """The first entry of a group from which some must be taken, though every one of them is hidden."""
    if not group.spec.minimums or not evaluation.library.barring.may_all_hide(group.spec.nodes):
        return None
    if not _is_demanded(evaluation, group, GroupNode(group, holder)):
        return None
    entries = group.entries
    is_shut = bool(entries) and all(evaluation.hidden(holder.ghost(place)) for place in entries)
    return holder.ghost(entries[0]) if is_shut else None


def _is_demanded(evaluation: Evaluation, place: Place, owner: Owner) -> bool:
    return any(bound(least, owner, evaluation.counting) > 0 for least in place.spec.minimums)


class _Maker:
    def __init__(self, evaluation: Evaluation, holder: Holder) -> None:
        self._evaluation = evaluation
        self._holder = holder
        self._at_root = isinstance(holder, ForceNode)
        self._taken: dict[Place, list[SelectionNode]] = {}
        for child in holder.children:
            self._taken.setdefault(child.place, []).append(child)

    def rows(self, places: Iterable[Place]) -> "tuple[Offer | OfferGroup, ...]":
        library = self._evaluation.library
        made: list[tuple[int, Offer | OfferGroup]] = []
        for place in places:
            number = 0 if self._at_root else library.sort_index(place.spec)
            if place.is_group:
                made.append((number, self._group(place)))
            elif not self._at_root or self._belongs(place):
                made.append((number, self._offer(place)))
        made.sort(key=lambda row: (isinstance(row[1], OfferGroup), row[0], natural(row[1].name.strip())))
        return tuple(self._told_apart([row for _, row in made]))

    @staticmethod
    def _told_apart(rows: "list[Offer | OfferGroup]") -> "Iterator[Offer | OfferGroup]":
        """The same rows; groups of one name that are from several books have that of their own behind it."""
        books: dict[str, set[str]] = {}
        for row in rows:
            if isinstance(row, OfferGroup) and not row.hidden:
                books.setdefault(row.name, set()).add(row.book)
        for row in rows:
            if isinstance(row, OfferGroup) and not row.hidden and row.book and len(books[row.name]) > 1:
                yield msgspec.structs.replace(row, name=f"{row.name} ({row.book})")
            else:
                yield row

    def _node(self, place: Place) -> SelectionNode:
        nodes = self._taken.get(place)
        return nodes[0] if nodes else self._holder.ghost(place)

    def _belongs(self, place: Place) -> bool:
        return place in self._taken or self._evaluation.fits(self._node(place))

    def _offer(self, place: Place) -> Offer:
        evaluation = self._evaluation
        nodes = self._taken.get(place, [])
        node = self._node(place)
        spec = place.spec
        category_ids = tuple(category_id for category_id, _ in evaluation.categories(node))
        primary = evaluation.counting.primary_of(node)
        low, high, room = self._limits(place, node)
        return Offer(
            entry_id=place.path,
            name=evaluation.name(node),
            type=spec.type,
            costs=tuple(
                evaluation.cost_row(type_id, evaluation.costs.unit(node, type_id))
                for type_id in evaluation.cost_types(node)
            ),
            hidden=evaluation.hidden(node),
            minimum=low,
            maximum=high,
            room=room,
            current=sum(one.amount for one in nodes),
            category_id=(primary or NO_CATEGORY) if self._at_root else primary,
            categories=category_ids,
            selection_ids=tuple(one.id for one in nodes),
            instanced=self._at_root or not place.merged,
            has_options=spec.holds,
            collective=place.collective,
            page=spec.page,
            publication_id=spec.publication_id,
            barred=self._at_root and barred_by(evaluation, node) is not None,
        )

    def _limits(self, place: Place, owner: Owner) -> tuple[int | None, int | None, int | None]:
        """(minimum here, maximum here, room by every limit)."""
        low: Number | None = None
        high: Number | None = None
        room: Number | None = None
        for constraint in place.spec.constraints:
            least, most = limits_of(constraint, owner, self._evaluation.counting)
            if _here(constraint):
                low = least if low is None else max(low, least or 0)
                high = most if high is None else high if most is None else min(high, most)
            if most is not None and constraint.field is Field.SELECTIONS and not constraint.percent:
                count = measured(self._evaluation.counting, constraint, place, owner)
                if count is not None:
                    left = max(0, int(Fraction(most) - Fraction(count)))
                    room = left if room is None else min(room, left)
        return _whole(low), _whole(high), _whole(room)

    def _group(self, place: Place) -> OfferGroup:
        evaluation = self._evaluation
        node = GroupNode(place, self._holder)
        low, high, _ = self._limits(place, node)
        default = next((found for wanted in place.spec.default_ids if (found := place.find(wanted))), None)
        return OfferGroup(
            id=place.path,
            name=evaluation.group_name(node),
            hidden=evaluation.group_hidden(place, self._holder),
            minimum=low,
            maximum=high,
            current=sum(member.amount for member in node.members),
            default_id=default.path if default is not None else None,
            offers=self.rows(place.children),
            is_flat=not low and high is None and evaluation.library.is_flat(place.spec),
            book=evaluation.library.publications.get(place.spec.publication_id or "", ""),
        )


def _here(constraint: Constraint) -> bool:
    return constraint.scope is Scope.PARENT and constraint.field is Field.SELECTIONS and not constraint.percent


def _whole(value: Number | None) -> int | None:
    return None if value is None else int(value)
