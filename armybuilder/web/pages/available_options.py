"""What may be taken, as controls of a page: units on the add screen, options of a unit with counts and choices."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode
from zlib import crc32

from django.utils.translation import gettext as _

from armybuilder.armylists.reports import ListReport
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.explain import Reason, why
from armybuilder.engine.roster.state import ForceState
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized

MANY = 1000
"""No count goes beyond this; the service refuses more."""
_ON_OFFER: dict[tuple[str, str, str], frozenset[str]] = {}

LONG_CHOICE = 3
MOST_ABSENT = 20
"""Hidden units that are explained at once; a word in the search box finds the others."""
DEEPEST = 6
"""Options of options of options are shown down to this level."""


@dataclass(frozen=True, slots=True)
class AddRow:
    """A unit that may be added.

    Attributes:
        do: the edit that adds it.
        taken: how many the list has already.
        why_not: reason why it cannot be added; empty where it can.
        is_dear: it costs more than what is left.
        why: query of the page that explains it, with what would help; empty where it can be added.
    """

    name: str
    price: Decimal
    do: str
    taken: int
    why_not: str
    is_dear: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class AddScreen:
    """Units of one role.

    Attributes:
        absent: units that the present choices hide, with the reasons and the query of the page with what would help.
    """

    force_id: str
    role_id: str
    role_name: str
    rows: tuple[AddRow, ...]
    query: str
    total: int
    absent: tuple[tuple[str, tuple[str, ...], str], ...]


@dataclass(frozen=True, slots=True)
class Inside:
    """The options of one thing that was taken.

    Attributes:
        title: only where there are several of it.
        included: what it always comes with, without anything to choose.
        absent: what the present choices hide, with the query of the page that explains it.
    """

    title: str
    controls: "tuple[Control | Group, ...]"
    included: tuple[str, ...]
    absent: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Control:
    """One option.

    Attributes:
        key: id of its elements on the page, the same after an edit.
        kind: radio, check, count or fixed.
        amount: how many are taken.
        limits: in words, e.g. "1–5"; empty without limits.
        take, give: edits that take it or give it back (radio, check).
        less, more: edits that lower and raise the count; `less` is empty at 0.
        parent_id, entry_id: for a typed count.
        why: query of the page that explains why it is out; empty where it is not.
    """

    key: str
    kind: str
    name: str
    price: Decimal
    amount: int
    limits: str
    is_out: bool
    take: str
    give: str
    less: str
    more: str
    parent_id: str
    entry_id: str
    inside: tuple[Inside, ...]
    why: str = ""

    @property
    def place(self) -> str:
        """Where it stands, as the query of pages that speak of it."""
        return _why(self.parent_id, self.entry_id)

    @property
    def is_on(self) -> bool:
        """Whether it is taken."""
        return self.amount > 0

    @property
    def is_plain(self) -> bool:
        """It always belongs to its parent and leaves nothing to choose."""
        return self.kind == "fixed" and not self.inside


@dataclass(frozen=True, slots=True)
class Group:
    """Options that belong together.

    Attributes:
        is_choice: exactly or at most one of them: radio buttons.
        none_do: the edit that takes none of them; empty where one must be taken.
        demand: what the group asks for, in words.
        fill: short, over or free.
    """

    key: str
    name: str
    is_choice: bool
    none_do: str
    none_on: bool
    demand: str
    fill: str
    controls: "tuple[Control | Group, ...]"

    @property
    def is_long(self) -> bool:
        """A choice among many: shown closed, with what is taken."""
        return self.is_choice and len(self.controls) > LONG_CHOICE and self.fill == "free"

    @property
    def taken(self) -> "Control | None":
        """What a choice stands at."""
        return next((item for item in self.controls if isinstance(item, Control) and item.is_on), None)


def do(edit: str, **members: str | int) -> str:
    """An edit as the value of a button: `edit=select&parent_id=…`."""
    return urlencode({"edit": edit, **members})


def categories_on_offer(report: ListReport, force: ForceState) -> frozenset[str]:
    """Categories that at least one entry of a detachment's catalogue could fill.

    Worked out once a process for every catalogue: it needs every entry, and hardly depends on what was chosen.
    """
    key = (report.library.content_hash, force.catalogue_id, force.entry_id)
    known = _ON_OFFER.get(key)
    if known is None:
        found = _flat(offers(report.library, report.state, node_id=force.id))
        known = frozenset(category_id for offer in found for category_id in offer.categories)
        if len(_ON_OFFER) > MANY:
            _ON_OFFER.clear()
        _ON_OFFER[key] = known
    return known


def add_screen(
    report: ListReport,
    names: Names,
    *,
    force_id: str,
    role_id: str,
    role_name: str,
    text: str,
    left: Decimal | None,
    prices: Mapping[str, Decimal],
) -> AddScreen:
    """The units of a role that a detachment may take, by name.

    Args:
        text: words that the name must contain, in the page's language or the data's.
        left: points that may still be spent; None without a limit.
        prices: of units as they come, with what they must bring along; others show their bare price.
    """
    cost_type = _cost_type(report)
    rows = []
    absent: list[tuple[str, tuple[str, ...], str]] = []
    total = 0
    for offer in _flat(offers(report.library, report.state, node_id=force_id)):
        if offer.category_id != role_id:
            continue
        total += 1
        name = names(offer.name)
        if not all(word in f"{name} {offer.name}".casefold() for word in text.casefold().split()):
            continue
        if offer.hidden:
            if len(absent) < MOST_ABSENT:
                reasons = why_not(report, names, node_id=force_id, entry_id=offer.entry_id)
                absent.append((name, reasons, _why(force_id, offer.entry_id)))
            continue
        price = prices.get(offer.entry_id, _price(offer, cost_type))
        full = not offer.available
        rows.append(
            AddRow(
                name=name,
                price=price,
                do=do("add_unit", force_id=force_id, entry_id=offer.entry_id),
                taken=offer.current,
                why_not="; ".join(why_not(report, names, node_id=force_id, entry_id=offer.entry_id)) if full else "",
                is_dear=left is not None and price > left,
                why=_why(force_id, offer.entry_id) if full else "",
            )
        )
    rows.sort(key=lambda row: row.name)
    return AddScreen(force_id, role_id, role_name, tuple(rows), text, total, tuple(absent))


def why_not(report: ListReport, names: Names, *, node_id: str, entry_id: str) -> tuple[str, ...]:
    """Why something cannot be taken (once more): each reason, with what it rests on."""
    explanation = why(report.library, report.state, node_id=node_id, entry_id=entry_id)
    told = [reason for reason in explanation.reasons if reason.holds] or list(explanation.reasons)
    return tuple(names.within(_told(reason), names.in_russian) for reason in told)


def _told(reason: Reason) -> str:
    """A link of the chain and the links below it, as one sentence."""
    below = [_told(inner) for inner in reason.reasons]
    return localized(reason.text) + (f" ({'; '.join(below)})" if below else "")


def options_of(report: ListReport, names: Names, node_id: str) -> Inside:
    """The options of a unit, or of anything in it, as controls."""
    return _Options(report, names).inside(node_id, "", 0)


class _Options:
    """Turns offers into controls, level by level."""

    def __init__(self, report: ListReport, names: Names) -> None:
        self.report = report
        self.names = names
        self.cost_type = _cost_type(report)

    def inside(self, node_id: str, title: str, depth: int) -> Inside:
        """What stands under a node: counts first, then choices, then the models that always belong to it."""
        if depth >= DEEPEST:
            return Inside(title, (), ())
        found = offers(self.report.library, self.report.state, node_id=node_id)
        controls = list(self._controls(found, node_id, depth, in_choice=False))
        included = tuple(item.name for item in controls if isinstance(item, Control) and item.is_plain)
        shown = [item for item in controls if isinstance(item, Group) or not item.is_plain]
        return Inside(title, tuple(sorted(shown, key=_rank)), included, tuple(self._absent(found, node_id)))

    def _absent(self, found: Sequence[Offer | OfferGroup], parent_id: str) -> Iterator[tuple[str, str]]:
        """Names of hidden options and of groups that are hidden as a whole."""
        for offer in found:
            if offer.hidden and not offer.current:
                yield (
                    self.names(offer.name),
                    _why(parent_id, offer.id if isinstance(offer, OfferGroup) else offer.entry_id),
                )
            elif isinstance(offer, OfferGroup):
                yield from self._absent(offer.offers, parent_id)

    def _controls(
        self, found: Sequence[Offer | OfferGroup], parent_id: str, depth: int, *, in_choice: bool
    ) -> Iterator[Control | Group]:
        for offer in found:
            if isinstance(offer, OfferGroup):
                if not offer.hidden or offer.current:
                    group = self._group(offer, parent_id, depth)
                    if group.controls:
                        yield group
            elif not offer.hidden or offer.current:
                yield self._control(offer, parent_id, depth, in_choice=in_choice)

    def _group(self, group: OfferGroup, parent_id: str, depth: int) -> Group:
        options = [offer for offer in group.offers if isinstance(offer, Offer)]
        is_choice = group.maximum == 1 and len(options) == len(group.offers) and len(options) > 0
        taken = [selection_id for offer in options for selection_id in offer.selection_ids]
        may_be_empty = is_choice and not group.minimum
        minimum, maximum = group.minimum or 0, group.maximum
        return Group(
            key=_key(parent_id, group.id),
            name=self.names(group.name),
            is_choice=is_choice,
            none_do=do("deselect", selection_id=taken[0]) if may_be_empty and taken else "",
            none_on=may_be_empty and not taken,
            demand=_demand(group.current, minimum, maximum),
            fill="short"
            if group.current < minimum
            else "over"
            if maximum is not None and group.current > maximum
            else "free",
            controls=tuple(self._controls(group.offers, parent_id, depth, in_choice=is_choice)),
        )

    def _control(self, offer: Offer, parent_id: str, depth: int, *, in_choice: bool) -> Control:
        minimum, maximum = offer.minimum or 0, offer.maximum
        if in_choice:
            kind = "radio"
        elif minimum >= 1 and minimum == maximum == offer.current and not offer.hidden:
            kind = "fixed"
        elif maximum == 1 and offer.current <= 1:
            kind = "check"
        else:
            kind = "count"
        several = len(offer.selection_ids) > 1
        inside = tuple(
            part
            for number, selection_id in enumerate(offer.selection_ids, start=1)
            if offer.has_options
            for part in [self.inside(selection_id, f"{self.names(offer.name)} {number}" if several else "", depth + 1)]
            if part.controls
        )
        place = {"parent_id": parent_id, "entry_id": offer.entry_id}
        return Control(
            key=_key(parent_id, offer.entry_id),
            kind=kind,
            name=self.names(offer.name),
            price=_price(offer, self.cost_type),
            amount=offer.current,
            limits=_limits(minimum, maximum) if kind == "count" else "",
            is_out=offer.hidden,
            why=_why(parent_id, offer.entry_id) if offer.hidden else "",
            take=do("select", **place),
            give=do("deselect", selection_id=offer.selection_ids[0]) if offer.selection_ids else "",
            less=do("set_option_amount", **place, amount=offer.current - 1) if offer.current else "",
            more=do("set_option_amount", **place, amount=offer.current + 1) if offer.current < MANY else "",
            parent_id=parent_id,
            entry_id=offer.entry_id,
            inside=inside,
        )


def _flat(found: Sequence[Offer | OfferGroup]) -> Iterator[Offer]:
    for offer in found:
        if isinstance(offer, OfferGroup):
            if not offer.hidden:
                yield from _flat(offer.offers)
        else:
            yield offer


def _why(node_id: str, entry_id: str) -> str:
    """The query of the page that explains an entry, with what would help."""
    return urlencode({"node": node_id, "entry": entry_id})


def _price(offer: Offer, cost_type: str) -> Decimal:
    return offer.cost(cost_type)


def _cost_type(report: ListReport) -> str:
    return points_type(report.library.cost_types) or ""


def _rank(item: Control | Group) -> int:
    """Where a control stands: counts, single options, groups of models, models with options, choices."""
    if isinstance(item, Group):
        return 4 if item.is_choice else 2
    return {"count": 0, "check": 1, "radio": 1}.get(item.kind, 3)


def _key(parent_id: str, entry_id: str) -> str:
    return f"o{crc32(f'{parent_id} {entry_id}'.encode()):08x}"


def _limits(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return _("at least %(n)s") % {"n": minimum} if minimum else ""
    return f"{minimum}–{maximum}" if minimum != maximum else str(maximum)


def _demand(current: int, minimum: int, maximum: int | None) -> str:
    """What a group asks for: "choose 1", "2 of at most 3"."""
    if minimum and minimum == maximum:
        return _("choose %(n)s") % {"n": minimum}
    if maximum is not None and maximum > 1:
        return _("%(current)s of at most %(maximum)s") % {"current": current, "maximum": maximum}
    if minimum:
        return _("at least %(n)s") % {"n": minimum}
    return ""
