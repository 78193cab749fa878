"""What may be taken in a unit, as controls of a page: options with counts and choices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import ClassVar
from urllib.parse import urlencode
from zlib import crc32

from django.utils.translation import gettext as _

from armybuilder.armylists.reports import ListReport
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.names import Names

MANY = 1000
"""No count goes beyond this; the service refuses more."""

LONG_CHOICE = 12
"""A choice among more is shown closed, with what is taken."""

LONG_INSIDE = 3
"""The same for what each of several models chooses."""

DEEPEST = 6
"""Options of options of options are shown down to this level."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The options of one thing that was taken.

    Attributes:
        node_id: of what was taken.
        title: only where there are several of it.
        included: what it always comes with, without anything to choose.
        absent: what the present choices hide, with the query of the page that explains it.
    """

    node_id: str
    title: str
    controls: "tuple[Control | Group, ...]"
    included: tuple[str, ...]
    absent: tuple[tuple[str, str], ...] = ()

    none_do: ClassVar[str] = ""
    none_on: ClassVar[bool] = False

    @property
    def html_id(self) -> str:
        """Of its element."""
        return f"in-{self.node_id}"

    @property
    def groups(self) -> "tuple[Group, ...]":
        """Choices and groups, each with a name of its own."""
        return tuple(item for item in self.controls if isinstance(item, Group))

    @property
    def chips(self) -> "tuple[Control, ...]":
        """Options that are taken or not."""
        return _of_kinds(self.controls, "check", "radio")

    @property
    def counts(self) -> "tuple[Control, ...]":
        """Options with a number."""
        return _of_kinds(self.controls, "count")

    @property
    def all_controls(self) -> "tuple[Control, ...]":
        """Every option on all levels."""
        return tuple(_every(self.controls))

    @property
    def all_absent(self) -> tuple[tuple[str, str], ...]:
        """What the present choices hide on all levels; the same name once."""
        inner = [found for item in self.all_controls for inside in item.inside for found in inside.absent]
        return tuple({name: (name, why) for name, why in reversed((*self.absent, *inner))}.values())


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
        is_models: they make up the unit: models by their data, or what it cannot be without.
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
    is_models: bool = False

    @property
    def html_id(self) -> str:
        """Of the element around it."""
        return f"c-{self.key}"

    @property
    def count_key(self) -> tuple[object, ...]:
        """Everything a stepper shows."""
        return (self.key, self.name, self.price, self.amount, self.limits, self.is_out)

    @property
    def place(self) -> str:
        """Where it stands, as the query of pages that speak of it."""
        return why_query(self.parent_id, self.entry_id)

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
        is_one_of_several: of several models that each choose for themselves.
    """

    key: str
    name: str
    is_choice: bool
    none_do: str
    none_on: bool
    demand: str
    fill: str
    controls: "tuple[Control | Group, ...]"

    is_one_of_several: bool = False

    inside: ClassVar[tuple[Inside, ...]] = ()

    @property
    def html_id(self) -> str:
        """Of its element."""
        return f"g-{self.key}"

    @property
    def chips(self) -> "tuple[Control, ...]":
        """Options that are taken or not."""
        return _of_kinds(self.controls, "check", "radio")

    @property
    def counts(self) -> "tuple[Control, ...]":
        """Options with a number."""
        return _of_kinds(self.controls, "count")

    @property
    def groups(self) -> "tuple[Group, ...]":
        """Groups within it."""
        return tuple(item for item in self.controls if isinstance(item, Group))

    @property
    def is_plain(self) -> bool:
        """Nothing in it is left to choose: what it holds is told with what the unit comes with, and not its name."""
        return all(item.is_plain for item in self.controls)

    @property
    def is_long(self) -> bool:
        """A choice among many: shown closed, with what is taken."""
        most = LONG_INSIDE if self.is_one_of_several else LONG_CHOICE
        return self.is_choice and len(self.controls) > most and self.fill == "free"

    @property
    def taken(self) -> "Control | None":
        """What a choice stands at."""
        return next((item for item in self.controls if isinstance(item, Control) and item.is_on), None)


@lru_cache(maxsize=8192)
def do(edit: str, **members: str | int) -> str:
    """An edit as the value of a button: `edit=select&parent_id=…`; the buttons of a unit hardly change with an edit."""
    return urlencode({"edit": edit, **members})


def options_of(report: ListReport, names: Names, node_id: str) -> Inside:
    """The options of a unit, or of anything in it, as controls."""
    return _Options(report, names).inside(node_id, "", 0)


