"""The add screen: every unit a detachment may take, by role, found by any word a player would say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from urllib.parse import urlencode
from uuid import UUID

from django.utils.translation import gettext as _

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.plain_reasons import may_grow, plain_words
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.roster_sheet import mentioned_names
from armybuilder.engine.roster.available_options import Offer, flat, offers
from armybuilder.engine.roster.explain import Explanation, why
from armybuilder.engine.roster.state import ForceState
from armybuilder.reference import queries as reference
from armybuilder.reference.models import UnitEntry
from armybuilder.reference.names import Names
from armybuilder.reference.unit_search import Searched, options_of_units, scores
from armybuilder.web.formatting import localized
from armybuilder.web.pages.army_rules import place_of
from armybuilder.web.pages.available_options import cost_type_of, do, key_of, why_query
from armybuilder.web.pages.profiles import key_figures
from armybuilder.web.pages.roster_view import DetachmentBlock, RoleBlock, RosterView

LEGAL, AFFORDABLE, FAVOURITES, OWNED = "legal", "points", "favourites", "owned"
FILTERS = (LEGAL, AFFORDABLE, FAVOURITES, OWNED)

MOST_ABSENT = 20
"""Hidden units that are explained at once; a word in the search box finds the others."""

CARDS_KEPT = 100
_cards: dict[tuple[UUID, str], Mapping[str, UnitEntry]] = {}


LETTERS = 3
"""Letters of the longest heading of a characteristic that is no word: "AP", "ПБ", "ВС"."""

LINE_WITH_GAPS = 40
"""Letters of figures and words that a phone shows with gaps between them on one line."""


@dataclass(frozen=True, slots=True)
class AddRow:
    """A unit that may be added.

    Attributes:
        key: of its elements, the same in every list: what a favourite is known by.
        price: of the unit as it comes.
        models: of the unit as it comes; 0 where nobody knows.
        figures: headings and values of its main profile.
        do: the edit that adds it.
        taken: how many the detachment has already; `opens` is the query that opens the last of them.
        why_not: reason why it cannot be added; empty where it can.
        is_open: it may be added all the same, as its limit grows with what else is taken.
        is_dear: it costs more than what is left.
        owned: models in the player's collection.
        why: query of the page that explains it, with what would help; empty where it can be added.
        card: id of the published unit; None for data of an earlier release.
    """

    key: str
    name: str
    price: Decimal
    models: int
    figures: tuple[tuple[str, str], ...]
    do: str
    taken: int
    opens: str
    why_not: str
    is_open: bool
    is_dear: bool
    is_favourite: bool
    owned: int
    why: str
    card: UUID | None

    @property
    def tells_words(self) -> bool:
        """Whether its figures have words beside them ("Speed 30cm", "2 models"), and are not too many for gaps."""
        if not self.figures:
            return True
        line = " ".join(f"{name} {value}" for name, value in self.figures)
        return len(line) <= LINE_WITH_GAPS and any(len(name) > LETTERS for name, _ in self.figures)


@dataclass(frozen=True, slots=True)
class RoleRows:
    """The units of one role that were found."""

    role: RoleBlock
    rows: tuple[AddRow, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A narrower or wider view of the same screen.

    Attributes:
        place: the query without words and filters, to which a page with scripts adds those that stand there by then.
    """

    label: str
    query: str
    place: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class AddScreen:
    """Units of all roles, or of one.

    Attributes:
        title: the role or category, or that all are shown.
        is_category: what is open is no place of the chart but a category that units of several places share.
        found: best first where words are searched for, else in the order of the chart.
        only: the filters that are on.
        total: units of the data that stand in these roles, hidden ones included.
        absent: units that the present choices hide, with the reasons and the query of the page with what would help.
        detachments, roles: where else to look.
        collects: the player has said what he owns of the game.
    """

    force_id: str
    role_id: str
    title: str
    found: tuple[RoleRows, ...]
    query: str
    only: frozenset[str]
    total: int
    absent: tuple[tuple[str, tuple[str, ...], str], ...]
    detachments: tuple[Chip, ...]
    roles: tuple[Chip, ...]
    collects: bool
    is_category: bool = False

    @property
    def elsewhere(self) -> RoleRows | None:
        """Where what was found outside the open role begins: words are looked for in all roles."""
        if not self.role_id or self.is_category:
            return None
        return next((group for group in self.found if group.role.id != self.role_id), None)