class _Options:
    """Turns offers into controls, level by level."""

    def __init__(self, report: ListReport, names: Names) -> None:
        self.report = report
        self.names = names
        self.cost_type = cost_type_of(report)

    def inside(self, node_id: str, title: str, depth: int) -> Inside:
        """What stands under a node: counts first, then choices, then the models that always belong to it."""
        if depth >= DEEPEST:
            return Inside(node_id, title, (), ())
        found = offers(self.report.library, self.report.state, node_id=node_id)
        controls = list(self._controls(found, node_id, depth, in_choice=False, is_one_of_several=bool(title)))
        own = getattr(self.report.state.node(node_id), "name", "")
        plain = dict.fromkeys(item.name for item in _of_groups(controls) if item.is_plain)
        included = tuple(name for name in plain if name != self.names(own))  # a unit of one model comes with no other
        shown = [item for item in controls if not item.is_plain]
        return Inside(node_id, title, tuple(sorted(shown, key=_rank)), included, tuple(self._absent(found, node_id)))

    def _absent(self, found: Sequence[Offer | OfferGroup], parent_id: str) -> Iterator[tuple[str, str]]:
        """Names of hidden options and of groups that are hidden as a whole."""
        for offer in found:
            if offer.hidden and not offer.current:
                yield (
                    self.names(offer.name),
                    why_query(parent_id, offer.id if isinstance(offer, OfferGroup) else offer.entry_id),
                )
            elif isinstance(offer, OfferGroup):
                yield from self._absent(offer.offers, parent_id)

    def _controls(
        self,
        found: Sequence[Offer | OfferGroup],
        parent_id: str,
        depth: int,
        *,
        in_choice: bool,
        is_one_of_several: bool,
    ) -> Iterator[Control | Group]:
        for offer in found:
            if isinstance(offer, OfferGroup):
                if offer.is_flat and not offer.hidden:
                    yield from self._controls(
                        offer.offers, parent_id, depth, in_choice=in_choice, is_one_of_several=is_one_of_several
                    )
                elif not offer.hidden or offer.current:
                    group = self._group(offer, parent_id, depth, is_one_of_several=is_one_of_several)
                    if group.controls:
                        yield group
            elif not offer.hidden or offer.current:
                yield self._control(offer, parent_id, depth, in_choice=in_choice)

    def _group(self, group: OfferGroup, parent_id: str, depth: int, *, is_one_of_several: bool) -> Group:
        options = [offer for offer in group.offers if isinstance(offer, Offer)]
        is_choice = group.maximum == 1 and len(options) == len(group.offers) and len(options) > 0
        taken = [selection_id for offer in options for selection_id in offer.selection_ids]
        may_be_empty = is_choice and not group.minimum
        minimum, maximum = group.minimum or 0, group.maximum
        return Group(
            key=key_of(parent_id, group.id),
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
            controls=tuple(
                self._controls(group.offers, parent_id, depth, in_choice=is_choice, is_one_of_several=is_one_of_several)
            ),
            is_one_of_several=is_one_of_several,
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
            key=key_of(parent_id, offer.entry_id),
            kind=kind,
            name=self.names(offer.name),
            price=_price(offer, self.cost_type),
            amount=offer.current,
            limits=_limits(minimum, maximum) if kind == "count" else "",
            is_out=offer.hidden,
            why=why_query(parent_id, offer.entry_id) if offer.hidden else "",
            take=do("select", **place),
            give=do("deselect", selection_id=offer.selection_ids[0]) if offer.selection_ids else "",
            less=do("set_option_amount", **place, amount=offer.current - 1) if offer.current else "",
            more=do("set_option_amount", **place, amount=offer.current + 1) if offer.current < MANY else "",
            parent_id=parent_id,
            entry_id=offer.entry_id,
            inside=inside,
            is_models=offer.type == "model" or minimum > 0,
        )


def _of_kinds(controls: "Sequence[Control | Group]", *kinds: str) -> tuple[Control, ...]:
    return tuple(item for item in controls if isinstance(item, Control) and item.kind in kinds)


def _of_groups(controls: "Sequence[Control | Group]") -> Iterator[Control]:
    """The options of one node, those in groups too."""
    for item in controls:
        if isinstance(item, Group):
            yield from _of_groups(item.controls)
        else:
            yield item


def _every(controls: "Sequence[Control | Group]") -> Iterator[Control]:
    for item in controls:
        if isinstance(item, Group):
            yield from _every(item.controls)
        else:
            yield item
            for inside in item.inside:
                yield from _every(inside.controls)


def why_query(node_id: str, entry_id: str) -> str:
    """The query of the page that explains an entry, with what would help."""
    return urlencode({"node": node_id, "entry": entry_id})


def _price(offer: Offer, cost_type: str) -> Decimal:
    return offer.cost(cost_type)


def cost_type_of(report: ListReport) -> str:
    """Id of the cost that the limit of the list counts; empty where the data has none."""
    return points_type(report.library.cost_types) or ""


def _rank(item: Control | Group) -> int:
    """Where a control stands: counts, single options, groups of models, models with options, choices."""
    if isinstance(item, Group):
        return 4 if item.is_choice else 2
    return {"count": 0, "check": 1, "radio": 1}.get(item.kind, 3)


def key_of(parent_id: str, entry_id: str) -> str:
    """A short id for the elements of one option."""
    return f"o{crc32(f'{parent_id} {entry_id}'.encode()):08x}"


def _limits(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return _("at least %(n)s") % {"n": minimum} if minimum else ""
    return f"{minimum}–{maximum}" if minimum != maximum else str(maximum)


def _demand(current: int, minimum: int, maximum: int | None) -> str:
    """What a group asks for: "choose 1", "2 of at most 3"."""
    if current < minimum:
        return _("choose %(n)s more") % {"n": minimum - current}
    if minimum and minimum == maximum:
        return _("choose %(n)s") % {"n": minimum}
    if maximum is not None and maximum > 1:
        return _("%(current)s of at most %(maximum)s") % {"current": current, "maximum": maximum}
    if minimum:
        return _("at least %(n)s") % {"n": minimum}
    return ""