@dataclass(frozen=True, slots=True)
class Taste:
    """What is this visitor's own on the add screen.

    Attributes:
        favourites: keys of units that he likes.
        owned: models in his collection by the name of the unit; asked for only where units are offered.
    """

    favourites: frozenset[str] = frozenset()
    owned: Callable[[], Mapping[str, int]] = dict


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the add screen was asked for.

    Attributes:
        role_id: empty for all roles; a category that is no role shows the units of all roles that belong to it.
        text: words to be found.
        favourites: keys of units that this visitor likes.
        owned: models in his collection by the name of the unit.
    """

    force_id: str
    role_id: str = ""
    text: str = ""
    only: frozenset[str] = frozenset()
    favourites: frozenset[str] = frozenset()
    owned: Mapping[str, int] = field(default_factory=dict)

    @property
    def query(self) -> str:
        """The query that asks for it again."""
        members: list[tuple[str, str]] = [("add", self.force_id)]
        members += [("role", self.role_id)] if self.role_id else []
        members += [("q", self.text)] if self.text else []
        return urlencode([*members, *(("only", name) for name in sorted(self.only))])


def add_screen(
    army_list: ArmyList, report: ListReport, names: Names, view: RosterView, wanted: Wanted
) -> AddScreen | None:
    """The units a detachment may take; None when the list has no such detachment."""
    block = next((block for block in view.detachments if block.id == wanted.force_id), None)
    force = report.state.node(wanted.force_id)
    if block is None or not isinstance(force, ForceState):
        return None
    cards = unit_cards(army_list.system_id, force.catalogue_id, army_list.release_id)
    return _Screen(report, names, view, wanted, block=block, force=force, cards=cards).screen()


def unit_cards(system_id: str, catalogue_id: str, release_id: UUID) -> Mapping[str, UnitEntry]:
    """The published units of a catalogue by their entry; none when the release is no longer the current one."""
    key = (release_id, catalogue_id)
    known = _cards.get(key)
    if known is None:
        faction = next((row for row in reference.factions(system_id) if row.catalogue_id == catalogue_id), None)
        if faction is None or faction.release_id != release_id:
            return {}
        known = {row.entry_id: row for row in reference.units(system_id, faction=faction.key)}
        while len(_cards) >= CARDS_KEPT:
            _cards.pop(next(iter(_cards)))
        _cards[key] = known
    return known


class _Screen:
    """Makes the screen of one detachment."""

    def __init__(
        self,
        report: ListReport,
        names: Names,
        view: RosterView,
        wanted: Wanted,
        *,
        block: DetachmentBlock,
        force: ForceState,
        cards: Mapping[str, UnitEntry],
    ) -> None:
        self.report = report
        self.names = names
        self.view = view
        self.wanted = wanted
        self.block = block
        self.force = force
        self.cost_type = cost_type_of(report)
        self.cards = cards

    def screen(self) -> AddScreen:
        wanted = self.wanted
        roles = {role.id: role for role in _units_first(self.block.roles)}
        offered = [
            offer
            for offer in flat(offers(self.report.library, self.report.state, node_id=self.force.id))
            if self._place(offer) in roles
        ]
        category = "" if wanted.role_id in roles else self._category_name()
        in_role = [offer for offer in offered if not wanted.role_id or self._stands_in(offer, roles)]
        looked_through = offered if wanted.text and not category else in_role
        score = scores({offer.entry_id: self._searched(offer, roles) for offer in looked_through}, wanted.text)
        groups: dict[str, list[tuple[float, AddRow]]] = {role_id: [] for role_id in roles}
        absent: list[tuple[str, tuple[str, ...], str]] = []
        for offer in looked_through:
            if offer.entry_id not in score:
                continue
            if offer.hidden:
                if (wanted.text or wanted.role_id) and len(absent) < MOST_ABSENT:
                    absent.append(self._absent(offer))
                continue
            row = self._row(offer)
            if self._passes(row, roles[self._place(offer)]):
                groups[self._place(offer)].append((score[offer.entry_id], row))
        return AddScreen(
            force_id=self.force.id,
            role_id=wanted.role_id,
            title=roles[wanted.role_id].name if wanted.role_id in roles else category or _("Add units"),
            found=self._found(groups, roles),
            query=wanted.text,
            only=wanted.only,
            total=len(looked_through),
            absent=tuple(absent),
            detachments=self._detachments(),
            roles=self._roles({self._place(offer) for offer in offered if not offer.hidden}),
            collects=bool(wanted.owned),
            is_category=bool(category),
        )

    def _category_name(self) -> str:
        """Of what was asked for, where it is a category of the detachment."""
        known = {category.id: category.name for category in self.force.categories}
        return self.names(known.get(self.wanted.role_id, ""))

    def _stands_in(self, offer: Offer, roles: Mapping[str, RoleBlock]) -> bool:
        wanted = self.wanted.role_id
        return self._place(offer) == wanted or (wanted not in roles and wanted in offer.categories)

    def _found(
        self, groups: Mapping[str, list[tuple[float, AddRow]]], roles: Mapping[str, RoleBlock]
    ) -> tuple[RoleRows, ...]:
        """Best first where words are searched for, those of the open role before all others."""
        shown = [
            (
                (role_id != self.wanted.role_id, -max(score for score, _ in rows) if self.wanted.text else 0),
                RoleRows(
                    roles[role_id],
                    tuple(row for _, row in sorted(rows, key=lambda pair: (-round(pair[0] / 20), pair[1].name))),
                ),
            )
            for role_id, rows in groups.items()
            if rows
        ]
        return tuple(group for _, group in sorted(shown, key=lambda pair: pair[0]))

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        return mentioned_names(self.report.state)

    def _place(self, offer: Offer) -> str:
        return place_of(self.report, self.force, offer)

    def _searched(self, offer: Offer, roles: Mapping[str, RoleBlock]) -> Searched:
        name = f"{offer.name} {self.names(offer.name)}"
        if not self.wanted.text:
            return Searched(name, "")
        card = self.cards.get(offer.entry_id)
        options = options_of_units(self.report.library, self.force.catalogue_id).get(offer.entry_id, "")
        role = roles[self._place(offer)].name
        return Searched(name, f"{role} {card.search_text if card else ''} {options}")

    def _row(self, offer: Offer) -> AddRow:
        card = self.cards.get(offer.entry_id)
        price = card.points if card else offer.cost(self.cost_type)
        left = self.view.left
        key = key_of(self.force.catalogue_id, offer.entry_id)
        found = None if offer.available else self._why(offer)
        return AddRow(
            key=key,
            name=self.names(offer.name),
            price=price,
            models=card.models_count if card else 0,
            figures=key_figures(card.profiles, self.names) if card else (),
            do=do("add_unit", force_id=self.force.id, entry_id=offer.entry_id),
            taken=offer.current,
            opens=urlencode({"unit": offer.selection_ids[-1]}) if offer.selection_ids else "",
            why_not=". ".join(said(found, self.names, self._mentioned)) if found is not None else "",
            is_open=found is None or may_grow(found),
            is_dear=left is not None and price > left,
            is_favourite=key in self.wanted.favourites,
            owned=self.wanted.owned.get(offer.name, 0),
            why=why_query(self.force.id, offer.entry_id) if found is not None else "",
            card=card.id if card else None,
        )

    def _why(self, offer: Offer) -> Explanation:
        return why(self.report.library, self.report.state, node_id=self.force.id, entry_id=offer.entry_id)

    def _passes(self, row: AddRow, role: RoleBlock) -> bool:
        only = self.wanted.only
        is_free = not row.why_not and role.fill not in ("full", "over")
        return (
            (LEGAL not in only or (is_free and not row.is_dear))
            and (AFFORDABLE not in only or not row.is_dear)
            and (FAVOURITES not in only or row.is_favourite)
            and (OWNED not in only or row.owned > 0)
        )

    def _absent(self, offer: Offer) -> tuple[str, tuple[str, ...], str]:
        reasons = why_not(self.report, self.names, node_id=self.force.id, entry_id=offer.entry_id)
        return self.names(offer.name), reasons, why_query(self.force.id, offer.entry_id)

    def _detachments(self) -> tuple[Chip, ...]:
        blocks: Sequence[DetachmentBlock] = self.view.detachments
        if len(blocks) < 2:
            return ()
        return tuple(self._chip(block.name, block.id, "", block.id == self.force.id) for block in blocks)

    def _roles(self, offered: set[str]) -> tuple[Chip, ...]:
        here = self.wanted
        return (
            self._chip(_("All"), here.force_id, "", not here.role_id),
            *(
                self._chip(role.name, here.force_id, role.id, role.id == here.role_id)
                for role in _units_first(self.block.roles)
                if role.id in offered
            ),
        )

    def _chip(self, label: str, force_id: str, role_id: str, is_on: bool) -> Chip:
        """What is looked for stays the same elsewhere."""
        there = Wanted(force_id, role_id)
        return Chip(label, replace(there, text=self.wanted.text, only=self.wanted.only).query, there.query, is_on)


def _units_first(roles: Iterable[RoleBlock]) -> list[RoleBlock]:
    """Roles in their order, but what sets the army up last: most of it is there already and cannot be added again."""
    return sorted(roles, key=lambda role: role.is_army_rules)


def why_not(report: ListReport, names: Names, *, node_id: str, entry_id: str) -> tuple[str, ...]:
    """Why something cannot be taken (once more), in a player's words: each reason once."""
    found = why(report.library, report.state, node_id=node_id, entry_id=entry_id)
    return said(found, names, mentioned_names(report.state))


def said(explanation: Explanation, names: Names, mentioned: AbstractSet[str]) -> tuple[str, ...]:
    """An explanation in a player's words: each reason once.

    Args:
        mentioned: names of the data that it may hold, besides its own and those known in Russian.
    """
    known = {explanation.name, *mentioned, *names.in_russian}
    return tuple(names.within(localized(text), known) for text in plain_words(explanation))
